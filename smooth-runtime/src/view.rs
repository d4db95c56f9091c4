//! A borrowed array of any rank.
use crate::{
    ShapeError,
    shape::{self, Nested},
};
use core::fmt;

/// A shared borrow of `R`-dimensional data: a slice and its shape, row-major, without gaps.
///
/// A kernel takes `impl Into<View<'_, T, R>>` where an inner size is symbolic. The conversions from
/// std's nested arrays, as from `&Array`, cost nothing:
///
/// ```
/// # use smooth_runtime::View;
/// let v = View::from(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
/// assert_eq!(v, View::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 2]));
/// assert_eq!((v[[2, 0]], v[2][0], v.at(2)[[0]]), (5.0, 5.0, 5.0));
/// ```
#[derive(PartialEq)]
pub struct View<'a, T, const R: usize> {
    pub(crate) data: &'a [T],
    pub(crate) shape: [usize; R],
}

impl<'a, T, const R: usize> View<'a, T, R> {
    /// Views `data` as an array of the given shape.
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

    /// Views `data` as an array of the given shape.
    ///
    /// # Errors
    /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
    pub fn try_new(data: &'a [T], shape: [usize; R]) -> Result<Self, ShapeError> {
        shape::check("View", data.len(), &shape)?;
        Ok(View { data, shape })
    }

    /// The length along each axis.
    pub const fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// The elements, row-major.
    pub const fn as_slice(&self) -> &'a [T] {
        self.data
    }

    /// The elements, row-major.
    pub const fn into_slice(self) -> &'a [T] {
        self.data
    }
}

impl<'a, T> View<'a, T, 2> {
    /// The rows, first to last.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &'a [T]> + ExactSizeIterator + use<'a, T> {
        let view = *self;
        (0..view.shape[0]).map(move |i| view.at(i).data)
    }
}

/// `at`, which needs the rank below.
macro_rules! at {
    ($($rank:literal => $less:literal),*) => {$(
        impl<'a, T> View<'a, T, $rank> {
            /// The part whose first index is `i`.
            ///
            /// # Panics
            /// If `i` is out of bounds.
            #[track_caller]
            pub fn at(&self, i: usize) -> View<'a, T, $less> {
                let [_, shape @ ..] = self.shape;
                View { data: &self.data[shape::outer(&self.shape, i)], shape }
            }
        }
    )*};
}

at!(2 => 1, 3 => 2, 4 => 3, 5 => 4, 6 => 5);

impl<T, const R: usize> Clone for View<'_, T, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const R: usize> Copy for View<'_, T, R> {}

impl<T: fmt::Debug, const R: usize> fmt::Debug for View<'_, T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Nested { data: self.data, shape: &self.shape }.fmt(f)
    }
}
