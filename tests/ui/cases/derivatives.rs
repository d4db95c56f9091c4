//! Derivatives: options, rules, and kernels without derivatives, which have no errors in their callers.

use smooth::prelude::*;

#[smooth(jacobain, grad(x, x))]
fn options(x: f64) -> f64 {
    x
}

#[smooth(jacobian(x, backward), grad(x), grad(y))]
fn lists(x: f64, y: f64) -> f64 {
    x * y
}

#[smooth]
fn scaled_jvp(x: &mut [f64; n], s: f64, d_x: &mut [f64; n], d_s: f64) {
    for i in 0..n {
        d_x[i] = d_x[i] * s + x[i] * d_s;
        x[i] *= s;
    }
}

#[smooth(derivative(jvp = scaled_jvp))]
fn scaled(x: &mut [f64; n], s: f64) {
    for i in 0..n {
        x[i] *= s;
    }
}

#[smooth]
fn calls_scaled(x: &[f64; n]) -> f64 {
    let mut y = x.clone();
    scaled(&mut y, 2.0);
    y[0]
}

#[smooth]
fn squared_jvp(x: f64, d_x: f64) -> (f64, f64) {
    (x * x, 2.0 * x)
}

#[smooth(derivative(jvp = squared_jvp))]
fn squared(x: f64) -> f64 {
    x * x
}

#[smooth(grad)]
fn calls_squared(x: f64) -> f64 {
    squared(x)
}

#[smooth(vjp, jvp)]
fn least(x: &[f64; n]) -> f64 {
    let mut y = x.clone();
    smooth::sort::sort_in_place(&mut y);
    y[0]
}

#[smooth(grad)]
fn volume(m: &[[f64; n]; n]) -> f64 {
    smooth::linalg::determinant(m)
}

#[smooth(jvp)]
fn second(m: &[[f64; n]; n]) -> [[f64; n]; n] {
    volume::grad(m)
}

fn main() {
    let _ = (options(1.0), lists(1.0, 2.0), squared(1.0), least(&[1.0]), second(&[[1.0]]));
}
