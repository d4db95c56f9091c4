//! The scalar operations that Rust spells as methods or casts, as functions for generated code, so that the traits in
//! the user's scope cannot change their meaning.
//!
//! The elementary functions are those of `smooth-math`. `sqrt`, `floor` and the like, and the elementary functions of strict
//! kernels, are std's with the feature `std`, else those of the crate `libm` with the feature `libm`. Without both, a call of
//! one is a compile error that names the missing feature.
use crate::float_methods::float_methods;
pub use crate::mixed::*;
use crate::{Number, Real, Scalar};

/// A trait, a function for each of its methods, and its implementations for types that already have these methods.
macro_rules! methods {
    (
        $(#[$doc:meta])*
        trait $trait:ident for $([$($type:ident)*] by $by:ident),*;
        $($(#[$what:meta])* fn $f:ident($($x:ident: $t:ident),*) -> $r:ident;)*
    ) => {
        $(#[$doc])*
        pub trait $trait: Copy {
            $(
                $(#[$what])*
                #[must_use]
                fn $f(self $(, $x: $t)*) -> $r;
            )*
        }
        $(
            $(#[$what])*
            #[inline(always)]
            #[track_caller]
            pub fn $f<N: $trait>(x: N $(, $x: methods!(@arg $t))*) -> methods!(@arg $r) {
                $trait::$f(x $(, $x)*)
            }
        )*
        methods! { @impls $trait [$([$($type)*] by $by),*] { $(fn $f($($x: $t),*) -> $r;)* } }
    };
    (@arg Self) => { N };
    (@arg $t:ident) => { $t };
    (@impls $trait:ident [$([$($type:ident)*] by $by:ident),*] $all:tt) => {
        $(methods! { @group $trait [$($type)*] $by $all })*
    };
    (@group $trait:ident [$($type:ident)*] $by:ident $all:tt) => {
        $(methods! { @impl $trait $type $by $all })*
    };
    (@impl $trait:ident $type:ident $by:ident { $(fn $f:ident($($x:ident: $t:ident),*) -> $r:ident;)* }) => {
        impl $trait for $type {
            $(
                #[inline(always)]
                #[track_caller]
                fn $f(self $(, $x: $t)*) -> $r {
                    methods!(@call $by $type $f self $($x)*)
                }
            )*
        }
    };
    (@call inherent $type:ident $f:ident $($x:ident)*) => { $type::$f($($x),*) };
    (@call Ord $type:ident $f:ident $($x:ident)*) => { Ord::$f($($x),*) };
}

methods! {
    /// Operations that floats and integers share.
    trait Ordered for
        [f64 f32] by inherent,
        [usize isize i8 i16 i32 i64 u8 u16 u32 u64 i128 u128] by Ord;
    /// The smaller number; if one is NaN, the other.
    fn min(other: Self) -> Self;
    /// The larger number; if one is NaN, the other.
    fn max(other: Self) -> Self;
    /// The nearest number in `low..=high`.
    fn clamp(low: Self, high: Self) -> Self;
}

methods! {
    /// Numbers that may be negative.
    trait Signed for [f64 f32 isize i8 i16 i32 i64 i128] by inherent;
    /// The absolute value.
    fn abs() -> Self;
    /// The sign: -1, 0 or 1 of an integer; -1.0, 1.0 or NaN of a float.
    fn signum() -> Self;
}

methods! {
    /// Integers.
    trait Integer for [usize isize i8 i16 i32 i64 u8 u16 u32 u64 i128 u128] by inherent;
    /// The power `self^n`.
    fn pow(n: u32) -> Self;
    /// The sum modulo 2^bits.
    fn wrapping_add(other: Self) -> Self;
    /// The difference modulo 2^bits.
    fn wrapping_sub(other: Self) -> Self;
    /// The product modulo 2^bits.
    fn wrapping_mul(other: Self) -> Self;
    /// The negation modulo 2^bits.
    fn wrapping_neg() -> Self;
    /// The bits shifted left by `n` modulo the number of bits.
    fn wrapping_shl(n: u32) -> Self;
    /// The bits shifted right by `n` modulo the number of bits.
    fn wrapping_shr(n: u32) -> Self;
    /// The power modulo 2^bits.
    fn wrapping_pow(n: u32) -> Self;
    /// The power, clamped to the range of the type.
    fn saturating_pow(n: u32) -> Self;
    /// The bits rotated left by `n`.
    fn rotate_left(n: u32) -> Self;
    /// The bits rotated right by `n`.
    fn rotate_right(n: u32) -> Self;
    /// The bytes in the opposite order.
    fn swap_bytes() -> Self;
    /// The bits in the opposite order.
    fn reverse_bits() -> Self;
    /// The square root, rounded down.
    fn isqrt() -> Self;
    /// The sum, clamped to the range of the type.
    fn saturating_add(other: Self) -> Self;
    /// The difference, clamped to the range of the type.
    fn saturating_sub(other: Self) -> Self;
    /// The product, clamped to the range of the type.
    fn saturating_mul(other: Self) -> Self;
    /// The number of bits that are 1.
    fn count_ones() -> u32;
    /// The number of bits that are 0.
    fn count_zeros() -> u32;
    /// The number of 1 bits above the highest 0.
    fn leading_ones() -> u32;
    /// The number of 1 bits below the lowest 0.
    fn trailing_ones() -> u32;
    /// The logarithm to base 2, rounded down.
    fn ilog2() -> u32;
    /// The logarithm to base 10, rounded down.
    fn ilog10() -> u32;
    /// The number of 0 bits above the highest 1.
    fn leading_zeros() -> u32;
    /// The number of 0 bits below the lowest 1.
    fn trailing_zeros() -> u32;
}

/// An index, which is one of `n`.
///
/// # Panics
/// If there are none.
#[inline(always)]
#[track_caller]
pub fn one_of(index: usize, n: usize) -> usize {
    assert!(n > 0, "an empty range has no smallest or largest element");
    index
}

/// The end of a range, which is within `n` elements.
///
/// # Panics
/// If it is larger.
#[inline(always)]
#[track_caller]
pub fn within(end: usize, n: usize) -> usize {
    assert!(end <= n, "a range or a copy is larger than its slice: {end} > {n}");
    end
}

/// The number of integers in `first..=last`, at most `usize::MAX`: a loop over more never ends.
#[inline(always)]
#[must_use]
pub fn through(first: usize, last: usize) -> usize {
    if first > last { 0 } else { (last - first).saturating_add(1) }
}

/// The number of steps of `by` through `n` numbers.
///
/// # Panics
/// If the step is 0, as `step_by` does.
#[inline(always)]
#[track_caller]
pub fn steps(n: usize, by: usize) -> usize {
    assert!(by != 0, "assertion failed: step != 0");
    n.div_ceil(by)
}

/// [`steps`] where there may be one number more than a `usize` counts: `last` is the position of the last one, if there is
/// one.
///
/// # Panics
/// If the step is 0, as `step_by` does.
#[inline(always)]
#[track_caller]
pub fn steps_through(n: usize, last: usize, by: usize) -> usize {
    assert!(by != 0, "assertion failed: step != 0");
    if n == 0 { 0 } else { (last / by).saturating_add(1) }
}

methods! {
    /// Unsigned integers.
    trait Unsigned for [usize u8 u16 u32 u64 u128] by inherent;
    /// The quotient, rounded up.
    fn div_ceil(by: Self) -> Self;
    /// The smallest multiple of a number that is not smaller.
    fn next_multiple_of(of: Self) -> Self;
    /// The smallest power of two that is not smaller.
    fn next_power_of_two() -> Self;
    /// Whether it is a power of two.
    fn is_power_of_two() -> bool;
    /// Whether it is a multiple of a number; of 0, whether it is 0.
    fn is_multiple_of(of: Self) -> bool;
}

/// Integers and the unsigned type of their width.
pub trait Distance: Copy {
    /// The unsigned type.
    type Unsigned;
    /// The absolute difference.
    fn abs_diff(self, other: Self) -> Self::Unsigned;
    /// The absolute value, also of the smallest signed integer.
    fn unsigned_abs(self) -> Self::Unsigned;
}

/// The absolute difference.
#[inline(always)]
pub fn abs_diff<N: Distance>(x: N, y: N) -> N::Unsigned {
    Distance::abs_diff(x, y)
}

/// The absolute value, also of the smallest signed integer.
#[inline(always)]
pub fn unsigned_abs<N: Distance>(x: N) -> N::Unsigned {
    Distance::unsigned_abs(x)
}

macro_rules! distances {
    ($($type:ident $unsigned:ident $abs:expr;)*) => {$(
        impl Distance for $type {
            type Unsigned = $unsigned;
            #[inline(always)]
            fn abs_diff(self, other: Self) -> $unsigned {
                $type::abs_diff(self, other)
            }
            #[inline(always)]
            fn unsigned_abs(self) -> $unsigned {
                $abs(self)
            }
        }
    )*};
}
distances! {
    i8 u8 i8::unsigned_abs; i16 u16 i16::unsigned_abs; i32 u32 i32::unsigned_abs; i64 u64 i64::unsigned_abs;
    i128 u128 i128::unsigned_abs; isize usize isize::unsigned_abs;
    u8 u8 core::convert::identity; u16 u16 core::convert::identity; u32 u32 core::convert::identity;
    u64 u64 core::convert::identity; usize usize core::convert::identity; u128 u128 core::convert::identity;
}

methods! {
    /// Euclidean division, whose remainder is not negative.
    trait Euclid for [usize isize i8 i16 i32 i64 u8 u16 u32 u64 i128 u128] by inherent;
    /// The quotient.
    fn div_euclid(by: Self) -> Self;
    /// The remainder.
    fn rem_euclid(by: Self) -> Self;
}

macro_rules! euclid {
    ($($float:ident)*) => {$(
        impl Euclid for $float {
            #[cfg(feature = "std")]
            #[inline(always)]
            fn div_euclid(self, by: Self) -> Self {
                $float::div_euclid(self, by)
            }
            #[cfg(feature = "std")]
            #[inline(always)]
            fn rem_euclid(self, by: Self) -> Self {
                $float::rem_euclid(self, by)
            }
            #[cfg(not(feature = "std"))]
            fn div_euclid(self, by: Self) -> Self {
                let quotient = self / by;
                // The integral part: `%` gives the fraction exactly.
                let whole = if quotient.is_finite() { quotient - quotient % 1.0 } else { quotient };
                match self % by < 0.0 {
                    true if by > 0.0 => whole - 1.0,
                    true => whole + 1.0,
                    false => whole,
                }
            }
            #[cfg(not(feature = "std"))]
            fn rem_euclid(self, by: Self) -> Self {
                let rest = self % by;
                if rest < 0.0 { rest + $float::abs(by) } else { rest }
            }
        }
    )*};
}
euclid! { f64 f32 }

/// `self as To`.
pub trait Cast<To>: Copy {
    /// The value as `To`.
    fn cast(self) -> To;
}

/// `x as To`, for generic types, which `as` does not accept.
#[inline(always)]
pub fn cast<To, From: Cast<To>>(x: From) -> To {
    x.cast()
}

/// `self as T` for a type parameter.
pub trait ToNumber: Copy {
    /// The value as `T`.
    fn to_number<T: Number>(self) -> T;
}

/// `x as T`.
#[inline(always)]
pub fn to_number<T: Number, From: ToNumber>(x: From) -> T {
    x.to_number()
}

/// The literal `x` in a type parameter `T`.
#[inline(always)]
pub fn number<T: Number>(x: f64) -> T {
    T::from_f64(x)
}

/// The value of a variable of a type parameter that nobody reads.
#[inline(always)]
pub fn unread<T: Scalar>() -> T {
    T::default()
}

macro_rules! casts {
    ($([$($from:ident)*] by $way:ident($wide:ident);)*) => {$($(
        casts! { @all $from => f64 f32 usize isize i8 i16 i32 i64 u8 u16 u32 u64 i128 u128 }

        impl ToNumber for $from {
            #[inline(always)]
            fn to_number<T: Number>(self) -> T {
                T::$way(self as $wide)
            }
        }
    )*)*};
    (@all $from:ident => $($to:ident)*) => {$(
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                self as $to
            }
        }
    )*};
}
casts! {
    [f64 f32] by from_f64(f64);
    [isize i8 i16 i32 i64] by from_i64(i64);
    [usize u8 u16 u32 u64] by from_u64(u64);
    [i128] by from_i128(i128);
    [u128] by from_u128(u128);
}

macro_rules! from_bool {
    ($($to:ident)*) => {$(
        impl Cast<$to> for bool {
            #[inline(always)]
            fn cast(self) -> $to {
                self as $to
            }
        }
    )*};
}
from_bool! { usize isize i8 i16 i32 i64 u8 u16 u32 u64 i128 u128 }

/// The type of an argument of a function over `T`, for a method of `Real`.
macro_rules! argument {
    (Self) => {
        T
    };
    ($t:ident) => {
        $t
    };
}

/// A function for each method of [`Real`].
macro_rules! functions {
    (
        core { $($c:ident($($cx:ident: $ct:ident),*);)* }
        exact { $($e:ident($($ex:ident: $et:ident),*): $e64:expr, $e32:expr;)* }
        elementary { $($f:ident $std:ident($($x:ident: $t:ident),*): $libm64:expr, $libm32:expr;)* }
    ) => {
        functions! { @always $($c($($cx: $ct),*) -> T;)* is_nan() -> bool; is_finite() -> bool; is_infinite() -> bool; }
        #[doc = "[`smooth_math::powi`], for either width."]
        #[inline(always)]
        pub fn powi<T: Real>(x: T, n: i32) -> T {
            Real::powi(x, n)
        }
        functions! { @std $($e $e($($ex: $et),*);)* $($std $f($($x: $t),*);)* }
        $(
            #[doc = concat!("[`smooth_math::", stringify!($f), "`], for either width.")]
            #[inline(always)]
            pub fn $f<T: Real>(x: T $(, $x: T)*) -> T {
                // No function is passed as an argument: the call through `Fn` is not always inlined.
                T::from_f64(smooth_math::$f(x.to_f64() $(, $x.to_f64())*))
            }
        )*
    };
    (@always $($f:ident($($x:ident: $t:ident),*) -> $r:ty;)*) => {$(
        #[doc = concat!("`f64::", stringify!($f), "`, for either width.")]
        #[inline(always)]
        pub fn $f<T: Real>(x: T $(, $x: argument!($t))*) -> $r {
            Real::$f(x $(, $x)*)
        }
    )*};
    (@std $($name:ident $f:ident($($x:ident: $t:ident),*);)*) => {$(
        #[doc = concat!("`f64::", stringify!($f), "`, for either width.")]
        #[cfg(any(feature = "std", feature = "libm"))]
        #[inline(always)]
        pub fn $name<T: Real>(x: T $(, $x: argument!($t))*) -> T {
            Real::$f(x $(, $x)*)
        }

        /// Not available without the features `std` and `libm`, and rustc says so.
        #[cfg(not(any(feature = "std", feature = "libm")))]
        pub fn $name<T: Rounded>(x: T $(, _: argument!($t))*) -> T {
            x.none()
        }
    )*};
}

macro_rules! near {
    ($($name:ident $f:ident;)*) => {$(
        #[doc = concat!("[`smooth_math::near::", stringify!($f), "`], for either width.")]
        #[inline(always)]
        pub fn $name<T: Real>(x: T) -> T {
            T::from_f64(smooth_math::near::$f(x.to_f64()))
        }
    )*};
}
near! { near_sin sin; near_cos cos; near_tan tan; }

float_methods! { functions }

/// A trait without implementations: the bound of the functions that neither `core` nor `smooth-math` has.
#[cfg(not(any(feature = "std", feature = "libm")))]
#[diagnostic::on_unimplemented(
    message = "functions such as `sqrt` and `floor`, and all elementary functions of strict kernels, need the feature `std` or `libm` of `smooth-dsl`",
    label = "a function of std",
    note = "in Cargo.toml: `smooth-dsl = {{ version = \"…\", default-features = false, features = [\"libm\"] }}`"
)]
pub trait Rounded: Sized {
    /// Never called.
    fn none(self) -> Self;
}
