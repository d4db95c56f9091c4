//! Time per element while the arrays grow from 10 to a million elements: what a call costs, and what leaving a cache does.
//! `cargo bench --bench growth`; results in `benches/README.md`. Words after `--` select kernels.

#[expect(dead_code, reason = "times are printed for each element")]
mod timing;

use smooth::prelude::*;
use std::hint::black_box as bb;
use std::time::Duration;
use timing::{fastest, timed, wanted};

/// A sum of three arrays.
#[smooth]
fn add3(a: &[f64; n], b: &[f64; n], c: &[f64; n]) -> [f64; n] {
    build(n, |i| a[i] + b[i] + c[i])
}

/// A smoothing step that keeps the ends.
#[smooth]
fn stencil(a: &[f64; n]) -> [f64; n] {
    build(n, |i| if i == 0 || i + 1 == n { a[i] } else { 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1] })
}

/// The sum of each row of ten.
#[smooth]
fn rows(a: &[[f64; 10]; n]) -> [f64; n] {
    build(n, |i| sum(10, |j| a[i][j]))
}

/// The number of occurrences of each of 256 values.
#[smooth]
fn histogram(values: &[u8; n], count: &mut [u32; 256]) {
    for x in values.iter() {
        count[*x as usize] += 1;
    }
}

fn main() {
    let sizes = (1..=6).map(|d| 10_usize.pow(d));
    println!("| ns per element | {} |", sizes.clone().map(|n| n.to_string()).collect::<Vec<_>>().join(" | "));
    println!("|---{}|", "|---:".repeat(6));
    for name in ["add3", "stencil", "rows", "histogram"].into_iter().filter(|name| wanted(name)) {
        let times: Vec<String> = sizes.clone().map(|n| format!("{:.3}", per_element(name, n))).collect();
        println!("| {name} | {} |", times.join(" | "));
    }
}

/// Nanoseconds per element that is read: of one array, where there are several.
fn per_element(name: &str, n: usize) -> f64 {
    let numbers: Vec<f64> = (0..n).map(|i| ((i * 37) % 101) as f64 / 40.0).collect();
    let bytes: Vec<u8> = (0..n).map(|i| ((i * 2_654_435_761) >> 7) as u8).collect();
    let (mut out, mut count, mut arena) = (vec![0.0; n], [0; 256], Arena::new());
    let (a, b, c) = (&numbers, &numbers.clone(), &numbers.clone());
    let run = match name {
        "add3" => timed(|| add3::into(&mut out, bb(a), bb(b), bb(c), &mut arena)),
        "stencil" => timed(|| stencil::into(&mut out, bb(a), &mut arena)),
        "rows" => timed(|| rows::into(&mut out[..n / 10], bb(a.as_chunks().0), &mut arena)),
        _ => timed(|| histogram(bb(&bytes), bb(&mut count))),
    };
    fastest(&mut [run], Duration::from_millis(200))[0] / n as f64
}
