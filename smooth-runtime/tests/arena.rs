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
            assert_eq!(arena.peak(), announced(payload));
        }
    }
}

#[test]
fn one_byte_less_is_an_error_with_both_numbers() {
    let mut buffer = [MaybeUninit::uninit(); 126];
    let mut arena = Arena::on(&mut buffer);
    let error = arena.frame("f", 127).unwrap_err();
    assert_eq!(error, ShapeError::Scratch { kernel: "f", needed: 127, available: 126 });
    assert_eq!((arena.capacity(), arena.peak()), (126, 0));
}

#[test]
fn an_empty_frame_needs_no_memory() {
    let mut arena = Arena::on(&mut []);
    assert!(arena.frame("f", 0).unwrap().is_empty());
    assert_eq!(format!("{arena:?}"), "Arena { capacity: 0, peak: 0 }");
}

#[test]
fn the_peak_is_the_largest_frame() {
    let mut buffer = [MaybeUninit::uninit(); 1000];
    let mut arena = Arena::on(&mut buffer);
    for (bytes, peak) in [(127, 127), (511, 511), (63, 511)] {
        arena.frame("f", bytes).unwrap();
        assert_eq!(arena.peak(), peak);
    }
}

#[cfg(feature = "alloc")]
mod owned {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn grows_between_calls_at_least_twofold() {
        const EMPTY: Arena<'static> = Arena::new();
        let mut arena = EMPTY;
        assert_eq!(arena.capacity(), 0);
        assert_eq!(arena.frame("f", 1087).unwrap().len(), 1024);
        assert_eq!(arena.capacity(), 1087);
        arena.frame("f", 1151).unwrap();
        assert_eq!(arena.capacity(), 2 * 1087);
        arena.frame("f", 63).unwrap();
        assert_eq!((arena.capacity(), arena.peak()), (2 * 1087, 1151));
        assert!(Arena::with_capacity(100).capacity() >= 100);
    }

    #[test]
    fn a_failed_allocation_is_an_error_and_keeps_the_block() {
        let mut arena = Arena::with_capacity(127);
        let needed = usize::MAX;
        let error = arena.frame("f", needed).unwrap_err();
        let available = arena.capacity();
        assert_eq!(error, ShapeError::Scratch { kernel: "f", needed, available });
        assert!(available >= 127);
        assert!(arena.frame("f", 127).is_ok());
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
            assert_eq!(with_arena(|arena| arena.capacity()), 127);
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
            assert_eq!(with_arena(|arena| arena.capacity()), 127);
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
            assert_eq!(with_arena(|arena| arena.capacity()), 127);
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
