//! Rules of one's own, and values without derivative.

use smooth::prelude::*;

/// A rule that is wrong by a factor: what it gives cannot come from anywhere else.
#[smooth(derivative(jvp = cube_jvp))]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[smooth]
fn cube_jvp(x: f64, d_x: f64) -> (f64, f64) {
    (x * x * x, 30.0 * x * x * d_x)
}

#[smooth(derivative(vjp = square_vjp))]
fn square(x: f64) -> f64 {
    x * x
}

#[smooth]
fn square_vjp(x: f64, out: f64, d_out: f64) -> f64 {
    20.0 * out / x * d_out
}

#[smooth(jvp, vjp, grad, jacobian, jvp_many, vjp_many)]
fn cube_of_twice(x: f64) -> f64 {
    cube(2.0 * x)
}

#[smooth(jvp, vjp, grad, jacobian, jvp_many, vjp_many)]
fn square_of_twice(x: f64) -> f64 {
    square(2.0 * x)
}

#[test]
fn a_rule_for_one_mode_is_one_for_both() {
    assert_eq!(cube_of_twice(1.0), 8.0);
    assert_eq!(cube_of_twice::jvp(1.0, 2.0), (8.0, 480.0));
    assert_eq!(cube_of_twice::vjp(1.0, 2.0), (8.0, 480.0));
    assert_eq!((cube_of_twice::grad(1.0), cube_of_twice::jacobian(1.0)), (240.0, (8.0, 240.0)));
    assert_eq!(cube_of_twice::jvp_many(1.0, &[1.0, 2.0]), (8.0, vec![240.0, 480.0]));
    assert_eq!(cube_of_twice::vjp_many(1.0, &[1.0, 2.0]), (8.0, vec![240.0, 480.0]));
    assert_eq!(square_of_twice::jvp(1.0, 2.0), (4.0, 160.0));
    assert_eq!(square_of_twice::vjp(1.0, 2.0), (4.0, 160.0));
    assert_eq!((square_of_twice::grad(1.0), square_of_twice::jacobian(1.0)), (80.0, (4.0, 80.0)));
    assert_eq!(square_of_twice::jvp_many(1.0, &[1.0, 2.0]), (4.0, vec![80.0, 160.0]));
    assert_eq!(square_of_twice::vjp_many(1.0, &[1.0, 2.0]), (4.0, vec![80.0, 160.0]));
}

/// A kernel with a rule and options has the rule's derivatives.
#[smooth(derivative(jvp = norm_jvp), grad, jvp)]
fn norm(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i] * x[i]).sqrt()
}

#[smooth]
fn norm_jvp(x: &[f64; n], d_x: &[f64; n]) -> (f64, f64) {
    let r = sum(n, |i| x[i] * x[i]).sqrt();
    (r, if r > 0.0 { 100.0 * sum(n, |i| x[i] * d_x[i]) / r } else { 0.0 })
}

/// Several arguments, arrays and numbers, several results of which one has no floats.
#[smooth(derivative(vjp = scaled_vjp))]
fn scaled(a: f64, k: usize, x: &[f64; n]) -> ([f64; n], usize, f64) {
    (build(n, |i| a * x[i] + k as f64), n + k, a * a)
}

#[expect(clippy::too_many_arguments, reason = "those that a rule has")]
#[smooth]
fn scaled_vjp(
    a: f64,
    _k: usize,
    x: &[f64; n],
    _out0: &[f64; n],
    _out1: usize,
    _out2: f64,
    d_out0: &[f64; n],
    d_out2: f64,
) -> (f64, [f64; n]) {
    (sum(n, |i| x[i] * d_out0[i]) + 2.0 * a * d_out2, build(n, |i| 3.0 * a * d_out0[i]))
}

#[smooth(vjp, jvp, jacobian(a), grad)]
fn norm_of_scaled(a: f64, x: &[f64; n]) -> f64 {
    let (y, k, s) = scaled(a, 0, x);
    norm(&y) * s + (k - n) as f64
}

#[test]
fn rules_compose() {
    assert_eq!(norm::grad(&[3.0, 4.0]), [60.0, 80.0]);
    assert_eq!(norm::grad(&[0.0, 0.0]), [0.0, 0.0]);
    assert_eq!(norm::jvp(&[3.0, 4.0], &[1.0, 0.0]), (5.0, 60.0));
    // y = (6, 8), its norm is 10; d y / d a = x, and three times a in x.
    let (value, d_a, d_x) = norm_of_scaled::vjp(2.0, &[3.0, 4.0], 1.0);
    assert_eq!((value, d_a, d_x.as_slice()), (40.0, 2040.0, &[1440.0, 1920.0][..]));
    assert_eq!(norm_of_scaled::jvp(2.0, &[3.0, 4.0], 1.0, &[0.0, 0.0]), (40.0, 2040.0));
    assert_eq!(norm_of_scaled::jvp(2.0, &[3.0, 4.0], 0.0, &[1.0, 0.0]), (40.0, 1440.0));
    assert_eq!(norm_of_scaled::jacobian(2.0, &[3.0, 4.0]), (40.0, 2040.0));
}

/// Generic types, sizes and constants, columns and tuples.
const WEIGHT: usize = 3;

#[smooth(derivative(vjp = mixed_vjp), column_major(m))]
fn mixed<T: Real, const K: usize>(m: &[[T; n]; K], (a, b): (T, &[T; WEIGHT])) -> [T; n] {
    build(n, |j| sum(K, |i| m[i][j]) * a + sum(WEIGHT, |l| b[l]))
}

#[smooth]
fn mixed_vjp<T: Real, const K: usize>(
    m: &[[T; n]; K],
    p: (T, &[T; WEIGHT]),
    _out: &[T; n],
    d_out: &[T; n],
) -> ([[T; n]; K], (T, [T; WEIGHT])) {
    let all = sum(n, |j| d_out[j]);
    let of_m = build([K, n], |i, j| (i * 10 + j + 1) as T * p.0 * d_out[j]);
    (of_m, (sum(n, |j| sum(K, |i| m[i][j]) * d_out[j]), build(WEIGHT, |_| 7.0 * all)))
}

#[smooth(vjp, jvp, column_major(m))]
fn of_mixed(m: &[[f64; n]; 2], a: f64, b: &[f64; WEIGHT]) -> [f64; n] {
    mixed::<_, 2>(m, (2.0 * a, b))
}

#[smooth(vjp)]
fn of_mixed_32(m: &[[f32; n]; 2], a: f32, b: &[f32; WEIGHT]) -> [f32; n] {
    mixed::<_, 2>(m, (2.0 * a, b))
}

#[test]
fn rules_are_generic_and_have_layouts() {
    let by_columns = View::column_major(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0], [2, 3]);
    let (out, d_m, d_a, d_b) = of_mixed::vjp(by_columns, 0.5, &[1.0, 1.0, 1.0], &[1.0, 10.0, 100.0]);
    assert_eq!(out.as_slice(), [8.0, 10.0, 12.0]);
    assert_eq!(d_m.as_slice(), [1.0, 20.0, 300.0, 11.0, 120.0, 1300.0]);
    assert_eq!(d_a, 2.0 * (5.0 + 70.0 + 900.0));
    assert_eq!(d_b, [777.0; 3]);
    // ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩
    let d = [0.5, -1.0, 2.0, 0.25, 3.0, -2.0];
    let (_, change) = of_mixed::jvp(by_columns, 0.5, &[1.0, 1.0, 1.0], View::new(&d, [2, 3]), 1.5, &[1.0, 0.0, -2.0]);
    let left: f64 = change.iter().zip([1.0, 10.0, 100.0]).map(|(x, y)| x * y).sum();
    let right: f64 = d_m.as_slice().iter().zip(d).map(|(x, y)| x * y).sum();
    assert_eq!(left, right + d_a * 1.5 - 777.0);
    let m = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let (_, d_m, ..) = of_mixed_32::vjp(View::new(&m, [2, 3]), 0.5, &[1.0; 3], &[1.0, 10.0, 100.0]);
    assert_eq!(d_m.as_slice(), [1.0f32, 20.0, 300.0, 11.0, 120.0, 1300.0]);
}

#[smooth(grad)]
fn stopped(x: f64) -> f64 {
    x * stop_gradient(x * x)
}

#[smooth(grad, jvp, jacobian)]
fn stopped_arrays(x: &[f64; n]) -> f64 {
    let y = stop_gradient(x);
    let (z, s) = stop_gradient((build(n, |i| 2.0 * x[i]), x[0]));
    sum(n, |i| x[i] * y[i] * z[i]) + 0.0 * s
}

/// A loop whose state goes nowhere but into a value without derivative: the reverse mode does not need it.
#[smooth(grad)]
fn stopped_loop(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y = y * y;
    }
    let y = stop_gradient(y);
    y * x
}

/// A name of the user's goes first.
#[smooth(grad)]
fn shadowed(x: f64) -> f64 {
    let stop_gradient = |y: f64| 2.0 * y;
    stop_gradient(x) * x
}

#[test]
fn stopped_values_are_constant() {
    assert_eq!((shadowed(3.0), shadowed::reference(3.0), shadowed::grad(3.0)), (18.0, 18.0, 12.0));
    assert_eq!(stopped::grad(3.0), 9.0);
    assert_eq!(stopped_arrays(&[1.0, 2.0]), 18.0);
    assert_eq!(stopped_arrays::grad(&[1.0, 2.0]), [2.0, 8.0]);
    assert_eq!(stopped_arrays::jvp(&[1.0, 2.0], &[1.0, 1.0]), (18.0, 10.0));
    assert_eq!(stopped_loop::grad(2.0), 256.0);
    assert_eq!(stopped(3.0), stopped::reference(3.0));
}

#[smooth]
fn with_both(x: f64) -> f64 {
    cube(x) + stop_gradient(x) * x
}

#[smooth(grad)]
fn through(x: f64) -> f64 {
    with_both(x)
}

#[smooth(grad, jvp)]
fn again(x: f64) -> f64 {
    through::grad(x)
}

#[smooth]
fn applied(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    cube(f(stop_gradient(x))) * x
}

#[smooth(grad)]
fn through_a_function(x: f64) -> f64 {
    applied(|y| y + 1.0, x)
}

#[test]
fn marks_survive_calls() {
    assert_eq!(through::grad(2.0), 122.0);
    // 30 x² + x, and then no derivative of the second x.
    assert_eq!(again::grad(2.0), 120.0);
    assert_eq!(again::jvp(2.0, 1.0), (122.0, 120.0));
    assert_eq!(through_a_function::grad(1.0), 8.0);
}

#[test]
fn rules_work_in_the_bodies_of_functions() {
    const TEN: f64 = 10.0;
    #[smooth(derivative(jvp = tenfold))]
    fn same(x: f64) -> f64 {
        x
    }
    #[smooth]
    fn tenfold(x: f64, d_x: f64) -> (f64, f64) {
        (x, TEN * d_x)
    }
    #[smooth]
    fn twice(x: f64) -> f64 {
        same(same(x))
    }
    #[smooth(grad)]
    fn of_twice(x: f64) -> f64 {
        twice(x)
    }
    assert_eq!(of_twice::grad(1.0), 100.0);
}

/// A kernel that changes an argument, and whose text is too large for the derivatives of its callers: they call its own.
macro_rules! large {
    (@ $($c:literal)*) => {
        #[smooth(jvp, vjp)]
        fn large(k: usize, x: &mut [f64; n], y: f64, z: &[f64; n]) -> (f64, usize, [f64; n]) {
            let s = x[0];
            $(let s = (s * $c + y * x[1]).sin() * 0.5 + (z[1] - s * $c).cos() * z[0] - s / ($c + s * s);)*
            x[k] = s * y;
            x[0] += z[1];
            (s, k, build(n, |i| z[i] * s))
        }
    };
    ($($c:literal)*) => { large!(@ $($c)* $($c)* $($c)* $($c)* $($c)* $($c)* $($c)* $($c)* $($c)* $($c)*); };
}
large!(0.5 0.6 0.7 0.8 0.9 1.0 1.1 1.2 1.3 1.4 1.5 1.6);

#[smooth(grad, jvp, jacobian)]
fn through_large(x: &[f64; n], y: f64, z: &[f64; n]) -> f64 {
    let mut u = build(n, |i| x[i] * y);
    let (s, k, w) = large(2, &mut u, y * y, z);
    s * k as f64 + sum(n, |i| u[i] * u[i] * w[i])
}

#[smooth(vjp, jvp)]
fn rows_through_large(m: &mut [[f64; k]; n], y: f64, z: &[f64; k]) {
    for i in 0..n {
        let (s, _, _) = large(1, &mut m[i], y, z);
        m[i][0] *= s;
    }
}

#[test]
fn derivatives_of_large_kernels_that_change_arguments_are_called() {
    let (x, z) = ([0.3, -0.7, 0.2], [0.4, 0.9, -0.3]);
    through_large::check_derivatives(&x, 0.8, &z);
    let (d_x, d_y, d_z) = through_large::grad(&x, 0.8, &z);
    let (_, along) = through_large::jvp(&x, 0.8, &z, &[1.0, -2.0, 0.5], 3.0, &[0.25, 1.0, -1.0]);
    let dot = d_x[0] - 2.0 * d_x[1] + 0.5 * d_x[2] + 3.0 * d_y + 0.25 * d_z[0] + d_z[1] - d_z[2];
    assert!((along - dot).abs() < 1e-10 * dot.abs(), "{along}, {dot}");
    rows_through_large::check_derivatives(&mut [[0.3, -0.7, 0.2], [0.1, 0.5, 0.6]], 0.8, &z);
}
