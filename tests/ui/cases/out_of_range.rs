//! Constants that are out of range for all arguments.

use smooth::prelude::*;

#[smooth]
fn index(a: &[f64; 3]) -> f64 {
    a[3]
}

#[smooth]
fn slices(a: &[f64; 3]) -> f64 {
    let b = &a[1..5];
    let c = &a[2..1];
    b[0] + c[0]
}

#[smooth]
fn backwards(a: &[f64; n]) -> [f64; _] {
    a[n..n - 1].to_vec()
}

#[smooth]
fn negative() -> [f64; _] {
    build(2 - 3, |i| 0.0)
}

fn main() {}
