//! The library's own derivatives: the gradient of a weighted sum of each result, against differences and the forward mode.

use crate::numbers::{all_near, inner, near, numbers};
use smooth::array::*;
use smooth::convolution::*;
use smooth::linalg::*;
use smooth::prelude::*;
use smooth::sort::*;
use smooth::statistics::*;

/// A square matrix, far from a singular one, with a large element in another place of each row than the diagonal.
#[smooth]
fn square(x: &[f64; t], n: usize) -> [[f64; n]; n] {
    build([n, n], |i, j| x[(i * n + j) % t] + if (i + 1) % n == j { 3.0 } else { 0.0 })
}

/// A symmetric positive definite one.
#[smooth]
fn definite(x: &[f64; t], n: usize) -> [[f64; n]; n] {
    build([n, n], |i, j| 0.3 * (x[(i * n + j) % t] + x[(j * n + i) % t]) + if i == j { n as f64 } else { 0.0 })
}

#[smooth]
fn weighted(y: &[f64; n]) -> f64 {
    sum(n, |i| y[i] * (i as f64 * 0.7 + 0.3).sin())
}

#[smooth]
fn weighted_rows(y: &[[f64; k]; n]) -> f64 {
    sum(n, |i| weighted(&y[i]) * (i as f64 * 1.1 + 0.6).cos())
}

/// Numbers of which no two are near each other.
#[smooth]
fn apart(x: &[f64; t]) -> [f64; t] {
    build(t, |i| x[i] * 0.3 + (i * 7 % t) as f64)
}

macro_rules! kernels {
    ($($name:ident($x:ident[$t:ident], $n:ident) $body:block)*) => {
        $(
            #[smooth(grad($x), jvp($x))]
            fn $name($x: &[f64; $t], $n: usize) -> f64 $body
        )*

        #[test]
        fn gradients_are_those_of_differences() {
            for n in [1, 2, 3, 4, 5, 7, 9] {
                let x = numbers(n * n + 2 * n + 1, 0.37);
                let d_x = numbers(x.len(), 0.9);
                $({
                    let d = $name::grad(&x, n);
                    let e = $name::grad::reference(&x, n);
                    let holds = d.iter().zip(&e).all(|(a, b)| (a - b).abs() <= 1e-7 * (1.0 + a.abs().max(b.abs())));
                    assert!(holds, "{} of {n}: {d:?} is not {e:?}", stringify!($name));
                    let (value, change) = $name::jvp(&x, n, &d_x);
                    assert_eq!(value.to_bits(), $name(&x, n).to_bits(), "{}", stringify!($name));
                    assert!(near(change, inner(&d, &d_x)), "{} of {n}: {change}", stringify!($name));
                })*
            }
        }
    };
}

kernels! {
    lower_systems(x[t], n) {
        let l = definite(x, n);
        let b = &x[t - n..];
        weighted(&solve_lower(&l, b)) + weighted(&solve_lower_transposed(&l, b)) + weighted(&cholesky_solve(&l, b))
    }
    upper_systems(x[t], n) {
        let u = definite(x, n);
        let b = &x[t - n..];
        weighted(&solve_upper(&u, b)) + weighted(&solve_upper_transposed(&u, b))
    }
    systems(x[t], n) {
        weighted(&solve(&square(x, n), &x[t - n..]))
    }
    systems_of_several(x[t], n) {
        let b = build([n, 3], |i, c| x[(i * 3 + c + 5) % t]);
        weighted_rows(&solve_matrix(&square(x, n), &b))
    }
    factors_and_systems(x[t], n) {
        let (factors, order) = lu(&square(x, n));
        weighted_rows(&factors) + weighted(&lu_solve(&factors, &order, &x[t - n..]))
    }
    inverses(x[t], n) {
        weighted_rows(&inverse(&square(x, n)))
    }
    determinants(x[t], n) {
        determinant(&square(x, n))
    }
    lower_factors(x[t], n) {
        weighted_rows(&cholesky(&definite(x, n)))
    }
    tall_factors(x[t], n) {
        let a = build([n + 2, n], |i, j| x[(i * n + j) % t] + if (i + 1) % n == j { 2.0 } else { 0.0 });
        let (q, r) = qr(&a);
        weighted_rows(&q) + weighted_rows(&r)
    }
    wide_factors(x[t], n) {
        let a = build([n, n + 2], |i, j| x[(i * n + j) % t] + if i == j { 2.0 } else { 0.0 });
        let (q, r) = qr(&a);
        weighted_rows(&q) + weighted_rows(&r)
    }
    fits(x[t], n) {
        let a = build([n + 2, n], |i, j| x[(i * n + j) % t] + if i == j { 2.0 } else { 0.0 });
        let b = build(n + 2, |i| x[(i + 3) % t]);
        weighted(&least_squares(&a, &b))
    }
    norms(x[t], n) {
        // The largest is far from the others.
        let m = build([n, n], |i, j| x[i * n + j] * (1 + i * 2 + j * 5) as f64);
        let far = build(t, |i| x[i] * if i % 8 == 1 { i as f64 } else { 0.1 });
        vector_norm(x) + vector_norm1(x) + vector_norm_inf(&far) + matrix_norm1(&m) + matrix_norm_inf(&m)
            + matrix_norm_frobenius(&m) + trace(&m)
    }
    products(x[t], n) {
        let m = square(x, n);
        let row = &x[..n];
        weighted_rows(&matrix_mul(&m, &matrix_transpose(&m))) + weighted(&matvec(&m, row)) + weighted(&vecmat(row, &m))
            + weighted_rows(&vector_out_prod(row, x))
    }
    small_ones(x[t], n) {
        let two = build([2, 2], |i, j| x[(i * 2 + j) % t] + if i == j { 2.0 } else { 0.0 });
        let three = build([3, 3], |i, j| x[(i * 3 + j) % t] + if i == j { 2.0 } else { 0.0 });
        let four = build([4, 4], |i, j| x[(i * 4 + j) % t] + if i == j { 3.0 } else { 0.0 });
        determinant2(&two) + determinant3(&three) + determinant4(&four) + weighted_rows(&inverse2(&two))
            + weighted_rows(&inverse3(&three)) + weighted_rows(&inverse4(&four)) + n as f64
    }
    turns(x[t], n) {
        let v = build(3, |i| x[i % t] + 0.1);
        let q = build(4, |i| x[(i + n) % t] + 0.2);
        let a = quaternion_normalise(&q);
        let b = quaternion_from_axis_angle(&v, x[0]);
        weighted(&quaternion_rotate(&a, &v)) + weighted(&quaternion_slerp(&a, &b, 0.3))
            + weighted_rows(&rotation_from_quaternion(&a)) + weighted_rows(&rotation_from_vector(&v))
            + weighted_rows(&rotation_from_axis_angle(&v, x[1])) + weighted(&vector_cross(&v, &quaternion_rotate(&b, &v)))
            + weighted_rows(&rotation_x(x[0])) + weighted_rows(&rotation_y(x[0])) + weighted_rows(&rotation_z(x[0]))
            + weighted(&quaternion_mul(&quaternion_conjugate(&a), &b))
    }
    statistics_of_numbers(x[t], n) {
        let y = apart(x);
        mean(x) + variance(x) + sample_variance(x) + min(&y) + max(&y) + logsumexp(x) + weighted(&softmax(x)) + n as f64
    }
    convolutions(x[t], n) {
        let w = &x[..n];
        weighted(&convolve_full(x, w)) + weighted(&convolve_same(x, w)) + weighted(&convolve_valid(x, w))
            + weighted(&correlate_valid(x, w))
    }
    convolutions_of_images(x[t], n) {
        let m = square(x, n);
        let w = build([n.min(2), n.min(2)], |i, j| x[(i + j + 1) % t]);
        weighted_rows(&convolve2d_full(&m, &w)) + weighted_rows(&convolve2d_same(&m, &w))
            + weighted_rows(&convolve2d_valid(&m, &w)) + weighted_rows(&correlate2d_valid(&m, &w))
    }
    sorted_numbers(x[t], n) {
        let y = apart(x);
        let order = argsort(&y);
        weighted(&sort(&y)) + quantile(&y, 0.3) + quantile(&y, 0.5) * x[0] + weighted(&take(&y, &order)) + n as f64
    }
    distinct_numbers(x[t], n) {
        let (y, count) = distinct(&build(t, |i| x[i / 2] * 0.3 + (i / 2 * 7 % t) as f64));
        weighted(&y) + count as f64 + n as f64
    }
    shapes_of_arrays(x[t], n) {
        let m = square(x, n);
        let w = &x[..n];
        weighted(&flatten(&m)) + weighted_rows(&reshape(&flatten(&m), n, n)) + weighted_rows(&transpose(&m))
            + weighted(&concat(x, w)) + weighted_rows(&concat_rows(&m, &m)) + weighted_rows(&concat_columns(&m, &m))
            + weighted_rows(&stack(w, w)) + weighted(&reverse(x)) + weighted(&roll(x, n)) + weighted(&repeat(w, 2))
            + weighted(&tile(w, 3)) + weighted(&pad(w, 1, 2, x[0])) + weighted(&linspace(x[0], x[1], 5))
            + weighted_rows(&take_rows(&m, &build(2, |_| n - 1)))
    }
}

#[smooth(grad)]
fn singular(a: &[[f64; 3]; 3]) -> f64 {
    determinant(a)
}

#[test]
fn a_determinant_of_0_has_a_derivative() {
    let d = singular::grad(&[[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]]);
    all_near(d.as_flattened(), &[4.0, 4.0, -4.0, -2.0, -2.0, 2.0, 0.0, 0.0, 0.0]);
    assert_eq!(singular::grad(&[[0.0; 3]; 3]), [[0.0; 3]; 3]);
}
