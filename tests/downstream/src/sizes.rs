//! Sizes of every kind, and mixtures of them.

use maths::prelude::*;

/// A private constant in the signature of a public kernel.
const WIDTH: usize = 3;

/// The total of each row of `WIDTH` numbers.
#[smooth(crate = ::maths)]
pub fn row_totals(rows: &[[f64; WIDTH]; n]) -> [f64; n] {
    build(n, |i| sum(WIDTH, |j| rows[i][j]))
}

/// The first `WIDTH` numbers.
#[smooth(crate = ::maths, passes(inline = false))]
pub fn first(a: &[f64; n]) -> [f64; WIDTH] {
    build(WIDTH, |i| a[i % n])
}

/// A static size between two symbolic ones.
#[smooth(crate = ::maths)]
pub fn scaled(t: &[[[f32; n]; 3]; m], s: f32) -> [[[f32; n]; 3]; m] {
    build([m, 3, n], |i, j, k| t[i][j][k] * s)
}

/// The largest number of axes.
#[smooth(crate = ::maths)]
pub fn six(t: &[[[[[[i64; f]; e]; 2]; c]; b]; a]) -> [[[[[[i64; a]; b]; c]; 2]; e]; f] {
    build([f, e, 2, c, b, a], |i, j, k, l, m, n| t[n][m][l][k][j][i] + 1)
}

/// All sizes are static, so that scratch is a constant.
#[smooth(crate = ::maths, passes(fuse = false, unroll = false))]
pub fn static_sizes(m: &[[u8; 400]; 20]) -> [[u8; 20]; 400] {
    let t = build([400, 20], |i, j| m[j][i] / 2);
    build([400, 20], |i, j| t[399 - i][19 - j] + t[i][j])
}

/// An expression as a size of the result.
#[smooth(crate = ::maths)]
pub fn convolution(a: &[f64; n], b: &[f64; m]) -> [f64; n + m - 1] {
    build(n + m - 1, |i| sum(n, |j| if j <= i && i - j < m { a[j] * b[i - j] } else { 0.0 }))
}

/// A size that is negative if `m > n`.
#[smooth(crate = ::maths)]
pub fn longer(a: &[i32; n], b: &[i32; m]) -> [i32; n - m] {
    build(n - m, |i| a[m + i] + b[0])
}

/// A parameter as a size, used twice.
#[smooth(crate = ::maths)]
pub fn by_parameter(count: usize, a: &[usize; count]) -> [[usize; count]; 2 * count] {
    build([2 * count, count], |i, j| a[j] + i)
}

/// Anonymous sizes.
#[smooth(crate = ::maths)]
pub fn anonymous(a: &[f64], m: &[[f64]]) -> (usize, usize, f64) {
    (a.len(), m.len(), sum(a.len(), |i| a[i]) + sum(m.len(), |i| sum(m[i].len(), |j| m[i][j])))
}

/// The elements from `start` to `end`.
#[smooth(crate = ::maths)]
pub fn between(a: &[u16; n], start: usize, end: usize) -> [u16; end - start] {
    let part = &a[start..end];
    build(end - start, |i| part[i] + 1)
}

/// A matrix of zeros.
#[smooth(crate = ::maths)]
pub fn zeros(n: usize, m: usize) -> [[f64; m]; n] {
    build([n, m], |_, _| 0.0)
}
