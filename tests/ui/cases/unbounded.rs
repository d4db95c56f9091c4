//! Loops.

use smooth::prelude::*;

#[smooth]
fn newton(x: f64) -> f64 {
    while x > 1.0 {
        x = x / 2.0;
    }
    x
}

#[smooth]
fn forever(x: f64) -> f64 {
    loop {
        break x;
    }
}

#[smooth]
fn for_loop(a: &[f64; n]) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += a[i];
    }
    s
}

fn main() {}
