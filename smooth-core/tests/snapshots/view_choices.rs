//! An array that a condition selects is read in place: no array is copied to be selected.

//~ copies(stored): 0
//~ allocs(stored): 0
//~ loops(stored): 1
//~ run: one_of(true, [1, 2], [3, 4]) == 5
//~ run: one_of(false, [1, 2], [3, 4]) == 25
#[smooth]
fn one_of(c: bool, a: &[f64; n], b: &[f64; n]) -> f64 {
    let x = if c { a } else { b };
    sum(n, |i| x[i] * x[i])
}

// Selected for each element.
//~ copies(stored): 0
//~ allocs(stored): 0
//~ run: larger([1, 5], [3, 4]) == [3, 5]
#[smooth]
fn larger(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let x = if a[i] > b[i] { a } else { b };
        x[i]
    })
}

// A row that is either computed or zero.
//~ arrays(stored): 0
//~ run: positive_rows([1, -1], [2, 3]) == 5
#[smooth]
fn positive_rows(a: &[f64; n], b: &[f64; k]) -> f64 {
    let m = build(n, |i| if a[i] > 0.0 { build(k, |j| a[i] * b[j]) } else { [0.0; k] });
    sum(n, |i| sum(k, |j| m[i][j]))
}

// A part of an array without a name is a view, not a copy.
//~ copies(stored): 0
//~ run: rest([1, 4, 9]) == 5
#[smooth]
fn rest(a: &[f64; n]) -> f64 {
    let r = build(n, |i| a[i].sqrt());
    let tail = &r[1..];
    vector_sum(tail)
}
