//! The functions that `f::reference`, the kernel's body as plain Rust, calls: slow and obvious.
use alloc::{vec, vec::Vec};
use core::ops::Range;

pub use crate::reduce::sum_ordered as sum;

/// `[f(0), …, f(n - 1)]`
pub fn build<T>(n: usize, f: impl Fn(usize) -> T) -> Vec<T> {
    (0..n).map(f).collect()
}

/// `f(… f(f(init, 0), 1) …, n - 1)`
pub fn ifold<S>(n: usize, init: S, f: impl Fn(S, usize) -> S) -> S {
    (0..n).fold(init, f)
}

/// `[x, …, x]`, of length `n`.
pub fn fill<T: Clone>(x: T, n: usize) -> Vec<T> {
    vec![x; n]
}

/// A copy of `a[range]`.
///
/// # Panics
/// As `a[range]` does.
#[track_caller]
pub fn slice<T: Clone>(a: &[T], range: Range<usize>) -> Vec<T> {
    a[range].to_vec()
}
