//! Variables that are not mutable, or have no value yet.

use smooth::prelude::*;

#[smooth]
fn not_mutable(a: &[f64; n], x: f64) -> f64 {
    let y = x;
    y += 1.0;
    let b = a.clone();
    b[0] = y;
    let s = 0.0;
    for i in 0..n {
        s += b[i];
    }
    s
}

#[smooth]
fn argument(a: &[f64; n]) -> f64 {
    a[0] = 1.0;
    a.swap(0, 1);
    a[0]
}

#[smooth]
fn not_initialised(x: f64) -> f64 {
    let y: f64;
    if x > 0.0 {
        y = 1.0;
    }
    y
}

#[smooth]
fn captured(a: &[f64; n]) -> f64 {
    let mut total = 0.0;
    let b = build(n, |i| {
        total += a[i];
        total
    });
    b[0] + total
}

fn main() {}
