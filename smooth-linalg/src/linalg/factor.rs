//! Factors of matrices, with their derivatives.

use super::factoring::factors;
#[cfg(any(feature = "std", feature = "libm"))]
use super::factoring::{lower_factor, thin_factors};
use super::rules::*;
use crate::prelude::*;

/// The lower triangle `l` of a symmetric positive definite matrix, with `a = l lᵀ` (Cholesky).
///
/// `a` and the result have shape `[n, n]`. The result is 0 above the diagonal, where `a` is not read.
/// O(n³/3). `scratch` is one matrix, and 0 for small matrices of static shape. Needs the feature `std` or `libm`, for square roots.
///
/// If the matrix is not positive definite, elements of the result are NaN, or the last one is 0 or infinite.
///
/// ```
/// use smooth::linalg::{cholesky, cholesky_solve};
///
/// let a = [[4.0, 2.0], [2.0, 5.0]];
/// let l = cholesky(&a);
/// assert_eq!(l.as_slice(), [2.0, 0.0, 1.0, 2.0]);
/// assert_eq!(cholesky_solve(&l, &[8.0, 12.0]), [1.0, 2.0]);
/// assert!(cholesky(&[[1.0f64, 2.0], [2.0, 1.0]])[[1, 1]].is_nan());
/// ```
///
/// # Panics
/// If the matrix is not square.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth(derivative(jvp = cholesky_jvp, vjp = cholesky_vjp))]
pub fn cholesky<T: Real>(a: &[[T; n]; n]) -> [[T; n]; n] {
    lower_factor(a)
}

/// The factors of a matrix whose rows are in another order: `l u = p a`, by elimination with partial pivoting.
///
/// `a` has shape `[n, n]`. The first result has shape `[n, n]`: `u` on and above the diagonal, `l` below it, whose diagonal has ones
/// that are not stored. The second has shape `[n]`: row `i` of `l u` is row `order[i]` of `a`. O(2n³/3), no scratch memory.
/// [`lu_solve`](super::lu_solve()) solves systems with it.
///
/// Nothing panics on a singular matrix: a column without a pivot is left as it is, and `u` has a zero on its diagonal.
///
/// ```
/// use smooth::linalg::{lu, lu_solve};
///
/// let (factors, order) = lu(&[[1.0, 2.0], [2.0, 2.0]]);
/// assert_eq!(factors.as_slice(), [2.0, 2.0, 0.5, 1.0]);
/// assert_eq!(order, [1, 0]);
/// assert_eq!(lu_solve(&factors, &order, &[5.0, 6.0]), [1.0, 2.0]);
/// ```
///
/// # Panics
/// If the matrix is not square.
#[smooth(derivative(jvp = lu_jvp, vjp = lu_vjp))]
pub fn lu<T: Real>(a: &[[T; n]; n]) -> ([[T; n]; n], [usize; n]) {
    factors(a)
}

/// The factors `q r = a`: orthonormal columns and an upper triangle, by reflections (Householder). This is the *thin* or *reduced*
/// factorisation.
///
/// `a` has shape `[n, k]`; with `s` the smaller one of `n` and `k`, `q` has shape `[n, s]` and `r` has shape `[s, k]`. O(nks).
/// `scratch` is a copy of `a`, one of `q` and some vectors. The diagonal of `r` may have negative elements. Needs the feature `std` or `libm`, for
/// square roots; their arguments overflow for elements beyond 1e154 (in `f32` 1e19), and underflow for columns below 1e-154 (1e-19),
/// whose reflections are then inexact or left out. Scale such matrices first.
///
/// Nothing panics on a singular matrix: `q` has orthonormal columns, and `r` has a zero, or a number near it, on its diagonal.
///
/// ```
/// use smooth::linalg::{matrix_mul, qr};
///
/// let (q, r) = qr(&[[3.0f64, 1.0], [4.0, 2.0], [0.0, 2.0]]);
/// assert_eq!((q.shape(), r.shape()), ([3, 2], [2, 2]));
/// assert_eq!((r[[0, 0]], r[[1, 0]]), (-5.0, 0.0));
/// assert!((matrix_mul(&q, &r)[[1, 1]] - 2.0).abs() < 1e-14);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth(derivative(jvp = qr_jvp, vjp = qr_vjp))]
pub fn qr<T: Real>(a: &[[T; k]; n]) -> ([[T; n.min(k)]; n], [[T; k]; n.min(k)]) {
    thin_factors(a)
}
