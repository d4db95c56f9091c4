//! Sums of blocks in registers: which loops have them, and the meaning for blocks that are full, for others and for both.

mod common;

use common::{Others, plain};
use smooth_core::loops::{Function, eval, print};
use smooth_core::pass::PassId;
use smooth_core::value::{Lit, Value};

/// Kernels whose iterations add to one or two numbers each.
const PROMOTED: &[(&str, &str)] = &[
    ("horner", "fn f(x: &[f64; n], c: &[f64; k]) -> [f64; n] { build(n, |i| ifold(k, 0.0, |y, j| y * x[i] + c[j])) }"),
    ("single", "fn f(x: &[f32; n], c: &[f32; k]) -> [f32; n] { build(n, |i| ifold(k, 0.0, |y, j| y * x[i] + c[j])) }"),
    (
        "triangle",
        "fn f(x: &[[f64; n]; k], c: &[f64; t]) -> [f64; n] {
            build(n, |p| {
                let y = build(k, |i| x[i][p] * 2.0);
                sum(k, |i| { let v = ifold(i, y[i], |s, j| s + c[j + i] * y[j]); v * v })
            })
        }",
    ),
    (
        "two",
        "fn f(x: &[f64; n], k: usize) -> [f64; n] {
            build(n, |i| { let s = ifold(k, (x[i], 1.0), |s, _| (s.1, s.0 + s.1)); s.0 - s.1 })
        }",
    ),
    (
        "rows of a triangle",
        "fn f(x: &[[f64; n]; k], c: &[f64; t]) -> [f64; n] {
            build(n, |p| {
                let y = build(k, |i| x[i][p] * 2.0);
                sum(k, |i| {
                    let row = &c[i..i + i];
                    let v = ifold(i, y[i], |s, j| s + row[j] * y[j]);
                    v * v
                })
            })
        }",
    ),
    ("a constant count", "fn f(x: &[f64; n]) -> [f64; n] { build(n, |i| ifold(40, x[i], |y, _| y * 0.5 + 0.3)) }"),
    ("rows far apart", "fn f(a: &[[f64; n]; k]) -> f64 { sum(n, |j| ifold(k, 0.0, |s: f64, i| s.max(a[i][j]))) }"),
    ("rows", "fn f(a: &[[f64; n]; k], c: &[f64; k]) -> [f64; n] { build(n, |j| sum(k, |r| a[r][j] * c[r])) }"),
    (
        "a filter",
        "fn f(a: &[[f64; w]; k], c: &[[f64; v]; k]) -> [f64; w - v + 1] {
            build(w - v + 1, |j| sum(k, |r| sum(v, |q| a[r][j + q] * c[r][q])))
        }",
    ),
    (
        "a filter by loops",
        "fn f(a: &[[f64; w]; k], c: &[[f64; v]; k]) -> [f64; w - v + 1] {
            let mut o = [0.0; w - v + 1];
            for j in 0..w - v + 1 { for r in 0..k { for q in 0..v { o[j] += a[r][j + q] * c[r][q]; } } }
            o
        }",
    ),
    (
        "taps outside",
        "fn f(a: &[[f64; w]; k], c: &[[f64; v]; k]) -> [f64; w - v + 1] {
            let mut o = [1.0; w - v + 1];
            for r in 0..k { for q in 0..v { for j in 0..w - v + 1 { o[j] += a[r][j + q] * c[r][q]; } } }
            o
        }",
    ),
    ("constant lengths", "fn f(x: &[f64; 70]) -> [f64; 70] { build(70, |i| ifold(20, x[i], |y, _| y * 0.5 + 0.3)) }"),
];

/// Kernels whose sums are not in registers.
const LEFT: &[(&str, &str)] = &[
    (
        "a costly step",
        "fn f(x: &[f64; n], k: usize) -> [f64; n] { build(n, |i| ifold(k, x[i], |y, _| (y * 0.5).exp())) }",
    ),
    (
        "three numbers",
        "fn f(x: &[f64; n], k: usize) -> [f64; n] {
            build(n, |i| { let s = ifold(k, (x[i], 1.0, 2.0), |s, _| (s.1, s.2, s.0 + s.1)); s.0 - s.1 * s.2 })
        }",
    ),
    ("many rows", "fn f(a: &[[f64; n]; 40]) -> f64 { sum(n, |j| ifold(40, 0.0, |s: f64, i| s.max(a[i][j]))) }"),
];

fn of(source: &str) -> Function {
    plain(&format!("#[smooth] {source}")).stages["f"].loops.clone()
}

fn is_promoted(f: &Function) -> bool {
    f.schedule.remarks.iter().any(|r| r.pass == PassId::Promote)
}

#[test]
fn steps_that_add_keep_their_sums_in_registers() {
    for (why, source) in PROMOTED {
        let f = of(source);
        let text = print::function(&f);
        assert!(is_promoted(&f) && text.contains("[32]"), "{why}: {text}");
    }
    let text = print::function(&of(PROMOTED[0].1));
    let want = "
        for lane_24 < 32 any
          y_29[lane_24] ← 0.0
        for j_25 < k_1
          for lane_26 < 32 any
            var next_27
            next_27 ← ((y_29[lane_26] * x_2[512 * block_11 + 32 * strip_23 + lane_26]) + c_3[j_25])
            y_29[lane_26] ← next_27
        for lane_28 < 32 any
          out_8[512 * block_11 + 32 * strip_23 + lane_28] ← y_29[lane_28]
";
    assert!(text.contains(want), "{text}");
}

#[test]
fn other_steps_stay() {
    for (why, source) in LEFT {
        let f = of(source);
        let text = print::function(&f);
        assert!(text.contains("open") && !is_promoted(&f), "{why}: {text}");
    }
}

#[test]
fn blocks_of_every_length_mean_the_same() {
    let numbers = |n: usize| (0..n).map(|i| (i * 7 % 11) as f64 * 0.03 - 0.1).collect::<Vec<f64>>();
    let tensor = |dims: &[usize]| Value::tensor(dims, &numbers(dims.iter().product()));
    for (why, source) in PROMOTED {
        let unit = plain(&format!("#[smooth] {source}"));
        let s = &unit.stages["f"];
        for n in [0, 1, 31, 32, 33, 64, 97, 515] {
            for k in [0, 3, 4, 7] {
                let args = match *why {
                    "single" => continue,
                    "triangle" | "rows of a triangle" => vec![tensor(&[k, n]), tensor(&[2 * k])],
                    "two" => vec![tensor(&[n]), Value::Scalar(Lit::usize(k as u64))],
                    "rows far apart" => vec![tensor(&[k, n])],
                    "rows" => vec![tensor(&[k, n]), tensor(&[k])],
                    "a filter" | "a filter by loops" | "taps outside" => vec![tensor(&[k, n + 1]), tensor(&[k, 2])],
                    "a constant count" => vec![tensor(&[n])],
                    "constant lengths" => vec![tensor(&[70])],
                    _ => vec![tensor(&[n]), tensor(&[k])],
                };
                let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
                for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                    let got = eval::run(&s.loops, &args, &Others(&unit), direction).unwrap();
                    assert_eq!(got, want, "{why} of {n} and {k}, {direction:?}");
                }
            }
        }
    }
}

#[test]
fn loops_around_loops_keep_their_sums_in_registers_too() {
    let unit = plain(&format!("#[smooth] {}", PROMOTED[4].1));
    let s = &unit.stages["f"];
    let text = print::function(&s.loops);
    let from = text.rfind("for strip").expect("strips");
    let strip = &text[from..from + text[from..].find("let left").expect("what remains")];
    let lines = |what: &str| strip.lines().filter(|l| l.contains(what)).count();
    assert_eq!(lines("for lane"), 6, "the total, the first value, a step, a term, the result, the total: {strip}");
    assert_eq!(lines("check"), 1, "{strip}");
    for (n, k, t) in [(1, 7, 3), (32, 7, 3), (33, 2, 1), (97, 4, 5)] {
        let args = [Value::tensor(&[k, n], &vec![0.5; n * k]), Value::tensor(&[t], &vec![0.5; t])];
        let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit));
        let got = eval::run(&s.loops, &args, &Others(&unit), eval::Direction::Forwards);
        assert!(want.is_err() && got.is_err(), "a row that is not there, {n} and {k}");
    }
}
