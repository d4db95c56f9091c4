//! Numbers: integers and floats.
use crate::{
    Scalar,
    math::{Cast, Euclid, Ordered, ToNumber},
    reduce::Summand,
};
use core::ops::{Add, Div, Mul, Rem, Sub};

/// The numbers: `f64`, `f32` and the integers.
///
/// `#[smooth] fn f<T: Number>(…)` is one kernel for all of them. It has literals (`0`, `1`), `+ - * / %`, comparisons,
/// `min`, `max`, `clamp`, `div_euclid` and `rem_euclid`, the reductions, and casts from and to other numbers. An integer
/// overflow panics where it would for that type. Plain Rust can be generic over `Number` too:
///
/// ```
/// use smooth_runtime::Number;
///
/// fn doubled<T: Number>(x: T) -> T {
///     x * T::from_i64(2)
/// }
/// assert_eq!((doubled(3u8), doubled(0.5)), (6, 1.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "this kernel takes values of a type `T: Number`, and `{Self}` is not such a type",
    label = "expected `f64`, `f32` or an integer",
    note = "a parameter `&[T; n]` takes an array, a slice or a `Vec` of numbers, such as `&v` for a `Vec<f64>`; it has one axis, and a `Vec` of `Vec`s has two"
)]
pub trait Number:
    Scalar
    + Ordered
    + Euclid
    + Summand
    + ToNumber
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Cast<f64>
    + Cast<f32>
    + Cast<usize>
    + Cast<isize>
    + Cast<i8>
    + Cast<i16>
    + Cast<i32>
    + Cast<i64>
    + Cast<u8>
    + Cast<u16>
    + Cast<u32>
    + Cast<u64>
    + Cast<i128>
    + Cast<u128>
{
    /// `x as Self`: the nearest float, or the integral part, clamped to the range of the type.
    fn from_f64(x: f64) -> Self;
    /// `x as Self`: the nearest float, or the integer with the same lowest bits.
    fn from_i64(x: i64) -> Self;
    /// `x as Self`, like [`from_i64`](Number::from_i64).
    fn from_u64(x: u64) -> Self;
    /// `x as Self`, like [`from_i64`](Number::from_i64).
    fn from_i128(x: i128) -> Self;
    /// `x as Self`, like [`from_i64`](Number::from_i64).
    fn from_u128(x: u128) -> Self;
}

macro_rules! casts {
    ($($name:ident $from:ty),*) => {$(
        #[inline(always)]
        fn $name(x: $from) -> Self {
            x as Self
        }
    )*};
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Number for $number {
            casts!(from_f64 f64, from_i64 i64, from_u64 u64, from_i128 i128, from_u128 u128);
        }
    )*};
}
numbers! { f64 f32 usize isize i8 i16 i32 i64 u8 u16 u32 u64 i128 u128 }
