//! Numbers of tests, and whether they agree.

use smooth::View;

/// Whether two numbers agree as far as differences do.
pub fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-8 * (1.0 + a.abs().max(b.abs()))
}

#[track_caller]
pub fn all_near(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(b).all(|(a, b)| near(*a, *b)), "{a:?} is not {b:?}");
}

pub fn numbers(n: usize, salt: f64) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 1.7 + salt).sin()).collect()
}

pub fn rows(flat: &[f64], k: usize) -> View<'_, f64, 2> {
    View::new(flat, [flat.len() / k, k])
}

pub fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
