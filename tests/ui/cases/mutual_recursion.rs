//! Two kernels that call each other: neither can be compiled first.

use smooth::prelude::*;

#[smooth]
fn even(n: usize) -> f64 {
    if n == 0 { 1.0 } else { odd(n - 1) }
}

#[smooth]
fn odd(n: usize) -> f64 {
    if n == 0 { 0.0 } else { even(n - 1) }
}

fn main() {}
