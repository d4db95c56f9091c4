//! Column-major matrices.

use maths::prelude::*;

/// `m x`.
#[smooth(crate = maths, column_major(m))]
pub fn matvec(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * x[j]))
}

/// `a b`, all column-major; called, not inlined.
#[smooth(crate = maths, column_major(a, b, out), passes(inline = false))]
pub fn product<T: Real>(a: &[[T; k]; n], b: &[[T; m]; k]) -> [[T; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}

/// The sums of the columns of a strided matrix.
#[smooth(crate = maths, strided(m))]
pub fn column_sums<T: Real>(m: &[[T; k]; n]) -> [T; k] {
    build(k, |j| sum(n, |i| m[i][j]))
}

/// An `N` by `N` column-major matrix as a part of a tuple.
#[smooth(crate = maths, column_major(p, out1))]
pub fn diagonal<T: Real, const N: usize>(p: (&[[T; N]; N], T)) -> ([T; N], [[T; N]; N]) {
    let (m, s) = p;
    (build(N, |i| m[i][i] * s), build([N, N], |i, j| m[i][j] * i as T + j as T))
}
