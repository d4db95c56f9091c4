//! `atan(v) = a + atan(t)` with `|t| ≤ 0.55`: `t` is `v` (a = 0), `(v - 1)/(v + 1)` (a = π/4) or `-1/v` (a = π/2); and
//! `asin(x) = x + x³·R(x²)` up to ½, beyond it from `√((1 - x)/2)`.

use crate::parts::{Rounding, SIGN, halved, horner, product, signed};
use crate::sqrt;
use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// The low parts of the constants: their exact values minus the `f64`s.
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;
const FRAC_PI_4_REST: f64 = 3.061_616_997_868_383e-17;
const PI_REST: f64 = 1.224_646_799_147_353_2e-16;

/// `atan(y/x)` for `y, x ≥ 0` without overflow and not both 0, in two parts; `REST`: with the error of the quotient `t`.
#[inline(always)]
fn quotient<R: Rounding, const REST: bool>(y: f64, x: f64) -> (f64, f64) {
    // The result is ½ and 1.18 at these borders, so that the rounding error of `t` is small against it.
    let (low, high) = (y <= 0.55 * x, y > 2.414 * x);
    let (n, d) = if high { (-x, y) } else { (y - x, y + x) };
    let (n, d) = if low { (y, x) } else { (n, d) };
    let (a, rest) = if high { (FRAC_PI_2, FRAC_PI_2_REST) } else { (FRAC_PI_4, FRAC_PI_4_REST) };
    let (a, rest) = if low { (0.0, 0.0) } else { (a, rest) };
    let t = n / d;
    // The product of a tiny numerator is rounded; there, and near infinity, the rest does not matter.
    let (p, e) = product::<R>(t, d);
    let lack = if REST && n.abs() > 1e-270 && d < 1e300 { ((n - p) - e) / d } else { 0.0 };
    let z = t * t;
    let p = halved!(R, z;
        [-0.333_333_333_333_333_3, -0.142_857_142_856_543_66, -0.090_909_088_633_559_91, -0.066_665_601_085_064_85, -0.052_524_808_835_893_146, -0.040_715_042_897_716_45, -0.018_387_396_610_816_502]
        [0.199_999_999_999_997_2, 0.111_111_111_060_079_69, 0.076_923_015_899_074_26, 0.058_810_813_671_290_5, 0.046_978_222_898_517_82, 0.031_472_567_627_528_585, 0.005_743_016_762_761_159]);
    let small = rest + (t * z * p + (lack - lack * z));
    // Exact: |a| ≥ |t|, or a = 0.
    let s = a + t;
    (s, (t - (s - a)) + small)
}

/// The arctangent.
#[inline(always)]
pub(crate) fn atan<R: Rounding>(x: f64) -> f64 {
    let (a, rest) = quotient::<R, false>(x.abs(), 1.0);
    signed(a + rest, x.to_bits() & SIGN)
}

/// The angle of the point `(x, y)`.
#[inline(always)]
pub(crate) fn atan2<R: Rounding>(y: f64, x: f64) -> f64 {
    let (v, u) = (y.abs(), x.abs());
    // Two infinities have the angle of two ones.
    let both = v == f64::INFINITY && u == f64::INFINITY;
    let (v, u) = if both { (1.0, 1.0) } else { (v, u) };
    let most = if v > u { v } else { u };
    let scale = if most > 1e290 { 7.888_609_052_210_118e-31 } else { 1.0 };
    let scale = if most < 1e-270 { 1.267_650_600_228_229_4e30 } else { scale };
    let (a, rest) = quotient::<R, true>(v * scale, u * scale);
    let (a, rest) = if v == 0.0 { (0.0, 0.0) } else { (a, rest) };
    // Left of the axis it is π less that.
    let s = PI - a;
    let left = s + (((PI - s) - a) + (PI_REST - rest));
    let a = if f64::from_bits(x.to_bits() & SIGN | 1.0f64.to_bits()) < 0.0 { left } else { a + rest };
    let a = signed(a, y.to_bits() & SIGN);
    if x.is_nan() || y.is_nan() { f64::NAN } else { a }
}

/// `(asin(√z) - √z) / z^(3/2)`, for `z` in 0..=¼.
#[inline(always)]
fn third<R: Rounding>(z: f64) -> f64 {
    halved!(R, z;
        [0.166_666_666_666_666_69, 0.044_642_857_146_355_43, 0.022_372_172_942_149_92, 0.013_971_212_973_552_933, 0.010_322_814_350_185_78, 0.017_400_879_442_694_02, 0.028_757_851_367_421_566]
        [0.074_999_999_999_984_33, 0.030_381_944_138_531_247, 0.017_352_392_720_869_973, 0.011_479_177_415_184_906, 0.005_457_506_718_640_358, -0.014_851_887_071_247_204])
}

/// `√z` in two parts.
#[inline(always)]
fn root<R: Rounding>(z: f64) -> (f64, f64) {
    let s = sqrt(z);
    let (p, rest) = product::<R>(s, s);
    (s, if z > 0.0 { ((z - p) - rest) / (s + s) } else { 0.0 })
}

/// The arcsine.
#[inline(always)]
pub(crate) fn asin<R: Rounding>(x: f64) -> f64 {
    let v = x.abs();
    let near = v <= 0.5;
    let z = if near { v * v } else { 0.5 * (1.0 - v) };
    let (s, rest) = root::<R>(z);
    let p = z * third::<R>(z);
    // π/2 - 2·(s + rest + s·p).
    let first = FRAC_PI_2 - 2.0 * s;
    let far = first + (((FRAC_PI_2 - first) - 2.0 * s) + (FRAC_PI_2_REST - 2.0 * (rest + s * p)));
    signed(if near { v + v * p } else { far }, x.to_bits() & SIGN)
}

/// The arccosine.
#[inline(always)]
pub(crate) fn acos<R: Rounding>(x: f64) -> f64 {
    let v = x.abs();
    let near = v <= 0.5;
    let z = if near { v * v } else { 0.5 * (1.0 - v) };
    let (s, rest) = root::<R>(z);
    let p = z * third::<R>(z);
    // π/2 - (x + x·p).
    let first = FRAC_PI_2 - x;
    let middle = first + (((FRAC_PI_2 - first) - x) + (FRAC_PI_2_REST - x * p));
    let (double, small) = (2.0 * s, 2.0 * (rest + s * p));
    let first = PI - double;
    let left = first + (((PI - first) - double) + (PI_REST - small));
    let far = if x < 0.0 { left } else { double + small };
    if near { middle } else { far }
}
