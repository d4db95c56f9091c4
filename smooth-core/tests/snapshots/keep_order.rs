//! Arrays that are stored for their order: gathered from far apart, and read many times along their rows. If nothing is
//! read again, or storing would not help, a transposition stays an index.

//~ arrays(simplified): 1
//~ arrays(stored): 1
//~ loops(stored): 5
//~ peak: bytes (k * m, ∘)
//~ run: product([[1, 2], [3, 4]], [[0, 1], [1, 0]]) == [[2, 1], [4, 3]]
//~ run: product(zeros(0, 2), zeros(2, 3)) == zeros(0, 3)
#[smooth]
fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    let columns = build([m, k], |j, l| b[l][j]);
    build([n, m], |i, j| sum(k, |l| a[i][l] * columns[j][l]))
}

// The loop over rows of `a` is the inner one: a column at a time is enough.
//~ arrays(stored): 1
//~ peak: bytes (k, ∘)
//~ run: product_by_columns([[1, 2], [3, 4]], [[0, 1], [1, 0]]) == [[2, 4], [1, 3]]
#[smooth]
fn product_by_columns(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; n]; m] {
    let columns = build([m, k], |j, l| b[l][j]);
    build([m, n], |j, i| sum(k, |l| a[i][l] * columns[j][l]))
}

// Each element is read once.
//~ prints(simplified): (build k (λ i. (sum n (λ j. (m[j][i] * x[j])))))
//~ allocs(stored): 0
//~ run: transposed_times([[1, 2], [3, 4]], [1, 10]) == [31, 42]
#[smooth]
fn transposed_times(m: &[[f64; k]; n], x: &[f64; n]) -> [f64; k] {
    let t = build([k, n], |i, j| m[j][i]);
    build(k, |i| sum(n, |j| t[i][j] * x[j]))
}

// Read by columns, the transpose reads its source in order.
//~ allocs(stored): 0
//~ loops(stored): 3
//~ run: back_again([[1, 2], [3, 4]], [[0, 1], [1, 0]]) == [[2, 1], [4, 3]]
#[smooth]
fn back_again(a: &[[f64; k]; n], b: &[[f64; k]; m]) -> [[f64; m]; n] {
    let t = build([k, m], |l, j| b[j][l]);
    build([n, m], |i, j| sum(k, |l| a[i][l] * t[l][j]))
}

// Elements that are neighbours in the source too need no copy.
//~ allocs(stored): 0
//~ run: reversed([[1, 2], [3, 4]], [1, 10]) == [21, 43]
#[smooth]
fn reversed(a: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
    let r = build(k, |l| x[k - 1 - l]);
    build(n, |i| sum(k, |l| a[i][k - 1 - l] * r[l]))
}

// Nor does a minimum, which grows by at most one.
//~ allocs(stored): 0
//~ run: shifted([[1, 2], [3, 4]], [1, 10]) == [30, 70]
#[smooth]
fn shifted(a: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
    let r = build(k, |l| x[(l + 1).min(k - 1)]);
    build(n, |i| sum(k, |l| a[i][l] * r[l]))
}

// The elements of a record are also neighbours.
//~ allocs(stored): 0
//~ run: distances([[0, 0, 0], [3, 4, 0]]) == [25, 25]
#[smooth]
fn distances(p: &[[f64; 3]; n]) -> [f64; n] {
    let t = build([3, n], |c, i| p[i][c]);
    build(n, |i| sum(n, |j| {
        let (x, y, z) = (t[0][j] - p[i][0], t[1][j] - p[i][1], t[2][j] - p[i][2]);
        x * x + y * y + z * z
    }))
}

// Gathered through another array: the copy is read in order, and its indices are checked once.
//~ arrays(stored): 1
//~ checked(stored): 1
//~ peak: bytes (k, ∘)
//~ run: gathered([[1, 2], [3, 4]], [5, 7], [1, 0]) == [17, 41]
//~ run: gathered([[1, 2], [3, 4]], [5, 7], [2, 0]) panics
#[smooth]
fn gathered(a: &[[f64; k]; n], x: &[f64; m], at: &[usize; k]) -> [f64; n] {
    let g = build(k, |l| x[at[l]]);
    build(n, |i| sum(k, |l| a[i][l] * g[l]))
}

// A part of a row is read along it.
//~ arrays(stored): 1
//~ peak: bytes (k * m, ∘)
//~ run: tails([[1, 2, 3], [4, 5, 6], [7, 8, 9]], [1, 1]) == [[11, 13, 15], [11, 13, 15]]
#[smooth]
fn tails(b: &[[f64; m]; k], x: &[f64; n]) -> [[f64; m]; n] {
    let columns = build([m, k], |j, l| b[l][j]);
    build([n, m], |i, j| x[i] * vector_sum(&columns[j][1..k]))
}

// As the product is printed in Fig. 3.
//~ allocs(stored): 1
#[smooth]
fn by_columns(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    let columns = matrix_transpose(b);
    build([n, m], |i, j| vector_dot(&a[i], &columns[j]))
}

// A short loop of a static count is unrolled, and the loop around it reads rows of `b`.
//~ allocs(stored): 0
//~ builds(simplified): 2
//~ run: short([[1, 0, 0]], [[1, 2], [3, 4], [5, 6]]) == [[1, 2]]
#[smooth]
fn short(a: &[[f64; 3]; n], b: &[[f64; m]; 3]) -> [[f64; m]; n] {
    by_columns(a, b)
}

// Small arrays of static shape stay in the cache.
//~ allocs(stored): 0
//~ arrays(simplified): 0
#[smooth]
fn sixteen(a: &[[f64; 16]; 16], b: &[[f64; 16]; 16]) -> [[f64; 16]; 16] {
    by_columns(a, b)
}

//~ allocs(stored): 0
//~ arrays(simplified): 0
#[smooth]
fn near(a: &[[f64; 64]; 17], b: &[[f64; 20]; 64]) -> [[f64; 20]; 17] {
    by_columns(a, b)
}

//~ arrays(stored): 1
//~ peak: 40960
#[smooth]
fn large(a: &[[f64; 128]; 17], b: &[[f64; 40]; 128]) -> [[f64; 40]; 17] {
    by_columns(a, b)
}
