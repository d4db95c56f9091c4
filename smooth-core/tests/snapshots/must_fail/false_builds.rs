//! REFUSED: is 1, not 2

//~ builds(simplified): 2
#[smooth]
fn f(a: &[f64; n]) -> [f64; n] {
    build(n, |i| a[i] + 1.0)
}
