//! REFUSED: is λ a: (n, ∘). ∘, not

//~ shape: λ a: (n, ∘). (n, ∘)
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
