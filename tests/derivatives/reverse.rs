//! Reverse derivatives as users meet them: gradients and products with cotangents, against the forward mode and differences.

use crate::numbers::{all_near, inner, near, numbers, rows};
use smooth::linalg::{vector_dot, vector_norm};
use smooth::prelude::*;
use smooth::{Real, View};
use smooth_test_kernels::derivatives::{halved_squares, waves};

/// A mean of squares.
#[smooth(grad, vjp(a))]
fn loss(a: &[f64; k], x: &[[f64; k]; n], y: &[f64; n]) -> f64 {
    sum(n, |i| (vector_dot(a, &x[i]) - y[i]).powi(2)) / n as f64
}

#[test]
fn a_loss_has_the_gradient_that_differences_have() {
    let (a, x, y) = (numbers(3, 0.1), numbers(15, 0.2), numbers(5, 0.3));
    let x = rows(&x, 3);
    let (value, d_a, d_x, d_y) = loss::value_and_grad(&a, x, &y);
    assert_eq!(value.to_bits(), loss(&a, x, &y).to_bits());
    let nested: Vec<Vec<f64>> = (0..5).map(|i| (0..3).map(|j| x[[i, j]]).collect()).collect();
    let (_, w_a, w_x, w_y) = loss::value_and_grad::reference(&a, &nested, &y);
    all_near(&d_a, &w_a);
    all_near(d_x.as_slice(), &w_x.concat());
    all_near(&d_y, &w_y);
    let (g_a, g_x, g_y) = loss::grad(&a, x, &y);
    assert_eq!((&g_a, g_x.as_slice(), &g_y), (&d_a, d_x.as_slice(), &d_y));
    all_near(&loss::grad::reference(&a, &nested, &y).0, &g_a);
    let (_, twice) = loss::vjp(&a, x, &y, 2.0);
    all_near(&twice, &d_a.iter().map(|d| 2.0 * d).collect::<Vec<_>>());
}

#[smooth(jvp(x), vjp(x))]
fn sines(x: &[f64; n], s: f64) -> [f64; n] {
    build(n, |i| (x[i] * s).sin() * x[0])
}

#[test]
fn reverse_derivatives_have_what_kernels_have() {
    let (x, d_out) = (numbers(4, 0.5), numbers(4, 1.5));
    let mut arena = Arena::with_capacity(sines::vjp::scratch([4], [4]));
    let (mut out, mut d_x) = (vec![0.0; 4], vec![f64::NAN; 4]);
    sines::vjp::into(&mut out, &mut d_x, &x, 2.0, &d_out, &mut arena);
    assert_eq!((out.clone(), d_x.clone()), sines::vjp(&x, 2.0, &d_out));
    assert_eq!(sines::vjp::shape([4], [4]), ([4], [4]));
    all_near(&d_x, &sines::vjp::reference(&x, 2.0, &d_out).1);
    let (_, change) = sines::jvp(&x, 2.0, &numbers(4, 0.9));
    assert!(near(inner(&d_out, &change), inner(&d_x, &numbers(4, 0.9))));
}

/// A result whose length is an expression.
#[smooth(vjp)]
fn correlation(x: &[f64; n], w: &[f64; k]) -> [f64; n - k + 1] {
    build(n - k + 1, |i| sum(k, |j| x[i + j] * w[j]))
}

/// Its own size has the name that the number of cotangents has elsewhere.
#[smooth(jvp_many, vjp_many)]
fn repeated(x: &[f64; r], s: f64) -> ([f64; r], f64) {
    (build(r, |i| s * x[i]), s)
}

#[test]
fn messages_name_cotangents() {
    let x = [1.0, 2.0, 3.0];
    let e = sines::vjp::try_call(&x, 1.0, &[0.0; 2]).unwrap_err();
    assert_eq!(e.to_string(), "sines::vjp: argument d_out has length 2, but n = 3 (from argument x)");
    let (mut out, mut d_x) = ([0.0; 3], [0.0; 4]);
    let e = sines::vjp::try_into(&mut out, &mut d_x, &x, 1.0, &x, &mut Arena::new()).unwrap_err();
    assert_eq!(e.to_string(), "sines::vjp: destination d_x has length 4, but the result has length 3");
    let e = correlation::vjp::try_call(&x, &[1.0, 2.0], &x).unwrap_err();
    assert_eq!(
        e.to_string(),
        "correlation::vjp: d_out.len() = 3 and n + 1 - k = 2 differ, but `d_out` is the cotangent of the result, and has its shape"
    );
    let e = repeated::vjp_many::try_call(&x, 2.0, &[[1.0; 3]; 4], &[0.0; 5]).unwrap_err();
    assert_eq!(e.to_string(), "repeated::vjp_many: argument d_out1 has length 5, but r_ = 4 (from argument d_out0)");
    let e = repeated::jvp_many::try_call(&x, 2.0, &[[1.0; 2]; 4], &[0.0; 4]).unwrap_err();
    assert_eq!(
        e.to_string(),
        "repeated::jvp_many: argument d_x has length 2 along axis 1, but r = 3 (from argument x)"
    );
    let (out, d_x, d_w) = correlation::vjp(&x, &[1.0, 2.0], &[1.0, 10.0]);
    assert_eq!((out, d_x, d_w), (vec![5.0, 8.0], vec![1.0, 12.0, 20.0], vec![21.0, 32.0]));
}

/// Lengths without a name: a branch has the tangent of the argument, the other one has zeros.
#[smooth(jvp, vjp, vjp_many)]
fn anonymous(x: &[f64], yes: bool, y: &mut [[f64]]) -> [f64] {
    if x.len() > 1 {
        y[0][0] *= x[1];
    }
    if yes { x.clone() } else { build(x.len(), |i| i as f64) }
}

#[test]
fn lengths_without_a_name_are_those_of_the_argument() {
    let (x, d) = ([1.0, 2.0, 5.0], [3.0, 4.0, 6.0]);
    let (mut y, mut d_y) = ([[7.0; 2]; 1], [[1.0; 2]; 1]);
    assert_eq!(anonymous::jvp(&x, true, &mut y, &d, &mut d_y), (x.to_vec(), d.to_vec()));
    assert_eq!((y, d_y), ([[14.0, 7.0]], [[2.0 + 28.0, 1.0]]));
    let (mut y, mut d_y) = ([[7.0; 2]; 1], [[1.0; 2]; 1]);
    let (_, d_x) = anonymous::vjp(&x, false, &mut y, &d, &mut d_y);
    assert_eq!((d_x, d_y), (vec![0.0, 7.0, 0.0], [[2.0, 1.0]]));
    let e = anonymous::jvp::try_call(&x, true, &mut y, &d[..2], &mut d_y).unwrap_err();
    assert_eq!(e.to_string(), "anonymous::jvp: argument d_x has length 2, but x_len = 3 (from argument x)");
    let e = anonymous::vjp::try_call(&x, true, &mut y, &d[..2], &mut d_y).unwrap_err();
    assert_eq!(
        e.to_string(),
        "anonymous::vjp: d_out.len() = 2 and x_len = 3 differ, but `d_out` is the cotangent of the result, and has its shape"
    );
}

/// Tuples: the floats of arguments and of results, by generic types and sizes.
#[smooth(jvp, vjp)]
fn parts<const N: usize, T: Real>(x: (T, &[T; N]), yes: bool) -> ((T, [T; N]), [usize; N], [[T; N]; N]) {
    let (a, b) = x;
    ((if yes { a * a } else { a }, build(N, |i| b[i] * a)), [N; N], build(N, |i| build(N, |j| b[i] * b[j])))
}

#[smooth(grad)]
fn sparse(row: &[(usize, f64); k], x: &[f64; n]) -> (f64, usize) {
    (sum(k, |j| row[j].1 * x[row[j].0 % n]), k)
}

#[test]
fn what_is_no_float_has_no_cotangent() {
    let outer = [[1.0, 2.0], [3.0, 4.0]];
    let (value, kept, product, (d_a, d_b)) = parts::vjp((2.0, &[1.0, 3.0]), true, (1.0, &[0.5, 0.25]), &outer);
    assert_eq!((value, kept, product), parts((2.0, &[1.0, 3.0]), true));
    // d_a = 2 a + d_out0.1 · b;  d_b = a d_out0.1 + (outer + outerᵀ) b
    assert_eq!(d_a, 4.0 + 0.5 + 0.75);
    assert_eq!(d_b, [1.0 + 2.0 + 15.0, 0.5 + 5.0 + 24.0]);
    let (_, _, _, (d_a, _)) = parts::vjp((2.0f32, &[1.0, 3.0]), false, (1.0, &[0.0; 2]), &[[0.0f32; 2]; 2]);
    assert_eq!(d_a, 1.0f32);
    let row = (&[0usize, 5][..], &[1.0, 2.0][..]);
    let (value, count, d_row, d_x) = sparse::value_and_grad(row, &[1.0, 2.0, 3.0]);
    assert_eq!((value, count, d_row, d_x), (7.0, 2, vec![1.0, 3.0], vec![1.0, 0.0, 2.0]));
    assert_eq!(sparse::grad(row, &[1.0, 2.0, 3.0]), (vec![1.0, 3.0], vec![1.0, 0.0, 2.0]));
}

/// Layouts: cotangents are stored by rows, however the matrix is, unless they are named.
#[smooth(jvp, vjp, column_major(m, out), strided(w))]
fn layouts(m: &[[f64; k]; n], w: &[[f64; k]; n]) -> [[f64; k]; n] {
    build(n, |i| build(k, |j| m[i][j] * w[i][j] * m[i][0]))
}

#[smooth(vjp, column_major(m, d_m))]
fn turned(m: &[[f64; k]; n], s: f64) -> f64 {
    sum(n, |i| sum(k, |j| m[i][j] * s * (i + 2 * j) as f64))
}

#[test]
fn cotangents_are_stored_by_rows() {
    let (n, k) = (4, 3);
    let (m, w, d_out) = (numbers(n * k, 0.1), numbers(n * k, 0.2), numbers(n * k, 0.3));
    let (d_m, d_w) = (numbers(n * k, 1.3), numbers(n * k, 1.4));
    let by_columns: Vec<f64> = (0..n * k).map(|at| m[at % n * k + at / n]).collect();
    let columns = View::column_major(&by_columns, [n, k]);
    let (_, change) = layouts::jvp(columns, rows(&w, k), rows(&d_m, k), rows(&d_w, k));
    let (_, c_m, c_w) = layouts::vjp(columns, rows(&w, k), rows(&d_out, k));
    let forward: f64 = (0..n * k).map(|at| change[[at / k, at % k]] * d_out[at]).sum();
    let back = |c: &dyn Fn(usize) -> f64, d: &[f64]| (0..n * k).map(|at| c(at) * d[at]).sum::<f64>();
    assert!(near(forward, back(&|at| c_m.as_slice()[at], &d_m) + back(&|at| c_w.as_slice()[at], &d_w)));
    let (_, d_m, _) = turned::vjp(columns, 0.5, 1.0);
    assert_eq!(d_m[[3, 1]], 2.5);
    assert_eq!(d_m.as_slice()[n + 3], 2.5);
}

/// In-out parameters: the cotangent of the last value on entry, that of the argument on return.
#[smooth(jvp, vjp)]
fn kick(q: &mut [f64; n], h: f64, s: &mut f64) -> f64 {
    let first = q[0];
    q[0] += h * q[n - 1].sin();
    q[1] = h * first;
    *s *= h;
    q[0] * q[1]
}

#[test]
fn in_out_parameters_have_in_out_cotangents() {
    let (q, d_q, c_q) = (numbers(4, 0.1), numbers(4, 0.2), numbers(4, 0.3));
    let (h, s, d_h, d_s, c_s, c_out) = (0.7, 1.1, 0.4, 0.6, 0.8, 1.2);
    let (mut last, mut d_last, mut t, mut d_t) = (q.clone(), d_q.clone(), s, d_s);
    let (value, change) = kick::jvp(&mut last, h, &mut t, &mut d_last, d_h, &mut d_t);
    let forward = change * c_out + inner(&d_last, &c_q) + d_t * c_s;

    let (mut found, mut back_q, mut u, mut back_s) = (q.clone(), c_q.clone(), s, c_s);
    let (again, back_h) = kick::vjp(&mut found, h, &mut u, c_out, &mut back_q, &mut back_s);
    assert_eq!((again, &found, u), (value, &last, t));
    assert!(near(forward, inner(&back_q, &d_q) + back_h * d_h + back_s * d_s));

    let (mut found, mut wanted_q, mut u, mut wanted_s) = (q, c_q, s, c_s);
    let (_, wanted_h) = kick::vjp::reference(&mut found, h, &mut u, c_out, &mut wanted_q, &mut wanted_s);
    all_near(&back_q, &wanted_q);
    all_near(&[back_h, back_s, u], &[wanted_h, wanted_s, t]);
}

/// A gradient is called by its path, and differentiated: the Hessian times a vector, and a step of Newton's method.
#[smooth(grad)]
fn energy(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i].exp() * x[(i + 1) % n])
}

#[smooth(jvp, vjp, jacobian)]
fn slope(x: &[f64; n]) -> [f64; n] {
    energy::grad(x)
}

#[smooth]
fn descended(x: &[f64; n], rate: f64) -> [f64; n] {
    let d = energy::grad(x);
    build(n, |i| x[i] - rate * d[i])
}

#[test]
fn gradients_are_kernels() {
    let (x, v) = (numbers(5, 0.4), numbers(5, 0.8));
    let d = energy::grad(&x);
    all_near(&d, &energy::grad::reference(&x));
    all_near(&descended(&x, 0.1), &x.iter().zip(&d).map(|(x, d)| x - 0.1 * d).collect::<Vec<_>>());
    let (value, forward) = slope::jvp(&x, &v);
    let (_, reverse) = slope::vjp(&x, &v);
    let (_, hessian) = slope::jacobian(&x);
    assert_eq!(value, d);
    all_near(&forward, &reverse);
    all_near(&forward, &(0..5).map(|i| (0..5).map(|j| hessian[[i, j]] * v[j]).sum()).collect::<Vec<_>>());
}

/// Loops that add: a sum, and a product of matrices.
#[smooth(grad)]
fn squares(x: &[f64; n]) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        total += x[i] * x[i];
        if x[i] < 0.0 {
            total -= x[0];
        }
    }
    total
}

#[smooth(jvp, vjp)]
fn product_by_loops(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    let mut c = [[1.0; m]; n];
    for i in 0..n {
        for l in 0..k {
            for j in 0..m {
                c[i][j] += a[i][l] * b[l][j];
            }
        }
    }
    c
}

#[test]
fn loops_that_add_have_gradients() {
    assert_eq!(squares::grad(&[1.0, -2.0, 3.0, -4.0]), [0.0, -4.0, 6.0, -8.0]);
    let (a, b, d_out) = (numbers(6, 0.1), numbers(12, 0.2), numbers(8, 0.3));
    let (d_a, d_b) = (numbers(6, 0.4), numbers(12, 0.5));
    let (_, change) = product_by_loops::jvp(rows(&a, 3), rows(&b, 4), rows(&d_a, 3), rows(&d_b, 4));
    let (_, c_a, c_b) = product_by_loops::vjp(rows(&a, 3), rows(&b, 4), rows(&d_out, 4));
    let back = inner(c_a.as_slice(), &d_a) + inner(c_b.as_slice(), &d_b);
    assert!(near(inner(change.as_slice(), &d_out), back));
}

/// Kernels of the library and of other crates.
#[smooth(grad)]
fn lengths(x: &[[f64; k]; n]) -> f64 {
    sum(n, |i| vector_norm(&x[i]))
}

#[smooth(grad)]
fn through_another_crate(x: &[f64; n]) -> f64 {
    let (value, change) = waves::jvp(x, 2.0, x);
    let squares = halved_squares(x);
    sum(n, |i| squares[i] * value) + change
}

#[test]
fn gradients_go_through_calls() {
    let d = lengths::grad(rows(&[3.0, 4.0, 0.0, 0.0], 2));
    all_near(d.as_slice(), &[0.6, 0.8, 0.0, 0.0]);
    assert_eq!(d[[1, 0]], 0.0);
    let x = numbers(4, 0.6);
    all_near(&through_another_crate::grad(&x), &through_another_crate::grad::reference(&x));
}

/// Several cotangents at once, and Jacobians row by row.
#[smooth(vjp, vjp_many, jacobian(x, y, reverse), jvp)]
fn polar(x: &[f64; 2], y: &[f64; n], scale: f64) -> ([f64; 3], [f64; n]) {
    let r = x[0].hypot(x[1]) * scale;
    ([r, x[1].atan2(x[0]), r * x[0]], build(n, |i| y[i] * y[0] * r))
}

#[smooth(vjp, vjp_many, column_major(m, d_q), strided(w))]
fn many_layouts(m: &[[f64; k]; n], w: &[[f64; k]; n], q: &mut [[f64; k]; n]) -> [[f64; n - 1]; n] {
    let first = m[0][0] * q[1][0];
    q[0][1] += first;
    build([n, n - 1], |i, j| sum(k, |l| m[i][l] * w[j][l]) * first)
}

#[test]
fn many_cotangents_are_those_one_by_one() {
    let (x, y, scale) = ([0.3, -1.2], numbers(4, 0.2), 1.7);
    let (d_0, d_1) = ([[1.0, 0.5, -2.0], [0.0, 1.0, 0.0]], numbers(8, 0.7));
    let (out, more, d_x, d_y, d_scale) = polar::vjp_many(&x, &y, scale, &d_0, rows(&d_1, 4));
    assert_eq!((out, more), polar(&x, &y, scale));
    for d in 0..2 {
        let (_, _, one_x, one_y, one_scale) = polar::vjp(&x, &y, scale, &d_0[d], &d_1[4 * d..4 * d + 4]);
        all_near(&d_x[d], &one_x);
        all_near(&d_y.as_slice()[4 * d..4 * d + 4], &one_y);
        assert!(near(d_scale[d], one_scale));
    }
    let nested: [Vec<Vec<f64>>; 2] =
        [d_0.iter().map(|d| d.to_vec()).collect(), d_1.chunks(4).map(<[f64]>::to_vec).collect()];
    let (_, _, w_x, w_y, w_scale) = polar::vjp_many::reference(&x, &y, scale, &nested[0], &nested[1]);
    all_near(&d_x.concat(), &w_x.concat());
    all_near(d_y.as_slice(), &w_y.concat());
    all_near(&d_scale, &w_scale);

    let (n, k, r) = (3, 2, 2);
    let (m, w, q) = (numbers(n * k, 0.1), numbers(n * k, 0.2), numbers(n * k, 0.3));
    let (c_out, c_q) = (numbers(r * n * (n - 1), 0.4), numbers(r * n * k, 0.5));
    let (mut last, mut d_q) = (q.clone(), c_q.clone());
    let (_, d_m, d_w) = many_layouts::vjp_many(
        View::column_major(&m, [n, k]),
        rows(&w, k),
        smooth::ViewMut::new(&mut last, [n, k]),
        View::new(&c_out, [r, n, n - 1]),
        smooth::ViewMut::column_major(&mut d_q, [r, n, k]),
    );
    for d in 0..r {
        let own = |flat: &[f64], i: usize, j: usize| flat[(j * n + i) * r + d];
        let mut one_q: Vec<f64> = (0..n * k).map(|at| own(&c_q, at % n, at / n)).collect();
        let c = &c_out[d * n * (n - 1)..(d + 1) * n * (n - 1)];
        let mut again = q.clone();
        let (_, one_m, one_w) = many_layouts::vjp(
            View::column_major(&m, [n, k]),
            rows(&w, k),
            smooth::ViewMut::new(&mut again, [n, k]),
            View::new(c, [n, n - 1]),
            smooth::ViewMut::column_major(&mut one_q, [n, k]),
        );
        for (i, j) in (0..n).flat_map(|i| (0..k).map(move |j| (i, j))) {
            assert!(near(d_m[[d, i, j]], one_m[[i, j]]) && near(d_w[[d, i, j]], one_w[[i, j]]));
            assert!(near(own(&d_q, i, j), one_q[j * n + i]), "{d} {i} {j}");
        }
    }
}

#[test]
fn a_jacobian_by_rows_is_that_by_columns() {
    let (x, y, scale) = ([0.3, -1.2], numbers(4, 0.2), 1.7);
    let (out, more, (d_x, d_x_more), (d_y, d_y_more)) = polar::jacobian(&x, &y, scale);
    assert_eq!((out, more), polar(&x, &y, scale));
    for c in 0..2 {
        let unit = [f64::from(c == 0), f64::from(c == 1)];
        let (_, _, first, second) = polar::jvp(&x, &y, scale, &unit, &[0.0; 4], 0.0);
        all_near(&d_x.map(|row| row[c as usize]), &first);
        all_near(&(0..4).map(|i| d_x_more[i][c as usize]).collect::<Vec<_>>(), &second);
    }
    for c in 0..4 {
        let unit: Vec<f64> = (0..4).map(|i| f64::from(i == c)).collect();
        let (_, _, first, second) = polar::jvp(&x, &y, scale, &[0.0; 2], &unit, 0.0);
        all_near(&(0..3).map(|i| d_y[[i, c]]).collect::<Vec<_>>(), &first);
        all_near(&(0..4).map(|i| d_y_more[[i, c]]).collect::<Vec<_>>(), &second);
    }
}

/// Few rows and many columns: both rows over one value.
#[smooth(jacobian, column_major(m))]
fn projection(camera: &[f64; 6], point: &[f64; 3], m: &[[f64; 2]; 2], weight: f64) -> [f64; 2] {
    let z = point[2] + camera[2];
    let r = [(point[0] + camera[0]) / z * camera[3], (point[1] + camera[1]) / z * camera[4].exp()];
    [weight * (m[0][0] * r[0] + m[0][1] * r[1]), weight * (m[1][0] * r[0] + m[1][1] * r[1] * camera[5])]
}

#[test]
fn few_rows_are_one_by_one() {
    let (camera, point) = ([0.1, 0.2, 3.0, 1.1, 0.4, 0.9], [0.3, -0.5, 1.5]);
    let by_columns = [1.0, 3.0, 2.0, 4.0];
    let m = View::column_major(&by_columns, [2, 2]);
    let (out, d_camera, d_point, d_m, d_weight) = projection::jacobian(&camera, &point, m, 2.0);
    assert_eq!(out, projection(&camera, &point, m, 2.0));
    let nested = [[1.0, 2.0], [3.0, 4.0]].map(|row| row.to_vec());
    let (_, w_camera, w_point, w_m, w_weight) = projection::jacobian::reference(&camera, &point, &nested, 2.0);
    all_near(&d_camera.concat(), &w_camera.concat());
    all_near(&d_point.concat(), &w_point.concat());
    all_near(&d_m.as_flattened().concat(), &w_m.concat().concat());
    all_near(&d_weight, &w_weight);
}

/// Three rows over a value whose inner loop has a dear term that each row reads.
#[smooth(jacobian(a))]
fn three_rows(a: &[f64; n], count: usize) -> [f64; 3] {
    let x = sum(n, |i| a[i]);
    let e = build(n, |i| (a[i] - x).sin());
    let dear = |i: usize, j: usize| ifold(count, 1.5, |y, _| y * 0.5 + i as f64 + j as f64);
    build(3, |j| x * (sum(n, |i| e[n - 1 - i] * dear(i, j)) + sum(n, |i| e[i])))
}

#[test]
fn rows_share_the_tape_of_an_inner_loop() {
    let a = numbers(5, 0.4);
    let (out, d_a) = three_rows::jacobian(&a, 2);
    assert_eq!(out, three_rows(&a, 2));
    all_near(
        &(0..3).flat_map(|j| (0..5).map(move |i| (j, i))).map(|(j, i)| d_a[[j, i]]).collect::<Vec<_>>(),
        &three_rows::jacobian::reference(&a, 2).1.concat(),
    );
}

/// Branches that are not taken divide by zero, and take roots and logarithms of negative numbers.
#[smooth(grad)]
fn guarded(x: &[f64; n]) -> f64 {
    sum(n, |i| {
        let root = if x[i] > 0.0 { x[i].sqrt() } else { 0.0 };
        let log = if x[i] > 0.0 { x[i].ln() } else { -x[i] };
        root + log + if x[i] != 0.0 { 1.0 / x[i] } else { 0.0 }
    })
}

#[test]
fn branches_that_are_not_taken_give_no_nan() {
    let x = [-4.0, 0.0, 4.0, -1.0, 1.0, 0.0, -0.0, 2.0, -2.0];
    let wanted = |x: f64| match x {
        x if x > 0.0 => 0.5 / x.sqrt() + 1.0 / x - 1.0 / (x * x),
        x if x < 0.0 => -1.0 - 1.0 / (x * x),
        _ => -1.0,
    };
    all_near(&guarded::grad(&x), &x.map(wanted));
}

/// Values that are bound before a branch, and are infinite or NaN where it does not need them.
#[smooth(grad)]
fn root_or(x: f64) -> f64 {
    x.sqrt().max(0.25)
}

#[smooth(grad)]
fn root_twice(x: f64) -> f64 {
    let r = x.sqrt();
    if x > 0.0 { r * r + r } else { x }
}

#[smooth(grad)]
fn ratio(x: f64, y: f64) -> f64 {
    let q = y / x;
    let z = q * x;
    if x != 0.0 { q * z } else { y }
}

#[smooth(grad)]
fn total_root(x: &[f64; n]) -> f64 {
    let r = sum(n, |i| x[i].sqrt());
    if r > 0.0 { r * r } else { 3.0 }
}

#[smooth(grad)]
fn roots(x: &[f64; n]) -> f64 {
    let r = build(n, |i| x[i].sqrt());
    let mut t = prod(n, |i| if x[i] > 0.0 { r[i] } else { 1.0 });
    for i in 0..n {
        if x[i] > 0.0 {
            t += r[i] * r[i] * x[i];
        }
    }
    t + r[n - 1] * r[n - 1]
}

#[smooth(grad)]
fn pair_or(x: f64, y: f64) -> f64 {
    let (u, v) = (x.sqrt(), y.ln());
    let best = max(2, |i| if i == 0 { x } else { u });
    best + if x > 0.0 && y > 0.0 {
        u * v
    } else if x > 0.0 {
        u
    } else {
        y
    }
}

#[test]
fn values_that_a_branch_does_not_need_give_no_nan() {
    assert_eq!(root_or::grad(-1.0), 0.0);
    assert_eq!(root_twice::grad(-1.0), 1.0);
    assert_eq!(root_twice::grad(4.0), 1.25);
    assert_eq!(ratio::grad(0.0, 2.0), (0.0, 1.0));
    assert_eq!(total_root::grad(&[-1.0, 2.0]), [0.0, 0.0]);
    assert_eq!(roots::grad(&[-1.0, 4.0])[0], 0.0);
    assert!(near(roots::grad(&[-1.0, 4.0])[1], 0.25 + 2.0 * 4.0 + 1.0));
    assert_eq!(pair_or::grad(-1.0, -2.0), (1.0, 1.0));
}

/// A row of a Jacobian does not know of what is infinite in another row.
#[smooth(jacobian(x, reverse))]
fn inverses(x: &[f64; n]) -> [f64; n] {
    build(n, |i| 1.0 / x[i])
}

#[smooth(jacobian(x, reverse))]
fn two_inverses(x: &[f64; 2]) -> [f64; 2] {
    let y = build(2, |i| 1.0 / x[i]);
    build(2, |i| y[i] * y[i])
}

#[test]
fn rows_of_a_jacobian_are_apart() {
    let (_, d_x) = inverses::jacobian(&[0.0, 2.0]);
    assert_eq!((d_x[[1, 0]], d_x[[1, 1]]), (0.0, -0.25));
    let (_, d_x) = two_inverses::jacobian(&[0.0, 2.0]);
    assert_eq!(d_x[1], [0.0, -0.25]);
}

/// Points without derivative, and reductions.
#[smooth(grad)]
fn corners(x: f64, y: f64) -> f64 {
    x.abs() + x.max(y) + x.clamp(0.0, 1.0) + x.sqrt() + x.hypot(y) + x.floor() + x.powf(0.5) + x.powi(0)
}

#[smooth(grad, singular = "ieee")]
fn root(x: f64) -> f64 {
    x.sqrt()
}

#[smooth(vjp)]
fn extremes(x: &[f64; n]) -> (f64, f64) {
    (max(n, |i| x[i]), min(n, |i| x[i] * x[i]))
}

#[smooth(grad)]
fn product(x: &[f64; n]) -> f64 {
    prod(n, |i| x[i])
}

/// A product of a number of factors that is computed from data.
#[smooth(grad)]
fn some_factors(x: &[f64; n], count: &[usize; 1]) -> f64 {
    prod(count[0].min(n), |i| x[i] * x[i])
}

#[test]
fn a_fixed_element_is_taken_where_there_is_no_derivative() {
    assert_eq!(corners::grad(0.0, 0.0), (2.0, 0.0));
    assert_eq!(root::grad(0.0), f64::INFINITY);
    let nan = f64::NAN;
    assert_eq!(extremes::vjp(&[1.0, 3.0, 3.0, -1.0], 1.0, 10.0).2, [20.0, 1.0, 0.0, 0.0]);
    assert_eq!(extremes::vjp(&[nan, 3.0, nan], 1.0, 10.0).2, [0.0, 61.0, 0.0]);
    assert_eq!(extremes::vjp(&[nan, nan], 1.0, 10.0).2, [0.0, 0.0]);
    assert_eq!(extremes::vjp(&[], 1.0, 10.0).2, [0.0; 0]);
    assert_eq!(product::grad(&[2.0, 0.0, 3.0]), [0.0, 6.0, 0.0]);
    assert_eq!(product::grad(&[0.0, 0.0, 3.0]), [0.0; 3]);
    assert_eq!(product::grad(&[]), [0.0; 0]);
    assert_eq!(some_factors::grad(&[1.0, 2.0, 3.0, 5.0], &[3]), [72.0, 36.0, 24.0, 0.0]);
}

/// Floats of both widths, names that are taken, and names of results.
#[smooth(vjp, grad)]
fn widths(a: f32, b: &[f64; 2]) -> (f64, [f32; 2]) {
    (f64::from(a) * b[0], build(2, |i| a * b[i] as f32))
}

#[smooth(vjp, grad)]
fn names(_x: f64, d_x: f64, d_out: &[f64; n], out: &[f64; n]) -> f64 {
    _x * d_x + sum(n, |i| d_out[i] * out[i])
}

#[test]
fn cotangents_have_the_width_of_the_argument() {
    assert_eq!(widths::grad(2.0, &[3.0, 4.0]), (3.0f32, [2.0f64, 0.0]));
    let (_, _, d_a, d_b) = widths::vjp(2.0, &[3.0, 4.0], 1.0f64, &[0.5f32, 0.25]);
    assert_eq!((d_a, d_b), (3.0 + 1.5 + 1.0, [2.0 + 1.0, 0.5]));
    assert_eq!(names::grad(2.0, 3.0, &[5.0], &[7.0]), (3.0, 2.0, vec![7.0], vec![5.0]));
    assert_eq!(names::vjp(2.0, 3.0, &[5.0], &[7.0], 10.0), (41.0, 30.0, 20.0, vec![70.0], vec![50.0]));
}

/// Elements under conditions of lengths: the last one of an empty array is none.
#[smooth(grad)]
fn last_ones(x: &[f64; n], t: &[f64; n]) -> f64 {
    sum(3, |i| {
        (if i > 0 && i - 1 < n { t[i - 1] } else { 1.5 }) * (if n > 0 { x[(i + 1).min(n - 1)] } else { 2.0 }).powi(2)
    })
}

#[test]
fn elements_of_empty_arrays_are_not_read() {
    for n in [0, 1, 2, 5] {
        last_ones::check_derivatives(&numbers(n, 0.3), &numbers(n, 0.7));
    }
    assert_eq!(last_ones::grad(&[], &[]), (vec![], vec![]));
}

/// The least of sums over arrays of lengths of their own, for each row.
#[smooth(vjp)]
fn least(w: &[[f64; 3]; k], s: f64, p: usize) -> [f64; p] {
    build(p, |i| {
        min(p, |j| {
            let x = build(j + 1, |l| w[i % k][(j + l) % 3]);
            sum(2, |l| s * x[l / 2] + w[0][l])
        })
    })
}

/// Arrays of a length of their own are not kept for all iterations.
#[smooth(grad)]
fn triangles(a: &[f64; n], p: usize) -> f64 {
    sum(n, |i| {
        let x = build(i + 1, |j| sum(p, |l| (a[l % n] * j as f64).sin()));
        sum(p, |k| sum(i + 1, |l| x[i - l] * a[l]).exp() * k as f64)
    })
}

#[test]
fn lengths_may_depend_on_the_iteration() {
    let (w, d_out) = (vec![[0.3, -0.5, 1.0], [0.7, 0.2, -0.9]], [1.0, -0.5, 2.0]);
    let (_, d_w, d_s) = least::vjp(&w, 0.8, 3, &d_out);
    let nested: Vec<Vec<f64>> = w.iter().map(|row| row.to_vec()).collect();
    let (_, w_w, w_s) = least::vjp::reference(&nested, 0.8, 3, &d_out);
    all_near(&d_w.concat(), &w_w.concat());
    all_near(&[d_s], &[w_s]);
    let a = numbers(5, 0.3);
    all_near(&triangles::grad(&a, 2), &triangles::grad::reference(&a, 2));
}
