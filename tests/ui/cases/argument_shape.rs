//! Arguments whose shape the callee does not accept.

use smooth::prelude::*;

#[smooth]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[smooth]
fn dot(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * b[i])
}

#[smooth]
fn too_short(a: &[f64; 2]) -> [f64; 3] {
    cross(a, &[1.0, 2.0, 3.0])
}

#[smooth]
fn one_more(a: &[f64; n]) -> f64 {
    let longer = build(n + 1, |_| 1.0);
    dot(a, &longer)
}

#[smooth]
fn rank(m: &[[f64; k]; n]) -> f64 {
    dot(m, m)
}

fn main() {}
