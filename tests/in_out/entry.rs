//! The entry: errors before anything is written, panics in the middle, types at the boundary.

use super::kernels::*;
use smooth::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[smooth]
fn guarded(at: usize, y: &mut [f64; n]) {
    for i in 0..n {
        y[i] = 1.0;
    }
    y[at] = 2.0;
}

/// Computes in a temporary first.
#[smooth]
fn smoothed(y: &mut [f64; n], at: usize) -> f64 {
    let old = build(n, |i| 0.5 * (y[i] + y[n - 1 - i]));
    y.copy_from_slice(&old);
    old[at]
}

#[test]
fn a_failed_call_changes_nothing() {
    let (x, mut y) = ([1.0, 2.0], [1.0, 2.0, 3.0]);
    let error = axpy::try_into(1.0, &x, &mut y, &mut Arena::new()).unwrap_err();
    assert_eq!(error.to_string(), "axpy: argument y has length 3, but n = 2 (from argument x)");
    assert_eq!(y, [1.0, 2.0, 3.0]);
    assert!(axpy::try_call(1.0, &x, &mut y).is_err());
    assert_eq!(y, [1.0, 2.0, 3.0]);
    let mut out = [0.0; 2];
    assert!(replaced::try_into(&mut out, &[1.0; 3], &mut y, &mut Arena::new()).is_err());
    assert_eq!((out, y), ([0.0; 2], [1.0, 2.0, 3.0]));
    let mut m = Array::from_vec(vec![1.0; 6], [2, 3]);
    assert!(transpose::try_into(&mut m, &mut Arena::new()).is_err());
    assert_eq!(m.as_slice(), [1.0; 6]);
}

#[test]
fn an_arena_that_is_too_small_changes_nothing() {
    let mut y = [1.0, 5.0, 9.0];
    let error = smoothed::try_into(&mut y, 0, &mut Arena::on(&mut [])).map(|_| ());
    if smoothed::scratch([3], 0) > 0 {
        assert!(error.is_err());
        assert_eq!(y, [1.0, 5.0, 9.0]);
    }
    assert_eq!(smoothed(&mut y, 1), 5.0);
    assert_eq!(y, [5.0, 5.0, 5.0]);
}

#[test]
fn after_a_panic_the_argument_is_full_of_numbers() {
    let mut y = vec![5.0; 4];
    let mut arena = Arena::new();
    catch_unwind(AssertUnwindSafe(|| guarded::into(9, &mut y, &mut arena))).unwrap_err();
    assert!(y.iter().all(|y| *y == 1.0 || *y == 5.0), "{y:?}");
    guarded::into(0, &mut y, &mut arena);
    assert_eq!(y, [2.0, 1.0, 1.0, 1.0]);
}

#[test]
fn each_owner_of_memory_is_an_argument() {
    let mut array = [1.0, 2.0];
    axpy(1.0, &[1.0, 1.0], &mut array);
    let mut vec = vec![1.0, 2.0];
    axpy(1.0, &[1.0, 1.0], &mut vec);
    axpy(1.0, &[1.0], &mut vec[1..]);
    let mut boxed: Box<[f64]> = vec![1.0, 2.0].into();
    axpy(1.0, &[1.0, 1.0], &mut boxed);
    assert_eq!((array, &vec[..], &boxed[..]), ([2.0, 3.0], &[2.0, 4.0][..], &[2.0, 3.0][..]));
    axpy::reference(1.0, &[1.0, 1.0], &mut vec);
    axpy::reference(1.0, &[1.0, 1.0], &mut array);
    axpy::reference(1.0, &[1.0], &mut vec[..1]);
    assert_eq!((array, &vec[..]), ([3.0, 4.0], &[4.0, 5.0][..]));
}

#[test]
fn shapes_count_what_is_updated() {
    assert_eq!(axpy::try_shape([2], [2]), Ok(()));
    assert!(axpy::try_shape([2], [3]).is_err());
    assert_eq!(replaced::shape([3], [3]), ([], [3]));
    const NONE: usize = cross::scratch();
    assert_eq!(NONE, 0);
}
