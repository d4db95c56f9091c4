//! The kernels, also compiled with std, where `tests/no_std.rs` compares them with their references.
use smooth::linalg::{matrix_mul, vector_add, vector_norm};
use smooth::prelude::*;

/// The number of samples.
pub const SAMPLES: usize = 600;

/// Symbolic sizes, but the result is a number, so that the plain call exists.
#[smooth]
pub fn dot(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * b[i])
}

/// Static sizes: the result is returned by value.
#[smooth]
pub fn cross(a: &[f32; 3], b: &[f32; 3]) -> [f32; 3] {
    build(3, |i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

/// One source for both floats.
#[smooth]
pub fn scaled<T: Real>(a: &[T; n], by: T) -> [T; n] {
    build(n, |i| a[i] * by)
}

/// Calls of kernels of other crates, fused into one loop.
#[smooth]
pub fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 {
    vector_norm(&vector_add(a, b))
}

/// Elementary functions.
#[smooth]
pub fn softmax(a: &[f64; n]) -> [f64; n] {
    let e = build(n, |i| a[i].exp());
    let total = sum(n, |i| e[i]);
    build(n, |i| e[i] / total)
}

/// Elementary functions of either width.
#[smooth]
pub fn polar<T: Real>(x: T, y: T) -> (T, T) {
    (x.hypot(y), y.atan2(x))
}

/// A temporary of static size, too large for the stack: `scratch` is a constant.
#[smooth]
pub fn smoothed(a: &[f64; SAMPLES]) -> [f64; SAMPLES] {
    ifold(3, a.clone(), |s, _| {
        let padded = build(SAMPLES + 2, |i| if i == 0 || i == SAMPLES + 1 { 0.0 } else { s[i - 1] });
        build(SAMPLES, |i| (padded[i] + padded[i + 1] + padded[i + 2]) / 3.0)
    })
}

/// A temporary of symbolic size and of rank 2: `m` to the power of 4.
#[smooth]
pub fn fourth_power(m: &[[f64; n]; n]) -> [[f64; n]; n] {
    let square = matrix_mul(m, m);
    matrix_mul(&square, &square)
}

/// A function parameter, integers, and two results.
#[smooth]
pub fn histogram(a: &[f64; n], buckets: usize, weight: impl Fn(f64) -> f64) -> ([f64; buckets], i32) {
    let place = |x: f64| ((x * buckets as f64) as usize).min(buckets - 1);
    let all = build(buckets, |k| sum(n, |i| if place(a[i]) == k { weight(a[i]) } else { 0.0 }));
    (all, ifold(n, 0i32, |odd, i| odd + ((place(a[i]) % 2) as i32)))
}

/// Probes run without std, too; without it `dbg!` prints nothing.
#[smooth(checks = "all")]
pub fn looked_at(a: &[f64; n]) -> f64 {
    assert!(n > 0, "{n} numbers, {:?}", a);
    dbg!(a);
    sum(n, |i| {
        assert_ne!(dbg!(a[i]), 4.0);
        a[i]
    })
}

/// Callees that are not inlined: each is called with its own part of the frame.
#[smooth(passes(inline = false))]
pub fn twice(a: &[f64; n]) -> [f64; n] {
    softmax(&scaled(&softmax(a), 2.0))
}
