//! Kernels with probes that kernels of other crates call.

use smooth::prelude::*;

/// The sum of numbers that have to be positive.
#[smooth(checks = "all")]
pub fn positive<T: Real>(a: &[T; n]) -> T {
    sum(n, |i| {
        assert!(a[i] > 0.0, "a[{i}] is {}", a[i]);
        a[i]
    })
}

/// The first number, which is not 0.
#[smooth]
pub fn first<T: Real>(a: &[T; n]) -> T {
    assert!(a[0] != 0.0);
    dbg!(a[0])
}
