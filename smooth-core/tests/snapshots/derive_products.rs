//! The derivatives of products, convolutions and gathers are of their kind: nothing is added in place and nothing is
//! zeroed that is written.

// The derivative of a product of matrices is two products.
//~ derivative: vjp
//~ updates(simplified): 0
//~ folds(simplified): 0
//~ sums(simplified): 3
//~ zeros(stored): 0
//~ allocs(stored): 0
#[smooth(vjp)]
fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}

// The same where the product is three loops, which add to the value alone.
//~ derivative: vjp
//~ updates(simplified): 1
//~ folds(simplified): 3
//~ sums(simplified): 2
//~ zeros(stored): 1
#[smooth(vjp)]
fn product_by_loops(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    let mut c = [[0.0; m]; n];
    for i in 0..n {
        for l in 0..k {
            for j in 0..m {
                c[i][j] += a[i][l] * b[l][j];
            }
        }
    }
    c
}

// The derivative of a convolution is two convolutions.
//~ derivative: vjp
//~ updates(simplified): 0
//~ folds(simplified): 0
//~ zeros(stored): 0
#[smooth(vjp)]
fn convolution(x: &[f64; n], w: &[f64; k]) -> [f64; n - k + 1] {
    build(n - k + 1, |i| sum(k, |j| x[i + j] * w[j]))
}

// That of a gather is a scatter.
//~ derivative: vjp
//~ updates(simplified): 1
//~ folds(simplified): 1
#[smooth(vjp)]
fn gather(x: &[f64; n], at: &[usize; m]) -> [f64; m] {
    build(m, |i| x[at[i]])
}

// That of a scatter is a gather.
//~ derivative: vjp
//~ updates(simplified): 1
//~ folds(simplified): 1
//~ zeros(stored): 1
#[smooth(vjp(x))]
fn scatter(x: &[f64; m], at: &[usize; m], n: usize) -> [f64; n] {
    let mut out = [0.0; n];
    for i in 0..m {
        out[at[i]] += x[i];
    }
    out
}

// That of a softmax has the exponentials of the value, and looks for the place of the maximum.
//~ derivative: vjp
//~ updates(simplified): 0
//~ folds(simplified): 1
//~ arrays(stored): 0
//~ allocs(stored): 2  both in a result
//~ zeros(stored): 0
#[smooth(vjp)]
fn softmax(x: &[f64; n]) -> [f64; n] {
    let most = max(n, |i| x[i]);
    let e = build(n, |i| (x[i] - most).exp());
    let s = sum(n, |i| e[i]);
    build(n, |i| e[i] / s)
}
