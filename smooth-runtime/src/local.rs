//! The arena of a convenient call, which has none of its own.
use crate::Arena;

/// Runs `call` on the thread's arena, which is kept for the next call, also on unwind.
///
/// A nested use, and one while the thread is being torn down, gets a fresh arena.
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

/// Runs `call` on a fresh arena: without `std` there is no place to keep one.
#[cfg(not(feature = "std"))]
pub fn with_arena<X>(call: impl FnOnce(&mut Arena<'static>) -> X) -> X {
    with_fresh(call)
}

#[cfg_attr(feature = "std", cold)]
fn with_fresh<X>(call: impl FnOnce(&mut Arena<'static>) -> X) -> X {
    call(&mut Arena::new())
}
