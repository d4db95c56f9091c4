//! Kernels that are called and not inlined: under conditions, in loops, with slices and rows as arguments, with
//! several results.

use smooth::linalg::{matrix_mul, matrix_transpose, vector_add, vector_dot, vector_norm, vector_s_mul, vector_sum};
use smooth::prelude::*;

#[smooth]
fn moments(x: &[f64; n]) -> (f64, [f64; n]) {
    let m = vector_sum(x) / n as f64;
    (m, build(n, |i| x[i] - m))
}
#[smooth(passes(inline = false))]
fn called(a: &[f64; n], m: &[[f64; n]; n], k: usize) -> [f64; n] {
    build(n, |i| {
        if i % 2 == 0 {
            let r = vector_s_mul(&m[i], a[i]);
            vector_dot(&r, &m[n - 1 - i]) + vector_sum(&a[0..k])
        } else {
            let (mean, rest) = moments(&vector_add(&m[i], a));
            mean + vector_dot(&rest, &m[i]) + sum(i, |j| vector_norm(&m[j]))
        }
    })
}
#[smooth(passes(inline = false))]
fn folded(m: &[[f64; n]; n], steps: usize) -> [[f64; n]; n] {
    ifold(steps, m.clone(), |s, i| if i % 2 == 0 { matrix_mul(&s, m) } else { matrix_transpose(&s) })
}
#[test]
fn called_kernels_agree_with_their_references() {
    for n in 1..6usize {
        let a: Vec<f64> = (0..n).map(|i| i as f64 * 0.5 - 1.0).collect();
        let element = |i: usize, j: usize| ((i * 3 + j * 5) % 7) as f64 * 0.25 - 0.5;
        let nested: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| element(i, j)).collect()).collect();
        let m = Array::from_nested(&nested).unwrap();
        // For fewer than 16 terms the order of lanes is source order.
        for k in 0..n {
            assert_eq!(called(&a, &m, k), called::reference(&a, &nested, k));
        }
        for steps in 0..5 {
            assert_eq!(folded(&m, steps).to_nested(), folded::reference(&nested, steps));
        }
    }
}

#[test]
fn frames_contain_the_frames_of_callees() {
    let (a, m) = ([1.0, 2.0, 3.0], [[1.0; 3]; 3]);
    let mut memory = vec![std::mem::MaybeUninit::uninit(); called::scratch([3], [3, 3], 1)];
    let mut out = [0.0; 3];
    called::into(&mut out, &a, &m, 1, &mut Arena::on(&mut memory));
    assert_eq!(out.to_vec(), called(&a, &m, 1));
    memory.pop();
    assert!(matches!(
        called::try_into(&mut out, &a, &m, 1, &mut Arena::on(&mut memory)),
        Err(ShapeError::Scratch { .. })
    ));
}

#[smooth]
fn sum_and_columns(b: &[f64; n], m: &[[f64; k]; n]) -> (f64, [f64; k]) {
    (sum(n, |i| b[i]), build(k, |j| sum(n, |i| m[n - 1 - i][j])))
}

#[smooth]
fn turned(a: &[f64; n], s: f64) -> [f64; n] {
    build(n, |i| a[n - 1 - i] * s)
}

/// The result of the second call is built in the storage of the first, from which a number of it is computed.
#[smooth(passes(inline = false))]
fn number_out_of_the_old_array(b: &[f64; n], steps: usize) -> f64 {
    let (x, y) = sum_and_columns(b, build([n, n + 1], |i, j| b[i] + j as f64));
    let z = turned([b[0]], ifold(steps, y[0] * x, |s, _| s * 0.5 + 1.0));
    ifold(1, 0.5, |s, i| s * 0.5 + z[i])
}

#[test]
fn numbers_are_computed_before_destinations_are_borrowed() {
    let b = [1.0, 2.0, -0.5];
    assert_eq!(number_out_of_the_old_array(&b, 3), number_out_of_the_old_array::reference(&b, 3));
}

#[smooth]
fn halves(x: u64, by: u32) -> u64 {
    x >> by
}
#[smooth]
fn doubled_halves(x: u64, by: u32) -> u64 {
    halves(x, by) << 1
}
#[smooth]
fn doubled_twice(x: u64, by: u32) -> u64 {
    doubled_halves(x, by) << 1u8
}
#[test]
fn shifts_pass_through_calls() {
    assert_eq!(doubled_twice(1 << 40, 31), 1 << 11);
}
