//! A borrowed array of any rank.
use crate::{
    ColumnMajor, Layout, RowMajor, ShapeError,
    shape::{self, Nested},
};
use core::{fmt, marker::PhantomData};

/// A shared borrow of `R`-dimensional data: a slice and its shape, contiguous, row-major unless `L` is
/// [`ColumnMajor`].
///
/// A kernel takes `impl Into<View<'_, T, R>>` if an inner size is symbolic. Conversions from std's nested
/// arrays and from `&Array` cost nothing:
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

impl<'a, T, const R: usize> View<'a, T, R> {
    /// Views `data`, row after row, as an array of the given shape.
    ///
    /// # Panics
    /// If the shape needs more or fewer elements than there are.
    #[track_caller]
    pub fn new(data: &'a [T], shape: [usize; R]) -> Self {
        match Self::try_new(data, shape) {
            Ok(view) => view,
            Err(error) => error.raise(),
        }
    }

    /// Views `data`, row after row, as an array of the given shape.
    ///
    /// # Errors
    /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
    pub fn try_new(data: &'a [T], shape: [usize; R]) -> Result<Self, ShapeError> {
        Self::filled(data, shape)
    }
}

impl<'a, T, const R: usize> View<'a, T, R, ColumnMajor> {
    /// Views `data`, column after column, as an array of the given shape: of `[rows, columns]` at rank 2.
    ///
    /// # Panics
    /// If the shape needs more or fewer elements than there are.
    #[track_caller]
    pub fn column_major(data: &'a [T], shape: [usize; R]) -> Self {
        match Self::try_column_major(data, shape) {
            Ok(view) => view,
            Err(error) => error.raise(),
        }
    }

    /// Views `data`, column after column, as an array of the given shape: of `[rows, columns]` at rank 2.
    ///
    /// # Errors
    /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
    pub fn try_column_major(data: &'a [T], shape: [usize; R]) -> Result<Self, ShapeError> {
        Self::filled(data, shape)
    }
}

impl<'a, T, const R: usize, L: Layout> View<'a, T, R, L> {
    pub(crate) fn filled(data: &'a [T], shape: [usize; R]) -> Result<Self, ShapeError> {
        shape::check("View", data.len(), &shape)?;
        Ok(Self::of(data, shape))
    }

    /// A view whose shape is known to fit.
    pub(crate) const fn of(data: &'a [T], shape: [usize; R]) -> Self {
        View { data, shape, layout: PhantomData }
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

impl<T: fmt::Debug, const R: usize, L: Layout> fmt::Debug for View<'_, T, R, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strides = &shape::strides::<L, R>(self.shape);
        Nested { data: self.data, offset: 0, shape: &self.shape, strides }.fmt(f)
    }
}
