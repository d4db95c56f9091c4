//! Fig. 4, several times over: chains of maps are one loop, through calls, closures, `let`s and the length of a
//! `build`.

//~ builds(stored): 1
//~ loops(stored): 1
//~ allocs(stored): 0
//~ run: add3([1, 2], [3, 4], [5, 6]) == [9, 12]
#[smooth]
fn add3(x: &[f64; n], y: &[f64; n], z: &[f64; n]) -> [f64; n] {
    vector_add(&vector_add(x, y), z)
}

//~ prints(simplified): (sum n (λ i. (((a[i] * s) + b[i]) * a[i])))
//~ allocs(stored): 0
//~ run: energy([1, 2], [3, 4], 2) == 21
#[smooth]
fn energy(a: &[f64; n], b: &[f64; n], s: f64) -> f64 {
    vector_dot(&vector_add(&vector_s_mul(a, s), b), a)
}

// length (build e₀ e₁) ⟶ e₀: the array is not built.
//~ prints(simplified): (f64 (n + k))
//~ loops(stored): 0
//~ run: measured([1, 2], 3) == 5
#[smooth]
fn measured(a: &[f64; n], k: usize) -> f64 {
    build(n + k, |i| (i as f64).exp()).len() as f64
}

// A function of rows: the rows that it returns are never built.
//~ builds(stored): 2
//~ allocs(stored): 0
//~ copies(stored): 0
//~ run: halved([[2, 4], [6, 8]]) == [[1, 2], [3, 4]]
#[smooth]
fn halved(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    matrix_map(m, |row| vector_s_mul(row, 0.5))
}

// (build (build e))[i]: only the row that is read is computed.
//~ builds(stored): 0
//~ allocs(stored): 0
//~ run: one_row([1, 2], 3) == 5
#[smooth]
fn one_row(a: &[f64; n], s: f64) -> f64 {
    let m = build([n, n], |i, j| a[i] + a[j] * s);
    sum(n, |j| m[0][j] - a[j]) - n as f64 * s / 2.0
}
