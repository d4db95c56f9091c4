//! Kernels with derivatives that kernels of other crates call.

use smooth::prelude::*;

/// The sum of the sines of `s x`.
#[smooth(jvp(x), jacobian(x))]
pub fn waves(x: &[f64; n], s: f64) -> f64 {
    sum(n, |i| (s * x[i]).sin())
}

/// Half of the squares, without derivatives of its own.
#[smooth]
pub fn halved_squares(x: &[f64; n]) -> [f64; n] {
    build(n, |i| 0.5 * x[i] * x[i])
}
