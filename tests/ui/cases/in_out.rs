//! `&mut` parameters: arguments that are not places, and borrows that Rust forbids.

use smooth::prelude::*;

#[smooth]
fn axpy(a: f64, x: &[f64; n], y: &mut [f64; n]) {
    for i in 0..n {
        y[i] += a * x[i];
    }
}

#[smooth]
fn exchange(a: &mut [f64; n], b: &mut [f64; n]) {
    for i in 0..n {
        let t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

#[smooth]
fn no_place(x: &[f64; n]) -> [f64; n] {
    axpy(1.0, x, &mut build(n, |i| x[i]));
    x.clone()
}

#[smooth]
fn shared(x: &[f64; n]) -> f64 {
    axpy(1.0, x, x);
    x[0]
}

#[smooth]
fn immutable(x: &[f64; n]) -> f64 {
    let y = x.clone();
    axpy(1.0, x, &mut y);
    y[0]
}

#[smooth]
fn captured(m: &[[f64; k]; n], y: &mut [f64; k]) -> [f64; n] {
    build(n, |i| {
        axpy(1.0, &m[i], y);
        y[0]
    })
}

#[smooth]
fn read_and_written(y: &mut [f64; n]) {
    axpy(1.0, &y, y);
}

#[smooth]
fn written_twice(m: &mut [[f64; k]; n]) {
    exchange(&mut m[0], &mut m[1]);
}

#[smooth]
fn as_a_value(y: &mut [f64; n]) -> f64 {
    sum(n, |i| axpy(1.0, y, y))
}

#[smooth]
fn two_parts(m: &mut (f64, [f64; 3])) -> f64 {
    m.0
}

fn outside() {
    let mut y = [1.0, 2.0];
    axpy(1.0, &y, &mut y);
}

fn main() {}
