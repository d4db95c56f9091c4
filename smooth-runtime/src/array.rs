//! An owned array of any rank.
use crate::{ColumnMajor, Layout, RowMajor, ShapeError, View, ViewMut, contiguous::contiguous, shape};
use alloc::{vec, vec::Vec};
use core::marker::PhantomData;

/// Owned `R`-dimensional data: a vector and its shape, contiguous, row-major unless `L` is [`ColumnMajor`].
///
/// Kernels return an `Array` if an inner size is symbolic. They take `&a` as an argument and `&mut a` as a
/// destination.
///
/// ```
/// # use smooth_runtime::Array;
/// let mut a = Array::from_vec(vec![0, 1, 2, 10, 11, 12], [2, 3]);
/// assert_eq!(a, Array::from_fn([2, 3], |[i, j]| 10 * i + j));
///
/// // Elements and rows.
/// assert_eq!((a[(1, 2)], a[[1, 2]], a[1][2], a.get((1, 3))), (12, 12, 12, None));
/// a[(0, 1)] += 100;
/// assert_eq!(a[0], [0, 101, 2]);
/// assert!(a.rows().map(|row| row.iter().sum::<usize>()).eq([103, 33]));
///
/// // The whole.
/// assert_eq!(a, [[0, 101, 2], [10, 11, 12]]);
/// assert_eq!(a.to_string(), "[[  0, 101,   2],\n [ 10,  11,  12]]");
/// assert_eq!(a.map(|x| x / 10).t().to_row_major(), [[0, 1], [10, 1], [0, 1]]);
/// assert_eq!(a.iter().max(), Some(&101));
/// assert_eq!(a.to_column_major().into_vec(), [0, 10, 101, 11, 2, 12]);
/// assert_eq!(a.into_vec(), [0, 101, 2, 10, 11, 12]);
/// ```
///
/// `{}` prints one row a line, in columns, and `{:.3}` each element with three digits; of more than 1000 elements it shows the
/// first and the last three along each axis, and `{:#}` shows all. `{:?}` prints all elements on one line.
///
/// ```
/// # use smooth_runtime::Array;
/// let rotation = Array::from([[0.8, -0.6], [0.6, 0.8]]);
/// assert_eq!(format!("{rotation:.3}"), "\
/// [[ 0.800, -0.600],
///  [ 0.600,  0.800]]");
/// assert_eq!(rotation, [[0.8, -0.6], [0.6, 0.8]]);
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

    /// An array of the same shape whose elements are `f` of these, called in memory order.
    ///
    /// ```
    /// # use smooth_runtime::Array;
    /// let a = Array::from([[1.0, 4.0], [9.0, 16.0]]);
    /// assert_eq!(a.map(f64::sqrt), [[1.0, 2.0], [3.0, 4.0]]);
    /// assert_eq!(a.map(|x| x > 4.0), [[false, false], [true, true]]);
    /// ```
    pub fn map<U>(&self, f: impl FnMut(T) -> U) -> Array<U, R, L>
    where
        T: Clone,
    {
        Array::of(self.data.iter().cloned().map(f).collect(), self.shape)
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
