// REFUSED: the first line does not say

//~ loops(simplified): 1
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
