//! Column-major parameters and destinations, and tuples of them.

use maths::prelude::*;
use smooth_test_downstream::{layout, tuples};

/// Row-major and column-major kernels call each other; the layout does not change the value.
#[smooth(crate = maths, column_major(b, out))]
fn products<T: Real>(a: &[[T; 2]; n], b: &[[T; n]; 2]) -> [[T; n]; n] {
    let p = layout::product(a, b);
    let q = layout::product(p, p);
    build([n, n], |i, j| p[i][j] + q[j][i])
}

#[smooth(crate = maths)]
fn of_a_tuple(m: &[[f64; 2]; 2]) -> ([f64; 2], [[f64; 2]; 2], [f64; 2]) {
    let (d, e) = layout::diagonal::<_, 2>((m, 2.0));
    (d, e, layout::matvec(m, &[1.0, 10.0]))
}

/// A row of a strided matrix, and a contiguous one, for a kernel of another crate that is called and not inlined.
#[smooth(crate = maths, strided(m), passes(inline = false))]
fn sums_of_sums(m: &[[f64; k]; n]) -> [f64; k] {
    let doubled = build([n, k], |i, j| 2.0 * m[i][j]);
    let (a, b) = (layout::column_sums(m), layout::column_sums(doubled));
    let first = layout::column_sums(&m[0..1]);
    build(k, |j| a[j] + b[j] - first[j])
}

#[test]
fn strides_across_crates() {
    let data = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let m = View::new(&data, [2, 3]).strided().reversed(0).step_by(1, 2);
    assert_eq!(layout::column_sums(m), [5.0, 9.0]);
    assert_eq!(sums_of_sums(m), [11.0, 21.0]);
    let transposed = m.t();
    assert_eq!(sums_of_sums(transposed), [3.0 * 10.0 - 4.0, 3.0 * 4.0 - 1.0]);
}

#[test]
fn layouts_across_crates() {
    let a = [[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let b = [1.0f32, 0.5, 2.0, -1.0, 0.0, 3.0];
    let r = products(&a, View::column_major(&b, [2, 3]));
    let reference = products::reference(&a.map(|r| r.to_vec()), &[vec![1.0, 2.0, 0.0], vec![0.5, -1.0, 3.0]]);
    for i in 0..3 {
        for j in 0..3 {
            assert_eq!(r[[i, j]], reference[i][j]);
            assert_eq!(r.as_slice()[i + 3 * j], reference[i][j]);
        }
    }
    let mut out = [0.0; 9];
    let mut arena = Arena::new();
    products::into(ViewMut::column_major(&mut out, [3, 3]), &a, View::column_major(&b, [2, 3]), &mut arena);
    assert_eq!(out, r.as_slice());
    let got = of_a_tuple(&[[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(got, ([2.0, 8.0], [[0.0, 1.0], [3.0, 5.0]], [21.0, 43.0]));
}

#[test]
fn sizes_are_compared() {
    let m = [1.0f64, 3.0, 2.0, 4.0, 7.0, 8.0];
    let (d, e) = layout::diagonal::<f64, 2>((View::column_major(&m[..4], [2, 2]), 1.0));
    assert_eq!((d, e.as_slice()), ([1.0, 4.0], &[0.0, 3.0, 1.0, 5.0][..]));
    let (mut d, mut e) = ([7.0; 2], [7.0; 6]);
    for &shape in &[[2, 3], [3, 2]] {
        let m = View::column_major(&m, shape);
        let out = ViewMut::column_major(&mut e[..4], [2, 2]);
        let error = layout::diagonal::try_into::<f64, 2>(&mut d, out, (m, 1.0), &mut Arena::new()).unwrap_err();
        assert!(matches!(error, ShapeError::Mismatch { argument: "p.0", found: 3, expected: 2, .. }), "{:?}", error);
    }
    let m = View::column_major(&m[..4], [2, 2]);
    for &shape in &[[2, 3], [3, 2]] {
        let out = ViewMut::column_major(&mut e, shape);
        let error = layout::diagonal::try_into::<f64, 2>(&mut d, out, (m, 1.0), &mut Arena::new()).unwrap_err();
        assert!(
            matches!(error, ShapeError::Destination { destination: "out1", found: 3, expected: 2, .. }),
            "{:?}",
            error
        );
    }
    assert_eq!((d, e), ([7.0; 2], [7.0; 6]));
    let text = layout::matvec::try_call(View::column_major(&e, [2, 3]), &[1.0]).unwrap_err().to_string();
    assert_eq!(text, "matvec: argument x has length 1, but k = 3 (from argument m)");
}

#[test]
fn tuples_are_arguments_and_results() {
    let (a, w, pairs) = ([1.0, 2.0], [10.0, 100.0], [[1, 2], [3, 4]]);
    let p = ((&a[..], &w[..]), (0.5, (2, &pairs[..])));
    let want = (211.0, (vec![200.5, 10.5], (true, vec![3, 7])));
    assert_eq!(tuples::weighted(p), want);
    assert_eq!(tuples::weighted::reference(((&a, &w), (0.5, (2, &[vec![1, 2], vec![3, 4]])))), want);
    // Each array has a destination, in order; the numbers are returned.
    let (mut x, mut y) = ([0.0; 2], [0; 2]);
    assert_eq!(tuples::weighted::into(&mut x, &mut y, p, &mut Arena::new()), (211.0, true));
    assert_eq!((x, y), ([200.5, 10.5], [3, 7]));
    assert_eq!(tuples::weighted::shape([2], [2], 2, [2, 2]), ([], [2], [], [2]));
    let short = ((&a[..], &w[..]), (0.5, (2, &pairs[..1])));
    let text = tuples::weighted::try_call(short).unwrap_err().to_string();
    assert_eq!(text, "weighted: argument p.1.1.1 has length 1 along axis 0, but n = 2 (from argument p.0.0)");
    assert_eq!(tuples::through(&a, &pairs), tuples::through::reference(&a, &[vec![1, 2], vec![3, 4]]));
    assert_eq!(tuples::through(&a, &pairs), [5.5, 7.5]);
    let empty: [f64; 0] = [];
    assert_eq!(tuples::through(&empty, &[]), empty);
}

#[test]
fn patterns_destructure_tuples() {
    let (a, w) = ([1.0, 2.0], [10.0, 20.0, 30.0]);
    let want = (vec![2.0, 4.0], 60.0);
    assert_eq!(tuples::apart((&a, (2.0, 3)), (0.0, &w), &a), want);
    assert_eq!(tuples::apart::reference((&a, (2.0, 3)), (0.0, &w), &a), want);
    assert_eq!(tuples::apart_through(&a, &w), 66.0);
    assert_eq!(tuples::apart_through::reference(&a, &w), 66.0);
    assert_eq!(tuples::apart::shape([2], 3, [3], [2]), ([2], []));
    // Errors use the user's names.
    let text = |a: &[f64], k, b: &[f64]| tuples::apart::try_call((a, (2.0, k)), (0.0, &w), b).unwrap_err().to_string();
    assert_eq!(text(&a, 2, &a), "apart: argument w has length 3, but k = 2 (from argument k)");
    assert_eq!(text(&a, 3, &w), "apart: argument unused has length 3, but n = 2 (from argument a)");

    let (m, v) = ([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [[1.0f32, 10.0], [100.0, 1.0], [1.0, 1.0]]);
    let sums = tuples::by_columns((View::column_major(&m, [3, 2]), View::from(&v)), (2.0, 0.0));
    assert_eq!(sums, [2.0 * 41.0, 2.0 * 205.0, 2.0 * 9.0]);
    let rows = [vec![1.0, 4.0], vec![2.0, 5.0], vec![3.0, 6.0]];
    assert_eq!(tuples::by_columns::reference((&rows, &v.map(Vec::from)), (2.0, 0.0)), sums);
}

#[test]
fn each_matrix_has_its_destination() {
    let m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let (t, total, minus) = tuples::both(&m);
    assert_eq!((t.shape(), total, minus.shape()), ([3, 2], 21.0, [2, 3]));
    let (mut t, mut minus) = ([[0.0; 2]; 3], vec![0.0; 6]);
    let total = tuples::both::into(&mut t, ViewMut::new(&mut minus, [2, 3]), &m, &mut Arena::new());
    assert_eq!((t, total), ([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]], 21.0));
    assert_eq!(minus, [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0]);
    let error = tuples::both::try_into(&mut t, ViewMut::new(&mut minus, [3, 2]), &m, &mut Arena::new()).unwrap_err();
    assert_eq!(error.to_string(), "both: destination out1 has length 3 along axis 0, but the result has length 2");
}
