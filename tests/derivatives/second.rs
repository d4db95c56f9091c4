//! Second derivatives: `hvp` and `hessian`.

use super::numbers::{all_near, near, numbers, rows};
use smooth::linalg;
use smooth::prelude::*;

/// Rosenbrock's function.
#[smooth(grad, hvp, hessian)]
fn valley(x: &[f64; n]) -> f64 {
    sum(n - 1, |i| 100.0 * (x[i + 1] - x[i] * x[i]).powi(2) + (1.0 - x[i]).powi(2))
}

/// Several parameters, and a result that is carried along.
#[smooth(grad(a, s), hvp(a, s), hessian(a))]
fn loss(a: &[f64; k], s: f64, x: &[[f64; k]; n], y: &[f64; n]) -> (f64, [f64; n]) {
    let e = build(n, |i| (sum(k, |j| a[j] * x[i][j]) * s).tanh() - y[i]);
    (sum(n, |i| e[i] * e[i]), e)
}

/// Loops with a state, an exit and places from data.
#[smooth(hvp, hessian)]
fn steps(x: &[f64; n]) -> f64 {
    let mut s = 1.0;
    for i in 0..n {
        s = s * x[i] + x[(i * 7 + 1) % n].sin();
        if s > 50.0 {
            break;
        }
    }
    s * s
}

/// Numbers, tuples and floats of any width.
#[smooth(hvp, hessian)]
fn power<T: Real>(x: T) -> T {
    x * x * x * x
}

#[smooth(hvp(p), hessian(p))]
fn tuple(p: (f64, &[f64; 2])) -> f64 {
    (p.0 * p.1[0]).exp() + p.1[1] * p.1[1] * p.0
}

/// The norm has no derivative at 0, and a fixed element there.
#[smooth(hessian)]
fn norm(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i] * x[i]).sqrt()
}

/// A step of Newton's method.
#[smooth]
fn newton(x: &[f64; n]) -> [f64; n] {
    let (_, d, h) = valley::hessian(x);
    let step = linalg::solve(&h, &d);
    build(n, |i| x[i] - step[i])
}

/// The same by products alone: what the Hessian is along a direction, from a kernel, and the change of that.
#[smooth(jvp(x))]
fn curvature(x: &[f64; n], v: &[f64; n]) -> f64 {
    let (_, h) = valley::hvp(x, v);
    sum(n, |i| h[i] * v[i])
}

#[test]
fn second_derivatives_agree_with_differences_and_each_other() {
    for n in [1, 2, 5, 70] {
        let (x, v) = (numbers(n, 0.3), numbers(n, 0.9));
        valley::check_derivatives(&x);
        let (d, h) = valley::hvp(&x, &v);
        all_near(&d, &valley::grad(&x));
        let (value, gradient, hessian) = valley::hessian(&x);
        assert_eq!(value.to_bits(), valley(&x).to_bits());
        all_near(&gradient, &d);
        let product: Vec<f64> = (0..n).map(|i| (0..n).map(|j| hessian[[i, j]] * v[j]).sum()).collect();
        all_near(&product, &h);
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            assert!(near(hessian[[i, j]], hessian[[j, i]]), "{i}, {j}");
        }
    }
    for (k, n) in [(1, 1), (3, 4), (2, 70)] {
        let x = numbers(k * n, 0.1);
        loss::check_derivatives(&numbers(k, 0.2), 0.7, rows(&x, k), &numbers(n, 0.5));
    }
    for n in [0, 1, 4, 9] {
        steps::check_derivatives(&numbers(n, 0.4));
    }
    tuple::check_derivatives((0.3, &[0.5, -0.2]));
    assert_eq!(power::hvp(2.0_f64, 3.0), (32.0, 144.0));
    assert_eq!(power::hessian(2.0_f32), (16.0, 32.0, 48.0));
    let (value, d, h) = norm::hessian(&[0.0; 3]);
    assert_eq!((value, d, h.as_slice()), (0.0, vec![0.0; 3], &[0.0; 9][..]));
}

#[test]
fn kernels_call_second_derivatives() {
    let mut x = vec![0.8, 0.7, 0.4];
    for _ in 0..20 {
        x = newton(&x);
    }
    all_near(&x, &[1.0; 3]);
    let (x, v) = (numbers(4, 0.3), numbers(4, 0.9));
    let (value, change) = curvature::jvp(&x, &v, &v);
    let at = |h: f64| curvature(&x.iter().zip(&v).map(|(x, v)| x + h * v).collect::<Vec<f64>>(), &v);
    assert_eq!(value, at(0.0));
    assert!((change - (at(1e-4) - at(-1e-4)) / 2e-4).abs() < 1e-4 * change.abs());
}

#[test]
fn second_derivatives_have_what_kernels_have() {
    let (x, v) = (numbers(5, 0.3), numbers(5, 0.9));
    let mut arena = Arena::with_capacity(valley::hvp::scratch([5], [5]));
    let (mut d, mut h) = (vec![0.0; 5], vec![0.0; 5]);
    valley::hvp::into(&mut d, &mut h, &x, &v, &mut arena);
    assert_eq!((d, h), valley::hvp(&x, &v));
    let wrong = valley::hvp::try_call(&x, &v[1..]).unwrap_err().to_string();
    assert_eq!(wrong, "valley::hvp: argument v_x has length 4, but n = 5 (from argument x)");
    // The Jacobian of a gradient that carries nothing grows with the square alone.
    assert!(valley::hessian::scratch([100]) < 8 * 100 * 100 + 8 * 8 * 100);
}
