//! Parts of arrays and iterators over them: elements, rows and columns, and subarrays at one first index.
#[cfg(feature = "alloc")]
use crate::Array;
use crate::{Layout, RowMajor, StridedView, View, ViewMut, shape};

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

/// The transpose of mutable views and arrays.
macro_rules! transpose {
    ($($array:ident$(<$lifetime:lifetime>)?: $view:ident)*) => {$(
        impl<T, const R: usize, L: Layout> $array<$($lifetime,)? T, R, L> {
            /// The transpose: a view of the same elements with the axes reversed. No element moves; `a.t().to_row_major()` is
            /// a copy in rows.
            pub fn t(&self) -> View<'_, T, R, L::Reversed> {
                self.$view().t()
            }
        }
    )*};
}

transpose!(ViewMut<'_>: as_view);
#[cfg(feature = "alloc")]
transpose!(Array: view);

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

impl<'a, T, const R: usize> StridedView<'a, T, R> {
    /// The elements, the last index fastest.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a T> + use<'a, T, R> {
        let view = *self;
        shape::indices::<RowMajor, R>(self.shape(), self.len()).map(move |index| match view.at(index) {
            Ok(element) => element,
            Err(_) => unreachable!("an index of the shape"),
        })
    }
}

/// `for x in …`, over the elements of `iter`, `iter_mut` and `into_vec`.
macro_rules! into_iter {
    ($([$($generics:tt)*] $array:ty: $item:ty, $iter:ty, |$a:ident| $elements:expr;)*) => {$(
        impl<$($generics)* T, const R: usize> IntoIterator for $array {
            type Item = $item;
            type IntoIter = $iter;

            fn into_iter(self) -> $iter {
                let $a = self;
                $elements
            }
        }
    )*};
}

into_iter! {
    ['a,] View<'a, T, R>: &'a T, core::slice::Iter<'a, T>, |a| a.data.iter();
    ['a,] &View<'a, T, R>: &'a T, core::slice::Iter<'a, T>, |a| a.data.iter();
    ['a,] ViewMut<'a, T, R>: &'a mut T, core::slice::IterMut<'a, T>, |a| a.data.iter_mut();
    ['a,] &'a ViewMut<'_, T, R>: &'a T, core::slice::Iter<'a, T>, |a| a.data.iter();
    ['a,] &'a mut ViewMut<'_, T, R>: &'a mut T, core::slice::IterMut<'a, T>, |a| a.data.iter_mut();
}

#[cfg(feature = "alloc")]
into_iter! {
    [] Array<T, R>: T, alloc::vec::IntoIter<T>, |a| a.data.into_iter();
    ['a,] &'a Array<T, R>: &'a T, core::slice::Iter<'a, T>, |a| a.data.iter();
    ['a,] &'a mut Array<T, R>: &'a mut T, core::slice::IterMut<'a, T>, |a| a.data.iter_mut();
}

/// `count` consecutive parts of `len` elements each.
fn lines<T>(data: &[T], count: usize, len: usize) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator {
    (0..count).map(move |i| &data[i * len..(i + 1) * len])
}

/// [`lines`], mutable: the `count` of them that are left.
struct LinesMut<'a, T> {
    data: &'a mut [T],
    count: usize,
    len: usize,
}

impl<'a, T> Iterator for LinesMut<'a, T> {
    type Item = &'a mut [T];

    fn next(&mut self) -> Option<&'a mut [T]> {
        self.count = self.count.checked_sub(1)?;
        self.data.split_off_mut(..self.len)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl<'a, T> DoubleEndedIterator for LinesMut<'a, T> {
    fn next_back(&mut self) -> Option<&'a mut [T]> {
        self.count = self.count.checked_sub(1)?;
        self.data.split_off_mut(self.data.len() - self.len..)
    }
}

impl<T> ExactSizeIterator for LinesMut<'_, T> {}

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
            pub fn $lines_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut [T]> + ExactSizeIterator {
                LinesMut { data: self.data, count: self.shape[$count], len: self.shape[$len] }
            }
        }

        #[cfg(feature = "alloc")]
        impl<T> Array<T, 2, crate::$layout> {
            #[doc = concat!("The ", stringify!($lines), ", first to last.")]
            pub fn $lines(&self) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator {
                lines(&self.data, self.shape[$count], self.shape[$len])
            }

            #[doc = concat!("The ", stringify!($lines), ", first to last.")]
            pub fn $lines_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut [T]> + ExactSizeIterator {
                LinesMut { data: &mut self.data, count: self.shape[$count], len: self.shape[$len] }
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
