//! A kernel on nalgebra's vectors and matrices: `cargo run -p smooth-test-interop --example nalgebra`.
//!
//! In your own crate: `smooth-dsl = { version = "0.1", features = ["nalgebra-035"] }`.
use nalgebra::{DMatrix, Matrix3, Vector3};
use smooth::prelude::*;

/// The quadratic form `x m x` of a column-major matrix, the layout of nalgebra.
#[smooth(column_major(m))]
fn energy(m: &[[f64; n]; n], x: &[f64; n]) -> f64 {
    sum(n, |j| x[j] * sum(n, |i| m[i][j] * x[i]))
}

/// `m`, with each row divided by its sum.
#[smooth(column_major(m, out))]
fn stochastic(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    build([n, k], |i, j| m[i][j] / sum(k, |l| m[i][l]))
}

/// The same for a row-major parameter.
#[smooth]
fn trace(m: &[[f64; n]; n]) -> f64 {
    sum(n, |i| m[i][i])
}

fn main() {
    // Vectors are slices; a matrix is borrowed if the parameter is declared column-major.
    let m = DMatrix::from_row_slice(3, 3, &[2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0]);
    let x = Vector3::new(1.0, 2.0, 3.0);
    println!("energy: {}", energy(&m, x.as_slice()));
    assert_eq!(energy(&m, x.as_slice()), (x.transpose() * &m * x)[0]);

    // A result becomes a matrix without a copy, and a matrix can be a destination.
    let p: DMatrix<f64> = stochastic(&m).into();
    println!("rows that add up to one: {p}");
    assert!(p.column_sum().iter().all(|sum| (sum - 1.0).abs() < 1e-15));
    let mut out = Matrix3::zeros();
    stochastic::into(&mut out, &m, &mut Arena::new());
    assert_eq!(out, p);

    // A row-major parameter takes a row-major copy.
    println!("trace: {}", trace(&Array::from(&m)));
}
