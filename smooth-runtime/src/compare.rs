//! Equality: the same shape and the same elements. Views and arrays are compared in one layout, and with std's nested arrays
//! and vectors.
#[cfg(feature = "alloc")]
use crate::Array;
use crate::{Layout, Scalar, View, ViewMut};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

macro_rules! equal {
    ($($left:ty: $($right:ty),*;)*) => {$($(
        impl<T: PartialEq, const R: usize, L: Layout> PartialEq<$right> for $left {
            fn eq(&self, other: &$right) -> bool {
                self.shape == other.shape && self.data == other.data
            }
        }
    )*)*};
}

equal! {
    View<'_, T, R, L>: View<'_, T, R, L>, ViewMut<'_, T, R, L>;
    ViewMut<'_, T, R, L>: View<'_, T, R, L>, ViewMut<'_, T, R, L>;
}

#[cfg(feature = "alloc")]
equal! {
    View<'_, T, R, L>: Array<T, R, L>;
    ViewMut<'_, T, R, L>: Array<T, R, L>;
    Array<T, R, L>: View<'_, T, R, L>, ViewMut<'_, T, R, L>, Array<T, R, L>;
}

impl<T: Eq, const R: usize, L: Layout> Eq for View<'_, T, R, L> {}
impl<T: Eq, const R: usize, L: Layout> Eq for ViewMut<'_, T, R, L> {}
#[cfg(feature = "alloc")]
impl<T: Eq, const R: usize, L: Layout> Eq for Array<T, R, L> {}

/// Equality with containers of std, from both sides.
macro_rules! equal_std {
    ($([$bound:ident $($generics:tt)*] $array:ty, $std:ty: |$a:ident, $b:ident| $eq:expr;)*) => {$(
        impl<T: PartialEq + $bound, $($generics)*> PartialEq<$std> for $array {
            fn eq(&self, $b: &$std) -> bool {
                let $a = self;
                $eq
            }
        }

        impl<T: PartialEq + $bound, $($generics)*> PartialEq<$array> for $std {
            fn eq(&self, other: &$array) -> bool {
                other == self
            }
        }
    )*};
}

/// Arrays of arrays. At rank 1 the elements are scalars: `[[1, 2], [3, 4]]` is compared with a matrix.
macro_rules! equal_arrays {
    ($($array:ident$(<$lifetime:lifetime>)?)*) => {$(
        equal_std! {
            [Scalar const A: usize] $array<$($lifetime,)? T, 1>, [T; A]: |a, b| *a == View::from(b);
            [Sized const A: usize, const B: usize] $array<$($lifetime,)? T, 2>, [[T; B]; A]: |a, b| *a == View::from(b);
            [Sized const A: usize, const B: usize, const C: usize] $array<$($lifetime,)? T, 3>, [[[T; C]; B]; A]:
                |a, b| *a == View::from(b);
        }
    )*};
}

equal_arrays!(View<'_> ViewMut<'_>);
#[cfg(feature = "alloc")]
equal_arrays!(Array);

#[cfg(feature = "alloc")]
equal_std! {
    [Scalar] Array<T, 1>, Vec<T>: |a, b| a.data == *b;
    [Sized const B: usize] Array<T, 2>, Vec<[T; B]>: |a, b| *a == View::from(b);
    [Sized] Array<T, 2>, Vec<Vec<T>>: |a, b| a.rows().eq(b);
    [Sized] Array<T, 3>, Vec<Vec<Vec<T>>>:
        |a, b| a.shape[0] == b.len() && b.iter().enumerate().all(|(i, b)| a.at(i).rows().eq(b));
}
