//! Systems of linear equations.
//!
//! A triangular system is solved for four unknowns at a time, whose terms are then subtracted from all remaining rows: no row
//! waits for a long sum, and four adjacent elements are read together. Each row subtracts its terms in the order in which the
//! unknowns become known. Fewer than five rows have a branch for themselves, since all loops are unrolled where their number is
//! static. A function with both branches is too large to be inlined, hence its callers have the branch, too. The number 5 is a
//! literal, since the macro does not see constants.

use super::factor::eliminate;
#[cfg(any(feature = "std", feature = "libm"))]
use super::factor::reflections_by_rows;
use super::product::identity;
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
#[smooth]
pub fn solve_lower<T: Real>(l: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut x = b.clone();
    if n < 5 {
        for i in 0..n {
            let mut s = x[i];
            for j in 0..i {
                s -= l[i][j] * x[j];
            }
            x[i] = s / l[i][i];
        }
    } else {
        lower_by_four(l, &mut x);
    }
    x
}

/// Replaces the right side by the solution, four elements at a time.
#[smooth]
fn lower_by_four<T: Real>(l: &[[T; n]; n], x: &mut [T; n]) {
    for block in 0..n / 4 {
        let k = 4 * block;
        let p = x[k] / l[k][k];
        let q = (x[k + 1] - l[k + 1][k] * p) / l[k + 1][k + 1];
        let r = (x[k + 2] - l[k + 2][k] * p - l[k + 2][k + 1] * q) / l[k + 2][k + 2];
        let s = (x[k + 3] - l[k + 3][k] * p - l[k + 3][k + 1] * q - l[k + 3][k + 2] * r) / l[k + 3][k + 3];
        (x[k], x[k + 1], x[k + 2], x[k + 3]) = (p, q, r, s);
        for i in k + 4..n {
            x[i] = x[i] - l[i][k] * p - l[i][k + 1] * q - l[i][k + 2] * r - l[i][k + 3] * s;
        }
    }
    for i in n / 4 * 4..n {
        let mut s = x[i];
        for j in n / 4 * 4..i {
            s -= l[i][j] * x[j];
        }
        x[i] = s / l[i][i];
    }
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
#[smooth]
pub fn solve_upper<T: Real>(u: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    if n < 5 {
        upper_one_by_one(u, b)
    } else {
        let mut x = b.clone();
        upper_by_four(u, &mut x);
        x
    }
}

/// [`solve_upper()`] of few rows.
#[smooth]
fn upper_one_by_one<T: Real>(u: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut x = b.clone();
    for i in (0..n).rev() {
        let mut s = x[i];
        for j in (i + 1..n).rev() {
            s -= u[i][j] * x[j];
        }
        x[i] = s / u[i][i];
    }
    x
}

/// Replaces the right side by the solution, four elements at a time.
#[smooth]
fn upper_by_four<T: Real>(u: &[[T; n]; n], x: &mut [T; n]) {
    for block in (0..n / 4).rev() {
        let k = n % 4 + 4 * block;
        let s = x[k + 3] / u[k + 3][k + 3];
        let r = (x[k + 2] - u[k + 2][k + 3] * s) / u[k + 2][k + 2];
        let q = (x[k + 1] - u[k + 1][k + 3] * s - u[k + 1][k + 2] * r) / u[k + 1][k + 1];
        let p = (x[k] - u[k][k + 3] * s - u[k][k + 2] * r - u[k][k + 1] * q) / u[k][k];
        (x[k], x[k + 1], x[k + 2], x[k + 3]) = (p, q, r, s);
        for i in 0..k {
            x[i] = x[i] - u[i][k + 3] * s - u[i][k + 2] * r - u[i][k + 1] * q - u[i][k] * p;
        }
    }
    for i in (0..n % 4).rev() {
        let mut s = x[i];
        for j in (i + 1..n % 4).rev() {
            s -= u[i][j] * x[j];
        }
        x[i] = s / u[i][i];
    }
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
#[smooth]
pub fn solve_lower_transposed<T: Real>(l: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut x = b.clone();
    for i in (0..n).rev() {
        x[i] /= l[i][i];
        for j in 0..i {
            x[j] -= l[i][j] * x[i];
        }
    }
    x
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
#[smooth]
pub fn solve_upper_transposed<T: Real>(u: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut x = b.clone();
    for i in 0..n {
        x[i] /= u[i][i];
        for j in i + 1..n {
            x[j] -= u[i][j] * x[i];
        }
    }
    x
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
#[smooth]
pub fn lu_solve<T: Real>(factors: &[[T; n]; n], order: &[usize; n], b: &[T; n]) -> [T; n] {
    if n < 5 {
        lu_one_by_one(factors, order, b)
    } else {
        let mut x = build(n, |i| b[order[i]]);
        unit_lower_by_four(factors, &mut x);
        upper_by_four(factors, &mut x);
        x
    }
}

/// [`lu_solve()`] of few rows.
#[smooth]
fn lu_one_by_one<T: Real>(factors: &[[T; n]; n], order: &[usize; n], b: &[T; n]) -> [T; n] {
    let mut x = build(n, |i| b[order[i]]);
    for i in 0..n {
        let mut s = x[i];
        for j in 0..i {
            s -= factors[i][j] * x[j];
        }
        x[i] = s;
    }
    upper_one_by_one(factors, &x)
}

/// [`lower_by_four`] with ones on the diagonal.
#[smooth]
fn unit_lower_by_four<T: Real>(factors: &[[T; n]; n], x: &mut [T; n]) {
    for block in 0..n / 4 {
        let k = 4 * block;
        let p = x[k];
        let q = x[k + 1] - factors[k + 1][k] * p;
        let r = x[k + 2] - factors[k + 2][k] * p - factors[k + 2][k + 1] * q;
        let s = x[k + 3] - factors[k + 3][k] * p - factors[k + 3][k + 1] * q - factors[k + 3][k + 2] * r;
        (x[k + 1], x[k + 2], x[k + 3]) = (q, r, s);
        for i in k + 4..n {
            x[i] = x[i] - factors[i][k] * p - factors[i][k + 1] * q - factors[i][k + 2] * r - factors[i][k + 3] * s;
        }
    }
    for i in n / 4 * 4..n {
        let mut s = x[i];
        for j in n / 4 * 4..i {
            s -= factors[i][j] * x[j];
        }
        x[i] = s;
    }
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
#[smooth]
pub fn solve<T: Real>(a: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut factors = a.clone();
    let mut order = build(n, |i| i);
    let _ = eliminate(&mut factors, &mut order);
    if n < 5 { lu_one_by_one(&factors, &order, b) } else { lu_solve(&factors, &order, b) }
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
#[smooth]
pub fn solve_matrix<T: Real>(a: &[[T; n]; n], b: &[[T; k]; n]) -> [[T; k]; n] {
    let mut factors = a.clone();
    let mut order = build(n, |i| i);
    let _ = eliminate(&mut factors, &mut order);
    let mut x = build([n, k], |i, c| b[order[i]][c]);
    for i in 0..n {
        for j in 0..i {
            for c in 0..k {
                x[i][c] -= factors[i][j] * x[j][c];
            }
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            for c in 0..k {
                x[i][c] -= factors[i][j] * x[j][c];
            }
        }
        for c in 0..k {
            x[i][c] /= factors[i][i];
        }
    }
    x
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
#[smooth]
pub fn determinant<T: Real>(a: &[[T; n]; n]) -> T {
    let mut factors = a.clone();
    let mut order = build(n, |i| i);
    let sign = eliminate(&mut factors, &mut order);
    sign * prod(n, |i| factors[i][i])
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
#[smooth]
pub fn least_squares<T: Real>(a: &[[T; k]; n], b: &[T; n]) -> [T; k] {
    let mut m = build([n, k + 1], |i, j| if j < k { a[i][j] } else { b[i] });
    let mut scales = [0.0; k];
    reflections_by_rows(&mut m, &mut scales);
    let top = &m[..k];
    // One by one for all sizes: the reflections take far longer, and the function is small enough to be inlined.
    upper_one_by_one(&build([k, k], |i, j| top[i][j]), &build(k, |i| top[i][k]))
}
