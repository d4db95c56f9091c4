//! REFUSED: there is no kernel `f::vjp`

//~ derivative: vjp
//~ loops(simplified): 1
#[smooth(jvp)]
fn f(a: &[f64; n]) -> [f64; n] {
    build(n, |i| a[i] * a[i])
}
