//! Row-major shapes: how many elements there are, where one lies, how they are shown.
use crate::ShapeError;
use core::{fmt, ops::Range};

/// The number of elements, if a `usize` holds it; 0 as soon as one axis is empty.
pub(crate) fn count(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1, |count: usize, &len| count.checked_mul(len))
}

/// The number of elements of a `kind` about to be made.
#[cfg(feature = "alloc")]
#[track_caller]
pub(crate) fn len(kind: &'static str, shape: &[usize]) -> usize {
    match count(shape) {
        Some(len) => len,
        None => ShapeError::Overflow { kernel: kind, size: "of its shape" }.raise(),
    }
}

/// Whether `found` elements fill the shape of a `kind`.
pub(crate) fn check(kind: &'static str, found: usize, shape: &[usize]) -> Result<(), ShapeError> {
    if count(shape) == Some(found) { Ok(()) } else { Err(ShapeError::elements(kind, found, shape)) }
}

/// Where the element at `index` lies.
#[inline]
#[track_caller]
pub(crate) fn offset<const R: usize>(shape: [usize; R], index: [usize; R]) -> usize {
    let mut offset = 0;
    for axis in 0..R {
        if index[axis] >= shape[axis] {
            out_of_bounds(axis, shape[axis], index[axis]);
        }
        offset = offset * shape[axis] + index[axis];
    }
    offset
}

/// Where the elements lie whose index starts with `i`.
#[inline]
#[track_caller]
pub(crate) fn outer(shape: &[usize], i: usize) -> Range<usize> {
    if i >= shape[0] {
        out_of_bounds(0, shape[0], i);
    }
    // `shape[0]` is not 0, so this is at most the number of all elements.
    let inner = count(&shape[1..]).unwrap_or(0);
    i * inner..(i + 1) * inner
}

#[cold]
#[inline(never)]
#[track_caller]
fn out_of_bounds(axis: usize, len: usize, index: usize) -> ! {
    panic!("index out of bounds: the len of axis {axis} is {len} but the index is {index}")
}

/// Elements as nested lists.
pub(crate) struct Nested<'a, T> {
    pub(crate) data: &'a [T],
    pub(crate) shape: &'a [usize],
}

impl<T: fmt::Debug> fmt::Debug for Nested<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.shape {
            [] => self.data[0].fmt(f),
            [_] => self.data.fmt(f),
            [len, ref shape @ ..] => f
                .debug_list()
                .entries((0..len).map(|i| Nested { data: &self.data[outer(self.shape, i)], shape }))
                .finish(),
        }
    }
}
