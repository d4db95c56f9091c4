//! Unknown names, with suggestions.

use smooth::prelude::*;

#[smooth]
fn misspelt(weights: &[f64; count], scale: f64) -> f64 {
    sum(cuont, |i| weigths[i] * scal)
}

#[smooth]
fn unknown(x: f64) -> f64 {
    x + qqq
}

#[smooth]
fn out_of_scope(a: &[f64; n]) -> f64 {
    let s = sum(n, |i| {
        let inner = a[i];
        inner
    });
    s + inner
}

#[smooth]
fn size_in_result(a: &[f64; n]) -> [f64; m] {
    build(n, |i| a[i])
}

#[smooth]
fn method(x: f64) -> f64 {
    x.sqr()
}

#[smooth]
fn untyped_constant() -> f64 {
    let k = LIMIT;
    1.0
}

fn main() {}
