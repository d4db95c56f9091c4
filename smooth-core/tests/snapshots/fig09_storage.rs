//! Fig. 9 and more: the effect of the storage passes on allocations, and the size of the frame.

// Empty allocation: an array without elements needs no storage.
//~ arrays(stored): 0
//~ peak: 0
//~ run: empty([1], 0) == [0]
#[smooth(passes(fold = false, unroll = false))]
fn empty(a: &[f64; n], k: usize) -> [f64; n] {
    let e = build(0, |i| (i as f64).exp());
    build(n, |i| sum(k, |j| e[j] + a[i]))
}

// Dead allocation: the array is never read.
//~ allocs(lowered): 1
//~ allocs(stored): 0
//~ run: dead([1, 2]) == 3
#[smooth(passes(dce = false, fuse = false))]
fn dead(a: &[f64; n]) -> f64 {
    let unread = build(n, |i| a[i].exp());
    vector_sum(a)
}

// Allocation hoisting: the size does not depend on the loop, so one allocation serves all iterations.
//~ allocs(stored): 1
//~ in_loops(stored): 0
//~ peak: bytes (k, ∘)
//~ run: in_a_loop([[0, 0], [0, 0]]) == [4, 4]
#[smooth]
fn in_a_loop(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| {
        let e = build(k, |j| m[i][j].exp());
        sum(k, |j| e[j] + e[k - 1 - j])
    })
}

// Merging: two arrays that are live at the same time share one allocation of both sizes.
//~ allocs(lowered): 2
//~ allocs(stored): 1
//~ arrays(stored): 2
//~ peak: bytes (n, ∘) + bytes (m, ∘)
//~ scratch(n = 3, m = 9): 192
//~ run: together([0, 0], [0]) == 3
#[smooth]
fn together(a: &[f64; n], b: &[f64; m]) -> f64 {
    let x = build(n, |i| a[i].exp());
    let y = build(m, |i| b[i].exp());
    sum(n, |i| x[i] * x[n - 1 - i] * y[0]) + y[m - 1]
}

// Arrays that are not live at the same time share their bytes: the larger of two branches counts.
//~ peak: max(bytes (n, ∘), bytes (m, ∘))
//~ scratch(n = 3, m = 9): 128
//~ run: in_turn([0, 0], [0], 1) == 4
//~ run: in_turn([0, 0], [0], -1) == 2
#[smooth]
fn in_turn(a: &[f64; n], b: &[f64; m], s: f64) -> f64 {
    if s > 0.0 {
        let x = build(n, |i| a[i].exp());
        sum(n, |i| x[i] + x[n - 1 - i])
    } else {
        let y = build(m, |i| b[i].exp());
        sum(m, |i| y[i] + y[m - 1 - i])
    }
}

// Copy elision: an array that is bound and then returned is built in the destination.
//~ copies(lowered): 1
//~ copies(stored): 0
//~ allocs(stored): 0
//~ run: returned([0, 0]) == [1, 1]
#[smooth(passes(inline = false, fuse = false))]
fn returned(a: &[f64; n]) -> [f64; n] {
    let x = build(n, |i| a[i].exp());
    x
}

// D-If: each branch writes directly to the destination.
//~ allocs(stored): 0
//~ copies(stored): 0
//~ builds(stored): 2
//~ run: branches([1, 2], 1) == [2, 3]
//~ run: branches([1, 2], -1) == [0, 1]
#[smooth]
fn branches(a: &[f64; n], s: f64) -> [f64; n] {
    if s > 0.0 { build(n, |i| a[i] + 1.0) } else { build(n, |i| a[i] - 1.0) }
}

// The same when the result of the `if` has a name.
//~ allocs(stored): 0
//~ copies(stored): 1                            an argument is returned
//~ run: named_branches([1, 2], 1) == [1, 2]
//~ run: named_branches([1, 2], -1) == [0, 1]
#[smooth(passes(inline = false, fuse = false))]
fn named_branches(a: &[f64; n], s: f64) -> [f64; n] {
    let r = if s > 0.0 { a.clone() } else { build(n, |i| a[i] - 1.0) };
    r
}
