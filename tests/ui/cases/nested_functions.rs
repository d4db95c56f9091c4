//! The types of function parameters: rejected types are not repeated in the stub.

use smooth::prelude::*;

#[smooth]
fn takes_a_function(f: impl Fn(impl Fn(f64) -> f64) -> f64) -> f64 {
    1.0
}

#[smooth]
fn returns_a_function(f: impl Fn(f64) -> impl Fn(f64) -> f64) -> f64 {
    1.0
}

#[smooth]
fn changes(f: impl FnMut(f64) -> f64) -> f64 {
    f(1.0)
}

#[smooth]
fn dynamic(f: &dyn Fn(f64) -> f64) -> f64 {
    f(1.0)
}

#[smooth]
fn pointer(f: fn(f64) -> f64) -> f64 {
    f(1.0)
}

#[smooth]
fn without_a_result(f: impl Fn(f64)) -> f64 {
    f(1.0)
}

#[smooth]
fn iterator(f: impl Iterator<Item = f64>) -> f64 {
    f.sum()
}

#[smooth]
fn in_a_tuple(t: (impl Fn(f64) -> f64, f64)) -> f64 {
    t.1
}

#[smooth]
fn in_an_array(t: &[impl Fn(f64) -> f64; n]) -> f64 {
    1.0
}

#[smooth]
fn returned(x: f64) -> impl Fn(f64) -> f64 {
    |y| x + y
}

fn main() {}
