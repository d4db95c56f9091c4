//! The kernels of `smooth::linalg`, `statistics` and `convolution` against nalgebra, at sizes from 3 to 64, and
//! factorisations up to 512. `cargo bench --bench linalg`; results in `benches/README.md`.
//!
//! Matrices of 3 and 4 rows have static sizes on both sides (`small.rs`), larger ones do not (`large.rs`). Results are compared
//! before anything is timed. Words after `--` select rows.

#[path = "../inputs.rs"]
mod inputs;
mod large;
mod others;
mod small;
#[path = "../timing.rs"]
mod timing;

use std::time::Duration;
use timing::{fastest, text, timed, wanted};

/// Times both functions alternately, and prints a row, if the results are the same.
fn row(name: &str, same: bool, smooth: impl FnMut(), nalgebra: impl FnMut()) {
    assert!(same, "{name}: the results differ; it will not be timed");
    if wanted(name) {
        let times = fastest(&mut [timed(smooth), timed(nalgebra)], Duration::from_millis(200));
        println!("| {name} | {} | {} | {:.2} |", text(times[0]), text(times[1]), times[0] / times[1]);
    }
}

/// Whether numbers are the same but for their last digits.
fn near<'a>(a: impl IntoIterator<Item = &'a f64>, b: impl IntoIterator<Item = &'a f64>) -> bool {
    let (a, b): (Vec<_>, Vec<_>) = (a.into_iter().collect(), b.into_iter().collect());
    a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| (**x - **y).abs() <= 1e-9 * (1.0 + y.abs()))
}

/// `n` numbers between -1 and 1.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    inputs::numbers(n, seed).iter().map(|x| 2.0 * x - 1.0).collect()
}

fn main() {
    println!("| | smooth | nalgebra | smooth / nalgebra |\n|---|---:|---:|---:|");
    small::three();
    small::four();
    for n in [8, 16, 32, 64] {
        large::rows(n);
    }
    [128, 256, 512].into_iter().for_each(large::factors);
    others::rotations();
    for n in [8, 16, 32, 64] {
        others::vectors(n);
    }
}
