//! An allocator that counts what each thread takes and gives back.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Blocks that this thread has asked for, and has given back.
    static TAKEN: Cell<usize> = const { Cell::new(0) };
    static GIVEN: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is std's own allocator's work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.set(TAKEN.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        GIVEN.set(GIVEN.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// What `run` gives, and the blocks taken and given back meanwhile.
pub fn heap<R>(run: impl FnOnce() -> R) -> (R, usize, usize) {
    let (taken, given) = (TAKEN.get(), GIVEN.get());
    let r = run();
    (r, TAKEN.get() - taken, GIVEN.get() - given)
}
