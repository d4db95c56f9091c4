//! Storage whose value is dead is used again, and an array that dies in the operation is updated in place.

// Three arrays that have to be stored, each dead when the next but one is built: two buffers.
//~ arrays(simplified): 3
//~ arrays(lowered): 3
//~ arrays(stored): 2
//~ peak: 2 * bytes (n, ∘)
//~ run: chain([0, 0, 0]) == 3
#[smooth]
fn chain(a: &[f64; n]) -> f64 {
    let x = build(n, |i| a[i].cos());
    let y = build(n, |i| x[i].sqrt() * x[n - 1 - i]);
    let z = build(n, |i| y[i].sqrt() * y[n - 1 - i]);
    sum(n, |i| z[i] * z[n - 1 - i])
}

// softmax: the exponentials are read twice and then dead; the result overwrites them in the destination.
//~ arrays(simplified): 1
//~ arrays(stored): 0
//~ peak: 0
//~ run: softmax([0, 0]) == [0.5, 0.5]
#[smooth]
fn softmax(a: &[f64; n]) -> [f64; n] {
    let top = ifold(n, a[0], |m, i| m.max(a[i]));
    let e = build(n, |i| (a[i] - top).exp());
    let total = vector_sum(&e);
    build(n, |i| e[i] / total)
}

// The step reads only the elements of the state that it writes: one buffer, the destination.
//~ folds(stored): 1
//~ allocs(stored): 0
//~ peak: 0
//~ run: in_place([1, 2], 3) == [8, 16]
#[smooth]
fn in_place(a: &[f64; n], steps: usize) -> [f64; n] {
    ifold(steps, a.clone(), |s, _| build(n, |i| s[i] * 2.0))
}
