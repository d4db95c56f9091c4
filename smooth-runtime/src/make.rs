//! Owned results: the memory is allocated first, then written in place.
use crate::{
    Array, Element, Layout, Scalar,
    cells::{Cells, flatten},
    shape,
};
use alloc::vec::Vec;

/// A vector of `len` elements, in one allocation that `write` fills, and the value that `write`
/// returns. If `write` unwinds, the memory is freed and no cell is read.
///
/// # Safety
/// If `write` returns, it has written every cell (F5).
#[inline(always)]
pub unsafe fn make_vec<E: Element, X>(len: usize, write: impl FnOnce(&mut Cells<E::Scalar>) -> X) -> (Vec<E>, X) {
    // SAFETY: F5; elements consist of their scalars only (F3).
    unsafe { filled(len, |cells: &mut Cells<E>| write(flatten(cells))) }
}

/// [`make_vec`] for an array of the given shape, whose cells are in the order of the layout `L`.
///
/// # Safety
/// If `write` returns, it has written every cell (F5).
///
/// # Panics
/// If the number of elements overflows `usize`.
#[inline(always)]
#[track_caller]
pub unsafe fn make_array<T: Scalar, const R: usize, L: Layout, X>(
    shape: [usize; R],
    write: impl FnOnce(&mut Cells<T>) -> X,
) -> (Array<T, R, L>, X) {
    // SAFETY: F5.
    let (data, x) = unsafe { filled(shape::len("Array", &shape), write) };
    (Array::of(data, shape), x)
}

/// [`make_vec`] for elements that need not be an [`Element`].
///
/// # Safety
/// If `write` returns, every cell is written (F5).
#[inline(always)]
unsafe fn filled<T, X>(len: usize, write: impl FnOnce(&mut Cells<T>) -> X) -> (Vec<T>, X) {
    let mut vec = Vec::with_capacity(len);
    let x = write(&mut vec.spare_capacity_mut()[..len]);
    // SAFETY: the capacity is at least `len`; the first `len` elements are written (F5).
    unsafe { vec.set_len(len) };
    (vec, x)
}
