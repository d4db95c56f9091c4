//! Divisions in loops of fast kernels: which become products, and how accurate these are.

mod common;

use common::{Others, unit};
use smooth_core::loops::{eval, print};
use smooth_core::options::Options;
use smooth_core::value::{Lit, Value};

/// Kernels with one remaining division, before a loop.
const KERNELS: &[(&str, &str)] = &[
    ("a parameter", "fn f(a: &[f64; n], c: f64) -> [f64; n] { build(n, |i| a[i] / c) }"),
    ("a constant", "fn f(a: &[f64; n], c: f64) -> [f64; n] { build(n, |i| (a[i] + c) / 3.0) }"),
    ("a total", "fn f(a: &[f64; n], c: f64) -> [f64; n] { let s = sum(n, |i| a[i] * c); build(n, |i| a[i] / s) }"),
    ("in a sum", "fn f(a: &[f64; n], c: f64) -> f64 { sum(n, |i| a[i] / c) }"),
    ("in a fold", "fn f(a: &[f64; n], c: f64) -> f64 { ifold(n, 1.0, |s, i| (s + a[i]) / c) }"),
    ("two of one", "fn f(a: &[f64; n], c: f64) -> [f64; n] { build(n, |i| a[i] / c + (a[i] + 2.0) / c) }"),
];

/// Kernels whose divisions stay in their loops.
const LEFT: &[(&str, &str)] = &[
    ("another divisor for each", "fn f(a: &[f64; n], c: f64) -> [f64; n] { build(n, |i| c / a[i]) }"),
    ("it is computed in the loop", "fn f(a: &[f64; n], c: f64) -> f64 { ifold(n, c, |s, i| a[i] / s) }"),
    ("no loop", "fn f(a: &[f64; n], c: f64) -> f64 { if n > 0 { a[0] / c } else { c } }"),
    ("integers", "fn f(a: &[i32; n], c: i32) -> [i32; n] { build(n, |i| a[i] / c) }"),
];

fn fast() -> Options {
    Options { fast: true, ..Options::default() }
}

#[test]
fn divisors_that_stay_the_same_are_inverted_before_the_loop() {
    for (why, source) in KERNELS {
        let unit = unit(&format!("#[smooth] {source}"), &fast());
        let text = print::function(&unit.stages["f"].loops);
        assert_eq!((text.matches("(1.0 / ").count(), text.matches(" / ").count()), (1, 1), "{why}: {text}");
    }
}

#[test]
fn other_divisions_stay() {
    let portable = Options::default();
    let all = LEFT.iter().map(|k| (k, fast())).chain(KERNELS.iter().map(|k| (k, portable.clone())));
    for ((why, source), options) in all {
        let unit = unit(&format!("#[smooth] {source}"), &options);
        let text = print::function(&unit.stages["f"].loops);
        assert!(!text.contains("(1.0 / "), "{why}: {text}");
    }
}

#[test]
fn results_are_as_near_as_the_documents_say() {
    for (why, source) in KERNELS {
        let unit = unit(&format!("#[smooth] {source}"), &fast());
        let s = &unit.stages["f"];
        for (n, c) in [(1, 3.0), (2, 7.0), (16, 0.3), (40, 1e300)] {
            let x: Vec<f64> = (0..n).map(|i| 1.0 + (0.37 * i as f64).sin().abs()).collect();
            let args = [Value::tensor(&[n], &x), Value::Scalar(Lit::f64(c))];
            let numbers = |v: &Value| if matches!(v, Value::Array(_)) { v.f64s() } else { vec![v.f64()] };
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
            let got = eval::run(&s.loops, &args, &Others(&unit), eval::Direction::Forwards).unwrap();
            for (a, b) in numbers(&got).into_iter().zip(numbers(&want)) {
                assert!((a - b).abs() <= (n + 3) as f64 * f64::EPSILON * b.abs(), "{why}, {n}: {a} is not near {b}");
            }
        }
    }
}
