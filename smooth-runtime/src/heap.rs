//! A block from the global allocator, for kernels that were compiled with `passes(stack = false)`.
use crate::{arena::ALIGN, cells::Cells};
use alloc::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use core::{mem::MaybeUninit, ptr::NonNull, slice};

/// An owned block of bytes, freed on drop.
#[derive(Debug)]
pub struct Heap {
    start: NonNull<MaybeUninit<u8>>,
    layout: Layout,
}

/// The size in bytes of a block of `len` scalars.
///
/// # Panics
/// If it overflows `usize`.
#[inline]
#[track_caller]
pub fn block<T>(len: usize) -> usize {
    len.checked_mul(size_of::<T>())
        .and_then(|b| b.checked_next_multiple_of(ALIGN))
        .unwrap_or_else(|| panic!("smooth: an array of {len} elements"))
}

impl Heap {
    /// One allocation for all `blocks`, which are sizes in bytes.
    ///
    /// # Panics
    /// If their sum exceeds the maximum size of an allocation.
    #[track_caller]
    pub fn new(blocks: &[usize]) -> Self {
        let bytes = blocks.iter().try_fold(0usize, |sum, b| sum.checked_add(*b));
        let layout = bytes.and_then(|bytes| Layout::from_size_align(bytes, ALIGN).ok());
        let layout = layout.unwrap_or_else(|| panic!("smooth: an allocation of {blocks:?} bytes"));
        if layout.size() == 0 {
            return Heap { start: NonNull::<Aligned>::dangling().cast(), layout };
        }
        // SAFETY: the size of the layout is not 0 (F8).
        let start = unsafe { alloc(layout) };
        NonNull::new(start.cast()).map_or_else(|| handle_alloc_error(layout), |start| Heap { start, layout })
    }

    /// The bytes of the block, 64-aligned (F1).
    pub fn cells(&mut self) -> &mut Cells<u8> {
        // SAFETY: `start` points to `size` bytes that only this block owns, or dangles if `size` is 0 (F8); any
        // bytes are cells (F2).
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.layout.size()) }
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: `start` came from `alloc` with this layout, and is freed only here (F8).
            unsafe { dealloc(self.start.as_ptr().cast(), self.layout) }
        }
    }
}

/// Its alignment is that of a block: the dangling pointer of an empty block is aligned too.
#[repr(align(64))]
struct Aligned;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_have_the_requested_size() {
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
    fn a_block_that_overflows_panics() {
        block::<f64>(usize::MAX / 2);
    }
}
