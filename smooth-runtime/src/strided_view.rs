//! A borrowed array whose neighbours are any number of elements apart.
//!
//! [`View`] is a slice, and its users rely on `as_slice`. The elements of a strided view are not a
//! slice: elements between them may be borrowed mutably by someone else, as the odd columns next to the even ones
//! (`multi_slice_mut` of ndarray), and a slice over both would be undefined behaviour. So the view is an address and
//! strides. It is one type, and not a family with a type parameter, since everything converts to it.
//!
//! A stride may be 0: a row for all rows is useful, and nothing is written. But the proofs about sizes take for
//! granted that an argument has at most `isize::MAX` bytes. So a strided view has to be no larger than an array may
//! be.
#[cfg(feature = "alloc")]
use crate::Array;
use crate::{Layout, ShapeError, View, shape, strided::Strided};
use core::ops::{Bound, RangeBounds};

/// A shared borrow of `R`-dimensional data that need not be contiguous: along each axis, neighbours are a number of
/// elements apart, the *stride*, which may be negative or 0.
///
/// So every other column of a matrix, a window of an image, a reversed axis and a transpose are views of the same
/// elements. A parameter that [`strided`](https://docs.rs/smooth-dsl/latest/smooth/attr.smooth.html) names takes one,
/// and whatever converts to one ([`IntoStridedView`](crate::IntoStridedView)): every [`View`], array and slice does.
///
/// ```
/// # use smooth_runtime::{StridedView, View};
/// let image = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]];
/// let whole: StridedView<i32, 2> = StridedView::from(&image);
/// let window = whole.slice(0, 1..3).slice(1, 1..3);
/// assert_eq!(format!("{window:?}"), "[[6, 7], [10, 11]]");
/// assert_eq!(format!("{:?}", whole.step_by(1, 2).t()), "[[1, 5, 9], [3, 7, 11]]");
/// assert_eq!(format!("{:?}", whole.slice(0, ..1).reversed(1)), "[[4, 3, 2, 1]]");
///
/// // The diagonal, by its strides.
/// let data = View::from(&image).as_slice();
/// let diagonal = StridedView::new(data, 0, [3], [5]);
/// assert_eq!((diagonal[[0]], diagonal[[1]], diagonal[[2]]), (1, 6, 11));
/// ```
pub struct StridedView<'a, T, const R: usize> {
    elements: Strided<'a, T, R>,
    shape: [usize; R],
}

const KIND: &str = "StridedView";

impl<'a, T, const R: usize> StridedView<'a, T, R> {
    /// A view of the elements of `data` in which the element with the index `[i, j, …]` has the number
    /// `offset + i * strides[0] + j * strides[1] + …`.
    ///
    /// ```
    /// # use smooth_runtime::StridedView;
    /// let v = StridedView::new(&[1, 2, 3, 4, 5, 6], 5, [2, 3], [-3, -1]);
    /// assert_eq!(format!("{v:?}"), "[[6, 5, 4], [3, 2, 1]]");
    /// let row = StridedView::new(&[1, 2, 3], 0, [2, 3], [0, 1]);
    /// assert_eq!(format!("{row:?}"), "[[1, 2, 3], [1, 2, 3]]");
    /// ```
    ///
    /// # Panics
    /// If [`try_new`](Self::try_new) returns an error.
    #[track_caller]
    pub fn new(data: &'a [T], offset: usize, shape: [usize; R], strides: [isize; R]) -> Self {
        match Self::try_new(data, offset, shape, strides) {
            Ok(view) => view,
            Err(error) => error.raise(),
        }
    }

    /// A view of the elements of `data` in which the element with the index `[i, j, …]` has the number
    /// `offset + i * strides[0] + j * strides[1] + …`.
    ///
    /// # Errors
    /// [`ShapeError::Strides`] if there is an index whose number is negative, or is not less than `data.len()`.
    /// [`ShapeError::Overflow`] if an array of that shape would have more than `isize::MAX` bytes, which it need not have
    /// where a stride is 0.
    pub fn try_new(data: &'a [T], offset: usize, shape: [usize; R], strides: [isize; R]) -> Result<Self, ShapeError> {
        if !shape.contains(&0) {
            // An extent is below 2^63 here (F9), so that a product fits; the sums saturate beyond all numbers of elements.
            is_array::<T>(&shape)?;
            let (mut least, mut most) = (offset as i128, offset as i128);
            for (&len, &stride) in shape.iter().zip(&strides) {
                let reach = (len - 1) as i128 * stride as i128;
                if reach < 0 {
                    least = least.saturating_add(reach);
                } else {
                    most = most.saturating_add(reach);
                }
            }
            if least < 0 || most >= data.len() as i128 {
                let reached = if least < 0 { least } else { most };
                return Err(ShapeError::Strides { kernel: KIND, found: data.len(), offset, reached });
            }
        }
        // SAFETY: the numbers of all elements are between the smallest and the largest, which are in the slice (F9).
        unsafe { Self::from_parts(data.as_ptr().wrapping_add(offset), shape, strides) }
    }

    /// The view with this first element.
    ///
    /// # Safety
    /// There are elements where the strides say, in one allocation, initialised, and borrowed for `'a` (F9).
    pub(crate) unsafe fn from_parts(
        first: *const T,
        shape: [usize; R],
        strides: [isize; R],
    ) -> Result<Self, ShapeError> {
        is_array::<T>(&shape)?;
        Ok(StridedView { elements: Strided::from(first, strides), shape })
    }

    /// The length along each axis.
    pub const fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// The distance of neighbours along each axis, in elements.
    pub fn strides(&self) -> [isize; R] {
        self.elements.signed_strides()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        shape::count(&self.shape).unwrap_or(0)
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The elements whose index along `axis` is in a range; it is counted from the range's start on.
    ///
    /// # Panics
    /// If there is no such axis, or if the range does not lie inside it.
    #[track_caller]
    pub fn slice(self, axis: usize, range: impl RangeBounds<usize>) -> Self {
        let len = self.shape[axis];
        let start = match range.start_bound() {
            Bound::Included(&start) => Some(start),
            Bound::Excluded(&before) => before.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => last.checked_add(1),
            Bound::Excluded(&end) => Some(end),
            Bound::Unbounded => Some(len),
        };
        let (Some(start), Some(end)) = (start, end) else { panic!("the range ends behind the largest index") };
        let len = crate::index::range(start, end, len);
        self.along(axis, start, len, self.strides()[axis])
    }

    /// Every `step`th element along `axis`, from the first one on.
    ///
    /// # Panics
    /// If there is no such axis, or if `step` is 0.
    #[track_caller]
    pub fn step_by(self, axis: usize, step: usize) -> Self {
        assert!(step != 0, "the step along axis {axis} is 0");
        let len = self.shape[axis].div_ceil(step);
        // A product that wraps belongs to an axis with one element at most, along which there are no neighbours.
        self.along(axis, 0, len, self.strides()[axis].wrapping_mul(step.cast_signed()))
    }

    /// The elements in reverse order along `axis`.
    ///
    /// # Panics
    /// If there is no such axis.
    #[track_caller]
    pub fn reversed(self, axis: usize) -> Self {
        let len = self.shape[axis];
        self.along(axis, len.saturating_sub(1), len, self.strides()[axis].wrapping_neg())
    }

    /// `len` elements along an axis from one on: all of them elements of the view, which keeps F9.
    fn along(mut self, axis: usize, from: usize, len: usize, stride: isize) -> Self {
        let mut strides = self.strides();
        // It wraps only where there are no elements.
        let first = self.elements.first().wrapping_offset(from.cast_signed().wrapping_mul(strides[axis]));
        (self.shape[axis], strides[axis]) = (len, stride);
        StridedView { elements: Strided::from(first, strides), shape: self.shape }
    }

    /// The transpose: the same elements with the axes reversed.
    pub fn t(self) -> Self {
        let (mut shape, mut strides) = (self.shape, self.strides());
        shape.reverse();
        strides.reverse();
        StridedView { elements: Strided::from(self.elements.first(), strides), shape }
    }

    /// A copy in an array, which is contiguous.
    #[cfg(feature = "alloc")]
    pub fn to_array(&self) -> Array<T, R>
    where
        T: Clone,
    {
        Array::by_index(self.shape, |index| self[index].clone())
    }

    /// The elements as a body takes them.
    #[doc(hidden)]
    pub fn elements(self) -> Strided<'a, T, R> {
        self.elements
    }

    /// The element at an index, or the axis along which that is out of bounds.
    pub(crate) fn at(&self, index: [usize; R]) -> Result<&'a T, usize> {
        let mut offset = 0isize;
        for (axis, stride) in self.strides().into_iter().enumerate() {
            if index[axis] >= self.shape[axis] {
                return Err(axis);
            }
            // Each part of the sum is the offset of an element, too (F9).
            offset = offset.wrapping_add(index[axis].cast_signed().wrapping_mul(stride));
        }
        // SAFETY: the index is in bounds, so that there is an element (F9).
        Ok(unsafe { &*self.elements.first().offset(offset) })
    }
}

/// Whether an array of a shape may exist: its bytes are at most `isize::MAX`.
fn is_array<T>(shape: &[usize]) -> Result<(), ShapeError> {
    let most = isize::MAX.unsigned_abs() / size_of::<T>().max(1);
    match shape::count(shape) {
        Some(count) if count <= most => Ok(()),
        _ => Err(ShapeError::Overflow { kernel: KIND, size: "of its shape" }),
    }
}

impl<T, const R: usize> Clone for StridedView<'_, T, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const R: usize> Copy for StridedView<'_, T, R> {}

impl<'a, T, const R: usize, L: Layout> View<'a, T, R, L> {
    /// These elements as a strided view, whose parts are views, too.
    ///
    /// ```
    /// # use smooth_runtime::View;
    /// let v = View::new(&[1, 2, 3, 4, 5, 6], [2, 3]).strided();
    /// assert_eq!(v.strides(), [3, 1]);
    /// assert_eq!(format!("{:?}", v.step_by(1, 2)), "[[1, 3], [4, 6]]");
    /// ```
    pub fn strided(self) -> StridedView<'a, T, R> {
        // As many elements as there are in the slice, all of them side by side (F9).
        let strides = shape::strides::<L, R>(self.shape).map(usize::cast_signed);
        StridedView { elements: Strided::from(self.data.as_ptr(), strides), shape: self.shape }
    }
}
