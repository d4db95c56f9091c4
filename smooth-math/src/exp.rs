//! `e^x = 2^n · e^r` with `n = round(x / ln 2)`, `|r| ≤ ln 2 / 2`, and `e^r = 1 + r + r²·q(r)`.

use crate::parts::{Rounding, nearest, paired, power, scaled, sum};
use core::f64::consts::{LN_2, LOG2_E};

/// The upper 42 bits of `ln 2`: times any `n` up to 2^11 exact.
const LN2_UPPER: f64 = 0.693_147_180_559_890_3;
const LN2_LOWER: f64 = 5.497_923_018_708_371e-14;

/// The low part of `LN_2`: ln 2 minus the `f64`.
const LN2_REST: f64 = 2.319_046_813_846_299_6e-17;

/// `(e^r - 1 - r) / r²`, for `|r| ≤ ln 2 / 2`.
#[inline(always)]
pub(crate) fn second<R: Rounding>(r: f64) -> f64 {
    paired!(R, r;
        [0.500_000_000_000_000_1, 0.166_666_666_666_666_69]
        [0.041_666_666_666_624_13, 0.008_333_333_333_330_062]
        [0.001_388_888_891_721_371_7, 0.000_198_412_698_630_536_18]
        [2.480_152_129_595_437_6e-5, 2.755_726_845_999_706_4e-6]
        [2.762_008_844_540_974_6e-7, 2.510_038_549_551_032e-8])
}

/// `x = n·ln 2 + (r + e)`: the bits of `n`, `r`, and `e`, the error of `r`.
#[inline(always)]
pub(crate) fn reduced<R: Rounding>(x: f64) -> (u64, f64, f64) {
    let (n, k) = nearest(x * LOG2_E);
    if R::ONCE {
        // The first step is exact.
        return (k, R::add(-n, LN2_REST, R::add(-n, LN_2, x)), 0.0);
    }
    let upper = x - n * LN2_UPPER;
    let lower = n * LN2_LOWER;
    let r = upper - lower;
    (k, r, (upper - r) - lower)
}

/// `x` in `low..=high`; NaN stays NaN.
#[inline(always)]
pub(crate) fn within(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `e^(r + e)`, for `|r| ≤ ln 2 / 2`.
#[inline(always)]
fn exp_of<R: Rounding>(r: f64, e: f64) -> f64 {
    let more = R::add(r * r, second::<R>(r), if R::ONCE { r } else { e });
    1.0 + if R::ONCE { more } else { r + more }
}

/// `e^x`.
#[inline(always)]
pub(crate) fn exp<R: Rounding>(x: f64) -> f64 {
    let (k, r, e) = reduced::<R>(within(x, -746.0, 710.0));
    scaled(exp_of::<R>(r, e), k)
}

/// `e^x` for `x` in -708..=709, where the result is a normal number.
#[inline(always)]
pub(crate) fn normal_exp<R: Rounding>(x: f64) -> f64 {
    let (k, r, e) = reduced::<R>(x);
    exp_of::<R>(r, e) * power(k)
}

/// `2^x`.
#[inline(always)]
pub(crate) fn exp2<R: Rounding>(x: f64) -> f64 {
    let x = within(x, -1076.0, 1025.0);
    let (n, k) = nearest(x);
    let r = (x - n) * LN_2;
    scaled(1.0 + R::add(r * r, second::<R>(r), r), k)
}

/// `e^x - 1`: `2^n - 1 + 2^n·r` exactly, and the rest of the series. Halved, since `2^n` may be 2^1024.
#[inline(always)]
pub(crate) fn exp_m1<R: Rounding>(x: f64) -> f64 {
    let (k, r, e) = reduced::<R>(within(x, -50.0, 710.0));
    let s = power(k.wrapping_sub(1));
    let (y, lack) = sum(s - 0.5, s * r);
    let y = 2.0 * (y + R::add(s, R::add(r * r, second::<R>(r), e), lack));
    // Half of a subnormal number is not exact.
    if x.abs() < 1e-17 { x } else { y }
}
