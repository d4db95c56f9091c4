//! REFUSED: `vector_sum` already exists

//~ loops(simplified): 1
#[smooth]
fn vector_sum(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}
