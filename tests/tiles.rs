//! Tables of sums, as compiled kernels against plain Rust: bits, for all small sizes of rows and columns.

use smooth::prelude::*;
use std::mem::MaybeUninit;

/// A product of matrices.
#[smooth]
fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}

/// A product whose rows and columns change places.
#[smooth]
fn transposed(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; n]; m] {
    build([m, n], |j, i| sum(k, |l| a[i][l] * b[l][j]))
}

/// A layer of a network.
#[smooth]
fn layer(x: &[[f32; k]; n], w: &[[f32; m]; k], bias: &[f32; m]) -> [[f32; m]; n] {
    build([n, m], |i, j| (sum(k, |l| x[i][l] * w[l][j]) + bias[j]).tanh())
}

/// Two layers, with a row of weights for each result: their sums are in lanes.
#[smooth]
fn layers(x: &[[f64; k]; n], w: &[[f64; k]; m], v: &[[f64; m]; o]) -> [[f64; o]; n] {
    let hidden = build([n, m], |i, j| sum(k, |l| x[i][l] * w[j][l]).max(0.0));
    build([n, o], |i, j| sum(m, |l| hidden[i][l] * v[j][l]))
}

/// Numbers with no exact sums.
fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 31 + seed * 17) % 101) as f64 * 0.0123 - 0.5).collect()
}

/// The sum in source order.
fn total(k: usize, term: impl Fn(usize) -> f64) -> f64 {
    (0..k).map(term).reduce(|a, b| a + b).unwrap_or(0.0)
}

#[test]
fn tables_of_all_sizes_are_sums_in_source_order() {
    for (n, m) in (0..=40).flat_map(|n| (0..=40).map(move |m| (n, m))) {
        let k = (n + 2 * m) % 5;
        let (a, b) = (numbers(n * k, 1), numbers(k * m, 2));
        let at = |i: usize, j: usize| total(k, |l| a[i * k + l] * b[l * m + j]);
        let (x, y) = (View::new(&a, [n, k]), View::new(&b, [k, m]));
        let (table, other) = (product(x, y), transposed(x, y));
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            assert_eq!(table[i][j].to_bits(), at(i, j).to_bits(), "{n} x {m}, {k} terms, at {i}, {j}");
            assert_eq!(other[j][i].to_bits(), at(i, j).to_bits(), "{m} x {n}, {k} terms, at {j}, {i}");
        }
    }
}

#[test]
fn functions_of_sums_are_computed_once_for_each() {
    for (n, m, k) in [(1, 1, 1), (5, 33, 4), (9, 17, 0), (4, 16, 3), (7, 40, 2)] {
        let small = |v: Vec<f64>| v.into_iter().map(|x| x as f32).collect::<Vec<f32>>();
        let (x, w, bias) = (small(numbers(n * k, 3)), small(numbers(k * m, 4)), small(numbers(m, 5)));
        let got = layer(View::new(&x, [n, k]), View::new(&w, [k, m]), &bias);
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            let sum = (0..k).map(|l| x[i * k + l] * w[l * m + j]).reduce(|a, b| a + b).unwrap_or(0.0);
            assert_eq!(
                got[i][j].to_bits(),
                (f64::from(sum + bias[j]).tanh() as f32).to_bits(),
                "{n} x {m}, {k} terms, at {i}, {j}"
            );
        }
    }
}

/// The sum in 16 lanes.
fn in_lanes(k: usize, term: impl Fn(usize) -> f64) -> f64 {
    let full = k / 16 * 16;
    let lanes = (0..16).filter(|_| full > 0).map(|q| total(full / 16, |g| term(16 * g + q)));
    lanes.chain((full..k).map(&term)).reduce(|a, b| a + b).unwrap_or(0.0)
}

#[test]
fn tables_of_sums_in_lanes_have_the_bits_of_lanes() {
    for (n, m, o, k) in [(9, 35, 7, 300), (4, 4, 4, 32), (6, 33, 2, 17), (3, 40, 5, 50), (8, 0, 3, 2), (5, 48, 1, 0)] {
        let (x, w, v) = (numbers(n * k, 1), numbers(m * k, 2), numbers(o * m, 3));
        let got = layers(View::new(&x, [n, k]), View::new(&w, [m, k]), View::new(&v, [o, m]));
        for i in 0..n {
            let hidden: Vec<f64> = (0..m).map(|j| in_lanes(k, |l| x[i * k + l] * w[j * k + l]).max(0.0)).collect();
            for j in 0..o {
                let want = in_lanes(m, |l| hidden[l] * v[j * m + l]);
                assert_eq!(got[i][j].to_bits(), want.to_bits(), "{n} x {m} x {o}, {k} terms, at {i}, {j}");
            }
        }
    }
}

/// A product whose right operand is read by columns of another matrix, which are copied as well.
#[smooth]
fn of_transposed(a: &[[f64; k]; n], b: &[[f64; k]; m]) -> [[f64; m]; n] {
    build([n, m], |i, j| ifold(k, 0.0, |s, l| s + a[i][l] * b[j][l]))
}

#[test]
fn large_operands_are_copied_into_the_frame() {
    assert_eq!(product::scratch([16, 127], [127, 128]), 0, "a small operand needs no copy");
    // Where every index is checked there are no tiles.
    let panels = if option_env!("SMOOTH_CHECKS").is_some() { 0 } else { 4 * 8 * 128 * 8 + 63 };
    assert_eq!(product::scratch([16, 128], [128, 128]), panels, "4 panels of 8 columns");
    for (n, m, k) in [(16, 128, 128), (15, 128, 128), (17, 131, 129), (18, 145, 128), (23, 159, 130), (1, 300, 128)] {
        let (a, b, c) = (numbers(n * k, 1), numbers(k * m, 2), numbers(m * k, 3));
        let (x, y, z) = (View::new(&a, [n, k]), View::new(&b, [k, m]), View::new(&c, [m, k]));
        let mut memory = vec![MaybeUninit::uninit(); product::scratch([n, k], [k, m])];
        let mut table = vec![f64::NAN; n * m];
        product::into(ViewMut::new(&mut table, [n, m]), x, y, &mut Arena::on(&mut memory));
        let other = of_transposed(x, z);
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            let want = total(k, |l| a[i * k + l] * b[l * m + j]);
            assert_eq!(table[i * m + j].to_bits(), want.to_bits(), "{n} x {m}, {k} terms, at {i}, {j}");
            let want = (0..k).fold(0.0, |s, l| s + a[i * k + l] * c[j * k + l]);
            assert_eq!(other[i][j].to_bits(), want.to_bits(), "transposed, {n} x {m}, {k} terms, at {i}, {j}");
        }
    }
}
