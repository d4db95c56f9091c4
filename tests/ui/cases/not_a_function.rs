//! Calls of values.

use smooth::prelude::*;

#[smooth]
fn number(x: f64) -> f64 {
    x(1.0)
}

#[smooth]
fn array(a: &[f64; n]) -> f64 {
    a(0)
}

#[smooth]
fn size(a: &[f64; n]) -> f64 {
    n(a)
}

#[smooth]
fn anonymous(x: f64) -> f64 {
    (|y: f64| y)(x)
}

fn main() {}
