//! Elementary functions that vectorise, with the same bits on every CPU.
//!
//! Each is a scalar function without branches, tables and conversions between floats and integers, so that a loop that
//! calls it becomes vector code, in any instruction set. None uses a fused multiply-add, so the bits do not depend on the
//! CPU, on whether the loop became vector code, or on the feature `std`. The functions of `f64` are here, those of `f32`
//! in [`single`]; [`fused`] has faster ones, for those who know their CPU and need no fixed bits.
//!
//! Results are at most 2 places from the correctly rounded ones, and at most 1 but for three functions; special values are
//! those of IEEE 754. `tests/accuracy.rs` compares with `core-math`, which rounds correctly. Only [`log()`], a quotient as in
//! `std`, has more.
//!
//! [`sin`], [`cos`] and [`tan`] have branches: angles beyond [`NEAR`] are reduced by a call, and those up to π/4 not at all.
//! For loops, [`near`] has versions without branches.
//!
//! ```
//! assert_eq!(smooth_math::exp(0.0), 1.0);
//! assert_eq!(smooth_math::sin(1e22), smooth_math::sin_cos(1e22).0);
//! assert_eq!(smooth_math::near::cos(3.0), smooth_math::cos(3.0));
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod table;
mod atan;
mod cbrt;
mod exp;
mod far;
#[cfg(feature = "std")]
pub mod fused;
mod hyperbolic;
mod hypot;
mod log;
mod parts;
mod pow;
mod powi;
pub mod single;
mod sqrt;
mod trig;

pub use powi::powi;
pub use sqrt::sqrt;
pub use trig::NEAR;

functions! { double! crate::parts::Twice; }

/// The sine and the cosine.
#[inline(always)]
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    (sin(x), cos(x))
}

/// The functions for numbers up to [`NEAR`] in magnitude, infinities and NaN: without a call, for loops.
pub mod near {
    angles! { double! crate::parts::Twice; }
}
