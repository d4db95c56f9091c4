//! Matrices, row-major.

use super::vector::{vector_add, vector_dot};
use crate::prelude::*;

/// The number of rows (Fig. 3, `matrixRows`).
///
/// ```
/// use smooth::linalg::matrix_rows;
///
/// assert_eq!(matrix_rows(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 2);
/// ```
#[smooth]
pub fn matrix_rows(m: &[[f64; k]; n]) -> usize {
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
pub fn matrix_cols(m: &[[f64; k]; n]) -> usize {
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
/// From Rust `f` writes its result to a slice, and `l` is an argument behind it:
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
pub fn matrix_map(m: &[[f64; k]; n], f: impl Fn(&[f64; k]) -> [f64; l]) -> [[f64; l]; n] {
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
/// use smooth::linalg::{matrix_map2, vector_sub};
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn matrix_sub(a: &[[f64; k]; n], b: &[[f64; k]; n]) -> [[f64; k]; n] {
///     matrix_map2(a, b, vector_sub)
/// }
///
/// assert_eq!(matrix_sub(&[[2.0, 4.0], [6.0, 8.0]], &[[1.0; 2]; 2]).as_slice(), [1.0, 3.0, 5.0, 7.0]);
/// assert_eq!(matrix_sub::scratch([1000, 1000], [1000, 1000]), 0);
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
pub fn matrix_map2(
    a: &[[f64; k]; n],
    b: &[[f64; k]; n],
    f: impl Fn(&[f64; k], &[f64; k]) -> [f64; l],
) -> [[f64; l]; n] {
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
pub fn matrix_add(a: &[[f64; k]; n], b: &[[f64; k]; n]) -> [[f64; k]; n] {
    matrix_map2(a, b, vector_add)
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
pub fn matrix_transpose(m: &[[f64; k]; n]) -> [[f64; n]; k] {
    build([k, n], |i, j| m[j][i])
}

/// The product of two matrices (Fig. 3, `matrixMul`): row `i`, column `j` is the
/// [dot product](super::vector_dot()) of `a`'s row `i` and `b`'s column `j`.
///
/// The columns of `b` are stored next to
/// each other first: `scratch` is `b`'s size, except for small matrices of static shape.
///
/// ```
/// use smooth::linalg::matrix_mul;
///
/// let product = matrix_mul(&[[1.0, 2.0], [3.0, 4.0]], &[[0.0, 1.0, 2.0], [1.0, 0.0, 2.0]]);
/// assert_eq!(product.shape(), [2, 3]);
/// assert_eq!(product.as_slice(), [2.0, 1.0, 6.0, 4.0, 3.0, 14.0]);
/// ```
#[smooth]
pub fn matrix_mul(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    let columns = matrix_transpose(b);
    build([n, m], |i, j| vector_dot(&a[i], &columns[j]))
}
