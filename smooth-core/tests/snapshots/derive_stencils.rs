//! The derivatives of stencils are stencils: places that have indices as summands are loops over places.

//~ derivative: vjp
//~ updates(simplified): 0
//~ folds(simplified): 0
//~ zeros(stored): 0
//~ allocs(stored): 0
#[smooth(vjp(u))]
fn diffused(u: &[f64; n], rate: f64) -> [f64; n] {
    build(n, |i| if i == 0 || i == n - 1 { u[i] } else { u[i] + rate * (u[i - 1] - 2.0 * u[i] + u[i + 1]) })
}

// A reflection.
//~ derivative: vjp
//~ updates(simplified): 0
//~ folds(simplified): 0
#[smooth(vjp)]
fn reflected(x: &[f64; n]) -> [f64; n] {
    build(n, |i| x[n - 1 - i] * x[i])
}

// An index that stands in a place twice, or times a number.
//~ derivative: vjp
//~ updates(simplified): 1
//~ folds(simplified): 1
#[smooth(vjp)]
fn every_other(x: &[f64; n]) -> [f64; n / 2] {
    build(n / 2, |i| x[2 * i])
}

// A place from data.
//~ derivative: vjp
//~ updates(simplified): 1
//~ folds(simplified): 2
#[smooth(vjp(x))]
fn windows(x: &[f64; n], w: &[f64; k], at: &[usize; m]) -> [f64; m] {
    build(m, |i| sum(k, |j| x[at[i] + j] * w[j]))
}
