//! Variables that nobody reads or changes: rustc's warnings, at the user's tokens.
#![deny(unused)]
use smooth::prelude::*;

#[smooth]
pub fn unused_variables(a: &[f64; n], mut s: f64) -> f64 {
    let mut y = 2.0;
    let (mut z, w) = (1.0, 3.0);
    let f = |mut x: f64| x + z;
    let mut last = w;
    last = f(s);
    s + sum(n, |i| a[i])
}

fn main() {}
