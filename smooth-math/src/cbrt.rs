//! A third of the exponent, a polynomial, one step of Newton's method, as in FreeBSD's `s_cbrt.c` (Sun Microsystems, 1993;
//! Bruce D. Evans).

use crate::parts::{Rounding, SIGN, horner, signed};

/// The cube root.
#[inline(always)]
pub(crate) fn cbrt<R: Rounding>(x: f64) -> f64 {
    let v = x.abs();
    let tiny = v < f64::MIN_POSITIVE;
    let v = if tiny { v * 18_014_398_509_481_984.0 } else { v };
    // A third of the upper half: the division is a product of two numbers of 32 bits.
    let third = (((v.to_bits() >> 32) * 0x5555_5556) >> 32) + 715_094_163;
    // Within 3 %, then 23 bits.
    let t = f64::from_bits(third << 32);
    let r = (t * t) * (t / v);
    let t = t
        * (horner!(R, r; 1.875_951_824_271_77, -1.884_979_795_433_771_7, 1.621_429_720_105_354_5)
            + r * r * r * horner!(R, r; -0.758_397_934_778_766, 0.145_996_192_886_612_45));
    // Rounded to 23 bits, so that its square is exact.
    let t = f64::from_bits(t.to_bits().wrapping_add(0x8000_0000) & 0xffff_ffff_c000_0000);
    let r = v / (t * t);
    let t = t + t * ((r - t) / (t + t + r));
    let t = if tiny { t * 3.814_697_265_625e-6 } else { t };
    signed(if x == 0.0 || v == f64::INFINITY { v } else { t }, x.to_bits() & SIGN)
}
