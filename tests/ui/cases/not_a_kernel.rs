//! Calls of something that is not a kernel.

use smooth::prelude::*;

fn plain(x: f64) -> f64 {
    x
}

#[smooth]
fn calls_plain(x: f64) -> f64 {
    plain(x)
}

#[smooth]
fn calls_std(a: &[f64; n]) -> f64 {
    std::hint::black_box(a[0])
}

#[smooth]
fn misspelt(x: f64) -> f64 {
    calls_plian(x)
}

#[smooth]
fn passes(a: &[f64; n]) -> f64 {
    sum(n, missing)
}

#[smooth]
fn one_of_two(x: f64) -> f64 {
    good(x) + plain(x)
}

#[smooth]
fn good(x: f64) -> f64 {
    x
}

fn main() {}
