//! Rust outside the language, construct by construct.

use smooth::prelude::*;

#[smooth]
fn expressions(x: f64, k: usize) -> f64 {
    let a = match k {
        Some(y) => 1.0,
        _ => x,
    };
    let b = vec![x, x];
    let c = Point { x, y: x };
    let d = x.parse()?;
    let e = unsafe { x };
    let f = async { x };
    let g = x.norm;
    let h = k & 1.5;
    let i = k << 2.0;
    let j = const { 1.0 };
    let l = 0..k;
    let m = &raw const x;
    let o = "text";
    let p = x as f16;
    let r = <f64 as Default>::default();
    let s = x.sqrt::<f64>();
    x
}

#[smooth]
fn found_with_the_types(x: f64) -> f64 {
    let a = x.hypotenuse(x);
    let b = [];
    x
}

#[smooth]
fn branches(x: f64) -> f64 {
    let a = if x > 0.0 { 1.0 };
    let b = if let 0.0 = x { 1.0 } else { 2.0 };
    let Some(c) = x else { 1.0 };
    x
}

#[smooth]
fn patterns(a: &[f64; 3]) -> f64 {
    let [x, .., z] = a;
    let Point { x, y } = a;
    let ref r = a;
    let w @ v = a;
    x
}

#[smooth]
fn statements(x: f64) -> f64 {
    println!("{x}");
    x + 1.0;
    (x, 1.0);
    fn helper() {}
    static K: f64 = 1.0;
    use std::f64;
    x
}

#[smooth]
fn nothing(x: f64) -> f64 {}

#[smooth]
fn thrown_away(x: f64) -> f64 {
    x + 1.0;
}

#[smooth]
fn attributes(#[allow(unused)] x: f64) -> f64 {
    #[allow(unused)]
    let y = x;
    #[inline]
    x
}

fn main() {}
