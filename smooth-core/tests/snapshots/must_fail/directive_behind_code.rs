//! REFUSED: at the start of a line only

//~ loops(simplified): 1
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i]) //~ sums(stored): 7
}
