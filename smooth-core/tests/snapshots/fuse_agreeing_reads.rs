//! Reads with the same indices are one use: the array is fused with it, and nothing is stored.

// The norm reads each element twice.
//~ arrays(stored): 0
//~ loops(stored): 2
//~ run: residual([[1, 2], [3, 4]], [1, 1], [6, 3]) == 5
#[smooth]
fn residual(a: &[[f64; k]; n], x: &[f64; k], b: &[f64; n]) -> f64 {
    let r = build(n, |i| b[i] - vector_dot(&a[i], x));
    vector_norm(&r)
}

// A row's sum is computed once for each row, and no row is stored.
//~ arrays(stored): 0
//~ loops(stored): 3
//~ run: shares([[1, 3], [4, 1]]) == 2.0
#[smooth]
fn shares(m: &[[f64; k]; n]) -> f64 {
    let p = build(n, |i| {
        let total = sum(k, |j| m[i][j]);
        build(k, |j| m[i][j] / total)
    });
    sum(n, |i| sum(k, |j| p[i][j]))
}

// By columns a row's sum would be computed for each of its elements, so the rows are stored.
//~ arrays(stored): 1
//~ loops(stored): 5
//~ run: columns([[1, 3], [4, 1]]) == [1.05, 0.95]
#[smooth]
fn columns(m: &[[f64; k]; n]) -> [f64; k] {
    let p = build(n, |i| {
        let total = sum(k, |j| m[i][j]);
        build(k, |j| m[i][j] / total)
    });
    build(k, |j| sum(n, |i| p[i][j]))
}

// Two elements of a row are combined, so one row at a time is stored.
//~ allocs(stored): 1
//~ peak: bytes (n, ∘)
//~ run: ends([1, 2]) == [9, 18]
#[smooth]
fn ends(a: &[f64; n]) -> [f64; n] {
    let m = build([n, n], |i, j| sum(n, |k| a[i] * a[j] * a[k]));
    build(n, |i| m[i][0] + m[i][n - 1])
}
