//! Equality of arrays of one layout: the same shape and the same elements.
#[cfg(feature = "alloc")]
use crate::Array;
use crate::{Layout, View, ViewMut};

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

/// Equality with std's nested arrays.
macro_rules! equal_std {
    ($($left:ident$(<$lifetime:lifetime>)?)*) => {$(
        impl<T: Eq, const R: usize, L: Layout> Eq for $left<$($lifetime,)? T, R, L> {}

        impl<T: PartialEq, const N: usize, const M: usize> PartialEq<[[T; M]; N]> for $left<$($lifetime,)? T, 2> {
            fn eq(&self, other: &[[T; M]; N]) -> bool {
                *self == View::from(other)
            }
        }

        impl<T: PartialEq, const N: usize, const M: usize, const K: usize> PartialEq<[[[T; K]; M]; N]>
            for $left<$($lifetime,)? T, 3>
        {
            fn eq(&self, other: &[[[T; K]; M]; N]) -> bool {
                *self == View::from(other)
            }
        }
    )*};
}

equal_std!(View<'_> ViewMut<'_>);
#[cfg(feature = "alloc")]
equal_std!(Array);
