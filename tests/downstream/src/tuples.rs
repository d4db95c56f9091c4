//! Tuples as arguments and results.
//!
//! Two destinations are two mutable borrows, so they cannot be the same storage:
//!
//! ```compile_fail,E0499
//! let (mut t, m) = ([[0.0; 2]; 2], [[0.0; 2]; 2]);
//! smooth_test_downstream::tuples::both::into(&mut t, &mut t, &m, &mut maths::Arena::new());
//! ```
//!
//! A destination cannot be an argument either:
//!
//! ```compile_fail,E0502
//! let (mut t, mut u) = ([[0.0; 2]; 2], [[0.0; 2]; 2]);
//! smooth_test_downstream::tuples::both::into(&mut t, &mut u, &t, &mut maths::Arena::new());
//! ```
//!
//! ```
//! let (mut t, mut u, m) = ([[0.0; 2]; 2], [[0.0; 2]; 2], [[1.0; 2]; 2]);
//! assert_eq!(smooth_test_downstream::tuples::both::into(&mut t, &mut u, &m, &mut maths::Arena::new()), 4.0);
//! ```

use maths::prelude::*;

/// Nested tuples of arrays and numbers.
#[smooth(crate = maths)]
pub fn weighted(p: ((&[f64; n], &[f64; n]), (f64, (usize, &[[i16; 2]; n])))) -> (f64, ([f64; n], (bool, [i32; n]))) {
    let ((a, w), (s, (k, pairs))) = p;
    let r = build(n, |i| a[i] * w[i] + s);
    (sum(n, |i| r[i]), (build(n, |i| r[n - 1 - i]), (k > 1, build(n, |i| pairs[i][0] as i32 + pairs[i][1] as i32))))
}

/// Passes a tuple that it makes to its callee.
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

/// Parameters with nested patterns; a size that is the length of a part, one that is the value of a part, and an unused
/// argument.
#[smooth(crate = maths)]
pub fn apart((a, (s, k)): (&[f64; n], (f64, usize)), (_, w): (f64, &[f64; k]), _: &[f64; n]) -> ([f64; n], f64) {
    (build(n, |i| s * a[i]), sum(k, |i| w[i]))
}

/// Calls [`apart`].
#[smooth(crate = maths, passes(inline = false))]
pub fn apart_through(a: &[f64; n], w: &[f64; l]) -> f64 {
    let (scaled, total) = apart((a, (2.0, l)), (0.0, w), a);
    sum(n, |i| scaled[i]) + total
}

/// One part is column-major, one is not; a lint attribute.
#[smooth(crate = maths, column_major(m))]
pub fn by_columns<T: Real>((m, w): (&[[T; k]; n], &[[T; k]; n]), #[allow(unused)] (s, t): (T, T)) -> [T; n] {
    build(n, |i| s * sum(k, |j| m[i][j] * w[i][j]))
}
