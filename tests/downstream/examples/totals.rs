//! A kernel in an example.
#![deny(warnings, missing_docs, unsafe_code)]

use maths::prelude::*;
use smooth_test_downstream::{shifted, sizes::row_totals};

shifted!(shifted_rows, 2, f32, y => -y);

/// The mean of the totals of the rows.
#[smooth(crate = maths)]
fn mean_total(rows: &[[f64; 3]; n]) -> f64 {
    let totals = row_totals(rows);
    sum(n, |i| totals[i]) / n as f64
}

fn main() {
    println!("{} {:?}", mean_total(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), shifted_rows(&[1.0, 2.0], 0.5));
}
