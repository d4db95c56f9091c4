//! Mismatched types: of constants, which only rustc knows, and of type parameters, which errors call by their names.
use smooth::prelude::*;

const SINGLE: f32 = 1.0;
const COUNT: u32 = 3;

#[smooth]
fn shifted(a: &[f64; n]) -> [f64; n] {
    build(n, |i| a[i] + SINGLE)
}

#[smooth]
fn first(a: &[f64; COUNT]) -> f64 {
    a[0]
}

#[smooth]
fn mixed<T: Real, U: Real>(x: T, y: U) -> T {
    x + y
}

#[smooth]
fn add(x: f64, y: f64) -> f64 {
    x + y
}

#[smooth]
fn whole(x: f64) -> f64 {
    let y: f64 = 1;
    add(-1, x) + y
}

#[smooth]
fn one() -> f64 {
    1
}

fn main() {}
