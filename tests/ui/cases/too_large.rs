//! Few lines that mean too much.

use smooth::prelude::*;

#[smooth]
fn parts(x: f64) -> f64 {
    let a = (x, x, x, x, x, x, x, x);
    let b = (a, a, a, a, a, a, a, a);
    let c = (b, b, b, b, b, b, b, b);
    let d = (c, c, c);
    let e = (d, d);
    x
}

#[smooth]
fn size(n: usize) -> [f64; _] {
    let a = n * 4294967296;
    let b = a * 4294967296;
    let c = b * 4294967296;
    build(c, |_| 0.0)
}

fn main() {}
