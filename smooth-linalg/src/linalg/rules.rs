//! Derivatives of factors and of solutions of systems, as rules of their own: the algorithms are not differentiated, but what they
//! compute.
//!
//! ```text
//! x = a⁻¹ b         ẋ = a⁻¹ (ḃ - ȧ x)             b̄ = a⁻ᵀ x̄         ā = -b̄ xᵀ
//! a = l lᵀ          l̇ = l Φ(l⁻¹ ȧ l⁻ᵀ)             ā = l⁻ᵀ (Φ(lᵀ l̄) + Φ(lᵀ l̄)ᵀ) l⁻¹ / 2                      Φ: the lower triangle, with half of the diagonal
//! p a = l u         l̇ = l L(m), u̇ = U(m) u        ā = pᵀ l⁻ᵀ (L(lᵀ l̄) + U(ū uᵀ)) u⁻ᵀ                          m = l⁻¹ p ȧ u⁻¹; L: below the diagonal, U: the rest
//! a = q r           q̇ = q k + (1 - q qᵀ) z, ṙ = qᵀ ȧ - k r      ā = (q̄ + q C(r r̄ᵀ - q̄ᵀ q)) r⁻ᵀ                z = ȧ r⁻¹, m = qᵀ z, k = L(m) - L(m)ᵀ; C: the lower triangle, mirrored
//! det a             tr(cof(a)ᵀ ȧ)                  ā = cof(a) d̄
//! a x ≈ b           g ẋ = ȧᵀ (b - a x) + aᵀ (ḃ - ȧ x)           w = g⁻¹ x̄, b̄ = a w, ā = (b - a x) wᵀ - b̄ xᵀ   g = aᵀ a
//! ```
//!
//! A matrix of which only one triangle is read has a derivative in that triangle alone. The rules call kernels without rules.

use super::factoring::factors;
#[cfg(any(feature = "std", feature = "libm"))]
use super::factoring::{lower_factor, reflections_by_rows, thin_factors};
use super::product::identity;
#[cfg(any(feature = "std", feature = "libm"))]
use super::substitution::fitted;
use super::substitution::{by_factors, lower, lower_transposed, signed_volume, solved, upper, upper_transposed};
use crate::prelude::*;

#[smooth]
pub(super) fn solve_lower_jvp<T: Real>(
    l: &[[T; n]; n],
    b: &[T; n],
    d_l: &[[T; n]; n],
    d_b: &[T; n],
) -> ([T; n], [T; n]) {
    let x = lower(l, b);
    let d_x = lower(l, &build(n, |i| d_b[i] - sum(i + 1, |j| d_l[i][j] * x[j])));
    (x, d_x)
}

#[smooth]
pub(super) fn solve_lower_vjp<T: Real>(
    l: &[[T; n]; n],
    _b: &[T; n],
    x: &[T; n],
    d_x: &[T; n],
) -> ([[T; n]; n], [T; n]) {
    let d_b = lower_transposed(l, d_x);
    (build([n, n], |i, j| if j <= i { -d_b[i] * x[j] } else { 0.0 }), d_b)
}

#[smooth]
pub(super) fn solve_upper_jvp<T: Real>(
    u: &[[T; n]; n],
    b: &[T; n],
    d_u: &[[T; n]; n],
    d_b: &[T; n],
) -> ([T; n], [T; n]) {
    let x = upper(u, b);
    let d_x = upper(u, &build(n, |i| d_b[i] - sum(n - i, |j| d_u[i][i + j] * x[i + j])));
    (x, d_x)
}

#[smooth]
pub(super) fn solve_upper_vjp<T: Real>(
    u: &[[T; n]; n],
    _b: &[T; n],
    x: &[T; n],
    d_x: &[T; n],
) -> ([[T; n]; n], [T; n]) {
    let d_b = upper_transposed(u, d_x);
    (build([n, n], |i, j| if i <= j { -d_b[i] * x[j] } else { 0.0 }), d_b)
}

#[smooth]
pub(super) fn solve_lower_transposed_jvp<T: Real>(
    l: &[[T; n]; n],
    b: &[T; n],
    d_l: &[[T; n]; n],
    d_b: &[T; n],
) -> ([T; n], [T; n]) {
    let x = lower_transposed(l, b);
    let d_x = lower_transposed(l, &build(n, |i| d_b[i] - sum(n - i, |j| d_l[i + j][i] * x[i + j])));
    (x, d_x)
}

#[smooth]
pub(super) fn solve_lower_transposed_vjp<T: Real>(
    l: &[[T; n]; n],
    _b: &[T; n],
    x: &[T; n],
    d_x: &[T; n],
) -> ([[T; n]; n], [T; n]) {
    let d_b = lower(l, d_x);
    (build([n, n], |i, j| if j <= i { -x[i] * d_b[j] } else { 0.0 }), d_b)
}

#[smooth]
pub(super) fn solve_upper_transposed_jvp<T: Real>(
    u: &[[T; n]; n],
    b: &[T; n],
    d_u: &[[T; n]; n],
    d_b: &[T; n],
) -> ([T; n], [T; n]) {
    let x = upper_transposed(u, b);
    let d_x = upper_transposed(u, &build(n, |i| d_b[i] - sum(i + 1, |j| d_u[j][i] * x[j])));
    (x, d_x)
}

#[smooth]
pub(super) fn solve_upper_transposed_vjp<T: Real>(
    u: &[[T; n]; n],
    _b: &[T; n],
    x: &[T; n],
    d_x: &[T; n],
) -> ([[T; n]; n], [T; n]) {
    let d_b = upper(u, d_x);
    (build([n, n], |i, j| if i <= j { -x[i] * d_b[j] } else { 0.0 }), d_b)
}

/// `l⁻¹ b`, for the `l` of factors.
#[smooth]
fn unit_lower<T: Real>(factors: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut x = b.clone();
    for i in 0..n {
        for j in 0..i {
            x[i] -= factors[i][j] * x[j];
        }
    }
    x
}

/// `l⁻ᵀ b`, for the `l` of factors.
#[smooth]
fn unit_lower_transposed<T: Real>(factors: &[[T; n]; n], b: &[T; n]) -> [T; n] {
    let mut x = b.clone();
    for i in (0..n).rev() {
        for j in 0..i {
            x[j] -= factors[i][j] * x[i];
        }
    }
    x
}

#[smooth]
pub(super) fn lu_solve_jvp<T: Real>(
    factors: &[[T; n]; n],
    order: &[usize; n],
    b: &[T; n],
    d_factors: &[[T; n]; n],
    d_b: &[T; n],
) -> ([T; n], [T; n]) {
    let z = unit_lower(factors, &build(n, |i| b[order[i]]));
    let x = upper(factors, &z);
    let d_z = unit_lower(factors, &build(n, |i| d_b[order[i]] - sum(i, |j| d_factors[i][j] * z[j])));
    let d_x = upper(factors, &build(n, |i| d_z[i] - sum(n - i, |j| d_factors[i][i + j] * x[i + j])));
    (x, d_x)
}

#[smooth]
pub(super) fn lu_solve_vjp<T: Real>(
    factors: &[[T; n]; n],
    order: &[usize; n],
    b: &[T; n],
    x: &[T; n],
    d_x: &[T; n],
) -> ([[T; n]; n], [T; n]) {
    let z = unit_lower(factors, &build(n, |i| b[order[i]]));
    let w = upper_transposed(factors, d_x);
    let v = unit_lower_transposed(factors, &w);
    let mut d_b = [0.0; n];
    for i in 0..n {
        d_b[order[i]] += v[i];
    }
    (build([n, n], |i, j| if j < i { -v[i] * z[j] } else { -w[i] * x[j] }), d_b)
}

#[smooth]
pub(super) fn solve_jvp<T: Real>(a: &[[T; n]; n], b: &[T; n], d_a: &[[T; n]; n], d_b: &[T; n]) -> ([T; n], [T; n]) {
    let (factors, order) = factors(a);
    let x = by_factors(&factors, &order, b);
    let d_x = by_factors(&factors, &order, &build(n, |i| d_b[i] - sum(n, |j| d_a[i][j] * x[j])));
    (x, d_x)
}

#[smooth]
pub(super) fn solve_vjp<T: Real>(a: &[[T; n]; n], _b: &[T; n], x: &[T; n], d_x: &[T; n]) -> ([[T; n]; n], [T; n]) {
    let (factors, order) = factors(&build([n, n], |i, j| a[j][i]));
    let d_b = by_factors(&factors, &order, d_x);
    (build([n, n], |i, j| -d_b[i] * x[j]), d_b)
}

#[smooth]
pub(super) fn solve_matrix_jvp<T: Real>(
    a: &[[T; n]; n],
    b: &[[T; k]; n],
    d_a: &[[T; n]; n],
    d_b: &[[T; k]; n],
) -> ([[T; k]; n], [[T; k]; n]) {
    let x = solved(a, b);
    let d_x = solved(a, &build([n, k], |i, c| d_b[i][c] - sum(n, |j| d_a[i][j] * x[j][c])));
    (x, d_x)
}

#[smooth]
pub(super) fn solve_matrix_vjp<T: Real>(
    a: &[[T; n]; n],
    _b: &[[T; k]; n],
    x: &[[T; k]; n],
    d_x: &[[T; k]; n],
) -> ([[T; n]; n], [[T; k]; n]) {
    let d_b = solved(&build([n, n], |i, j| a[j][i]), d_x);
    (build([n, n], |i, j| -sum(k, |c| d_b[i][c] * x[j][c])), d_b)
}

/// The derivative of the determinant in each element: up to the sign, the determinant without its row and its column.
#[smooth]
fn cofactors<T: Real>(a: &[[T; n]; n]) -> [[T; n]; n] {
    let all = signed_volume(a);
    if all == 0.0 {
        build([n, n], |i, j| {
            let minor = build([n - 1, n - 1], |p, q| a[if p < i { p } else { p + 1 }][if q < j { q } else { q + 1 }]);
            if (i + j) % 2 == 0 { signed_volume(&minor) } else { -signed_volume(&minor) }
        })
    } else {
        let inverse = solved(a, &identity::<T>(n));
        build([n, n], |i, j| all * inverse[j][i])
    }
}

#[smooth]
pub(super) fn determinant_jvp<T: Real>(a: &[[T; n]; n], d_a: &[[T; n]; n]) -> (T, T) {
    let c = cofactors(a);
    (signed_volume(a), sum([n, n], |i, j| c[i][j] * d_a[i][j]))
}

#[smooth]
pub(super) fn determinant_vjp<T: Real>(a: &[[T; n]; n], _out: T, d_out: T) -> [[T; n]; n] {
    let c = cofactors(a);
    build([n, n], |i, j| d_out * c[i][j])
}

#[smooth]
pub(super) fn lu_jvp<T: Real>(a: &[[T; n]; n], d_a: &[[T; n]; n]) -> ([[T; n]; n], [usize; n], [[T; n]; n]) {
    let (f, order) = factors(a);
    // Row by row `p ȧ u⁻¹`, then column by column.
    let right = build(n, |i| upper_transposed(&f, &d_a[order[i]]));
    let columns = build(n, |j| unit_lower(&f, &build(n, |i| right[i][j])));
    let d_f = build([n, n], |i, j| {
        if j < i {
            columns[j][i] + sum(i - j - 1, |p| f[i][j + 1 + p] * columns[j][j + 1 + p])
        } else {
            sum(j - i + 1, |p| columns[i + p][i] * f[i + p][j])
        }
    });
    (f, order, d_f)
}

#[smooth]
pub(super) fn lu_vjp<T: Real>(_a: &[[T; n]; n], f: &[[T; n]; n], order: &[usize; n], d_f: &[[T; n]; n]) -> [[T; n]; n] {
    let middle = build([n, n], |i, j| {
        if j < i {
            d_f[i][j] + sum(n - i - 1, |p| f[i + 1 + p][i] * d_f[i + 1 + p][j])
        } else {
            sum(n - j, |p| d_f[i][j + p] * f[j][j + p])
        }
    });
    let right = build(n, |i| upper(f, &middle[i]));
    let columns = build(n, |j| unit_lower_transposed(f, &build(n, |i| right[i][j])));
    let mut d_a = [[0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            d_a[order[i]][j] = columns[j][i];
        }
    }
    d_a
}

#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn cholesky_jvp<T: Real>(a: &[[T; n]; n], d_a: &[[T; n]; n]) -> ([[T; n]; n], [[T; n]; n]) {
    let l = lower_factor(a);
    let right = build(n, |i| lower(&l, &build(n, |j| if j <= i { d_a[i][j] } else { d_a[j][i] })));
    // It is symmetric.
    let middle = build(n, |j| lower(&l, &build(n, |i| right[i][j])));
    let d_l = build([n, n], |i, j| {
        if j <= i { 0.5 * l[i][j] * middle[j][j] + sum(i - j, |p| l[i][j + 1 + p] * middle[j + 1 + p][j]) } else { 0.0 }
    });
    (l, d_l)
}

#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn cholesky_vjp<T: Real>(_a: &[[T; n]; n], l: &[[T; n]; n], d_l: &[[T; n]; n]) -> [[T; n]; n] {
    let half = build([n, n], |i, j| {
        let (first, last) = (i.min(j), i.max(j));
        0.5 * sum(n - last, |p| l[last + p][last] * d_l[last + p][first])
    });
    let right = build(n, |i| lower_transposed(l, &half[i]));
    let whole = build(n, |j| lower_transposed(l, &build(n, |i| right[i][j])));
    build([n, n], |i, j| {
        if j < i {
            whole[i][j] + whole[j][i]
        } else if j == i {
            whole[i][i]
        } else {
            0.0
        }
    })
}

#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn qr_jvp<T: Real>(
    a: &[[T; k]; n],
    d_a: &[[T; k]; n],
) -> ([[T; n.min(k)]; n], [[T; k]; n.min(k)], [[T; n.min(k)]; n], [[T; k]; n.min(k)]) {
    let s = n.min(k);
    let (q, r) = thin_factors(a);
    let square = build([s, s], |i, j| r[i][j]);
    let z = build(n, |i| upper_transposed(&square, &build(s, |j| d_a[i][j])));
    let m = build([s, s], |i, j| sum(n, |p| q[p][i] * z[p][j]));
    let turn = build([s, s], |i, j| {
        if j < i {
            m[i][j]
        } else if j > i {
            -m[j][i]
        } else {
            0.0
        }
    });
    let d_q = build([n, s], |i, j| z[i][j] + sum(s, |p| q[i][p] * (turn[p][j] - m[p][j])));
    let d_r =
        build(
            [s, k],
            |i, j| {
                if i <= j { sum(n, |p| q[p][i] * d_a[p][j]) - sum(s, |p| turn[i][p] * r[p][j]) } else { 0.0 }
            },
        );
    (q, r, d_q, d_r)
}

#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn qr_vjp<T: Real>(
    a: &[[T; k]; n],
    q: &[[T; s]; n],
    r: &[[T; k]; s],
    d_q: &[[T; s]; n],
    d_r: &[[T; k]; s],
) -> [[T; k]; n] {
    let square = build([s, s], |i, j| r[i][j]);
    // The columns on the right of the square are `qᵀ` times those of the matrix.
    let of_q = build([n, s], |i, j| d_q[i][j] + sum(k - s, |p| a[i][s + p] * d_r[j][s + p]));
    let m = build([s, s], |i, j| {
        sum(s - j, |p| if i <= j + p { r[i][j + p] * d_r[j][j + p] } else { 0.0 }) - sum(n, |p| of_q[p][i] * q[p][j])
    });
    let inner = build([n, s], |i, j| of_q[i][j] + sum(s, |p| q[i][p] * if j <= p { m[p][j] } else { m[j][p] }));
    let left = build(n, |i| upper(&square, &inner[i]));
    build([n, k], |i, j| if j < s { left[i][j] } else { sum(s, |p| q[i][p] * d_r[p][j]) })
}

/// `(aᵀ a)⁻¹ g`, by the reflections of [`qr`](super::qr()).
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
fn by_normal_equations<T: Real>(a: &[[T; k]; n], g: &[T; k]) -> [T; k] {
    let mut m = a.clone();
    let mut scales = [0.0; k];
    reflections_by_rows(&mut m, &mut scales);
    let top = &m[..k];
    let r = build([k, k], |i, j| top[i][j]);
    upper(&r, &upper_transposed(&r, g))
}

#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn least_squares_jvp<T: Real>(
    a: &[[T; k]; n],
    b: &[T; n],
    d_a: &[[T; k]; n],
    d_b: &[T; n],
) -> ([T; k], [T; k]) {
    let x = fitted(a, b);
    let rest = build(n, |i| b[i] - sum(k, |j| a[i][j] * x[j]));
    let d_rest = build(n, |i| d_b[i] - sum(k, |j| d_a[i][j] * x[j]));
    let d_x = by_normal_equations(a, &build(k, |j| sum(n, |i| d_a[i][j] * rest[i] + a[i][j] * d_rest[i])));
    (x, d_x)
}

#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub(super) fn least_squares_vjp<T: Real>(
    a: &[[T; k]; n],
    b: &[T; n],
    x: &[T; k],
    d_x: &[T; k],
) -> ([[T; k]; n], [T; n]) {
    let w = by_normal_equations(a, d_x);
    let d_b = build(n, |i| sum(k, |j| a[i][j] * w[j]));
    let rest = build(n, |i| b[i] - sum(k, |j| a[i][j] * x[j]));
    (build([n, k], |i, j| rest[i] * w[j] - d_b[i] * x[j]), d_b)
}
