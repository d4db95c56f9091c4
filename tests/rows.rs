//! Reductions of the rows of a table, one for each, as compiled kernels against plain Rust: bits, for all small numbers of rows and
//! of terms, in each instance.

use smooth::__private::limit_instances;
use smooth::prelude::*;

#[smooth]
fn product(m: &[[f64; k]; n], v: &[f64; k]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * v[j]))
}

/// Several reductions, and an element that is more than its reduction.
#[smooth]
fn several(m: &[[f64; k]; n], v: &[f64; k]) -> ([f64; n], [f64; n], [f64; n]) {
    let distances = build(n, |i| {
        sum(k, |j| {
            let d = m[i][j] - v[j];
            d * d
        })
        .sqrt()
    });
    (distances, build(n, |i| max(k, |j| m[i][j].abs()) - v[0]), build(n, |i| prod(k, |j| m[i][j] + 1.5)))
}

#[smooth]
fn single<T: Real>(m: &[[T; k]; n], v: &[T; k]) -> [T; n] {
    build(n, |i| sum(k, |j| m[i][j] * v[j]) - m[i][0])
}

#[smooth]
fn of_one_length(m: &[[f32; 23]; n], v: &[f32; 23]) -> [f32; n] {
    build(n, |i| sum(23, |j| m[i][j] * v[j]))
}

/// Numbers with no exact sums.
fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 31 + seed * 17) % 101) as f64 * 0.0123 - 0.5).collect()
}

/// The order of `sum`: source order for fewer than 32 terms.
fn reduced<T: Copy>(k: usize, start: T, op: impl Fn(T, T) -> T, term: impl Fn(usize) -> T) -> T {
    let full = if k < 32 { 0 } else { k / 16 * 16 };
    let mut lanes = [start; 16];
    (0..full).for_each(|j| lanes[j % 16] = op(lanes[j % 16], term(j)));
    let first = if full == 0 { start } else { lanes.into_iter().reduce(&op).expect("lanes") };
    (full..k).fold(first, |t, j| op(t, term(j)))
}

fn total(k: usize, term: impl Fn(usize) -> f64) -> f64 {
    if k == 0 { 0.0 } else { reduced(k, -0.0, |a, b| a + b, term) }
}

fn total32(k: usize, term: impl Fn(usize) -> f32) -> f32 {
    if k == 0 { 0.0 } else { reduced(k, -0.0, |a, b| a + b, term) }
}

#[test]
fn rows_of_all_lengths_are_reduced_in_order() {
    let best = limit_instances(u8::MAX);
    for (n, k) in (0..14).flat_map(|n| (1..50).map(move |k| (n, k))) {
        let (m, v) = (numbers(n * k, 1), numbers(k, 2));
        let (m32, v32): (Vec<f32>, Vec<f32>) =
            (m.iter().map(|x| *x as f32).collect(), v.iter().map(|x| *x as f32).collect());
        let (table, table32) = (View::new(&m, [n, k]), View::new(&m32, [n, k]));
        for instance in 1..=best {
            limit_instances(instance);
            let (products, (distances, largest, prods)) = (product(table, &v), several(table, &v));
            let singles = single(table32, &v32);
            for i in 0..n {
                let at = |j: usize| m[i * k + j];
                let want = [
                    total(k, |j| at(j) * v[j]),
                    total(k, |j| (at(j) - v[j]) * (at(j) - v[j])).sqrt(),
                    (0..k).map(|j| at(j).abs()).fold(f64::NEG_INFINITY, f64::max) - v[0],
                    reduced(k, 1.0, |a, b| a * b, |j| at(j) + 1.5),
                ];
                let got = [products[i], distances[i], largest[i], prods[i]];
                assert_eq!(
                    got.map(f64::to_bits),
                    want.map(f64::to_bits),
                    "row {i} of {n}, {k} terms, instance {instance}"
                );
                let want = total32(k, |j| m32[i * k + j] * v32[j]) - m32[i * k];
                assert_eq!(singles[i].to_bits(), want.to_bits(), "row {i} of {n}, {k} terms, instance {instance}");
            }
        }
    }
    assert_eq!(product(View::new(&[], [5, 0]), &[]), [0.0; 5]);
}

#[test]
fn rows_of_one_length_are_reduced_in_order() {
    let m: Vec<f32> = numbers(10 * 23, 3).iter().map(|x| *x as f32).collect();
    let v: [f32; 23] = std::array::from_fn(|j| m[j * 2]);
    for n in 0..=10 {
        let rows: Vec<[f32; 23]> = m[..n * 23].as_chunks::<23>().0.to_vec();
        let got = of_one_length(&rows, &v);
        let want: Vec<f32> = rows.iter().map(|r| total32(23, |j| r[j] * v[j])).collect();
        assert_eq!(got, want, "{n} rows");
    }
}

#[test]
fn without_rows_there_is_nothing_to_do() {
    assert_eq!(product(View::new(&[], [0, 9]), &[0.0; 9]), []);
}
