//! Signatures that a kernel cannot have.

use smooth::prelude::*;

#[smooth]
fn no_result(x: f64) {
    x;
}

#[smooth]
fn generic<T, U: Real + Clone + Default, const N: u32>(x: T) -> T {
    x
}

#[smooth]
fn lifetimes<'a>(x: &'a [f64; n]) -> f64 {
    x[0]
}

#[smooth]
fn bounded(x: f64) -> f64
where
    f64: Copy,
{
    x
}

#[smooth]
async fn asynchronous(x: f64) -> f64 {
    x
}

#[smooth]
const fn constant(x: f64) -> f64 {
    x
}

#[smooth]
unsafe fn not_safe(x: f64) -> f64 {
    x
}

#[smooth]
extern "C" fn foreign(x: f64) -> f64 {
    x
}

#[smooth]
fn types(a: i128, b: String, c: &str, d: Vec<f64>, e: Option<f64>, f: &dyn Fn(f64) -> f64, g: fn(f64) -> f64) -> u128 {
    a
}

#[smooth]
fn bounds(g: impl FnMut(f64) -> f64, h: impl Iterator<Item = f64>, i: impl Fn(f64)) -> f64 {
    0.0
}

#[smooth]
fn patterns((a, b): (f64, f64), _: f64, [c, d]: [f64; 2], (e, ..): (f64, f64)) -> f64 {
    a
}

#[smooth]
fn parts((a, b): (f64, f64, f64), (c, d): &[f64; n], (e, e): (f64, f64), (_, x): (usize, &[f64; x])) -> f64 {
    a + c + e
}

#[smooth]
fn tuple(p: &(f64, f64), q: ()) -> f64 {
    p.0
}

#[smooth]
fn twice(x: f64, x: f64) -> f64 {
    x
}

#[smooth]
fn lengths(a: &[f64; n + 1], b: &[f64; SIZE], c: &[f64; x], x: f64, d: &[f64; -1], e: &[f64; 2.0]) -> f64 {
    a[0]
}

#[smooth]
fn elements(a: &[(); n], b: &[impl Fn(f64) -> f64; n]) -> f64 {
    0.0
}

fn main() {}
