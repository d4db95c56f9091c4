//! The reduction of large angles (Payne and Hanek, 1983).

use crate::parts::{Twice, product};
use crate::trig::Reduced;

/// 64 zeros, then the bits of 2/π after the binary point.
const BITS: [u64; 20] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// `x = n·π/2 + r - e` for `|x| ≥ 1`.
///
/// `|x| = m·2^s` with `m` of 53 bits. The bits of 2/π before the one of weight `2^(1-s)` give multiples of 4, the 192 from
/// there on a product with an error below 2^-136; its upper two bits are `n`, the others the fraction.
pub(crate) fn far(x: f64) -> Reduced {
    let bits = x.to_bits();
    let exponent = bits >> 52 & 0x7ff;
    if exponent == 0x7ff {
        return (0, f64::NAN, f64::NAN);
    }
    let m = bits & 0x000f_ffff_ffff_ffff | 1 << 52;
    // The place, from the front of the table, of the bit of weight 2^(1-s).
    let place = exponent as usize + 62 - 1075;
    let (word, shift) = (place / 64, place % 64);
    let window = |k: usize| {
        let two = u128::from(BITS[word + k]) << 64 | u128::from(BITS[word + k + 1]);
        (two << shift >> 64) as u64
    };
    // The lower 192 bits of the product.
    let times = |k: usize| u128::from(m) * u128::from(window(k));
    let low = times(2);
    let middle = times(1) + (low >> 64);
    let high = times(0).wrapping_add(middle >> 64) as u64;
    let upper = u128::from(high) << 64 | u128::from(middle as u64);
    // 128 bits of the fraction; from a half on it counts as negative, and `n` is one more.
    let fraction = (upper << 2 | u128::from(low as u64 >> 62)) as i128;
    let n = (high >> 62).wrapping_add(u64::from(fraction < 0));
    let h = fraction as f64;
    let l = (fraction - h as i128) as f64;
    let unit = crate::parts::power(128u64.wrapping_neg());
    let (h, l) = (h * unit, l * unit);
    let (p, rest) = product::<Twice>(h, core::f64::consts::FRAC_PI_2);
    let rest = rest + (h * 6.123_233_995_736_766e-17 + l * core::f64::consts::FRAC_PI_2);
    let r = p + rest;
    let e = (r - p) - rest;
    if x < 0.0 { (n.wrapping_neg(), -r, -e) } else { (n, r, e) }
}
