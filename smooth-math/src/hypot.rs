//! The squares with their errors, and one square root; both numbers are scaled where a square would not be normal.

use crate::parts::{Rounding, product};
use crate::sqrt;

/// `√(x² + y²)`.
#[inline(always)]
pub(crate) fn hypot<R: Rounding>(x: f64, y: f64) -> f64 {
    // 2^±600.
    const LARGE: f64 = f64::from_bits(0x6570_0000_0000_0000);
    const SMALL: f64 = f64::from_bits(0x1a70_0000_0000_0000);
    let (x, y) = (x.abs(), y.abs());
    let swap = y > x;
    let (most, least) = if swap { (y, x) } else { (x, y) };
    let (scale, back) = if most > 1e150 { (SMALL, LARGE) } else { (1.0, 1.0) };
    let (scale, back) = if most < 1e-120 { (LARGE, SMALL) } else { (scale, back) };
    let (a, b) = (most * scale, least * scale);
    let ((p, p_rest), (q, q_rest)) = (product::<R>(a, a), product::<R>(b, b));
    let root = back * sqrt(((q_rest + p_rest) + q) + p);
    // A square far below the last place may be subnormal, and its error wrong; then the sum is that of the numbers.
    let root = if least <= most * 1e-17 { most + least } else { root };
    let nan = if x == f64::INFINITY || y == f64::INFINITY { f64::INFINITY } else { x + y };
    if most < f64::INFINITY { root } else { nan }
}
