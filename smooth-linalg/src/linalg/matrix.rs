//! Matrices, row-major.

use super::vector::{vector_add, vector_sub};
use crate::prelude::*;

/// The number of rows (Fig. 3, `matrixRows`).
///
/// ```
/// use smooth::linalg::matrix_rows;
///
/// assert_eq!(matrix_rows(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 2);
/// ```
#[smooth]
pub fn matrix_rows<T: Real>(m: &[[T; k]; n]) -> usize {
    n
}

/// The number of columns (Fig. 3, `matrixCols`), also of a matrix without rows.
///
/// ```
/// use smooth::linalg::matrix_cols;
///
/// assert_eq!(matrix_cols(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 3);
/// ```
#[smooth]
pub fn matrix_cols<T: Real>(m: &[[T; k]; n]) -> usize {
    k
}

/// `f` of every row (Fig. 3, `matrixMap`).
///
/// `m` has shape `[n, k]`, `f` maps shape `[k]` to shape `[l]`, the result has shape `[n, l]`.
///
/// Inside a kernel `f` is a closure or another kernel, and the rows that it returns are not stored:
///
/// ```
/// use smooth::linalg::{matrix_map, vector_s_mul};
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn halved(m: &[[f64; k]; n]) -> [[f64; k]; n] {
///     matrix_map(m, |row| vector_s_mul(row, 0.5))
/// }
///
/// assert_eq!(halved(&[[2.0, 4.0], [6.0, 8.0]]).as_slice(), [1.0, 2.0, 3.0, 4.0]);
/// assert_eq!(halved::scratch([1000, 1000]), 0);
/// ```
///
/// From Rust `f` writes its result to a slice, and `l` is an argument after it:
///
/// ```
/// use smooth::linalg::matrix_map;
/// use smooth::prelude::*;
///
/// let m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// let ends = |row: &[f64], out: &mut [f64]| (out[0], out[1]) = (row[0], row[2]);
/// assert_eq!(matrix_map(&m, ends, 2).as_slice(), [1.0, 3.0, 4.0, 6.0]);
///
/// let mut out = [[0.0; 2]; 2];
/// matrix_map::into(&mut out, &m, ends, 2, &mut Arena::new());
/// assert_eq!(out, [[1.0, 3.0], [4.0, 6.0]]);
/// ```
///
/// # Panics
/// If `f` does.
#[smooth]
pub fn matrix_map<T: Real>(m: &[[T; k]; n], f: impl Fn(&[T; k]) -> [T; l]) -> [[T; l]; n] {
    build(n, |i| f(&m[i]))
}

/// `f` of every pair of rows (Fig. 3, `matrixMap2`).
///
/// `a` and `b` have shape `[n, k]`, `f` maps two rows of shape `[k]` to one of shape `[l]`, the result has
/// shape `[n, l]`.
///
/// Inside a kernel `f` is a closure or another kernel, and the rows that it returns are not stored:
///
/// ```
/// use smooth::linalg::{matrix_map2, vector_e_mul};
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn products(a: &[[f64; k]; n], b: &[[f64; k]; n]) -> [[f64; k]; n] {
///     matrix_map2(a, b, vector_e_mul)
/// }
///
/// assert_eq!(products(&[[2.0, 4.0], [6.0, 8.0]], &[[1.0, 0.5]; 2]).as_slice(), [2.0, 2.0, 6.0, 4.0]);
/// assert_eq!(products::scratch([1000, 1000], [1000, 1000]), 0);
/// ```
///
/// From Rust it is called as [`matrix_map()`] is:
///
/// ```
/// use smooth::linalg::matrix_map2;
///
/// let m = [[1.0, 2.0], [3.0, 4.0]];
/// let dots = matrix_map2(&m, &m, |a, b, out| out[0] = a[0] * b[0] + a[1] * b[1], 1);
/// assert_eq!(dots.as_slice(), [5.0, 25.0]);
/// ```
///
/// # Panics
/// If `f` does.
#[smooth]
pub fn matrix_map2<T: Real>(a: &[[T; k]; n], b: &[[T; k]; n], f: impl Fn(&[T; k], &[T; k]) -> [T; l]) -> [[T; l]; n] {
    build(n, |i| f(&a[i], &b[i]))
}

/// The sum of two matrices (Fig. 3, `matrixAdd`).
///
/// ```
/// use smooth::linalg::matrix_add;
///
/// let sum = matrix_add(&[[1.0, 2.0], [3.0, 4.0]], &[[1.0, 1.0], [0.0, 0.5]]);
/// assert_eq!(sum.as_slice(), [2.0, 3.0, 3.0, 4.5]);
/// ```
#[smooth]
pub fn matrix_add<T: Real>(a: &[[T; k]; n], b: &[[T; k]; n]) -> [[T; k]; n] {
    matrix_map2(a, b, vector_add)
}

/// The difference of two matrices.
///
/// `a` and `b` have shape `[n, k]`, and so has the result.
///
/// ```
/// use smooth::linalg::matrix_sub;
///
/// assert_eq!(matrix_sub(&[[1.0, 2.0]], &[[1.0, 0.5]]).as_slice(), [0.0, 1.5]);
/// ```
#[smooth]
pub fn matrix_sub<T: Real>(a: &[[T; k]; n], b: &[[T; k]; n]) -> [[T; k]; n] {
    matrix_map2(a, b, vector_sub)
}

/// A matrix times a number.
///
/// `m` has shape `[n, k]`, and so has the result.
///
/// ```
/// use smooth::linalg::matrix_s_mul;
///
/// assert_eq!(matrix_s_mul(&[[1.0, 2.0], [3.0, 4.0]], 0.5).as_slice(), [0.5, 1.0, 1.5, 2.0]);
/// ```
#[smooth]
pub fn matrix_s_mul<T: Real>(m: &[[T; k]; n], s: T) -> [[T; k]; n] {
    build([n, k], |i, j| m[i][j] * s)
}

/// The transpose of a matrix (Fig. 3, `matrixTranspose`).
///
/// ```
/// use smooth::linalg::matrix_transpose;
///
/// let t = matrix_transpose(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
/// assert_eq!(t.shape(), [3, 2]);
/// assert_eq!(t.as_slice(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// ```
#[smooth]
pub fn matrix_transpose<T: Real>(m: &[[T; k]; n]) -> [[T; n]; k] {
    build([k, n], |i, j| m[j][i])
}

/// The product of two matrices (Fig. 3, `matrixMul`): row `i`, column `j` is the sum of the products of `a`'s row `i` and
/// `b`'s column `j`, in source order.
///
/// `a` has shape `[n, k]`, `b` has shape `[k, m]`, the result has shape `[n, m]`. O(nkm). `scratch` is 0 for matrices of up to 64
/// rows and columns; of large ones, some columns of `b` at a time are copied.
///
/// ```
/// use smooth::linalg::matrix_mul;
///
/// let product = matrix_mul(&[[1.0, 2.0], [3.0, 4.0]], &[[0.0, 1.0, 2.0], [1.0, 0.0, 2.0]]);
/// assert_eq!(product.shape(), [2, 3]);
/// assert_eq!(product.as_slice(), [2.0, 1.0, 6.0, 4.0, 3.0, 14.0]);
/// ```
#[smooth]
pub fn matrix_mul<T: Real>(a: &[[T; k]; n], b: &[[T; m]; k]) -> [[T; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}
