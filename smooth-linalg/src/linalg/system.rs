//! Systems of linear equations, with their derivatives.

use super::factoring::eliminate;
use super::product::identity;
use super::rules::*;
#[cfg(any(feature = "std", feature = "libm"))]
use super::substitution::fitted;
use super::substitution::{
    by_factors, lower, lower_transposed, lu_one_by_one, signed_volume, solved, upper, upper_transposed,
};
use crate::prelude::*;

/// The solution `x` of `l x = b` for a lower triangle `l`, from the first element to the last.
///
/// `l` has shape `[n, n]`; `b` and the result have shape `[n]`. O(n²), no scratch memory. `l` is not read above the diagonal.
/// If there is a 0 on the diagonal, elements of the result are infinite or NaN.
///
/// ```
/// use smooth::linalg::solve_lower;
///
/// assert_eq!(solve_lower(&[[2.0, 0.0], [1.0, 4.0]], &[2.0, 9.0]), [1.0, 2.0]);
/// ```
///
/// # Panics
/// If the matrix is not square, or if `b` has another length.
#[smooth(derivative(jvp = solve_lower_jvp, vjp = solve_lower_vjp))]
pub fn solve_lower<T: Real>(l: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    lower(l, b)
}

/// The solution `x` of `u x = b` for an upper triangle `u`, from the last element to the first.
///
/// `u` has shape `[n, n]`; `b` and the result have shape `[n]`. O(n²), no scratch memory. `u` is not read below the diagonal.
/// If there is a 0 on the diagonal, elements of the result are infinite or NaN.
///
/// ```
/// use smooth::linalg::solve_upper;
///
/// assert_eq!(solve_upper(&[[2.0, 1.0], [0.0, 4.0]], &[4.0, 8.0]), [1.0, 2.0]);
/// ```
///
/// # Panics
/// If the matrix is not square, or if `b` has another length.
#[smooth(derivative(jvp = solve_upper_jvp, vjp = solve_upper_vjp))]
pub fn solve_upper<T: Real>(u: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    upper(u, b)
}

/// The solution `x` of `lᵀ x = b` for a lower triangle `l`, whose transpose is not stored.
///
/// `l` has shape `[n, n]`; `b` and the result have shape `[n]`. O(n²), no scratch memory. `l` is not read above the diagonal.
/// If there is a 0 on the diagonal, elements of the result are infinite or NaN.
///
/// ```
/// use smooth::linalg::solve_lower_transposed;
///
/// assert_eq!(solve_lower_transposed(&[[2.0, 0.0], [1.0, 4.0]], &[4.0, 8.0]), [1.0, 2.0]);
/// ```
///
/// # Panics
/// If the matrix is not square, or if `b` has another length.
#[smooth(derivative(jvp = solve_lower_transposed_jvp, vjp = solve_lower_transposed_vjp))]
pub fn solve_lower_transposed<T: Real>(l: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    lower_transposed(l, b)
}

/// The solution `x` of `uᵀ x = b` for an upper triangle `u`, whose transpose is not stored.
///
/// `u` has shape `[n, n]`; `b` and the result have shape `[n]`. O(n²), no scratch memory. `u` is not read below the diagonal.
/// If there is a 0 on the diagonal, elements of the result are infinite or NaN.
///
/// ```
/// use smooth::linalg::solve_upper_transposed;
///
/// assert_eq!(solve_upper_transposed(&[[2.0, 1.0], [0.0, 4.0]], &[2.0, 9.0]), [1.0, 2.0]);
/// ```
///
/// # Panics
/// If the matrix is not square, or if `b` has another length.
#[smooth(derivative(jvp = solve_upper_transposed_jvp, vjp = solve_upper_transposed_vjp))]
pub fn solve_upper_transposed<T: Real>(u: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    upper_transposed(u, b)
}

/// The solution `x` of `l lᵀ x = b`: of a system whose matrix has the factor `l`, from [`cholesky`](super::cholesky()).
///
/// `l` has shape `[n, n]`, `b` has shape `[n]`, and so has the result. O(2n²), no scratch memory. If the matrix was not positive
/// definite, elements of the result are NaN.
///
/// ```
/// use smooth::linalg::cholesky_solve;
///
/// assert_eq!(cholesky_solve(&[[2.0, 0.0], [1.0, 2.0]], &[8.0, 12.0]), [1.0, 2.0]);
/// ```
///
/// # Panics
/// If the matrix is not square, or if `b` has another length.
#[smooth]
pub fn cholesky_solve<T: Real>(l: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    solve_lower_transposed(l, &solve_lower(l, b))
}

/// The solution `x` of `a x = b`, from the factors that [`lu`](super::lu()) made of `a`, and the order of its rows.
///
/// `factors` has shape `[n, n]`, `order` and `b` have shape `[n]`, and so has the result. O(2n²). If the matrix was singular,
/// elements of the result are infinite or NaN.
///
/// ```
/// use smooth::linalg::lu_solve;
///
/// assert_eq!(lu_solve(&[[2.0, 2.0], [0.5, 1.0]], &[1, 0], &[5.0, 6.0]), [1.0, 2.0]);
/// ```
///
/// # Panics
/// If the matrix is not square, if `order` or `b` have another length, or if an element of `order` is not below `n`.
#[smooth(derivative(jvp = lu_solve_jvp, vjp = lu_solve_vjp))]
pub fn lu_solve<T: Real>(factors: &[[T; n]; n], order: &[usize; n], b: &[T; n]) -> [T; n] {
    by_factors(factors, order, b)
}

/// The solution `x` of `a x = b`, by elimination with partial pivoting.
///
/// `a` has shape `[n, n]`, `b` has shape `[n]`, and so has the result. O(2n³/3). `scratch` is a copy of `a` and two vectors. If the
/// matrix is singular, elements of the result are infinite or NaN. [`lu`](super::lu()) and [`lu_solve()`] are the two halves, for several
/// right sides; for symmetric positive definite matrices, [`cholesky`](super::cholesky()) takes half the time.
///
/// ```
/// use smooth::linalg::solve;
///
/// assert_eq!(solve(&[[1.0, 2.0], [2.0, 2.0]], &[5.0, 6.0]), [1.0, 2.0]);
/// assert!(!solve(&[[1.0f64, 2.0], [2.0, 4.0]], &[1.0, 1.0])[0].is_finite());
/// ```
///
/// # Panics
/// If the matrix is not square, or if `b` has another length.
#[smooth(derivative(jvp = solve_jvp, vjp = solve_vjp))]
pub fn solve<T: Real>(a: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut factors = a.clone();
    let mut order = build(n, |i| i);
    let _ = eliminate(&mut factors, &mut order);
    if n < 5 { lu_one_by_one(&factors, &order, b) } else { by_factors(&factors, &order, b) }
}

/// The solution `x` of `a x = b` for several right sides, the columns of `b`, by elimination with partial pivoting.
///
/// `a` has shape `[n, n]`, `b` has shape `[n, k]`, and so has the result. O(2n³/3 + 2n²k). `scratch` is a copy of `a` and a vector. If
/// the matrix is singular, elements of the result are infinite or NaN.
///
/// ```
/// use smooth::linalg::solve_matrix;
///
/// let x = solve_matrix(&[[1.0, 2.0], [2.0, 2.0]], &[[5.0, 1.0], [6.0, 2.0]]);
/// assert_eq!(x.as_slice(), [1.0, 1.0, 2.0, 0.0]);
/// ```
///
/// # Panics
/// If `a` is not square, or if `b` has another number of rows.
#[smooth(derivative(jvp = solve_matrix_jvp, vjp = solve_matrix_vjp))]
pub fn solve_matrix<T: Real>(a: &[[T; n]; n], b: &[[T; k]; n]) -> [[T; k]; n] {
    solved(a, b)
}

/// The inverse, by elimination with partial pivoting. [`solve()`] is faster and more accurate than a product with the inverse.
///
/// `a` has shape `[n, n]`, and so has the result. O(8n³/3). `scratch` is two matrices and a vector. If the matrix is singular,
/// elements of the result are infinite or NaN. For 2, 3 and 4 rows there are [`inverse2`](super::inverse2()) and so on.
///
/// ```
/// use smooth::linalg::inverse;
///
/// assert_eq!(inverse(&[[1.0, 2.0], [2.0, 2.0]]).as_slice(), [-1.0, 1.0, 1.0, -0.5]);
/// ```
///
/// # Panics
/// If the matrix is not square.
#[smooth]
pub fn inverse<T: Real>(a: &[[T; n]; n]) -> [[T; n]; n] {
    solve_matrix(a, &identity::<T>(n))
}

/// The determinant, by elimination with partial pivoting; 1 for the matrix without rows.
///
/// `a` has shape `[n, n]`. O(2n³/3). `scratch` is a copy of `a` and a vector. For 2, 3 and 4 rows there are
/// [`determinant2`](super::determinant2()) and so on.
///
/// ```
/// use smooth::linalg::determinant;
///
/// assert_eq!(determinant(&[[1.0, 2.0], [2.0, 2.0]]), -2.0);
/// assert_eq!(determinant(&[[1.0, 2.0], [2.0, 4.0]]), 0.0);
/// ```
///
/// # Panics
/// If the matrix is not square.
#[smooth(derivative(jvp = determinant_jvp, vjp = determinant_vjp))]
pub fn determinant<T: Real>(a: &[[T; n]; n]) -> T {
    signed_volume(a)
}

/// The `x` for which `a x` is nearest to `b`: the sum of the squares of `a x - b` is least. By the reflections of
/// [`qr`](super::qr()), without the square of the condition that the normal equations have.
///
/// `a` has shape `[n, k]` with at least as many rows as columns, `b` has shape `[n]`, the result has shape `[k]`. O(2nk²). `scratch` is
/// a copy of `a` and `b`, a matrix of `[k, k]` and some vectors. If the columns are linearly dependent, elements of the result are
/// infinite, NaN, or without meaning. Needs the feature `std` or `libm`, for square roots.
///
/// ```
/// use smooth::linalg::least_squares;
///
/// // The line through (0, 1), (1, 3) and (2, 5).
/// let line = least_squares(&[[1.0f64, 0.0], [1.0, 1.0], [1.0, 2.0]], &[1.0, 3.0, 5.0]);
/// assert!((line[0] - 1.0).abs() < 1e-14 && (line[1] - 2.0).abs() < 1e-14);
/// ```
///
/// # Panics
/// If there are fewer rows than columns, or if `b` has another length than the columns.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth(derivative(jvp = least_squares_jvp, vjp = least_squares_vjp))]
pub fn least_squares<T: Real>(a: &[[T; k]; n], b: &[T; n]) -> [T; k] {
    fitted(a, b)
}
