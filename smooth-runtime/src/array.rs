//! An owned array of any rank.
use crate::{ColumnMajor, Layout, RowMajor, ShapeError, View, ViewMut, shape};
use alloc::{vec, vec::Vec};
use core::{fmt, marker::PhantomData};

/// Owned `R`-dimensional data: a vector and its shape, contiguous, row-major unless `L` is [`ColumnMajor`].
///
/// Kernels return an `Array` if an inner size is symbolic. They take `&a` as an argument and `&mut a` as a
/// destination.
///
/// ```
/// # use smooth_runtime::Array;
/// let a = Array::from_fn([2, 3], |[i, j]| 10 * i + j);
/// assert_eq!((a[[1, 2]], a[1][2]), (12, 12));
/// assert_eq!(a.to_column_major().into_vec(), [0, 10, 1, 11, 2, 12]);
/// assert_eq!(a.into_vec(), [0, 1, 2, 10, 11, 12]);
/// ```
#[derive(Clone)]
pub struct Array<T, const R: usize, L = RowMajor> {
    pub(crate) data: Vec<T>,
    pub(crate) shape: [usize; R],
    layout: PhantomData<L>,
}

impl<T, const R: usize> Array<T, R> {
    /// An array of the given shape with the elements of `data`, row after row.
    ///
    /// # Panics
    /// If the shape needs more or fewer elements than there are.
    #[track_caller]
    pub fn from_vec(data: Vec<T>, shape: [usize; R]) -> Self {
        match Self::try_from_vec(data, shape) {
            Ok(array) => array,
            Err(error) => error.raise(),
        }
    }

    /// An array of the given shape with the elements of `data`, row after row.
    ///
    /// # Errors
    /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
    pub fn try_from_vec(data: Vec<T>, shape: [usize; R]) -> Result<Self, ShapeError> {
        Self::filled(data, shape)
    }

    /// An array of clones of `elem`.
    ///
    /// # Panics
    /// If the number of elements overflows `usize`, or their size in bytes `isize`.
    #[track_caller]
    pub fn from_elem(shape: [usize; R], elem: T) -> Self
    where
        T: Clone,
    {
        Self::of(vec![elem; shape::len("Array", &shape)], shape)
    }

    /// An array whose element at each index is `f` of that index; `f` is called in row-major order.
    ///
    /// # Panics
    /// If the number of elements overflows `usize`, or their size in bytes `isize`.
    #[track_caller]
    pub fn from_fn(shape: [usize; R], f: impl FnMut([usize; R]) -> T) -> Self {
        Self::by_index(shape, f)
    }
}

impl<T, const R: usize> Array<T, R, ColumnMajor> {
    /// An array of the given shape (`[rows, columns]` at rank 2) with the elements of `data`, column after column.
    ///
    /// ```
    /// # use smooth_runtime::Array;
    /// let a = Array::column_major(vec![1, 3, 5, 2, 4, 6], [3, 2]);
    /// assert_eq!((a[[2, 0]], a[[0, 1]]), (5, 2));
    /// assert_eq!(a.to_row_major(), [[1, 2], [3, 4], [5, 6]]);
    /// ```
    ///
    /// # Panics
    /// If the shape needs more or fewer elements than there are.
    #[track_caller]
    pub fn column_major(data: Vec<T>, shape: [usize; R]) -> Self {
        match Self::try_column_major(data, shape) {
            Ok(array) => array,
            Err(error) => error.raise(),
        }
    }

    /// An array of the given shape (`[rows, columns]` at rank 2) with the elements of `data`, column after column.
    ///
    /// # Errors
    /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
    pub fn try_column_major(data: Vec<T>, shape: [usize; R]) -> Result<Self, ShapeError> {
        Self::filled(data, shape)
    }
}

impl<T, const R: usize, L: Layout> Array<T, R, L> {
    pub(crate) fn filled(data: Vec<T>, shape: [usize; R]) -> Result<Self, ShapeError> {
        shape::check("Array", data.len(), &shape)?;
        Ok(Self::of(data, shape))
    }

    /// An array whose shape is known to fit.
    pub(crate) const fn of(data: Vec<T>, shape: [usize; R]) -> Self {
        Array { data, shape, layout: PhantomData }
    }

    /// An array whose element at each index is `f` of that index; `f` is called in memory order.
    #[track_caller]
    pub(crate) fn by_index(shape: [usize; R], f: impl FnMut([usize; R]) -> T) -> Self {
        let len = shape::len("Array", &shape);
        Self::of(shape::indices::<L, R>(shape, len).map(f).collect(), shape)
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
        self.data.as_slice()
    }

    /// The elements in memory order.
    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        self.data.as_mut_slice()
    }

    /// The elements in memory order.
    pub fn into_vec(self) -> Vec<T> {
        self.data
    }

    /// The array, borrowed.
    pub const fn view(&self) -> View<'_, T, R, L> {
        View::of(self.data.as_slice(), self.shape)
    }

    /// The array, mutably borrowed.
    pub const fn view_mut(&mut self) -> ViewMut<'_, T, R, L> {
        ViewMut::of(self.data.as_mut_slice(), self.shape)
    }
}

/// Copies into either layout, with the same element at each index.
macro_rules! copies {
    ($($array:ident$(<$lifetime:lifetime>)?)*) => {$(
        impl<T: Clone, const R: usize, L: Layout> $array<$($lifetime,)? T, R, L> {
            /// A row-major copy, with the same element at each index.
            pub fn to_row_major(&self) -> Array<T, R> {
                Array::by_index(self.shape, |index| self[index].clone())
            }

            /// A column-major copy, with the same element at each index.
            pub fn to_column_major(&self) -> Array<T, R, ColumnMajor> {
                Array::by_index(self.shape, |index| self[index].clone())
            }
        }
    )*};
}

copies!(Array View<'_> ViewMut<'_>);

/// The empty array: 0 along each axis.
impl<T, const R: usize, L: Layout> Default for Array<T, R, L> {
    fn default() -> Self {
        const { assert!(R > 0, "an array of rank 0 has one element") };
        Self::of(Vec::new(), [0; R])
    }
}

impl<T: fmt::Debug, const R: usize, L: Layout> fmt::Debug for Array<T, R, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
