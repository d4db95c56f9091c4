//! Updates in place: kernels in F̃, which keep their meaning at every stage and copy no more than they must.

mod common;

use smooth_core::dps::{self, Program, Term};
use smooth_core::fsmooth::{self, Kernel, eval};
use smooth_core::infer::Infer;
use smooth_core::lex::Cursor;
use smooth_core::lower::{lower, normalise};
use smooth_core::pass::Switches;
use smooth_core::run::Cx;
use smooth_core::share::share;
use smooth_core::simplify::simplify;
use smooth_core::span::Origin;
use smooth_core::storage::optimise;
use smooth_core::value::{Lit, Value};

const HEAD: &str = "kernel \"f\" [a_0 \"a\": array f64 [n_1], m_2 \"m\": array f64 [n_3, n_4], k_5 \"k\": usize]\nin ";

fn kernel(body: &str) -> Kernel {
    let text = format!("{HEAD}{body}");
    fsmooth::parse::kernel(&mut Cursor::new(&text), Origin::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn arguments() -> Vec<Value> {
    let (a, m) = ([0.5, 2.0, -1.0, 4.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.5, 2.5, 3.5]);
    vec![Value::vector(&a), Value::tensor(&[4, 3], &m), Value::Scalar(Lit::usize(2))]
}

/// Compiles a body; every stage has the value of the first.
fn stored(body: &str, on: &Switches) -> Program {
    let mut k = kernel(body);
    fsmooth::check::check(&k).unwrap_or_else(|e| panic!("{e}\n{body}"));
    let args: Vec<eval::Arg> = arguments().into_iter().map(eval::Arg::Value).collect();
    let want = eval::run(&k, &args, &eval::Empty);
    simplify(&mut k, &mut Cx::unwatched(on));
    share(&mut k, &mut Cx::unwatched(on));
    fsmooth::check::check(&k).unwrap_or_else(|e| panic!("{e}\n{}", fsmooth::print::pretty(&k.body, &k.names)));
    assert_eq!(eval::run(&k, &args, &eval::Empty), want, "{}", fsmooth::print::pretty(&k.body, &k.names));
    let result = Infer::new(&k).shape(&k.body).leaves();
    let mut p = lower(normalise(k), &result, &[]);
    for stage in ["lower", "storage"] {
        if stage == "storage" {
            optimise(&mut p, &mut Cx::unwatched(on));
        }
        let text = dps::print::program(&p);
        dps::check::check(&p).unwrap_or_else(|e| panic!("{stage}: {e}\n{text}"));
        let got = dps::eval::run(&p, &arguments(), &eval::Empty).map(|r| r.value);
        assert_eq!(got, want, "{stage}:\n{text}");
        common::reads_back(&p).unwrap_or_else(|e| panic!("{stage}: {e}\n{text}"));
    }
    p
}

/// Asserts the numbers of copies of whole arrays, and of blocks that need separate storage.
#[track_caller]
fn needs(body: &str, copies: usize, blocks: usize) {
    let p = stored(body, &Switches::default());
    let is_block = |b: &dps::Block| matches!(b.placement, dps::Placement::Frame);
    let mut own = 0;
    p.body.each(&mut |t| {
        if let Term::Alloc(a) = t {
            own += a.blocks.iter().filter(|b| is_block(b)).count();
        }
    });
    let made = p.body.count(|t| matches!(t, Term::Copy(_)));
    assert_eq!((made, own), (copies, blocks), "copies and blocks of\n{}", dps::print::program(&p));
}

#[test]
fn an_update_of_an_argument_copies_it_once() {
    needs("(update a_0 [k_5] 1.0)", 1, 0);
    needs("(update (update a_0 [k_5] a_0[0]) [0] a_0[k_5])", 1, 0);
    needs("(update + (update a_0 [k_5] a_0[0]) [0] a_0[k_5])", 1, 0);
}

#[test]
fn a_fold_updates_its_state_in_place() {
    needs("(ifold n_1 (λ s_6 i_7. (update s_6 [i_7] (s_6[0] + 1.0))) (build n_1 (λ j_8. 0.0)))", 0, 0);
    needs("(ifold n_1 (λ s_6 i_7. (update * s_6 [i_7] 2.0)) a_0)", 1, 0);
    // A prefix sum.
    needs("(ifold (n_1 - 1) (λ s_6 i_7. (update + s_6 [(i_7 + 1)] s_6[i_7])) a_0)", 1, 0);
}

#[test]
fn nested_folds_and_branches_share_one_buffer() {
    needs("(ifold n_3 (λ s_6 i_7. (ifold n_4 (λ t_8 j_9. (update + t_8 [i_7, j_9] t_8[0][j_9])) s_6)) m_2)", 1, 0);
    needs("(ifold n_1 (λ s_6 i_7. (if (s_6[i_7] > 0.0) then (update s_6 [i_7] 0.0) else s_6)) a_0)", 1, 0);
    needs(
        "(proj 0 (ifold n_1 (λ s_6 i_7. (let x_8 = (proj 0 s_6) in (let c_9 = (proj 1 s_6) in \
         (if (x_8[i_7] > 0.0) then (tuple (update x_8 [i_7] 0.0) (c_9 + 1)) else (tuple x_8 c_9))))) (tuple a_0 0)))",
        1,
        0,
    );
}

#[test]
fn a_version_that_is_read_later_is_copied() {
    needs("(let b_6 = (update a_0 [0] 1.0) in (let c_7 = (update b_6 [1] 2.0) in (tuple b_6 c_7)))", 2, 0);
}

#[test]
fn a_fold_that_ends_early() {
    needs("(ifold n_1 (λ s_6 i_7. while (s_6[i_7] != -1.0) do (update s_6 [i_7] 7.0)) a_0)", 1, 0);
    stored(
        "(ifold n_1 (λ s_6 i_7. while (s_6[i_7] != -1.0) do (build n_1 (λ j_8. (s_6[((j_8 + 1) % n_1)] + 1.0)))) a_0)",
        &Switches::default(),
    );
}

#[test]
fn a_test_reads_what_nothing_else_reads() {
    let fold = "(ifold n_3 (λ s_8 i_9. while (0.25 < x_7[i_9][0]) do (update s_8 [0, i_9] 1.5)) m_2)";
    // An array that is stored, and one that becomes its elements.
    stored(&format!("(let x_7 = (build n_3 (λ i_5. (build n_4 (λ j_6. 0.5)))) in {fold})"), &Switches::default());
    stored(
        &format!("(let x_7 = (build n_3 (λ i_5. (build n_4 (λ j_6. (a_0[0] - 0.75))))) in {fold})"),
        &Switches::default(),
    );
}

#[test]
fn rows() {
    needs("(ifold n_3 (λ s_6 i_7. (update s_6 [i_7] (build n_4 (λ j_8. (m_2[i_7][j_8] * 2.0))))) m_2)", 1, 0);
}

/// A row that is read while its array is updated is copied; the array is not.
#[test]
fn parts_of_arrays() {
    // Elimination below the first row, whose copy is a row.
    let step = |row: &str| {
        format!(
            "(ifold n_3 (λ s_6 i_7. (let r_8 = {row} in (ifold n_4 (λ t_9 j_10. (update - t_9 [i_7, j_10] r_8[j_10])) \
             s_6))) m_2)"
        )
    };
    needs(&step("s_6[0]"), 2, 1);
    needs(&step("m_2[0]"), 1, 0);
    // It is dead when the update begins.
    let first = "(ifold n_3 (λ s_6 i_7. (let r_8 = s_6[i_7] in (let x_9 = (sum n_4 (λ j_10. (r_8[j_10] * r_8[j_10]))) \
                 in (update s_6 [i_7, 0] x_9)))) m_2)";
    needs(first, 1, 0);
}

/// Two buffers that take turns: nothing is copied but the argument.
#[test]
fn states_change_places() {
    let heat = |test: &str, steps: &str| {
        format!(
            "(proj 0 (ifold {steps} (λ s_6 i_7.{test} (let a_8 = (proj 0 s_6) in (let b_9 = (proj 1 s_6) in (let c_10 = \
             (ifold (n_1 - 2) (λ t_11 j_12. (update t_11 [(j_12 + 1)] (a_8[j_12] + a_8[(j_12 + 2)]))) b_9) in \
             (tuple c_10 a_8))))) (tuple a_0 (build n_1 (λ z_13. 0.0)))))"
        )
    };
    for steps in ["0", "1", "k_5", "3"] {
        needs(&heat("", steps), 1, 1);
        needs(&heat(" while ((proj 0 s_6)[0] < 1.0) do", steps), 1, 1);
        needs(&heat(" while (i_7 < 1) do", steps), 1, 1);
    }
    // Three states, and one of them is new.
    let three = "(ifold k_5 (λ s_6 i_7. (let a_8 = (proj 0 s_6) in (let b_9 = (proj 1 s_6) in (let c_10 = (proj 2 s_6) in \
                 (tuple b_9 c_10 (ifold n_1 (λ t_11 j_12. (update t_11 [j_12] (a_8[j_12] + b_9[0]))) a_8)))))) \
                 (tuple a_0 (build n_1 (λ x_13. 1.0)) (build n_1 (λ y_14. 2.0))))";
    stored(three, &Switches::default());
}

#[test]
fn a_state_that_takes_the_place_of_another_in_one_branch() {
    let body = "(let x_10 = (ifold 3 (λ s_11 i_12. (let p_13 = (proj 0 s_11) in (let q_14 = (proj 1 s_11) in \
        (let t_15 = (if (a_0[(k_5 % n_1)] < m_2[(k_5 % n_3)][0]) \
        then (let w_16 = (ifold n_4 (λ u_17 j_18. a_0) q_14) in (tuple p_13 w_16)) else (tuple q_14 p_13)) in \
        (tuple a_0 (proj 1 t_15)))))) (tuple a_0 a_0)) in (update * (proj 1 x_10) [(k_5 % n_1)] 1.5))";
    stored(body, &Switches::default());
}

/// `f(&mut m[i])` after inlining of `f`: the row is changed in place.
#[test]
fn rows_that_are_put_back() {
    let scaled = "(let y_8 = s_6[i_7] in (ifold (length y_8) (λ t_9 j_10. (update * t_9 [j_10] 2.0)) y_8))";
    needs(&format!("(ifold n_3 (λ s_6 i_7. (update s_6 [i_7] {scaled})) m_2)"), 1, 0);
    let twice = "(let y_8 = s_6[0] in (let z_9 = (update y_8 [0] y_8[1]) in (if (z_9[0] > 0.0) then z_9 else (update z_9 [1] i_7))))";
    let twice = twice.replace("i_7", "5.0");
    needs(&format!("(let s_6 = (update m_2 [1, 1] 0.5) in (update s_6 [0] {twice}))"), 1, 0);
    // The callee has a result as well.
    let total = "(let y_8 = s_11[i_7] in (ifold (length y_8) (λ t_9 j_10. (let r_12 = (proj 1 t_9) in \
        (tuple ((proj 0 t_9) + r_12[j_10]) (update * r_12 [j_10] 2.0)))) (tuple 0.0 y_8)))";
    needs(
        &format!(
            "(ifold n_3 (λ s_6 i_7. (let s_11 = (proj 1 s_6) in (let t_13 = {total} in \
             (tuple ((proj 0 s_6) + (proj 0 t_13)) (update s_11 [i_7] (proj 1 t_13)))))) (tuple 0.0 m_2))"
        ),
        1,
        0,
    );
    // A callee that reads another row needs a separate row.
    let other = "(let y_8 = s_6[i_7] in (ifold (length y_8) (λ t_9 j_10. (update + t_9 [j_10] s_6[0][j_10])) y_8))";
    stored(&format!("(ifold n_3 (λ s_6 i_7. (update s_6 [i_7] {other})) m_2)"), &Switches::default());
}
