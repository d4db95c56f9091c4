//! Norms. Squares overflow for numbers beyond 1e154 (in `f32` 1e19). A NaN among the elements makes a norm NaN.

#[cfg(any(feature = "std", feature = "libm"))]
use super::vector::{vector_dot, vector_sq_norm};
use crate::prelude::*;

/// The larger one of two numbers, NaN if one of them is.
#[smooth]
fn larger<T: Real>(x: T, y: T) -> T {
    if x > y || x.is_nan() { x } else { y }
}

/// The sum of the absolute values.
///
/// `v` has shape `[n]`. The order of additions is that of [`sum`](../../smooth/index.html#the-meaning-of-sum).
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
    // `max` ignores NaN, and has an instruction; a comparison that keeps NaN has none.
    let largest = max(n, |i| v[i].abs());
    if count(n, |i| v[i].is_nan()) > 0 { T::NAN } else { largest.max(0.0) }
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
/// `m` has shape `[n, k]`. O(nk). The order of additions is that of [`sum`](../../smooth/index.html#the-meaning-of-sum), row after row.
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
    let square = |x| x * x;
    sum(n * k, |e| square(m[e / k][e % k])).sqrt()
}

/// Bound on the number of iterations. 5 to 10 usually suffice; O(√n) are needed if a large part of the `n` eigenvalues equals
/// the largest one.
#[cfg(any(feature = "std", feature = "libm"))]
const STEPS: usize = 10_000;

/// The largest singular value: the norm of the matrix as a function between vectors with
/// [`vector_norm`](super::vector_norm()).
///
/// `m` has shape `[n, k]`. With `s` the smaller one of `n` and `k`, the product of the matrix and its transpose that has `s`
/// rows is tridiagonalised (Householder). Its largest eigenvalue is the square of the norm. O(nks + s³). `scratch` is a matrix
/// of `[s, s]` and some vectors. The norm is exact but for rounding errors, which grow as in sums of `n` and of `k` terms. Needs
/// the feature `std` or `libm`, for the square root.
///
/// ```
/// use smooth::linalg::matrix_norm2;
///
/// assert!((matrix_norm2(&[[3.0, 0.0], [4.0, 5.0]]) - 45.0f64.sqrt()).abs() < 1e-14);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn matrix_norm2<T: Real>(m: &[[T; k]; n]) -> T {
    // No element of the product is larger than the largest one of its diagonal. Divided by it, squares of its elements are in range.
    if n <= k {
        let scale = reduce(n, 0.0, larger, |i| vector_sq_norm(&m[i]));
        let mut g = build([n, n], |i, j| vector_dot(&m[i], &m[j]) / scale);
        norm_of_product(&mut g, scale)
    } else {
        let squares = build(k, |j| sum(n, |i| m[i][j] * m[i][j]));
        let scale = reduce(k, 0.0, larger, |j| squares[j]);
        let mut g = build([k, k], |i, j| sum(n, |l| m[l][i] * m[l][j]) / scale);
        norm_of_product(&mut g, scale)
    }
}

/// The square root of the largest eigenvalue of `scale` times a positive semidefinite matrix, which it overwrites.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn norm_of_product<T: Real>(g: &mut [[T; n]; n], scale: T) -> T {
    if scale > 0.0 && scale.is_finite() {
        let (mut diagonal, mut squares) = ([0.0; n], [0.0; n]);
        to_three_diagonals(&mut *g, &mut diagonal, &mut squares);
        (largest_eigenvalue(&diagonal, &squares) * scale).sqrt()
    } else {
        scale
    }
}

/// Tridiagonalises a symmetric matrix by Householder reflections, from the last row to the first, so that the remaining matrix
/// begins at index 0. `squares[i]` becomes the square of the off-diagonal element between `diagonal[i - 1]` and `diagonal[i]`.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn to_three_diagonals<T: Real>(g: &mut [[T; n]; n], diagonal: &mut [T; n], squares: &mut [T; n]) {
    for c in 0..n {
        let r = n - 1 - c;
        diagonal[r] = g[r][r];
        let square = sum(r, |j| g[r][j] * g[r][j]);
        squares[r] = square;
        if r > 1 && square > 0.0 {
            // The sign with which nothing cancels.
            let (last, length) = (g[r][r - 1], square.sqrt());
            let v = build(r, |j| if j + 1 == r { last + length.copysign(last) } else { g[r][j] });
            let scale = 1.0 / (square + length * last.abs());
            let p = build(r, |j| sum(r, |i| v[i] * g[i][j]));
            let along = 0.5 * scale * sum(r, |j| v[j] * p[j]);
            let w = build(r, |j| scale * (p[j] - along * v[j]));
            for i in 0..r {
                for j in 0..r {
                    g[i][j] -= v[i] * w[j] + w[i] * v[j];
                }
            }
        }
    }
}

/// The largest eigenvalue of a positive semidefinite tridiagonal matrix, by Laguerre's method from above: no step passes the
/// largest root of the characteristic polynomial *p*, and convergence is cubic. The pivots `q` of the elimination are the
/// quotients of the leading minors, so that their logarithmic derivatives add up to those of *p*.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn largest_eigenvalue<T: Real>(diagonal: &[T; n], squares: &[T; n]) -> T {
    // No eigenvalue is larger (Gershgorin).
    let mut x = reduce(n, 0.0, larger, |i| {
        let next = if i + 1 < n { squares[i + 1].sqrt() } else { 0.0 };
        diagonal[i] + squares[i].sqrt() + next
    });
    let size = n as T;
    for _ in 0..STEPS {
        // p'/p, and what its derivative takes away; of the last pivot q'/q and q''/q.
        let (mut first, mut second, mut least) = (0.0, 0.0, x);
        let (mut q, mut t, mut u) = (1.0, 0.0, 0.0);
        for i in 0..n {
            let f = squares[i] / q;
            q = x - diagonal[i] - f;
            least = if q < least { q } else { least };
            u = f * (u - 2.0 * t * t) / q;
            t = (1.0 + f * t) / q;
            first += t;
            second += t * t - u;
        }
        // Between two roots but for roundings, one pivot is not positive.
        if !(least > 0.0) {
            break;
        }
        let spread = ((size - 1.0) * (size * second - first * first)).max(0.0);
        let next = x - size / (first + spread.sqrt());
        if !(next < x) {
            break;
        }
        x = next;
    }
    x
}
