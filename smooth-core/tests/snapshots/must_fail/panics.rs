//! REFUSED: panics: index out of bounds

//~ run: f([1]) == 1
#[smooth]
fn f(a: &[f64; n]) -> f64 {
    if n > 0 { a[n] } else { 0.0 }
}
