//! Column-major parameters and destinations.

use smooth::prelude::*;
use std::panic::catch_unwind;

#[smooth(column_major(m))]
fn matvec(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * x[j]))
}

#[smooth(column_major(m, out))]
fn scaled(m: &[[f64; k]; n], s: f64) -> [[f64; k]; n] {
    build([n, k], |i, j| m[i][j] * s)
}

/// Reads rows of the arguments and builds columns of the result.
#[smooth(column_major(a, out1))]
fn rows_and_columns(a: &[[f64; 3]; n], b: &[[f64; 3]; n]) -> ([[f64; 3]; n], [[f64; n]; 3], f64) {
    let row = |i: usize| &a[i];
    let c = build(n, |i| {
        let r = row(i);
        build(3, |j| r[j] + b[i][j])
    });
    let d = build([3, n], |j, i| c[i][j]);
    (c, d, sum(n, |i| c[i][0]))
}

#[smooth(column_major(t, out))]
fn rank_three(t: &[[[i32; c]; b]; a]) -> [[[i32; c]; b]; a] {
    build([a, b, c], |i, j, k| t[i][j][k] + (100 * i + 10 * j + k) as i32)
}

/// The caller's own arrays are row-major; nothing is stored in between.
#[smooth]
fn through(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
    let twice = scaled(m, 2.0);
    matvec(twice, x)
}

/// The result is the state of a fold, which is transposed at the end.
#[smooth(column_major(out))]
fn powers(m: &[[f64; n]; n], steps: usize) -> [[f64; n]; n] {
    ifold(steps, m.clone(), |p, _| build([n, n], |i, j| sum(n, |k| p[i][k] * m[k][j])))
}

#[smooth(column_major(m))]
fn generic<T: Real, const N: usize>(m: &[[T; N]; N]) -> T {
    sum(N, |i| m[i][i] * (i + 1) as T)
}

/// `[[1, 2, 3], [4, 5, 6]]`, column-major.
const BY_COLUMNS: [f64; 6] = [1.0, 4.0, 2.0, 5.0, 3.0, 6.0];

#[test]
fn column_major_arguments() {
    let m = View::column_major(&BY_COLUMNS, [2, 3]);
    assert_eq!(matvec(m, &[1.0, 10.0, 100.0]), [321.0, 654.0]);
    assert_eq!(matvec::reference(&[vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]], &[1.0, 10.0, 100.0]), [321.0, 654.0]);
    assert_eq!((matvec::shape([2, 3], [3]), matvec::scratch([2, 3], [3])), ([2], 0));
    let error = matvec::try_call(m, &[1.0, 2.0]).unwrap_err();
    assert_eq!(error.to_string(), "matvec: argument x has length 2, but k = 3 (from argument m)");
    assert_eq!(generic::<_, 2>(View::column_major(&[1.0f32, 0.5, 0.25, 2.0], [2, 2])), 5.0);
    let error = generic::try_call::<f64, 2>(m).unwrap_err();
    assert!(matches!(error, ShapeError::Mismatch { argument: "m", axis: 1, found: 3, expected: 2, .. }), "{error:?}");
}

#[test]
fn column_major_results() {
    let owned: Array<f64, 2, ColumnMajor> = scaled(View::column_major(&BY_COLUMNS, [2, 3]), 10.0);
    assert_eq!((owned.shape(), owned.as_slice()), ([2, 3], [10.0, 40.0, 20.0, 50.0, 30.0, 60.0].as_slice()));
    assert_eq!(owned[[1, 2]], 60.0);
    let mut out = [0.0; 6];
    scaled::into(ViewMut::column_major(&mut out, [2, 3]), &owned, 0.1, &mut Arena::new());
    assert_eq!(out, BY_COLUMNS);
    let error = scaled::try_into(ViewMut::column_major(&mut out, [3, 2]), &owned, 0.1, &mut Arena::new()).unwrap_err();
    assert_eq!(error.to_string(), "scaled: destination out has length 3 along axis 0, but the result has length 2");
    assert_eq!((scaled::shape([2, 3]), scaled::scratch([2, 3])), ([2, 3], 0));
}

#[test]
fn column_major_results_in_tuples() {
    let a = View::column_major(&BY_COLUMNS, [2, 3]);
    let (c, d, s) = rows_and_columns(a, &[[10.0; 3], [20.0; 3]]);
    assert_eq!(c, [[11.0, 12.0, 13.0], [24.0, 25.0, 26.0]]);
    assert_eq!((d.shape(), d.as_slice()), ([3, 2], [11.0, 12.0, 13.0, 24.0, 25.0, 26.0].as_slice()));
    assert_eq!(s, 35.0);
    let reference =
        rows_and_columns::reference(&[vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]], &[vec![10.0; 3], vec![20.0; 3]]);
    assert_eq!(reference.1, [[11.0, 24.0], [12.0, 25.0], [13.0, 26.0]]);
}

#[test]
fn column_major_arrays_of_rank_3() {
    let t = Array::<i32, 3, ColumnMajor>::column_major((0..24).map(|_| 1000).collect(), [2, 3, 4]);
    let r = rank_three(&t);
    assert_eq!(r.shape(), [2, 3, 4]);
    for (i, j, k) in [(0, 0, 0), (1, 2, 3), (0, 2, 1), (1, 0, 2)] {
        assert_eq!(r[[i, j, k]], 1000 + (100 * i + 10 * j + k) as i32);
        assert_eq!(r.as_slice()[i + 2 * j + 6 * k], r[[i, j, k]]);
    }
}

#[test]
fn layouts_do_not_matter_between_kernels() {
    let m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    assert_eq!(through(&m, &[1.0, 10.0, 100.0]), [642.0, 1308.0]);
    assert_eq!(through::scratch([2, 3], [3]), 0);
    assert_eq!(through::reference(m.map(|r| r.to_vec()), &[1.0, 10.0, 100.0]), [642.0, 1308.0]);
    let p = powers(&[[1.0, 1.0], [0.0, 1.0]], 4);
    assert_eq!(p.as_slice(), [1.0, 0.0, 5.0, 1.0]);
    assert_eq!(p[[0, 1]], 5.0);
}

#[smooth(column_major(m))]
fn pick(m: &[[f64; k]; n], i: usize, j: usize) -> f64 {
    m[i][j]
}

#[smooth(column_major(t))]
fn pick_of_three(t: &[[[f64; c]; b]; a], i: usize, j: usize, k: usize) -> f64 {
    let r = &t[i];
    r[j][k]
}

/// A caller of a kernel for columns, with a row-major matrix.
#[smooth]
fn picked(m: &[[f64; k]; n], i: usize, j: usize) -> f64 {
    pick(m, i, j)
}

#[smooth(column_major(m))]
fn without_iterations(m: &[[f64; k]; n], u: &[usize; l], p: usize) -> [f64; p] {
    build(p, |_| m[k % n][u[0] % k])
}

/// Rows, slices, lengths and kernels, next to an element at an index from the data.
#[smooth(column_major(m))]
fn in_all_ways(m: &[[f64; k]; n], u: &[usize; n], x: &[f64; k]) -> [f64; n] {
    let product = matvec(m, x);
    build(n, |i| {
        let row = &m[i];
        let tail = &m[i][1..k];
        product[i] + m[i][u[i]] + sum(row.len(), |j| row[j]) + sum(tail.len(), |j| tail[j]) + m.len() as f64
    })
}

/// The message of a panic.
#[track_caller]
fn panic_of<T: std::fmt::Debug>(f: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(f).expect_err("no panic");
    let text = panic.downcast_ref::<&str>().map(|s| s.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).expect("a message")
}

#[test]
fn an_element_at_any_index_is_one_load() {
    let m = View::column_major(&BY_COLUMNS, [2, 3]);
    let rows = [vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]];
    assert_eq!((pick(m, 1, 0), pick(m, 0, 2)), (4.0, 3.0));
    assert_eq!((pick::scratch([1000, 1000], 1, 1), picked::scratch([1000, 1000], 1, 1)), (0, 0));
    assert_eq!(pick_of_three::scratch([10, 10, 10], 1, 1, 1), 0);
    assert_eq!(picked(View::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]), 1, 2), 6.0);
    // The panic is the reference's, also where both indices are out of range.
    for (i, j) in [(2, 0), (0, 3), (2, 3), (5, 2), (1, 5), (7, 9)] {
        let message = panic_of(|| pick::reference(&rows, i, j));
        assert_eq!(panic_of(|| pick(m, i, j)), message, "m[{i}][{j}]");
    }
    assert_eq!(panic_of(|| pick(m, 5, 7)), "index out of bounds: the len is 2 but the index is 5");
    let t = Array::<f64, 3, ColumnMajor>::column_major((0..24).map(|x| x as f64).collect(), [2, 3, 4]);
    assert_eq!(pick_of_three(&t, 1, 2, 3), 23.0);
    for (at, text) in [([2, 3, 4], "len is 2"), ([1, 3, 4], "len is 3"), ([1, 2, 4], "len is 4")] {
        let [i, j, k] = at;
        assert!(panic_of(|| pick_of_three(&t.clone(), i, j, k)).contains(text), "{at:?}");
    }
}

#[test]
fn a_loop_without_iterations_evaluates_no_index() {
    assert_eq!(without_iterations(View::column_major(&[], [0, 3]), &[1], 0), []);
    assert_eq!(without_iterations(View::column_major(&[], [0, 0]), &[], 0), []);
    assert_eq!(without_iterations(View::column_major(&BY_COLUMNS, [2, 3]), &[4], 2), [5.0, 5.0]);
    assert_eq!(without_iterations::scratch([20, 30], [1], 5), 0);
}

#[test]
fn what_is_not_an_element_is_as_before() {
    let m = View::column_major(&BY_COLUMNS, [2, 3]);
    let rows = [vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]];
    let x = [1.0, 10.0, 100.0];
    assert_eq!(in_all_ways(m, &[2, 0], &x), in_all_ways::reference(&rows, &[2, 0], &x));
    assert_eq!(panic_of(|| in_all_ways(m, &[2, 3], &x)), "index out of bounds: the len is 3 but the index is 3");
}
