//! Iterators of `for` loops with adapters, and `matches!`: kernel, reference and plain Rust agree.

use smooth::prelude::*;

#[macro_use]
mod same;

same! {
    side_by_side [n = 3, m = 5] (a: &[f64; n], b: &[f64; m]) -> (f64, f64) {
        let (mut s, mut t) = (0.0, 0.0);
        for (x, y) in a.iter().zip(b.iter()) {
            s = s * 2.0 + x * y;
        }
        for (&y, x) in b.iter().zip(a) {
            t = t * 3.0 + x - y;
        }
        (s, t)
    } on (&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0, 7.0, 8.0]);

    neighbours [n = 4] (a: &[f64; n]) -> [f64; n] {
        let mut d = [0.0; n];
        for (d, (x, y)) in d.iter_mut().zip(a.iter().zip(a.iter().skip(1))) {
            *d = y - x;
        }
        d
    } on (&[1.0, 4.0, 9.0, 16.0]);

    two_places [n = 4, m = 3] (a: &[f64; n], b: &[f64; m], most: usize) -> ([f64; n], [f64; m]) {
        let (mut a, mut b) = (a.clone(), b.clone());
        for (i, (x, y)) in a.iter_mut().zip(b.iter_mut().take(most)).enumerate().rev().step_by(2) {
            let before = *x;
            *x = *y + i as f64;
            *y = before;
        }
        (a, b)
    } on (&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0], 2), (&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0], 9),
         (&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0], 0);

    rows [n = 2] (v: &[f64; n]) -> f64 {
        let mut m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        for (row, s) in m.iter_mut().zip(v.iter().rev()) {
            for (x, j) in row.iter_mut().skip(1).zip(1..9) {
                *x *= s * j as f64;
            }
        }
        let mut sum = 0.0;
        for row in m.iter() {
            for x in row.iter() {
                sum = sum * 10.0 + x;
            }
        }
        sum
    } on (&[2.0, 3.0]);

    // A loop over a mutable reference is over places, with or without `iter_mut`.
    references [n = 3] (v: &[f64; n], last: usize) -> ([[f64; 3]; 2], f64) {
        let mut m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        for (row, y) in m.iter_mut().zip(v) {
            for x in row {
                *x += y;
            }
        }
        {
            let row = &mut m[last];
            for (x, k) in row.into_iter().zip(1..9) {
                *x *= k as f64;
            }
        }
        let mut s = 0.0;
        let row = m[0];
        for x in row {
            s = 10.0 * s + x;
            m[0][1] = s;
        }
        let all = &mut m;
        for row in all {
            row[0] = -row[0];
        }
        (m, s)
    } on (&[1.0, 2.0, 3.0], 1), (&[0.5, 0.25, 0.0], 0);

    parts [] (n: usize, skip: usize, take: usize) -> [usize; 5] {
        let mut seen = [0; 5];
        let mut at = 0;
        for i in (0..n).skip(skip).take(take) {
            seen[at] = i;
            at += 1;
        }
        for i in (0..n).step_by(3).skip(skip).rev().take(2) {
            seen[at] = 10 * i;
            at += 1;
        }
        for (i, k) in (0..n).take(take).skip(skip).enumerate() {
            seen[4] += 100 * i + k;
        }
        seen
    } on (9, 2, 2), (9, 0, 0), (9, 8, 1), (9, 9, 2), (0, 0, 2), (7, usize::MAX, 1), (3, 1, usize::MAX);

    // An operand of an adapter that assigns.
    in_order [n = 4] (a: &[f64; n]) -> (f64, usize) {
        let (mut s, mut k) = (0.0, 0);
        for (x, y) in a.iter().skip({ k += 1; k }).zip(a.iter().take({ k += 1; k })) {
            s = s * 10.0 + x * y;
        }
        (s, k)
    } on (&[1.0, 2.0, 3.0, 4.0]);

    left_early [n = 4] (a: &[i64; n], b: &[i64; n]) -> i64 {
        let mut s = 0;
        for (x, y) in a.iter().zip(b) {
            if x == y {
                continue;
            }
            if *x > 5 {
                break;
            }
            s += x * y;
        }
        s
    } on (&[1, 2, 3, 9], &[1, 5, 6, 7]), (&[8, 2, 3, 4], &[1, 5, 6, 7]);

    matching [] (x: i32, b: bool) -> (bool, bool, bool) {
        let first = matches!(x, 1 | 3..=5);
        (first, !matches!((x, b), (4, true)), first && std::matches!(x, y if y > 3))
    } on (0, true), (1, false), (3, true), (4, true), (4, false), (5, true), (6, true);

    matching_last [] (x: u8) -> bool {
        matches!(x, b'a'..=b'z' | b'_')
    } on (b'a'), (b'_'), (b'A');
}

#[smooth]
fn scaled_rows(m: &mut [[f64; k]; n], by: &[f64; n], shift: &mut [f64; k]) {
    for (row, y) in m.into_iter().zip(by) {
        for (x, s) in row.iter_mut().zip(shift.iter()) {
            *x = *x * y + s;
        }
    }
    // A closure's parameter has the name, and ends with it.
    let none = sum(k, |shift| shift as f64) * 0.0;
    for s in shift {
        *s = none - *s;
    }
}

/// Of a pattern of arrays the names are copies, as in any loop over values.
#[smooth]
fn products(m: &mut [[f64; 2]; n]) -> f64 {
    let mut s = 0.0;
    for [a, b] in m {
        s += a * b;
    }
    s
}

#[test]
fn loops_over_mutable_parameters_are_over_places() {
    let (mut m, mut shift) = ([[1.0, 2.0], [3.0, 4.0]], [0.5, 0.25]);
    scaled_rows(&mut m, &[2.0, 3.0], &mut shift);
    assert_eq!((m, shift), ([[2.5, 4.25], [9.5, 12.25]], [-0.5, -0.25]));
    let (mut m, mut shift) = (vec![vec![1.0, 2.0], vec![3.0, 4.0]], vec![0.5, 0.25]);
    scaled_rows::reference(&mut m, &[2.0, 3.0], &mut shift);
    assert_eq!((m, shift), (vec![vec![2.5, 4.25], vec![9.5, 12.25]], vec![-0.5, -0.25]));
    assert_eq!(products(&mut [[2.0, 3.0], [4.0, 5.0]]), 26.0);
    assert_eq!(products::reference(&mut [vec![2.0, 3.0], vec![4.0, 5.0]]), 26.0);
}
