//! Errors as values and as panics, at the caller's line.

use maths::prelude::*;
use smooth_test_downstream::{generic, sizes, tuples};
use std::error::Error;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::{Mutex, PoisonError};

static LAST: Mutex<String> = Mutex::new(String::new());

/// The message and the line of the panic of `f`.
fn panic_of<T>(f: impl FnOnce() -> T + std::panic::UnwindSafe) -> (String, u32) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = take_hook();
    set_hook(Box::new(|info| {
        let line = info.location().map_or(0, |l| if l.file() == file!() { l.line() } else { 0 });
        *LAST.lock().unwrap() = format!("{}", line);
    }));
    let caught = catch_unwind(f);
    set_hook(hook);
    let payload = caught.map(drop).unwrap_err();
    let text =
        payload.downcast_ref::<String>().cloned().or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).into()));
    (text.unwrap_or_default(), LAST.lock().unwrap().parse().unwrap())
}

/// Each function panics at its caller's line with the error of its `try_` form.
#[test]
fn panics_at_the_callers_line() {
    let text = generic::dot::try_call(&[1.0, 2.0], &[1.0]).unwrap_err().to_string();
    assert_eq!(text, "dot: argument b has length 1, but n = 2 (from argument a)");
    assert_eq!(panic_of(|| generic::dot(&[1.0, 2.0], &[1.0])), (text.clone(), line!()));
    let into = || generic::dot::into(&[1.0, 2.0], &[1.0], &mut Arena::new());
    assert_eq!(panic_of(into), (text.clone(), line!() - 1));
    assert_eq!(panic_of(|| generic::dot::shape([2], [1])), (text.clone(), line!()));
    assert_eq!(panic_of(|| generic::dot::scratch::<f64>([2], [1])), (text, line!()));
    let negative = sizes::longer::try_shape([1], [2]).unwrap_err().to_string();
    assert_eq!(panic_of(|| sizes::longer(&[1], &[2, 3])), (negative, line!()));
}

/// An index out of range panics at its line in the kernel, as in Rust.
#[test]
fn indices_panic_where_they_are_written() {
    #[smooth(crate = maths)]
    fn at(a: &[f64; n], i: usize) -> f64 {
        a[i] // this line
    }
    let (text, line) = panic_of(|| at(&[1.0, 2.0], 2));
    assert_eq!((text.as_str(), line), ("index out of bounds: the len is 2 but the index is 2", line!() - 3));
}

fn in_a_chain() -> Result<Vec<f64>, Box<dyn Error + Send + Sync>> {
    Ok(tuples::through::try_call(&[1.0], &[])?)
}

#[test]
fn errors_implement_std_error() {
    let error = in_a_chain().unwrap_err();
    let error = error.downcast_ref::<ShapeError>().unwrap();
    assert_eq!(error.kernel(), "through");
    assert!(
        matches!(error, ShapeError::Mismatch { argument: "pairs", axis: 0, found: 0, expected: 1, .. }),
        "{:?}",
        error
    );
    assert_eq!(error.clone(), *error);
}

#[test]
fn too_little_memory_is_an_error() {
    let a = [1.0; 100];
    let need = generic::resized::scratch::<f64, 7>([100]);
    let mut memory = vec![std::mem::MaybeUninit::uninit(); need];
    assert_eq!(generic::resized::scratch::<f32, 7>([100]) < need, need > 0);
    let mut out = [5.0; 7];
    if need > 0 {
        let mut arena = Arena::on(&mut memory[..need - 64]);
        let error = generic::resized::try_into(&mut out, &a, 0.0, &mut arena).unwrap_err();
        assert!(matches!(error, ShapeError::ScratchTooSmall { kernel: "resized", .. }), "{:?}", error);
        assert_eq!(out, [5.0; 7]);
    }
    generic::resized::into(&mut out, &a, 0.0, &mut Arena::on(&mut memory));
    assert_eq!(out, [1.0; 7]);
}

#[test]
fn destinations_of_another_length_are_errors() {
    let mut out = [5.0; 3];
    let error = sizes::convolution::try_into(&mut out, &[1.0], &[1.0], &mut Arena::new()).unwrap_err();
    assert_eq!(error.to_string(), "convolution: destination out has length 3, but the result has length 1");
    assert!(matches!(error, ShapeError::Destination { found: 3, expected: 1, .. }), "{:?}", error);
    assert_eq!(out, [5.0; 3]);
}
