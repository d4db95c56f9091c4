//! REFUSED: needs the size `n`

//~ scratch(k = 5): 64
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    let e = build(n, |i| a[i].exp());
    sum(n, |i| e[i] * e[n - 1 - i])
}
