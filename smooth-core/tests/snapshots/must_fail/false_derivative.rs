//! REFUSED: f::vjp: builds(simplified) is 2, not 1

//~ derivative: vjp
//~ builds(simplified): 1
#[smooth(vjp)]
fn f(a: &[f64; n]) -> [f64; n] {
    build(n, |i| a[i] * a[i])
}
