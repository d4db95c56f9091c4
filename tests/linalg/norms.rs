//! Norms against loops.

use super::{LENGTHS, SHAPES, close, matrix, signed};
use smooth::linalg::*;

fn largest(x: impl Iterator<Item = f64>) -> f64 {
    x.fold(0.0, f64::max)
}

#[test]
fn of_vectors() {
    for n in LENGTHS {
        let v = signed(n, 51);
        close(vector_norm1(&v), v.iter().map(|x| x.abs()).sum());
        close(vector_norm_inf(&v), largest(v.iter().map(|x| x.abs())));
        let single: Vec<f32> = v.iter().map(|x| *x as f32).collect();
        assert_eq!(vector_norm_inf(&single), largest(v.iter().map(|x| x.abs())) as f32);
        assert!((vector_norm(&single) - vector_norm(&v) as f32).abs() <= 1e-5 * vector_norm(&single));
        for place in 0..n.min(40) {
            let mut v = v.clone();
            v[place] = f64::NAN;
            assert!(vector_norm_inf(&v).is_nan() && vector_norm1(&v).is_nan() && vector_norm(&v).is_nan());
        }
    }
    assert_eq!(vector_norm_inf(&[1.0, f64::NEG_INFINITY]), f64::INFINITY);
}

#[test]
fn of_matrices() {
    for [n, k] in SHAPES {
        let m = matrix([n, k], 52);
        let (rows, columns) = (0..n, 0..k);
        let column = |j: usize| rows.clone().map(|i| m[[i, j]].abs()).sum();
        let row = |i: usize| columns.clone().map(|j| m[[i, j]].abs()).sum();
        close(matrix_norm1(&m), largest(columns.clone().map(column)));
        close(matrix_norm_inf(&m), largest(rows.clone().map(row)));
        close(matrix_norm_frobenius(&m), m.as_slice().iter().map(|x| x * x).sum::<f64>().sqrt());
        assert_eq!(matrix_norm1(&matrix_transpose(&m)), matrix_norm_inf(&m));
        let mut unknown = m.clone();
        if let Some(x) = unknown.as_mut_slice().last_mut() {
            *x = f64::NAN;
            assert!(matrix_norm1(&unknown).is_nan() && matrix_norm_inf(&unknown).is_nan());
            assert!(matrix_norm2(&unknown).is_nan() && matrix_norm_frobenius(&unknown).is_nan());
        }
    }
}

/// Against powers of `m mᵀ`, in which the largest singular value dominates.
#[test]
fn largest_singular_value() {
    for [n, k] in SHAPES.into_iter().chain([[33, 33], [64, 20]]) {
        let m = matrix([n, k], 53);
        let (mut x, mut want) = (signed(n, 54), f64::NAN);
        for _ in 0..2000 {
            let y = vecmat(&x, &m);
            x = matvec(&m, &y);
            let length = vector_norm(&x);
            want = vector_norm(&vecmat(&vector_s_mul(&x, 1.0 / length), &m));
            x = vector_s_mul(&x, 1.0 / length);
        }
        let found = matrix_norm2(&m);
        if n * k > 0 {
            assert!((found - want).abs() <= 1e-9 * want, "{found} is not {want}, {n} × {k}");
        } else {
            assert_eq!(found, 0.0);
        }
        assert!((matrix_norm2(&matrix_transpose(&m)) - found).abs() <= 1e-13 * found);
    }
    assert_eq!(matrix_norm2(&[[0.0; 3]; 2]), 0.0);
    assert!((matrix_norm2(&[[1.0f32, 1.0], [1.0, 1.0]]) - 2.0).abs() < 1e-6);
    let unit = |x: f64| build_square(20, |i, j| if i == j { x } else { 0.0 });
    assert_eq!(matrix_norm2(&unit(-3.0)), 3.0);
    assert_eq!(matrix_norm2(&[[f64::INFINITY, 1.0], [2.0, 3.0]]), f64::INFINITY);
    // Squares of these are in range, and no fourth powers are computed.
    for x in [1e150, 1e-150] {
        assert!((matrix_norm2(&build_square(20, |_, _| x)) / (20.0 * x) - 1.0).abs() < 1e-14);
    }
}

fn build_square(n: usize, f: impl Fn(usize, usize) -> f64) -> smooth::Array<f64, 2> {
    let elements: Vec<f64> = (0..n * n).map(|at| f(at / n, at % n)).collect();
    matrix_s_mul(smooth::View::new(&elements, [n, n]), 1.0)
}

/// Many eigenvalues of the product equal to the largest one, or close to it: the iteration converges slowly.
#[test]
fn clusters_of_singular_values() {
    let (n, v) = (64, signed(64, 55));
    let length: f64 = v.iter().map(|x| x * x).sum();
    let mirror = build_square(n, |i, j| f64::from(u8::from(i == j)) - 2.0 * v[i] * v[j] / length);
    for many in [1, 2, 8, 32, 63, 64] {
        for gap in [0.0, 1e-9] {
            let near = build_square(n, |i, j| match i == j {
                true if i < many => 1.0 - gap * i as f64,
                true => 0.5,
                false => 0.0,
            });
            let found = matrix_norm2(&matrix_mul(&mirror, &matrix_mul(&near, &mirror)));
            assert!((found - 1.0).abs() < 1e-14, "{found} for {many} with {gap} between them");
        }
    }
}
