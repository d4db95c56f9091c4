//! Arrays that must not fuse: the state of a fold that each step reads. It lives in two buffers, one of them the
//! destination. A third would be a waste, and one is enough only if each step reads only the elements that it writes.

//~ folds(stored): 1
//~ allocs(stored): 1
//~ peak: bytes (n, ∘)
//~ scratch(n = 3): 64
//~ run: smooth_steps([1, 2, 4], 0) == [1, 2, 4]
//~ run: smooth_steps([1, 2, 4], 1) == [2.5, 2, 2.5]
//~ run: smooth_steps([1, 2, 4], 2) == [2.5, 2, 2.5]
#[smooth]
fn smooth_steps(a: &[f64; n], steps: usize) -> [f64; n] {
    ifold(steps, a.clone(), |s, _| build(n, |i| (s[i] + s[n - 1 - i]) * 0.5))
}

// A fold has an order. It is not a sum, and consumes a `build` in that order without storing it.
//~ folds(stored): 1
//~ loops(stored): 1
//~ arrays(stored): 0
//~ run: horner([1, 2, 3], 2) == 34
#[smooth]
fn horner(a: &[f64; n], x: f64) -> f64 {
    let c = build(n, |i| a[i] + 1.0);
    ifold(n, 0.0, |s, i| s * x + c[i]) + x * 4.0 + 8.0
}
