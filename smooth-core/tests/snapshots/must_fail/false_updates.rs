//! REFUSED: is 1, not 2

//~ updates(simplified): 2
#[smooth]
fn f(a: &[f64; n], k: &[usize; n]) -> [f64; n] {
    let mut s = [0.0; n];
    for i in 0..n {
        s[k[i]] += a[i];
    }
    s
}
