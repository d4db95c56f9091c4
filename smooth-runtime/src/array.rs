//! An owned array of any rank.
use crate::{ColumnMajor, Layout, RowMajor, ShapeError, View, ViewMut, contiguous::contiguous, shape};
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
///
/// The same matrix in column-major order:
///
/// ```
/// # use smooth_runtime::Array;
/// let a = Array::column_major(vec![0, 10, 1, 11, 2, 12], [2, 3]);
/// assert_eq!((a[[1, 0]], a[[0, 1]]), (10, 1));
/// assert_eq!(a.to_row_major(), [[0, 1, 2], [10, 11, 12]]);
/// ```
#[derive(Clone)]
pub struct Array<T, const R: usize, L = RowMajor> {
    pub(crate) data: Vec<T>,
    pub(crate) shape: [usize; R],
    layout: PhantomData<L>,
}

contiguous!(Array, Vec<T>, from_vec, try_from_vec);

impl<T, const R: usize> Array<T, R> {
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

impl<T, const R: usize, L: Layout> Array<T, R, L> {
    /// An array whose element at each index is `f` of that index; `f` is called in memory order.
    #[track_caller]
    pub(crate) fn by_index(shape: [usize; R], f: impl FnMut([usize; R]) -> T) -> Self {
        let len = shape::len("Array", &shape);
        Self::of(shape::indices::<L, R>(shape, len).map(f).collect(), shape)
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
