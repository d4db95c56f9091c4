//! A kernel in a benchmark.
#![deny(warnings, missing_docs, unsafe_code)]

use maths::prelude::*;

#[smooth(crate = maths)]
fn total(a: &[f64; n]) -> f64 {
    let twice = smooth_test_downstream::functions::mapped(a, |x| 2.0 * x);
    sum(n, |i| twice[i])
}

fn main() {
    let start = std::time::Instant::now();
    println!("{} in {:?}", total(&[1.0; 1000]), start.elapsed());
}
