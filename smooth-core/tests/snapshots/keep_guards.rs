//! Terms that may panic stay under the conditions and in the loops that guard them.

// The row that both reads have in common exists only if `n` is not 0.
//~ run: guarded([], 3) == 0.0
//~ run: guarded([3, 5], 3) == 2
#[smooth]
fn guarded(u: &[usize; n], p: usize) -> f64 {
    let m = build([n, n], |i, j| (i * j + i) as f64 * 0.5);
    sum(p, |i| if n > 0 { m[p % n][u[0] % n] * m[p % n][i % n] } else { 0.0 })
}

// A loop without iterations evaluates no index.
//~ run: in_a_loop([], 0) == []
//~ run: in_a_loop([3, 5], 1) == [1]
//~ run: in_a_loop([], 1) panics
#[smooth]
fn in_a_loop(u: &[usize; n], p: usize) -> [f64; p] {
    let m = build([n, n], |i, j| (i * j + i) as f64 * 0.5);
    build(p, |i| m[p % n][u[0] % n] * m[p % n][(i + 1) % n])
}

// Reads in both branches count as a read outside of them: one row is stored, in the loop that computes it.
//~ allocs(stored): 1
//~ peak: bytes (n, ∘)
//~ run: in_both([], 3, 1) == 0.0
//~ run: in_both([1, 2, 4], 5, 1) == 6
#[smooth]
fn in_both(a: &[f64; n], p: usize, s: f64) -> f64 {
    let m = build([n, n], |i, j| sum(n, |k| a[i] * a[j] * a[k]));
    sum(n, |i| if s > 2.0 { m[i][p % n] - m[i][0] } else { (m[i][n - 1] + m[i][p % n]) / m[i][p % n] })
}

// The loop's count keeps the divisor from being 0, so it needs no other guard: the common part is computed once.
//~ allocs(stored): 0
//~ run: in_its_loop([], 3, 1) == 0.0
//~ run: in_its_loop([1, 2], 3, 3) == 0.0
#[smooth]
fn in_its_loop(a: &[f64; n], p: usize, s: f64) -> f64 {
    let m = build([n, n], |i, j| sum(n, |k| a[i] * a[j] * a[k]));
    sum(n, |i| if s > 2.0 { m[i][p % n].sin() - m[i][p % n].sin() } else { 0.0 })
}

// The index is in range, although an operand of it may be a subtraction below 0.
//~ run: subtracted([1, 2], 1, 3) == 0.0
//~ run: subtracted([1, 2], 6, 2) == 0.0
//~ run: subtracted([1, 2], 6, 1) == 12.0
#[smooth]
fn subtracted(a: &[f64; n], q: usize, p: usize) -> f64 {
    let m = build([q + 3, n], |i, j| sum(n, |k| a[j] * a[k] * i as f64));
    sum(p, |i| if q > 5 && p == 1 { m[(q - 5).max(2)][i % n] * m[(q - 5).max(2)][0] / 3.0 } else { 0.0 })
}

// Equal values, of which only one always evaluates the division: the other one is shared.
//~ run: equal_values(0, 3, 2, 1) == 2.0
//~ run: equal_values(2, 3, 2, 1) == 4.0
//~ run: equal_values(2, 3, 2, 9) == 6.0
#[smooth]
fn equal_values(n: usize, p: usize, k: usize, s: f64) -> f64 {
    let guarded = if n > 0 {
        sum(k, |i| {
            let q = p % n;
            if s > 2.0 { (q * q + i) as f64 } else { s }
        })
    } else {
        0.0
    };
    guarded + sum(k, |i| if s > 2.0 { ((p % n) * (p % n) + i) as f64 } else { s })
}

// The extent of rows, without any row: a size is checked at entry only if an array needs storage.
//~ prints(shared): (sum p (λ i. (sum (k % n) (λ j. (f64 (i + j))))))
#[smooth]
fn no_rows(p: usize, n: usize, k: usize) -> f64 {
    let x = build([p, k % n], |i, j| (i + j) as f64);
    sum(p, |i| sum(x[i].len(), |j| x[i][j]))
}

// A size that no longer depends on a loop is evaluated before the loop, and so is the index in it.
//~ run: in_a_size([], [7], []) == 0.0
//~ run: in_a_size([1, 2, 4], [1, 2], [1, 1]) == 184
#[smooth]
fn in_a_size(a: &[f64; n], b: &[f64; k], c: &[f64; q]) -> f64 {
    let x = build([q, n], |j, i| {
        let t = build(i + 1, |l| sum(l + 1, |h| a[h] * a[l]) + j as f64);
        sum(i + 1, |l| t[i - l] * t[l]) - sum(i + 1, |l| t[i - l])
    });
    sum(q, |j| x[j][b.len() % n] * c[j])
}

// An extreme inside a quotient is no border of its own.
//~ loops(stored): 1
//~ run: half([5, 6, 7], 1) == [5, 6, 7]
//~ run: half([5, 6, 7], 0) == [1, 1, 1]
#[smooth]
fn half(a: &[f64; n], k: usize) -> [f64; n] {
    build(n, |i| if (i.min(k) / 2).min(i) < k { a[i] } else { 1.0 })
}

// The condition of two terms that leave a loop is written twice only where it binds nothing.
//~ sums(stored): 1
//~ run: limited([1, 0], [1, 2], 0.5, true) == 8.154845485377137
//~ run: limited([1, 0], [1, 2], 0.5, false) == 0
#[smooth]
fn limited(a: &[f64; 2], b: &[f64; n], s: f64, yes: bool) -> f64 {
    sum(n, |i| {
        let c = if yes {
            let t = a[0];
            t * t
        } else {
            0.0
        };
        if c > s { a[0].exp() * b[i] + a[1].sin() * b[i] * b[i] } else { c }
    })
}
