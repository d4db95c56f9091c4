//! Norms. Squares overflow for numbers beyond 1e154 (in `f32` 1e19). A NaN among the elements makes a norm NaN.

#[cfg(any(feature = "std", feature = "libm"))]
use super::vector::vector_sq_norm;
use crate::prelude::*;

/// The larger one of two numbers, NaN if one of them is.
#[smooth]
fn larger<T: Real>(x: T, y: T) -> T {
    if x > y || x.is_nan() { x } else { y }
}

/// The sum of the absolute values.
///
/// `v` has shape `[n]`. The order of additions is that of [`sum`](crate#the-meaning-of-sum).
///
/// ```
/// use smooth::linalg::vector_norm1;
///
/// assert_eq!(vector_norm1(&[3.0, -4.0]), 7.0);
/// ```
#[smooth]
pub fn vector_norm1<T: Real>(v: &[T; n]) -> T {
    sum(n, |i| v[i].abs())
}

/// The largest absolute value, 0 for the empty vector, NaN if an element is NaN.
///
/// `v` has shape `[n]`.
///
/// ```
/// use smooth::linalg::vector_norm_inf;
///
/// assert_eq!(vector_norm_inf(&[3.0, -4.0]), 4.0);
/// assert!(vector_norm_inf(&[f64::NAN, 1.0]).is_nan());
/// ```
#[smooth]
pub fn vector_norm_inf<T: Real>(v: &[T; n]) -> T {
    reduce(n, 0.0, larger, |i| v[i].abs())
}

/// The largest sum of the absolute values of a column, 0 without columns: the norm of the matrix as a function between
/// vectors with [`vector_norm1()`].
///
/// `m` has shape `[n, k]`. O(nk). `scratch` is one row.
///
/// ```
/// use smooth::linalg::matrix_norm1;
///
/// assert_eq!(matrix_norm1(&[[1.0, -5.0], [2.0, 3.0]]), 8.0);
/// ```
#[smooth]
pub fn matrix_norm1<T: Real>(m: &[[T; k]; n]) -> T {
    let sums = build(k, |j| sum(n, |i| m[i][j].abs()));
    reduce(k, 0.0, larger, |j| sums[j])
}

/// The largest sum of the absolute values of a row, 0 without rows: the norm of the matrix as a function between vectors with
/// [`vector_norm_inf()`].
///
/// `m` has shape `[n, k]`. O(nk).
///
/// ```
/// use smooth::linalg::matrix_norm_inf;
///
/// assert_eq!(matrix_norm_inf(&[[1.0, -5.0], [2.0, 3.0]]), 6.0);
/// ```
#[smooth]
pub fn matrix_norm_inf<T: Real>(m: &[[T; k]; n]) -> T {
    reduce(n, 0.0, larger, |i| sum(k, |j| m[i][j].abs()))
}

/// The square root of the sum of the squares of all elements (Frobenius).
///
/// `m` has shape `[n, k]`. O(nk). Each row is added in the order of [`sum`](crate#the-meaning-of-sum), and so are the rows.
/// Needs the feature `std` or `libm`, for the square root.
///
/// ```
/// use smooth::linalg::matrix_norm_frobenius;
///
/// assert_eq!(matrix_norm_frobenius(&[[1.0, 4.0], [2.0, 2.0]]), 5.0);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn matrix_norm_frobenius<T: Real>(m: &[[T; k]; n]) -> T {
    sum(n, |i| vector_sq_norm(&m[i])).sqrt()
}

/// After so many rounds of rotations the rows are orthogonal, or there is a NaN.
#[cfg(any(feature = "std", feature = "libm"))]
const ROUNDS: usize = 40;

/// The largest singular value: the norm of the matrix as a function between vectors with
/// [`vector_norm`](super::vector_norm()).
///
/// `m` has shape `[n, k]`. Rotations make the rows orthogonal, pair by pair (Hestenes 1958, one-sided Jacobi); the longest row is
/// the norm. O(n²k) for each of some 5 to 10 rounds: for a matrix with more rows than columns, the transpose is faster, and has
/// the same norm. `scratch` is one matrix. Needs the feature `std` or `libm`, for the square root.
///
/// ```
/// use smooth::linalg::matrix_norm2;
///
/// assert!((matrix_norm2(&[[3.0, 0.0], [4.0, 5.0]]) - 45.0f64.sqrt()).abs() < 1e-14);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn matrix_norm2<T: Real>(m: &[[T; k]; n]) -> T {
    let mut rows = m.clone();
    for _ in 0..ROUNDS {
        let mut orthogonal = true;
        for p in 0..n {
            for q in p + 1..n {
                let (a, b) = (vector_sq_norm(&rows[p]), vector_sq_norm(&rows[q]));
                let along = sum(k, |j| rows[p][j] * rows[q][j]);
                if along.abs() > T::EPSILON * (a * b).sqrt() {
                    orthogonal = false;
                    let ratio = (b - a) / (2.0 * along);
                    let tan = (1.0 / (ratio.abs() + (1.0 + ratio * ratio).sqrt())).copysign(ratio);
                    let cos = 1.0 / (1.0 + tan * tan).sqrt();
                    let sin = cos * tan;
                    for j in 0..k {
                        let (x, y) = (rows[p][j], rows[q][j]);
                        rows[p][j] = cos * x - sin * y;
                        rows[q][j] = sin * x + cos * y;
                    }
                }
            }
        }
        if orthogonal {
            break;
        }
    }
    reduce(n, 0.0, larger, |i| vector_sq_norm(&rows[i])).sqrt()
}
