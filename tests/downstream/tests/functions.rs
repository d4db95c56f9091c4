//! Higher-order kernels with closures, and closures that panic.

use maths::prelude::*;
use smooth_test_downstream::functions::*;
use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};

fn plain(x: f64) -> f64 {
    x + 1.0
}

#[smooth(crate = maths)]
fn tripled(x: f64) -> f64 {
    3.0 * x
}

#[smooth(crate = maths)]
fn inside(a: &[f64; n], k: f64) -> ([f64; n], f64) {
    (mapped(a, |x| x + k), folded(a, 0.0, |s, x| s.max(x)))
}

#[test]
fn closures_functions_and_kernels_are_arguments() {
    let (calls, k) = (Cell::new(0), 10.0);
    let closure = |x: f64| {
        calls.set(calls.get() + 1);
        x + k
    };
    assert_eq!(mapped(&[1.0, 2.0], closure), [16.0, 16.0]);
    assert_eq!(calls.get(), 2);
    assert_eq!(mapped(&[1.0, 2.0], closure), mapped::reference(&[1.0, 2.0], closure));
    assert_eq!(mapped(&[1.0, 2.0], plain), [7.0, 7.0]);
    assert_eq!(mapped(&[1.0, 2.0], tripled), [14.0, 10.0]);
    let boxed: Box<dyn Fn(f64) -> f64> = Box::new(move |x| x + k);
    assert_eq!(mapped(&[1.0, 2.0], boxed), [16.0, 16.0]);
    assert_eq!(folded(&[1.0f32, 5.0, 2.0], 0.0, f32::max), 5.0);
    let (table, pick) = ([3u8, 4, 5], |x: u8, even: bool| if even { i64::from(x) } else { -i64::from(x) });
    assert_eq!(tabulated(3, |i| table[i], pick), [3, -4, 5]);
    assert_eq!(tabulated::shape(3), [3]);
    assert_eq!(inside(&[1.0, 2.0], 10.0), (vec![16.0, 16.0], 2.0));
}

#[test]
fn a_panic_leaves_everything_usable() {
    let a: Vec<f64> = (0..100).map(f64::from).collect();
    let (mut out, mut arena) = (vec![0.0; 100], Arena::new());
    let want = mapped(&a, plain);
    for stop in 0..100 {
        let calls = Cell::new(0);
        let g = |x| {
            assert!(calls.replace(calls.get() + 1) < stop, "enough");
            x
        };
        let caught = catch_unwind(AssertUnwindSafe(|| mapped::into(&mut out, &a, g, &mut arena)));
        assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"enough"));
        assert!(catch_unwind(AssertUnwindSafe(|| mapped(&a, |_| panic!("at once")))).is_err());
        mapped::into(&mut out, &a, plain, &mut arena);
        assert_eq!(out, want);
        assert_eq!(mapped(&a, plain), want);
    }
}

/// A closure may call kernels, including the one that it is passed to.
#[test]
fn closures_call_kernels() {
    let nested = |x| mapped(&[x], |y| mapped(&[y, y], plain)[0])[0];
    let g = |x: f64| {
        let y = 2.0 * x;
        4.0 * y + 1.0 + y
    };
    assert_eq!(mapped(&[1.0, 2.0], nested), mapped(&[1.0, 2.0], g));
}
