//! Loops through all elements of arrays that lie side by side: which nests become one loop, and the meaning for all sizes.

mod common;

use common::{Others, plain};
use smooth_core::loops::{Function, eval, print};
use smooth_core::pass::PassId;
use smooth_core::value::{Lit, Value};

/// Kernels with one loop.
const ONE: &[(&str, &str)] = &[
    (
        "a sum of matrices",
        "fn f(a: &[[f64; k]; n], b: &[[f64; k]; n], s: f64) -> [[f64; k]; n] { build([n, k], |i, j| a[i][j] + s * b[i][j]) }",
    ),
    (
        "a choice",
        "fn f(a: &[[f64; k]; n], b: &[[f64; k]; n], s: f64) -> [[f64; k]; n] {
            build([n, k], |i, j| { let d = a[i][j] - b[i][j]; if d > s { d } else { s } })
        }",
    ),
    (
        "rows from the third on",
        "fn f(a: &[[f64; k]; n], b: &[[f64; k]; n], s: f64) -> [[f64; k]; n] {
            build([n, k], |i, j| if i < 2 { s } else { a[i - 2][j] - b[i][j] })
        }",
    ),
    (
        "sums of short rows",
        "fn f(a: &[[f64; k]; n], b: &[[f64; k]; n], s: f64) -> [[f64; k]; n] {
            let c = build([n, k, 20], |i, j, l| a[i][j] * (l as f64 + s));
            let t = build([n, k], |i, j| sum(20, |l| c[i][j][l]));
            build([n, k], |i, j| t[i][j] + t[n - 1 - i][k - 1 - j] + b[i][j])
        }",
    ),
    (
        "an array with three axes",
        "fn f(a: &[[[f64; 5]; k]; n], b: &[[[f64; 5]; k]; n], s: f64) -> [[[f64; 5]; k]; n] {
            build([n, k, 5], |i, j, l| (a[i][j][l] * s).max(b[i][j][l]))
        }",
    ),
    (
        "points",
        "fn f(a: &[[f64; 3]; n], b: &[[f64; 3]; n], s: f64) -> [[f64; 3]; n] {
            build(n, |i| [a[i][0] + s * b[i][0], a[i][1] + s * b[i][1], a[i][2] + s * b[i][2]])
        }",
    ),
    (
        "steps of points",
        "fn f(a: &[[f64; 3]; n], b: &[[f64; 3]; n], s: f64) -> [[f64; 3]; n] {
            let mut c = a.clone();
            for i in 0..n {
                for j in 0..3 {
                    c[i][j] += s * b[i][j];
                }
            }
            c
        }",
    ),
    (
        "pixels",
        "fn f(a: &[[[f64; 5]; k]; n], b: &[[[f64; 5]; k]; n], s: f64) -> [[[f64; 5]; k]; n] {
            build([n, k, 5], |i, j, l| if a[i][j][l] > s { a[i][j][l] } else { s - b[i][j][l] })
        }",
    ),
    (
        "in place",
        "fn f(a: &[[f64; k]; n], b: &[[f64; k]; n], s: f64) -> [[f64; k]; n] {
            let mut c = a.clone();
            for i in 0..n {
                for j in 0..k {
                    c[i][j] += s * b[i][j];
                }
            }
            c
        }",
    ),
];

/// Kernels whose loops stay as they are.
const TWO: &[(&str, &str)] = &[
    (
        "one number for each row",
        "fn f(a: &[[f64; k]; n], b: &[f64; n]) -> [[f64; k]; n] { build([n, k], |i, j| a[i][j] + b[i]) }",
    ),
    (
        "one for each column",
        "fn f(a: &[[f64; k]; n], b: &[f64; k]) -> [[f64; k]; n] { build([n, k], |i, j| a[i][j] + b[j]) }",
    ),
    (
        "rows whose elements are not alike",
        "fn f(s: f64, n: usize) -> [[f64; 3]; n] {
            let p = build([n, 3], |i, c| (i * 3 + c) as f64 * s);
            let q = build(n, |i| [p[n - 1 - i][0] + 1.0, p[n - 1 - i][1] + 1.0, p[n - 1 - i][2] + 2.0]);
            let r = build([n, 3], |i, c| 0.5 * (p[i][c] + q[i][c]));
            build(n, |i| [r[i][2] + s, r[n - 1 - i][1], r[i][0]])
        }",
    ),
    (
        "one of the three is other",
        "fn f(a: &[[f64; 3]; n]) -> [[f64; 3]; n] { build(n, |i| [a[i][0] * 2.0, a[i][1] * 2.0, a[i][2] * 3.0]) }",
    ),
    (
        "one number for the three",
        "fn f(a: &[[f64; 3]; n], b: &[f64; n]) -> [[f64; 3]; n] { build([n, 3], |i, c| a[i][c] * b[i]) }",
    ),
    (
        "the second one needs the first",
        "fn f(a: &[[f64; 2]; n], s: f64) -> [[f64; 2]; n] {
            let mut c = a.clone();
            for i in 0..n {
                let x = a[i][0] * s;
                c[i][0] = x + x * x;
                let y = a[i][1] * s;
                c[i][1] = x + y * y;
            }
            c
        }",
    ),
    ("two of four", "fn f(a: &[[f64; 4]; n]) -> [[f64; 2]; n] { build([n, 2], |i, c| a[i][c] * 2.0) }"),
    (
        "whole numbers among floats that overflow at two places",
        "fn f(a: &[[f64; 2]; n], k: i32) -> [[f64; 2]; n] {
            build(n, |i| [((a[i][0] as i32) * (a[i][0] as i32)) as f64, ((a[i][1] as i32) * (a[i][1] as i32)) as f64])
        }",
    ),
    (
        "a condition that overflows at two places",
        "fn f(a: &[[f64; 2]; n], k: u8) -> [[f64; 2]; n] {
            build(n, |i| [if k + k > 3 { 1.0 } else { a[i][0] }, if k + k > 3 { 1.0 } else { a[i][1] }])
        }",
    ),
    (
        "whole numbers that overflow at three places",
        "fn f(a: &[[i32; 3]; n]) -> [[i32; 3]; n] { build(n, |i| [a[i][0] + 1, a[i][1] + 1, a[i][2] + 1]) }",
    ),
    ("columns", "fn f(a: &[[f64; n]; k]) -> [[f64; k]; n] { build([n, k], |i, j| a[j][i]) }"),
    ("an index as a value", "fn f(a: &[[f64; k]; n]) -> [[f64; k]; n] { build([n, k], |i, j| a[i][j] * i as f64) }"),
    (
        "a part of each row",
        "fn f(a: &[[f64; k]; n]) -> [[f64; k]; n] { build([n, k], |i, j| if j < 1 { 0.0 } else { a[i][j - 1] }) }",
    ),
    ("shorter rows", "fn f(a: &[[f64; k]; n]) -> [[f64; k - 1]; n] { build([n, k - 1], |i, j| a[i][j]) }"),
    (
        "sums along rows",
        "fn f(a: &[[f64; k]; n]) -> [[f64; k]; n] {
            let mut c = a.clone();
            for i in 0..n {
                for j in 1..k {
                    c[i][j] += c[i][j - 1];
                }
            }
            c
        }",
    ),
    (
        "a triangle",
        "fn f(a: &[[f64; n]; n]) -> [[f64; n]; n] {
            let mut c = a.clone();
            for i in 0..n {
                for j in 0..i {
                    c[i][j] = 0.0;
                }
            }
            c
        }",
    ),
];

fn of(source: &str) -> Function {
    plain(&format!("#[smooth] {source}")).stages["f"].loops.clone()
}

fn is_collapsed(f: &Function) -> bool {
    f.schedule.remarks.iter().any(|r| r.pass == PassId::Collapse)
}

#[test]
fn elements_side_by_side_are_one_loop() {
    for (why, source) in ONE {
        let f = of(source);
        assert!(is_collapsed(&f), "{why}: {}", print::function(&f));
    }
    let text = print::function(&of(ONE[0].1));
    assert_eq!(text.matches("for ").count(), 1, "{text}");
    let text = print::function(&of(ONE[4].1));
    assert_eq!(text.matches("for ").count(), 1, "{text}");
}

#[test]
fn others_stay_nests() {
    for (why, source) in TWO {
        let f = of(source);
        assert!(!is_collapsed(&f), "{why}: {}", print::function(&f));
    }
}

/// Kernels that read all elements of a matrix by their numbers.
const NUMBERED: &[&str] = &[
    "fn f(a: &[[f64; k]; n], b: &[[f64; k]; n], s: f64) -> f64 { s * sum(n * k, |e| a[e / k][e % k] * b[e / k][e % k]) }",
    "fn f(a: &[[f64; k]; n], b: &[[f64; k]; n], s: f64) -> [f64; n * k] { build(n * k, |e| a[e / k][e % k] + s) }",
    "fn f(a: &[[[f64; 5]; k]; n], b: &[[[f64; 5]; k]; n], s: f64) -> [f64; n * k * 5] {
        build(n * k * 5, |e| a[e / 5 / k][e / 5 % k][e % 5] * s)
    }",
];

/// Kernels whose indices are not the row and the column of one number.
const OTHER: &[&str] = &[
    "fn f(a: &[[f64; k]; n], b: &[[f64; k]; n], s: f64) -> [f64; n * k] { build(n * k, |e| a[e / k][(e + 1) % k] + s) }",
    "fn f(a: &[[f64; k]; n], b: &[[f64; k]; n], s: f64) -> [f64; n * k] { build(n * k, |e| a[e % n][e / n] + s) }",
    "fn f(a: &[[f64; 4]; n], b: &[[f64; 4]; n], s: f64) -> [f64; n * 2] { build(n * 2, |e| a[e / 2][e % 2] + s) }",
];

#[test]
fn numbers_of_elements_are_their_addresses() {
    let divides = |source: &str| {
        let text = print::function(&of(source));
        text.contains(" / ") || text.contains(" % ")
    };
    NUMBERED.iter().for_each(|source| assert!(!divides(source), "{}", print::function(&of(source))));
    OTHER.iter().for_each(|source| assert!(divides(source), "{}", print::function(&of(source))));
}

#[test]
fn all_sizes_mean_the_same() {
    let tensor = |dims: &[usize]| {
        let numbers: Vec<f64> = (0..dims.iter().product()).map(|i| (i * 7 % 11) as f64 * 0.3 - 1.1).collect();
        Value::tensor(dims, &numbers)
    };
    let numbered = NUMBERED.iter().chain(OTHER).map(|source| ("a number", *source));
    for (why, source) in ONE.iter().copied().chain(numbered) {
        let unit = plain(&format!("#[smooth] {source}"));
        let s = &unit.stages["f"];
        for n in [0, 1, 2, 3, 5, 8] {
            for k in [0, 1, 2, 3, 4, 7, 40] {
                let dims: &[usize] = if source.contains("; 5]") { &[n, k, 5] } else { &[n, k] };
                let dims: &[usize] = if source.contains("[f64; 4]") { &[n, 4] } else { dims };
                let dims: &[usize] = if source.contains("[f64; 3]") { &[n, 3] } else { dims };
                let args = [tensor(dims), tensor(dims), Value::Scalar(Lit::f64(0.5))];
                let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit));
                let want = want.ok().map(|r| r.value);
                for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                    let got = eval::run(&s.loops, &args, &Others(&unit), direction).ok();
                    assert_eq!(got, want, "{why} of {n} and {k}, {direction:?}");
                }
            }
        }
    }
}
