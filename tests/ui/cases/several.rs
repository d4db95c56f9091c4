//! All errors of a function are reported at once.

use smooth::prelude::*;

#[smooth]
fn syntax(a: &[&mut [f64; n]; n], s: String) -> f64 {
    let mut t = 0.0;
    for x in a.windows(2) {
        t += vec![x];
    }
    a.iter().sum()
}

#[smooth]
fn types(a: &[f64; n], k: usize) -> f64 {
    let x = a[0] + k;
    let y = unknown * 2.0;
    let z = if k { 1.0 } else { 2.0 };
    x + y + z + sum(n, |i, j| a[i])
}

#[smooth]
fn shapes(a: &[f64; n], b: &[f64; m], c: bool) -> [f64; 2] {
    let x = if c { a.to_vec() } else { b.to_vec() };
    let y = [[1.0], [2.0, 3.0]];
    let z = build(a[0] as usize, |i| 0.0);
    build(3, |i| x[0] + y[0][0] + z[0])
}

fn main() {}
