//! Short sums of several rows side by side: which loops have them, and the meaning for all counts of rows and terms.

mod common;

use common::{Others, plain, unit};
use smooth_core::loops::{Function, eval, print};
use smooth_core::options::Options;
use smooth_core::pass::PassId;
use smooth_core::value::{Lit, Value};

/// Kernels with rows side by side.
const TOGETHER: &[(&str, &str)] = &[
    (
        "a product",
        "fn f(m: &[[f64; k]; n], v: &[f64; k], s: f64) -> [f64; n] { build(n, |i| sum(k, |j| m[i][j] * v[j])) }",
    ),
    ("a norm", "fn f(m: &[[f64; k]; n], v: &[f64; k], s: f64) -> [f64; n] { build(n, |i| max(k, |j| m[i][j].abs())) }"),
    (
        "more than the sum",
        "fn f(m: &[[f64; k]; n], v: &[f64; k], s: f64) -> [f64; n] {
            build(n, |i| { let t = sum(k, |j| { let d = m[i][j] - v[j]; d * d }) * s; if t > 1.0 { t } else { s } })
        }",
    ),
    (
        "rows of one length",
        "fn f(m: &[[f64; 20]; n], v: &[f64; 20], s: f64) -> [f64; n] { build(n, |i| sum(20, |j| m[i][j] * v[j])) }",
    ),
];

/// Kernels whose rows follow each other.
const ONE_BY_ONE: &[(&str, &str)] = &[
    ("columns", "fn f(m: &[[f64; n]; k], s: f64) -> [f64; n] { build(n, |i| sum(k, |j| m[j][i])) }"),
    ("costly terms", "fn f(m: &[[f64; k]; n], s: f64) -> [f64; n] { build(n, |i| sum(k, |j| m[i][j].exp())) }"),
    ("whole numbers", "fn f(m: &[[i32; k]; n], s: f64) -> [i32; n] { build(n, |i| sum(k, |j| m[i][j])) }"),
    ("long rows", "fn f(m: &[[f64; 40]; n], s: f64) -> [f64; n] { build(n, |i| sum(40, |j| m[i][j])) }"),
    ("very short rows", "fn f(m: &[[f64; 7]; n], s: f64) -> [f64; n] { build(n, |i| sum(7, |j| m[i][j])) }"),
    (
        "terms that it writes",
        "fn f(m: &mut [[f64; k]; n], s: f64) { for i in 0..n { let t = sum(k, |j| m[i][j] * s); m[i][0] = t; } }",
    ),
    ("few rows", "fn f(m: &[[f64; k]; 3], s: f64) -> [f64; 3] { build(3, |i| sum(k, |j| m[i][j])) }"),
    ("rows of several lengths", "fn f(m: &[[f64; n]; n], s: f64) -> [f64; n] { build(n, |i| sum(i, |j| m[i][j])) }"),
];

fn of(source: &str) -> Function {
    plain(&format!("#[smooth] {source}")).stages["f"].loops.clone()
}

fn has_rows(f: &Function) -> bool {
    f.schedule.remarks.iter().any(|r| r.pass == PassId::UnrollAndJam)
}

#[test]
fn short_sums_are_side_by_side() {
    for (why, source) in TOGETHER {
        let f = of(source);
        assert!(has_rows(&f), "{why}: {}", print::function(&f));
    }
    let want = "
  for i_5 < n_0 any, several side by side
    total_9 ← sum j_6 < k_1
      (m_2[k_1 * i_5 + j_6] * v_3[j_6])
    out_8[i_5] ← total_9
";
    let text = print::function(&of(TOGETHER[0].1));
    assert!(text.contains(want), "{text}");
}

#[test]
fn others_follow_each_other() {
    for (why, source) in ONE_BY_ONE {
        let f = of(source);
        assert!(!has_rows(&f), "{why}: {}", print::function(&f));
    }
}

/// Their products and sums are rounded together, by another function of the run-time library.
#[test]
fn fast_sums_of_products_follow_each_other() {
    let fast = Options { fast: true, ..Options::default() };
    let f = unit(&format!("#[smooth] {}", TOGETHER[0].1), &fast).stages["f"].loops.clone();
    assert!(f.fast && !has_rows(&f), "{}", print::function(&f));
}

#[test]
fn all_counts_mean_the_same() {
    let tensor = |dims: &[usize]| {
        let numbers: Vec<f64> = (0..dims.iter().product()).map(|i| (i * 7 % 11) as f64 * 0.03 - 0.1).collect();
        Value::tensor(dims, &numbers)
    };
    for (why, source) in TOGETHER {
        let unit = plain(&format!("#[smooth] {source}"));
        let s = &unit.stages["f"];
        for n in [0, 1, 3, 4, 5, 8, 11] {
            for k in [0, 1, 7, 8, 9, 15, 16, 31, 32, 33, 50] {
                let k = if *why == "rows of one length" { 20 } else { k };
                let args = [tensor(&[n, k]), tensor(&[k]), Value::Scalar(Lit::f64(0.5))];
                let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit));
                for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                    let got = eval::run(&s.loops, &args, &Others(&unit), direction);
                    assert_eq!(
                        got.ok(),
                        want.as_ref().ok().map(|r| r.value.clone()),
                        "{why} of {n} and {k}, {direction:?}"
                    );
                }
            }
        }
    }
}
