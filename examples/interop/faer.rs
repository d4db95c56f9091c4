//! A kernel between operations of faer: `cargo run -p smooth-test-interop --example faer`.
//!
//! In your own crate: `smooth-dsl = { version = "0.1", features = ["faer-024"] }`.
use faer::{Mat, MatRef};
use smooth::prelude::*;

/// `exp(-|x - y|²)` for every two rows `x` and `y` of `points`.
#[smooth]
fn kernel_matrix(points: &[[f64; k]; n]) -> [[f64; n]; n] {
    build([n, n], |i, j| {
        let squared = sum(k, |l| {
            let d = points[i][l] - points[j][l];
            d * d
        });
        (-squared).exp()
    })
}

fn main() {
    let points = Mat::from_fn(4, 2, |i, j| (i * i + j) as f64 / 4.0);
    // faer pads columns, so this is a copy without padding.
    let k = kernel_matrix(&Array::from(&points));
    // faer works on the memory of the result.
    let k = MatRef::from(&k);
    let square = k * k;
    println!("K = {k:?}\nK² = {square:?}");
    assert!((0..4).all(|i| k[(i, i)] == 1.0 && square[(i, i)] > 1.0));
}
