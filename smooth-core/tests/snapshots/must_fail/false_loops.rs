//! REFUSED: is 1, not 0

//~ loops(simplified): 0
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
