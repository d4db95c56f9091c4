//! Sizes that depend on a loop index and have no upper bound.

use smooth::prelude::*;

#[smooth]
fn triangle(a: &[f64; n]) -> [[f64; _]; n] {
    build(n, |i| build(i, |j| a[j]))
}

#[smooth]
fn slices(a: &[f64; n]) -> [[f64; _]; n] {
    build(n, |i| a[..i].to_vec())
}

#[smooth]
fn counted_by_data(a: &[f64; n], c: &[usize; n]) -> f64 {
    sum(c[0], |i| {
        let prefix = build(i + 1, |j| a[j]);
        sum(prefix.len(), |j| prefix[j])
    })
}

#[smooth]
fn sum_of(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * b[i])
}

#[smooth]
fn equal_now_and_then(a: &[f64; n]) -> f64 {
    sum(n, |i| sum_of(&a[..i], &a[..n / 2]))
}

#[smooth]
fn never_equal(a: &[f64; n]) -> f64 {
    sum(n, |i| sum_of(&a[..i], &a[..i + 1]))
}

fn main() {}
