//! The library that is written in the language: `random`, `scan`, `sort`, `array`, `statistics` and `convolution`, against
//! plain Rust, on arrays of no, one and many elements; called from Rust and by kernels.
#![allow(clippy::float_cmp, reason = "the bits are the subject")]

#[path = "library/array.rs"]
mod array;
#[path = "library/convolution.rs"]
mod convolution;
#[path = "heap/mod.rs"]
mod heap;
#[path = "library/random.rs"]
mod random;
#[path = "library/scan.rs"]
mod scan;
#[path = "library/sort.rs"]
mod sort;
#[path = "library/statistics.rs"]
mod statistics;

/// Lengths: 0, 1, around the sixteen elements that are sorted by insertion, and several merges.
const LENGTHS: [usize; 9] = [0, 1, 2, 15, 16, 17, 33, 100, 1000];

/// `n` numbers. Every third one is repeated elsewhere; some are NaN, infinite or zeros with a sign.
fn numbers(n: usize, mut seed: u64) -> Vec<f64> {
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0];
    let number = |k: usize, x: usize| match k % 8 {
        0 => special[x % 5],
        1..=3 => (x % 10) as f64,
        _ => x as f64 / 1e6 - 1000.0,
    };
    (0..n).map(|_| number(next(), next())).collect()
}

fn bits(a: &[f64]) -> Vec<u64> {
    a.iter().map(|x| x.to_bits()).collect()
}
