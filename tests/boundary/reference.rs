//! `f::reference` takes what `f` takes, and nested vectors.
#![allow(clippy::unnecessary_to_owned, reason = "the tests are about what is passed")]
use super::*;

#[smooth]
fn mat_vec(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * x[j]))
}

#[smooth]
fn norms(a: &[[f64; 3]; n]) -> [f64; n] {
    build(n, |i| a[i][0] + 10.0 * a[i][1] + 100.0 * a[i][2])
}

#[smooth]
fn trace(a: &[[f32; 2]; 2]) -> f32 {
    a[0][0] + a[1][1]
}

#[smooth]
fn generic<T: Real, const K: usize>(a: &[[T; K]; n]) -> [T; K] {
    build(K, |j| sum(n, |i| a[i][j]))
}

#[smooth]
fn planes(a: &[[[i32; k]; 2]; n]) -> i32 {
    sum(n, |i| sum(k, |j| a[i][0][j] - a[i][1][j]))
}

#[smooth(column_major(a), strided(b, x))]
fn of_layouts(a: &[[f64; k]; n], b: &[[f64; k]; n], x: &[f64; k]) -> [[f64; k]; n] {
    build([n, k], |i, j| (a[i][j] - b[i][j]) * x[j])
}

#[smooth]
fn with_parts(m: (&[[f64; k]; n], &[f64; n]), s: (f64, f64), f: impl Fn(f64) -> f64) -> f64 {
    sum(n, |i| f(m.0[i][0]) * m.1[i]) + s.0 * s.1
}

#[smooth]
fn pairs(a: &[[(f64, usize); k]; n]) -> f64 {
    sum(n, |i| sum(k, |j| a[i][j].0 * a[i][j].1 as f64))
}

#[smooth]
fn scale(m: &mut [[f64; k]; n], rows: &mut [[f64; 2]; n], fixed: &mut [[f64; 2]; 2], v: &mut [f64; n], x: f64) -> f64 {
    for i in 0..n {
        for j in 0..k {
            m[i][j] *= x;
        }
        rows[i][0] += x;
        v[i] += m[i][0];
    }
    fixed[1][1] = x;
    x
}

/// A kernel whose reference calls those of others.
#[smooth]
fn calls(m: &[[f64; k]; n], rows: &[[f64; 3]; n]) -> f64 {
    let x: [f64; k] = build(k, |_| 1.0);
    sum(n, |i| mat_vec(m, &x)[i]) + norms(rows)[0]
}

const M: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];

fn nested() -> Vec<Vec<f64>> {
    M.iter().map(|row| row.to_vec()).collect()
}

#[test]
fn what_the_kernel_takes() {
    let x = [1.0, 0.0, 2.0];
    let expected = mat_vec(&M, &x);
    assert_eq!(mat_vec::reference(&M, &x), expected);
    assert_eq!(mat_vec::reference(&M.to_vec(), &x), expected);
    assert_eq!(mat_vec::reference(&M[..], &x), expected);
    assert_eq!(mat_vec::reference(View::new(M.as_flattened(), [2, 3]), &x), expected);
    assert_eq!(mat_vec::reference(&View::new(M.as_flattened(), [2, 3]), &x), expected);
    assert_eq!(mat_vec::reference(&Array::from(M), &x), expected);
    assert_eq!(mat_vec::reference(&nested(), &x), expected);
    assert_eq!(mat_vec::reference(&nested()[..], &x), expected);
    assert_eq!(mat_vec::reference(&[vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]], &x), expected);

    assert_eq!(norms::reference(&M), norms(&M));
    assert_eq!(norms::reference(&M.to_vec()), norms(&M));
    assert_eq!(norms::reference(&View::new(M.as_flattened(), [2, 3])), norms(&M));
    assert_eq!(norms::reference(&nested()), norms(&M));
    assert_eq!(norms::reference(&Box::new(M)), norms(&M));
    assert_eq!(trace::reference(&[[1.0, 2.0], [3.0, 4.0]]), 5.0);
    assert_eq!(trace::reference(&[vec![1.0, 2.0], vec![3.0, 4.0]]), 5.0);
    assert_eq!(generic::reference(&[[1.0, 2.0], [3.0, 4.0]]), [4.0, 6.0]);
    assert_eq!(generic::reference(&vec![vec![1.0f32, 2.0]]), [1.0, 2.0]);
    assert_eq!(planes::reference(&[[[1, 2, 3], [4, 5, 6]]]), -9);
    assert_eq!(planes::reference(&vec![vec![vec![1], vec![4]]]), -3);
    assert_eq!(calls::reference(&M, &M), calls(&M, &M));
}

#[test]
fn layouts_tuples_and_functions() {
    let (columns, x) = (Array::from(M).to_column_major(), [1.0, 2.0, 3.0]);
    let transposed = View::from(&M).strided().t().t();
    let every_other = StridedView::new(&[1.0, 9.0, 2.0, 9.0, 3.0], 0, [3], [2]);
    let expected = of_layouts(&columns, transposed, every_other);
    assert_eq!(of_layouts::reference(&columns, transposed, every_other), expected.to_nested());
    assert_eq!(of_layouts::reference(&nested(), &nested(), &x), expected.to_nested());
    assert_eq!(of_layouts::reference(View::column_major(&[1.0], [1, 1]), &[[3.0]], &[1.0]), [[-2.0]]);
    let v = [1.0, 2.0];
    assert_eq!(with_parts::reference((&M, &v), (2.0, 3.0), |x| x + 1.0), with_parts((&M, &v), (2.0, 3.0), |x| x + 1.0));
    assert_eq!(with_parts::reference((&nested(), &v), (2.0, 3.0), |x| x), 15.0);
    assert_eq!(pairs::reference((&[[1.0, 2.0]], &[[3, 4]])), 11.0);
}

#[test]
fn in_out() {
    let (rows, fixed, v) = ([[1.0, 2.0]; 2], [[0.0; 2]; 2], [1.0, 2.0]);
    let (mut m1, mut rows1, mut fixed1, mut v1) = (M, rows, fixed, v);
    let expected = scale(&mut m1, &mut rows1, &mut fixed1, &mut v1, 2.0);
    let (mut m2, mut rows2, mut fixed2, mut v2) = (M, rows, fixed, v);
    assert_eq!(scale::reference(&mut m2, &mut rows2, &mut fixed2, &mut v2, 2.0), expected);
    assert_eq!((m1, rows1, fixed1, v1), (m2, rows2, fixed2, v2));
    let (mut m3, mut rows3, mut fixed3, mut v3) =
        (nested(), vec![vec![1.0, 2.0]; 2], vec![vec![0.0; 2]; 2], v.to_vec());
    scale::reference(&mut m3, &mut rows3, &mut fixed3, &mut v3, 2.0);
    assert_eq!(
        (m3, rows3, fixed3),
        (m1.map(Vec::from).to_vec(), rows1.map(Vec::from).to_vec(), fixed1.map(Vec::from).to_vec())
    );
    let (mut flat, mut rows4) = (M.as_flattened().to_vec(), Array::from(rows));
    scale::reference(ViewMut::new(&mut flat, [2, 3]), &mut rows4, &mut fixed2, &mut v3, 2.0);
    assert_eq!(flat, m1.as_flattened());
    assert_eq!(rows4, rows1);
}

#[smooth]
fn corners(a: &[[[f64; 2]; 3]; n], b: &mut [[f64; n]; m], weights: (&[f64; m], f64)) -> f64 {
    b[0][0] = weights.1;
    sum(n, |i| a[i][2][1]) + sum(m, |i| b[i][n - 1] * weights.0[i])
}

#[smooth]
fn dot(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * b[i])
}

/// It rejects what the kernel rejects, with the same words, and rows that differ in length.
#[test]
fn lengths() {
    let (a, mut b, w) = (vec![vec![vec![1.0; 2]; 3]; 2], vec![vec![1.0; 2]; 4], [1.0; 4]);
    assert_eq!(corners::reference(&a, &mut b, (&w, 5.0)), 6.0);
    assert_eq!(b[0], [5.0, 1.0]);
    panics_here!(dot::reference(&[1.0], &[1.0, 2.0]), "dot: argument b has length 2, but n = 1 (from argument a)");
    let wide = vec![vec![vec![1.0; 3]; 3]; 2];
    let text = "corners: argument a has length 3 along axis 2, but must have length 2";
    panics_here!(corners::reference(&wide, &mut b, (&w, 5.0)), text);
    let many = vec![vec![vec![1.0; 2]; 4]; 2];
    let text = "corners: argument a has length 4 along axis 1, but must have length 3";
    panics_here!(corners::reference(&many, &mut b, (&w, 5.0)), text);
    let text = "corners: argument b has length 3 along axis 1, but n = 2 (from argument a)";
    panics_here!(corners::reference(&a, &mut vec![vec![1.0; 3]; 4], (&w, 5.0)), text);
    let text = "corners: argument weights.0 has length 3, but m = 4 (from argument b)";
    panics_here!(corners::reference(&a, &mut b, (&w[..3], 5.0)), text);
    let text = "corners: row 1 has length 1, but row 0 has length 2";
    panics_here!(corners::reference(&a, &mut vec![vec![1.0; 2], vec![1.0]], (&w[..2], 5.0)), text);
    let mut ragged = a.clone();
    ragged[1][2].push(1.0);
    let text = "corners: row 2 of plane 1 has length 3, but row 0 of plane 0 has length 2";
    panics_here!(corners::reference(&ragged, &mut b, (&w, 5.0)), text);
    ragged[1].pop();
    panics_here!(corners::reference(&ragged, &mut b, (&w, 5.0)), "corners: row 1 has length 2, but row 0 has length 3");
    // The rows of an array without elements have a length if its type says it.
    assert_eq!(mat_vec::reference(&Vec::<Vec<f64>>::new(), &[1.0, 2.0]), []);
    let text = "mat_vec: argument x has length 2, but k = 3 (from argument m)";
    panics_here!(mat_vec::reference(View::new(&[], [0, 3]), &[1.0, 2.0]), text);
}
