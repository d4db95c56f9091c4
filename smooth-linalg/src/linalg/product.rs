//! Products of matrices and vectors, and square matrices.

use super::vector::vector_dot;
use crate::prelude::*;

/// A matrix times a vector: element `i` is the [dot product](super::vector_dot()) of row `i` and `x`.
///
/// `m` has shape `[n, k]`, `x` has shape `[k]`, the result has shape `[n]`. O(nk). The order of additions is that of
/// [`sum`](../../smooth/index.html#the-meaning-of-sum).
///
/// ```
/// use smooth::linalg::matvec;
///
/// assert_eq!(matvec(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], &[1.0, 10.0]), [21.0, 43.0, 65.0]);
/// ```
///
/// # Panics
/// If the length of `x` is not the number of columns.
#[smooth]
pub fn matvec<T: Real>(m: &[[T; k]; n], x: &[T; k]) -> [T; n] {
    build(n, |i| vector_dot(&m[i], x))
}

/// A vector times a matrix: the rows of the matrix, weighted by `x` and added in source order. It is the transpose of `m`
/// times `x`, without the transpose.
///
/// `x` has shape `[n]`, `m` has shape `[n, k]`, the result has shape `[k]`. O(nk).
///
/// ```
/// use smooth::linalg::vecmat;
///
/// assert_eq!(vecmat(&[1.0, 10.0], &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), [41.0, 52.0, 63.0]);
/// ```
///
/// # Panics
/// If the length of `x` is not the number of rows.
#[smooth(derivative(vjp = vecmat_vjp))]
pub fn vecmat<T: Real>(x: &[T; n], m: &[[T; k]; n]) -> [T; k] {
    // Of few rows, the loops are unrolled where the sizes are static.
    if n < 5 { build(k, |j| sum(n, |i| x[i] * m[i][j])) } else { vecmat_by_four(x, m) }
}

#[smooth]
fn vecmat_vjp<T: Real>(x: &[T; n], m: &[[T; k]; n], _y: &[T; k], d_y: &[T; k]) -> ([T; n], [[T; k]; n]) {
    (matvec(m, d_y), build([n, k], |i, j| x[i] * d_y[j]))
}

/// Adds four rows at a time, so that the sums are loaded and stored once for them. Not for matrices without rows, whose sums are 0
/// and not -0.
#[smooth]
fn vecmat_by_four<T: Real>(x: &[T; n], m: &[[T; k]; n]) -> [T; k] {
    let mut y = [-0.0; k];
    for block in 0..n / 4 {
        let i = 4 * block;
        let (p, q, r, s) = (x[i], x[i + 1], x[i + 2], x[i + 3]);
        for j in 0..k {
            y[j] = y[j] + p * m[i][j] + q * m[i + 1][j] + r * m[i + 2][j] + s * m[i + 3][j];
        }
    }
    for i in n / 4 * 4..n {
        for j in 0..k {
            y[j] += x[i] * m[i][j];
        }
    }
    y
}

/// The matrix with ones on its diagonal.
///
/// The result has shape `[n, n]`. No argument has a type, so a call may have to say it: `identity::<f32>(3)`.
///
/// ```
/// use smooth::linalg::identity;
///
/// assert_eq!(identity::<f64>(2).as_slice(), [1.0, 0.0, 0.0, 1.0]);
/// ```
#[smooth]
pub fn identity<T: Real>(n: usize) -> [[T; n]; n] {
    build([n, n], |i, j| if i == j { 1.0 } else { 0.0 })
}

/// The sum of the elements on the diagonal.
///
/// `m` has shape `[n, n]`. Those of even and those of odd rows are added first to last, then both sums.
///
/// ```
/// use smooth::linalg::trace;
///
/// assert_eq!(trace(&[[1.0, 2.0], [3.0, 4.0]]), 5.0);
/// ```
///
/// # Panics
/// If the matrix is not square.
#[smooth]
pub fn trace<T: Real>(m: &[[T; n]; n]) -> T {
    // The elements are not adjacent, so lanes would not be vectors. Two sums halve the chain of additions.
    let (even, odd) = ifold(n / 2, (0.0, 0.0), |(a, b), k| (a + m[2 * k][2 * k], b + m[2 * k + 1][2 * k + 1]));
    if n % 2 == 1 { even + odd + m[n - 1][n - 1] } else { even + odd }
}
