//! A public kernel can be inlined together with the private helpers and constants of its crate, and each name keeps its
//! meaning.

use super::*;
use smooth_test_kernels::layers::{affine, affine_all, affine_called, below, first_steps};

/// Has the name of a constant of the other crate; each kernel uses its own.
const GAIN: f64 = 100.0;

#[smooth]
fn gained(x: f64) -> f64 {
    GAIN + affine(x)
}

#[smooth]
fn everything(x: &[f64; n]) -> [f64; n] {
    let a = affine_all(x);
    let b = affine_called(x);
    build(n, |i| a[i] + b[i] + below::affine_twice(x[i]) + first_steps(x[i]) + gained(0.0))
}

#[test]
fn helpers_and_constants_behind_a_public_kernel() {
    assert_eq!(affine(2.0), 6.5);
    assert_eq!(gained(2.0), 106.5);
    assert_eq!(affine_called(&[1.0, 2.0]), [6.5, 3.5]);
    assert_eq!(first_steps(1.0), 10.0);
    let x = [1.0, -2.0, 4.0];
    let by_hand = |i: usize| {
        let affine = |x: f64| 3.0 * x + 0.5;
        affine(x[i]) + affine(x[2 - i]) + 2.0 * affine(x[i]) + 4.0 * x[i] + 6.0 + 100.5
    };
    assert_eq!(everything(&x), [by_hand(0), by_hand(1), by_hand(2)]);
    assert_eq!(everything(&x), everything::reference(&x));
}

struct Unit;
impl Unit {
    const METRE: f64 = 100.0;
}
mod units {
    pub(super) const INCH: f64 = 2.54;
    pub(super) const PAIR: usize = 2;
    pub(super) const YES: bool = true;
    pub(super) static FOOT: f64 = 30.48;
}

#[smooth]
fn constants(x: f64) -> f64 {
    let inches = if units::YES { x * units::INCH } else { 0.0 };
    inches + Unit::METRE + std::f64::consts::PI + f64::EPSILON + sum(units::PAIR, |i| i as f64)
}

#[smooth]
fn constants_inlined(x: f64) -> f64 {
    constants(x) + 1.0
}

#[test]
fn constants_by_any_path() {
    let by_hand = 2.0 * 2.54 + 100.0 + std::f64::consts::PI + f64::EPSILON + 1.0;
    assert_eq!(constants(2.0), by_hand);
    assert_eq!(constants_inlined(2.0), by_hand + 1.0);
    assert_eq!(units::FOOT, 30.48);
}
