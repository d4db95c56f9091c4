//! Constants that have to be equal, and are not: an error when the crate is compiled.

use smooth::prelude::*;

const WIDTH: usize = 2;
const MORE: usize = 4;

#[smooth]
fn four(a: &[f64; MORE]) -> [f64; MORE] {
    build(MORE, |i| a[i] + 1.0)
}

#[smooth]
fn of_two(a: &[f64; WIDTH]) -> [f64; MORE] {
    four(a)
}

fn main() {}
