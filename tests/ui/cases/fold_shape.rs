//! A fold whose state changes shape.

use smooth::prelude::*;

#[smooth]
fn grows(a: &[f64; n]) -> [f64; _] {
    ifold(3, a.to_vec(), |s, _| build(s.len() + 1, |_| 0.0))
}

#[smooth]
fn shrinks(a: &[f64; n]) -> [f64; _] {
    ifold(n, a.to_vec(), |s, i| s[1..].to_vec())
}

#[smooth]
fn in_a_pair(a: &[f64; n], b: &[f64; m]) -> f64 {
    let (x, y) = ifold(2, (a.to_vec(), b.to_vec()), |(x, y), i| (y, x));
    x[0] + y[0]
}

#[smooth]
fn another_type(a: &[f64; n]) -> f64 {
    ifold(n, 0.0, |s, i| i)
}

fn main() {}
