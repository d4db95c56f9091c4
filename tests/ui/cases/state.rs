//! Variables that change.

use smooth::prelude::*;

#[smooth]
fn mutable(x: f64) -> f64 {
    let mut y = x;
    y = y + 1.0;
    y += 1.0;
    y
}

#[smooth]
fn later(x: f64) -> f64 {
    let y;
    y = x;
    y
}

#[smooth]
fn elements(a: &[f64; n]) -> [f64; n] {
    let mut b = a.to_vec();
    b[0] = 1.0;
    b[1] *= 2.0;
    b
}

fn main() {}
