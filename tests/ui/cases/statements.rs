//! Checks of statements by rustc: it sees the reference, at the user's tokens.

use smooth::prelude::*;

#[smooth]
fn not_exhaustive(k: usize) -> f64 {
    match k {
        0 => 1.0,
        1..=5 => 2.0,
    }
}

#[smooth]
fn borrowed_while_assigned(a: &[f64; n]) -> f64 {
    let mut b = a.clone();
    for x in b.iter() {
        b[0] += *x;
    }
    b[0]
}

#[smooth]
fn captured_while_assigned(x: f64) -> f64 {
    let mut y = x;
    let f = |z: f64| y + z;
    y = 2.0;
    f(y)
}

#[smooth]
fn value_of_a_body(x: f64) -> usize {
    let mut k = 0;
    while (k as f64) < x {
        k += 1;
        k
    }
    k
}

fn main() {}
