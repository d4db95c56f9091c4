//! REFUSED: is 0, not 1

//~ copies(stored): 1
#[smooth]
fn f(a: &[f64; n]) -> [f64; n] {
    build(n, |i| a[i] + 1.0)
}
