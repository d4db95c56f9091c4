//! Arguments from Rust that are not arrays of the parameter's rank.

use smooth::prelude::*;

#[smooth]
fn total(a: &[[f64; k]; n]) -> f64 {
    sum(n, |i| sum(k, |j| a[i][j]))
}

#[smooth]
fn doubled(a: &[[f64; k]; n]) -> [[f64; k]; n] {
    build([n, k], |i, j| 2.0 * a[i][j])
}

#[smooth]
fn mean(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i]) / n as f64
}

#[smooth]
fn norm<T: Real>(a: &[T; n]) -> T {
    sum(n, |i| a[i] * a[i]).sqrt()
}

#[smooth(strided(x))]
fn first(x: &[f64; n]) -> f64 {
    x[0]
}

fn main() {
    let flat = vec![1.0, 2.0];
    let nested = vec![vec![1.0, 2.0]];
    total(&flat);
    total(&nested);
    let mut out = vec![0.0; 2];
    let mut arena = Arena::new();
    doubled::into(&mut out, &[[1.0, 2.0]], &mut arena);
    total(&[[1.0f32, 2.0]]);
    mean(&nested);
    norm(&nested);
    first(&nested);
}
