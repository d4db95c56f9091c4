//! Unknown options of the attribute.

use smooth::prelude::*;

#[smooth(flaot = "strict")]
fn misspelt(x: f64) -> f64 {
    x
}

#[smooth(float = "quick")]
fn value(x: f64) -> f64 {
    x
}

#[smooth(float)]
fn no_value(x: f64) -> f64 {
    x
}

#[smooth(passes(fues = false))]
fn pass(x: f64) -> f64 {
    x
}

#[smooth(passes(fuse = 1))]
fn pass_value(x: f64) -> f64 {
    x
}

#[smooth(strict, portable)]
fn words(x: f64) -> f64 {
    x
}

#[smooth(= "strict")]
fn nonsense(x: f64) -> f64 {
    x
}

#[smooth(crate = "smooth")]
fn krate(x: f64) -> f64 {
    x
}

#[smooth(strided(n, s, y), column_major(m), strided(m))]
fn strides(m: &[[f64; k]; n], s: f64, y: &mut [f64; n]) -> f64 {
    m[0][0] * s
}

fn main() {}
