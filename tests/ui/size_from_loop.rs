//! A size that depends on a loop index.

use smooth::prelude::*;

#[smooth]
fn triangle(a: &[f64; n]) -> [[f64; _]; n] {
    build(n, |i| build(i, |j| a[j]))
}

#[smooth]
fn prefixes(a: &[f64; n]) -> f64 {
    sum(n, |i| {
        let prefix = build(i + 1, |j| a[j]);
        sum(prefix.len(), |j| prefix[j])
    })
}

#[smooth]
fn slices(a: &[f64; n]) -> [[f64; _]; n] {
    build(n, |i| a[..i].to_vec())
}

fn main() {}
