//! REFUSED: is 0, not 1

//~ folds(stored): 1
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
