//! The rules of the second phase one by one: a term before and after it, and terms that have to stay as they are.

#[path = "common/notation.rs"]
mod notation;

use notation::{one_line, shown};
use smooth_core::fsmooth::{Kernel, check};
use smooth_core::pass::{PASSES, Switches};
use smooth_core::run::Cx;
use smooth_core::share::share;

const HEAD: &str = r#"
    kernel "k" [a_0 "a": array f64 [n_1], m_2 "m": array f64 [n_1, n_1], x_3 "x": f64, k_4 "k": usize,
                f_6 "f": fn [x_7 "x": f64] f64 [[]]] in
"#;

fn kernel(body: &str) -> Kernel {
    notation::kernel(HEAD, body)
}

/// The body after one pass, its variables without their numbers.
fn after(pass: &str, body: &str) -> String {
    let mut k = kernel(body);
    check::check(&k).unwrap();
    let mut on = Switches::all();
    PASSES.iter().filter(|p| p.name != pass).for_each(|p| assert!(on.set(p.name, false)));
    share(&mut k, &mut Cx::unwatched(&on));
    shown(&k)
}

#[track_caller]
fn becomes(pass: &str, before: &str, want: &str) {
    assert_eq!(after(pass, before), one_line(want), "{before}");
}

#[track_caller]
fn stays(pass: &str, term: &str) {
    assert_eq!(after(pass, term), shown(&kernel(term)));
}

#[test]
fn cse_binds_at_the_lowest_common_ancestor() {
    becomes("cse", "((exp x_3) + (exp x_3))", "(let shared = (exp x) in (shared + shared))");
    becomes(
        "cse",
        "(x_3 + (build n_1 (λ i_10. ((exp a_0[i_10]) * (exp a_0[i_10]))))[0])",
        "(x + (build n (λ i. (let shared = (exp a[i]) in (shared * shared))))[0])",
    );
}

#[test]
fn cse_reuses_existing_names() {
    becomes("cse", "(let y_10 = (exp x_3) in (y_10 + (exp x_3)))", "(let y = (exp x) in (y + y))");
    becomes(
        "cse",
        "(let y_10 = (x_3 + 1.0) in
         (let z_11 = (exp y_10) in
         (let w_12 = (exp (x_3 + 1.0)) in
         (z_11 * w_12))))",
        "(let y = (x + 1.0) in (let z = (exp y) in (z * z)))",
    );
}

#[test]
fn cse_shares_the_largest_terms_first() {
    becomes(
        "cse",
        "(((sqrt (exp x_3)) + (sqrt (exp x_3))) * (exp x_3))",
        "(let shared = (exp x) in ((let shared = (sqrt shared) in (shared + shared)) * shared))",
    );
}

#[test]
fn cse_computes_nothing_new() {
    // In one branch, in the right operand, in a loop that may have no iterations: no occurrence is always evaluated.
    stays("cse", "(if (k_4 > 1) then (exp x_3) else (if (k_4 > 0) then (exp x_3) else 0.0))");
    stays("cse", "(((k_4 > 1) && ((exp x_3) > 1.0)) || ((exp x_3) < 2.0))");
    stays("cse", "((sum n_1 (λ i_10. (exp x_3))) + (sum k_4 (λ j_11. (exp x_3))))");
    // One is always evaluated, or both branches evaluate it.
    becomes(
        "cse",
        "((exp x_3) + (sum n_1 (λ i_10. (a_0[i_10] * (exp x_3)))))",
        "(let shared = (exp x) in (shared + (sum n (λ i. (a[i] * shared)))))",
    );
    becomes(
        "cse",
        "(if (k_4 > 1) then (exp x_3) else (1.0 + (exp x_3)))",
        "(let shared = (exp x) in (if (k > 1) then shared else (1.0 + shared)))",
    );
    becomes(
        "cse",
        "(if (k_4 > 1)
           then (if (k_4 > 2) then (exp x_3) else (2.0 * (exp x_3)))
           else (1.0 + (exp x_3)))",
        "(let shared = (exp x) in
         (if (k > 1) then (if (k > 2) then shared else (2.0 * shared)) else (1.0 + shared)))",
    );
    // Two in one branch.
    becomes(
        "cse",
        "(if (k_4 > 1) then ((exp x_3) + (exp x_3)) else 0.0)",
        "(if (k > 1) then (let shared = (exp x) in (shared + shared)) else 0.0)",
    );
}

/// If everything around a part of a term is dead, the part equals the term.
#[test]
fn cse_leaves_a_term_equal_to_its_own_part() {
    stays("cse", "(build n_1 (λ i_10. (let y_11 = (build n_1 (λ j_12. x_3)) in x_3)))");
}

#[test]
fn cse_of_loops_and_arrays() {
    becomes(
        "cse",
        "((sum n_1 (λ i_10. a_0[i_10])) / (sum n_1 (λ j_11. a_0[j_11])))",
        "(let total = (sum n (λ i. a[i])) in (total / total))",
    );
    becomes(
        "cse",
        "(let p_10 = (build n_1 (λ i_11. (exp a_0[i_11]))) in
         (let q_12 = (build n_1 (λ j_13. (exp a_0[j_13]))) in
         (sum n_1 (λ l_14. (p_10[l_14] * q_12[k_4])))))",
        "(let p = (build n (λ i. (exp a[i]))) in (sum n (λ l. (p[l] * p[k]))))",
    );
    // The same text over different loop variables is a different term.
    stays(
        "cse",
        "((sum n_1 (λ i_10. (sum n_1 (λ j_11. m_2[i_10][j_11])))) +
          (sum n_1 (λ i_12. (sum n_1 (λ j_13. m_2[j_13][i_12])))))",
    );
    stays(
        "cse",
        "((ifold n_1 (λ s_10 i_11. (s_10 + a_0[i_11])) 0.0) +
          (ifold n_1 (λ s_12 i_13. (s_12 + a_0[i_13])) 1.0))",
    );
    // A part of an array is only a name.
    stays("cse", "(sum n_1 (λ i_10. (m_2[k_4][i_10] + m_2[k_4][0])))");
}

#[test]
fn cse_leaves_calls_of_outside_functions() {
    stays("cse", "((exp (apply f_6 x_3)) + (exp (apply f_6 x_3)))");
    stays("cse", "((sum n_1 (λ i_10. (apply f_6 a_0[i_10]))) + (sum n_1 (λ i_11. (apply f_6 a_0[i_11]))))");
    becomes(
        "cse",
        "(let y_10 = (apply f_6 x_3) in ((exp y_10) + (exp y_10)))",
        "(let y = (apply f x) in (let shared = (exp y) in (shared + shared)))",
    );
}

#[test]
fn cse_leaves_cheap_terms() {
    stays("cse", "((x_3 + 1.0) * (x_3 + 1.0))");
    stays("cse", "((build n_1 (λ i_10. a_0[(i_10 + k_4)]))[k_4] + a_0[(k_4 + 1)])");
    becomes(
        "cse",
        "(a_0[((k_4 * 2) % n_1)] + m_2[((k_4 * 2) % n_1)][0])",
        "(let shared = ((k * 2) % n) in (a[shared] + m[shared][0]))",
    );
}

#[test]
fn invariant_terms_leave_the_loop_if_it_runs() {
    becomes(
        "invariant",
        "(sum n_1 (λ i_10. (a_0[i_10] * (exp x_3))))",
        "(let fixed = (if (n > 0) then (exp x) else 0.0) in (sum n (λ i. (a[i] * fixed))))",
    );
    becomes(
        "invariant",
        "(build 20 (λ i_10. (a_0[i_10] * (exp x_3))))",
        "(let fixed = (exp x) in (build 20 (λ i. (a[i] * fixed))))",
    );
    becomes(
        "invariant",
        "(ifold n_1 (λ s_10 i_11. (s_10 * (x_3 / a_0[0]))) 1.0)",
        "(let fixed = (if (n > 0) then (x / a[0]) else 0.0) in
         (ifold n (λ s i. (s * fixed)) 1.0))",
    );
    // The term keeps its name, and the values that it uses move with it.
    becomes(
        "invariant",
        "(build n_1 (λ i_10.
           (let d_11 = (x_3 - 1.0) in (let e_12 = (exp d_11) in (a_0[i_10] * e_12)))))",
        "(let e = (if (n > 0) then (exp (x - 1.0)) else 0.0) in (build n (λ i. (a[i] * e))))",
    );
}

#[test]
fn invariant_terms_leave_several_loops() {
    becomes(
        "invariant",
        "(build n_1 (λ i_10.
           (sum n_1 (λ j_11. ((m_2[i_10][j_11] * (exp x_3)) + (exp a_0[i_10]))))))",
        "(let fixed = (if (n > 0) then (exp x) else 0.0) in
         (build n (λ i.
           (let fixed = (if (n > 0) then (exp a[i]) else 0.0) in
           (sum n (λ j. ((m[i][j] * fixed) + fixed)))))))",
    );
}

#[test]
fn invariant_arrays_leave_under_a_condition_around_the_loop() {
    becomes(
        "invariant",
        "(build n_1 (λ i_10.
           (let e_11 = (build n_1 (λ j_12. (exp a_0[j_12]))) in
           (sum n_1 (λ l_13. (e_11[l_13] * m_2[i_10][l_13]))))))",
        "(if (n > 0)
           then (let e = (build n (λ j. (exp a[j]))) in
             (build n (λ i. (sum n (λ l. (e[l] * m[i][l]))))))
           else (build n (λ i. 0.0)))",
    );
    becomes(
        "invariant",
        "(ifold n_1 (λ s_10 i_11.
           (let e_12 = (build n_1 (λ j_13. (exp a_0[j_13]))) in
           (s_10 + (sum n_1 (λ l_14. (e_12[l_14] * s_10))))))
           (exp x_3))",
        "(let start = (exp x) in
         (if (n > 0)
           then (let e = (build n (λ j. (exp a[j]))) in
             (ifold n (λ s i. (s + (sum n (λ l. (e[l] * s))))) start))
           else start))",
    );
    // An initial state of zeros is repeated, also as a component of a tuple.
    becomes(
        "invariant",
        "(ifold k_4 (λ s_10 i_11.
           (let e_12 = (build n_1 (λ j_13. (exp a_0[j_13]))) in
           (tuple
             (build n_1 (λ l_14. ((proj 0 s_10)[l_14] + e_12[((n_1 - 1) - l_14)])))
             (proj 1 s_10))))
           (tuple (build n_1 (λ o_15. 0.0)) x_3))",
        "(if (k > 0)
           then (let e = (build n (λ j. (exp a[j]))) in
             (ifold k (λ s i.
               (tuple (build n (λ l. ((proj 0 s)[l] + e[((n - 1) - l)]))) (proj 1 s)))
               (tuple (build n (λ o. 0.0)) x)))
           else (tuple (build n (λ o. 0.0)) x))",
    );
}

/// The count of a fold is not an extent of its state: without iterations the value is the initial state.
#[test]
fn invariant_names_the_count_and_keeps_the_initial_state() {
    becomes(
        "invariant",
        "(ifold (k_4 / 2) (λ s_10 i_11.
           (let e_12 = (build n_1 (λ j_13. (exp a_0[j_13]))) in
           (build n_1 (λ l_14. (s_10[((n_1 - 1) - l_14)] + e_12[l_14])))))
           (build n_1 (λ o_15. a_0[o_15])))",
        "(let count = (k / 2) in
         (if (count > 0)
           then (let e = (build n (λ j. (exp a[j]))) in
             (ifold count (λ s i.
               (build n (λ l. (s[((n - 1) - l)] + e[l]))))
               (build n (λ o. a[o]))))
           else (build n (λ o. a[o]))))",
    );
    // The count of a `build` is an extent of its value.
    becomes(
        "invariant",
        "(build (k_4 / 2) (λ i_10.
           (let e_11 = (build n_1 (λ j_12. (exp a_0[j_12]))) in
           (sum n_1 (λ l_13. (e_11[l_13] * m_2[i_10][l_13]))))))",
        "(let count = (k / 2) in
         (if (count > 0)
           then (let e = (build n (λ j. (exp a[j]))) in
             (build count (λ i. (sum n (λ l. (e[l] * m[i][l]))))))
           else (build count (λ i. 0.0))))",
    );
}

/// An invariant array stays in the loop if the extents of an element are known inside of it only.
#[test]
fn invariant_arrays_stay_if_the_empty_result_has_no_term() {
    let body = |extent: &str| {
        format!(
            "(build n_1 (λ i_10.
               (let e_11 = (build n_1 (λ j_12. (exp a_0[j_12]))) in
               (build n_1 (λ l_13.
                 (build {extent} (λ o_14. (e_11[l_13] * m_2[i_10][l_13]))))))))"
        )
    };
    assert!(after("invariant", &body("k_4")).starts_with("(if (n > 0) then (let e = "));
    // Its elements are computed once all the same.
    for extent in ["((k_4 + i_10) - i_10)", "((k_4 + l_13) - l_13)"] {
        let found = after("invariant", &body(extent));
        assert!(found.contains("(build n (λ i. (let e = (build n (λ j. table[j])) in"), "{found}");
    }
}

#[test]
fn invariant_leaves_conditional_and_cheap_terms() {
    stays("invariant", "(sum n_1 (λ i_10. (if (a_0[i_10] > 0.0) then (exp x_3) else 0.0)))");
    stays("invariant", "(sum n_1 (λ i_10. (a_0[i_10] * (x_3 + 1.0))))");
    stays("invariant", "(sum n_1 (λ i_10. (a_0[i_10] * (exp a_0[i_10]))))");
    stays("invariant", "(sum n_1 (λ i_10. (a_0[i_10] * (exp (apply f_6 x_3)))))");
    stays("invariant", "(build n_1 (λ i_10. m_2[k_4]))");
}

#[test]
fn terms_of_an_inner_index_alone_become_tables() {
    let rows = "(let table = (build k (λ j. (if (n > 0) then (exp a[j]) else 0.0))) in";
    becomes(
        "invariant",
        "(build n_1 (λ i_10. (build k_4 (λ j_11. (m_2[i_10][j_11] * (exp a_0[j_11]))))))",
        &format!("{rows} (build n (λ i. (build k (λ j. (m[i][j] * table[j]))))))"),
    );
    becomes(
        "invariant",
        "(build k_4 (λ i_10. (sum n_1 (λ j_11. ((exp a_0[j_11]) + (m_2[i_10][j_11] * (exp a_0[j_11])))))))",
        "(let table = (build n (λ j. (if (k > 0) then (exp a[j]) else 0.0))) in
         (build k (λ i. (sum n (λ j. (table[j] + (m[i][j] * table[j])))))))",
    );
    // A number of iterations that is known has no condition; the largest term has the table.
    becomes(
        "invariant",
        "(ifold 9 (λ s_10 i_11. (s_10 + (sum n_1 (λ j_12. (s_10 * (exp (x_3 * (sqrt a_0[j_12])))))))) x_3)",
        "(let table = (build n (λ j. (exp (x * (sqrt a[j]))))) in
         (ifold 9 (λ s i. (s + (sum n (λ j. (s * table[j]))))) x))",
    );
}

#[test]
fn tables_are_not_for_terms_that_vary_or_may_not_be_needed() {
    for term in [
        // Another index, a state, or a name of the loop.
        "(build n_1 (λ i_10. (build k_4 (λ j_11. (exp m_2[i_10][j_11])))))",
        "(build n_1 (λ i_10. (ifold k_4 (λ s_11 j_12. (exp (s_11 + m_2[i_10][j_12]))) x_3)))",
        "(build n_1 (λ i_10. (build k_4 (λ j_11. (let y_12 = m_2[i_10][j_11] in (exp (y_12 + a_0[j_11])))))))",
        // Of a number that is the length of no array.
        "(build n_1 (λ i_10. (sum k_4 (λ j_11. (m_2[i_10][j_11] * (exp a_0[j_11]))))))",
        // Without an array of that size.
        "(build n_1 (λ i_10. (build k_4 (λ j_11. (m_2[i_10][j_11] * (exp (f64 j_11)))))))",
        // Under a condition, in few iterations, in no loop, cheap, or of a count that varies.
        "(build n_1 (λ i_10. (build k_4 (λ j_11. (if (m_2[i_10][j_11] > 0.0) then (exp a_0[j_11]) else x_3)))))",
        "(build 2 (λ i_10. (build k_4 (λ j_11. (m_2[i_10][j_11] * (exp a_0[j_11]))))))",
        "(build n_1 (λ i_10. (exp a_0[i_10])))",
        "(build n_1 (λ i_10. (build k_4 (λ j_11. (m_2[i_10][j_11] / a_0[j_11])))))",
        "(build n_1 (λ i_10. (sum i_10 (λ j_11. (m_2[i_10][j_11] * (exp a_0[j_11]))))))",
    ] {
        stays("invariant", term);
    }
}

#[test]
fn folds_over_one_range_are_one_loop() {
    becomes(
        "merge_folds",
        "((ifold n_1 (λ s_10 i_11. (max s_10 a_0[i_11])) 0.0) -
          (ifold n_1 (λ t_12 j_13. (min t_12 a_0[j_13])) 1.0))",
        "(let both =
           (ifold n (λ states i.
             (tuple (max (proj 0 states) a[i]) (min (proj 1 states) a[i])))
             (tuple 0.0 1.0)) in
         ((proj 0 both) - (proj 1 both)))",
    );
    // Terms that the second fold needs move before the first; terms that need the first stay after it.
    becomes(
        "merge_folds",
        "(let p_10 = (sum_in_order n_1 (λ i_11. a_0[i_11])) in
         (let u_12 = (p_10 * 2.0) in
         (let v_13 = (exp x_3) in
         (let q_14 = (sum_in_order n_1 (λ j_15. (a_0[j_15] * v_13))) in
         ((p_10 * q_14) + u_12)))))",
        "(let v = (exp x) in
         (let both = (sum_in_order n (λ i. (tuple a[i] (a[i] * v)))) in
         (let p = (proj 0 both) in
         (let u = (p * 2.0) in
         (let q = (proj 1 both) in
         ((p * q) + u))))))",
    );
    becomes(
        "merge_folds",
        "((product_in_order n_1 (λ i_10. a_0[i_10])) - (product_in_order n_1 (λ j_11. (a_0[j_11] + 1.0))))",
        "(let both = (product_in_order n (λ i. (tuple a[i] (a[i] + 1.0)))) in ((proj 0 both) - (proj 1 both)))",
    );
    stays("merge_folds", "((product_in_order n_1 (λ i_10. a_0[i_10])) - (minimum_in_order n_1 (λ j_11. a_0[j_11])))");
    // Three folds, inside a loop.
    becomes(
        "merge_folds",
        "(build n_1 (λ l_9.
           ((ifold k_4 (λ s_10 i_11. (s_10 + 1.0)) 0.0) +
            ((ifold k_4 (λ t_12 j_13. (t_12 * 2.0)) 1.0) +
             (ifold k_4 (λ u_14 h_15. (u_14 - a_0[l_9])) 1.0)))))",
        "(build n (λ l.
           (let both =
             (ifold k (λ states i.
               (tuple
                 ((proj 0 states) + 1.0)
                 ((proj 1 states) * 2.0)
                 ((proj 2 states) - a[l])))
               (tuple 0.0 1.0 1.0)) in
           ((proj 0 both) + ((proj 1 both) + (proj 2 both))))))",
    );
}

#[test]
fn sums_in_lanes_merge_if_they_share_expensive_work() {
    becomes(
        "merge_folds",
        "((sum n_1 (λ i_10. (exp a_0[i_10]))) / (sum n_1 (λ j_11. (x_3 * (exp a_0[j_11])))))",
        "(let both = (sum n (λ i. (tuple (exp a[i]) (x * (exp a[i]))))) in
         ((proj 0 both) / (proj 1 both)))",
    );
    stays("merge_folds", "((sum n_1 (λ i_10. a_0[i_10])) / (sum n_1 (λ j_11. (x_3 * a_0[j_11]))))");
    stays("merge_folds", "((sum n_1 (λ i_10. (exp a_0[i_10]))) / (sum n_1 (λ j_11. (sin a_0[j_11]))))");
}

#[test]
fn arrays_over_one_range_are_one_loop_if_they_share_work() {
    // `cse` then gives the angle a name.
    becomes(
        "merge_folds",
        "(let p_10 = (build n_1 (λ i_11. (sin (a_0[i_11] * (x_3 - a_0[i_11]))))) in
         (let q_12 = (build n_1 (λ j_13. (cos (a_0[j_13] * (x_3 - a_0[j_13]))))) in
         (p_10[k_4] - q_12[k_4])))",
        "(let both =
           (build n (λ i. (tuple (sin (a[i] * (x - a[i]))) (cos (a[i] * (x - a[i])))))) in
         (let p = (proj 0 both) in
         (let q = (proj 1 both) in
         (p[k] - q[k]))))",
    );
    // Sums of two rows of numbers are in the element of one row then.
    becomes(
        "merge_folds",
        "(tuple
           (build n_1 (λ i_11. (sum k_4 (λ l_12. (exp (a_0[i_11] * m_2[i_11][l_12]))))))
           (build n_1 (λ j_13. (sum k_4 (λ h_14. (x_3 * (exp (a_0[j_13] * m_2[j_13][h_14]))))))))",
        "(let both =
           (build n (λ i.
             (let both =
               (sum k (λ l. (tuple (exp (a[i] * m[i][l])) (x * (exp (a[i] * m[i][l])))))) in
             (tuple (proj 0 both) (proj 1 both))))) in
         (tuple (proj 0 both) (proj 1 both)))",
    );
    // They share only what they read; one is in the other.
    stays("merge_folds", "(tuple (build n_1 (λ i_11. (a_0[i_11] + x_3))) (build n_1 (λ j_12. (a_0[j_12] - x_3))))");
    stays(
        "merge_folds",
        "(let p_10 = (build n_1 (λ i_11. (sin (a_0[i_11] * x_3)))) in
         (build n_1 (λ j_12. (p_10[j_12] - (sin (a_0[j_12] * x_3))))))",
    );
}

#[test]
fn dependent_and_separate_folds_stay() {
    // The second fold needs the first, directly and through another term.
    stays(
        "merge_folds",
        "(let p_10 = (sum_in_order n_1 (λ i_11. a_0[i_11])) in
         (sum_in_order n_1 (λ j_12. (a_0[j_12] - p_10))))",
    );
    stays(
        "merge_folds",
        "(let p_10 = (sum_in_order n_1 (λ i_11. a_0[i_11])) in
         (let m_12 = (exp p_10) in
         (sum_in_order n_1 (λ j_13. (a_0[j_13] - m_12)))))",
    );
    stays("merge_folds", "(sum_in_order n_1 (λ i_10. a_0[i_10]))");
    stays("merge_folds", "((sum_in_order n_1 (λ i_10. a_0[i_10])) + (sum_in_order k_4 (λ j_11. x_3)))");
    stays(
        "merge_folds",
        "(if (x_3 > 0.0)
           then (sum_in_order n_1 (λ i_10. a_0[i_10]))
           else (sum_in_order n_1 (λ j_11. (a_0[j_11] * x_3))))",
    );
    stays(
        "merge_folds",
        "((sum_in_order n_1 (λ i_10. (apply f_6 a_0[i_10]))) +
          (sum_in_order n_1 (λ j_11. a_0[j_11])))",
    );
    stays(
        "merge_folds",
        "(let p_10 = (sum_in_order n_1 (λ i_11. a_0[i_11])) in
         (let u_12 = (apply f_6 x_3) in
         (sum_in_order n_1 (λ j_13. (a_0[j_13] - u_12)))))",
    );
    // One fold is in the count of the other.
    stays(
        "merge_folds",
        "(ifold
           (usize (ifold n_1 (λ s_10 i_11. (s_10 + 1.0)) 0.0))
           (λ t_12 j_13. (t_12 * 2.0))
           1.0)",
    );
}
