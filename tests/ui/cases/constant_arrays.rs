//! Constant arrays of another type, rank or length than their uses say.
use smooth::prelude::*;

const SINGLE: [f32; 4] = [1.0; 4];
const MATRIX: [[f64; 2]; 2] = [[1.0; 2]; 2];
const NUMBER: f64 = 1.0;
const THREE: [u32; 3] = [1, 2, 3];

#[smooth]
fn another_type(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i] * SINGLE[i])
}

#[smooth]
fn another_rank(i: usize) -> f64 {
    MATRIX[i]
}

#[smooth]
fn no_array(i: usize) -> f64 {
    NUMBER[i]
}

#[smooth]
fn another_length(n: usize) -> [u32; 4] {
    ifold(n, THREE, |h, i| [h[1], h[2], h[3], h[0] + i as u32])
}

#[smooth]
fn unknown_elements(i: usize) -> f64 {
    let a = SINGLE;
    (a[i] + a[0]) as f64
}

fn main() {}
