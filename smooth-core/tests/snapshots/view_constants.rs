//! Constant arrays: parameters that no caller writes, read where they are. In `run`, they follow the arguments, after
//! their lengths.

//~ allocs(stored): 0
//~ copies(stored): 0
//~ checked(stored): 0
//~ scratch(n = 7, TABLE_len = 3): 0
//~ run: weighted([1, 2, 3], 2, [10, 1]) == 12
#[smooth]
fn weighted(a: &[f64; n]) -> f64 {
    sum(TABLE.len().min(n), |i| TABLE[i] * a[i])
}

// An argument of a kernel is a view; a slice of it, too.
//~ allocs(stored): 0
//~ copies(stored): 0
#[smooth]
fn passed(x: &[f64; n]) -> f64 {
    vector_dot(&TABLE[1..], x)
}

// The length is 3 by the declared type: loops are unrolled, and rustc compares.
//~ loops(stored): 0
//~ checks: 1
//~ run: of_known_length([1, 2, 3], 3, [1, 10, 100]) == 321
#[smooth]
fn of_known_length(a: &[f64; 3]) -> f64 {
    let table: [f64; 3] = TABLE;
    ifold(3, 0.0, |s, i| s + table[i] * a[i])
}

// The one copy is into the result.
//~ copies(stored): 1
//~ allocs(stored): 0
#[smooth]
fn returned(i: usize) -> [i32; 2] {
    ROWS[i]
}
