//! Arrays that must not fuse: an expensive element with two consumers is computed once and stored (§2.2). If both are
//! in one loop, it is computed once without an array.

//~ arrays(stored): 1
//~ run: mean_and_spread([1, 4]) == (1.5, 0.5)
#[smooth]
fn mean_and_spread(a: &[f64; n]) -> (f64, f64) {
    let r = build(n, |i| a[i].sqrt());
    let mean = sum(n, |i| r[i]) / n as f64;
    (mean, sum(n, |i| (r[i] - mean).abs()) / 2.0)
}

//~ arrays(stored): 1
//~ builds(stored): 3
//~ run: pairwise([1, 4, 9]) == [[0, 0, 0], [1, 0, 0], [2, 1, 0]]
#[smooth]
fn pairwise(a: &[f64; n]) -> [[f64; n]; n] {
    let r = build(n, |i| a[i].sqrt());
    build([n, n], |i, j| (r[i] - r[j]).max(0.0))
}

// Both uses are in one element of one loop.
//~ arrays(stored): 0
//~ loops(stored): 1
//~ run: one_loop([1, 4]) == [2, 6]
#[smooth]
fn one_loop(a: &[f64; n]) -> [f64; n] {
    let r = build(n, |i| a[i].sqrt());
    build(n, |i| r[i] * r[i] + r[i])
}
