//! A kernel on nalgebra's vectors and matrices: `cargo run -p smooth-test-interop --example nalgebra`.
//!
//! In a crate of yours: `smooth-dsl = { version = "0.1", features = ["nalgebra-035"] }`.
use nalgebra::{DMatrix, Vector3};
use smooth::prelude::*;

/// The quadratic form `x m x`.
#[smooth]
fn energy(m: &[[f64; n]; n], x: &[f64; n]) -> f64 {
    sum(n, |i| x[i] * sum(n, |j| m[i][j] * x[j]))
}

/// `m`, with each row divided by its sum.
#[smooth]
fn stochastic(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    build([n, k], |i, j| m[i][j] / sum(k, |l| m[i][l]))
}

fn main() {
    // Vectors are slices. nalgebra's matrices are column-major: to a row-major parameter, pass a copy in that order.
    let m = DMatrix::from_row_slice(3, 3, &[2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0]);
    let x = Vector3::new(1.0, 2.0, 3.0);
    println!("energy: {}", energy(&Array::from(&m), x.as_slice()));
    assert_eq!(energy(&Array::from(&m), x.as_slice()), (x.transpose() * &m * x)[0]);

    // The result, as nalgebra has it.
    let p = DMatrix::from(&stochastic(&Array::from(&m)));
    println!("rows that add up to one: {p}");
    assert!(p.column_sum().iter().all(|sum| (sum - 1.0).abs() < 1e-15));
}
