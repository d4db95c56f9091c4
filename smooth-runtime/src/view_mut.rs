//! A mutably borrowed array of any rank.
use crate::{ColumnMajor, Layout, RowMajor, ShapeError, View, shape};
use core::{fmt, marker::PhantomData};

/// An exclusive borrow of `R`-dimensional data: a slice and its shape, contiguous, row-major unless `L` is
/// [`ColumnMajor`].
///
/// A kernel takes `impl Into<ViewMut<'_, T, R>>` as a destination if an inner size is symbolic:
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

impl<'a, T, const R: usize> ViewMut<'a, T, R> {
    /// Views `data`, row after row, as an array of the given shape.
    ///
    /// # Panics
    /// If the shape needs more or fewer elements than there are.
    #[track_caller]
    pub fn new(data: &'a mut [T], shape: [usize; R]) -> Self {
        match Self::try_new(data, shape) {
            Ok(view) => view,
            Err(error) => error.raise(),
        }
    }

    /// Views `data`, row after row, as an array of the given shape.
    ///
    /// # Errors
    /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
    pub fn try_new(data: &'a mut [T], shape: [usize; R]) -> Result<Self, ShapeError> {
        Self::filled(data, shape)
    }
}

impl<'a, T, const R: usize> ViewMut<'a, T, R, ColumnMajor> {
    /// Views `data`, column after column, as an array of the given shape: of `[rows, columns]` at rank 2.
    ///
    /// # Panics
    /// If the shape needs more or fewer elements than there are.
    #[track_caller]
    pub fn column_major(data: &'a mut [T], shape: [usize; R]) -> Self {
        match Self::try_column_major(data, shape) {
            Ok(view) => view,
            Err(error) => error.raise(),
        }
    }

    /// Views `data`, column after column, as an array of the given shape: of `[rows, columns]` at rank 2.
    ///
    /// # Errors
    /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
    pub fn try_column_major(data: &'a mut [T], shape: [usize; R]) -> Result<Self, ShapeError> {
        Self::filled(data, shape)
    }
}

impl<'a, T, const R: usize, L: Layout> ViewMut<'a, T, R, L> {
    pub(crate) fn filled(data: &'a mut [T], shape: [usize; R]) -> Result<Self, ShapeError> {
        shape::check("ViewMut", data.len(), &shape)?;
        Ok(Self::of(data, shape))
    }

    /// A view whose shape is known to fit.
    pub(crate) const fn of(data: &'a mut [T], shape: [usize; R]) -> Self {
        ViewMut { data, shape, layout: PhantomData }
    }

    /// The length along each axis.
    pub const fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// The number of elements.
    pub const fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

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

impl<T: fmt::Debug, const R: usize, L: Layout> fmt::Debug for ViewMut<'_, T, R, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_view().fmt(f)
    }
}
