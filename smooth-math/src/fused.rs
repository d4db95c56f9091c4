//! The functions with one rounding for a product and a sum, and so with fewer operations: for processors with an instruction
//! for that. Results are at most 2 places from the correctly rounded ones, too, but have other bits.
//!
//! They are very slow in a function that is not compiled for such a processor (`target_feature`).
//!
//! ```
//! assert!((smooth_math::fused::exp(1.0) - smooth_math::exp(1.0)).abs() < 1e-15);
//! ```

functions! { double! crate::parts::Once; }

/// The sine and the cosine.
#[inline(always)]
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    (sin(x), cos(x))
}

/// The functions for numbers up to [`NEAR`](crate::NEAR) in magnitude, infinities and NaN: without a call, for loops.
pub mod near {
    angles! { double! crate::parts::Once; }
}
