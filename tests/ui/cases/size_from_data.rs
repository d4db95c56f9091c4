//! A size that depends on array contents.

use smooth::prelude::*;

#[smooth]
fn direct(a: &[f64; n]) -> [f64; _] {
    build(a[0] as usize, |_| 0.0)
}

#[smooth]
fn through_a_name(a: &[f64; n]) -> [f64; _] {
    let k = a[0] as usize;
    build(k + 1, |_| 0.0)
}

#[smooth]
fn counted(a: &[f64; n]) -> [f64; _] {
    let positive = ifold(n, 0, |k, i| if a[i] > 0.0 { k + 1 } else { k });
    build(positive, |_| 0.0)
}

#[smooth]
fn conditional(a: &[f64; n], x: f64) -> [f64; _] {
    build(if x > 0.0 { n } else { 1 }, |i| a[i])
}

#[smooth]
fn slice(a: &[f64; n]) -> [f64; _] {
    a[..a[0] as usize].to_vec()
}

#[smooth]
fn of_a_callee(k: usize) -> [f64; k] {
    build(k, |_| 0.0)
}

#[smooth]
fn caller(a: &[f64; n]) -> [f64; _] {
    of_a_callee(a[0] as usize)
}

fn main() {}
