//! Panics are reported at the caller's line.
use core::cell::Cell;
use smooth_runtime::{ShapeError, View, ViewMut, private};
use std::panic::{catch_unwind, set_hook, take_hook};

std::thread_local!(static LINE: Cell<u32> = const { Cell::new(0) });

#[test]
fn panics_are_reported_at_the_callers_line() {
    let hook = take_hook();
    set_hook(Box::new(|info| {
        let place = info.location().unwrap();
        let ours = place.file() == file!();
        LINE.set(if ours { place.line() } else { 0 });
    }));
    let mut lines = Vec::new();
    macro_rules! call {
        ($call:expr) => {
            let call = || {
                $call;
            };
            assert!(catch_unwind(call).is_err());
            lines.push((stringify!($call), LINE.take(), line!()));
        };
    }
    let error = ShapeError::Overflow { kernel: "f", size: "n" };
    call!(error.raise());
    call!(View::new(&[1], [2]));
    call!(ViewMut::new(&mut [1], [2]));
    call!(View::column_major(&[1], [2]));
    call!(ViewMut::column_major(&mut [1], [2]));
    call!(View::new(&[1], [1])[[1]]);
    call!(View::column_major(&[1], [1, 1])[[0, 1]]);
    call!(View::new(&[1], [1, 1])[1][0]);
    call!(View::new(&[1], [1, 1]).at(1));
    call!(ViewMut::new(&mut [1], [1])[[1]] = 2);
    call!(private::index(1, 1));
    call!(private::range(1, 3, 2));
    #[cfg(feature = "alloc")]
    {
        use smooth_runtime::Array;
        call!(private::reference::slice(&[1], 0..2));
        call!(Array::from_vec(vec![1], [2]));
        call!(Array::column_major(vec![1], [2]));
        call!(Array::from_elem([usize::MAX, 2], 0));
        call!(Array::from_vec(vec![1], [1, 1]).at(1));
    }
    set_hook(hook);
    for (call, found, expected) in lines {
        assert_eq!(found, expected, "{call}");
    }
}
