//! Arrays that must not fuse: elements that are read at random, or more than once by loops, would be computed again
//! (§2.2). A cheap element is computed at its use nevertheless. An index that may be out of range keeps its check.

//~ arrays(simplified): 1
//~ arrays(stored): 1
//~ loops(stored): 2
//~ run: permuted([0, 0], 1) == 2
#[smooth]
fn permuted(a: &[f64; n], k: usize) -> f64 {
    let e = build(n, |i| a[i].exp());
    sum(n, |i| e[(i + k) % n])
}

// Each of `n` elements is read `m` times.
//~ arrays(stored): 1
//~ loops(stored): 3
//~ run: every_pair([0, 0], [1, 2, 3]) == [12, 12]
#[smooth]
fn every_pair(a: &[f64; n], b: &[f64; m]) -> [f64; n] {
    let w = build(m, |j| b[j].abs().sqrt());
    build(n, |i| sum(m, |j| (w[j] * w[j] * (a[i] + 2.0)).round()))
}

// The same with an element that costs less than a store and a load.
//~ arrays(stored): 0
//~ run: cheap_pair([1, 2], [1, 2, 3]) == [9, 12]
#[smooth]
fn cheap_pair(a: &[f64; n], b: &[f64; m]) -> [f64; n] {
    let w = build(m, |j| b[j] + 1.0);
    build(n, |i| sum(m, |j| w[j] + a[i] - 1.0))
}

// An index out of range has to panic, also if the element is cheap.
//~ arrays(stored): 1
//~ checked(stored): 1
//~ run: beyond([1, 2], 2) == 5
//~ run: beyond([1, 2], 3) panics
#[smooth]
fn beyond(a: &[f64; n], k: usize) -> f64 {
    let b = build(n, |i| a[i] + 1.0);
    sum(k, |i| b[i])
}
