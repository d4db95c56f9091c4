//! The rules of `simplify` one by one: a term before and after it, and terms that have to stay as they are.

#[path = "common/notation.rs"]
mod notation;
#[path = "rules/quotients.rs"]
mod quotients;
#[path = "rules/rounding.rs"]
mod rounding;

use notation::{numberless, one_line, shown};
use smooth_core::fsmooth::{Kernel, Kind, check};
use smooth_core::pass::Switches;
use smooth_core::prim::Prim;
use smooth_core::run::Cx;
use smooth_core::simplify::simplify;
use smooth_core::span::Origin;
use smooth_core::ty::Type;

const HEAD: &str = r#"
    kernel "k" [a_0 "a": array f64 [n_1], b_2 "b": array f64 [3], x_3 "x": f64, k_4 "k": usize] in
"#;

fn kernel(body: &str) -> Kernel {
    notation::kernel(HEAD, body)
}

/// The body after `simplify`, its variables without their numbers.
fn simplified(body: &str) -> String {
    let mut k = kernel(body);
    check::check(&k).unwrap();
    simplify(&mut k, &mut Cx::unwatched(&Switches::all()));
    check::check(&k).unwrap();
    shown(&k)
}

#[track_caller]
fn becomes(before: &str, after: &str) {
    assert_eq!(simplified(before), one_line(after), "{before}");
}

#[track_caller]
fn stays(term: &str) {
    assert_eq!(simplified(term), shown(&kernel(term)));
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
fn fusion_repeats_no_expensive_work_and_drops_no_check() {
    // Two consumers of an exponential.
    stays(
        "(let y_9 = (build n_1 (λ i_5. (exp a_0[i_5]))) in
         ((sum n_1 (λ j_6. y_9[j_6])) + (sum n_1 (λ j_7. (y_9[j_7] * x_3)))))",
    );
    // Read at an index other than the loop's own.
    stays(
        "(let y_9 = (build n_1 (λ i_5. (exp a_0[i_5]))) in
         (sum n_1 (λ j_6. y_9[((j_6 * k_4) % n_1)])))",
    );
    // Cheap, but the index may be out of range.
    stays("(let y_9 = (build n_1 (λ i_5. (a_0[i_5] + x_3))) in (sum k_4 (λ j_6. y_9[j_6])))");
}

#[test]
fn loops_recompute_elements_as_cheap_as_a_load() {
    let pairs = |element: &str| {
        format!(
            "(let y_9 = (build n_1 (λ i_5. {element})) in
             (sum n_1 (λ j_6. (sum n_1 (λ l_7. (y_9[j_6] * y_9[l_7]))))))"
        )
    };
    stays(&pairs("(a_0[i_5] - a_0[((n_1 - 1) - i_5)])"));
    becomes(
        &pairs("(a_0[((n_1 - 1) - i_5)] * x_3)"),
        "(sum n (λ j. (sum n (λ l. ((a[((n - 1) - j)] * x) * (a[((n - 1) - l)] * x))))))",
    );
    // Each consumer reads an element once: computing it twice costs no more than a store and a load.
    becomes(
        "(let y_9 = (build n_1 (λ i_5. (a_0[i_5] - (x_3 * x_3)))) in
         ((sum n_1 (λ j_6. y_9[j_6])) * (sum n_1 (λ l_7. y_9[l_7]))))",
        "((sum n (λ j. (a[j] - (x * x)))) * (sum n (λ l. (a[l] - (x * x)))))",
    );
}

#[test]
fn extents_of_a_fold_are_those_of_its_initial_state() {
    let fold = "(ifold k_4 (λ s_5 i_6. (tuple a_0 ((proj 1 s_5) + x_3))) (tuple a_0 x_3))";
    becomes(&format!("(length (proj 0 {fold}))"), "n");
    // The extent is the size of rows that are read elsewhere.
    simplified(&format!(
        "(let y_9 = (build n_1 (λ j_7. (build (length (proj 0 {fold})) (λ l_8. a_0[l_8])))) in
         (build n_1 (λ m_10.
           (sum k_4 (λ p_12. (sum (length 1 y_9) (λ o_11. y_9[m_10][o_11])))))))"
    ));
}

#[test]
fn indices_are_proved_as_in_lowering() {
    let element = "(build n_1 (λ i_5. (a_0[i_5] * x_3)))";
    let read = |sum: &str| format!("(let y_9 = {element} in {sum})");
    // A remainder of the length, a clamped index, a quotient.
    becomes(&read("(sum k_4 (λ j_6. y_9[(j_6 % n_1)]))"), "(sum k (λ j. (a[(j % n)] * x)))");
    becomes(
        &read("(sum n_1 (λ j_6. y_9[(min (j_6 + 1) (n_1 - 1))]))"),
        "(sum n (λ j. (a[(min (j + 1) (n - 1))] * x)))",
    );
    becomes(&read("(sum (n_1 / 2) (λ j_6. y_9[((2 * j_6) + 1)]))"), "(sum (n / 2) (λ j. (a[((2 * j) + 1)] * x)))");
    // The length of a parameter is the size in its type; a `let` is its value.
    becomes(&read("(sum (length a_0) (λ j_6. y_9[j_6]))"), "(sum n (λ j. (a[j] * x)))");
    becomes(
        &read("(sum n_1 (λ j_6. (let m_7 = ((n_1 - 1) - j_6) in (y_9[m_7] + (f64 m_7)))))"),
        "(sum n (λ j. (let m = ((n - 1) - j) in ((a[m] * x) + (f64 m)))))",
    );
    // Out of range by one, or bounded by another size.
    stays(&read("(sum n_1 (λ j_6. y_9[(j_6 + 1)]))"));
    stays(&read("(sum k_4 (λ j_6. y_9[((2 * j_6) % k_4)]))"));
    stays(&read("(sum n_1 (λ j_6. y_9[(max j_6 k_4)]))"));
}

#[test]
fn expensive_elements_are_computed_once() {
    let read = |sum: &str| format!("(let y_9 = (build (n_1 * k_4) (λ i_5. (exp (f64 i_5)))) in {sum})");
    // Rows of a flat array, every third element, from the end.
    becomes(
        &read("(sum n_1 (λ j_6. (sum k_4 (λ l_7. y_9[((j_6 * k_4) + l_7)]))))"),
        "(sum n (λ j. (sum k (λ l. (exp (f64 ((j * k) + l)))))))",
    );
    becomes(&read("(sum ((n_1 * k_4) / 3) (λ j_6. y_9[(3 * j_6)]))"), "(sum ((n * k) / 3) (λ j. (exp (f64 (3 * j)))))");
    becomes(
        &read("(sum (n_1 * k_4) (λ j_6. y_9[(((n_1 * k_4) - 1) - j_6)]))"),
        "(sum (n * k) (λ j. (exp (f64 (((n * k) - 1) - j)))))",
    );
    // Overlapping rows; the same row in every iteration; one element, with an index that mentions the loop.
    stays(&read("(sum n_1 (λ j_6. (sum k_4 (λ l_7. y_9[(j_6 + l_7)]))))"));
    stays(&read("(sum k_4 (λ m_8. (sum n_1 (λ j_6. (sum k_4 (λ l_7. y_9[((j_6 * k_4) + l_7)]))))))"));
    stays(&read(
        "(sum (n_1 * k_4) (λ j_6.
           (let m_7 = (((n_1 * k_4) - 1) - j_6) in (y_9[(m_7 + j_6)] * (f64 (m_7 * m_7))))))",
    ));
}

#[test]
fn get_of_an_unnamed_build() {
    becomes("(sum n_1 (λ j_6. (build n_1 (λ i_5. (exp a_0[i_5])))[j_6]))", "(sum n (λ j. (exp a[j])))");
    becomes("(build 4 (λ i_5. (std_exp (f64 i_5))))[2]", "(std_exp 2.0)");
    stays("(sum k_4 (λ j_6. (build n_1 (λ i_5. (exp a_0[i_5])))[j_6]))");
}

#[test]
fn reads_with_equal_indices_become_one() {
    let y = "(build n_1 (λ i_5. (exp a_0[i_5])))";
    // An element that is read twice, once under a condition.
    becomes(
        &format!(
            "(let y_9 = {y} in
             (sum n_1 (λ j_6. (y_9[j_6] * (if (x_3 > 0.0) then y_9[j_6] else x_3)))))"
        ),
        "(sum n (λ j. (let y = (exp a[j]) in (y * (if (x > 0.0) then y else x)))))",
    );
    // The work that the elements of a row share is done once for each row.
    let rows = "(build n_1 (λ i_5. (let s_7 = (exp a_0[i_5]) in (build n_1 (λ l_8. (s_7 * a_0[l_8]))))))";
    becomes(
        &format!("(let y_9 = {rows} in (sum n_1 (λ j_6. (sum n_1 (λ m_10. y_9[j_6][m_10])))))"),
        "(sum n (λ j. (let s = (exp a[j]) in (sum n (λ m. (s * a[m]))))))",
    );
    // By columns it would be done for each element. The indices differ. There is one more loop between.
    stays(&format!("(let y_9 = {rows} in (sum n_1 (λ j_6. (sum n_1 (λ m_10. y_9[m_10][j_6])))))"));
    stays(&format!("(let y_9 = {y} in (sum n_1 (λ j_6. (y_9[j_6] * y_9[((n_1 - 1) - j_6)]))))"));
    stays(&format!("(let y_9 = {y} in (sum k_4 (λ l_7. (sum n_1 (λ j_6. (y_9[j_6] * y_9[j_6]))))))"));
    stays(&format!("(let y_9 = {y} in (sum k_4 (λ j_6. (y_9[j_6] * y_9[j_6]))))"));
    // The index mentions a variable that is bound further in.
    stays(&format!(
        "(let y_9 = {y} in
         (ifold k_4 (λ s_7 j_6.
           (if (y_9[(s_7 % n_1)] < (x_3 * y_9[(s_7 % n_1)])) then s_7 else j_6))
           0))"
    ));
    // An index moves to a place where it was not evaluated only if it has a value there for all sizes.
    let at = |i: &str| format!("(if (n_1 > k_4) then (y_9[{i}] * y_9[{i}]) else x_3)");
    stays(&format!("(let y_9 = {y} in {})", at("((2 * k_4) % n_1)")));
    stays(&format!("(let y_9 = {y} in (sum k_4 (λ j_6. (y_9[(k_4 % n_1)] * y_9[(k_4 % n_1)]))))"));
    stays(&format!("(let y_9 = (build (k_4 + 3) (λ i_5. (exp x_3))) in {})", at("(max (k_4 - 2) 1)")));
    becomes(
        &format!("(let y_9 = (build (k_4 + 3) (λ i_5. (exp (f64 i_5)))) in {})", at("(k_4 + 1)")),
        "(let y = (exp (f64 (k + 1))) in (if (n > k) then (y * y) else x))",
    );
    becomes(
        &format!("(let y_9 = {y} in (y_9[(k_4 % n_1)] * (y_9[(k_4 % n_1)] + x_3)))"),
        "(let y = (exp a[(k % n)]) in (y * (y + x)))",
    );
    // A matrix that is built stays a nest of builds, with which others can fuse.
    stays(&format!("(let y_9 = {y} in (build n_1 (λ j_6. (build n_1 (λ m_10. (y_9[j_6] * y_9[j_6]))))))"));
}

#[test]
fn selected_arrays_are_read_in_place() {
    becomes("(sum 3 (λ i_5. (if (x_3 > 0.0) then b_2 else b_2)[i_5]))", "((b[0] + b[1]) + b[2])");
    becomes(
        "(let y_9 = (if (x_3 > 0.0) then a_0 else (build n_1 (λ i_5. (exp a_0[i_5])))) in
         (sum n_1 (λ j_6. y_9[j_6])))",
        "(let y = (if (x > 0.0) then a else (build n (λ i. (exp a[i])))) in (sum n (λ j. y[j])))",
    );
    becomes(
        "(sum n_1 (λ j_6.
           (if (x_3 > 0.0) then a_0 else (build n_1 (λ i_5. (exp a_0[i_5]))))[j_6]))",
        "(sum n (λ j. (if (x > 0.0) then a[j] else (exp a[j]))))",
    );
    becomes(
        "(let y_9 = (if (x_3 > 0.0) then a_0 else (if (x_3 < -1.0) then b_2 else a_0)) in
         (sum k_4 (λ j_6. y_9[j_6])))",
        "(let y = (x > 0.0) in
         (sum k (λ j. (if y then a[j] else (if (x < -1.0) then b[j] else a[j])))))",
    );
    becomes(
        "(let y_9 = (if (x_3 > 0.0) then (tuple a_0 1.0) else (tuple b_2 2.0)) in
         (sum k_4 (λ j_6. ((proj 0 y_9)[j_6] * (proj 1 y_9)))))",
        "(let y = (x > 0.0) in
         (let y = (if y then 1.0 else 2.0) in
         (sum k (λ j. ((if y then a[j] else b[j]) * y)))))",
    );
}

#[test]
fn slice_of_build() {
    // Half of an array, and only that half is computed.
    becomes(
        "(let y_9 = (build n_1 (λ i_5. (exp a_0[i_5]))) in
         (let z_8 = (slice y_9 0 (n_1 / 2)) in
         (sum (n_1 / 2) (λ j_6. z_8[j_6]))))",
        "(sum (n / 2) (λ j. (exp a[j])))",
    );
    becomes(
        "(let y_9 = (build (n_1 + 2) (λ i_5. (exp (f64 i_5)))) in (slice y_9 1 (n_1 + 1)))",
        "(build ((n + 1) - 1) (λ i. (exp (f64 (1 + i)))))",
    );
    // The array may have fewer than k elements.
    stays("(slice (build n_1 (λ i_5. (exp a_0[i_5]))) 0 k_4)");
}

#[test]
fn length_of_slice() {
    becomes("(length (slice a_0 k_4 n_1))", "(n - k)");
    becomes("(let z_9 = (slice a_0 1 n_1) in (f64 (length z_9)))", "(f64 (n - 1))");
}

#[test]
fn build_of_index_keeps_rows_that_may_be_out_of_range() {
    let head = "kernel \"k\" [m_0 \"m\": array f64 [n_1, k_2], p_3 \"p\": usize] in ";
    let read = |body: &str| {
        let mut k = notation::kernel(head, body);
        simplify(&mut k, &mut Cx::unwatched(&Switches::all()));
        shown(&k)
    };
    assert_eq!(read("(build n_1 (λ i_4. (build k_2 (λ j_5. m_0[i_4][j_5]))))"), "m");
    // Without columns the row is not read, and nothing is divided by zero.
    for row in ["p_3", "(p_3 % k_2)", "0"] {
        let body = format!("(build k_2 (λ j_5. m_0[{row}][j_5]))");
        assert_eq!(read(&body), numberless(&body));
    }
}

#[test]
fn build_of_index() {
    becomes("(build n_1 (λ i_5. a_0[i_5]))", "a");
    becomes("(build (length a_0) (λ i_5. a_0[i_5]))", "a");
    becomes("(build (n_1 / 2) (λ i_5. a_0[i_5]))", "(slice a 0 (n / 2))");
    becomes("(build (n_1 % 3) (λ i_5. a_0[(i_5 + 0)]))", "(slice a 0 (n % 3))");
    // An index that may be out of range; reversed; scaled.
    stays("(build k_4 (λ i_5. a_0[i_5]))");
    stays("(build n_1 (λ i_5. a_0[(1 + i_5)]))");
    stays("(build n_1 (λ i_5. a_0[((n_1 - 1) - i_5)]))");
    stays("(build (n_1 / 2) (λ i_5. a_0[(2 * i_5)]))");
}

#[test]
fn rows_and_transposes_are_never_built() {
    let outer = "(build n_1 (λ i_5. (build k_4 (λ j_6. (exp (a_0[i_5] * (f64 j_6)))))))";
    // A row, as an array.
    becomes(
        &format!(
            "(let y_9 = {outer} in
             (sum n_1 (λ l_7. (let r_8 = y_9[l_7] in (sum k_4 (λ m_10. r_8[m_10]))))))"
        ),
        "(sum n (λ l. (sum k (λ m. (exp (a[l] * (f64 m)))))))",
    );
    // A transpose, and a row of it.
    becomes(
        &format!(
            "(let y_9 = {outer} in
             (let t_11 = (build k_4 (λ p_12. (build n_1 (λ q_13. y_9[q_13][p_12])))) in
             (sum k_4 (λ l_7. (sum n_1 (λ m_10. t_11[l_7][m_10]))))))"
        ),
        "(sum k (λ l. (sum n (λ m. (exp (a[m] * (f64 l)))))))",
    );
    // Each row is read in several iterations.
    stays(&format!("(let y_9 = {outer} in (sum n_1 (λ l_7. (sum n_1 (λ m_10. y_9[m_10][(l_7 % k_4)])))))"));
}

#[test]
fn lets_float_to_their_consumers() {
    becomes(
        "(let y_9 = (let z_8 = (exp x_3) in (build n_1 (λ i_5. (a_0[i_5] * z_8)))) in
         (sum n_1 (λ j_6. y_9[j_6])))",
        "(let z = (exp x) in (sum n (λ j. (a[j] * z))))",
    );
    becomes("(sqrt (let z_8 = (exp x_3) in (z_8 * z_8)))", "(let z = (exp x) in (sqrt (z * z)))");
    becomes("(sum (let m_8 = (n_1 / k_4) in (m_8 * m_8)) (λ i_5. x_3))", "(let m = (n / k) in (sum (m * m) (λ i. x)))");
    becomes(
        "(if (let z_8 = (exp x_3) in (z_8 < (z_8 * x_3))) then x_3 else 0.0)",
        "(let z = (exp x) in (if (z < (z * x)) then x else 0.0))",
    );
    // Not out of terms that may not be evaluated, or are evaluated often.
    stays("(if (x_3 < 0.0) then (let z_8 = (exp x_3) in (z_8 * z_8)) else 0.0)");
    stays("(sum n_1 (λ i_5. (let z_8 = (exp a_0[i_5]) in (z_8 * z_8))))");
    stays("(if ((x_3 < 0.0) && (let z_8 = (exp x_3) in ((z_8 * z_8) < z_8))) then 1.0 else 0.0)");
    // The scope of the array ends with the scalar that needs it, so that its storage is released.
    stays(
        "((let y_9 = (build n_1 (λ i_5. (exp a_0[i_5]))) in
          ((sum n_1 (λ j_6. y_9[j_6])) / (sum n_1 (λ j_7. (y_9[j_7] * y_9[j_7]))))) +
          x_3)",
    );
}

/// Each array is cheap and read twice by the next. Computed anew at every read, the last would cost 2²⁰.
#[test]
fn chains_of_cheap_elements_do_not_blow_up() {
    let mut body = "(sum 3 (λ j_6. x_120[(j_6 % n_1)]))".to_string();
    for k in (101..=120).rev() {
        let before = if k == 101 { "a_0".to_string() } else { format!("x_{}", k - 1) };
        body = format!(
            "(let x_{k} = (build n_1 (λ i_{}. ({before}[i_{}] + {before}[((i_{} + 1) % n_1)]))) in
             {body})",
            k + 100,
            k + 100,
            k + 100
        );
    }
    let mut k = kernel(&body);
    let size = k.body.size();
    simplify(&mut k, &mut Cx::unwatched(&Switches::all()));
    check::check(&k).unwrap();
    assert!(k.body.size() < 3 * size, "{} nodes of {size}", k.body.size());
    let elements = k.body.count(|e| matches!(e.kind(), Kind::Prim(Prim::Add, _)) && *e.ty() == Type::F64);
    assert!(elements <= 4 * 20, "{elements} additions where there were 20");
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
    becomes("(sin 1.0)", "0.8414709848078965");
    stays("(std_sin 1.0)");
    stays("(1 - 2)");
}

#[test]
fn identities_hold_for_every_bit_pattern() {
    becomes("(x_3 * 1.0)", "x");
    becomes("(x_3 - 0.0)", "x");
    becomes("(x_3 + -0.0)", "x");
    becomes("(neg (neg x_3))", "x");
    becomes("(k_4 + 0)", "k");
    // The least integer has no negative.
    let of_int = "(neg (neg (i32 x_3)))";
    stays(of_int);
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
    // Iterations that are all alike gain nothing.
    stays("(ifold 2 (λ s_5 i_6. ((s_5 * s_5) + x_3)) x_3)");
    becomes("(ifold 1 (λ s_5 i_6. ((s_5 * s_5) + x_3)) x_3)", "((x * x) + x)");
    becomes("(slice b_2 1 3)", "[b[1], b[2]]");
    stays("(sum n_1 (λ i_5. a_0[i_5]))");
    becomes("(product 3 (λ i_5. b_2[i_5]))", "((b[0] * b[1]) * b[2])");
    becomes("(maximum_in_order 2 (λ i_5. (i_5 + k_4)))", "(max k (1 + k))");
    // A NaN is not the smallest, not even as the first term.
    becomes(
        "(minimum 2 (λ i_5. (b_2[i_5] * x_3)))",
        "(let term = (b[0] * x) in
         (let best = (if (term < f64#7ff0000000000000) then term else f64#7ff0000000000000) in
         (let term = (b[1] * x) in (if (term < best) then term else best))))",
    );
    stays("(reduce 2 (λ i_5. b_2[i_5]) (λ l_6 r_7. (l_6 * r_7)) 1.0)");
}

#[test]
fn builds_fuse_into_every_reduction() {
    becomes(
        "(let y_9 = (build n_1 (λ i_5. (a_0[i_5] * x_3))) in (minimum n_1 (λ j_6. y_9[j_6])))",
        "(minimum n (λ j. (a[j] * x)))",
    );
    becomes(
        "(let y_9 = (build n_1 (λ i_5. (a_0[i_5] * x_3))) in (reduce n_1 (λ j_6. y_9[j_6]) (λ l_7 r_8. (l_7 * r_8)) 1.0))",
        "(reduce n (λ j. (a[j] * x)) (λ l r. (l * r)) 1.0)",
    );
    // What combines two terms reads an element once for each of them.
    stays(
        "(let y_9 = (build n_1 (λ i_5. (exp a_0[i_5]))) in
         (reduce n_1 (λ j_6. a_0[j_6]) (λ l_7 r_8. ((l_7 * r_8) + y_9[0])) 1.0))",
    );
}

#[test]
fn checker_of_f_smooth_rejects() {
    let refused = |body: &str| check::check(&kernel(body)).unwrap_err();
    let k = kernel("(let y_5 = x_3 in y_5)");
    let mut twice = k.clone();
    twice.body =
        smooth_core::fsmooth::build::bind(k.interface.params[2].var, k.body.clone(), k.body.clone(), Origin::default());
    assert!(check::check(&twice).unwrap_err().contains("bound twice"));
    assert!(refused("(if x_3 then x_3 else x_3)").contains("a condition"));
    assert!(refused("(ifold k_4 (λ s_5 i_6. i_6) x_3)").contains("the state of a fold"));
    assert!(refused("(sum x_3 (λ i_5. x_3))").contains("a count or index"));
    assert!(refused("[x_3, k_4]").contains("elements"));
}

#[test]
fn arrays_of_tuples_are_fused_whole() {
    let p = "(build n_1 (λ i_5. (let t_6 = (exp a_0[i_5]) in (tuple t_6 (t_6 * x_3)))))";
    // An element of a part is a part of an element, and the work that the parts share is done once.
    becomes(
        &format!("(let p_9 = {p} in (sum n_1 (λ j_7. ((proj 0 p_9)[j_7] * (proj 1 p_9)[j_7]))))"),
        "(sum n (λ j. (let t = (exp a[j]) in (t * (t * x)))))",
    );
    // Two consumers: the pairs stay.
    let two = "((sum n_1 (λ j_7. (proj 0 p_9[j_7]))) + (sum n_1 (λ l_8. (proj 1 p_9[((n_1 - 1) - l_8)]))))";
    stays(&format!("(let p_9 = {p} in {two})"));
    becomes(&format!("(length (let p_9 = {p} in (proj 1 p_9)))"), "n");
}

#[test]
fn parts_that_nothing_uses_are_dropped() {
    let p = "(build n_1 (λ i_5. (tuple (exp a_0[i_5]) (sin a_0[i_5]) (cos a_0[i_5]))))";
    becomes(&format!("(let p_9 = {p} in (proj 2 p_9))"), "(build n (λ i. (cos a[i])))");
    becomes(
        &format!("(let p_9 = {p} in (tuple (proj 2 p_9) (proj 0 p_9)))"),
        "(let p = (build n (λ i. (tuple (exp a[i]) (cos a[i])))) in (tuple (proj 1 p) (proj 0 p)))",
    );
}

#[test]
fn views_leave_arrays_of_tuples() {
    becomes(
        "(build n_1 (λ i_5. (tuple a_0[i_5] (exp a_0[i_5]) x_3)))",
        "(tuple a (build n (λ i. (exp a[i]))) (build n (λ i. x)))",
    );
    // Neither is a view: they stay one loop.
    stays("(build n_1 (λ i_5. (tuple (sin a_0[i_5]) (cos a_0[i_5]))))");
}

#[test]
fn elements_of_tuples_of_arrays() {
    becomes("(tuple a_0 b_2)[k_4]", "(tuple a[k] b[k])");
    becomes("(proj 1 (slice (tuple a_0 b_2) 1 2))", "[b[1]]");
    becomes("(length (tuple b_2 a_0))", "3");
}
