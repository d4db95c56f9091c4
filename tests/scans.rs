//! Scans: all states of a fold, as an array.
#![allow(clippy::float_cmp, reason = "the bits are the subject")]

use smooth::prelude::*;

#[smooth]
fn running(a: &[f64; n]) -> [f64; n] {
    scan(n, 0.0, |s, i| s + a[i])
}

#[smooth]
fn offsets(counts: &[usize; n]) -> [usize; n] {
    scan_exclusive(n, 0, |s, i| s + counts[i])
}

#[smooth]
fn largest_so_far(a: &[f32; n]) -> [f32; n] {
    scan(n, f32::NEG_INFINITY, |s, i| s.max(a[i]))
}

#[test]
fn states_are_in_source_order() {
    let a: Vec<f64> = (0..40).map(|i| 0.1 + i as f64 * 0.01).collect();
    let mut s = 0.0;
    let by_hand: Vec<f64> = a
        .iter()
        .map(|x| {
            s += x;
            s
        })
        .collect();
    assert_eq!((running(&a), running::reference(&a)), (by_hand.clone(), by_hand));
    assert_eq!((offsets(&[3, 1, 4]), offsets::reference(&[3, 1, 4])), (vec![0, 3, 4], vec![0, 3, 4]));
    assert_eq!(largest_so_far(&[1.0, 3.0, 2.0]), [1.0, 3.0, 3.0]);
    assert_eq!((running(&[]), offsets(&[])), (vec![], vec![]));
    assert_eq!((offsets::shape([7]), running::scratch([1000]), offsets::scratch([1000])), ([7], 0, 0));
}

#[smooth]
fn table(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    scan(n, [0.0; k], |row, i| build(k, |j| row[j] + m[i][j]))
}

#[smooth]
fn before(rows: usize, start: &[i64; k]) -> [[i64; k]; rows] {
    scan_exclusive(rows, start.clone(), |row, i| {
        build(k, |j| if j == 0 { row[j] } else { row[j] + row[j - 1] + i as i64 })
    })
}

#[test]
fn states_are_rows() {
    assert_eq!(table(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).as_slice(), [1.0, 2.0, 4.0, 6.0, 9.0, 12.0]);
    assert_eq!(before(3, &[1, 0, 0]).as_slice(), [1, 0, 0, 1, 1, 0, 1, 3, 2]);
    assert_eq!(before::reference(3, &[1, 0, 0]), [[1, 0, 0], [1, 1, 0], [1, 3, 2]]);
    // The states are in the destination; a row before a step and one after it are not.
    assert_eq!((table::scratch([100, 4]), before::scratch(100, [4])), (128 + 63, 128 + 63));
    assert_eq!(before(0, &[1, 2]).shape(), [0, 2]);
}

/// Fibonacci numbers and their sums, and the row of both.
#[smooth]
fn fibonacci(n: usize) -> ([u64; n], [u64; n], [[u64; 2]; n]) {
    let (a, (total, rows)) =
        scan(n, (0, (0, [0, 1])), |(_, (t, r)): (u64, (u64, [u64; 2])), _| (r[0], (t + r[0], [r[1], r[0] + r[1]])));
    (a, total, rows)
}

#[test]
fn states_are_tuples() {
    let expected = (vec![0, 1, 1, 2, 3], vec![0, 1, 2, 4, 7], vec![[1, 1], [1, 2], [2, 3], [3, 5], [5, 8]]);
    assert_eq!(fibonacci(5), expected);
    let (a, t, rows) = fibonacci::reference(5);
    assert_eq!((a, t), (expected.0, expected.1));
    assert_eq!(rows[4], [5, 8]);
}

#[smooth]
fn smoothed_total(a: &[f64; n], by: f64) -> f64 {
    let smooth = scan(n, a[0], |s, i| s + by * (a[i] - s));
    sum(n, |i| smooth[i])
}

#[smooth]
fn of_rows(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    build(n, |i| scan(k, 1.0, |p, j| p * m[i][j]))
}

#[test]
fn scans_are_values() {
    let a = [1.0, 3.0, 2.0, 5.0];
    assert!((smoothed_total(&a, 0.5) - smoothed_total::reference(&a, 0.5)).abs() < 1e-12);
    assert_eq!(of_rows(&[[2.0, 3.0], [4.0, 5.0]]).as_slice(), [2.0, 6.0, 4.0, 20.0]);
    assert_eq!(of_rows::scratch([2, 2]), 0);
}

/// Positions and speeds of a falling ball, as an array of pairs.
#[smooth]
fn heights(n: usize, dt: f64) -> [f64; n] {
    let path = scan(n, (10.0, 0.0), |(x, v), _| (x + v * dt, v - 10.0 * dt));
    build(n, |i| path[i].0 + 0.5 * path[i].1)
}

#[test]
fn states_are_an_array_of_tuples() {
    assert_eq!(heights(3, 0.5), [7.5, 2.5, -5.0]);
    assert_eq!(heights::reference(3, 0.5), [7.5, 2.5, -5.0]);
}
