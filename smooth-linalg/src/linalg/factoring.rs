//! Algorithms that factor matrices. `factor.rs` has their derivatives.

use crate::prelude::*;

/// [`cholesky`](super::cholesky()) without its derivative.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn lower_factor<T: Real>(a: &[[T; n]; n]) -> [[T; n]; n] {
    // A literal, which is compared at compile time where the size is static.
    if n < 24 { cholesky_by_columns(a) } else { cholesky_of_many(a) }
}

/// More than a function that is inlined may have.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn cholesky_of_many<T: Real>(a: &[[T; n]; n]) -> [[T; n]; n] {
    if n < 96 { cholesky_by_rows(a) } else { cholesky_by_panels(a) }
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

/// Columns, 16 at a time. Such a panel has its columns as rows of `t`, where each is a sum over the rows before it. Its products
/// are then taken from the columns behind it, 32 rows at a time: about half of these are on or below the diagonal.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn cholesky_by_panels<T: Real>(a: &[[T; n]; n]) -> [[T; n]; n] {
    let mut l = build([n, n], |i, j| if j <= i { a[i][j] } else { 0.0 });
    // Rows at a distance of a power of two would evict each other from the cache.
    let mut t = [[0.0; n + 8]; 16];
    for k in (0..n).step_by(16) {
        let end = (k + 16).min(n);
        for i in k..n {
            for p in 0..end - k {
                t[p][i] = l[i][k + p];
            }
        }
        for r in 0..end - k {
            for p in 0..r {
                let factor = t[p][k + r];
                for j in k + r..n {
                    t[r][j] -= factor * t[p][j];
                }
            }
            let root = t[r][k + r].sqrt();
            for j in k + r..n {
                t[r][j] /= root;
            }
        }
        for i in k..n {
            for p in 0..end - k {
                l[i][k + p] = t[p][i];
            }
        }
        for first in (k + 16..n).step_by(32) {
            let last = (first + 32).min(n);
            for i in first..last {
                for j in k + 16..last {
                    for p in 0..end - k {
                        l[i][j] -= t[p][i] * t[p][j];
                    }
                }
            }
        }
    }
    for i in 0..n {
        for j in i + 1..n {
            l[i][j] = 0.0;
        }
    }
    l
}

/// Eliminates below the diagonal, with the largest element of each column as its pivot: the matrix becomes the factors of [`lu`](super::lu()),
/// `order` moves with the rows, and the result is 1 or -1, the sign of what moved.
#[smooth]
pub(super) fn eliminate<T: Real>(m: &mut [[T; n]; n], order: &mut [usize; n]) -> T {
    // A literal, which is compared at compile time where the size is static.
    if n < 24 { eliminate_columns(&mut *m, &mut *order, 0, n) } else { eliminate_many(&mut *m, &mut *order) }
}

/// More than a function that is inlined may have.
#[smooth]
fn eliminate_many<T: Real>(m: &mut [[T; n]; n], order: &mut [usize; n]) -> T {
    if n < 80 { eliminate_columns(&mut *m, &mut *order, 0, n) } else { eliminate_by_panels(&mut *m, &mut *order) }
}

/// The elimination of the columns from `first` on, up to `end`; what is right of these is left as it is, but moves with the rows.
#[smooth]
fn eliminate_columns<T: Real>(m: &mut [[T; n]; n], order: &mut [usize; n], first: usize, end: usize) -> T {
    let mut sign = 1.0;
    for c in first..end {
        let (mut pivot, mut largest) = (c, m[c][c].abs());
        for i in c + 1..n {
            let x = m[i][c].abs();
            if x > largest {
                (pivot, largest) = (i, x);
            }
        }
        if pivot != c {
            m.swap(c, pivot);
            order.swap(c, pivot);
            sign = -sign;
        }
        if largest != 0.0 {
            for i in c + 1..n {
                let factor = m[i][c] / m[c][c];
                m[i][c] = factor;
                for j in c + 1..end {
                    m[i][j] -= factor * m[c][j];
                }
            }
        }
    }
    sign
}

/// Columns, 16 at a time. What such a panel takes from the rows right of it is a small triangle, and then a product.
#[smooth]
fn eliminate_by_panels<T: Real>(m: &mut [[T; n]; n], order: &mut [usize; n]) -> T {
    let mut sign = 1.0;
    for k in (0..n).step_by(16) {
        let end = (k + 16).min(n);
        sign *= eliminate_columns(&mut *m, &mut *order, k, end);
        for p in k..end {
            for i in p + 1..end {
                let factor = m[i][p];
                for j in end..n {
                    m[i][j] -= factor * m[p][j];
                }
            }
        }
        for i in k + 16..n {
            for j in k + 16..n {
                for p in k..end {
                    m[i][j] -= m[i][p] * m[p][j];
                }
            }
        }
    }
    sign
}

/// [`lu`](super::lu()) without its derivative.
#[smooth]
pub(super) fn factors<T: Real>(a: &[[T; n]; n]) -> ([[T; n]; n], [usize; n]) {
    let mut factors = a.clone();
    let mut order = build(n, |i| i);
    let _ = eliminate(&mut factors, &mut order);
    (factors, order)
}

/// Reflections (Householder) that leave zeros below the diagonal of the first `r` columns of a matrix, of which `t` is the transpose.
/// The vectors of the reflections are stored instead of these zeros, without the 1 that they begin with on the diagonal, and their
/// scales in `scales`. The new element of the diagonal has the opposite sign of the old one, so that nothing cancels.
///
/// Eight reflections are taken from a column while it is in the cache.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn reflections<T: Real>(t: &mut [[T; n]; k], scales: &mut [T; r]) {
    for first in (0..r).step_by(8) {
        let end = (first + 8).min(r);
        for j in first..k {
            for p in first..end.min(j) {
                let s = (t[j][p] + sum(n - p - 1, |i| t[p][p + 1 + i] * t[j][p + 1 + i])) * scales[p];
                t[j][p] -= s;
                for i in p + 1..n {
                    t[j][i] -= s * t[p][i];
                }
            }
            if j < end {
                let rest = sum(n - j - 1, |i| t[j][j + 1 + i] * t[j][j + 1 + i]);
                scales[j] = 0.0;
                if rest != 0.0 {
                    let x = t[j][j];
                    let y = -(x * x + rest).sqrt().copysign(x);
                    scales[j] = (y - x) / y;
                    for i in j + 1..n {
                        t[j][i] /= x - y;
                    }
                    t[j][j] = y;
                }
            }
        }
    }
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

/// The reflections of `reflections` in a matrix and not in its transpose, each taken from all rows.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn reflections_by_rows<T: Real>(m: &mut [[T; w]; n], scales: &mut [T; r]) {
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

/// [`qr`](super::qr()) without its derivative.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn thin_factors<T: Real>(a: &[[T; k]; n]) -> ([[T; n.min(k)]; n], [[T; k]; n.min(k)]) {
    // A literal, which is compared at compile time where the size is static.
    if n < 24 { qr_by_rows(a) } else { qr_of_many(a) }
}

/// More than a function that is inlined may have.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn qr_of_many<T: Real>(a: &[[T; k]; n]) -> ([[T; n.min(k)]; n], [[T; k]; n.min(k)]) {
    if n < 80 { qr_by_rows(a) } else { qr_by_columns(a) }
}

#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn qr_by_rows<T: Real>(a: &[[T; k]; n]) -> ([[T; n.min(k)]; n], [[T; k]; n.min(k)]) {
    let size = n.min(k);
    let mut m = a.clone();
    let mut scales = [0.0; size];
    reflections_by_rows(&mut m, &mut scales);
    let mut q = build([n, size], |i, j| if i == j { 1.0 } else { 0.0 });
    for c in (0..size).rev() {
        let v = build(n, |i| m[i][c]);
        reflect(&mut q, &v, c, c, scales[c]);
    }
    (q, build([size, k], |i, j| if i <= j { m[i][j] } else { 0.0 }))
}

/// All arrays are transposed, and eight reflections are taken from a column of `q` while it is in the cache.
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn qr_by_columns<T: Real>(a: &[[T; k]; n]) -> ([[T; n.min(k)]; n], [[T; k]; n.min(k)]) {
    let size = n.min(k);
    let mut t = build([k, n], |j, i| a[i][j]);
    let mut scales = [0.0; size];
    reflections(&mut t, &mut scales);
    let mut q = build([size, n], |j, i| if i == j { 1.0 } else { 0.0 });
    for first in (0..size).step_by(8) {
        let last = (first + 8).min(size);
        for p in (0..last).rev() {
            for j in first..last {
                let s = (q[j][p] + sum(n - p - 1, |i| t[p][p + 1 + i] * q[j][p + 1 + i])) * scales[p];
                q[j][p] -= s;
                for i in p + 1..n {
                    q[j][i] -= s * t[p][i];
                }
            }
        }
    }
    (build([n, size], |i, j| q[j][i]), build([size, k], |i, j| if i <= j { t[j][i] } else { 0.0 }))
}
