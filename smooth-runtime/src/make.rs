//! Owned results: the memory is allocated first, then written in place.
use crate::{
    Array, Element, Layout, Scalar,
    cells::{Cells, flatten},
    shape,
};
use alloc::vec::Vec;

/// A vector or an array in one allocation that is not written yet. If the code that writes it unwinds, the memory is freed, and
/// no cell is read.
#[derive(Debug)]
pub struct Unwritten<E> {
    /// Empty, with room for `len` elements.
    vec: Vec<E>,
    len: usize,
}

impl<E: Element> Unwritten<E> {
    /// A vector of `len` elements.
    #[inline(always)]
    pub fn vec(len: usize) -> Self {
        Unwritten { vec: Vec::with_capacity(len), len }
    }

    /// An array of the given shape.
    ///
    /// # Panics
    /// If the number of elements overflows `usize`.
    #[inline(always)]
    #[track_caller]
    pub fn array<const R: usize>(shape: [usize; R]) -> Self {
        Self::vec(shape::len("Array", &shape))
    }

    /// The cells of all scalars, those of an array in the order of its layout.
    #[inline(always)]
    pub fn cells(&mut self) -> &mut Cells<E::Scalar> {
        flatten(&mut self.vec.spare_capacity_mut()[..self.len])
    }

    /// The vector.
    ///
    /// # Safety
    /// Every cell is written (F5).
    #[inline(always)]
    pub unsafe fn written(mut self) -> Vec<E> {
        // SAFETY: the capacity is at least `len`; the scalars of the first `len` elements are written (F5), and elements
        // consist of their scalars only (F3).
        unsafe { self.vec.set_len(self.len) };
        self.vec
    }
}

impl<T: Scalar> Unwritten<T> {
    /// The array of the shape that it was allocated for.
    ///
    /// # Safety
    /// Every cell is written (F5).
    #[inline(always)]
    pub unsafe fn written_array<const R: usize, L: Layout>(self, shape: [usize; R]) -> Array<T, R, L> {
        // SAFETY: F5.
        Array::of(unsafe { self.written() }, shape)
    }
}
