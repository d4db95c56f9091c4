//! The types that an editor shows inside kernels (`smooth-front/src/editor.rs`): arrays are shown as arrays, also where Rust's
//! callers get a `Vec`, an `Array` or several arrays. Only types matter: nothing is ever called.

/// A `Vec` or an `Array` as an array of the language.
pub trait Shown<A> {
    /// `self` with the type that is shown.
    #[doc(hidden)]
    fn __shown(self) -> A;
}

/// Any other value, as it is: by reference, so that [`Shown`] goes first.
pub trait Plain: Sized {
    /// `self` with the type that is shown.
    #[doc(hidden)]
    fn __shown(&self) -> Self {
        unreachable!()
    }
}

impl<T> Plain for T {}

/// An array of tuples as a tuple of arrays.
pub trait Columns<A> {
    /// `self` with the type that is shown.
    #[doc(hidden)]
    fn __columns(self) -> A;
}

macro_rules! shown {
    ($([$($generics:tt)*] $trait:ident :: $method:ident $from:ty => $to:ty;)*) => {$(
        impl<$($generics)*> $trait<$to> for $from {
            fn $method(self) -> $to {
                unreachable!()
            }
        }
    )*};
}

#[cfg(feature = "alloc")]
shown! {
    [T, const N: usize] Shown::__shown crate::__private::Vec<T> => [T; N];
    [T: crate::Scalar, const N: usize, const M: usize] Shown::__shown crate::Array<T, 2> => [[T; M]; N];
    [T: crate::Scalar, const N: usize, const M: usize, const K: usize] Shown::__shown crate::Array<T, 3> => [[[T; K]; M]; N];
}

shown! {
    [A, B, const N: usize] Columns::__columns [(A, B); N] => ([A; N], [B; N]);
    [A, B, C, const N: usize] Columns::__columns [(A, B, C); N] => ([A; N], [B; N], [C; N]);
    [A, B, C, D, const N: usize] Columns::__columns [(A, B, C, D); N] => ([A; N], [B; N], [C; N], [D; N]);
}
