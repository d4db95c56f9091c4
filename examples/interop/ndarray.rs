//! A kernel on ndarray's arrays: `cargo run -p smooth-test-interop --example ndarray`.
//!
//! In your own crate: `smooth-dsl = { version = "0.1", features = ["ndarray-017"] }`.
use ndarray::{Array2, ArrayView, Axis, array};
use smooth::prelude::*;

/// The distance of each row of `a` from each row of `b`, squared.
#[smooth]
fn distances(a: &[[f64; k]; n], b: &[[f64; k]; m]) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        sum(k, |l| {
            let d = a[i][l] - b[j][l];
            d * d
        })
    })
}

fn main() {
    let points: Array2<f64> = array![[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]];
    let origin: Array2<f64> = array![[0.0, 0.0]];

    // Arguments are borrowed; a result becomes an ndarray array without a copy.
    let squared: Array2<f64> = distances(&points, &origin).into();
    println!("from the origin:   {}", squared.mapv(f64::sqrt).column(0));

    // An ndarray array as a destination.
    let mut all = Array2::zeros((3, 3));
    distances::into(&mut all, &points, points.view(), &mut Arena::new());
    println!("farthest of each:  {}", all.map_axis(Axis(1), |row| row.fold(0.0, |x, y| f64::max(x, y.sqrt()))));

    // A transpose is column-major, so a row-major parameter takes a copy.
    let transposed = points.t();
    let result = distances(&Array::from(&transposed), &Array::from(&transposed));
    println!("between the axes:  {}", ArrayView::from(&result)[[0, 1]].sqrt());
}
