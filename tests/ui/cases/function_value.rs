//! A function returned or stored.

use smooth::prelude::*;

#[smooth]
fn returned(x: f64) -> impl Fn(f64) -> f64 {
    |y: f64| x + y
}

#[smooth]
fn result(x: f64) -> f64 {
    |y: f64| x + y
}

#[smooth]
fn in_a_tuple(x: f64) -> f64 {
    let pair = (|y: f64| x + y, 1.0);
    pair.1
}

#[smooth]
fn in_an_array(g: impl Fn(f64) -> f64) -> f64 {
    let fs = [g, g];
    0.0
}

#[smooth]
fn chosen(x: f64, g: impl Fn(f64) -> f64, h: impl Fn(f64) -> f64) -> f64 {
    let f = if x > 0.0 { g } else { h };
    f(x)
}

#[smooth]
fn built(g: impl Fn(f64) -> f64) -> f64 {
    let fs = build(3, |i| g);
    0.0
}

#[smooth]
fn made(x: f64) -> f64 {
    let adder = |a: f64| |b: f64| a + b;
    x
}

fn main() {}
