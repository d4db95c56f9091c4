//! REFUSED: has no `#[smooth]`

//~ loops(simplified): 1
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
