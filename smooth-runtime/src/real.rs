//! Floating-point numbers of both widths.
use crate::{
    Element, Scalar,
    math::{Cast, Euclid, Number, Signed, ToReal},
    reduce::Summand,
};
use core::ops::{Add, Div, Mul, Neg, Rem, Sub};

macro_rules! real {
    ($($(#[$on:meta])* $f:ident($($x:ident: $t:ty),*): $libm64:expr, $libm32:expr;)*) => {
        /// The floating-point types: `f32` and `f64`.
        ///
        /// `#[smooth] fn f<T: Real>(…)` is one kernel for both. Plain Rust can be generic over `Real` too: it has
        /// arithmetic, comparison and the methods of `f64`; the elementary functions need the feature `std` or `libm`.
        ///
        /// ```
        /// use smooth_runtime::Real;
        ///
        /// fn halved<T: Real>(x: T) -> T {
        ///     x * T::from_f64(0.5)
        /// }
        /// assert_eq!((halved(3.0f32), halved(3.0f64)), (1.5, 1.5));
        /// ```
        pub trait Real:
            Scalar
            + Element<Scalar = Self>
            + Number
            + Signed
            + Euclid
            + Summand
            + ToReal
            + PartialOrd
            + Add<Output = Self>
            + Sub<Output = Self>
            + Mul<Output = Self>
            + Div<Output = Self>
            + Rem<Output = Self>
            + Neg<Output = Self>
            + Cast<f64>
            + Cast<f32>
            + Cast<usize>
            + Cast<i8>
            + Cast<i16>
            + Cast<i32>
            + Cast<i64>
            + Cast<u8>
            + Cast<u16>
            + Cast<u32>
            + Cast<u64>
        {
            /// `x as Self`: the nearest number to `x`.
            fn from_f64(x: f64) -> Self;
            /// `x as Self`.
            fn from_i64(x: i64) -> Self;
            /// `x as Self`.
            fn from_u64(x: u64) -> Self;
            /// The same number as an `f64`.
            fn to_f64(self) -> f64;
            $(
                #[doc = concat!("[`f64::", stringify!($f), "`], for either width.")]
                $(#[$on])*
                #[must_use]
                fn $f(self $(, $x: $t)*) -> Self;
            )*
            /// [`f64::is_nan`], for either width.
            fn is_nan(self) -> bool;
            /// [`f64::is_finite`], for either width.
            fn is_finite(self) -> bool;
            /// [`f64::is_infinite`], for either width.
            fn is_infinite(self) -> bool;
        }

        real! { @impl f64 libm64 $($(#[$on])* $f($($x: $t),*): $libm64;)* }
        real! { @impl f32 libm32 $($(#[$on])* $f($($x: $t),*): $libm32;)* }
    };
    (@impl $float:ident $with:ident $($(#[$on:meta])* $f:ident($($x:ident: $t:ty),*): $libm:expr;)*) => {
        impl Real for $float {
            #[inline(always)]
            fn from_f64(x: f64) -> Self {
                x as $float
            }
            #[inline(always)]
            fn from_i64(x: i64) -> Self {
                x as $float
            }
            #[inline(always)]
            fn from_u64(x: u64) -> Self {
                x as $float
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }
            $(
                $(#[$on])*
                #[inline(always)]
                fn $f(self $(, $x: $t)*) -> Self {
                    #[cfg(feature = "std")]
                    return $float::$f(self $(, $x)*);
                    #[cfg(not(feature = "std"))]
                    ($libm)(self $(, $x)*)
                }
            )*
            #[inline(always)]
            fn is_nan(self) -> bool {
                $float::is_nan(self)
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }
            #[inline(always)]
            fn is_infinite(self) -> bool {
                $float::is_infinite(self)
            }
        }
    };
}

real! {
    copysign(sign: Self): f64::copysign, f32::copysign;
    recip(): f64::recip, f32::recip;
    to_radians(): f64::to_radians, f32::to_radians;
    to_degrees(): f64::to_degrees, f32::to_degrees;
    #[cfg(any(feature = "std", feature = "libm"))] sqrt(): libm::sqrt, libm::sqrtf;
    #[cfg(any(feature = "std", feature = "libm"))] cbrt(): libm::cbrt, libm::cbrtf;
    #[cfg(any(feature = "std", feature = "libm"))] sin(): libm::sin, libm::sinf;
    #[cfg(any(feature = "std", feature = "libm"))] cos(): libm::cos, libm::cosf;
    #[cfg(any(feature = "std", feature = "libm"))] tan(): libm::tan, libm::tanf;
    #[cfg(any(feature = "std", feature = "libm"))] asin(): libm::asin, libm::asinf;
    #[cfg(any(feature = "std", feature = "libm"))] acos(): libm::acos, libm::acosf;
    #[cfg(any(feature = "std", feature = "libm"))] atan(): libm::atan, libm::atanf;
    #[cfg(any(feature = "std", feature = "libm"))] atan2(other: Self): libm::atan2, libm::atan2f;
    #[cfg(any(feature = "std", feature = "libm"))] sinh(): libm::sinh, libm::sinhf;
    #[cfg(any(feature = "std", feature = "libm"))] cosh(): libm::cosh, libm::coshf;
    #[cfg(any(feature = "std", feature = "libm"))] tanh(): libm::tanh, libm::tanhf;
    #[cfg(any(feature = "std", feature = "libm"))] asinh(): libm::asinh, libm::asinhf;
    #[cfg(any(feature = "std", feature = "libm"))] acosh(): libm::acosh, libm::acoshf;
    #[cfg(any(feature = "std", feature = "libm"))] atanh(): libm::atanh, libm::atanhf;
    #[cfg(any(feature = "std", feature = "libm"))] exp(): libm::exp, libm::expf;
    #[cfg(any(feature = "std", feature = "libm"))] exp2(): libm::exp2, libm::exp2f;
    #[cfg(any(feature = "std", feature = "libm"))] exp_m1(): libm::expm1, libm::expm1f;
    #[cfg(any(feature = "std", feature = "libm"))] ln(): libm::log, libm::logf;
    #[cfg(any(feature = "std", feature = "libm"))] ln_1p(): libm::log1p, libm::log1pf;
    #[cfg(any(feature = "std", feature = "libm"))] log(base: Self):
        |x: f64, base: f64| libm::log(x) / libm::log(base), |x: f32, base: f32| libm::logf(x) / libm::logf(base);
    #[cfg(any(feature = "std", feature = "libm"))] log2(): libm::log2, libm::log2f;
    #[cfg(any(feature = "std", feature = "libm"))] log10(): libm::log10, libm::log10f;
    #[cfg(any(feature = "std", feature = "libm"))] powf(y: Self): libm::pow, libm::powf;
    #[cfg(any(feature = "std", feature = "libm"))] powi(n: i32): powi::<f64>, powi::<f32>;
    #[cfg(any(feature = "std", feature = "libm"))] hypot(y: Self): libm::hypot, libm::hypotf;
    #[cfg(any(feature = "std", feature = "libm"))] mul_add(a: Self, b: Self): libm::fma, libm::fmaf;
    #[cfg(any(feature = "std", feature = "libm"))] floor(): libm::floor, libm::floorf;
    #[cfg(any(feature = "std", feature = "libm"))] ceil(): libm::ceil, libm::ceilf;
    #[cfg(any(feature = "std", feature = "libm"))] round(): libm::round, libm::roundf;
    #[cfg(any(feature = "std", feature = "libm"))] trunc(): libm::trunc, libm::truncf;
    #[cfg(any(feature = "std", feature = "libm"))] fract():
        |x: f64| x - libm::trunc(x), |x: f32| x - libm::truncf(x);
}

/// `xⁿ` by repeated squaring, as in compiler-rt.
#[cfg(all(feature = "libm", not(feature = "std")))]
fn powi<T: Real>(mut x: T, n: i32) -> T {
    let (mut left, mut power) = (n.unsigned_abs(), T::from_f64(1.0));
    while left > 0 {
        if left % 2 == 1 {
            power = power * x;
        }
        x = x * x;
        left /= 2;
    }
    if n < 0 { power.recip() } else { power }
}
