//! `From` for std's slices, arrays and vectors, nested up to rank 6, and between views and arrays.
#[cfg(feature = "alloc")]
use crate::{Array, Scalar};
use crate::{Layout, StridedView, View, ViewMut};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The elements of a nested array as one slice: one call of `$flat` for each rank above 1.
macro_rules! flattened {
    ($a:expr, $flat:ident, []) => {
        $a
    };
    ($a:expr, $flat:ident, [$level:tt $($deeper:tt)*]) => {
        flattened!($a.$flat(), $flat, [$($deeper)*])
    };
}

/// From a borrow of std's own arrays. Each line has the type, the rank, one `_` for each rank above 1, and the shape
/// of a value `a` of the type.
macro_rules! from_std {
    ($([$($generics:tt)*] $source:ty: $rank:literal $levels:tt, |$a:ident| $shape:expr;)*) => {$(
        impl<'a, T, $($generics)*> From<&'a $source> for View<'a, T, $rank> {
            fn from($a: &'a $source) -> Self {
                View::of(flattened!($a, as_flattened, $levels), $shape)
            }
        }

        impl<'a, T, $($generics)*> From<&'a $source> for StridedView<'a, T, $rank> {
            fn from(a: &'a $source) -> Self {
                View::from(a).strided()
            }
        }

        impl<'a, T, $($generics)*> From<&'a mut $source> for ViewMut<'a, T, $rank> {
            fn from($a: &'a mut $source) -> Self {
                let shape = $shape;
                ViewMut::of(flattened!($a, as_flattened_mut, $levels), shape)
            }
        }
    )*};
}

/// The types of one rank: `$row` is the outermost array's element type, `$len` are the extents of a row.
macro_rules! nested {
    ($($rank:literal $levels:tt [$($generics:tt)*] $row:ty, [$($len:expr),*];)*) => {$(
        from_std! {
            [$($generics)*] [$row]: $rank $levels, |a| [a.len() $(, $len)*];
            [$($generics)* const N: usize] [$row; N]: $rank $levels, |a| [N $(, $len)*];
        }
        #[cfg(feature = "alloc")]
        from_std! { [$($generics)*] Vec<$row>: $rank $levels, |a| [a.len() $(, $len)*]; }

        // Of scalars alone, so that `Array::from([[1.0, 2.0], [3.0, 4.0]])` has one rank, not also that of an array of arrays.
        #[cfg(feature = "alloc")]
        impl<T: Scalar, $($generics)*> From<Vec<$row>> for Array<T, $rank> {
            fn from(a: Vec<$row>) -> Self {
                let shape = [a.len() $(, $len)*];
                Array::of(flattened!(a, into_flattened, $levels), shape)
            }
        }

        #[cfg(feature = "alloc")]
        impl<T: Scalar, $($generics)* const N: usize> From<[$row; N]> for Array<T, $rank> {
            fn from(a: [$row; N]) -> Self {
                Vec::from(a).into()
            }
        }
    )*};
}

nested! {
    1 [] [] T, [];
    2 [_] [const B: usize,] [T; B], [B];
    3 [_ _] [const B: usize, const C: usize,] [[T; C]; B], [B, C];
    4 [_ _ _] [const B: usize, const C: usize, const D: usize,] [[[T; D]; C]; B], [B, C, D];
    5 [_ _ _ _] [const B: usize, const C: usize, const D: usize, const E: usize,]
        [[[[T; E]; D]; C]; B], [B, C, D, E];
    6 [_ _ _ _ _] [const B: usize, const C: usize, const D: usize, const E: usize, const F: usize,]
        [[[[[T; F]; E]; D]; C]; B], [B, C, D, E, F];
}

impl<'a, T, const R: usize, L: Layout> From<&View<'a, T, R, L>> for View<'a, T, R, L> {
    fn from(view: &View<'a, T, R, L>) -> Self {
        *view
    }
}

impl<'a, T, const R: usize, L: Layout> From<&'a ViewMut<'_, T, R, L>> for View<'a, T, R, L> {
    fn from(view: &'a ViewMut<'_, T, R, L>) -> Self {
        view.as_view()
    }
}

impl<'a, T, const R: usize, L: Layout> From<View<'a, T, R, L>> for StridedView<'a, T, R> {
    fn from(view: View<'a, T, R, L>) -> Self {
        view.strided()
    }
}

impl<'a, T, const R: usize, L: Layout> From<&View<'a, T, R, L>> for StridedView<'a, T, R> {
    fn from(view: &View<'a, T, R, L>) -> Self {
        view.strided()
    }
}

impl<'a, T, const R: usize> From<&StridedView<'a, T, R>> for StridedView<'a, T, R> {
    fn from(view: &StridedView<'a, T, R>) -> Self {
        *view
    }
}

impl<'a, T, const R: usize, L: Layout> From<&'a ViewMut<'_, T, R, L>> for StridedView<'a, T, R> {
    fn from(view: &'a ViewMut<'_, T, R, L>) -> Self {
        view.as_view().strided()
    }
}

impl<'a, T, const R: usize, L: Layout> From<&'a mut ViewMut<'_, T, R, L>> for ViewMut<'a, T, R, L> {
    fn from(view: &'a mut ViewMut<'_, T, R, L>) -> Self {
        view.reborrow()
    }
}

#[cfg(feature = "alloc")]
impl<'a, T, const R: usize, L: Layout> From<&'a Array<T, R, L>> for View<'a, T, R, L> {
    fn from(array: &'a Array<T, R, L>) -> Self {
        array.view()
    }
}

#[cfg(feature = "alloc")]
impl<'a, T, const R: usize, L: Layout> From<&'a Array<T, R, L>> for StridedView<'a, T, R> {
    fn from(array: &'a Array<T, R, L>) -> Self {
        array.view().strided()
    }
}

#[cfg(feature = "alloc")]
impl<'a, T, const R: usize, L: Layout> From<&'a mut Array<T, R, L>> for ViewMut<'a, T, R, L> {
    fn from(array: &'a mut Array<T, R, L>) -> Self {
        array.view_mut()
    }
}

/// The elements, the last index fastest: [`Array::into_vec`].
#[cfg(feature = "alloc")]
impl<T, const R: usize> From<Array<T, R>> for Vec<T> {
    fn from(array: Array<T, R>) -> Self {
        array.into_vec()
    }
}
