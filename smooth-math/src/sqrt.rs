//! The square root, which IEEE 754 rounds correctly: so both forms have the same bits.

/// The square root.
#[cfg(feature = "std")]
#[inline(always)]
#[must_use]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// The square root.
#[cfg(not(feature = "std"))]
#[inline(always)]
#[must_use]
pub fn sqrt(x: f64) -> f64 {
    by_newton(x)
}

/// `m = x / 2^2k` is in `[1, 4)`; three steps of Newton's method for `1/√m`, then the neighbour that is nearest.
///
/// With the residual `r = m - y²`, which is a multiple of u² as is `y·u` (u: the unit in the last place of `y`), the root
/// is above `y + u/2` if and only if `r > y·u`, and below `y - u/2` if and only if `r ≤ -y·u`.
#[cfg(any(test, not(feature = "std")))]
#[inline(always)]
fn by_newton(x: f64) -> f64 {
    use crate::parts::{Twice, product};
    let tiny = x < f64::MIN_POSITIVE;
    let v = if tiny { x * 18_014_398_509_481_984.0 } else { x };
    let bits = v.to_bits();
    // The biased exponent less its parity; the exponent of the root is half of it.
    let even = (bits >> 52).wrapping_sub(1023) & !1;
    let m = f64::from_bits(bits.wrapping_sub(even << 52));
    let mut w = f64::from_bits(0x5fe6_eb50_c7b5_37a9 - (m.to_bits() >> 1));
    for _ in 0..4 {
        w *= 1.5 - 0.5 * m * w * w;
    }
    let y = m * w;
    let y = y + 0.5 * w * (m - y * y);
    let (p, e) = product::<Twice>(y, y);
    let (r, u) = ((m - p) - e, f64::EPSILON);
    let y = if r > y * u { y + u } else { y };
    let y = if r <= -(y * u) { y - u } else { y };
    let half = f64::from_bits((even << 51).wrapping_add(1.0f64.to_bits()) & 0x7ff0_0000_0000_0000);
    let root = y * half * if tiny { 7.450_580_596_923_828e-9 } else { 1.0 };
    let special = if x < 0.0 { f64::NAN } else { x };
    if x > 0.0 && x < f64::INFINITY { root } else { special }
}

#[cfg(test)]
mod tests {
    #[test]
    fn roots_without_std_are_those_of_std() {
        let mut state = 1u64;
        for k in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let x = match k % 3 {
                0 => f64::from_bits(state & !(1 << 63)),
                1 => f64::from_bits(1.0f64.to_bits() + (state >> 11)),
                _ => ((state >> 40) as f64).powi(2) * (1.0 + (k % 5) as f64 * f64::EPSILON),
            };
            let (ours, std) = (super::by_newton(x), x.sqrt());
            assert!(ours.to_bits() == std.to_bits() || x.is_nan(), "√{x:e}: {ours:e}, std has {std:e}");
        }
        for x in [0.0, -0.0, f64::INFINITY, f64::MIN_POSITIVE, 5e-324, f64::MAX, 1.0, 4.0] {
            assert_eq!(super::by_newton(x).to_bits(), x.sqrt().to_bits(), "{x:e}");
        }
        assert!(super::by_newton(-1.0).is_nan() && super::by_newton(f64::NAN).is_nan());
    }
}
