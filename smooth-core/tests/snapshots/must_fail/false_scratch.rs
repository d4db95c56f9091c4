//! REFUSED: is 0, not 64

//~ scratch(n = 5): 64
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
