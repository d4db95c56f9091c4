//! Shapes and layouts: the number of elements, and their offsets.
use crate::{Layout, ShapeError};
use core::ops::Range;

/// The number of elements, or `None` if it overflows `usize`; 0 if an axis is empty.
#[inline]
pub(crate) fn count(shape: &[usize]) -> Option<usize> {
    let product = shape.iter().try_fold(1, |count: usize, &len| count.checked_mul(len));
    // Lengths before an empty axis may overflow.
    product.or_else(|| shape.contains(&0).then_some(0))
}

/// The number of elements of a new `kind`.
///
/// # Panics
/// If it overflows `usize`.
#[cfg(feature = "alloc")]
#[track_caller]
pub(crate) fn len(kind: &'static str, shape: &[usize]) -> usize {
    match count(shape) {
        Some(len) => len,
        None => ShapeError::Overflow { kernel: kind, size: "of its shape" }.raise(),
    }
}

/// Checks that `found` elements fill the shape of a `kind`.
#[inline]
pub(crate) fn check(kind: &'static str, found: usize, shape: &[usize]) -> Result<(), ShapeError> {
    if count(shape) == Some(found) { Ok(()) } else { Err(ShapeError::elements(kind, found, shape)) }
}

/// The offset of the element at `index`.
///
/// # Panics
/// If `index` is out of bounds.
#[inline]
#[track_caller]
pub(crate) fn offset<L: Layout, const R: usize>(shape: [usize; R], index: [usize; R]) -> usize {
    match try_offset::<L, R>(shape, index) {
        Ok(offset) => offset,
        Err(axis) => out_of_bounds(axis, shape[axis], index[axis]),
    }
}

/// The offset of the element at `index`, or the axis along which that is out of bounds.
#[inline]
pub(crate) fn try_offset<L: Layout, const R: usize>(shape: [usize; R], index: [usize; R]) -> Result<usize, usize> {
    let mut offset = 0;
    for k in 0..R {
        let axis = L::axis(R, k);
        if index[axis] >= shape[axis] {
            return Err(axis);
        }
        offset = offset * shape[axis] + index[axis];
    }
    Ok(offset)
}

/// The offsets of the elements of a row-major array whose first index is `i`; its extents are `len` and `inner`.
///
/// # Panics
/// If `i` is not less than `len`.
#[inline]
#[track_caller]
pub(crate) fn outer(len: usize, inner: &[usize], i: usize) -> Range<usize> {
    if i >= len {
        out_of_bounds(0, len, i);
    }
    // `len` is not 0, so `inner` elements are at most all elements, whose number does not overflow.
    let inner = count(inner).unwrap_or(0);
    i * inner..(i + 1) * inner
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn out_of_bounds(axis: usize, len: usize, index: usize) -> ! {
    panic!("index out of bounds: the len of axis {axis} is {len} but the index is {index}")
}

/// The stride of each axis; meaningless if there are no elements.
pub(crate) fn strides<L: Layout, const R: usize>(shape: [usize; R]) -> [usize; R] {
    let (mut strides, mut stride) = ([0; R], 1usize);
    for k in (0..R).rev() {
        let axis = L::axis(R, k);
        strides[axis] = stride;
        stride = stride.wrapping_mul(shape[axis]);
    }
    strides
}

/// The indices of a shape in the memory order of the layout `L`.
pub(crate) fn indices<L: Layout, const R: usize>(
    shape: [usize; R],
    len: usize,
) -> impl ExactSizeIterator<Item = [usize; R]> {
    let mut next = [0; R];
    (0..len).map(move |_| {
        let index = next;
        for k in (0..R).rev() {
            let axis = L::axis(R, k);
            next[axis] += 1;
            if next[axis] < shape[axis] {
                break;
            }
            next[axis] = 0;
        }
        index
    })
}
