//! `x = 2^k · (1 + f)` with `1 + f` in `[√½, √2)`, and `ln(1 + f) = f - f²/2 + s·(f²/2 + R)` with `s = f/(2 + f)`, as in
//! FreeBSD's `e_log.c` (Sun Microsystems, 1993).

use crate::parts::{Rounding, paired, upper};

/// The bits of `√½`, without the lower 32.
const ROOT: u64 = 0x3fe6_a09e_0000_0000;
const ONE: u64 = 0x3ff0_0000_0000_0000;
const FRACTION: u64 = 0x000f_ffff_ffff_ffff;

/// `ln 2`; the first part times any exponent is exact.
const LN2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// `k` and `1 + f` of a positive normal number.
#[inline(always)]
fn parts(x: f64) -> (f64, f64) {
    let u = x.to_bits().wrapping_add(ONE - ROOT);
    // The bits of 2^52 with the biased exponent below.
    let k = f64::from_bits(u >> 52 | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    (k, f64::from_bits((u & FRACTION) + ROOT))
}

/// `k` and `f` of a positive number.
#[inline(always)]
pub(crate) fn split(x: f64) -> (f64, f64) {
    let tiny = x < f64::MIN_POSITIVE;
    let (k, m) = parts(if tiny { x * 18_014_398_509_481_984.0 } else { x });
    (k - if tiny { 54.0 } else { 0.0 }, m - 1.0)
}

/// `s · (f²/2 + R)`, and `f²/2`.
#[inline(always)]
fn series<R: Rounding>(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let (z, half) = (s * s, 0.5 * f * f);
    let rest = z * paired!(R, z;
        [0.666_666_666_666_673_5, 0.399_999_999_994_094_2]
        [0.285_714_287_436_623_9, 0.222_221_984_321_497_84]
        [0.181_835_721_616_180_5, 0.153_138_376_992_093_73]
        [0.147_981_986_051_165_86]);
    (s * (half + rest), half)
}

/// `y` if `x` is positive and finite, else the special value of a logarithm at `x`.
#[inline(always)]
fn or_special(x: f64, y: f64) -> f64 {
    let special = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    let special = if x == f64::INFINITY { x } else { special };
    if x > 0.0 && x < f64::INFINITY { y } else { special }
}

/// The natural logarithm.
#[inline(always)]
pub(crate) fn ln<R: Rounding>(x: f64) -> f64 {
    let (k, f) = split(x);
    let (rest, half) = series::<R>(f);
    let y = (half - R::add(k, LN2[1], rest)) - f;
    or_special(x, R::add(k, LN2[0], -y))
}

/// `ln(1 + x)`: `ln u + c/u`, where `u` is `1 + x` rounded, and `c` is its error.
#[inline(always)]
pub(crate) fn ln_1p<R: Rounding>(x: f64) -> f64 {
    let u = 1.0 + x;
    let c = if x < 1.0 { x - (u - 1.0) } else { 1.0 - (u - x) };
    // Between √½ and √2 the series takes `x` as it is.
    let near = x > -0.292_893_2 && x < 0.414_213_5;
    let (k, m) = parts(u);
    let (k, f, c) = if near { (0.0, x, 0.0) } else { (k, m - 1.0, c / u) };
    let (rest, half) = series::<R>(f);
    let y = R::add(k, LN2[0], rest + R::add(k, LN2[1], c) - half + f);
    // Also the sign of 0.
    let y = if x.abs() < 1e-17 { x } else { y };
    or_special(u, y)
}

/// `ln(1 + f)` in two parts, the first of 21 bits.
#[inline(always)]
fn two_parts<R: Rounding>(f: f64) -> (f64, f64) {
    let (rest, half) = series::<R>(f);
    let h = upper(f - half);
    (h, f - h - half + rest)
}

/// The logarithm to base 2.
#[inline(always)]
pub(crate) fn log2<R: Rounding>(x: f64) -> f64 {
    const LOG2_E: [f64; 2] = [1.442_695_040_721_446_3, 1.675_171_316_488_651_2e-10];
    let (k, f) = split(x);
    let (h, l) = two_parts::<R>(f);
    let (y, rest) = (h * LOG2_E[0], (l + h) * LOG2_E[1] + l * LOG2_E[0]);
    let w = k + y;
    or_special(x, (rest + ((k - w) + y)) + w)
}

/// The logarithm to base 10.
#[inline(always)]
pub(crate) fn log10<R: Rounding>(x: f64) -> f64 {
    const LOG10_E: [f64; 2] = [0.434_294_481_878_168_9, 2.508_294_671_164_527_5e-11];
    const LOG10_2: [f64; 2] = [0.301_029_995_663_611_77, 3.694_239_077_158_931e-13];
    let (k, f) = split(x);
    let (h, l) = two_parts::<R>(f);
    let (v, y) = (h * LOG10_E[0], k * LOG10_2[0]);
    let rest = k * LOG10_2[1] + (l + h) * LOG10_E[1] + l * LOG10_E[0];
    let w = y + v;
    or_special(x, (rest + ((y - w) + v)) + w)
}

/// The logarithm to any base, by the formula of `std`.
#[inline(always)]
pub(crate) fn log<R: Rounding>(x: f64, base: f64) -> f64 {
    ln::<R>(x) / ln::<R>(base)
}
