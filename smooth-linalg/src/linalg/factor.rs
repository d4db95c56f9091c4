//! Factors of matrices.

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
#[smooth]
pub fn cholesky<T: Real>(a: &[[T; n]; n]) -> [[T; n]; n] {
    // A literal, which is compared at compile time where the size is static.
    if n < 24 { cholesky_by_columns(a) } else { cholesky_by_rows(a) }
}

/// Each element of a column is a sum over the columns before it, and several of them are computed side by side.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn cholesky_by_columns<T: Real>(a: &[[T; n]; n]) -> [[T; n]; n] {
    let mut l = [[0.0; n]; n];
    for j in 0..n {
        let mut square = a[j][j];
        for k in 0..j {
            square -= l[j][k] * l[j][k];
        }
        let root = square.sqrt();
        l[j][j] = root;
        for i in j + 1..n {
            let mut s = a[i][j];
            for k in 0..j {
                s -= l[i][k] * l[j][k];
            }
            l[i][j] = s / root;
        }
    }
    l
}

/// Rows of the transpose, four at a time, are subtracted from those below.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn cholesky_by_rows<T: Real>(a: &[[T; n]; n]) -> [[T; n]; n] {
    let mut u = build([n, n], |i, j| a[j][i]);
    for k in (0..n).step_by(4) {
        let end = (k + 4).min(n);
        for r in k..end {
            for p in k..r {
                let factor = u[p][r];
                for j in r..n {
                    u[r][j] -= factor * u[p][j];
                }
            }
            let root = u[r][r].sqrt();
            for j in r..n {
                u[r][j] /= root;
            }
        }
        for i in end..n {
            let (p, q, r, s) = (u[k][i], u[k + 1][i], u[k + 2][i], u[k + 3][i]);
            for j in i..n {
                u[i][j] = u[i][j] - p * u[k][j] - q * u[k + 1][j] - r * u[k + 2][j] - s * u[k + 3][j];
            }
        }
    }
    build([n, n], |i, j| if j <= i { u[j][i] } else { 0.0 })
}

/// Eliminates below the diagonal, with the largest element of each column as its pivot: the matrix becomes the factors of [`lu()`],
/// `order` moves with the rows, and the result is 1 or -1, the sign of what moved.
#[smooth]
pub(super) fn eliminate<T: Real>(m: &mut [[T; n]; n], order: &mut [usize; n]) -> T {
    let mut sign = 1.0;
    for k in 0..n {
        let (mut pivot, mut largest) = (k, m[k][k].abs());
        for i in k + 1..n {
            let x = m[i][k].abs();
            if x > largest {
                (pivot, largest) = (i, x);
            }
        }
        if pivot != k {
            m.swap(k, pivot);
            order.swap(k, pivot);
            sign = -sign;
        }
        if largest != 0.0 {
            for i in k + 1..n {
                let factor = m[i][k] / m[k][k];
                m[i][k] = factor;
                for j in k + 1..n {
                    m[i][j] -= factor * m[k][j];
                }
            }
        }
    }
    sign
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
#[smooth]
pub fn lu<T: Real>(a: &[[T; n]; n]) -> ([[T; n]; n], [usize; n]) {
    let mut factors = a.clone();
    let mut order = build(n, |i| i);
    let _ = eliminate(&mut factors, &mut order);
    (factors, order)
}

/// Takes `scale` times *v vᵀ m* from the rows of a matrix from `row` on, and there from the column `first` on; `v` has a 1 at `row`,
/// which is not read.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn reflect<T: Real>(m: &mut [[T; w]; n], v: &[T; n], row: usize, first: usize, scale: T) {
    let mut s = m[row].clone();
    for i in row + 1..n {
        for j in first..w {
            s[j] += v[i] * m[i][j];
        }
    }
    for j in first..w {
        s[j] *= scale;
        m[row][j] -= s[j];
    }
    for i in row + 1..n {
        for j in first..w {
            m[i][j] -= v[i] * s[j];
        }
    }
}

/// Reflections (Householder) that leave zeros below the diagonal of the first `r` columns. The vectors of the reflections are
/// stored instead of these zeros, and their scales in `scales`. The new element of the diagonal has the opposite sign of the
/// old one, so that nothing cancels.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn reflections<T: Real>(m: &mut [[T; w]; n], scales: &mut [T; r]) {
    let mut v = [0.0; n];
    for c in 0..r {
        let rest = sum(n - c - 1, |i| m[c + 1 + i][c] * m[c + 1 + i][c]);
        if rest == 0.0 {
            scales[c] = 0.0;
        } else {
            let x = m[c][c];
            let y = -(x * x + rest).sqrt().copysign(x);
            scales[c] = (y - x) / y;
            for i in c + 1..n {
                v[i] = m[i][c] / (x - y);
                m[i][c] = v[i];
            }
            m[c][c] = y;
            reflect(&mut *m, &v, c, c + 1, scales[c]);
        }
    }
}

/// The factors `q r = a`: orthonormal columns and an upper triangle, by reflections (Householder). This is the *thin* or *reduced*
/// factorisation.
///
/// `a` has shape `[n, k]`; with `s` the smaller one of `n` and `k`, `q` has shape `[n, s]` and `r` has shape `[s, k]`. O(nks).
/// `scratch` is a copy of `a` and some vectors. The diagonal of `r` may have negative elements. Needs the feature `std` or `libm`, for
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
#[smooth]
pub fn qr<T: Real>(a: &[[T; k]; n]) -> ([[T; n.min(k)]; n], [[T; k]; n.min(k)]) {
    let size = n.min(k);
    let mut m = a.clone();
    let mut scales = [0.0; size];
    reflections(&mut m, &mut scales);
    let mut q = build([n, size], |i, j| if i == j { 1.0 } else { 0.0 });
    for c in (0..size).rev() {
        let v = build(n, |i| m[i][c]);
        reflect(&mut q, &v, c, c, scales[c]);
    }
    (q, build([size, k], |i, j| if i <= j { m[i][j] } else { 0.0 }))
}
