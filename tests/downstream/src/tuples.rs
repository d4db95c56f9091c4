//! Several values in, and several out.

use maths::prelude::*;

/// Tuples in tuples, arrays and numbers in them.
#[smooth(crate = maths)]
pub fn weighted(p: ((&[f64; n], &[f64; n]), (f64, (usize, &[[i16; 2]; n])))) -> (f64, ([f64; n], (bool, [i32; n]))) {
    let ((a, w), (s, (k, pairs))) = p;
    let r = build(n, |i| a[i] * w[i] + s);
    (sum(n, |i| r[i]), (build(n, |i| r[n - 1 - i]), (k > 1, build(n, |i| pairs[i][0] as i32 + pairs[i][1] as i32))))
}

/// A kernel that gives its callee a tuple that it makes.
#[smooth(crate = maths, passes(inline = false))]
pub fn through(a: &[f64; n], pairs: &[[i16; 2]; n]) -> [f64; n] {
    let w = build(n, |i| i as f64);
    let (_, (r, (_, sums))) = weighted(((a, w), (0.5, (2, pairs))));
    build(n, |i| r[i] + sums[i] as f64)
}

/// Two matrices of different sizes, and a number between them.
#[smooth(crate = maths)]
pub fn both(m: &[[f64; k]; n]) -> ([[f64; n]; k], f64, [[f64; k]; n]) {
    (build([k, n], |j, i| m[i][j]), sum(n, |i| sum(k, |j| m[i][j])), build([n, k], |i, j| -m[i][j]))
}
