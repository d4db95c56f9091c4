//! REFUSED: is not a [f64]

//~ run: f(1) == 1
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
