//! Arrays under another shape: they take the storage of the array that they copy where that is dead, and only there.

mod common;

use common::{Others, Unit, plain, visible};
use smooth_core::dps;
use smooth_core::fsmooth::eval::{self, Arg};
use smooth_core::loops::eval::{self as loops, Direction};
use smooth_core::value::{Lit, Value};

const LIBRARY: &str = "
#[smooth] fn reshape(a: &[f64; t], n: usize, k: usize) -> [[f64; k]; n] {
    let a: &[f64; n * k] = a;
    build([n, k], |i, j| a[i * k + j])
}
#[smooth] fn flatten(m: &[[f64; k]; n]) -> [f64; n * k] { build(n * k, |i| m[i / k][i % k]) }
#[smooth] fn sums(a: &[f64; t]) -> [f64; t] {
    let (mut b, mut s) = ([0.0; t], 0.0);
    for i in 0..t { s += a[i]; b[i] = s; }
    b
}
#[smooth] fn along(a: &[f64; t]) -> [f64; t] {
    let mut b = a.clone();
    for i in 1..t { b[i] += b[i - 1]; }
    b
}
#[smooth] fn down(a: &[[f64; k]; n]) -> [[f64; k]; n] {
    let mut b = a.clone();
    for i in 1..n { for j in 0..k { b[i][j] += b[i - 1][j]; } }
    b
}
";

/// The bytes of the frame that a kernel uses for a vector `a` of `n * k` elements, after all stages have agreed on its value.
fn bytes(u: &Unit, name: &str, n: usize, k: usize) -> u64 {
    let s = &u.stages[name];
    let data: Vec<f64> = (0..n * k).map(|i| (i * 7 % 5) as f64 - 1.5).collect();
    let args: Vec<Value> = (s.linked.interface.params.iter())
        .map(|p| match (p.name.as_str(), p.dims().len()) {
            ("n", _) => Value::Scalar(Lit::usize(n as u64)),
            ("k", _) => Value::Scalar(Lit::usize(k as u64)),
            ("yes", _) => Value::Scalar(Lit::Bool(true)),
            (_, 2) => Value::tensor(&[n, k], &data),
            _ => Value::tensor(&[n * k], &data),
        })
        .collect();
    let given: Vec<Arg<'_>> = args.iter().cloned().map(Arg::from).collect();
    let want = eval::run(&s.elaborated.kernel, &given, &Others(u)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let run = dps::eval::run(&s.stored, &args, &Others(u)).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(visible(&run.value), visible(&want), "{name} at {n}, {k}");
    for direction in [Direction::Forwards, Direction::Backwards] {
        let value = loops::run(&s.loops, &args, &Others(u), direction).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(visible(&value), visible(&want), "{name} at {n}, {k}");
    }
    run.peak
}

/// Kernels, and how many arrays of `n * k` elements their frames have.
const KERNELS: &[(&str, u64, &str)] = &[
    ("shaped", 0, "fn shaped(a: &[f64; t], n: usize, k: usize) -> [[f64; k]; n] { reshape(&sums(a), n, k) }"),
    (
        "by_hand",
        0,
        "fn by_hand(a: &[f64; t], n: usize, k: usize) -> [[f64; k]; n] {
            let b = sums(a);
            let b: &[f64; n * k] = &b;
            down(&build(n, |i| build(k, |j| b[j + k * i])))
        }",
    ),
    ("flat", 0, "fn flat(a: &[[f64; k]; n]) -> [f64; n * k] { along(&flatten(&down(a))) }"),
    (
        "to_and_fro",
        1,
        "fn to_and_fro(a: &[f64; t], n: usize, k: usize) -> f64 {
            let b = along(&flatten(&down(&reshape(&sums(a), n, k))));
            sum(n * k, |i| b[i] * b[n * k - 1 - i])
        }",
    ),
    (
        "updated",
        0,
        "fn updated(a: &[f64; t], n: usize, k: usize) -> ([f64; n], [[f64; k]; n]) {
            let b = down(&reshape(&sums(a), n, k));
            (build(n, |i| sum(k, |j| b[i][j] * b[i][j])), b)
        }",
    ),
    (
        "in_a_loop",
        1,
        "fn in_a_loop(a: &[f64; t], n: usize, k: usize) -> [f64; n] {
            build(n, |l| {
                let b = down(&reshape(&sums(a), n, k));
                sum(k, |j| b[l][j] * b[n - 1][j])
            })
        }",
    ),
    (
        "three_axes",
        0,
        "fn three_axes(a: &[f64; t], n: usize, k: usize) -> [[[f64; n]; k]; n] {
            let b = sums(&build(n * k * n, |i| a[i / n]));
            build([n, k, n], |h, i, j| b[(h * k + i) * n + j])
        }",
    ),
    // The array is read later: as a result, by the rest, or in another order.
    (
        "both",
        0,
        "fn both(a: &[f64; t], n: usize, k: usize) -> ([f64; t], [[f64; k]; n]) {
            let b = sums(a);
            let m = down(&reshape(&b, n, k));
            (b, m)
        }",
    ),
    (
        "read_later",
        2,
        "fn read_later(a: &[f64; t], n: usize, k: usize) -> f64 {
            let b = sums(a);
            let m = down(&reshape(&b, n, k));
            sum(n, |i| sum(k, |j| m[i][j] * b[k * i + j] * b[t - 1]))
        }",
    ),
    (
        "turned",
        2,
        "fn turned(a: &[f64; t], n: usize, k: usize) -> f64 {
            let b = sums(a);
            let b: &[f64; n * k] = &b;
            let m = down(&build([k, n], |j, i| b[i * k + j]));
            sum(n, |i| sum(k, |j| m[j][i] * m[k - 1][i]))
        }",
    ),
    (
        "backwards",
        2,
        "fn backwards(a: &[f64; t], n: usize, k: usize) -> f64 {
            let b = sums(a);
            let b: &[f64; n * k] = &b;
            let m = down(&build([n, k], |i, j| b[n * k - 1 - (i * k + j)]));
            sum(n, |i| sum(k, |j| m[i][j] * m[n - 1][j]))
        }",
    ),
    // The destination is in use until the copy.
    (
        "first_the_other",
        1,
        "fn first_the_other(a: &[f64; t], n: usize, k: usize) -> [[f64; k]; n] {
            let m = down(&reshape(a, n, k));
            let b = sums(&build(n * k, |i| a[i] + m[i / k][0] * m[n - 1][k - 1]));
            build([n, k], |i, j| b[i * k + j])
        }",
    ),
];

#[test]
fn dead_arrays_lend_their_storage() {
    let kernels: String = KERNELS.iter().map(|(_, _, text)| format!("#[smooth] {text}\n")).collect();
    let u = plain(&format!("{LIBRARY}{kernels}"));
    for (name, arrays, text) in KERNELS {
        for (n, k) in [(1, 1), (1, 3), (3, 1), (2, 3), (3, 2), (4, 8)] {
            let (found, one) = (bytes(&u, name, n, k), (8 * (n * k) as u64).next_multiple_of(64));
            assert_eq!(found, arrays * one, "{name} at {n}, {k}\n{text}");
        }
        for (n, k) in [(0, 3), (3, 0), (0, 0)] {
            if !["first_the_other", "in_a_loop", "read_later", "turned", "backwards", "to_and_fro"].contains(name) {
                assert_eq!(bytes(&u, name, n, k), 0, "{name} at {n}, {k}");
            }
        }
    }
}
