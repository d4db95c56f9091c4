//! REFUSED: is (sum n (λ i. a[i])), not

//~ prints(simplified): (sum n (λ i. a[0]))
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
