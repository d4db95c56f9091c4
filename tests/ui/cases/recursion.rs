//! A kernel or a closure that calls itself.

use smooth::prelude::*;

#[smooth]
fn factorial(n: usize) -> f64 {
    if n == 0 { 1.0 } else { n as f64 * factorial(n - 1) }
}

#[smooth]
fn passes_itself(a: &[f64; n]) -> f64 {
    sum(n, passes_itself)
}

#[smooth]
fn by_module(x: f64) -> f64 {
    self::by_module(x)
}

#[smooth]
fn closure(x: f64) -> f64 {
    let f = |y: f64| f(y - 1.0);
    f(x)
}

fn main() {}
