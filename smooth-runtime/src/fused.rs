//! The elementary functions of fast kernels, as functions for generated code: of `smooth_math::fused` in an instance that has
//! an instruction that multiplies and adds with one rounding, of `smooth_math` elsewhere.

use crate::Real;
use crate::clones::Instance;
use crate::float_methods::float_methods;

/// The functions of a module of `smooth_math`, for either width.
macro_rules! functions {
    ($($name:ident = $($of:ident)::+ ($($x:ident),*);)*) => {$(
        #[doc = concat!("`smooth_math::", stringify!($($of)::+), "`, or that of `fused`.")]
        #[inline(always)]
        pub fn $name<I: Instance, T: Real>(_: I, x: T $(, $x: T)*) -> T {
            #[cfg(feature = "std")]
            if I::FUSED {
                return T::from_f64(smooth_math::fused::$($of)::+(x.to_f64() $(, $x.to_f64())*));
            }
            T::from_f64(smooth_math::$($of)::+(x.to_f64() $(, $x.to_f64())*))
        }
    )*};
}

/// One for each elementary method of [`Real`].
macro_rules! elementary {
    (
        core { $($core:tt)* }
        exact { $($exact:tt)* }
        elementary { $($f:ident $std:ident($($x:ident: $t:ident),*): $libm64:expr, $libm32:expr;)* }
    ) => {
        functions! { $($f = $f($($x),*);)* }
    };
}

float_methods! { elementary }
functions! { near_sin = near::sin(); near_cos = near::cos(); near_tan = near::tan(); }
