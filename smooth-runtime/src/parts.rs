//! Parts of arrays and iterators over them: elements, rows and columns, and subarrays at one first index.
#[cfg(feature = "alloc")]
use crate::Array;
use crate::{Layout, View, ViewMut, shape};

impl<'a, T, const R: usize> View<'a, T, R> {
    /// The elements, the last index fastest.
    ///
    /// A column-major view has no such iterator, since its elements are in another order in memory: iterate over
    /// `as_slice()` for that order, or over `to_row_major()`.
    pub fn iter(&self) -> core::slice::Iter<'a, T> {
        self.data.iter()
    }
}

impl<'a, T, const R: usize, L: Layout> View<'a, T, R, L> {
    /// The transpose: the same elements with the axes reversed. No element moves; the result has the other layout.
    ///
    /// ```
    /// # use smooth_runtime::View;
    /// let v = View::new(&[1, 2, 3, 4, 5, 6], [2, 3]);
    /// assert_eq!(v.t(), View::column_major(&[1, 2, 3, 4, 5, 6], [3, 2]));
    /// assert_eq!((v[[0, 2]], v.t()[[2, 0]]), (3, 3));
    /// ```
    pub fn t(&self) -> View<'a, T, R, L::Reversed> {
        let mut shape = self.shape;
        shape.reverse();
        View::of(self.data, shape)
    }
}

impl<T, const R: usize> ViewMut<'_, T, R> {
    /// The elements, the last index fastest.
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.data.iter()
    }

    /// The elements, the last index fastest.
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        self.data.iter_mut()
    }
}

#[cfg(feature = "alloc")]
impl<T, const R: usize> Array<T, R> {
    /// The elements, the last index fastest.
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.data.iter()
    }

    /// The elements, the last index fastest.
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        self.data.iter_mut()
    }
}

/// `count` consecutive parts of `len` elements each.
fn lines<T>(data: &[T], count: usize, len: usize) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator {
    (0..count).map(move |i| &data[i * len..(i + 1) * len])
}

/// [`lines`], mutable.
fn lines_mut<T>(mut data: &mut [T], count: usize, len: usize) -> impl ExactSizeIterator<Item = &mut [T]> {
    (0..count).map(move |_| data.split_off_mut(..len).expect("as many elements as the shape has"))
}

/// The contiguous lines of a matrix. `$count` is the axis that indexes the lines, `$len` the axis along a line.
macro_rules! lines {
    ($($layout:ident: $lines:ident, $lines_mut:ident, $count:literal, $len:literal;)*) => {$(
        impl<'a, T> View<'a, T, 2, crate::$layout> {
            #[doc = concat!("The ", stringify!($lines), ", first to last.")]
            pub fn $lines(&self) -> impl DoubleEndedIterator<Item = &'a [T]> + ExactSizeIterator + use<'a, T> {
                lines(self.data, self.shape[$count], self.shape[$len])
            }
        }

        impl<T> ViewMut<'_, T, 2, crate::$layout> {
            #[doc = concat!("The ", stringify!($lines), ", first to last.")]
            pub fn $lines(&self) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator {
                lines(self.data, self.shape[$count], self.shape[$len])
            }

            #[doc = concat!("The ", stringify!($lines), ", first to last.")]
            pub fn $lines_mut(&mut self) -> impl ExactSizeIterator<Item = &mut [T]> {
                lines_mut(self.data, self.shape[$count], self.shape[$len])
            }
        }

        #[cfg(feature = "alloc")]
        impl<T> Array<T, 2, crate::$layout> {
            #[doc = concat!("The ", stringify!($lines), ", first to last.")]
            pub fn $lines(&self) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator {
                lines(&self.data, self.shape[$count], self.shape[$len])
            }

            #[doc = concat!("The ", stringify!($lines), ", first to last.")]
            pub fn $lines_mut(&mut self) -> impl ExactSizeIterator<Item = &mut [T]> {
                lines_mut(&mut self.data, self.shape[$count], self.shape[$len])
            }
        }
    )*};
}

lines! {
    RowMajor: rows, rows_mut, 0, 1;
    ColumnMajor: columns, columns_mut, 1, 0;
}

/// `at` and `at_mut`: a macro, since stable const generics cannot express the rank minus 1.
macro_rules! at {
    ($($rank:literal => $less:literal),*) => {$(
        impl<'a, T> View<'a, T, $rank> {
            /// The subarray at first index `i`.
            ///
            /// # Panics
            /// If `i` is out of bounds.
            #[track_caller]
            pub fn at(&self, i: usize) -> View<'a, T, $less> {
                let [len, shape @ ..] = self.shape;
                View::of(&self.data[shape::outer(len, &shape, i)], shape)
            }
        }

        impl<T> ViewMut<'_, T, $rank> {
            /// The subarray at first index `i`.
            ///
            /// # Panics
            /// If `i` is out of bounds.
            #[track_caller]
            pub fn at(&self, i: usize) -> View<'_, T, $less> {
                self.as_view().at(i)
            }

            /// The subarray at first index `i`, mutable.
            ///
            /// # Panics
            /// If `i` is out of bounds.
            #[track_caller]
            pub fn at_mut(&mut self, i: usize) -> ViewMut<'_, T, $less> {
                let [len, shape @ ..] = self.shape;
                ViewMut::of(&mut self.data[shape::outer(len, &shape, i)], shape)
            }
        }

        #[cfg(feature = "alloc")]
        impl<T> Array<T, $rank> {
            /// The subarray at first index `i`.
            ///
            /// # Panics
            /// If `i` is out of bounds.
            #[track_caller]
            pub fn at(&self, i: usize) -> View<'_, T, $less> {
                self.view().at(i)
            }

            /// The subarray at first index `i`, mutable.
            ///
            /// # Panics
            /// If `i` is out of bounds.
            #[track_caller]
            pub fn at_mut(&mut self, i: usize) -> ViewMut<'_, T, $less> {
                let [len, shape @ ..] = self.shape;
                ViewMut::of(&mut self.data[shape::outer(len, &shape, i)], shape)
            }
        }
    )*};
}

at!(2 => 1, 3 => 2, 4 => 3, 5 => 4, 6 => 5);
