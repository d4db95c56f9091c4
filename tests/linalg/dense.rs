//! Products, and determinants and inverses in closed form, against loops.

use super::{SHAPES, close, matrix, numbers, signed};
use smooth::linalg::*;
use smooth::prelude::*;

#[test]
fn products_of_matrices_and_vectors() {
    for [n, k] in SHAPES {
        let m = Array::from_vec(numbers(n * k, 31), [n, k]);
        let (x, y) = (numbers(k, 32), numbers(n, 33));
        let (right, left) = (matvec(&m, &x), vecmat(&y, &m));
        assert_eq!((right.len(), left.len()), (n, k));
        for i in 0..n {
            close(right[i], (0..k).map(|j| m[[i, j]] * x[j]).sum());
        }
        for j in 0..k {
            let in_order = (0..n).fold(0.0, |s, i| s + y[i] * m[[i, j]]);
            assert_eq!(left[j].to_bits(), in_order.to_bits());
        }
        assert_eq!(matvec::scratch::<f64>([n, k], [k]), 0);
        assert_eq!(vecmat::scratch::<f64>([n], [n, k]), 0);
    }
    let error = matvec::try_shape([2, 3], [4]).unwrap_err();
    assert_eq!(error.to_string(), "matvec: argument x has length 4, but k = 3 (from argument m)");
    assert_eq!(matvec(&[[1.0f32, 2.0]], &[3.0, 4.0]), [11.0]);
}

#[test]
fn element_by_element_on_matrices() {
    for shape in SHAPES {
        let (a, b) = (matrix(shape, 34), matrix(shape, 35));
        assert_eq!(matrix_sub(&a, &b), Array::from_fn(shape, |at| a[at] - b[at]));
        assert_eq!(matrix_s_mul(&a, 0.3), Array::from_fn(shape, |at| a[at] * 0.3));
    }
}

#[test]
fn square_matrices() {
    for n in [0, 1, 2, 17] {
        let m = matrix([n, n], 36);
        assert_eq!(matrix_mul(&identity(n), &m), m);
        close(
            trace(&Array::from_fn([n, n], |[i, j]| if i == j { i as f64 } else { f64::NAN })),
            (0..n).sum::<usize>() as f64,
        );
    }
    assert_eq!(identity::shape(3), [3, 3]);
    assert_eq!(trace(&[[1.0f32, 2.0], [3.0, 4.0]]), 5.0);
    assert!(trace::try_shape([2, 3]).is_err());
}

/// The determinant by Laplace's expansion of the first row.
fn laplace(m: &[Vec<f64>]) -> f64 {
    let minor = |c: usize| -> Vec<Vec<f64>> {
        let without = |row: &Vec<f64>| row.iter().enumerate().filter(|(j, _)| *j != c).map(|(_, x)| *x).collect();
        m[1..].iter().map(without).collect()
    };
    let sign = |c: usize| if c.is_multiple_of(2) { 1.0 } else { -1.0 };
    if m.is_empty() { 1.0 } else { (0..m.len()).map(|c| sign(c) * m[0][c] * laplace(&minor(c))).sum() }
}

macro_rules! closed_form {
    ($n:literal $determinant:ident $inverse:ident) => {{
        for seed in 0..50 {
            let x = signed($n * $n, 40 + seed);
            let m: [[f64; $n]; $n] = std::array::from_fn(|i| std::array::from_fn(|j| x[$n * i + j]));
            let want = laplace(&m.map(|row| row.to_vec()));
            let found = $determinant(&m);
            assert!((found - want).abs() < 1e-12, "{found} is not {want}");
            assert_eq!(found.to_bits(), $determinant::reference(&m.map(Vec::from).to_vec()).to_bits());
            // Row by row: the product is the identity, up to the condition.
            let inverse = $inverse(&m);
            let size = inverse.as_flattened().iter().fold(1.0, |s: f64, x| s.max(x.abs()));
            let product = matrix_mul(&m, &inverse);
            for i in 0..$n {
                for j in 0..$n {
                    let found = product[[i, j]];
                    assert!((found - f64::from(i == j)).abs() < 1e-13 * size * size, "{found} at {i}, {j} of {m:?}");
                }
            }
            // Also in `f32`, up to its precision.
            let near = $determinant(&m.map(|row| row.map(|x| x as f32)));
            assert!((f64::from(near) - want).abs() < 1e-5);
        }
        const SCRATCH: (usize, usize) = ($determinant::scratch::<f64>(), $inverse::scratch::<f32>());
        assert_eq!(SCRATCH, (0, 0));
        let singular = [[1.0f64; $n]; $n];
        assert_eq!($determinant(&singular), 0.0);
        assert!($inverse(&singular).as_flattened().iter().all(|x| !x.is_finite()));
    }};
}

#[test]
fn closed_forms() {
    closed_form!(2 determinant2 inverse2);
    closed_form!(3 determinant3 inverse3);
    closed_form!(4 determinant4 inverse4);
}
