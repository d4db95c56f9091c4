//! Vectors; each kernel calls earlier ones.
use smooth::prelude::*;

/// `f` of each element.
#[smooth]
pub fn vector_map(v: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] {
    build(n, |i| f(v[i]))
}

/// `f` of the elements of two vectors, pairwise.
#[smooth]
pub fn vector_map2(v1: &[f64; n], v2: &[f64; n], f: impl Fn(f64, f64) -> f64) -> [f64; n] {
    build(n, |i| f(v1[i], v2[i]))
}

/// `v1 + v2`
#[smooth]
pub fn vector_add(v1: &[f64; n], v2: &[f64; n]) -> [f64; n] {
    vector_map2(v1, v2, |a, b| a + b)
}

/// The products of the elements, pairwise.
#[smooth]
pub fn vector_e_mul(v1: &[f64; n], v2: &[f64; n]) -> [f64; n] {
    vector_map2(v1, v2, |a, b| a * b)
}

/// The sum of the elements.
#[smooth]
pub fn vector_sum(v: &[f64; n]) -> f64 {
    sum(n, |i| v[i])
}

/// The scalar product.
#[smooth]
pub fn vector_dot(v1: &[f64; n], v2: &[f64; n]) -> f64 {
    vector_sum(&vector_e_mul(v1, v2))
}

/// The Euclidean norm.
#[smooth]
pub fn vector_norm(v: &[f64; n]) -> f64 {
    vector_dot(v, v).sqrt()
}
