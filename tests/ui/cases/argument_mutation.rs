//! Mutation of arguments.

use smooth::prelude::*;

#[smooth]
fn by_reference(a: &mut [f64; n]) -> f64 {
    a[0]
}

#[smooth]
fn declared(mut x: f64) -> f64 {
    x
}

#[smooth]
fn element(a: &[f64; n]) -> f64 {
    a[0] = 1.0;
    a[0]
}

#[smooth]
fn borrowed(a: &[f64; n]) -> f64 {
    let b = &mut a;
    b[0]
}

fn main() {}
