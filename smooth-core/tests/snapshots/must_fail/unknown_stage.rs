//! REFUSED: does not name a stage

//~ loops(linekd): 1
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
