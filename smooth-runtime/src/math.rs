//! The elementary functions of the language: one place to say where they come from.
//!
//! With `std` they are std's. Without it only those remain that `core` has.

/// What `min` and `max` compare: floats by IEEE 754 (a NaN loses), integers by order.
pub trait Extremum: Copy {
    /// The smaller.
    fn least(self, other: Self) -> Self;
    /// The larger.
    fn most(self, other: Self) -> Self;
}

impl Extremum for f64 {
    #[inline(always)]
    fn least(self, other: f64) -> f64 {
        self.min(other)
    }
    #[inline(always)]
    fn most(self, other: f64) -> f64 {
        self.max(other)
    }
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Extremum for $t {
            #[inline(always)]
            fn least(self, other: $t) -> $t {
                Ord::min(self, other)
            }
            #[inline(always)]
            fn most(self, other: $t) -> $t {
                Ord::max(self, other)
            }
        }
    )*};
}
integers! { usize i32 }

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

macro_rules! forward {
    ($($(#[$on:meta])* fn $f:ident($($x:ident: $t:ty),*) -> $r:ty;)*) => {$(
        #[doc = concat!("`f64::", stringify!($f), "`.")]
        $(#[$on])*
        #[inline(always)]
        pub fn $f($($x: $t),*) -> $r {
            f64::$f($($x),*)
        }
    )*};
}

forward! {
    fn abs(x: f64) -> f64;
    fn signum(x: f64) -> f64;
    fn copysign(x: f64, y: f64) -> f64;
    fn recip(x: f64) -> f64;
    fn to_radians(x: f64) -> f64;
    fn to_degrees(x: f64) -> f64;
    fn is_nan(x: f64) -> bool;
    fn is_finite(x: f64) -> bool;
}

macro_rules! with_std {
    ($(fn $f:ident($($x:ident: $t:ty),*);)*) => {
        forward! { $(#[cfg(feature = "std")] fn $f($($x: $t),*) -> f64;)* }
    };
}

with_std! {
    fn powi(x: f64, n: i32);
    fn powf(x: f64, y: f64);
    fn sqrt(x: f64);
    fn cbrt(x: f64);
    fn sin(x: f64);
    fn cos(x: f64);
    fn tan(x: f64);
    fn asin(x: f64);
    fn acos(x: f64);
    fn atan(x: f64);
    fn atan2(y: f64, x: f64);
    fn sinh(x: f64);
    fn cosh(x: f64);
    fn tanh(x: f64);
    fn asinh(x: f64);
    fn acosh(x: f64);
    fn atanh(x: f64);
    fn exp(x: f64);
    fn exp2(x: f64);
    fn exp_m1(x: f64);
    fn ln(x: f64);
    fn ln_1p(x: f64);
    fn log(x: f64, base: f64);
    fn log2(x: f64);
    fn log10(x: f64);
    fn hypot(x: f64, y: f64);
    fn mul_add(x: f64, a: f64, b: f64);
    fn floor(x: f64);
    fn ceil(x: f64);
    fn round(x: f64);
    fn trunc(x: f64);
    fn fract(x: f64);
}
