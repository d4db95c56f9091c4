//! `From` for everything that holds its elements row-major, without gaps.
#[cfg(feature = "alloc")]
use crate::Array;
use crate::{View, ViewMut};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// From a borrow of std's own arrays: each line is the type, and the shape of a value `a` of it.
macro_rules! from_std {
    ($([$($generics:tt)*] $source:ty: $rank:tt, |$a:ident| $shape:expr;)*) => {$(
        impl<'a, T, $($generics)*> From<&'a $source> for View<'a, T, $rank> {
            fn from($a: &'a $source) -> Self {
                View { shape: $shape, data: flattened!($a, $rank, as_flattened) }
            }
        }

        impl<'a, T, $($generics)*> From<&'a mut $source> for ViewMut<'a, T, $rank> {
            fn from($a: &'a mut $source) -> Self {
                ViewMut { shape: $shape, data: flattened!($a, $rank, as_flattened_mut) }
            }
        }
    )*};
}

/// All elements, however deep.
macro_rules! flattened {
    ($a:ident, 1, $flat:ident) => {
        $a
    };
    ($a:ident, 2, $flat:ident) => {
        $a.$flat()
    };
    ($a:ident, 3, $flat:ident) => {
        $a.$flat().$flat()
    };
}

from_std! {
    [] [T]: 1, |a| [a.len()];
    [const N: usize] [T; N]: 1, |a| [N];
    [const M: usize] [[T; M]]: 2, |a| [a.len(), M];
    [const M: usize, const N: usize] [[T; M]; N]: 2, |a| [N, M];
    [const K: usize, const M: usize] [[[T; K]; M]]: 3, |a| [a.len(), M, K];
    [const K: usize, const M: usize, const N: usize] [[[T; K]; M]; N]: 3, |a| [N, M, K];
}

#[cfg(feature = "alloc")]
from_std! {
    [] Vec<T>: 1, |a| [a.len()];
    [const M: usize] Vec<[T; M]>: 2, |a| [a.len(), M];
    [const K: usize, const M: usize] Vec<[[T; K]; M]>: 3, |a| [a.len(), M, K];
}

impl<'a, T, const R: usize> From<&View<'a, T, R>> for View<'a, T, R> {
    fn from(view: &View<'a, T, R>) -> Self {
        *view
    }
}

impl<'a, T, const R: usize> From<&'a mut ViewMut<'_, T, R>> for ViewMut<'a, T, R> {
    fn from(view: &'a mut ViewMut<'_, T, R>) -> Self {
        view.reborrow()
    }
}

#[cfg(feature = "alloc")]
impl<'a, T, const R: usize> From<&'a Array<T, R>> for View<'a, T, R> {
    fn from(array: &'a Array<T, R>) -> Self {
        array.view()
    }
}

#[cfg(feature = "alloc")]
impl<'a, T, const R: usize> From<&'a mut Array<T, R>> for ViewMut<'a, T, R> {
    fn from(array: &'a mut Array<T, R>) -> Self {
        array.view_mut()
    }
}
