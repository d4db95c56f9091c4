//! The code that the tests with other libraries share: kernels of either layout, and the location of a panic.
use smooth::prelude::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `x m`
#[smooth]
pub fn scaled(m: &[[f64; k]; n], x: f64) -> [[f64; k]; n] {
    build([n, k], |i, j| m[i][j] * x)
}

/// `m v`
#[smooth]
pub fn mat_vec(m: &[[f64; k]; n], v: &[f64; k]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * v[j]))
}

/// [`scaled`], with a column-major argument and destination.
#[smooth(column_major(m, out))]
pub fn scaled_columns(m: &[[f64; k]; n], x: f64) -> [[f64; k]; n] {
    build([n, k], |i, j| m[i][j] * x)
}

/// [`mat_vec`], with a column-major argument.
#[smooth(column_major(m))]
pub fn columns_vec(m: &[[f64; k]; n], v: &[f64; k]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * v[j]))
}

/// [`mat_vec`], with a strided argument.
#[smooth(strided(m))]
pub fn strided_vec(m: &[[f64; k]; n], v: &[f64; k]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * v[j]))
}

/// The rows of a column-major argument.
#[track_caller]
pub fn rows_of<'a, T: Copy + 'a>(m: impl Into<View<'a, T, 2, ColumnMajor>>) -> Vec<Vec<T>> {
    m.into().to_row_major().to_nested()
}

/// Writes `10 i + j` at `[i, j]` of a column-major destination.
#[track_caller]
pub fn number<'a>(m: impl Into<ViewMut<'a, f64, 2, ColumnMajor>>) {
    let mut m = m.into();
    let [rows, columns] = m.shape();
    for i in 0..rows {
        for j in 0..columns {
            m[[i, j]] = (10 * i + j) as f64;
        }
    }
}

thread_local!(static REPORT: RefCell<Option<(String, String, u32)>> = const { RefCell::new(None) });

/// The message, file and line of the panic of `run`.
///
/// # Panics
/// If `run` does not panic.
pub fn panic_of<X>(run: impl FnOnce() -> X) -> (String, String, u32) {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let at = info.location().expect("a panic has a location");
            let text = info.payload_as_str().unwrap_or("no text").to_string();
            eprintln!("{at}: {text}");
            REPORT.set(Some((text, at.file().into(), at.line())));
        }));
    });
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "a panic was expected");
    REPORT.take().expect("the hook has run")
}

/// Asserts that `$e` panics with `$text` and that the panic is reported at this line.
#[macro_export]
macro_rules! panics_here {
    ($e:expr, $text:expr) => {
        assert_eq!($crate::panic_of(|| $e), ($text.to_string(), file!().to_string(), line!()))
    };
}
