//! Arrays whose size depends on a loop index: accepted if the loop bounds it.

use smooth::prelude::*;

#[smooth]
fn norm(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * a[i]).sqrt()
}

#[smooth]
fn prefix_norms(a: &[f64; n]) -> [f64; n] {
    build(n, |i| norm(&a[..i + 1]))
}

#[smooth]
fn suffix_norms(a: &[f64; n]) -> [f64; n] {
    build(n, |i| norm(&a[i..]))
}

/// An array that is stored: its elements are expensive and read more than once and out of order.
#[smooth(float = "strict")]
fn turned(a: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let e = build(i + 1, |j| (a[j] * 0.5).exp());
        sum(i + 1, |j| e[i - j] * e[j / 2])
    })
}

/// `y = L x`; `l` has the rows of the lower triangle.
#[smooth]
fn triangular(l: &[f64; t], x: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let row = &l[i * (i + 1) / 2..i * (i + 1) / 2 + i + 1];
        sum(row.len(), |j| row[j] * x[j])
    })
}

#[smooth]
fn smoothed(a: &[f64; n], rounds: usize) -> [f64; n] {
    ifold(rounds, build(n, |i| a[i]), |s, _k| {
        build(n, |i| {
            let near = build(i + 1, |j| s[i - j].sin());
            let far = ifold(i, near, |x, _| build(x.len(), |j| x[x.len() - 1 - j] * 0.5 + x[j]));
            sum(far.len(), |j| far[j])
        })
    })
}

/// The array does not exist if the condition is false.
#[smooth]
fn after_the_first(a: &[f64; n]) -> [bool; n] {
    build(n, |i| {
        let d = build(i + 1, |j| a[j].exp());
        let all = sum(i + 1, |j| d[i - j] * d[j]);
        i > 0 && {
            let e = build(i - 1, |j| a[j].exp());
            sum(i - 1, |j| e[i - 2 - j] * e[j]) + d[0] > all
        }
    })
}

#[smooth]
fn inner_loops(a: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        sum(i, |k| {
            let e = build(i - 1, |j| (a[j] + a[k]).exp());
            sum(i - 1, |j| e[i - 2 - j] * e[j])
        })
    })
}

/// `n - 1` is negative if the loop has no iterations.
#[smooth(float = "strict")]
fn at_most_all_but_one(a: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let e = build((i + 1).min(n - 1), |j| a[j].exp());
        let f = build(i % 3 + (n - 1) / 2, |j| a[j / 2].exp());
        sum(e.len(), |j| e[e.len() - 1 - j] * e[j]) + sum(f.len(), |j| f[f.len() - 1 - j] * f[j])
    })
}

/// A count that depends on data, hoisted out of a loop.
#[smooth(float = "strict")]
fn counted_before(a: &[f64; n], b: &[f64; m], k: usize) -> [f64; n] {
    build(n, |i| {
        let c = (sum(m, |l| b[l]) as usize).min(k);
        sum(c, |j| {
            let t = build(j + 1, |q| (a[i] * q as f64).sin());
            sum(j + 1, |q| t[q] * t[j - q])
        })
    })
}

/// An index that is in range, but for which no upper bound can be derived.
#[smooth(float = "strict")]
fn at_a_remainder(a: &[f64; n], m: usize, s: usize) -> f64 {
    let v = build(m, |i| {
        let t = build(i + 1, |q| (a[q] * 0.5).sin());
        sum(i + 1, |q| t[q] * t[i - q])
    });
    v[s - (s / m) * m]
}

/// Under a condition, in a loop without iterations.
#[smooth(float = "strict")]
fn never_there(a: &[f64; n], c: bool, m: usize) -> f64 {
    if c {
        sum(m, |i| {
            let t = build(n - 5, |k| (a[k] + i as f64).sin());
            sum(n - 5, |k| t[k] * t[n - 6 - k])
        })
    } else {
        0.0
    }
}

/// Sizes that are negative if the condition is false.
#[smooth]
fn guarded(a: &[f64; n], m: usize) -> f64 {
    let parts = if m > 0 {
        let t = build(n / m, |k| a[k].sin());
        sum(n / m, |k| t[k] * t[n / m - 1 - k])
    } else {
        0.5
    };
    let rest = n > 3 && {
        let t = build((n - 3) / 2, |k| a[k].sin());
        sum((n - 3) / 2, |k| t[k] * t[(n - 3) / 2 - 1 - k]) > 0.0
    };
    if rest { parts } else { -parts }
}

/// Sizes whose product exceeds any memory.
#[smooth]
fn absurd(n: usize) -> f64 {
    let t = build([1099511627776 * n, 1099511627776 * n], |i, j| ((i + j) as f64).sin());
    sum(n, |i| sum(n, |j| t[i][j] * t[j][i]))
}

/// Deeply nested closures over numbers that are not sizes.
#[smooth]
fn mixed(x: usize) -> usize {
    let mix = |h: usize| h ^ (h >> 3);
    mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(
        mix(mix(mix(mix(mix(x))))),
    )))))))))))))))))))))))
}

#[smooth]
fn static_rows(a: &[f64; 6]) -> [f64; 6] {
    build(6, |i| {
        let e = build(i + 1, |j| a[j].exp());
        sum(i + 1, |j| e[i - j] * e[j])
    })
}

/// Arrays whose row lengths are those of another array.
#[smooth]
fn lengths(a: &[[f64; k]; n], (b, c): (&[[[i64; l]; k]; m], &[i64; l])) -> (usize, [[f64; k]; l], usize) {
    (k, build([l, k], |i, j| (c[i] + j as i64) as f64), a.len() + b.len() + l)
}

fn data(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 7 + 3) % 11) as f64 * 0.25 - 1.0).collect()
}

#[test]
fn sizes_that_change_from_iteration_to_iteration() {
    for n in 0..12 {
        let (a, l) = (data(n), data(n * (n + 1) / 2));
        assert_eq!(prefix_norms(&a), prefix_norms::reference(&a));
        assert_eq!(suffix_norms(&a), suffix_norms::reference(&a));
        assert_eq!(turned(&a), turned::reference(&a));
        assert_eq!(triangular(&l, &a), triangular::reference(&l, &a));
        assert_eq!(smoothed(&a, 2), smoothed::reference(&a, 2));
        assert_eq!(after_the_first(&a), after_the_first::reference(&a));
        assert_eq!(inner_loops(&a), inner_loops::reference(&a));
        assert_eq!(at_most_all_but_one(&a), at_most_all_but_one::reference(&a));
    }
    let (a, b) = (data(9), [1.5, 2.25]);
    assert_eq!(counted_before(&a, &b, 8), counted_before::reference(&a, &b, 8));
    for s in 0..20 {
        assert_eq!(at_a_remainder(&a, 7, s), at_a_remainder::reference(&a, 7, s));
    }
    assert_eq!(never_there(&[1.0], true, 0), 0.0);
    assert_eq!(never_there(&a, true, 2), never_there::reference(&a, true, 2));
    for (n, m) in [(0, 0), (1, 0), (2, 1), (3, 2), (9, 3), (9, 0)] {
        assert_eq!(guarded(&a[..n], m), guarded::reference(&a[..n], m), "{n} {m}");
    }
    assert_eq!(mixed(12345), mixed::reference(12345));
    assert!(matches!(absurd::try_into(2, &mut Arena::new()), Err(ShapeError::Overflow { .. })));
    let a: [f64; 6] = data(6).try_into().unwrap();
    assert_eq!(static_rows(&a).to_vec(), static_rows::reference(&a));
}

/// The frame holds the largest of them and no more, apart from 63 bytes for alignment.
#[test]
fn the_frame_holds_the_largest_array() {
    assert_eq!(turned::scratch([0]), 0);
    assert_eq!(turned::scratch([8]), 127);
    assert_eq!(turned::scratch([100]), 832 + 63);
    assert_eq!(prefix_norms::scratch([100]), 0);
    assert_eq!(triangular::scratch([55], [10]), 0);
    const FIXED: usize = static_rows::scratch();
    assert_eq!(FIXED, 0, "a local variable");
    let a = data(100);
    let mut memory = vec![std::mem::MaybeUninit::uninit(); turned::scratch([100])];
    let mut arena = Arena::on(&mut memory);
    let mut out = [0.0; 100];
    turned::into(&mut out, &a, &mut arena);
    assert_eq!(out.to_vec(), turned::reference(&a));
}

/// A row that does not exist panics at the slice.
#[test]
#[should_panic(expected = "range end index 3 out of range for slice of length 2")]
fn slices_are_checked_where_they_are_evaluated() {
    triangular(&[1.0, 2.0], &[1.0, 1.0]);
}

/// Slices of arrays that are built, which are read in place.
#[smooth]
fn parts_of_a_built_array(a: &[f64; n], k: usize, yes: bool) -> f64 {
    let d = build(n, |i| a[i] * 2.0 + 1.0);
    if yes {
        let c = &d[k..];
        sum(c.len(), |i| c[i])
    } else {
        0.5
    }
}
#[smooth]
fn inner_part_of_a_built_array(a: &[f64; n]) -> f64 {
    let d = build(n, |i| a[i] * 2.0 + 1.0);
    let c = &d[1..n - 1];
    sum(c.len(), |i| c[i])
}

#[test]
fn slices_of_built_arrays_are_checked_and_not_stored() {
    const { assert!(inner_part_of_a_built_array::scratch([9]) == 0) };
    let a = data(4);
    for n in 0..=4 {
        for k in 0..=n {
            let expected = parts_of_a_built_array::reference(&a[..n], k, true);
            assert_eq!(parts_of_a_built_array(&a[..n], k, true), expected);
        }
        assert_eq!(parts_of_a_built_array(&a[..n], n + 1, false), 0.5);
        let panics = std::panic::catch_unwind(|| parts_of_a_built_array(&a[..n], n + 1, true));
        assert!(panics.is_err());
    }
    assert_eq!(inner_part_of_a_built_array(&a), inner_part_of_a_built_array::reference(&a));
    assert_eq!(inner_part_of_a_built_array(&a[..2]), 0.0);
    let error = inner_part_of_a_built_array::try_call(&a[..1]).unwrap_err();
    assert_eq!(error.to_string(), "inner_part_of_a_built_array: slice d[1..n - 1] is out of range: 1..0 of length 1");
}

#[test]
fn the_reference_takes_a_length_from_the_array_that_has_it() {
    let a = [vec![0.5; 3], vec![1.5; 3]];
    let b = [vec![vec![1, 2]; 3], vec![vec![3, 4]; 3]];
    for (n, m, k) in [(2, 2, 3), (0, 1, 3), (1, 0, 3), (0, 0, 0)] {
        let (found, rows, all) = lengths::reference(&a[..n], (&b[..m], &[7, 8]));
        assert_eq!((found, rows.len(), rows[1].len(), all), (k, 2, k, n + m + 2));
    }
}

/// The macro does not know that this is 5.
const FIVE: usize = 5;

#[smooth]
fn turned_by_one(x: &[f64; FIVE]) -> [f64; FIVE] {
    [x[1], x[2], x[3], x[4], x[0]]
}

#[smooth]
fn turned_in_place(x: &mut [f64; FIVE], times: usize) {
    for _ in 0..times {
        *x = turned_by_one(x);
    }
}

#[smooth]
fn folded(x: &[f64; FIVE], times: usize) -> [f64; FIVE] {
    ifold(times, x.clone(), |s, _| [s[1], s[2], s[3], s[4], s[0]])
}

#[smooth]
fn chosen(x: &[f64; FIVE], own: bool) -> [f64; 5] {
    if own { x.clone() } else { [0.0, 1.0, 2.0, 3.0, 4.0] }
}

#[smooth]
fn second_row(x: &[f64; FIVE]) -> [[f64; 5]; 2] {
    let mut m = [[0.0; 5]; 2];
    m[1] = x.clone();
    m
}

/// A constant and a number may be the same size: rustc compares them.
#[test]
fn constants_and_numbers() {
    let x = [0.0, 1.0, 2.0, 3.0, 4.0];
    let mut y = x;
    turned_in_place(&mut y, 2);
    assert_eq!((y, folded(&x, 2)), ([2.0, 3.0, 4.0, 0.0, 1.0], y));
    assert_eq!(y.to_vec(), folded::reference(&x, 2));
    assert_eq!((chosen(&x, true), chosen(&y, false)), (x, x));
    assert_eq!(second_row(&x), [[0.0; 5], x]);
}

/// A letter without case is not an upper-case letter: the name is a size, or a function.
#[smooth]
fn 回文(列: &[f64; 个]) -> [f64; 个] {
    let 末 = 个 - 1;
    build(个, |i| 列[i] + 列[末 - i])
}

#[smooth]
fn of_names_without_case(a: &[f64; 个], 名: &[f64; 个]) -> ([f64; 个], [f64; 个], usize) {
    (回文(a), twice(回文, 名), 个)
}

#[smooth]
fn twice(f: impl Fn(&[f64; m]) -> [f64; m], a: &[f64; m]) -> [f64; m] {
    f(&f(a))
}

#[test]
fn letters_without_case() {
    let (a, b) = ([1.0, 2.0], [0.5, 0.25]);
    let expected = (vec![3.0, 3.0], vec![1.5, 1.5], 2);
    assert_eq!((of_names_without_case(&a, &b), of_names_without_case::reference(&a, &b)), (expected.clone(), expected));
    assert!(of_names_without_case::try_call(&a, &b[1..]).is_err());
}
