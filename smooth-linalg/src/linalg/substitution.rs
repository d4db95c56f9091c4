//! Algorithms that solve systems of linear equations: forward and back substitution, and elimination. `system.rs` has their
//! derivatives.
//!
//! A triangular system is solved for four unknowns at a time, whose terms are then subtracted from all remaining rows: no row
//! waits for a long sum, and four adjacent elements are read together. Each row subtracts its terms in the order in which the
//! unknowns become known. Fewer than five rows have a branch for themselves, since all loops are unrolled where their number is
//! static. A function with both branches is too large to be inlined, hence its callers have the branch, too. The number 5 is a
//! literal, since the macro does not see constants.

use super::factoring::eliminate;
#[cfg(any(feature = "std", feature = "libm"))]
use super::factoring::reflections_by_rows;
use crate::prelude::*;

/// [`solve_lower`](super::solve_lower()) without its derivative.
#[smooth]
pub(super) fn lower<T: Real>(l: &[[T; n]; n], b: &[T; n]) -> [T; n] {
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

/// [`solve_upper`](super::solve_upper()) without its derivative.
#[smooth]
pub(super) fn upper<T: Real>(u: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    if n < 5 {
        upper_one_by_one(u, b)
    } else {
        let mut x = b.clone();
        upper_by_four(u, &mut x);
        x
    }
}

/// [`solve_upper`](super::solve_upper()) of few rows.
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

/// [`solve_lower_transposed`](super::solve_lower_transposed()) without its derivative.
#[smooth]
pub(super) fn lower_transposed<T: Real>(l: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut x = b.clone();
    for i in (0..n).rev() {
        x[i] /= l[i][i];
        for j in 0..i {
            x[j] -= l[i][j] * x[i];
        }
    }
    x
}

/// [`solve_upper_transposed`](super::solve_upper_transposed()) without its derivative.
#[smooth]
pub(super) fn upper_transposed<T: Real>(u: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut x = b.clone();
    for i in 0..n {
        x[i] /= u[i][i];
        for j in i + 1..n {
            x[j] -= u[i][j] * x[i];
        }
    }
    x
}

/// [`lu_solve`](super::lu_solve()) without its derivative.
#[smooth]
pub(super) fn by_factors<T: Real>(factors: &[[T; n]; n], order: &[usize; n], b: &[T; n]) -> [T; n] {
    if n < 5 {
        lu_one_by_one(factors, order, b)
    } else {
        let mut x = build(n, |i| b[order[i]]);
        unit_lower_by_four(factors, &mut x);
        upper_by_four(factors, &mut x);
        x
    }
}

/// [`lu_solve`](super::lu_solve()) of few rows.
#[smooth]
pub(super) fn lu_one_by_one<T: Real>(factors: &[[T; n]; n], order: &[usize; n], b: &[T; n]) -> [T; n] {
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

/// [`solve_matrix`](super::solve_matrix()) without its derivative.
#[smooth]
pub(super) fn solved<T: Real>(a: &[[T; n]; n], b: &[[T; k]; n]) -> [[T; k]; n] {
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

/// [`determinant`](super::determinant()) without its derivative.
#[smooth]
pub(super) fn signed_volume<T: Real>(a: &[[T; n]; n]) -> T {
    let mut factors = a.clone();
    let mut order = build(n, |i| i);
    let sign = eliminate(&mut factors, &mut order);
    sign * prod(n, |i| factors[i][i])
}

/// [`least_squares`](super::least_squares()) without its derivative.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn fitted<T: Real>(a: &[[T; k]; n], b: &[T; n]) -> [T; k] {
    let mut m = build([n, k + 1], |i, j| if j < k { a[i][j] } else { b[i] });
    let mut scales = [0.0; k];
    reflections_by_rows(&mut m, &mut scales);
    let top = &m[..k];
    // One by one for all sizes: the reflections take far longer, and the function is small enough to be inlined.
    upper_one_by_one(&build([k, k], |i, j| top[i][j]), &build(k, |i| top[i][k]))
}
