//! Loops with angles: which have two versions, and that both versions mean the same.

mod common;

use common::{Others, plain};
use smooth_core::loops::{eval, print};
use smooth_core::value::Value;

/// Kernels whose inner loop has two versions.
const TWICE: &[(&str, &str)] = &[
    ("a map", "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| a[i].sin() + 1.0) }"),
    (
        "an angle with a name",
        "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| { let t = 2.0 * a[i]; t.sin() * t + t.cos() }) }",
    ),
    ("two angles", "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| (a[i] + 1.0).tan() * a[i].cos()) }"),
    ("a sum", "fn f(a: &[f64; n]) -> f64 { sum(n, |i| (3.0 * a[i]).cos()) }"),
    ("two sums", "fn f(a: &[f64; n]) -> (f64, f64) { sum(n, |i| a[i].sin_cos()) }"),
    ("an index", "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| (i as f64 * 0.1).sin() * a[i]) }"),
    (
        "a condition beside it",
        "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| { let s = a[i].sin(); if s > 0.5 { s } else { 1.0 } }) }",
    ),
];

/// Kernels whose inner loop has one version.
const ONCE: &[(&str, &str)] = &[
    ("no loop", "fn f(a: &[f64; n]) -> f64 { if n > 0 { a[0].sin() } else { 0.0 } }"),
    ("the angle is a sine", "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| a[i].sin().cos()) }"),
    (
        "the angle depends on a condition",
        "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| if a[i] > 0.5 { a[i].sin() } else { 1.0 }) }",
    ),
    ("the angle is handed on", "fn f(a: &[f64; n]) -> f64 { ifold(n, 0.5, |s, i| (s + a[i]).sin()) }"),
    ("the angle takes much time", "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| a[i].exp().ln().exp().sin()) }"),
    (
        "the loop may end early",
        "fn f(a: &[f64; n]) -> [f64; n] {
        let mut b = a.clone();
        for i in 0..n { if a[i].sin() > 0.5 { break; } b[i] = 2.0; }
        b
    }",
    ),
];

fn text(source: &str) -> String {
    print::function(&plain(&format!("#[smooth] {source}")).stages["f"].loops)
}

#[test]
fn loops_with_angles_are_there_twice() {
    for (why, source) in TWICE {
        let text = text(source);
        let halves = [text.contains("near_"), text.contains("sin(") || text.contains("cos("), text.contains("abs")];
        assert_eq!(halves, [true; 3], "{why}: {text}");
    }
}

#[test]
fn other_loops_stay() {
    for (why, source) in ONCE {
        let text = text(source);
        assert!(!text.contains("near_"), "{why}: {text}");
    }
}

#[test]
fn both_sides_mean_the_same() {
    for (why, source) in TWICE {
        let unit = plain(&format!("#[smooth] {source}"));
        let s = &unit.stages["f"];
        for large in [0.0, 1e6, 1.1e6, 1e22, f64::MAX, f64::INFINITY, f64::NAN] {
            for n in [0, 1, 15, 16, 17, 40] {
                let mut numbers: Vec<f64> = (0..n).map(|i| 0.37 * i as f64 - 3.0).collect();
                if let Some(x) = numbers.last_mut() {
                    *x = large;
                }
                let args = [Value::tensor(&[n], &numbers)];
                let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
                for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                    let got = eval::run(&s.loops, &args, &Others(&unit), direction).unwrap();
                    assert_eq!(format!("{got:?}"), format!("{want:?}"), "{why}, {large}, {n}");
                }
            }
        }
    }
}
