//! `f::check_derivatives`.

use smooth::prelude::*;
use smooth::{Real, View};

/// Arguments and results of all forms.
#[expect(clippy::too_many_arguments, reason = "one of each form")]
#[smooth(jvp, vjp, jacobian, column_major(m), strided(w))]
fn forms<T: Real, const K: usize>(
    x: &[T; n],
    s: T,
    k: usize,
    a: &[T; 3],
    m: &[[T; n]; 2],
    w: &[[T; n]; 2],
    p: (T, &[T; K]),
    rows: &[[T; 2]; n],
) -> ([T; n], usize, [[T; 2]; n], T) {
    let first = build(n, |i| x[i] * s * a[1] + m[0][i] * w[1][i]);
    (first, k, build([n, 2], |i, j| rows[i][j] * x[i]), p.0 * sum(K, |i| p.1[i] * s))
}

#[smooth(jvp, vjp)]
fn in_out(x: &[f64; n], y: &mut [f64; n], s: &mut f64) -> f64 {
    let t = sum(n, |i| x[i] * y[i]) * *s;
    *s = *s * x[0] + t;
    y[0] = y[1] * t;
    y[1] = x[1] * y[0];
    t
}

#[smooth(grad(x), jvp_many)]
fn partly(k: usize, x: &[f64; n], y: &[f64; n]) -> f64 {
    sum(n, |i| (x[i] * y[i]).sin() * k as f64)
}

#[test]
fn derivatives_agree_with_differences() {
    let (m, w) = ([1.0, 2.0, 3.0, 4.0], [0.5, 2.0, -3.0, 4.0]);
    let rows = [[1.0, 2.0], [3.0, 4.0]];
    let (by_columns, by_rows) = (View::column_major(&m, [2, 2]), View::new(&w, [2, 2]));
    forms::check_derivatives(&[1.0, 2.0], 0.5, 3, &[1.0, 2.0, 3.0], by_columns, by_rows, (0.5, &[1.0, 2.0]), &rows);
    let (m, w) = ([1.0f32, 2.0, 3.0, 4.0], [0.5f32, 2.0, -3.0, 4.0]);
    let (by_columns, by_rows) = (View::column_major(&m, [2, 2]), View::new(&w, [2, 2]));
    let rows = [[1.0f32, 2.0], [3.0, 4.0]];
    forms::check_derivatives(&[1.0, 2.0], 0.5, 3, &[1.0, 2.0, 3.0], by_columns, by_rows, (0.5, &[1.0, 2.0]), &rows);
    let (mut y, mut s) = ([0.3, 0.4], 0.7);
    in_out::check_derivatives(&[1.0, 2.0], &mut y, &mut s);
    assert_eq!((y, s), ([0.3, 0.4], 0.7));
    partly::check_derivatives(3, &[1.0, 2.0], &[0.5, 0.25]);
    partly::check_derivatives(3, &[], &[]);
}

/// A derivative that is wrong in one argument.
#[smooth(derivative(jvp = wrong_jvp))]
fn wrong(x: f64, y: f64) -> f64 {
    x * y
}

#[smooth]
fn wrong_jvp(x: f64, y: f64, d_x: f64, d_y: f64) -> (f64, f64) {
    (x * y, d_x * y + d_y * x * 1.5)
}

#[smooth(jvp)]
fn forward(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| wrong(a[i], b[i]))
}

#[smooth(vjp)]
fn back(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
    build(n, |i| wrong(a[i], b[i]))
}

#[smooth(grad)]
fn gradient(a: &[f64; n], (b, c): (f64, &[f64; n])) -> f64 {
    sum(n, |i| wrong(a[i] * c[i], b))
}

#[smooth(jacobian)]
fn columns(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| wrong(a[i], b[i]))
}

#[test]
#[should_panic(expected = "forward::jvp: d_b is not the derivative: differences of the reference give")]
fn a_wrong_tangent_is_named() {
    forward::check_derivatives(&[1.0, 2.0], &[3.0, 4.0]);
}

#[test]
#[should_panic(expected = "back::vjp: d_b is not the derivative")]
fn a_wrong_cotangent_is_named() {
    back::check_derivatives(&[1.0, 2.0], &[3.0, 4.0]);
}

#[test]
#[should_panic(expected = "gradient::grad: d_")]
fn a_wrong_part_of_a_tuple_is_found() {
    gradient::check_derivatives(&[1.0, 2.0], (3.0, &[1.0, 2.0]));
}

#[test]
#[should_panic(expected = "columns::jacobian: d_b is not the derivative")]
fn a_wrong_column_is_named() {
    columns::check_derivatives(&[1.0, 2.0], &[3.0, 4.0]);
}

#[test]
#[should_panic(expected = "argument b has length 1, but n = 2 (from argument a)")]
fn arguments_that_do_not_fit_are_reported() {
    back::check_derivatives(&[1.0, 2.0], &[3.0]);
}
