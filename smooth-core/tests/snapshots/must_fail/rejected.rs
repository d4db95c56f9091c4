//! REFUSED: is rejected

//~ loops(simplified): 1
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| b[i])
}
