//! Arrays whose size depends on a loop index: accepted where the loop says how large it gets.

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

/// Something that has to be stored: each element is dear, and read more than once and out of order.
#[smooth(float = "strict")]
fn turned(a: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let e = build(i + 1, |j| (a[j] * 0.5).exp());
        sum(i + 1, |j| e[i - j] * e[j / 2])
    })
}

/// The lower triangle by rows: `y = L x`.
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

/// Where the condition does not hold there is no such array.
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

#[smooth]
fn static_rows(a: &[f64; 6]) -> [f64; 6] {
    build(6, |i| {
        let e = build(i + 1, |j| a[j].exp());
        sum(i + 1, |j| e[i - j] * e[j])
    })
}

fn data(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 7 + 3) % 11) as f64 * 0.25 - 1.0).collect()
}

#[test]
fn sizes_that_change_from_round_to_round() {
    for n in 0..12 {
        let (a, l) = (data(n), data(n * (n + 1) / 2));
        assert_eq!(prefix_norms(&a), prefix_norms::reference(&a));
        assert_eq!(suffix_norms(&a), suffix_norms::reference(&a));
        assert_eq!(turned(&a), turned::reference(&a));
        assert_eq!(triangular(&l, &a), triangular::reference(&l, &a));
        assert_eq!(smoothed(&a, 2), smoothed::reference(&a, 2));
        assert_eq!(after_the_first(&a), after_the_first::reference(&a));
        assert_eq!(inner_loops(&a), inner_loops::reference(&a));
    }
    let a: [f64; 6] = data(6).try_into().unwrap();
    assert_eq!(static_rows(&a).to_vec(), static_rows::reference(&a));
}

/// The frame has room for the largest of them, and for no more (63 bytes are for its alignment).
#[test]
fn the_frame_is_that_of_the_largest() {
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

/// A row that is not there is found where it is asked for.
#[test]
#[should_panic(expected = "range end index 3 out of range for slice of length 2")]
fn slices_are_checked_where_they_stand() {
    triangular(&[1.0, 2.0], &[1.0, 1.0]);
}
