//! Transposes and slices are not materialised: their readers read the array itself at other indices. But a transpose
//! whose rows are read many times is stored (`keep_order.rs`).

// As the product is printed in Fig. 3.
//~ allocs(stored): 1
#[smooth]
fn by_columns(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    let columns = matrix_transpose(b);
    build([n, m], |i, j| vector_dot(&a[i], &columns[j]))
}

// Columns of `m` with columns of `m`: all of them in order, and the one of the outer loop.
//~ arrays(stored): 2
//~ loops(stored): 6
//~ peak: bytes (n, ∘) + bytes (n * k, ∘)
//~ run: gram([[1, 2], [3, 4]]) == [[10, 14], [14, 20]]
#[smooth]
fn gram(m: &[[f64; k]; n]) -> [[f64; k]; k] {
    by_columns(&matrix_transpose(m), m)
}

//~ allocs(stored): 0
//~ run: twice([[1, 2], [3, 4]]) == [[1, 2], [3, 4]]
#[smooth]
fn twice(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    matrix_transpose(&matrix_transpose(m))
}

//~ allocs(stored): 0
//~ copies(stored): 0
//~ loops(stored): 1
//~ checks: 1
//~ run: tail_sum([1, 2, 4], 1) == 6
//~ run: tail_sum([1, 2, 4], 4) panics
#[smooth]
fn tail_sum(a: &[f64; n], s: usize) -> f64 {
    vector_sum(&a[s..n])
}

// A slice of a built array: only the elements of the slice should be built.
//~ allocs(stored): 0
//~ loops(stored): 1
//~ run: middle([1, 4, 9, 16]) == 7
#[smooth]
fn middle(a: &[f64; n]) -> f64 {
    let r = build(n, |i| a[i].sqrt() + 1.0);
    vector_sum(&r[1..n - 1])
}

// build n (λi. a[i]) is `a`.
//~ prints(simplified): (sum n (λ i. (a[i] * a[i])))
//~ allocs(stored): 0
//~ run: same([3, 4]) == 25
#[smooth]
fn same(a: &[f64; n]) -> f64 {
    let b = build(n, |i| a[i]);
    sum(n, |i| b[i] * b[i])
}

// The diagonal reads n of n² elements.
//~ allocs(stored): 0
//~ loops(stored): 1
//~ run: trace([[1, 2], [3, 4]]) == 5
#[smooth]
fn trace(m: &[[f64; n]; n]) -> f64 {
    let t = matrix_transpose(m);
    sum(n, |i| t[i][i])
}
