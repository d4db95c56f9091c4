//! A borrowed array of any rank.
use crate::{ColumnMajor, Layout, RowMajor, ShapeError, contiguous::contiguous};
use core::marker::PhantomData;

/// A shared borrow of `R`-dimensional data: a slice and its shape, contiguous, row-major unless `L` is
/// [`ColumnMajor`].
///
/// A kernel takes what implements `Into<View<'_, T, R>>` ([`IntoView`](crate::IntoView)) if an inner size is symbolic.
/// Conversions from std's nested arrays and from `&Array` cost nothing:
///
/// ```
/// # use smooth_runtime::View;
/// let v = View::from(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
/// assert_eq!(v, View::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 2]));
/// assert_eq!((v[[2, 0]], v[2][0], v.at(2)[[0]]), (5.0, 5.0, 5.0));
/// ```
///
/// The same matrix in column-major order:
///
/// ```
/// # use smooth_runtime::View;
/// let v = View::column_major(&[1.0, 3.0, 5.0, 2.0, 4.0, 6.0], [3, 2]);
/// assert_eq!((v[[2, 0]], v[[0, 1]]), (5.0, 2.0));
/// assert_eq!(format!("{v:?}"), "[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]");
/// ```
pub struct View<'a, T, const R: usize, L = RowMajor> {
    pub(crate) data: &'a [T],
    pub(crate) shape: [usize; R],
    layout: PhantomData<L>,
}

contiguous!(View<'a>, &'a [T], new, try_new);

impl<'a, T, const R: usize, L: Layout> View<'a, T, R, L> {
    /// The elements in memory order.
    pub const fn as_slice(&self) -> &'a [T] {
        self.data
    }

    /// The elements in memory order.
    pub const fn into_slice(self) -> &'a [T] {
        self.data
    }
}

impl<T, const R: usize, L: Layout> Clone for View<'_, T, R, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const R: usize, L: Layout> Copy for View<'_, T, R, L> {}

/// A view without elements: 0 along each axis.
impl<T, const R: usize, L: Layout> Default for View<'_, T, R, L> {
    fn default() -> Self {
        const { assert!(R > 0, "a view of rank 0 has one element") };
        Self::of(&[], [0; R])
    }
}
