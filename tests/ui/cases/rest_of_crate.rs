//! The rest of the crate is checked although a kernel is rejected.

use smooth::prelude::*;

#[smooth]
fn rejected(a: &[f64; n], m: &[[f64; k]; n], g: impl Fn(f64) -> f64) -> [f64; n] {
    unknown
}

#[smooth]
fn calls_rejected(a: &[f64; n], m: &[[f64; k]; n]) -> [f64; n] {
    rejected(a, m, |x| x)
}

fn right() -> Vec<f64> {
    rejected(&[1.0], &[[2.0]], |x| x + 1.0)
}

fn also_right() -> Vec<f64> {
    let mut out = [0.0];
    rejected::into(&mut out, &[1.0], &[[2.0]], |x| x + 1.0, &mut Arena::new());
    calls_rejected(&[1.0], &[[2.0]])
}

#[smooth(column_major(m, out))]
fn rejected_by_columns(m: &[[f64; 3]; 2], s: f64) -> [[f64; 2]; 3] {
    unknown
}

fn right_by_columns() -> Array<f64, 2, ColumnMajor> {
    rejected_by_columns(View::column_major(&[0.0; 6], [2, 3]), 1.0)
}

#[smooth(strided(m, x))]
fn rejected_strided(m: &[[f64; 3]; 2], x: &[f64; n]) -> f64 {
    unknown
}

fn right_strided() -> f64 {
    let v = StridedView::new(&[0.0; 7], 1, [2, 3], [3, 1]);
    rejected_strided(v, v.slice(1, ..1).to_array().as_slice())
}

fn wrong() -> bool {
    rejected(1.0, &[[2.0]], |x| x + 1.0)
}

fn also_wrong() -> u8 {
    true
}

fn main() {}
