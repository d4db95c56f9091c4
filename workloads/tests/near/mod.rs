//! Numbers that are to be the same but for rounding.

#[track_caller]
pub fn near(got: f64, want: f64, relative: f64, what: &str) {
    let error = (got - want).abs();
    // Not `>`, which a NaN would pass.
    assert!(
        error <= relative * want.abs(),
        "{what}: {got:e} instead of {want:e}, relative error {:.1e}",
        error / want.abs()
    );
}
