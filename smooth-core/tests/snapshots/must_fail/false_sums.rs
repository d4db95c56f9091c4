//! REFUSED: is 1, not 2

//~ sums(elaborated): 2
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
