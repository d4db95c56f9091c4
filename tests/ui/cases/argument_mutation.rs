//! Mutation of arguments.

use smooth::prelude::*;

#[smooth]
fn declared(mut a: &[f64; n]) -> f64 {
    a[0]
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
