//! The types of a kernel's functions: the Rust type for each type of the language, as argument, result and destination.

use super::*;

#[smooth]
fn numbers(x: f64, k: usize, yes: bool) -> (f64, usize, bool) {
    (if yes { x } else { 0.0 }, k + 1, !yes)
}

#[smooth]
fn size_of(_a: &[f64; n]) -> usize {
    n
}

#[smooth]
fn all_positive(a: &[f64; n]) -> bool {
    sum(n, |i| if a[i] > 0.0 { 0.0 } else { 1.0 }) == 0.0
}

#[test]
fn scalars_by_value() {
    let _: fn(f64, usize, bool) -> (f64, usize, bool) = numbers;
    let _: fn(f64, usize, bool, &mut Arena<'static>) -> (f64, usize, bool) = numbers::into;
    let _: fn(f64, usize, bool, &mut Arena<'static>) -> Result<(f64, usize, bool), ShapeError> = numbers::try_into;
    let _: fn(&[f64]) -> usize = size_of;
    let _: fn(&[f64]) -> bool = all_positive;
    assert_eq!(numbers(2.0, 3, true), (2.0, 4, false));
    assert_eq!(numbers::into(2.0, 3, false, &mut Arena::new()), (0.0, 4, true));
    assert_eq!((size_of(&[1.0, 2.0]), all_positive(&[1.0, 2.0]), all_positive(&[])), (2, true, true));
}

#[smooth]
fn vector(a: &[f64; n]) -> [f64; n] {
    build(n, |i| a[i] + 1.0)
}

#[smooth]
fn anonymous(a: &[f64]) -> [f64] {
    build(a.len(), |i| a[i] + 1.0)
}

#[test]
fn vectors_are_slices() {
    let _: fn(&[f64]) -> Vec<f64> = vector;
    let _: fn(&mut [f64], &[f64], &mut Arena<'static>) = vector::into;
    let _: fn(&mut [f64], &[f64], &mut Arena<'static>) -> Result<(), ShapeError> = vector::try_into;
    let _: fn(&[f64]) -> Vec<f64> = anonymous;
    let _: fn(&[f64]) -> Vec<f64> = vector::reference;
    assert_eq!((vector(&[1.0, 2.0]), anonymous(&vec![1.0, 2.0])), (vec![2.0, 3.0], vec![2.0, 3.0]));
    assert_eq!((vector(&[]), anonymous(&[])), (vec![], vec![]));
    // A part of a vector as argument and as destination.
    let (all, mut out) = ([1.0, 2.0, 3.0, 4.0], [0.0; 4]);
    vector::into(&mut out[1..3], &all[..2], &mut Arena::new());
    assert_eq!(out, [0.0, 2.0, 3.0, 0.0]);
}

#[smooth]
fn fixed(a: &[f64; 3], m: &[[f64; 3]; 2], t: &[[[f64; 2]; 3]; 2]) -> [[f64; 3]; 2] {
    build([2, 3], |i, j| a[j] + m[i][j] + t[i][j][1])
}

#[smooth]
fn one(x: f64) -> [f64; 1] {
    [x]
}

#[smooth]
fn none(x: f64) -> [f64; 0] {
    build(0, |_| x)
}

#[smooth]
fn cube(x: f64) -> [[[f64; 2]; 1]; 2] {
    build([2, 1, 2], |i, j, k| x + (i * 4 + j * 2 + k) as f64)
}

#[test]
fn static_arrays_are_std_arrays() {
    let _: fn(&[f64; 3], &[[f64; 3]; 2], &[[[f64; 2]; 3]; 2]) -> [[f64; 3]; 2] = fixed;
    type Into = fn(&mut [[f64; 3]; 2], &[f64; 3], &[[f64; 3]; 2], &[[[f64; 2]; 3]; 2], &mut Arena<'static>);
    let _: Into = fixed::into;
    let (a, m) = ([1.0, 2.0, 3.0], [[10.0; 3], [20.0; 3]]);
    let t = [[[0.0, 100.0]; 3], [[0.0, 200.0]; 3]];
    let expected = [[111.0, 112.0, 113.0], [221.0, 222.0, 223.0]];
    assert_eq!(fixed(&a, &m, &t), expected);
    let mut out = [[0.0; 3]; 2];
    fixed::into(&mut out, &a, &m, &t, &mut Arena::new());
    assert_eq!(out, expected);
    const SHAPE: [usize; 2] = fixed::shape();
    assert_eq!((SHAPE, fixed::try_shape()), ([2, 3], Ok([2, 3])));
    assert_eq!((one(2.0), none(2.0), cube(1.0)), ([2.0], [], [[[1.0, 2.0]], [[5.0, 6.0]]]));
    assert_eq!((one::shape(), none::shape(), cube::shape()), ([1], [0], [2, 1, 2]));
}

#[smooth]
fn points(p: &[[f64; 3]; n], q: &[[f64; 3]]) -> [[f64; 3]; n] {
    build([n, 3], |i, j| p[i][j] + q[0][2 - j])
}

#[smooth]
fn boxes(p: &[[[f64; 3]; 2]; n]) -> [[[f64; 3]; 2]; n] {
    build([n, 2, 3], |i, j, k| p[n - 1 - i][1 - j][2 - k])
}

#[test]
fn slices_of_static_arrays() {
    let _: fn(&[[f64; 3]], &[[f64; 3]]) -> Vec<[f64; 3]> = points;
    let _: fn(&mut [[f64; 3]], &[[f64; 3]], &[[f64; 3]], &mut Arena<'static>) = points::into;
    let _: fn(&[[[f64; 3]; 2]]) -> Vec<[[f64; 3]; 2]> = boxes;
    let p: Vec<[f64; 3]> = vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let expected = [[4.0, 4.0, 4.0], [7.0, 7.0, 7.0]];
    assert_eq!(points(&p, &p), expected);
    let mut out = [[0.0; 3]; 2];
    points::into(&mut out, &p, &p[..1], &mut Arena::new());
    assert_eq!(out, expected);
    assert_eq!(points::shape([2, 3], [1, 3]), [2, 3]);
    let b = [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0; 3], [8.0; 3]]];
    assert_eq!(boxes(&b), [[[8.0; 3], [7.0; 3]], [[6.0, 5.0, 4.0], [3.0, 2.0, 1.0]]]);
    assert!(points(&[], &[]).is_empty());
    let e = points::try_shape([2, 4], [1, 3]).unwrap_err();
    assert_eq!(e.to_string(), "points: argument p has length 4 along axis 1, but must have length 3");
}

#[smooth]
fn transposed(m: &[[f64; k]; n]) -> [[f64; n]; k] {
    build([k, n], |i, j| m[j][i])
}

#[smooth]
fn rank3(t: &[[[f64; k]; m]; n]) -> [[[f64; n]; m]; k] {
    build([k, m, n], |i, j, l| t[l][j][i])
}

#[smooth]
fn inner_static(t: &[[[f64; 2]; m]; n]) -> [[[f64; 2]; n]; m] {
    build([m, n, 2], |i, j, l| t[j][i][l])
}

#[smooth]
fn outer_static(t: &[[f64; k]; 2]) -> [[f64; k]; 2] {
    build([2, k], |i, j| t[1 - i][j])
}

#[smooth]
fn anonymous_rows(m: &[[f64]]) -> f64 {
    sum(m.len(), |i| sum(m[i].len(), |j| m[i][j]))
}

#[test]
fn views_for_inner_symbolic_sizes() {
    let expected = [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]];
    let flat = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let nested = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let owned: Array<f64, 2> = transposed(&nested);
    assert_eq!((owned.shape(), owned.as_slice()), ([3, 2], expected.as_flattened()));
    assert_eq!(owned, transposed(View::new(&flat, [2, 3])));
    assert_eq!(owned, transposed(&View::new(&flat, [2, 3])));
    assert_eq!(owned, transposed(&Array::from_vec(flat.to_vec(), [2, 3])));
    assert_eq!(owned, transposed(&nested.to_vec()));
    assert_eq!(owned, transposed(&nested[..]));
    assert_eq!(transposed(&transposed(&owned)), owned);
    // Destinations.
    let arena = &mut Arena::new();
    let mut array = Array::from_elem([3, 2], 0.0);
    transposed::into(&mut array, &nested, arena);
    assert_eq!(array, owned);
    let mut std = [[0.0; 2]; 3];
    transposed::into(&mut std, &nested, arena);
    assert_eq!(std, expected);
    let mut rows = vec![[0.0; 2]; 3];
    transposed::into(&mut rows, &nested, arena);
    transposed::into(&mut rows[..], &nested, arena);
    assert_eq!(rows, expected);
    let mut buffer = [0.0; 6];
    transposed::into(ViewMut::new(&mut buffer, [3, 2]), &nested, arena);
    let mut view = ViewMut::new(&mut buffer, [3, 2]);
    transposed::try_into(&mut view, &nested, arena).unwrap();
    assert_eq!(buffer, expected.as_flattened());
    assert_eq!(anonymous_rows(&nested), 21.0);
    assert_eq!(anonymous_rows::shape([2, 3]), []);
}

#[test]
fn higher_ranks() {
    let t = Array::from_fn([2, 3, 4], |[i, j, k]| (i * 100 + j * 10 + k) as f64);
    let r: Array<f64, 3> = rank3(&t);
    assert_eq!((r.shape(), r[[3, 2, 1]], rank3::shape([2, 3, 4])), ([4, 3, 2], 123.0, [4, 3, 2]));
    let s: Array<f64, 3> = inner_static(&[[[1.0, 2.0]; 3], [[3.0, 4.0]; 3]]);
    assert_eq!((s.shape(), s[[2, 1, 0]]), ([3, 2, 2], 3.0));
    let e = inner_static::try_shape([2, 3, 5]).unwrap_err();
    assert_eq!(e.to_string(), "inner_static: argument t has length 5 along axis 2, but must have length 2");
    let o: Array<f64, 2> = outer_static(&[[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(o.as_slice(), [3.0, 4.0, 1.0, 2.0]);
    let three = [[1.0], [2.0], [3.0]];
    let text = "outer_static: argument t has length 3 along axis 0, but must have length 2";
    panics_here!(outer_static(&three), text);
    for shape in [[0, 0, 0], [0, 2, 3], [2, 0, 3], [2, 3, 0], [1, 1, 1]] {
        let t = Array::from_elem(shape, 1.0);
        assert_eq!(rank3(&t).shape(), [shape[2], shape[1], shape[0]]);
    }
}

#[smooth]
fn results(a: &[f64; n], m: &[[f64; k]; n]) -> ([f64; n], f64, [[f64; n]; k], usize, [f64; 2]) {
    (build(n, |i| a[i] + 1.0), sum(n, |i| a[i]), build([k, n], |i, j| m[j][i]), k, [a[0], a[n - 1]])
}

#[smooth]
fn array_and_one(a: &[f64; n]) -> (f64, [f64; n]) {
    (sum(n, |i| a[i]), build(n, |i| 2.0 * a[i]))
}

#[smooth]
fn two_arrays(a: &[f64; n]) -> ([f64; n], [[f64; 2]; n]) {
    (build(n, |i| 2.0 * a[i]), build([n, 2], |i, j| a[i] + j as f64))
}

#[test]
fn a_destination_per_array_and_scalars_returned() {
    let (a, m) = ([1.0, 2.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let (x, s, t, k, ends): (Vec<f64>, f64, Array<f64, 2>, usize, [f64; 2]) = results(&a, &m);
    assert_eq!((&x[..], s, t.shape(), k, ends), (&[2.0, 3.0][..], 3.0, [3, 2], 3, [1.0, 2.0]));
    let (mut x2, mut t2, mut ends2) = ([0.0; 2], [[0.0; 2]; 3], [0.0; 2]);
    let arena = &mut Arena::new();
    let scalars: (f64, usize) = results::into(&mut x2, &mut t2, &mut ends2, &a, &m, arena);
    assert_eq!((scalars, &x2[..], t2.as_flattened(), ends2), ((3.0, 3), &x[..], t.as_slice(), ends));
    let scalars = results::try_into(&mut x2, &mut t2, &mut ends2, &a, &m, arena);
    assert_eq!(scalars, Ok((3.0, 3)));
    assert_eq!(results::shape([2], [2, 3]), ([2], [], [3, 2], [], [2]));

    let _: fn(&mut [f64], &[f64], &mut Arena<'static>) -> f64 = array_and_one::into;
    let _: fn(&[f64]) -> (f64, Vec<f64>) = array_and_one;
    let _: fn(&mut [f64], &mut [[f64; 2]], &[f64], &mut Arena<'static>) = two_arrays::into;
    let _: fn(&[f64]) -> (Vec<f64>, Vec<[f64; 2]>) = two_arrays;
    assert_eq!(two_arrays(&a), (vec![2.0, 4.0], vec![[1.0, 2.0], [2.0, 3.0]]));
    assert_eq!(array_and_one(&a), (3.0, vec![2.0, 4.0]));
}

#[smooth]
fn mixed(x: f64, a: &[f64; n], k: usize, g: impl Fn(f64, f64) -> f64, yes: bool, m: &[[f64; n]; 2]) -> [f64; k] {
    build(k, |i| if yes { g(x, a[i % n]) + m[1][i % n] } else { x })
}

#[test]
fn shape_and_scratch_take_extents_and_sizes_only() {
    let _: fn([usize; 1], usize, [usize; 2]) -> [usize; 1] = mixed::shape;
    let _: fn([usize; 1], usize, [usize; 2]) -> usize = mixed::scratch;
    let _: fn([usize; 1], usize, [usize; 2]) -> Result<[usize; 1], ShapeError> = mixed::try_shape;
    let _: fn([usize; 1], usize, [usize; 2]) -> Result<usize, ShapeError> = mixed::try_scratch;
    const SHAPE: [usize; 1] = mixed::shape([3], 5, [2, 3]);
    assert_eq!(SHAPE, [5]);
    let (a, m) = ([1.0, 2.0, 3.0], [[0.0; 3], [10.0, 20.0, 30.0]]);
    let offset = 0.5;
    let g = |x: f64, y: f64| x * y + offset;
    let expected = [12.5, 24.5, 36.5, 12.5, 24.5];
    assert_eq!(mixed(2.0, &a, 5, g, true, &m), expected);
    let mut out = [0.0; 5];
    mixed::into(&mut out, 2.0, &a, 5, g, true, &m, &mut Arena::new());
    assert_eq!(out, expected);
}

#[smooth]
fn nested(a: &[f64; n], k: i32) -> ([f64; n], usize, (i32, usize)) {
    (build(n, |i| a[i] + 1.0), n, (k, n + 1))
}

#[smooth]
fn deep(a: &[f64; n], flag: bool) -> (((f64, [f64; 2]), [f64; n]), (f64, (bool, usize)), [f64; n]) {
    (((a[0], [a[0], a[1]]), a.clone()), (a[1], (flag, n)), a.clone())
}

#[smooth]
fn numbers_only(x: f64) -> (f64, (f64, bool)) {
    (x, (x + 1.0, x > 0.0))
}

#[smooth]
fn changed(x: &mut f64, n: usize) -> (f64, (usize, (f64, usize))) {
    *x += 1.0;
    (*x, (n, (*x + 1.0, n + 1)))
}

#[smooth]
fn from_rust(x: f64, f: impl Fn(f64) -> (f64, ([f64; 2], usize))) -> f64 {
    let (y, (a, k)) = f(x);
    y + a[0] + a[1] * k as f64
}

/// The numbers that `into` returns are nested as in the result.
#[test]
fn numbers_of_a_nested_result() {
    let (arena, a) = (&mut Arena::new(), [1.0, 2.0]);
    let mut out = [0.0; 2];
    let (n, (k, m)): (usize, (i32, usize)) = nested::into(&mut out, &a, 7, arena);
    assert_eq!((out.to_vec(), n, (k, m)), nested(&a, 7));
    assert_eq!(nested::try_into(&mut out, &a, 7, arena), Ok((2, (7, 3))));
    let (mut pair, mut second, mut third) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    let (first, rest) = deep::into(&mut pair, &mut second, &mut third, &a, true, arena);
    assert_eq!((((first, pair), second.to_vec()), rest, third.to_vec()), deep(&a, true));
    assert_eq!(numbers_only::into(1.0, arena), numbers_only(1.0));
    let (mut x, mut y) = (1.0, 1.0);
    assert_eq!(changed::into(&mut x, 3, arena), changed(&mut y, 3));
    assert_eq!((x, y), (2.0, 2.0));
    assert_eq!(from_rust(1.0, |x| (x, ([x, 2.0], 3))), 8.0);
    assert_eq!(from_rust::into(1.0, |x| (x, ([x, 2.0], 3)), arena), 8.0);
}
