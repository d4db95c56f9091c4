//! REFUSED: gives

//~ run: f([1]) panics
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
