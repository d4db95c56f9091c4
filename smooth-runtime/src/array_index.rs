//! Elements of views and arrays by their indices.
#[cfg(feature = "alloc")]
use crate::Array;
use crate::{Layout, StridedView, View, ViewMut, shape};
use core::ops::{Index, IndexMut};

/// An index of one element of an array of rank `R`: `[i, j]` or `(i, j)`, and at rank 1 also `i`.
///
/// ```
/// # use smooth_runtime::View;
/// let v = View::from(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
/// assert_eq!((v[[2, 0]], v[(2, 0)], v[2][0]), (5.0, 5.0, 5.0));
/// assert_eq!((v.get((2, 0)), v.get([0, 2])), (Some(&5.0), None));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index of an element of a {R}-axis array",
    label = "expected an index of {R} axes",
    note = "an element has one `usize` for each axis, as in `a[[i, j]]` or `a[(i, j)]`",
    note = "`a[i]` is a row of a row-major matrix; at higher ranks `a.at(i)` is the part with the first index `i`"
)]
pub trait ArrayIndex<const R: usize>: sealed::Sealed {
    #[doc(hidden)]
    fn axes(self) -> [usize; R];
}

mod sealed {
    pub trait Sealed {}
    impl<const R: usize> Sealed for [usize; R] {}
}

impl<const R: usize> ArrayIndex<R> for [usize; R] {
    #[inline(always)]
    fn axes(self) -> [usize; R] {
        self
    }
}

macro_rules! array_index {
    ($($rank:literal $index:ty, |$i:ident| $axes:expr;)*) => {$(
        impl sealed::Sealed for $index {}

        impl ArrayIndex<$rank> for $index {
            #[inline(always)]
            fn axes(self) -> [usize; $rank] {
                let $i = self;
                $axes
            }
        }
    )*};
}

array_index! {
    1 usize, |i| [i];
    2 (usize, usize), |i| i.into();
    3 (usize, usize, usize), |i| i.into();
    4 (usize, usize, usize, usize), |i| i.into();
    5 (usize, usize, usize, usize, usize), |i| i.into();
    6 (usize, usize, usize, usize, usize, usize), |i| i.into();
}

/// Indexing by all axes, `a[[i, j]]` and `a[(i, j)]`, and by rows, `a[i][j]`.
macro_rules! index {
    ($($array:ident$(<$lifetime:lifetime>)?)*) => {$(
        impl<T, const R: usize, L: Layout, I: ArrayIndex<R>> Index<I> for $array<$($lifetime,)? T, R, L> {
            type Output = T;

            #[inline]
            #[track_caller]
            fn index(&self, index: I) -> &T {
                &self.as_slice()[shape::offset::<L, R>(self.shape, index.axes())]
            }
        }

        impl<T> Index<usize> for $array<$($lifetime,)? T, 2> {
            type Output = [T];

            #[inline]
            #[track_caller]
            fn index(&self, row: usize) -> &[T] {
                let [rows, columns] = self.shape;
                &self.as_slice()[shape::outer(rows, &[columns], row)]
            }
        }
    )*};
}

/// Mutable indexing, and the methods that return borrows of `self`.
macro_rules! index_mut {
    ($($array:ident$(<$lifetime:lifetime>)?)*) => {$(
        impl<T, const R: usize, L: Layout, I: ArrayIndex<R>> IndexMut<I> for $array<$($lifetime,)? T, R, L> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, index: I) -> &mut T {
                let offset = shape::offset::<L, R>(self.shape, index.axes());
                &mut self.as_mut_slice()[offset]
            }
        }

        impl<T> IndexMut<usize> for $array<$($lifetime,)? T, 2> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, row: usize) -> &mut [T] {
                let [rows, columns] = self.shape;
                &mut self.as_mut_slice()[shape::outer(rows, &[columns], row)]
            }
        }

        impl<T, const R: usize, L: Layout> $array<$($lifetime,)? T, R, L> {
            /// The element at an index, `[i, j]` or `(i, j)`; `None` if it is out of bounds.
            pub fn get(&self, index: impl ArrayIndex<R>) -> Option<&T> {
                let offset = shape::try_offset::<L, R>(self.shape, index.axes()).ok()?;
                self.as_slice().get(offset)
            }

            /// The element at an index, `[i, j]` or `(i, j)`, mutable; `None` if it is out of bounds.
            pub fn get_mut(&mut self, index: impl ArrayIndex<R>) -> Option<&mut T> {
                let offset = shape::try_offset::<L, R>(self.shape, index.axes()).ok()?;
                self.as_mut_slice().get_mut(offset)
            }
        }
    )*};
}

index!(View<'_> ViewMut<'_>);
index_mut!(ViewMut<'_>);
#[cfg(feature = "alloc")]
index!(Array);
#[cfg(feature = "alloc")]
index_mut!(Array);

impl<'a, T, const R: usize, L: Layout> View<'a, T, R, L> {
    /// The element at an index, `[i, j]` or `(i, j)`; `None` if it is out of bounds.
    pub fn get(&self, index: impl ArrayIndex<R>) -> Option<&'a T> {
        self.data.get(shape::try_offset::<L, R>(self.shape, index.axes()).ok()?)
    }
}

impl<T, const R: usize, I: ArrayIndex<R>> Index<I> for StridedView<'_, T, R> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &T {
        let index = index.axes();
        match self.at(index) {
            Ok(element) => element,
            Err(axis) => shape::out_of_bounds(axis, self.shape()[axis], index[axis]),
        }
    }
}

impl<'a, T, const R: usize> StridedView<'a, T, R> {
    /// The element at an index, `[i, j]` or `(i, j)`; `None` if it is out of bounds.
    pub fn get(&self, index: impl ArrayIndex<R>) -> Option<&'a T> {
        self.at(index.axes()).ok()
    }
}
