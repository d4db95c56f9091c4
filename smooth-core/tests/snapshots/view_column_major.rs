//! Column-major parameters are read in place, whether the indices are proved to be in range or not.

// One load, with a check for each index.
//~ arrays(shared): 0
//~ allocs(stored): 0
//~ checked(stored): 2
//~ scratch(n = 1000, k = 1000): 0
//~ run: pick([[1, 2, 3], [4, 5, 6]], 1, 0) == 2
//~ run: pick([[1, 2, 3], [4, 5, 6]], 2, 1) == 6
//~ run: pick([[1, 2, 3], [4, 5, 6]], 3, 0) panics
//~ run: pick([[1, 2, 3], [4, 5, 6]], 0, 2) panics
#[smooth(column_major(m))]
fn pick(m: &[[f64; k]; n], i: usize, j: usize) -> f64 {
    m[i][j]
}

// An index of the loop is proved, the one from the data is not; no row is stored.
//~ allocs(stored): 0
//~ checked(stored): 2
//~ peak: 0
//~ run: gathered([[1, 2, 3], [4, 5, 6]], [1, 0, 3]) == [4, 2, 3]
//~ run: gathered([[1, 2, 3], [4, 5, 6]], [1, 0, 2]) panics
#[smooth(column_major(m))]
fn gathered(m: &[[f64; k]; n], u: &[usize; n]) -> [f64; n] {
    build(n, |i| if u[i] < 3 { m[i][u[i]] } else { m[i][0] })
}

// A loop without iterations evaluates nothing; two reads with the same indices are two loads.
//~ allocs(stored): 0
//~ run: without([], [1], 0) == []
//~ run: without([[1, 2], [3, 4], [5, 6]], [1], 2) == [2, 0]
#[smooth(column_major(m))]
fn without(m: &[[f64; k]; n], u: &[usize; l], p: usize) -> [f64; p] {
    build(p, |i| m[k % n][u[0] % k] - m[k % n][i % k])
}

// An unproved index of one element does not affect the indices of loops, which are proved.
//~ allocs(stored): 0
//~ checked(stored): 4
//~ run: mixed([[1, 2, 3], [4, 5, 6]], [1, 1], 1, 1) == [7, 9, 11]
#[smooth(column_major(m))]
fn mixed(m: &[[f64; k]; n], x: &[f64; k], i: usize, j: usize) -> [f64; n] {
    let s = m[i][j] - m[j][i];
    build(n, |h| sum(k, |l| m[h][l] * x[l]) + s + 2.0)
}

// Through names for rows.
//~ allocs(stored): 0
//~ run: through_rows([[1, 2, 3], [4, 5, 6]], 1) == 7
#[smooth(column_major(m))]
fn through_rows(m: &[[f64; k]; n], i: usize) -> f64 {
    let r = &m[i];
    let first = r[0];
    first + sum(r.len(), |j| r[j]) - first - 2.0 + first
}

// Of rank 3, the last index first.
//~ allocs(stored): 0
//~ checked(stored): 3
//~ run: of_rank_3([[[1, 2]], [[3, 4]], [[5, 6]]], 1, 0, 2) == 6
#[smooth(column_major(t))]
fn of_rank_3(t: &[[[f64; c]; b]; a], i: usize, j: usize, h: usize) -> f64 {
    t[i][j][h]
}

// A caller's own matrix is row-major, and is not transposed for the call.
//~ allocs(stored): 0
//~ checked(stored): 2
//~ run: called([[1, 2, 3], [4, 5, 6]], 1, 0) == 4
#[smooth]
fn called(m: &[[f64; k]; n], i: usize, j: usize) -> f64 {
    pick(m, i, j)
}

// A row that is passed to a kernel is stored; a single element is read in place.
//~ run: row_and_element([[1, 2, 3], [4, 5, 6]], 1, 0) == 5
#[smooth(column_major(m))]
fn row_and_element(m: &[[f64; k]; n], i: usize, j: usize) -> f64 {
    vector_sum(&m[i]) - m[i][j]
}
