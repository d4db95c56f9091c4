//! `x^y = 2^(y · log2 x)` with the logarithm in two parts, as in FreeBSD's `e_pow.c` (Sun Microsystems, 2004), without its
//! branches.

use crate::exp::second;
use crate::parts::{Rounding, SIGN, nearest, paired, scaled, upper};

/// `log2 x` of a positive number, in two parts, the first without its lower 32 bits.
#[inline(always)]
fn log2_parts<R: Rounding>(x: f64) -> (f64, f64) {
    // 2/(3·ln 2).
    const CP: [f64; 3] = [0.961_796_693_925_975_6, 0.961_796_700_954_437_3, -7.028_461_650_952_758e-9];
    // x = 2^n·m with m in [√¾, √3): around b = 1, or 3/2 from √(3/2) on. Sums of integers choose `b`, since a branch would be
    // hard to predict.
    const LEAST: u64 = 0x3feb_b67a_e858_4caa;
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    let tiny = x < f64::MIN_POSITIVE;
    let u = (if tiny { x * 18_014_398_509_481_984.0 } else { x }).to_bits().wrapping_add(ONE - LEAST);
    let n = f64::from_bits(u >> 52 | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let n = n - if tiny { 54.0 } else { 0.0 };
    let m = (u & 0x000f_ffff_ffff_ffff) + LEAST;
    let half = (m.wrapping_sub(1.224_744_871_391_589f64.to_bits()) >> 63).wrapping_sub(1);
    let m = f64::from_bits(m);
    let where_half = |bits: u64| f64::from_bits(half & bits);
    let b = f64::from_bits(ONE | half & 1 << 51);
    let (b_upper, b_lower) =
        (where_half(0.584_962_487_220_764_2f64.to_bits()), where_half(1.350_039_202_129_749e-8f64.to_bits()));
    // s = (m - b)/(m + b) in two parts.
    let (u, v) = (m - b, 1.0 / (m + b));
    let s = u * v;
    let s_upper = upper(s);
    let t_upper = upper(m + b);
    let t_lower = m - (t_upper - b);
    let s_lower = v * ((u - s_upper * t_upper) - s_upper * t_lower);
    // ln m - ln b = 2·(s + s³/3 + …).
    let z = s * s;
    let r = z
        * z
        * paired!(R, z;
            [0.599_999_999_999_994_6, 0.428_571_428_578_550_2]
            [0.333_333_329_818_377_43, 0.272_728_123_808_534]
            [0.230_660_745_775_561_75, 0.206_975_017_800_338_42])
        + s_lower * (s_upper + s);
    let z = s_upper * s_upper;
    let t_upper = upper(3.0 + z + r);
    let t_lower = r - ((t_upper - 3.0) - z);
    let (u, v) = (s_upper * t_upper, s_lower * t_upper + t_lower * s);
    let p_upper = upper(u + v);
    let p_lower = v - (p_upper - u);
    let z_upper = CP[1] * p_upper;
    let z_lower = CP[2] * p_upper + p_lower * CP[0] + b_lower;
    let first = upper(((z_upper + z_lower) + b_upper) + n);
    (first, z_lower - (((first - n) - b_upper) - z_upper))
}

/// Whether a number is an integer.
#[inline(always)]
fn is_integer(x: f64) -> bool {
    const ALL: f64 = 4_503_599_627_370_496.0;
    let x = x.abs();
    x >= ALL || (x + ALL) - ALL == x
}

/// `2^z` for `z = h + l`, rounded once.
#[inline(always)]
fn power_of_two<R: Rounding>(h: f64, l: f64) -> f64 {
    const LN2: [f64; 3] = [core::f64::consts::LN_2, 0.693_147_182_464_599_6, -1.904_654_299_957_768e-9];
    let (n, k) = nearest(h + l);
    let h = h - n;
    let t = upper(h + l);
    let (u, v) = (t * LN2[1], (l - (t - h)) * LN2[0] + t * LN2[2]);
    let r = u + v;
    let e = v - (r - u);
    scaled(1.0 + (r + (r * r * second::<R>(r) + (e + r * e))), k)
}

/// `x^y`.
#[inline(always)]
pub(crate) fn powf<R: Rounding>(x: f64, y: f64) -> f64 {
    let v = x.abs();
    // From 2^65 on every power is 0, 1 or infinite.
    let w = if y > 3.7e19 { 3.7e19 } else { y };
    let w = if w < -3.7e19 { -3.7e19 } else { w };
    let (log, log_rest) = log2_parts::<R>(v);
    let w_upper = upper(w);
    let (h, l) = (w_upper * log, (w - w_upper) * log + w * log_rest);
    let z = h + l;
    let (h, l) = if z > 1030.0 { (1030.0, 0.0) } else { (h, l) };
    let (h, l) = if z < -1080.0 { (-1080.0, 0.0) } else { (h, l) };
    let value = power_of_two::<R>(h, l);
    let integer = is_integer(y);
    let value = if x < 0.0 && !integer { f64::NAN } else { value };
    let none = if (v == 0.0) != (y < 0.0) { 0.0 } else { f64::INFINITY };
    let value = if v == 0.0 || v == f64::INFINITY { none } else { value };
    let odd = integer && !is_integer(0.5 * y);
    let value = if odd { f64::from_bits(value.to_bits() | x.to_bits() & SIGN) } else { value };
    let value = if x.is_nan() || y.is_nan() { f64::NAN } else { value };
    if y == 0.0 || x == 1.0 { 1.0 } else { value }
}
