//! Arrays whose rows differ in length.

use smooth::prelude::*;

#[smooth]
fn literal() -> [[f64; _]; 2] {
    [[1.0, 2.0], [3.0]]
}

#[smooth]
fn two(a: &[f64; n], b: &[f64; m]) -> [[f64; _]; 2] {
    [a.to_vec(), b.to_vec()]
}

#[smooth]
fn ranks(x: f64) -> [f64; 2] {
    [x, [x]]
}

fn main() {}
