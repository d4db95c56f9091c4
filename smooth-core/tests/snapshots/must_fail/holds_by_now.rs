//! REFUSED: take `not_yet` away

//~ not_yet loops(simplified): 1
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
