//! A mutably borrowed array of any rank.
use crate::{ColumnMajor, Layout, RowMajor, ShapeError, View, contiguous::contiguous};
use core::marker::PhantomData;

/// An exclusive borrow of `R`-dimensional data: a slice and its shape, contiguous, row-major unless `L` is
/// [`ColumnMajor`].
///
/// A kernel takes what implements `Into<ViewMut<'_, T, R>>` ([`IntoViewMut`](crate::IntoViewMut)) as a destination if an
/// inner size is symbolic:
/// `&mut Array`, `&mut [[T; 3]; 4]`, or a `ViewMut` of any slice.
///
/// ```
/// # use smooth_runtime::ViewMut;
/// let mut data = [0.0; 6];
/// let mut v = ViewMut::new(&mut data, [3, 2]);
/// v[[2, 0]] = 5.0;
/// v[2][1] = 6.0;
/// assert_eq!(format!("{v:?}"), "[[0.0, 0.0], [0.0, 0.0], [5.0, 6.0]]");
/// ```
pub struct ViewMut<'a, T, const R: usize, L = RowMajor> {
    pub(crate) data: &'a mut [T],
    pub(crate) shape: [usize; R],
    layout: PhantomData<L>,
}

contiguous!(ViewMut<'a>, &'a mut [T], new, try_new);

impl<'a, T, const R: usize, L: Layout> ViewMut<'a, T, R, L> {
    /// The elements in memory order.
    pub const fn as_slice(&self) -> &[T] {
        self.data
    }

    /// The elements in memory order.
    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        self.data
    }

    /// The elements in memory order, for the lifetime of the borrow.
    pub const fn into_mut_slice(self) -> &'a mut [T] {
        self.data
    }

    /// A shared view of the same elements.
    pub const fn as_view(&self) -> View<'_, T, R, L> {
        View::of(self.data, self.shape)
    }

    /// A shorter borrow of the same elements, to pass on a view that is needed again.
    pub const fn reborrow(&mut self) -> ViewMut<'_, T, R, L> {
        ViewMut::of(self.data, self.shape)
    }
}

/// A view without elements: 0 along each axis.
impl<T, const R: usize, L: Layout> Default for ViewMut<'_, T, R, L> {
    fn default() -> Self {
        const { assert!(R > 0, "a view of rank 0 has one element") };
        Self::of(&mut [], [0; R])
    }
}
