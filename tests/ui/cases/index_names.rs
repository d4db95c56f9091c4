//! Suggested indices hide no name of the kernel.

use smooth::prelude::*;

#[smooth]
fn rows(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| m[i].iter().sum())
}

#[smooth]
fn rows_by_method(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| m[i].sum())
}

#[smooth]
fn largest(a: &[f64; n]) -> f64 {
    a.iter().max()
}

fn main() {}
