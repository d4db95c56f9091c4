//! With `|x| = n·ln 2 + r`, `u, t = (2^n ± 2^-n)/2`: `sinh|x| = u·sinh r + t·cosh r` and `cosh x = u·cosh r + t·sinh r`.

use crate::exp::{normal_exp, reduced, within};
use crate::parts::{Rounding, SIGN, halved, horner, power, signed, sum};
use crate::{log::ln_1p, sqrt};
use core::f64::consts::LN_2;

/// `sinh r - r` and `cosh r - 1`, for `|r| ≤ ln 2 / 2`.
#[inline(always)]
fn series<R: Rounding>(r: f64) -> (f64, f64) {
    let z = r * r;
    (
        r * z
            * horner!(R, z; 0.166_666_666_666_666_66, 0.008_333_333_333_333_333, 0.000_198_412_698_412_632_98, 2.755_731_924_721_873e-6, 2.505_207_109_429_355e-8, 1.608_662_795_678_037e-10),
        z * horner!(R, z; 0.5, 0.041_666_666_666_666_68, 0.001_388_888_888_887_907_3, 2.480_158_733_644_223_6e-5, 2.755_726_327_908_85e-7, 2.091_813_773_764_273_6e-9),
    )
}

/// Half of the sum and half of the difference of `2^n` and `2^-n`; `r`, and its error; `n` is up to 1025.
#[inline(always)]
fn halves<R: Rounding>(x: f64) -> (f64, f64, f64, f64) {
    let (k, r, e) = reduced::<R>(within(x, 0.0, 710.5));
    let a = power(k.wrapping_sub(2));
    // Far below the last place of `a` from n = 54 on, where the bits would no longer be those of a power.
    let b = if x > 50.0 { 0.0 } else { power(0u64.wrapping_sub(k).wrapping_sub(2)) };
    (a + b, a - b, r, e)
}

/// The hyperbolic sine.
#[inline(always)]
pub(crate) fn sinh<R: Rounding>(x: f64) -> f64 {
    let v = x.abs();
    let (u, t, r, e) = halves::<R>(v);
    let (s, c) = series::<R>(r);
    let (y, lack) = sum(t, u * r);
    let y = 2.0 * (y + (lack + (t * c + u * (s + e))));
    // Half of a subnormal number is not exact.
    signed(if v < 1e-9 { v } else { y }, x.to_bits() & SIGN)
}

/// The hyperbolic cosine.
#[inline(always)]
pub(crate) fn cosh<R: Rounding>(x: f64) -> f64 {
    let (u, t, r, e) = halves::<R>(x.abs());
    let (s, c) = series::<R>(r);
    let (y, lack) = sum(u, t * r);
    2.0 * (y + (lack + (u * c + t * (s + e))))
}

/// The hyperbolic tangent: a series up to 0.55, beyond it `1 - 2/(e^2|x| + 1)`.
#[inline(always)]
pub(crate) fn tanh<R: Rounding>(x: f64) -> f64 {
    let v = x.abs();
    let z = v * v;
    let p = halved!(R, z;
        [-0.333_333_333_333_333_3, -0.053_968_253_967_431_74, -0.008_863_234_395_418_095, -0.001_455_661_577_570_236_5, -0.000_234_631_045_283_004_06, -2.059_855_667_327_516_6e-5]
        [0.133_333_333_333_327_14, 0.021_869_488_493_563_037, 0.003_592_110_347_096_177, 0.000_588_934_807_244_702_8, 8.510_707_927_354_112e-5]);
    let far = 1.0 - 2.0 / (normal_exp::<R>(within(2.0 * v, 0.0, 44.0)) + 1.0);
    signed(if v < 0.55 { v + v * z * p } else { far }, x.to_bits() & SIGN)
}

/// From here on `ln(1 + x)` is `ln x`, and `√(x² ± 1)` is `x`.
const LARGE: f64 = 1e17;

/// The inverse hyperbolic sine: `ln(1 + |x| + x²/(1 + √(x² + 1)))`.
#[inline(always)]
pub(crate) fn asinh<R: Rounding>(x: f64) -> f64 {
    let v = x.abs();
    let z = v * v;
    let (y, rest) = if v > LARGE { (v, LN_2) } else { (v + z / (1.0 + sqrt(z + 1.0)), 0.0) };
    signed(ln_1p::<R>(y) + rest, x.to_bits() & SIGN)
}

/// The inverse hyperbolic cosine: with `t = x - 1`, `ln(1 + t + √(t·(t + 2)))`.
#[inline(always)]
pub(crate) fn acosh<R: Rounding>(x: f64) -> f64 {
    let t = x - 1.0;
    let (y, rest) = if x > LARGE { (x, LN_2) } else { (t + sqrt(t * (t + 2.0)), 0.0) };
    let value = ln_1p::<R>(y) + rest;
    if x >= 1.0 { value } else { f64::NAN }
}

/// The inverse hyperbolic tangent: `½·ln(1 + 2|x|/(1 - |x|))`.
#[inline(always)]
pub(crate) fn atanh<R: Rounding>(x: f64) -> f64 {
    let v = x.abs();
    // The double of a subnormal number is exact, its half need not be.
    let y = 0.5 * ln_1p::<R>(2.0 * v / (1.0 - v));
    signed(if v < 1e-9 { v } else { y }, x.to_bits() & SIGN)
}
