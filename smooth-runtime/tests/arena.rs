//! Frames: their size and alignment, and the state of the arena afterwards.
use core::mem::MaybeUninit;
use smooth_runtime::{Arena, ShapeError, private::ALIGN};

/// The bytes that a kernel announces for `payload` bytes of buffers.
fn announced(payload: usize) -> usize {
    payload + ALIGN - 1
}

#[test]
fn the_announced_bytes_suffice_at_any_address() {
    let mut buffer = [MaybeUninit::uninit(); 3 * ALIGN + 200];
    for payload in [0, 64, 192] {
        for at in 0..2 * ALIGN {
            let mut arena = Arena::on(&mut buffer[at..][..announced(payload)]);
            let frame = arena.frame("f", announced(payload)).unwrap();
            assert_eq!(frame.as_ptr().addr() % ALIGN, 0);
            assert_eq!(frame.len(), payload);
            assert_eq!(arena.high_water(), announced(payload));
        }
    }
}

#[test]
fn one_byte_less_is_an_error_with_both_numbers() {
    let mut buffer = [MaybeUninit::uninit(); 126];
    let mut arena = Arena::on(&mut buffer);
    let error = arena.frame("f", 127).unwrap_err();
    assert_eq!(error, ShapeError::ScratchTooSmall { kernel: "f", needed: 127, available: 126 });
    assert_eq!((arena.capacity(), arena.high_water()), (126, 0));
}

#[test]
fn an_empty_frame_needs_no_memory() {
    let mut arena = Arena::on(&mut []);
    assert!(arena.frame("f", 0).unwrap().is_empty());
    assert_eq!(format!("{arena:?}"), "Arena { capacity: 0, high_water: 0 }");
}

#[test]
fn the_high_water_mark_is_the_largest_frame() {
    let mut buffer = [MaybeUninit::uninit(); 1000];
    let mut arena = Arena::on(&mut buffer);
    for (bytes, mark) in [(127, 127), (511, 511), (63, 511)] {
        arena.frame("f", bytes).unwrap();
        assert_eq!(arena.high_water(), mark);
    }
}

#[cfg(feature = "alloc")]
mod owned {
    use super::*;
    use smooth_runtime::{Bump, Scratch};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn grows_between_calls_at_least_twofold() {
        const EMPTY: Arena<'static> = Arena::new();
        let mut arena = EMPTY;
        assert_eq!(arena.capacity(), 0);
        assert_eq!(arena.frame("f", 1087).unwrap().len(), 1024);
        let first = arena.capacity();
        assert!(first >= 1087);
        let more = (first / 64 + 1) * 64 + 63;
        arena.frame("f", more).unwrap();
        let second = arena.capacity();
        assert!(second >= 2 * first);
        arena.frame("f", 63).unwrap();
        assert_eq!((arena.capacity(), arena.high_water()), (second, more));
        assert!(Arena::with_capacity(100).capacity() >= 100);
    }

    #[test]
    fn a_failed_allocation_is_an_error_and_keeps_the_block() {
        let mut arena = Arena::with_capacity(127);
        let needed = usize::MAX;
        let error = arena.frame("f", needed).unwrap_err();
        let available = arena.capacity();
        assert_eq!(error, ShapeError::ScratchTooSmall { kernel: "f", needed, available });
        assert!(available >= 127);
        assert!(arena.frame("f", 127).is_ok());
    }

    #[test]
    fn shrinks_to_what_calls_took_since_the_reset() {
        let mut arena = Arena::with_capacity(1 << 20);
        arena.frame("f", 1 << 19 | 63).unwrap();
        arena.shrink();
        assert!((1 << 19..1 << 20).contains(&arena.capacity()));
        arena.reset();
        assert_eq!(arena.high_water(), 0);
        arena.frame("f", 127).unwrap();
        arena.shrink();
        assert!((127..4096).contains(&arena.capacity()), "{}", arena.capacity());
        assert_eq!(arena.frame("f", 127).unwrap().len(), 64);
        arena.reset();
        arena.shrink();
        assert_eq!(arena.capacity(), 0);
        assert_eq!(arena.frame("f", 127).unwrap().len(), 64);
        let mut buffer = [MaybeUninit::uninit(); 200];
        let mut fixed = Arena::on(&mut buffer);
        fixed.shrink();
        assert_eq!(fixed.capacity(), 200);
    }

    #[test]
    fn a_bump_gets_the_frame_back() {
        let mut bump = Bump::with_capacity(4096);
        for bytes in [0, 63, 127, 1087, 127] {
            let (free, before) = (bump.chunk_capacity(), bump.allocated_bytes());
            {
                let mut frame = Scratch::frame(&mut bump, "f", bytes).unwrap();
                assert_eq!(frame.len(), bytes.saturating_sub(ALIGN - 1));
                assert!(bytes == 0 || frame.as_ptr().addr() % ALIGN == 0);
                frame.fill(MaybeUninit::new(7));
            }
            assert_eq!((bump.chunk_capacity(), bump.allocated_bytes()), (free, before), "{bytes}");
        }
        // It grows once.
        drop(Scratch::frame(&mut bump, "f", (1 << 16) + 63).unwrap());
        let (free, grown) = (bump.chunk_capacity(), bump.allocated_bytes());
        assert!(grown > 1 << 16);
        for _ in 0..1000 {
            drop(Scratch::frame(&mut bump, "f", (1 << 16) + 63).unwrap());
        }
        assert_eq!((bump.chunk_capacity(), bump.allocated_bytes()), (free, grown));
        bump.set_allocation_limit(Some(grown));
        let error = Scratch::frame(&mut bump, "f", (1 << 20) + 63).err();
        assert_eq!(error, Some(ShapeError::ScratchTooSmall { kernel: "f", needed: (1 << 20) + 63, available: free }));
        assert!(Scratch::frame(&mut bump, "f", usize::MAX).is_err());
    }

    #[test]
    fn a_bump_gets_the_frame_back_when_the_call_unwinds() {
        let mut bump = Bump::with_capacity(4096);
        let free = bump.chunk_capacity();
        let call = AssertUnwindSafe(|| {
            let _frame = Scratch::frame(&mut bump, "f", 1087).unwrap();
            panic!("in a closure");
        });
        assert!(catch_unwind(call).is_err());
        assert_eq!(bump.chunk_capacity(), free);
    }

    #[test]
    fn can_be_used_after_an_unwinding_call() {
        let mut arena = Arena::default();
        let call = AssertUnwindSafe(|| {
            arena.frame("f", 127).unwrap().fill(MaybeUninit::new(7));
            panic!("in a closure");
        });
        assert!(catch_unwind(call).is_err());
        assert_eq!(arena.frame("f", 127).unwrap().len(), 64);
    }
}

#[cfg(feature = "std")]
mod thread_local {
    use smooth_runtime::private::with_arena;
    use std::{cell::RefCell, panic::catch_unwind, thread};

    /// Runs `test` on a fresh thread, which has no arena yet.
    fn on_a_thread(test: impl FnOnce() + Send + 'static) {
        thread::spawn(test).join().unwrap();
    }

    #[test]
    fn the_arena_is_kept_from_call_to_call() {
        on_a_thread(|| {
            with_arena(|arena| arena.frame("f", 127).map(|_| ()).unwrap());
            assert!(with_arena(|arena| arena.capacity()) >= 127);
        });
    }

    #[test]
    fn the_arena_survives_an_unwinding_call() {
        on_a_thread(|| {
            let call = || {
                with_arena(|arena| {
                    arena.frame("f", 127).unwrap();
                    panic!("in a closure");
                })
            };
            assert!(catch_unwind(call).is_err());
            assert!(with_arena(|arena| arena.capacity()) >= 127);
        });
    }

    #[test]
    fn a_nested_call_gets_a_fresh_arena() {
        on_a_thread(|| {
            with_arena(|outer| {
                let frame = outer.frame("f", 127).unwrap();
                with_arena(|inner| {
                    assert_eq!(inner.capacity(), 0);
                    inner.frame("g", 63).unwrap();
                });
                assert_eq!(frame.len(), 64);
            });
            assert!(with_arena(|arena| arena.capacity()) >= 127);
        });
    }

    #[test]
    fn works_in_destructors_of_thread_locals() {
        struct Late;
        impl Drop for Late {
            fn drop(&mut self) {
                with_arena(|arena| assert_eq!(arena.frame("f", 127).unwrap().len(), 64));
            }
        }
        std::thread_local!(static LATE: RefCell<Option<Late>> = const { RefCell::new(None) });
        on_a_thread(|| {
            LATE.set(Some(Late)); // dropped before or after the arena, depending on registration: both must work
            with_arena(|_| ());
        });
        on_a_thread(|| {
            with_arena(|_| ());
            LATE.set(Some(Late));
        });
    }
}
