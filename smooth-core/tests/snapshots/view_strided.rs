//! Strided parameters are read in place: addresses are indices times strides, and nothing else changes.

// No array, no check, no memory.
//~ arrays(shared): 0
//~ allocs(stored): 0
//~ checked(stored): 0
//~ scratch(n = 1000, k = 1000): 0
//~ run: column_sums([[1, 2, 3], [4, 5, 6]]) == [5, 7, 9]
#[smooth(strided(m))]
fn column_sums(m: &[[f64; k]; n]) -> [f64; k] {
    build(k, |j| sum(n, |i| m[i][j]))
}

// Indices from data have their checks, one for each axis.
//~ allocs(stored): 0
//~ checked(stored): 2
//~ run: pick([[1, 2, 3], [4, 5, 6]], 1, 0) == 4
//~ run: pick([[1, 2, 3], [4, 5, 6]], 2, 0) panics
//~ run: pick([[1, 2, 3], [4, 5, 6]], 0, 3) panics
#[smooth(strided(m))]
fn pick(m: &[[f64; k]; n], i: usize, j: usize) -> f64 {
    m[i][j]
}

// A named part of a strided array is strided, too.
//~ allocs(stored): 0
//~ run: below([[1, 2], [3, 4], [5, 6]], 1) == [8, 10]
#[smooth(strided(m))]
fn below(m: &[[f64; k]; n], from: usize) -> [f64; k] {
    let rest = &m[from..n];
    build(k, |j| sum(n - from, |i| rest[i][j]))
}

// A copy is a loop.
//~ run: row([[1, 2], [3, 4]], 1) == [3, 4]
#[smooth(strided(m))]
fn row(m: &[[f64; k]; n], i: usize) -> [f64; k] {
    m[i].clone()
}

// The callee is inlined, and reads the row in place.
//~ allocs(stored): 0
//~ run: sums([[1, 2], [3, 4]]) == [3, 7]
#[smooth(strided(m))]
fn sums(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| vector_sum(&m[i]))
}

// A callee that is not inlined gets a copy of each row, in the frame.
//~ allocs(stored): 1
//~ scratch(n = 3, k = 8): 64
//~ run: called([[1, 2], [3, 4]]) == [3, 7]
#[smooth(strided(m), passes(inline = false))]
fn called(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| vector_sum(&m[i]))
}

// A callee with a strided parameter gets the strides.
//~ allocs(stored): 0
//~ run: passed_on([[1, 2], [3, 4], [5, 6]]) == [9, 12]
#[smooth(strided(m), passes(inline = false))]
fn passed_on(m: &[[f64; k]; n]) -> [f64; k] {
    column_sums(m)
}

// Contiguous arrays have strides, too.
//~ run: contiguous([[1, 2], [3, 4], [5, 6]]) == [8, 10]
#[smooth(passes(inline = false))]
fn contiguous(m: &[[f64; k]; n]) -> [f64; k] {
    column_sums(&m[1..n])
}
