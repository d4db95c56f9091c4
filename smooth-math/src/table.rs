//! The functions, each with its documentation, for macros that make the public forms of them.

/// Gives a macro every function of `f64`: its name and arguments, and the module that has its generic form.
macro_rules! functions {
    ($then:ident! $($with:tt)*) => {
        $then! {
            $($with)*
            /// `e^x`.
            exp(x) in exp;
            /// `2^x`.
            exp2(x) in exp;
            /// `e^x - 1`.
            exp_m1(x) in exp;
            /// The natural logarithm.
            ln(x) in log;
            /// `ln(1 + x)`.
            ln_1p(x) in log;
            /// The logarithm to base 2.
            log2(x) in log;
            /// The logarithm to base 10.
            log10(x) in log;
            /// The logarithm to any base, by the formula of `std`.
            log(x, base) in log;
            /// The sine.
            sin(x) in trig;
            /// The cosine.
            cos(x) in trig;
            /// The tangent.
            tan(x) in trig;
            /// The arcsine.
            asin(x) in atan;
            /// The arccosine.
            acos(x) in atan;
            /// The arctangent.
            atan(x) in atan;
            /// The angle of the point `(x, y)`.
            atan2(y, x) in atan;
            /// The hyperbolic sine.
            sinh(x) in hyperbolic;
            /// The hyperbolic cosine.
            cosh(x) in hyperbolic;
            /// The hyperbolic tangent.
            tanh(x) in hyperbolic;
            /// The inverse hyperbolic sine.
            asinh(x) in hyperbolic;
            /// The inverse hyperbolic cosine.
            acosh(x) in hyperbolic;
            /// The inverse hyperbolic tangent.
            atanh(x) in hyperbolic;
            /// The cube root.
            cbrt(x) in cbrt;
            /// `x^y`.
            powf(x, y) in pow;
            /// `√(x² + y²)`.
            hypot(x, y) in hypot;
        }
    };
}

/// Gives a macro the functions of `near`.
macro_rules! angles {
    ($then:ident! $($with:tt)*) => {
        $then! {
            $($with)*
            /// The sine.
            sin(x) in trig::near;
            /// The cosine.
            cos(x) in trig::near;
            /// The tangent.
            tan(x) in trig::near;
        }
    };
}

/// Functions of `f64`, by the type that says how often a product and a sum are rounded.
macro_rules! double {
    ($rounding:ty; $($(#[$doc:meta])* $f:ident($($x:ident),+) in $($family:ident)::+;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        #[must_use]
        pub fn $f($($x: f64),+) -> f64 {
            crate::$($family)::+::$f::<$rounding>($($x),+)
        }
    )*};
}
