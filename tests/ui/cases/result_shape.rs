//! A result whose shape is not the declared one.

use smooth::prelude::*;

#[smooth]
fn off_by_one(a: &[f64; n]) -> [f64; n] {
    build(n + 1, |i| 0.0)
}

#[smooth]
fn literal() -> [f64; 3] {
    [1.0, 2.0]
}

#[smooth]
fn declared(a: &[f64; n]) -> f64 {
    let b: [f64; 2] = build(3, |i| 0.0);
    let c: [f64; n] = build(n - 1, |i| 0.0);
    b[0]
}

#[smooth]
fn pair(a: &[f64; n]) -> (f64, [f64; n]) {
    (1.0, build(n + 1, |i| 0.0))
}

fn main() {}
