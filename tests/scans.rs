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
    // Each state is written in its place, and read there by the next step.
    assert_eq!((table::scratch([100, 4]), before::scratch(100, [4])), (0, 0));
    assert_eq!(before(0, &[1, 2]).shape(), [0, 2]);
}

/// A row that a loop changes and keeps, before it is changed and after.
#[smooth]
fn kept_before(w: &[f64; m], n: usize) -> [[f64; m]; n] {
    let mut row = w.clone();
    let mut all = [[0.0; m]; n];
    for i in 0..n {
        all[i] = row;
        for j in 0..m {
            row[j] += 0.5 * i as f64;
        }
    }
    all
}

#[smooth]
fn kept_after(w: &[f64; m], n: usize) -> ([[f64; m]; n], f64) {
    let mut row = w.clone();
    let mut all = [[0.0; m]; n];
    let mut total = 0.0;
    for i in 0..n {
        row = build(m, |j| row[j] + 0.5 * row[(j + 1) % m]);
        all[n - 1 - i] = row;
        total += row[0];
    }
    (all, total)
}

/// Rows of Pascal's triangle, modulo a prime, each computed from the one before.
#[smooth]
fn pascal(n: usize) -> [[u64; n]; n] {
    let mut a = [[0; n]; n];
    for i in 0..n {
        a[i] = build(n, |j| {
            if j == 0 || j == i {
                1
            } else if i == 0 || j > i {
                0
            } else {
                (a[i - 1][j - 1] + a[i - 1][j]) % 10007
            }
        });
    }
    a
}

/// Planes of a stencil that wraps.
#[smooth]
fn planes(start: &[[f64; m]; k], n: usize) -> [[[f64; m]; k]; n] {
    scan(n, start.clone(), |p, i| build([k, m], |x, y| 0.25 * (p[x][(y + 1) % m] + p[(x + 1) % k][y]) + i as f64))
}

#[test]
fn rows_are_written_in_their_places() {
    for (m, n) in [(1, 0), (1, 1), (3, 1), (2, 5), (8, 17)] {
        let w: Vec<f64> = (0..m).map(|j| 0.25 + j as f64).collect();
        assert_eq!(kept_before(&w, n).as_slice(), kept_before::reference(&w, n).concat());
        let ((all, total), (same, also)) = (kept_after(&w, n), kept_after::reference(&w, n));
        assert_eq!((all.as_slice(), total), (&*same.concat(), also));
        assert_eq!(pascal(n).as_slice(), pascal::reference(n).concat());
        let start = vec![vec![0.25; 3], vec![1.5, -2.0, 0.125]];
        let same = planes::reference(&start, n).concat().concat();
        assert_eq!(planes(&[[0.25; 3], [1.5, -2.0, 0.125]], n).as_slice(), same);
    }
    assert_eq!((kept_before::scratch([4], 9), pascal::scratch(9)), (0, 0));
    // The number is computed from the row after the row is stored.
    assert_eq!((kept_after::scratch([4], 9), planes::scratch([3, 4], 9)), (64 + 63, 0));
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

/// Three steps in two buffers for each row, next to reads of the row before.
#[smooth]
fn in_substeps(u: &[f64; n], steps: usize) -> [[f64; n]; steps] {
    scan(steps, u.clone(), |u, _| ifold(3, u.clone(), |v, _| build(n, |i| 0.5 * (v[i] + v[n - 1 - i]))))
}

#[test]
fn rows_in_substeps() {
    let u = [1.0, 2.0, 4.0, 9.0];
    assert_eq!(in_substeps(&u, 2).as_slice(), [5.0, 3.0, 3.0, 5.0, 5.0, 3.0, 3.0, 5.0]);
    assert_eq!(in_substeps(&u, 3).as_slice(), in_substeps::reference(&u, 3).concat());
}

/// Pairs that are turned around and exchanged at each step.
#[smooth]
fn pairs(a: &[u8; n], k: usize) -> [[(u8, u8); n]; k] {
    scan(k, build(n, |i| (a[i], 0)), |s, _| build(n, |i| (s[n - 1 - i].1, s[i].0)))
}

#[smooth]
fn pairs_before(a: &[u8; n], k: usize) -> [[(u8, u8); n]; k] {
    scan_exclusive(k, build(n, |i| (a[i], 0)), |s, _| build(n, |i| (s[n - 1 - i].1, s[i].0)))
}

/// An array of tuples in a tuple, and a tuple in a tuple of the array.
#[smooth]
fn nested(a: &[f64; n], k: usize) -> [(usize, [(f64, (usize, f64)); n]); k] {
    scan(k, (0, build(n, |i| (a[i], (i, 0.5)))), |(count, rows): (usize, [(f64, (usize, f64))]), t| {
        let next = build(n, |i| (rows[i].0 + rows[n - 1 - i].1.1, (rows[i].1.0 + t, rows[i].0)));
        (count + next[0].1.0, next)
    })
}

/// Tables of tuples: states of two dimensions.
#[smooth]
fn tables(m: &[[f64; 2]; n], k: usize) -> (f64, usize) {
    let states = scan_exclusive(k, build([n, 2], |i, j| (m[i][j], i)), |s, t| {
        build([n, 2], |i, j| (s[i][1 - j].0 * 2.0, s[n - 1 - i][j].1 + t))
    });
    (sum(k, |t| sum(n, |i| sum(2, |j| states[t][i][j].0))), sum(k, |t| sum(n, |i| states[t][i][0].1)))
}

#[test]
fn states_are_arrays_of_tuples() {
    let mut state: Vec<(u8, u8)> = vec![(1, 0), (2, 0), (3, 0)];
    let (mut after, mut before) = (vec![], vec![]);
    for _ in 0..4 {
        before.push(state.clone());
        state = (0..3).map(|i| (state[2 - i].1, state[i].0)).collect();
        after.push(state.clone());
    }
    let flat = |states: &[Vec<(u8, u8)>]| -> (Vec<u8>, Vec<u8>) { states.concat().into_iter().unzip() };
    let (x, y) = pairs(&[1, 2, 3], 4);
    assert_eq!((x.as_slice().to_vec(), y.as_slice().to_vec()), flat(&after));
    let (x, y) = pairs_before(&[1, 2, 3], 4);
    assert_eq!((x.as_slice().to_vec(), y.as_slice().to_vec()), flat(&before));
    let (x, y) = pairs(&[1, 2, 3], 4);
    let (u, v) = pairs::reference(&[1, 2, 3], 4);
    assert_eq!((x.as_slice().to_vec(), y.as_slice().to_vec()), (u.concat(), v.concat()));
    assert_eq!(pairs(&[1], 0).0.shape(), [0, 1]);
}

#[test]
fn states_have_arrays_of_tuples_inside() {
    let (count, (x, (k, y))) = nested(&[1.0, 2.0, 4.0], 3);
    let (want_count, (want_x, (want_k, want_y))) = nested::reference(&[1.0, 2.0, 4.0], 3);
    assert_eq!(
        (count, x.as_slice().to_vec(), k.as_slice().to_vec(), y.as_slice().to_vec()),
        (want_count, want_x.concat(), want_k.concat(), want_y.concat())
    );
    let mut state = (0usize, vec![(1.0, (0, 0.5)), (2.0, (1, 0.5)), (4.0, (2, 0.5))]);
    for t in 0..3 {
        let rows = state.1;
        let next: Vec<_> = (0..3).map(|i| (rows[i].0 + rows[2 - i].1.1, (rows[i].1.0 + t, rows[i].0))).collect();
        state = (state.0 + next[0].1.0, next);
        assert!((0..3).all(|i| (x[[t, i]], k[[t, i]], y[[t, i]]) == (state.1[i].0, state.1[i].1.0, state.1[i].1.1)));
    }
    let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    assert_eq!(tables(&m, 3), (21.0 + 42.0 + 84.0, 3 + 3 + 6));
}
