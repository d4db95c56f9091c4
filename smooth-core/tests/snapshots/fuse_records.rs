//! Arrays of tuples: one loop writes all parts, and elements are fused whole.

// One loop, two arrays.
//~ loops(stored): 1
//~ arrays(stored): 0
//~ copies(stored): 0
//~ run: circle([0, 0]) == ([0, 0], [1, 1])
#[smooth]
fn circle(a: &[f64; n]) -> ([f64; n], [f64; n]) {
    let (s, c) = build(n, |i| a[i].sin_cos());
    (s, c)
}

// Neither is stored: both parts of an element are computed in the loop that reads them.
//~ arrays(simplified): 0
//~ loops(stored): 1
//~ run: fused([1, 2], [3, 4]) == 11
#[smooth]
fn fused(a: &[f64; n], b: &[f64; n]) -> f64 {
    let p = build(n, |i| (a[i], b[i]));
    sum(n, |i| p[i].0 * p[i].1)
}

// A part that nothing reads is not computed.
//~ prints(simplified): (build n (λ i. (cos a[i])))
#[smooth]
fn cosines(a: &[f64; n]) -> [f64; n] {
    let p = build(n, |i| a[i].sin_cos());
    build(n, |i| p[i].1)
}

// Work that the parts share is done once: the pairs are read twice, and stay.
//~ arrays(stored): 2
//~ run: kept([0, 1]) == 5.43656365691809
#[smooth(float = "strict")]
fn kept(a: &[f64; n]) -> f64 {
    let p = build(n, |i| {
        let e = a[i].exp();
        (e, e - 1.0)
    });
    sum(n, |i| p[i].0) + sum(n, |i| p[n - 1 - i].1)
}

// Elements of arrays are zipped and unzipped by name.
//~ loops(stored): 0
//~ copies(stored): 2
//~ run: zipped([1, 2], [3, 4]) == ([3, 4], [1, 2])
#[smooth]
fn zipped(a: &[f64; n], b: &[f64; n]) -> [(f64, f64); n] {
    let p = build(n, |i| (a[i], b[i]));
    build(n, |i| (p[i].1, p[i].0))
}

// The state of a fold is one array for each part, and a step writes both in place.
//~ loops(stored): 4
//~ arrays(stored): 0
//~ run: steps(2, 3) == ([3, 3], [0, 3])
#[smooth]
fn steps(n: usize, k: usize) -> [(f64, usize); n] {
    ifold(k, [(0.0, 0); n], |s, i| build(n, |j| (s[j].0 + i as f64, s[j].1 + j)))
}

// Updates of elements and of parts are in place.
//~ arrays(stored): 0
//~ run: sorted([3, 1, 2], [0, 1, 2]) == ([1, 2, 3], [1, 2, 0])
#[smooth]
fn sorted(keys: &[f64; n], values: &[usize; n]) -> [(f64, usize); n] {
    let mut b = build(n, |i| (keys[i], values[i]));
    for i in 1..n {
        let mut j = i;
        while j > 0 && b[j].0 < b[j - 1].0 {
            b.swap(j, j - 1);
            j -= 1;
        }
    }
    b
}
