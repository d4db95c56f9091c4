//! An owned array of any rank.
use crate::{ShapeError, View, ViewMut, shape};
use alloc::{vec, vec::Vec};
use core::fmt;

/// Owned `R`-dimensional data: a vector and its shape, row-major, without gaps.
///
/// What a kernel returns where an inner size is symbolic; `&a` is an argument and `&mut a` a
/// destination.
///
/// ```
/// # use smooth_runtime::Array;
/// let a = Array::from_fn([2, 3], |[i, j]| 10 * i + j);
/// assert_eq!((a[[1, 2]], a[1][2]), (12, 12));
/// assert_eq!(a.into_vec(), [0, 1, 2, 10, 11, 12]);
/// ```
#[derive(Clone, PartialEq)]
pub struct Array<T, const R: usize> {
    pub(crate) data: Vec<T>,
    pub(crate) shape: [usize; R],
}

impl<T, const R: usize> Array<T, R> {
    /// An array of the given shape with the elements of `data`, row-major.
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

    /// An array of the given shape with the elements of `data`, row-major.
    ///
    /// # Errors
    /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
    pub fn try_from_vec(data: Vec<T>, shape: [usize; R]) -> Result<Self, ShapeError> {
        shape::check("Array", data.len(), &shape)?;
        Ok(Array { data, shape })
    }

    /// An array with the same element everywhere.
    ///
    /// # Panics
    /// If there are more elements than memory can hold.
    #[track_caller]
    pub fn from_elem(shape: [usize; R], elem: T) -> Self
    where
        T: Clone,
    {
        Array { data: vec![elem; shape::len("Array", &shape)], shape }
    }

    /// An array whose element at each index is `f` of that index; called in row-major order.
    ///
    /// # Panics
    /// If there are more elements than memory can hold.
    #[track_caller]
    pub fn from_fn(shape: [usize; R], mut f: impl FnMut([usize; R]) -> T) -> Self {
        let mut index = [0; R];
        let next = |_| {
            let value = f(index);
            for axis in (0..R).rev() {
                index[axis] += 1;
                if index[axis] < shape[axis] {
                    break;
                }
                index[axis] = 0;
            }
            value
        };
        Array { data: (0..shape::len("Array", &shape)).map(next).collect(), shape }
    }

    /// The length along each axis.
    pub const fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// The elements, row-major.
    pub const fn as_slice(&self) -> &[T] {
        self.data.as_slice()
    }

    /// The elements, row-major.
    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        self.data.as_mut_slice()
    }

    /// The elements, row-major.
    pub fn into_vec(self) -> Vec<T> {
        self.data
    }

    /// The array, borrowed.
    pub const fn view(&self) -> View<'_, T, R> {
        View { data: self.data.as_slice(), shape: self.shape }
    }

    /// The array, mutably borrowed.
    pub const fn view_mut(&mut self) -> ViewMut<'_, T, R> {
        ViewMut { data: self.data.as_mut_slice(), shape: self.shape }
    }
}

impl<T> Array<T, 2> {
    /// The array with these rows.
    ///
    /// # Errors
    /// [`ShapeError::Ragged`] names the first row that differs in length from row 0.
    pub fn from_nested(rows: &[Vec<T>]) -> Result<Self, ShapeError>
    where
        T: Clone,
    {
        let expected = rows.first().map_or(0, Vec::len);
        match rows.iter().map(Vec::len).enumerate().find(|&(_, found)| found != expected) {
            Some((row, found)) => Err(ShapeError::Ragged { kernel: "Array", row, found, expected }),
            None => Ok(Array { data: rows.concat(), shape: [rows.len(), expected] }),
        }
    }

    /// A copy of the rows.
    pub fn to_nested(&self) -> Vec<Vec<T>>
    where
        T: Clone,
    {
        self.rows().map(<[T]>::to_vec).collect()
    }

    /// The rows, first to last.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator {
        self.view().rows()
    }
}

impl<T: Clone> Array<T, 3> {
    /// A copy of the elements, nested as they are indexed.
    pub fn to_nested(&self) -> Vec<Vec<Vec<T>>> {
        let matrix = |i| self.at(i).rows().map(<[T]>::to_vec).collect();
        (0..self.shape[0]).map(matrix).collect()
    }
}

/// `at`, which needs the rank below.
macro_rules! at {
    ($($rank:literal => $less:literal),*) => {$(
        impl<T> Array<T, $rank> {
            /// The part whose first index is `i`.
            ///
            /// # Panics
            /// If `i` is out of bounds.
            #[track_caller]
            pub fn at(&self, i: usize) -> View<'_, T, $less> {
                self.view().at(i)
            }
        }
    )*};
}

at!(2 => 1, 3 => 2, 4 => 3, 5 => 4, 6 => 5);

/// The empty array: 0 along each axis.
impl<T, const R: usize> Default for Array<T, R> {
    fn default() -> Self {
        const { assert!(R > 0, "an array of rank 0 has one element") };
        Array { data: Vec::new(), shape: [0; R] }
    }
}

impl<T: fmt::Debug, const R: usize> fmt::Debug for Array<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
