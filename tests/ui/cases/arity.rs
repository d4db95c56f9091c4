//! Wrong numbers of arguments: there is no partial application.

use smooth::prelude::*;

#[smooth]
fn add(x: f64, y: f64) -> f64 {
    x + y
}

#[smooth]
fn partial(x: f64) -> f64 {
    add(x)
}

#[smooth]
fn too_many(x: f64) -> f64 {
    add(x, x, x)
}

#[smooth]
fn builtins(a: &[f64; n]) -> f64 {
    let b = build(n);
    let s = ifold(n, |s, i| s + a[i]);
    sum(|i| a[i])
}

#[smooth]
fn methods(x: f64) -> f64 {
    x.powi() + x.sqrt(2.0) + f64::max(x)
}

#[smooth]
fn closures(a: &[f64; n]) -> f64 {
    let f = |x: f64, y: f64| x + y;
    let b = build(n, |i, j| a[i]);
    let s = sum(n, || 1.0);
    let t = ifold(n, 0.0, |i| a[i]);
    f(1.0)
}

fn main() {}
