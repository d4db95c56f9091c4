//! Memory from the system for one allocation: what kernels take that were compiled without a stack.
use crate::{arena::ALIGN, cells::Cells};
use alloc::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use core::{mem::MaybeUninit, ptr::NonNull, slice};

/// A block of bytes that lives as long as this does.
#[derive(Debug)]
pub struct Heap {
    start: NonNull<MaybeUninit<u8>>,
    layout: Layout,
}

/// The bytes of a block of `len` scalars.
///
/// # Panics
/// If there are no arrays so large.
#[inline]
#[track_caller]
pub fn block<T>(len: usize) -> usize {
    len.checked_mul(size_of::<T>())
        .and_then(|b| b.checked_next_multiple_of(ALIGN))
        .unwrap_or_else(|| panic!("smooth: an array of {len} elements"))
}

impl Heap {
    /// One block for all of these.
    ///
    /// # Panics
    /// If together they are more than any allocation can have.
    #[track_caller]
    pub fn new(blocks: &[usize]) -> Self {
        let bytes = blocks.iter().try_fold(0usize, |sum, b| sum.checked_add(*b));
        let layout = bytes.and_then(|bytes| Layout::from_size_align(bytes, ALIGN).ok());
        let layout = layout.unwrap_or_else(|| panic!("smooth: an allocation of {blocks:?} bytes"));
        if layout.size() == 0 {
            return Heap { start: NonNull::<Aligned>::dangling().cast(), layout };
        }
        // SAFETY: the layout has a size.
        let start = unsafe { alloc(layout) };
        NonNull::new(start.cast()).map_or_else(|| handle_alloc_error(layout), |start| Heap { start, layout })
    }

    /// Its bytes: 64-aligned (F1).
    pub fn cells(&mut self) -> &mut Cells<u8> {
        // SAFETY: `start` points to `size` bytes that are this block's alone, or dangles where there are none;
        // any bytes are cells (F2).
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.layout.size()) }
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: it came from `alloc` with this layout, and is given back once.
            unsafe { dealloc(self.start.as_ptr().cast(), self.layout) }
        }
    }
}

/// An address that blocks may start at.
#[repr(align(64))]
struct Aligned;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_as_large_as_asked() {
        for blocks in [&[][..], &[0], &[64], &[128, 64], &[block::<f64>(9), block::<bool>(1)]] {
            let mut heap = Heap::new(blocks);
            let cells = heap.cells();
            assert_eq!(cells.len(), blocks.iter().sum());
            assert_eq!(cells.as_ptr().addr() % ALIGN, 0);
            cells.fill(MaybeUninit::new(1));
        }
    }

    #[test]
    #[should_panic(expected = "an array of")]
    fn no_array_is_larger_than_memory() {
        block::<f64>(usize::MAX / 2);
    }
}
