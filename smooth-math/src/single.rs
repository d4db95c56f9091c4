//! The functions of `f32`: those of `f64`, rounded. So their error is a half unit in the last place and some billionths.

macro_rules! rounded {
    ($($(#[$doc:meta])* $f:ident($($x:ident),*);)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        #[must_use]
        pub fn $f($($x: f32),*) -> f32 {
            crate::$f($($x.into()),*) as f32
        }
    )*};
}

rounded! {
    /// The square root.
    sqrt(x);
    /// `e^x`.
    exp(x);
    /// `2^x`.
    exp2(x);
    /// `e^x - 1`.
    exp_m1(x);
    /// The natural logarithm.
    ln(x);
    /// `ln(1 + x)`.
    ln_1p(x);
    /// The logarithm to base 2.
    log2(x);
    /// The logarithm to base 10.
    log10(x);
    /// The sine.
    sin(x);
    /// The cosine.
    cos(x);
    /// The tangent.
    tan(x);
    /// The arcsine.
    asin(x);
    /// The arccosine.
    acos(x);
    /// The arctangent.
    atan(x);
    /// The angle of the point `(x, y)`.
    atan2(y, x);
    /// The hyperbolic sine.
    sinh(x);
    /// The hyperbolic cosine.
    cosh(x);
    /// The hyperbolic tangent.
    tanh(x);
    /// The inverse hyperbolic sine.
    asinh(x);
    /// The inverse hyperbolic cosine.
    acosh(x);
    /// The inverse hyperbolic tangent.
    atanh(x);
    /// The cube root.
    cbrt(x);
    /// `x^y`.
    powf(x, y);
    /// `√(x² + y²)`.
    hypot(x, y);
    /// The logarithm to any base.
    log(x, base);
}

/// The sine and the cosine.
#[inline(always)]
#[must_use]
pub fn sin_cos(x: f32) -> (f32, f32) {
    let (s, c) = crate::sin_cos(x.into());
    (s as f32, c as f32)
}

/// The functions for numbers up to [`NEAR`](crate::NEAR) in magnitude, infinities and NaN: without a call, for loops.
pub mod near {
    macro_rules! near {
        ($($(#[$doc:meta])* $f:ident;)*) => {$(
            $(#[$doc])*
            #[inline(always)]
            #[must_use]
            pub fn $f(x: f32) -> f32 {
                crate::near::$f(x.into()) as f32
            }
        )*};
    }
    near! {
        /// The sine.
        sin;
        /// The cosine.
        cos;
        /// The tangent.
        tan;
    }
}
