//! REFUSED: is 1, not 0

//~ zeros(stored): 0
#[smooth]
fn f(n: usize) -> [f64; n] {
    [0.0; n]
}
