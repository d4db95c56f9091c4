//! REFUSED: says nothing

//~ loops(simplified):
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
