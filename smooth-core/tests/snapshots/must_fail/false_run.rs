//! REFUSED: gives 3.0, not 4.0

//~ run: f([1, 2]) == 4
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
