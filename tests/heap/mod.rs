//! A global allocator that counts allocated and freed blocks per thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// The number of blocks that this thread has allocated and freed.
    static TAKEN: Cell<usize> = const { Cell::new(0) };
    static GIVEN: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: all calls are forwarded to std's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.set(TAKEN.get() + 1);
        // SAFETY: the caller guarantees the conditions of the forwarded call.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        GIVEN.set(GIVEN.get() + 1);
        // SAFETY: the caller guarantees the conditions of the forwarded call.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// The result of `run`, and the number of blocks that it allocated and freed.
pub fn heap<R>(run: impl FnOnce() -> R) -> (R, usize, usize) {
    let (taken, given) = (TAKEN.get(), GIVEN.get());
    let r = run();
    (r, TAKEN.get() - taken, GIVEN.get() - given)
}
