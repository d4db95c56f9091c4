//! Calls of something that is not a kernel.

use smooth::prelude::*;
use std::cmp::max;
use std::hint::spin_loop;

fn plain(x: f64) -> f64 {
    x
}

#[smooth]
fn calls_plain(x: f64) -> f64 {
    plain(x)
}

#[smooth]
fn calls_std(a: &[f64; n]) -> f64 {
    std::hint::black_box(a[0])
}

#[smooth]
fn misspelt(x: f64) -> f64 {
    calls_plian(x)
}

#[smooth]
fn passes(a: &[f64; n]) -> f64 {
    sum(n, missing)
}

#[smooth]
fn one_of_two(x: f64) -> f64 {
    good(x) + plain(x)
}

#[smooth]
fn good(x: f64) -> f64 {
    x
}

#[smooth]
fn imported(n: usize) -> usize {
    spin_loop(max(n, 1))
}

#[smooth]
fn elsewhere(x: f64) -> f64 {
    good(x) + util::helper(x) + util::missing(x)
}

#[smooth]
fn in_another_file(x: f64) -> f64 {
    util::deep::helper(x)
}

mod util {
    pub mod deep {
        pub use super::helper;
    }

    pub fn helper(x: f64) -> f64 {
        x
    }
}

#[smooth]
fn of_a_method(x: f64) -> f64 {
    sqrt(x) + dot(x) + f64::new(x) + Vec::new(x) + u8::from(x)
}

fn main() {}
