//! Branches of different shape.

use smooth::prelude::*;

#[smooth]
fn lengths(a: &[f64; n], b: &[f64; m], c: bool) -> [f64; _] {
    if c { a.to_vec() } else { b.to_vec() }
}

#[smooth]
fn literals(c: bool) -> [f64; _] {
    if c { [1.0, 2.0] } else { [1.0, 2.0, 3.0] }
}

#[smooth]
fn types(a: &[f64; n], c: bool) -> f64 {
    if c { a[0] } else { a }
}

fn main() {}
