//! Derivatives as users meet them: their names, their order, their values against central differences, their messages.

use crate::numbers::{all_near, near, numbers, rows};
use smooth::linalg::{vector_dot, vector_norm};
use smooth::prelude::*;
use smooth::{Real, View};
use smooth_test_kernels::derivatives::{halved_squares, waves};

/// A mean of squares.
#[smooth(jvp)]
fn loss(a: &[f64; k], x: &[[f64; k]; n], y: &[f64; n]) -> f64 {
    sum(n, |i| (vector_dot(a, &x[i]) - y[i]).powi(2)) / n as f64
}

#[test]
fn a_loss_has_the_change_that_differences_have() {
    let (a, x, y) = (numbers(3, 0.1), numbers(15, 0.2), numbers(5, 0.3));
    let (d_a, d_x, d_y) = (numbers(3, 1.1), numbers(15, 1.2), numbers(5, 1.3));
    let (x, d_x) = (rows(&x, 3), rows(&d_x, 3));
    let (value, change) = loss::jvp(&a, x, &y, &d_a, d_x, &d_y);
    assert_eq!(value.to_bits(), loss(&a, x, &y).to_bits());
    let (_, reference) = loss::jvp::reference(&a, x, &y, &d_a, d_x, &d_y);
    assert!(near(change, reference), "{change}, {reference}");
}

#[smooth(jvp(x))]
fn sines(x: &[f64; n], s: f64) -> [f64; n] {
    build(n, |i| (x[i] * s).sin())
}

#[test]
fn derivatives_have_what_kernels_have() {
    let (x, d_x) = (numbers(4, 0.5), numbers(4, 1.5));
    let mut arena = Arena::with_capacity(sines::jvp::scratch([4], [4]));
    let (mut out, mut d_out) = (vec![0.0; 4], vec![0.0; 4]);
    sines::jvp::into(&mut out, &mut d_out, &x, 2.0, &d_x, &mut arena);
    assert_eq!((out.clone(), d_out.clone()), sines::jvp(&x, 2.0, &d_x));
    assert_eq!(sines::jvp::shape([4], [4]), ([4], [4]));
    all_near(&d_out, &sines::jvp::reference(&x, 2.0, &d_x).1);
    for (x, by) in
        x.iter().zip(&d_x).map(|(x, d_x)| (x * 2.0, 2.0 * d_x)).zip(&d_out).map(|((x, d), out)| (x.cos() * d, out))
    {
        assert!(near(x, *by));
    }
}

#[test]
fn messages_name_tangents() {
    let x = [1.0, 2.0, 3.0];
    let e = sines::jvp::try_call(&x, 1.0, &[0.0; 2]).unwrap_err();
    assert_eq!(e.to_string(), "sines::jvp: argument d_x has length 2, but n = 3 (from argument x)");
    let (mut out, mut d_out) = ([0.0; 3], [0.0; 4]);
    let e = sines::jvp::try_into(&mut out, &mut d_out, &x, 1.0, &x, &mut Arena::new()).unwrap_err();
    assert_eq!(e.to_string(), "sines::jvp: destination d_out has length 4, but the result has length 3");
}

/// In-out parameters: a step of a pendulum.
#[smooth(jvp)]
fn step(q: &mut [f64; n], p: &mut [f64; n], h: f64) {
    for i in 0..n {
        p[i] -= h * q[i].sin();
        q[i] += h * p[i];
    }
}

#[test]
fn in_out_parameters_have_in_out_tangents() {
    let mut found = [numbers(5, 0.1), numbers(5, 0.2), numbers(5, 0.3), numbers(5, 0.4)];
    let mut wanted = found.clone();
    let [q, p, d_q, d_p] = &mut found;
    step::jvp(q, p, 0.1, d_q, d_p, 0.7);
    let [q, p, d_q, d_p] = &mut wanted;
    step::jvp::reference(q, p, 0.1, d_q, d_p, 0.7);
    found.iter().zip(&wanted).for_each(|(a, b)| all_near(a, b));
}

/// Tuples: the floats of an argument and of results, by generic types and sizes.
#[smooth(jvp)]
fn parts<const N: usize, T: Real>(x: (T, &[T; N]), yes: bool) -> ((T, [T; N]), [usize; N], [[T; N]; N]) {
    let (a, b) = x;
    ((if yes { a * a } else { a }, build(N, |i| b[i] * a)), [N; N], build(N, |i| build(N, |j| b[i] * b[j])))
}

#[smooth(jvp)]
fn sparse(row: &[(usize, f64); k], x: &[f64; n]) -> (f64, usize) {
    (sum(k, |j| row[j].1 * x[row[j].0 % n]), k)
}

#[test]
fn what_is_no_float_has_no_tangent() {
    let (value, kept, outer, (d_a, d_b), d_outer) = parts::jvp((2.0, &[1.0, 3.0]), true, (1.0, &[0.5, 0.25]));
    assert_eq!((value, kept, outer), parts((2.0, &[1.0, 3.0]), true));
    assert_eq!((d_a, d_b), (4.0, [2.0, 3.5]));
    assert_eq!(d_outer, [[1.0, 1.75], [1.75, 1.5]]);
    let (_, _, _, (d_a, _), _) = parts::jvp((2.0f32, &[1.0, 3.0]), false, (1.0, &[0.5, 0.25]));
    assert_eq!(d_a, 1.0f32);
    // A tuple with one part left is that part.
    let (value, count, change) = sparse::jvp((&[0, 5], &[1.0, 2.0]), &[1.0, 2.0, 3.0], &[0.5, 0.25], &[1.0; 3]);
    assert_eq!((value, count, change), (7.0, 2, 0.5 + 0.75 + 3.0));
}

/// Layouts: the tangent of a matrix is stored by rows, however the matrix is.
#[smooth(jvp, column_major(m, out), strided(w))]
fn layouts(m: &[[f64; k]; n], w: &[[f64; k]; n]) -> [[f64; k]; n] {
    build(n, |i| build(k, |j| m[i][j] * w[i][j] * m[i][0]))
}

#[test]
fn tangents_are_stored_by_rows() {
    let (n, k) = (4, 3);
    let (m, w, d_m, d_w) = (numbers(n * k, 0.1), numbers(n * k, 0.2), numbers(n * k, 0.3), numbers(n * k, 0.4));
    let by_columns: Vec<f64> = (0..n * k).map(|at| m[at % n * k + at / n]).collect();
    let columns = View::column_major(&by_columns, [n, k]);
    let (out, d_out) = layouts::jvp(columns, rows(&w, k), rows(&d_m, k), rows(&d_w, k));
    for (i, j) in (0..n).flat_map(|i| (0..k).map(move |j| (i, j))) {
        let at = i * k + j;
        let (a, b, c) = (m[at], w[at], m[i * k]);
        assert_eq!(out[[i, j]], a * b * c);
        let change = d_m[at] * b * c + a * d_w[at] * c + a * b * d_m[i * k];
        assert!(near(d_out[[i, j]], change), "{} {change}", d_out[[i, j]]);
    }
}

/// The same with tangents and changes by columns, on request.
#[smooth(jvp, jacobian(s), column_major(m, out, d_m, d_out))]
fn turned(m: &[[f64; k]; n], s: f64) -> [[f64; k]; n] {
    build(n, |i| build(k, |j| m[i][j] * s + m[i][0]))
}

#[smooth(jvp, column_major(d_m))]
fn turned_in_place(m: &mut [[f64; k]; n]) {
    for i in 1..n {
        for j in 0..k {
            m[i][j] *= m[i - 1][j];
        }
    }
}

#[test]
fn tangents_are_stored_by_columns_on_request() {
    let (n, k, s) = (4, 3, 0.5);
    let turn = |rows: &[f64]| -> Vec<f64> { (0..n * k).map(|at| rows[at % n * k + at / n]).collect() };
    let (m, d_m) = (numbers(n * k, 0.1), numbers(n * k, 0.2));
    let (by_columns, d_by_columns) = (turn(&m), turn(&d_m));
    let columns = |x| View::column_major(x, [n, k]);
    let (out, d_out) = turned::jvp(columns(&by_columns[..]), s, columns(&d_by_columns[..]), 2.0);
    for (i, j) in (0..n).flat_map(|i| (0..k).map(move |j| (i, j))) {
        assert_eq!(out[[i, j]], m[i * k + j] * s + m[i * k]);
        assert!(near(d_out[[i, j]], d_m[i * k + j] * s + m[i * k + j] * 2.0 + d_m[i * k]));
    }
    assert!(near(d_out.as_slice()[1], d_out[[1, 0]]));
    let (_, d_s) = turned::jacobian(columns(&by_columns[..]), s);
    assert_eq!(d_s[[3, 2]], m[3 * k + 2]);

    let (mut q, mut d_q) = (m.clone(), d_by_columns);
    turned_in_place::jvp(smooth::ViewMut::new(&mut q, [n, k]), smooth::ViewMut::column_major(&mut d_q, [n, k]));
    let (mut wanted, mut d_wanted) = (m, d_m);
    for at in k..n * k {
        d_wanted[at] = d_wanted[at] * wanted[at - k] + wanted[at] * d_wanted[at - k];
        wanted[at] *= wanted[at - k];
    }
    all_near(&q, &wanted);
    all_near(&d_q, &turn(&d_wanted));
}

/// A derivative is called by its path, from another kernel and from one that is itself differentiated.
#[smooth(jvp)]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[smooth(jvp)]
fn slope(x: f64) -> f64 {
    cube::jvp(x, 1.0).1
}

#[smooth(jvp)]
fn curvature(x: f64) -> f64 {
    let (_, d) = slope::jvp(x, 1.0);
    d
}

#[smooth]
fn newton(start: f64, value: f64) -> f64 {
    ifold(40, start, |x, _| {
        let (y, d) = cube::jvp(x, 1.0);
        x - (y - value) / d
    })
}

#[test]
fn derivatives_are_kernels() {
    assert_eq!(slope(3.0), 27.0);
    assert_eq!(slope::jvp(3.0, 2.0), (27.0, 36.0));
    assert_eq!(curvature(3.0), 18.0);
    assert_eq!(curvature::jvp(3.0, 1.0), (18.0, 6.0));
    assert!(near(newton(1.0, 2.0), 2f64.cbrt()));
}

/// Kernels of other crates and of the library.
#[smooth(jvp)]
fn lengths(x: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| vector_norm(&x[i]))
}

#[test]
fn a_norm_at_zero_has_no_change() {
    let x = [3.0, 4.0, 0.0, 0.0];
    let (value, change) = lengths::jvp(rows(&x, 2), rows(&[1.0, 0.5, 1.0, 1.0], 2));
    assert_eq!((value, change), (vec![5.0, 0.0], vec![1.0, 0.0]));
}

/// Branches that are not taken divide by zero, and take roots and logarithms of negative numbers.
#[smooth(jvp)]
fn guarded(x: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let root = if x[i] > 0.0 { x[i].sqrt() } else { 0.0 };
        let log = if x[i] > 0.0 { x[i].ln() } else { -x[i] };
        root + log + if x[i] != 0.0 { 1.0 / x[i] } else { 0.0 }
    })
}

#[test]
fn branches_that_are_not_taken_give_no_nan() {
    let x = [-4.0, 0.0, 4.0, -1.0, 1.0, 0.0, -0.0, 2.0, -2.0];
    let (_, change) = guarded::jvp(&x, &[1.0; 9]);
    let wanted = |x: f64| match x {
        x if x > 0.0 => 0.5 / x.sqrt() + 1.0 / x - 1.0 / (x * x),
        x if x < 0.0 => -1.0 - 1.0 / (x * x),
        _ => -1.0,
    };
    all_near(&change, &x.map(wanted));
}

/// Points without derivative.
#[smooth(jvp)]
fn corners(x: f64, y: f64) -> [f64; 10] {
    [
        x.abs(),
        x.max(y),
        x.min(y),
        x.clamp(0.0, 1.0),
        x.sqrt(),
        x.hypot(y),
        x.floor() + x.round(),
        x.signum(),
        x.powf(0.5),
        x.powi(0),
    ]
}

#[smooth(jvp, singular = "ieee")]
fn root(x: f64) -> f64 {
    x.sqrt()
}

#[test]
fn a_fixed_element_is_taken_where_there_is_no_derivative() {
    let (_, change) = corners::jvp(0.0, 0.0, 1.0, 10.0);
    assert_eq!(change, [0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(root::jvp(0.0, 1.0), (0.0, f64::INFINITY));
}

#[smooth(jvp)]
fn extremes(x: &[f64; n]) -> (f64, f64) {
    (max(n, |i| x[i]), min(n, |i| x[i] * x[i]))
}

#[smooth(jvp)]
fn product(x: &[f64; n]) -> f64 {
    prod(n, |i| x[i])
}

#[test]
fn reductions_take_the_first_of_equals_and_products_have_zeros() {
    let nan = f64::NAN;
    assert_eq!(extremes::jvp(&[1.0, 3.0, 3.0, -1.0], &[1.0, 2.0, 3.0, 4.0]), (3.0, 1.0, 2.0, 2.0));
    assert_eq!(extremes::jvp(&[nan, 3.0, nan], &[1.0, 2.0, 3.0]), (3.0, 9.0, 2.0, 12.0));
    assert_eq!(extremes::jvp(&[nan, nan], &[1.0, 2.0]), (f64::NEG_INFINITY, f64::INFINITY, 0.0, 0.0));
    assert_eq!(extremes::jvp(&[], &[]), (f64::NEG_INFINITY, f64::INFINITY, 0.0, 0.0));
    assert_eq!(product::jvp(&[2.0, 0.0, 3.0], &[1.0, 1.0, 1.0]), (0.0, 6.0));
    assert_eq!(product::jvp(&[0.0, 0.0, 3.0], &[1.0, 1.0, 1.0]), (0.0, 0.0));
    assert_eq!(product::jvp(&[], &[]), (1.0, 0.0));
    let long: Vec<f64> = (0..40).map(|i| 1.0 + f64::from(i) / 100.0).collect();
    assert_eq!(product::jvp(&long, &long).0.to_bits(), product(&long).to_bits());
    assert!(near(product::jvp(&long, &long).1, 40.0 * product(&long)));
}

/// Loops with states, exits and updates.
#[smooth(jvp)]
fn states(x: &[f64; n], bound: f64) -> ([f64; n], f64) {
    let mut a = [0.0; n];
    let mut total = 0.0;
    for i in 0..n {
        if total > bound {
            break;
        }
        total += x[i] * x[i];
        a[i] = total * x[n - 1 - i];
        if i > 0 {
            a[i - 1] *= x[i];
        }
    }
    let mut s = x[0];
    let mut steps = 0;
    while s.abs() < 10.0 && steps < 20 {
        s = s * 1.5 + 0.1;
        steps += 1;
    }
    (a, s)
}

#[test]
fn loops_have_the_derivative_of_the_steps_that_they_make() {
    let (x, d_x) = (numbers(7, 0.9), numbers(7, 0.8));
    let (a, s, d_a, d_s) = states::jvp(&x, 1.7, &d_x, 0.0);
    let (b, t, d_b, d_t) = states::jvp::reference(&x, 1.7, &d_x, 0.0);
    all_near(&a, &b);
    all_near(&d_a, &d_b);
    all_near(&[s, d_s], &[t, d_t]);
}

#[smooth]
fn total_of(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i])
}

/// Arrays of tuples as states, functions of arrays, slices.
#[smooth(jvp)]
fn scans(x: &[f64; n], s: f64) -> [[f64; 2]; n] {
    let total = scan(n, (0.0, 1.0), |(a, b), i| (a + x[i] * s, b * (1.0 + x[i])));
    let (sums, products) = total;
    build(n, |i| [sums[i] + total_of(&x[0..i]), products[i]])
}

#[test]
fn scans_and_slices_have_derivatives() {
    let (x, d_x) = (numbers(6, 0.3), numbers(6, 0.7));
    let (_, change) = scans::jvp(&x, 0.5, &d_x, 2.0);
    let (_, wanted) = scans::jvp::reference(&x, 0.5, &d_x, 2.0);
    all_near(&change.concat(), &wanted.concat());
}

/// Several directions at once, and Jacobians.
#[smooth(jvp, jvp_many, jacobian)]
fn polar(x: &[f64; 2], scale: f64) -> ([f64; 3], f64) {
    let r = x[0].hypot(x[1]) * scale;
    ([r, x[1].atan2(x[0]), r * x[0]], r * r)
}

#[test]
fn many_directions_are_those_one_by_one() {
    let (x, scale) = ([0.3, -1.2], 1.7);
    let (d_x, d_scale) = ([[1.0, 0.0], [0.0, 1.0], [0.5, -2.0]], [0.0, 1.0, 0.25]);
    let (out, square, d_out, d_square) = polar::jvp_many(&x, scale, &d_x, &d_scale);
    assert_eq!((out, square), polar(&x, scale));
    for d in 0..3 {
        let (_, _, one, one_square) = polar::jvp(&x, scale, &d_x[d], d_scale[d]);
        all_near(&d_out[d], &one);
        assert!(near(d_square[d], one_square));
    }
    let d_rows: Vec<Vec<f64>> = d_x.iter().map(|row| row.to_vec()).collect();
    let (_, _, wanted, wanted_square) = polar::jvp_many::reference(&x, scale, &d_rows, &d_scale);
    d_out.iter().zip(&wanted).for_each(|(a, b)| all_near(a, b));
    all_near(&d_square, &wanted_square);
    let (_, _, none, _) = polar::jvp_many(&x, scale, &[], &[]);
    assert!(none.is_empty());
    let e = polar::jvp_many::try_call(&x, scale, &d_x, &d_scale[..2]).unwrap_err();
    assert_eq!(e.to_string(), "polar::jvp_many: argument d_scale has length 2, but r = 3 (from argument d_x)");
}

#[test]
fn a_jacobian_has_the_shape_of_the_result_and_then_of_the_argument() {
    let (x, scale) = ([0.3, -1.2], 1.7);
    let (out, square, (d_x, d_x_square), (d_scale, d_scale_square)) = polar::jacobian(&x, scale);
    assert_eq!((out, square), polar(&x, scale));
    for (column, unit) in [[1.0, 0.0], [0.0, 1.0]].iter().enumerate() {
        let (_, _, wanted, wanted_square) = polar::jvp(&x, scale, unit, 0.0);
        all_near(&d_x.map(|row| row[column]), &wanted);
        assert!(near(d_x_square[column], wanted_square));
    }
    let (_, _, wanted, wanted_square) = polar::jvp(&x, scale, &[0.0; 2], 1.0);
    all_near(&d_scale, &wanted);
    assert!(near(d_scale_square, wanted_square));
    let (_, _, (by_differences, _), (scales, last)) = polar::jacobian::reference(&x, scale);
    d_x.iter().zip(&by_differences).for_each(|(a, b)| all_near(a, b));
    all_near(&d_scale, &scales);
    assert!(near(d_scale_square, last));
}

/// A result that is a number, and a matrix of matrices.
#[smooth(jacobian(x, forward))]
fn squares(x: &[f64; n], a: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * x[i] * x[i])
}

#[smooth(jacobian(m))]
fn scaled_rows(m: &[[f64; 2]; n], s: &[f64; n]) -> [[f64; 2]; n] {
    build(n, |i| build(2, |j| m[i][j] * s[i] + m[0][1 - j]))
}

#[smooth(jacobian)]
fn pair(p: (f64, &[f64; 2])) -> [(f64, f64); 2] {
    build(2, |i| (p.0 * p.1[i], p.1[0]))
}

#[test]
fn jacobians_of_all_shapes() {
    let (x, a) = (numbers(5, 0.1), numbers(5, 0.9));
    let (value, d_x) = squares::jacobian(&x, &a);
    assert_eq!(value, squares(&x, &a));
    all_near(&d_x, &(0..5).map(|i| 2.0 * a[i] * x[i]).collect::<Vec<_>>());

    let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let (out, d_m) = scaled_rows::jacobian(&m, &[0.5, 0.25, 2.0]);
    assert_eq!(out, scaled_rows(&m, &[0.5, 0.25, 2.0]));
    for (i, j, k, l) in (0..36).map(|at| (at / 12, at / 6 % 2, at / 2 % 3, at % 2)) {
        let own = if (i, j) == (k, l) { [0.5, 0.25, 2.0][i] } else { 0.0 };
        let first = if (0, 1 - j) == (k, l) { 1.0 } else { 0.0 };
        assert_eq!(d_m[[i, j, k, l]], own + first, "{i} {j} {k} {l}");
    }

    let ((first, second), ((by_a, by_b), (second_a, second_b))) = pair::jacobian((3.0, &[5.0, 7.0]));
    assert_eq!((first, second), ([15.0, 21.0], [5.0, 5.0]));
    assert_eq!((by_a, by_b), ([5.0, 7.0], [[3.0, 0.0], [0.0, 3.0]]));
    assert_eq!((second_a, second_b), ([0.0; 2], [[1.0, 0.0]; 2]));
    let ((_, _), ((by_a, by_b), (_, second_b))) = pair::jacobian::reference((3.0, &[5.0, 7.0]));
    all_near(&by_a, &[5.0, 7.0]);
    all_near(&by_b.concat(), &[3.0, 0.0, 0.0, 3.0]);
    all_near(&second_b.concat(), &[1.0, 0.0, 1.0, 0.0]);
}

/// Several directions of in-out parameters and of matrices by columns.
#[smooth(jvp_many, column_major(m))]
fn relaxed(m: &mut [[f64; k]; n], h: f64) {
    for i in 1..n {
        for j in 0..k {
            m[i][j] += h * m[i - 1][j] * m[i][0];
        }
    }
}

#[test]
fn many_directions_of_in_out_parameters() {
    let (n, k, r) = (3, 2, 2);
    let by_columns = numbers(n * k, 0.2);
    let (mut m, d_h) = (by_columns.clone(), [1.0, -0.5]);
    let mut d_m = numbers(r * n * k, 0.7);
    let directions: Vec<Vec<Vec<f64>>> =
        d_m.chunks(n * k).map(|m| m.chunks(k).map(<[f64]>::to_vec).collect()).collect();
    let mut nested: Vec<Vec<f64>> = (0..n).map(|i| (0..k).map(|j| m[j * n + i]).collect()).collect();
    let mut wanted = directions;
    relaxed::jvp_many(
        smooth::ViewMut::column_major(&mut m, [n, k]),
        0.3,
        smooth::ViewMut::new(&mut d_m, [r, n, k]),
        &d_h,
    );
    relaxed::jvp_many::reference(&mut nested, 0.3, &mut wanted, &d_h);
    all_near(&d_m, &wanted.concat().concat());
    all_near(&m, &(0..n * k).map(|at| nested[at % n][at / n]).collect::<Vec<_>>());
}

/// Kernels of another crate: with derivatives of their own, and without.
#[smooth]
fn steepest(x: &[f64; n], s: f64) -> [f64; n] {
    let (_, d_x) = waves::jacobian(x, s);
    build(n, |i| x[i] - 0.1 * d_x[i])
}

#[smooth(jvp)]
fn through_another_crate(x: &[f64; n]) -> [f64; n] {
    let (value, change) = waves::jvp(x, 2.0, x);
    let squares = halved_squares(x);
    build(n, |i| squares[i] * value + change)
}

#[test]
fn derivatives_of_other_crates_are_called_and_differentiated() {
    let x = numbers(4, 0.6);
    let (s, step) = (1.5, steepest(&x, 1.5));
    all_near(&step, &x.iter().map(|x| x - 0.1 * s * (s * x).cos()).collect::<Vec<_>>());
    let d_x = numbers(4, 0.8);
    let (value, change) = through_another_crate::jvp(&x, &d_x);
    let (wanted, by_differences) = through_another_crate::jvp::reference(&x, &d_x);
    all_near(&value, &wanted);
    all_near(&change, &by_differences);
}

/// Powers at 0, to any order; quotients of small numbers; extremes of infinities.
#[smooth(jvp)]
fn square(x: f64) -> f64 {
    x.powf(2.0)
}

#[smooth(jvp)]
fn square_slope(x: f64) -> f64 {
    square::jvp(x, 1.0).1
}

#[smooth(jvp)]
fn power(x: f64, y: f64) -> f64 {
    x.powf(y)
}

#[smooth(jvp)]
fn power_slope(x: f64, y: f64) -> f64 {
    power::jvp(x, y, 1.0, 0.0).1
}

#[smooth(jvp)]
fn quotient(x: f64, y: f64) -> f64 {
    x / y
}

#[test]
fn derivatives_have_their_digits_at_the_edges() {
    assert_eq!(square_slope::jvp(0.0, 1.0), (0.0, 2.0));
    assert_eq!(power_slope::jvp(0.0, 2.0, 1.0, 0.0), (0.0, 2.0));
    assert_eq!(power_slope::jvp(0.0, 3.0, 1.0, 0.0), (0.0, 0.0));
    assert_eq!(power::jvp(f64::INFINITY, 0.0, 1.0, 0.0), (1.0, 0.0));
    let (_, small) = power::jvp(1e-300, 1.5, 1.0, 0.0);
    assert!((small / 1.5e-150 - 1.0).abs() < 1e-14, "{small:e}");
    assert_eq!(quotient::jvp(1e-310, 1e-310, 0.0, 0.0), (1.0, 0.0));
    assert_eq!(extremes::jvp(&[f64::NEG_INFINITY; 2], &[1.0, 2.0]).2, 1.0);
}

/// Floats of both widths, names that are taken, and names that begin with a line.
#[smooth(jvp, jvp_many, jacobian)]
fn widths(a: f32, b: &[f64; 2]) -> [f64; 2] {
    build(2, |i| f64::from(a) * b[i])
}

#[smooth(jvp, jvp_many, jacobian)]
fn names(_x: f64, d_x: f64, r: &[f64; n]) -> f64 {
    _x * d_x + sum(n, |i| r[i])
}

#[test]
fn jacobians_have_the_width_of_the_result() {
    let (_, d_a, d_b) = widths::jacobian(2.0, &[3.0, 4.0]);
    assert_eq!((d_a, d_b), ([3.0f64, 4.0], [[2.0, 0.0], [0.0, 2.0]]));
    assert_eq!(widths::jvp(2.0, &[3.0, 4.0], 1.0f32, &[0.0, 1.0]).1, [3.0, 6.0]);
    assert_eq!(names::jvp(2.0, 3.0, &[1.0], 1.0, 0.5, &[1.0]), (7.0, 5.0));
    assert_eq!(names::jacobian(2.0, 3.0, &[1.0]), (7.0, 3.0, 2.0, vec![1.0]));
}

/// A product that does not change, of terms that assert.
#[smooth(jvp(s))]
fn remainders(a: &[f64; n], s: f64, q: usize) -> [f64; n] {
    let factors = |_: usize| {
        assert!(q < 7);
        s as i64 % 5
    };
    build(n, |i| a[i] * s + prod(q % 4, |j| factors(j)) as f64)
}

#[test]
fn products_of_integers_have_no_tangent() {
    let (out, d_out) = remainders::jvp(&[1.0, 2.0], 3.5, 2, 1.0);
    assert_eq!((out.as_slice(), d_out.as_slice()), (&[12.5, 16.0][..], &[1.0, 2.0][..]));
}

/// The greatest of sums over more and more elements.
#[smooth(jvp)]
fn greatest(a: &[f64; n]) -> f64 {
    max(n, |i| {
        let front = &a[..i + 1];
        let squares = build(i + 1, |j| front[j] * front[j]);
        sum(front.len(), |j| squares[i - j] * front[j])
    })
}

#[test]
fn an_extreme_has_terms_with_lengths_of_their_own() {
    let (a, d_a) = ([0.5, 2.0, -0.3, 1.0], [1.0, 0.5, 0.25, -2.0]);
    all_near(&[greatest::jvp(&a, &d_a).1], &[greatest::jvp::reference(&a, &d_a).1]);
}
