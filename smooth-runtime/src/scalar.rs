//! The scalars of the language, and the elements that consist of scalars.
use core::fmt::{Debug, Display};

/// The elements of arrays: `f64`, `f32`, the integers and `bool`.
///
/// `#[smooth] fn f<T: Scalar>(…)` is one kernel for all of them: it copies its elements and compares them with `==` and `<`.
/// Arithmetic needs [`Number`](crate::Number).
#[diagnostic::on_unimplemented(
    message = "this kernel takes values of a type `T: Scalar`, and `{Self}` is not such a type",
    label = "expected `f64`, `f32`, an integer or `bool`",
    note = "a parameter `&[T; n]` takes an array, a slice or a `Vec` of numbers, such as `&v` for a `Vec<f64>`; it has one axis, and a `Vec` of `Vec`s has two"
)]
pub trait Scalar:
    sealed::Sealed + Element<Scalar = Self> + Default + PartialOrd + Debug + Display + Send + Sync + 'static
{
}

/// A value that is exactly [`LEN`](Element::LEN) scalars laid out one after the other: a scalar, or
/// an array of such values.
///
/// # Safety
/// `Self` has the alignment of `Scalar`, `LEN` times its size, and every `Self` whose scalars are
/// all values is a value (F3).
#[doc(hidden)]
pub unsafe trait Element: Copy {
    /// The type of its scalars.
    type Scalar: Scalar;
    /// The number of its scalars.
    const LEN: usize;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! scalars {
    ($($scalar:ty),*) => {$(
        impl sealed::Sealed for $scalar {}
        impl Scalar for $scalar {}
        // SAFETY: F3 with `LEN` 1.
        unsafe impl Element for $scalar {
            type Scalar = $scalar;
            const LEN: usize = 1;
        }
    )*};
}

scalars!(f64, f32, i8, i16, i32, i64, u8, u16, u32, u64, i128, u128, usize, isize, bool);

// SAFETY: F3: an array is its elements one after the other, with their alignment.
unsafe impl<E: Element, const N: usize> Element for [E; N] {
    type Scalar = E::Scalar;
    const LEN: usize = N * E::LEN;
}
