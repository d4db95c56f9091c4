//! Mismatched types.

use smooth::prelude::*;

#[smooth]
fn operators(a: &[f64; n], x: f64, k: usize, c: bool) -> f64 {
    let p = x + k;
    let q = a + a;
    let r = c + 1.0;
    let s = x && c;
    let t = !x;
    let u = x == k;
    let v = -k;
    let w = x % c;
    x * 2
}

#[smooth]
fn indices(a: &[f64; n], x: f64) -> f64 {
    let b = a[x];
    let c = a[0.0];
    let d = x[0];
    let e = a[0][0];
    let f = &a[x..];
    let g = x.len();
    let h = build(x, |i| 0.0);
    let i = sum(2.5, |i| 0.0);
    0.0
}

#[smooth]
fn inclusive(a: &[f64; n]) -> f64 {
    let b = &a[0..=1];
    b[0]
}

#[smooth]
fn values(a: &[f64; n], x: f64, k: usize) -> f64 {
    let b: f64 = k;
    let c: usize = x;
    let (d, e) = x;
    let (f, g) = (1.0, 2.0, 3.0);
    let h = (1.0, 2.0).2;
    let i = [x, k];
    let j = if x { 1.0 } else { 2.0 };
    let l = if k > 0 { x } else { k };
    let m = a as usize;
    let o = sum(n, |i| i);
    let p = k.sqrt();
    let q = a.sqrt();
    let r = x.max(k);
    0.0
}

#[smooth]
fn result(a: &[f64; n]) -> f64 {
    n
}

#[smooth]
fn whole(a: &[f64; n]) -> f64 {
    a
}

#[smooth]
fn apply(g: impl Fn(f64) -> f64, x: f64) -> f64 {
    g(x)
}

#[smooth]
fn arguments(a: &[f64; n], k: usize) -> f64 {
    let b = apply(|x| x, a);
    let c = apply(1.0, 2.0);
    let d = apply(|x| k, 2.0);
    let e = apply(|x, y| x, 2.0);
    let f = |x: f64| x;
    f(k)
}

fn main() {}
