//! Comparison of numbers up to rounding.

#[track_caller]
pub fn near(got: f64, want: f64, relative: f64, what: &str) {
    let error = (got - want).abs();
    // Not `>`, which is false for a NaN.
    assert!(
        error <= relative * want.abs(),
        "{what}: {got:e} instead of {want:e}, relative error {:.1e}",
        error / want.abs()
    );
}
