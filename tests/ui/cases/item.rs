//! `#[smooth]` on something that is not a function.

use smooth::prelude::*;

#[smooth]
struct Model {
    x: f64,
}

#[smooth]
const K: f64 = 1.0;

#[smooth]
mod kernels {}

fn main() {}
