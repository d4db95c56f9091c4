//! A global allocator that fills new blocks with a bit pattern, for code that allocates: plain calls, and kernels without
//! the pass `stack`. It counts them per thread, for code that must not.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

/// The pattern of new blocks.
static PATTERN: AtomicU8 = AtomicU8::new(0xFF);

thread_local! {
    /// The blocks that this thread has taken.
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

struct Filling;

// SAFETY: all calls are forwarded to std's allocator; only the bytes of a new block, to which there is no other pointer,
// are written.
unsafe impl GlobalAlloc for Filling {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.set(TAKEN.get() + 1);
        // SAFETY: the caller guarantees the conditions of the forwarded call.
        let block = unsafe { System.alloc(layout) };
        if !block.is_null() {
            // SAFETY: the block has `layout.size()` bytes.
            unsafe { block.write_bytes(PATTERN.load(Ordering::Relaxed), layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller guarantees the conditions of the forwarded call.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: Filling = Filling;

/// The number of blocks that this thread has taken so far.
pub fn blocks() -> usize {
    TAKEN.get()
}

/// Sets the pattern of new blocks.
pub fn fill_new_blocks(pattern: u8) {
    PATTERN.store(pattern, Ordering::Relaxed);
}
