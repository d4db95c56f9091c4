//! The frame of a plain call `f(…)`, which is not passed an arena.
use crate::stack_frame::StackFrame;
use crate::{Arena, ShapeError};
use core::mem::MaybeUninit;

/// Runs `call` on a frame of `bytes` bytes in the thread's arena.
///
/// # Errors
/// [`ShapeError::ScratchTooSmall`] if there is not enough memory.
#[inline]
pub fn with_frame<X>(
    kernel: &'static str,
    bytes: usize,
    call: impl FnOnce(&mut [MaybeUninit<u8>]) -> X,
) -> Result<X, ShapeError> {
    with_arena(|arena| Ok(call(arena.frame(kernel, bytes)?)))
}

/// [`with_frame`] for a kernel whose frame has a size known to rustc. A small frame is on the stack, and `bytes` is 0.
///
/// # Errors
/// As [`with_frame`].
#[inline]
pub fn with_small_frame<X>(
    kernel: &'static str,
    bytes: usize,
    call: impl FnOnce(&mut [MaybeUninit<u8>]) -> X,
) -> Result<X, ShapeError> {
    if bytes == 0 { Ok(call(StackFrame::new().bytes())) } else { with_frame(kernel, bytes, call) }
}

/// Runs `call` on the thread's arena, which is kept for later calls, even if this one unwinds.
///
/// A nested call gets a fresh arena, and so does a call after the thread local was destroyed.
#[cfg(feature = "std")]
#[inline]
pub fn with_arena<X>(call: impl FnOnce(&mut Arena<'static>) -> X) -> X {
    use core::cell::RefCell;
    std::thread_local!(static KEPT: RefCell<Arena<'static>> = const { RefCell::new(Arena::new()) });

    let mut call = Some(call);
    let mut once = || call.take().expect("one of the two below runs");
    KEPT.try_with(|kept| {
        let (mut kept, mut fresh) = (kept.try_borrow_mut(), Arena::new());
        once()(kept.as_deref_mut().unwrap_or(&mut fresh))
    })
    .unwrap_or_else(|_| with_fresh(once()))
}

/// Runs `call` on a fresh arena: without `std` there are no thread locals to keep one in.
#[cfg(not(feature = "std"))]
pub fn with_arena<X>(call: impl FnOnce(&mut Arena<'static>) -> X) -> X {
    with_fresh(call)
}

#[cfg_attr(feature = "std", cold)]
fn with_fresh<X>(call: impl FnOnce(&mut Arena<'static>) -> X) -> X {
    call(&mut Arena::new())
}
