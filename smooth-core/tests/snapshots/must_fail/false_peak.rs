//! REFUSED: is 0, not bytes (n, ∘)

//~ peak: bytes (n, ∘)
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
