//! A mutably borrowed array of any rank.
use crate::{ShapeError, View, shape};
use core::fmt;

/// An exclusive borrow of `R`-dimensional data: a slice and its shape, row-major, without gaps.
///
/// A kernel takes `impl Into<ViewMut<'_, T, R>>` as a destination where an inner size is symbolic:
/// `&mut Array`, `&mut [[T; 3]; 4]`, or a `ViewMut` on any slice.
///
/// ```
/// # use smooth_runtime::ViewMut;
/// let mut data = [0.0; 6];
/// let mut v = ViewMut::new(&mut data, [3, 2]);
/// v[[2, 0]] = 5.0;
/// v[2][1] = 6.0;
/// assert_eq!(format!("{v:?}"), "[[0.0, 0.0], [0.0, 0.0], [5.0, 6.0]]");
/// ```
#[derive(PartialEq)]
pub struct ViewMut<'a, T, const R: usize> {
    pub(crate) data: &'a mut [T],
    pub(crate) shape: [usize; R],
}

impl<'a, T, const R: usize> ViewMut<'a, T, R> {
    /// Views `data` as an array of the given shape.
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

    /// Views `data` as an array of the given shape.
    ///
    /// # Errors
    /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
    pub fn try_new(data: &'a mut [T], shape: [usize; R]) -> Result<Self, ShapeError> {
        shape::check("ViewMut", data.len(), &shape)?;
        Ok(ViewMut { data, shape })
    }

    /// The length along each axis.
    pub const fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// The elements, row-major.
    pub const fn as_slice(&self) -> &[T] {
        self.data
    }

    /// The elements, row-major.
    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        self.data
    }

    /// The elements, row-major, for as long as they are borrowed.
    pub const fn into_mut_slice(self) -> &'a mut [T] {
        self.data
    }

    /// The same elements, read only.
    pub const fn as_view(&self) -> View<'_, T, R> {
        View { data: self.data, shape: self.shape }
    }

    /// The same elements for a while: what to pass on when the view is needed again.
    pub const fn reborrow(&mut self) -> ViewMut<'_, T, R> {
        ViewMut { data: self.data, shape: self.shape }
    }
}

impl<T: fmt::Debug, const R: usize> fmt::Debug for ViewMut<'_, T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_view().fmt(f)
    }
}
