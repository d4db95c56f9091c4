//! `#[smooth]` twice: one error each, on the second one.

use smooth::prelude::*;

#[smooth]
#[smooth]
fn plain(x: f64) -> f64 {
    x
}

#[smooth(explain)]
#[inline]
#[smooth]
fn with_options(x: &[f64; n]) -> [f64; n] {
    build(n, |i| x[i])
}

/// Documented.
#[smooth::smooth]
#[smooth::smooth(float = "strict", parallel)]
fn by_path<T: Real>(x: T) -> T {
    x
}

/// Other errors are reported, too.
#[smooth]
#[smooth]
fn wrong(x: f64) -> f64 {
    x + y
}

#[smooth]
fn caller(x: f64) -> f64 {
    plain(x) + by_path(x)
}

fn main() {
    let _: Vec<f64> = with_options(&[1.0, caller(2.0)]);
}
