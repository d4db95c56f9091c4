//! Dense linear algebra, as it is written in textbooks.

use smooth::prelude::*;

/// The lower triangle `l` of `a = l lᵀ`.
#[smooth]
pub fn cholesky(a: &[[f64; n]; n]) -> [[f64; n]; n] {
    let mut l = [[0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let mut s = a[i][j];
            for k in 0..j {
                s -= l[i][k] * l[j][k];
            }
            if i == j {
                l[i][i] = s.sqrt();
            } else {
                l[i][j] = s / l[j][j];
            }
        }
    }
    l
}

/// Both factors of `p a = l u` in one matrix, and the order of the rows.
#[smooth]
pub fn lu(a: &[[f64; n]; n]) -> ([[f64; n]; n], [usize; n]) {
    let mut lu = a.clone();
    let mut order = build(n, |i| i);
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if lu[i][k].abs() > lu[pivot][k].abs() {
                pivot = i;
            }
        }
        if pivot != k {
            lu.swap(k, pivot);
            order.swap(k, pivot);
        }
        if lu[k][k] == 0.0 {
            continue;
        }
        for i in k + 1..n {
            lu[i][k] /= lu[k][k];
            for j in k + 1..n {
                lu[i][j] -= lu[i][k] * lu[k][j];
            }
        }
    }
    (lu, order)
}

/// The factors of `a = q r` by reflections.
#[smooth]
pub fn qr(a: &[[f64; n]; m]) -> ([[f64; m]; m], [[f64; n]; m]) {
    let mut q = build([m, m], |i, j| if i == j { 1.0 } else { 0.0 });
    let mut r = a.clone();
    let mut v = [0.0; m];
    for k in 0..n.min(m) {
        let mut norm = 0.0;
        for i in k..m {
            norm += r[i][k] * r[i][k];
        }
        norm = norm.sqrt();
        if norm == 0.0 {
            continue;
        }
        let alpha = if r[k][k] > 0.0 { -norm } else { norm };
        let mut vv = 0.0;
        for i in k..m {
            v[i] = if i == k { r[k][k] - alpha } else { r[i][k] };
            vv += v[i] * v[i];
        }
        for j in k..n {
            let mut s = 0.0;
            for i in k..m {
                s += v[i] * r[i][j];
            }
            let f = 2.0 * s / vv;
            for i in k..m {
                r[i][j] -= f * v[i];
            }
        }
        for i in 0..m {
            let mut s = 0.0;
            for j in k..m {
                s += q[i][j] * v[j];
            }
            let f = 2.0 * s / vv;
            for j in k..m {
                q[i][j] -= f * v[j];
            }
        }
    }
    (q, r)
}

/// The rows of `a`, orthonormal, in order.
#[smooth]
pub fn gram_schmidt(a: &[[f64; k]; n]) -> [[f64; k]; n] {
    let mut q = a.clone();
    for i in 0..n {
        for j in 0..i {
            let mut dot = 0.0;
            for c in 0..k {
                dot += q[i][c] * q[j][c];
            }
            for c in 0..k {
                q[i][c] -= dot * q[j][c];
            }
        }
        let mut norm = 0.0;
        for c in 0..k {
            norm += q[i][c] * q[i][c];
        }
        let norm = norm.sqrt();
        for c in 0..k {
            q[i][c] /= norm;
        }
    }
    q
}

/// `x` with `l x = b` for a lower triangle `l`.
#[smooth]
pub fn forward(l: &[[f64; n]; n], b: &[f64; n]) -> [f64; n] {
    let mut x = b.clone();
    for i in 0..n {
        for j in 0..i {
            x[i] -= l[i][j] * x[j];
        }
        x[i] /= l[i][i];
    }
    x
}

/// `x` with `u x = b` for an upper triangle `u`.
#[smooth]
pub fn backward(u: &[[f64; n]; n], b: &[f64; n]) -> [f64; n] {
    let mut x = [0.0; n];
    for i in (0..n).rev() {
        let mut s = b[i];
        for j in i + 1..n {
            s -= u[i][j] * x[j];
        }
        x[i] = s / u[i][i];
    }
    x
}

/// `x` with `a x = b`, by elimination with row exchanges; NaN everywhere if `a` is singular.
#[smooth]
pub fn gauss(a: &[[f64; n]; n], b: &[f64; n]) -> [f64; n] {
    let mut m = a.clone();
    let mut x = b.clone();
    for k in 0..n {
        let mut p = k;
        let mut largest = m[k][k].abs();
        for i in k + 1..n {
            let size = m[i][k].abs();
            if size > largest {
                (p, largest) = (i, size);
            }
        }
        if largest == 0.0 {
            return [f64::NAN; n];
        }
        m.swap(p, k);
        x.swap(p, k);
        for i in k + 1..n {
            let f = m[i][k] / m[k][k];
            m[i][k] = 0.0;
            for j in k + 1..n {
                m[i][j] -= f * m[k][j];
            }
            x[i] -= f * x[k];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= m[i][j] * x[j];
        }
        x[i] /= m[i][i];
    }
    x
}

/// The product of two matrices, with the inner loop over adjacent elements.
#[smooth]
pub fn matmul(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    let mut c = [[0.0; m]; n];
    for i in 0..n {
        for l in 0..k {
            for j in 0..m {
                c[i][j] += a[i][l] * b[l][j];
            }
        }
    }
    c
}

/// The determinant, by elimination in a copy.
#[smooth]
pub fn determinant(a: &[[f64; n]; n]) -> f64 {
    let mut m = a.clone();
    let mut det = 1.0;
    for k in 0..n {
        let mut p = k;
        while p < n && m[p][k] == 0.0 {
            p += 1;
        }
        if p == n {
            return 0.0;
        }
        if p != k {
            m.swap(p, k);
            det = -det;
        }
        det *= m[k][k];
        for i in k + 1..n {
            let f = m[i][k] / m[k][k];
            for j in k..n {
                m[i][j] -= f * m[k][j];
            }
        }
    }
    det
}

/// The inverse, by Gauss and Jordan's method without exchanges, in the storage of the result.
#[smooth]
pub fn inverse(a: &[[f64; n]; n]) -> [[f64; n]; n] {
    let mut m = a.clone();
    for k in 0..n {
        let pivot = 1.0 / m[k][k];
        m[k][k] = 1.0;
        for j in 0..n {
            m[k][j] *= pivot;
        }
        for i in 0..n {
            if i != k {
                let f = m[i][k];
                m[i][k] = 0.0;
                for j in 0..n {
                    m[i][j] -= f * m[k][j];
                }
            }
        }
    }
    m
}
