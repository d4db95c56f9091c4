//! Matrices, row-major.

use super::vector::{vector_add, vector_sub};
use crate::prelude::*;

/// The number of rows (Fig. 3, `matrixRows`).
///
/// `m` has shape `[n, k]`.
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
/// `m` has shape `[n, k]`.
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
/// Functions of arrays can be parameters only inside kernels. So `matrix_map` has no `into`, `shape` or `scratch`;
/// a call from plain Rust runs its reference, which works on `Vec`s, is slow and does not check shapes:
///
/// ```
/// use smooth::linalg::matrix_map;
///
/// let m = [vec![1.0, 2.0], vec![3.0, 4.0]];
/// let reversed = matrix_map(&m, |row: Vec<f64>| row.into_iter().rev().collect());
/// assert_eq!(reversed, [[2.0, 1.0], [4.0, 3.0]]);
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
/// As with [`matrix_map`], a call from plain Rust runs its reference:
///
/// ```
/// use smooth::linalg::matrix_map2;
///
/// let m = [vec![1.0, 2.0], vec![3.0, 4.0]];
/// let joined = matrix_map2(&m, &m, |a: Vec<f64>, b: Vec<f64>| [a, b].concat());
/// assert_eq!(joined, [[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]);
/// ```
///
/// # Panics
/// If the shapes differ, or if `f` does.
#[smooth]
pub fn matrix_map2<T: Real>(a: &[[T; k]; n], b: &[[T; k]; n], f: impl Fn(&[T; k], &[T; k]) -> [T; l]) -> [[T; l]; n] {
    build(n, |i| f(&a[i], &b[i]))
}

/// The sum of two matrices (Fig. 3, `matrixAdd`).
///
/// `a` and `b` have shape `[n, k]`, and so has the result.
///
/// ```
/// use smooth::linalg::matrix_add;
///
/// let sum = matrix_add(&[[1.0, 2.0], [3.0, 4.0]], &[[1.0, 1.0], [0.0, 0.5]]);
/// assert_eq!(sum.as_slice(), [2.0, 3.0, 3.0, 4.5]);
/// ```
///
/// # Panics
/// If the shapes differ.
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
///
/// # Panics
/// If the shapes differ.
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
/// `m` has shape `[n, k]`, the result has shape `[k, n]`.
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
///
/// # Panics
/// If the number of columns of `a` is not the number of rows of `b`.
#[smooth]
pub fn matrix_mul<T: Real>(a: &[[T; k]; n], b: &[[T; m]; k]) -> [[T; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}
