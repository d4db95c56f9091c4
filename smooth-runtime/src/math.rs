//! The elementary functions of the language, for `f64` and `f32`: one place to say where they come from.
//!
//! With `std` they are std's, else with `libm` those of the crate of that name; without both only those remain that
//! `core` has. Generated code calls the functions: `math::sin(x)`, whatever the type of `x`.
use crate::Scalar;

/// What `min` and `max` compare: floats by IEEE 754 (a NaN loses), integers by order.
pub trait Extremum: Scalar {
    /// The smaller.
    fn least(self, other: Self) -> Self;
    /// The larger.
    fn most(self, other: Self) -> Self;
}

macro_rules! extrema {
    ($($kind:ident: $($t:ty)*;)*) => {$($(
        impl Extremum for $t {
            #[inline(always)]
            fn least(self, other: $t) -> $t {
                $kind::min(self, other)
            }
            #[inline(always)]
            fn most(self, other: $t) -> $t {
                $kind::max(self, other)
            }
        }
    )*)*};
}

extrema! {
    f64: f64;
    f32: f32;
    Ord: i8 i16 i32 i64 u8 u16 u32 u64 usize;
}

/// The smaller of two numbers.
#[inline(always)]
pub fn min<T: Extremum>(a: T, b: T) -> T {
    a.least(b)
}

/// The larger of two numbers.
#[inline(always)]
pub fn max<T: Extremum>(a: T, b: T) -> T {
    a.most(b)
}

/// `Self` in a trait is `T` in a function that is generic over the trait.
macro_rules! of {
    (Self) => {
        T
    };
    ($t:ident) => {
        $t
    };
}

/// The functions that are generic over a trait.
macro_rules! functions {
    ($trait:ident: $(fn $f:ident($x:ident $(, $y:ident: $t:ident)*) -> $r:ident;)*) => {$(
        #[doc = concat!("`x.", stringify!($f), "(…)`")]
        #[inline(always)]
        pub fn $f<T: $trait>($x: T $(, $y: of!($t))*) -> of!($r) {
            T::$f($x $(, $y)*)
        }
    )*};
}

/// A trait of what `core` has, its implementations, its functions.
macro_rules! in_core {
    ($($(#[$doc:meta])* $trait:ident: $super:ident {
        $(fn $f:ident($x:ident $(, $y:ident: $t:ident)*) -> $r:ident;)*
    })*) => {$(
        $(#[$doc])*
        pub trait $trait: $super {
            $(
                #[doc = concat!("`x.", stringify!($f), "(…)`")]
                fn $f(self $(, $y: $t)*) -> $r;
            )*
        }
        in_core! { impl $trait for f64 { $(fn $f($x $(, $y: $t)*) -> $r;)* } }
        in_core! { impl $trait for f32 { $(fn $f($x $(, $y: $t)*) -> $r;)* } }
        functions! { $trait: $(fn $f($x $(, $y: $t)*) -> $r;)* }
    )*};
    (impl $trait:ident for $float:ident { $(fn $f:ident($x:ident $(, $y:ident: $t:ident)*) -> $r:ident;)* }) => {
        impl $trait for $float {
            $(
                #[inline(always)]
                fn $f(self $(, $y: $t)*) -> $r {
                    $float::$f(self $(, $y)*)
                }
            )*
        }
    };
}

in_core! {
    /// A float, `f64` or `f32`, and what `core` can do with it.
    Float: Extremum {
        fn abs(x) -> Self;
        fn signum(x) -> Self;
        fn copysign(x, y: Self) -> Self;
        fn recip(x) -> Self;
        fn to_radians(x) -> Self;
        fn to_degrees(x) -> Self;
        fn is_nan(x) -> bool;
        fn is_finite(x) -> bool;
    }
}

/// A trait of what `core` lacks: std's, or the functions named at the end of the row, for `f64` and for `f32`.
#[cfg(any(feature = "std", feature = "libm"))]
macro_rules! elementary {
    ($(fn $f:ident($x:ident $(, $y:ident: $t:ident)*) -> $r:ident = $wide:path, $narrow:path;)*) => {
        /// The elementary functions of a float.
        pub trait Elementary: Float {
            $(
                #[doc = concat!("`x.", stringify!($f), "(…)`")]
                fn $f(self $(, $y: $t)*) -> $r;
            )*
        }
        #[cfg(feature = "std")]
        in_core! { impl Elementary for f64 { $(fn $f($x $(, $y: $t)*) -> $r;)* } }
        #[cfg(feature = "std")]
        in_core! { impl Elementary for f32 { $(fn $f($x $(, $y: $t)*) -> $r;)* } }
        #[cfg(not(feature = "std"))]
        impl Elementary for f64 {
            $(
                #[inline]
                fn $f(self $(, $y: $t)*) -> $r {
                    $wide(self $(, $y)*)
                }
            )*
        }
        #[cfg(not(feature = "std"))]
        impl Elementary for f32 {
            $(
                #[inline]
                fn $f(self $(, $y: $t)*) -> $r {
                    $narrow(self $(, $y)*)
                }
            )*
        }
        functions! { Elementary: $(fn $f($x $(, $y: $t)*) -> $r;)* }
    };
}

#[cfg(any(feature = "std", feature = "libm"))]
elementary! {
    fn powi(x, n: i32) -> Self = powi_by_squaring, powi_by_squaring;
    fn powf(x, y: Self) -> Self = libm::pow, libm::powf;
    fn sqrt(x) -> Self = libm::sqrt, libm::sqrtf;
    fn cbrt(x) -> Self = libm::cbrt, libm::cbrtf;
    fn sin(x) -> Self = libm::sin, libm::sinf;
    fn cos(x) -> Self = libm::cos, libm::cosf;
    fn tan(x) -> Self = libm::tan, libm::tanf;
    fn asin(x) -> Self = libm::asin, libm::asinf;
    fn acos(x) -> Self = libm::acos, libm::acosf;
    fn atan(x) -> Self = libm::atan, libm::atanf;
    fn atan2(y, x: Self) -> Self = libm::atan2, libm::atan2f;
    fn sinh(x) -> Self = libm::sinh, libm::sinhf;
    fn cosh(x) -> Self = libm::cosh, libm::coshf;
    fn tanh(x) -> Self = libm::tanh, libm::tanhf;
    fn asinh(x) -> Self = libm::asinh, libm::asinhf;
    fn acosh(x) -> Self = libm::acosh, libm::acoshf;
    fn atanh(x) -> Self = libm::atanh, libm::atanhf;
    fn exp(x) -> Self = libm::exp, libm::expf;
    fn exp2(x) -> Self = libm::exp2, libm::exp2f;
    fn exp_m1(x) -> Self = libm::expm1, libm::expm1f;
    fn ln(x) -> Self = libm::log, libm::logf;
    fn ln_1p(x) -> Self = libm::log1p, libm::log1pf;
    fn log(x, base: Self) -> Self = log_by_ln, log_by_ln;
    fn log2(x) -> Self = libm::log2, libm::log2f;
    fn log10(x) -> Self = libm::log10, libm::log10f;
    fn hypot(x, y: Self) -> Self = libm::hypot, libm::hypotf;
    fn mul_add(x, a: Self, b: Self) -> Self = libm::fma, libm::fmaf;
    fn floor(x) -> Self = libm::floor, libm::floorf;
    fn ceil(x) -> Self = libm::ceil, libm::ceilf;
    fn round(x) -> Self = libm::round, libm::roundf;
    fn trunc(x) -> Self = libm::trunc, libm::truncf;
    fn fract(x) -> Self = fract_by_trunc, fract_by_trunc;
}

/// What libm does not have, from what it has: as std does it.
#[cfg(all(feature = "libm", not(feature = "std")))]
mod derived {
    use super::Elementary;
    use core::ops::{Div, Mul, Sub};

    pub(super) fn fract_by_trunc<T: Elementary + Sub<Output = T>>(x: T) -> T {
        x - x.trunc()
    }

    pub(super) fn log_by_ln<T: Elementary + Div<Output = T>>(x: T, base: T) -> T {
        x.ln() / base.ln()
    }

    /// By the binary digits of `n`, the last one first.
    pub(super) fn powi_by_squaring<T: Elementary + Mul<Output = T> + From<i8>>(x: T, n: i32) -> T {
        let (mut power, mut square, mut rest) = (T::from(1), x, n.unsigned_abs());
        loop {
            if rest % 2 == 1 {
                power = power * square;
            }
            rest /= 2;
            if rest == 0 {
                return if n < 0 { power.recip() } else { power };
            }
            square = square * square;
        }
    }
}
#[cfg(all(feature = "libm", not(feature = "std")))]
use derived::{fract_by_trunc, log_by_ln, powi_by_squaring};
