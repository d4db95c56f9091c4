//! An allocator whose new blocks are full of one pattern, for what takes memory from the system: plain calls, and
//! kernels without the pass `stack`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU8, Ordering};

/// What new blocks are full of.
static PATTERN: AtomicU8 = AtomicU8::new(0xFF);

struct Filling;

// SAFETY: everything is std's own allocator's work, but for bytes of a block that nobody else has yet.
unsafe impl GlobalAlloc for Filling {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let block = unsafe { System.alloc(layout) };
        if !block.is_null() {
            // SAFETY: the block has that many bytes.
            unsafe { block.write_bytes(PATTERN.load(Ordering::Relaxed), layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: Filling = Filling;

/// Fills new blocks with another pattern from now on.
pub fn fill_new_blocks(pattern: u8) {
    PATTERN.store(pattern, Ordering::Relaxed);
}
