//! The rules one by one: a term, and what it becomes; and terms that have to stay as they are.

use smooth_core::dps::{self, Dest, Home, Program, Term, View};
use smooth_core::fsmooth::{Kernel, check, parse, print};
use smooth_core::lex::Cursor;
use smooth_core::lower::{lower, normalise};
use smooth_core::pass::Switches;
use smooth_core::shape::card::Card;
use smooth_core::simplify::simplify;
use smooth_core::span::Origin;
use smooth_core::storage;

const HEAD: &str =
    "kernel \"k\" [a_0 \"a\": array f64 [n_1], b_2 \"b\": array f64 [3], x_3 \"x\": f64, k_4 \"k\": usize] in ";

fn kernel(body: &str) -> Kernel {
    parse::kernel(&mut Cursor::new(&format!("{HEAD}{body}")), Origin::default())
        .unwrap_or_else(|e| panic!("{body}: {e}"))
}

/// The body after `simplify`, its variables without their numbers.
fn simplified(body: &str) -> String {
    let mut k = kernel(body);
    check::check(&k).unwrap();
    simplify(&mut k, &Switches::all(), &mut |_, _| {});
    check::check(&k).unwrap();
    numberless(&print::flat(&k.body, &k.names))
}

fn numberless(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(i) = rest.find('_') {
        out += &rest[..i];
        rest = rest[i + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

#[track_caller]
fn becomes(before: &str, after: &str) {
    assert_eq!(simplified(before), after, "{before}");
}

#[track_caller]
fn stays(term: &str) {
    assert_eq!(simplified(term), numberless(&print::flat(&kernel(term).body, &kernel(term).names)));
}

#[test]
fn fig_4_get_of_build() {
    becomes(
        "(let y_9 = (build n_1 (λ i_5. (a_0[i_5] * x_3))) in (sum n_1 (λ j_6. y_9[j_6])))",
        "(sum n (λ j. (a[j] * x)))",
    );
}

#[test]
fn fig_4_length_of_build() {
    becomes("(length (build n_1 (λ i_5. x_3)))", "n");
    becomes("(length (build k_4 (λ i_5. a_0)))", "k");
    becomes("(length 1 (build k_4 (λ i_5. a_0)))", "n");
}

#[test]
fn fusion_repeats_no_dear_work_and_drops_no_check() {
    // Two consumers of an exponential.
    stays(
        "(let y_9 = (build n_1 (λ i_5. (exp a_0[i_5]))) in ((sum n_1 (λ j_6. y_9[j_6])) + (sum n_1 (λ j_7. (y_9[j_7] * x_3)))))",
    );
    // Read at another place than the loop's own.
    stays("(let y_9 = (build n_1 (λ i_5. (exp a_0[i_5]))) in (sum n_1 (λ j_6. y_9[((j_6 * k_4) % n_1)])))");
    // Cheap, but the index may be out of range.
    stays("(let y_9 = (build n_1 (λ i_5. (a_0[i_5] + x_3))) in (sum k_4 (λ j_6. y_9[j_6])))");
}

#[test]
fn beta_and_tuples() {
    becomes("(apply (λ y_5: f64. (y_5 + y_5)) x_3)", "(x + x)");
    becomes("(proj 1 (tuple x_3 2.5))", "2.5");
    becomes("(let p_5 = (tuple x_3 (exp x_3)) in ((proj 1 p_5) + (proj 1 p_5)))", "(let p = (exp x) in (p + p))");
}

#[test]
fn dead_code_and_single_uses() {
    becomes("(let y_5 = (exp x_3) in x_3)", "x");
    becomes("(let y_5 = (exp x_3) in (y_5 + 1.0))", "((exp x) + 1.0)");
    // Once in the text, but n times at run time.
    stays("(let y_5 = (exp x_3) in (sum n_1 (λ j_6. (a_0[j_6] * y_5))))");
}

#[test]
fn constants_fold_where_every_machine_agrees() {
    becomes("((2.0 + 0.5) * x_3)", "(2.5 * x)");
    becomes("((k_4 + 1) + 2)", "(k + 3)");
    becomes("(if (1 < 2) then x_3 else 0.0)", "x");
    stays("(sin 1.0)");
    stays("(1 - 2)");
}

#[test]
fn identities_hold_for_every_bit_pattern() {
    becomes("(x_3 * 1.0)", "x");
    becomes("(x_3 - 0.0)", "x");
    becomes("(x_3 + -0.0)", "x");
    becomes("(neg (neg x_3))", "x");
    becomes("(k_4 + 0)", "k");
    // -0.0, NaN and infinity.
    stays("(x_3 + 0.0)");
    stays("(x_3 * 0.0)");
    stays("(x_3 - x_3)");
    stays("(x_3 / x_3)");
}

#[test]
fn small_static_loops_unroll() {
    becomes("(sum 3 (λ i_5. b_2[i_5]))", "((b[0] + b[1]) + b[2])");
    becomes("(build 2 (λ i_5. (x_3 * (f64 i_5))))", "[(x * 0.0), x]");
    becomes("(ifold 2 (λ s_5 i_6. (s_5 * b_2[i_6])) x_3)", "((x * b[0]) * b[1])");
    becomes("(slice b_2 1 3)", "[b[1], b[2]]");
    stays("(sum n_1 (λ i_5. a_0[i_5]))");
}

#[test]
fn the_checker_of_f_smooth_refuses() {
    let refused = |body: &str| check::check(&kernel(body)).unwrap_err();
    let k = kernel("(let y_5 = x_3 in y_5)");
    let mut twice = k.clone();
    twice.body = smooth_core::fsmooth::build::bind(k.params[2].var, k.body.clone(), k.body.clone(), Origin::default());
    assert!(check::check(&twice).unwrap_err().contains("bound twice"));
    assert!(refused("(if x_3 then x_3 else x_3)").contains("a condition"));
    assert!(refused("(ifold k_4 (λ s_5 i_6. i_6) x_3)").contains("the state of a fold"));
    assert!(refused("(sum x_3 (λ i_5. x_3))").contains("a count or index"));
    assert!(refused("[x_3, k_4]").contains("elements"));
}

/// A program in which one array is a copy of `a`, or is built only to be copied.
fn lowered(body: &str) -> Program {
    let k = kernel(body);
    let n = k.params[0].extent(0);
    let p = lower(normalise(k), &[vec![n]]);
    dps::check::check(&p).unwrap();
    p
}

/// The blocks that have room of their own.
fn allocs(p: &Program) -> usize {
    let mut n = 0;
    p.body.each(&mut |t| {
        if let Term::Alloc { blocks, .. } = t {
            n += blocks.iter().filter(|b| !matches!(b.home, Home::In(_))).count();
        }
    });
    n
}

fn copies(p: &Program) -> usize {
    p.body.count(|t| matches!(t, Term::Copy { .. }))
}

#[test]
fn copies_become_names_or_destinations() {
    let mut p = lowered("(let y_5 = a_0 in (build n_1 (λ i_6. (y_5[i_6] + y_5[i_6]))))");
    assert_eq!((allocs(&p), copies(&p)), (1, 1), "D-VarVector copies");
    storage::optimise(&mut p, &Switches::all(), &mut |_, _| {});
    dps::check::check(&p).unwrap();
    assert_eq!((allocs(&p), copies(&p)), (0, 0));

    let mut p = lowered("(let y_5 = (build n_1 (λ i_6. (exp a_0[i_6]))) in y_5)");
    assert_eq!((allocs(&p), copies(&p)), (1, 1));
    storage::optimise(&mut p, &Switches::all(), &mut |_, _| {});
    dps::check::check(&p).unwrap();
    assert_eq!((allocs(&p), copies(&p)), (0, 0), "built in the destination");
}

#[test]
fn what_is_read_before_the_copy_is_built_in_the_destination() {
    let mut p = lowered(
        "(let y_5 = (build n_1 (λ i_6. (exp a_0[i_6]))) in (let s_7 = y_5[0] in (if (s_7 > x_3) then y_5 else a_0)))",
    );
    storage::optimise(&mut p, &Switches::all(), &mut |_, _| {});
    // Read before the condition, it can still be in the destination; in the other branch it is overwritten.
    assert_eq!((allocs(&p), copies(&p)), (0, 1));
}

#[test]
fn empty_storage_is_nowhere() {
    let mut p = lowered("(let y_5 = (build 0 (λ i_6. x_3)) in (build n_1 (λ i_7. (sum k_4 (λ j_8. y_5[j_8])))))");
    storage::optimise(&mut p, &Switches::all(), &mut |_, _| {});
    assert_eq!(p.body.count(|t| matches!(t, Term::Alloc { blocks, .. } if blocks[0].home == Home::Empty)), 1);
}

#[test]
fn the_checker_of_dps_refuses() {
    let p = lowered("(build n_1 (λ i_6. a_0[i_6]))");
    let with = |body: Term| dps::check::check(&Program { body, ..p.clone() });
    let a = p.params[0].var;
    assert!(
        with(Term::Copy { dest: Dest::Storage(a, vec![]), view: View { base: a, steps: vec![] }, shape: vec![] })
            .is_err()
    );
    let mut names = p.names.clone();
    let stranger = names.fresh("stranger");
    let program = Program { names, body: Term::Size(Card::var(stranger)), ..p.clone() };
    assert!(dps::check::check(&program).unwrap_err().contains("stranger"));
}
