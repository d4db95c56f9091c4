//! Higher-order kernels.

use maths::prelude::*;

/// Applies `g` to each element; has a temporary.
#[smooth(crate = maths, passes(fuse = false))]
pub fn mapped(a: &[f64; n], g: impl Fn(f64) -> f64) -> [f64; n] {
    let t = build(n, |i| a[n - 1 - i] * 2.0);
    build(n, |i| g(t[i]) + t[n - 1 - i])
}

/// Folds with a function of two numbers.
#[smooth(crate = maths)]
pub fn folded<T: Real>(a: &[T; n], first: T, g: impl Fn(T, T) -> T) -> T {
    ifold(n, first, |s, i| g(s, a[i]))
}

/// Functions of an index and of other types.
#[smooth(crate = maths)]
pub fn tabulated(n: usize, g: impl Fn(usize) -> u8, h: impl Fn(u8, bool) -> i64) -> [i64; n] {
    build(n, |i| h(g(i), i % 2 == 0))
}
