//! Loops over other iterators, and jumps without a target.

use smooth::prelude::*;

#[smooth]
fn other_iterators(a: &[f64; n]) -> f64 {
    let mut s = 0.0;
    for pair in a.chunks(2) {
        s += pair[0];
    }
    for (x, y) in a.iter().zip(a.windows(2)) {
        s += x * y;
    }
    for i in 0.. {
        s += a[i];
    }
    while let x = s {
        s += 1.0;
    }
    s + a.iter().map(|x| x * x).sum::<f64>()
}

#[smooth]
fn jumps(a: &[f64; n]) -> f64 {
    for x in a.iter() {
        break *x;
    }
    'block: {
        continue 'block;
    }
    let b = build(n, |i| break);
    continue 'nowhere;
}

fn main() {}
