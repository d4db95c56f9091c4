//! Powers with whole exponents, in one order of multiplications: folded, unrolled and vectorised code has the same bits.

/// The function of a type.
macro_rules! powi {
    ($float:ident) => {
        /// `x^n` by repeated squaring: the factors `x`, `x²`, `x⁴`, … of the digits 1 of `n`, from the lowest one on. Each product
        /// is rounded, so `powi(x, 2)` is `x * x` and `powi(x, 3)` is `x * (x * x)`.
        ///
        /// With a negative exponent it is `1 / x^|n|`: so 0 where `x^|n|` overflows, though the power may be a number that is not
        /// normal. `powi(x, 0)` is 1, also of NaN.
        #[inline(always)]
        #[must_use]
        pub fn powi(x: $float, n: i32) -> $float {
            let (mut factor, mut left, mut power) = (x, n.unsigned_abs(), 1.0);
            // No square more than needed. Optimisers unroll this where they know `n`.
            loop {
                if left % 2 == 1 {
                    power *= factor;
                }
                left /= 2;
                if left == 0 {
                    break;
                }
                factor *= factor;
            }
            if n < 0 { 1.0 / power } else { power }
        }
    };
}

powi! { f64 }

pub(crate) mod single {
    powi! { f32 }
}
