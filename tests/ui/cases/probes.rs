//! `dbg!` and assertions: what cannot be shown or checked.

use smooth::prelude::*;

#[smooth(checks = "all")]
fn functions(x: f64, f: impl Fn(f64) -> f64) -> f64 {
    dbg!(f);
    assert!(f(x) > 0.0, "{f:?} of {x}");
    x
}

#[smooth]
fn written(x: f64, a: &[f64; n]) -> f64 {
    assert!(x > 0.0 "x is negative");
    assert_eq!(x);
    assert!(x);
    assert!(x < y, "{z}");
    eprintln!("{x}");
    x
}

/// Errors of rustc: in the reference, in ordinary builds.
#[smooth]
fn formatted(x: f64, a: &[f64; n]) -> f64 {
    assert!(n > 0, "{a} has no element");
    assert!(x > 0.0, "{} {}", x);
    x
}

fn main() {}
