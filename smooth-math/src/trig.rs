//! `x = n·π/2 + r`, `|r| ≤ π/4`, and polynomials of sine and cosine at `r`, as in FreeBSD's `k_sin.c` and `k_cos.c` (Sun
//! Microsystems, 1993).
//!
//! Up to [`NEAR`] three parts of π/2 suffice (Cody and Waite); beyond, `far` takes the bits of 2/π that matter (Payne and
//! Hanek). No loop around a call becomes vector code, so each function has two forms of the same bits: `sin`, for all
//! numbers, and `near::sin`, for numbers up to [`NEAR`] in magnitude, infinities and NaN. The first one has a call anyway, so a
//! branch for numbers that need no reduction costs no vector code.

use crate::far::far;
use crate::parts::{Rounding, SIGN, horner, nearest, product, signed};
use core::f64::consts::FRAC_2_PI;

/// Up to here the functions of [`near`](mod@crate::near) are those of the crate.
pub const NEAR: f64 = 1_048_576.0;

/// Up to here the nearest multiple of π/2 is 0. The functions that are for no loop have a branch for it.
const SMALL: f64 = core::f64::consts::FRAC_PI_4;

/// π/2 in parts of 33, 33 and 53 bits: `n` times one of the first two is exact for `n < 2^20`.
const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

/// π/2 in parts of 53 bits, none of them below 0: so -0 stays -0.
const PARTS: [f64; 3] = [core::f64::consts::FRAC_PI_2, 6.123_233_995_736_765e-17, 1.082_856_673_921_914e-32];

/// `x = n·π/2 + r - e`: `n` in the low bits, `r`, and `e`, by which `r` is too large.
pub(crate) type Reduced = (u64, f64, f64);

#[inline(always)]
fn reduce_near<R: Rounding>(x: f64) -> Reduced {
    let (n, k) = nearest(x * FRAC_2_PI);
    if R::ONCE {
        // The first step is exact.
        return (k, R::add(-n, PARTS[2], R::add(-n, PARTS[1], R::add(-n, PARTS[0], x))), 0.0);
    }
    // Exact, and a multiple of the last place of `second`, so that the error of their difference `r` is exact, too.
    let first = x - n * HALF_PI[0];
    let second = n * HALF_PI[1];
    let r = first - second;
    (k, r, n * HALF_PI[2] - ((first - r) - second))
}

/// The coefficient of `r³` in `sin r`, for `|r| ≤ π/4`.
const THIRD: f64 = -1.666_666_666_666_663_2e-1;

/// `sin r = r + r³·(THIRD + z·p)` with `z = r²`: this `p`.
#[inline(always)]
fn sine_rest<R: Rounding>(z: f64) -> f64 {
    let p = horner!(R, z; 8.333_333_333_322_49e-3, -1.984_126_982_985_795e-4, 2.755_731_370_707_006_8e-6);
    R::add(z * (z * z), horner!(R, z; -2.505_076_025_340_686_3e-8, 1.589_690_995_211_55e-10), p)
}

/// `cos r = 1 - z/2 + p` with `z = r²`: this `p`.
#[inline(always)]
fn cosine_rest<R: Rounding>(z: f64) -> f64 {
    let w = z * z;
    let p = horner!(R, z; 4.166_666_666_666_66e-2, -1.388_888_888_887_411e-3, 2.480_158_728_947_673e-5);
    let q = horner!(R, z; -2.755_731_435_139_066_3e-7, 2.087_572_321_298_175e-9, -1.135_964_755_778_819_5e-11);
    w * R::add(z * w, q, p)
}

/// The sine and the cosine of `r - e`, as `r - t` and `c + u`: these `t`, `c` and `u`. (The difference keeps the sign of zero.)
/// Each is the derivative of the other, up to the sign, and so the factor of `e` there.
#[inline(always)]
fn both<R: Rounding>(r: f64, e: f64) -> (f64, f64, f64) {
    let z = r * r;
    let (v, half) = (z * r, 0.5 * z);
    let (third, c, p) = (v * THIRD, 1.0 - half, cosine_rest::<R>(z));
    let t = (e * (c + p) - v * (z * sine_rest::<R>(z))) - third;
    (t, c, ((1.0 - c) - half) + (p + e * (r + third)))
}

/// `a` where the lowest bit of `k` is 0, else `b`.
#[inline(always)]
fn chosen(k: u64, a: f64, b: f64) -> f64 {
    let mask = (k & 1).wrapping_neg();
    f64::from_bits(a.to_bits() & !mask | b.to_bits() & mask)
}

/// The sine, `k` quarters of a turn further.
#[inline(always)]
fn sine_of<R: Rounding>((k, r, e): Reduced) -> f64 {
    let (s, c) = if R::ONCE {
        // Fewer operations; a place less exact.
        let z = r * r;
        let factor = R::add(z, R::add(z, sine_rest::<R>(z), THIRD), 1.0);
        (r * factor, R::add(z, -0.5, 1.0) + cosine_rest::<R>(z))
    } else {
        let (t, c, u) = both::<R>(r, e);
        (r - t, c + u)
    };
    signed(chosen(k, s, c), k << 62)
}

/// With `N/D` the quotient of sine and cosine, or of `-cos` and `sin`, both in two parts: the quotient of the first parts,
/// and one step of Newton's method with the exact residual.
#[inline(always)]
fn tangent_of<R: Rounding>((k, r, e): Reduced) -> f64 {
    let (t, c, u) = both::<R>(r, e);
    let s = r - t;
    let s_rest = (r - s) - t;
    let (c, c_rest) = (c + u, (c - (c + u)) + u);
    let flag = k << 63 & SIGN;
    let (n, n_rest) = (chosen(k, s, c), chosen(k, s_rest, c_rest));
    let (d, d_rest) = (chosen(k, c, s), chosen(k, c_rest, s_rest));
    let inverse = 1.0 / d;
    let q = n * inverse;
    let (p, rest) = product::<R>(q, d);
    let step = (((n - p) - rest) + (n_rest - q * d_rest)) * inverse;
    // Where the numerator is tiny, the rests are rounded; there they do not matter.
    signed(if r.abs() < 1e-150 { q } else { q + step }, flag)
}

/// The functions for numbers up to [`NEAR`] in magnitude, infinities and NaN.
pub(crate) mod near {
    use super::{Rounding, reduce_near, sine_of, tangent_of};

    #[inline(always)]
    pub(crate) fn sin<R: Rounding>(x: f64) -> f64 {
        sine_of::<R>(reduce_near::<R>(x))
    }

    #[inline(always)]
    pub(crate) fn cos<R: Rounding>(x: f64) -> f64 {
        let (k, r, e) = reduce_near::<R>(x);
        sine_of::<R>((k.wrapping_add(1), r, e))
    }

    #[inline(always)]
    pub(crate) fn tan<R: Rounding>(x: f64) -> f64 {
        tangent_of::<R>(reduce_near::<R>(x))
    }
}

/// The functions for larger numbers. Each is one call, with no part of it around: so the code for other numbers, of a sine and
/// a cosine of one angle too, is one straight line.
mod large {
    use super::{far, sine_of, tangent_of};
    use crate::parts::Twice;

    #[cold]
    #[inline(never)]
    pub(super) fn sin(x: f64) -> f64 {
        sine_of::<Twice>(far(x))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn cos(x: f64) -> f64 {
        let (k, r, e) = far(x);
        sine_of::<Twice>((k.wrapping_add(1), r, e))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn tan(x: f64) -> f64 {
        tangent_of::<Twice>(far(x))
    }
}

#[inline(always)]
pub(crate) fn sin<R: Rounding>(x: f64) -> f64 {
    if x.abs() <= SMALL {
        sine_of::<R>((0, x, 0.0))
    } else if x.abs() > NEAR {
        large::sin(x)
    } else {
        near::sin::<R>(x)
    }
}

#[inline(always)]
pub(crate) fn cos<R: Rounding>(x: f64) -> f64 {
    if x.abs() <= SMALL {
        sine_of::<R>((1, x, 0.0))
    } else if x.abs() > NEAR {
        large::cos(x)
    } else {
        near::cos::<R>(x)
    }
}

#[inline(always)]
pub(crate) fn tan<R: Rounding>(x: f64) -> f64 {
    if x.abs() > NEAR { large::tan(x) } else { near::tan::<R>(x) }
}
