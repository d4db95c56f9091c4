//! Mismatched shapes are rejected at entry, by every function of a kernel, with a message that names the sizes, at the
//! caller's line.

use super::*;
use smooth_test_kernels::linalg::vector_add;

#[smooth]
fn add(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
    vector_add(a, b)
}

#[smooth]
fn matvec(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * x[j]))
}

#[smooth]
fn vec_mat(x: &[f64; k], m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * x[j]))
}

#[smooth]
fn square(m: &[[f64; n]; n]) -> f64 {
    sum(n, |i| m[i][i])
}

#[smooth]
fn sized(n: usize, a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}

#[smooth]
fn sized_after(a: &[f64; n], n: usize) -> f64 {
    sum(n, |i| a[i])
}

const SHORT: &str = "add: argument b has length 4, but n = 3 (from argument a)";

#[test]
fn messages_name_both_sizes() {
    let text = |e: Result<[usize; 1], ShapeError>| e.unwrap_err().to_string();
    assert_eq!(
        vector_add::try_shape([3], [4]).unwrap_err().to_string(),
        "vector_add: argument v2 has length 4, but n = 3 (from argument v1)"
    );
    assert_eq!(text(add::try_shape([3], [4])), SHORT);
    assert_eq!(text(matvec::try_shape([3, 2], [5])), "matvec: argument x has length 5, but k = 2 (from argument m)");
    assert_eq!(
        text(vec_mat::try_shape([5], [3, 2])),
        "vec_mat: argument m has length 2 along axis 1, but k = 5 (from argument x)"
    );
    assert_eq!(
        square::try_shape([3, 2]).unwrap_err().to_string(),
        "square: argument m has length 2 along axis 1, but n = 3 (from argument m)"
    );
    let sized = [sized::try_shape(3, [4]), sized_after::try_shape([4], 3)].map(|e| e.unwrap_err().to_string());
    assert_eq!(sized[0], "sized: argument a has length 4, but n = 3 (from argument n)");
    assert_eq!(sized[1], "sized_after: argument a has length 4, but n = 3 (from argument n)");
}

#[test]
fn every_function_rejects_with_the_same_error() {
    let (a, b) = (&[1.0; 3], &[1.0; 4]);
    let arena = &mut Arena::new();
    let mut out = [7.0; 3];
    let e = add::try_into(&mut out, a, b, arena).unwrap_err();
    assert_eq!((e.to_string(), e.kernel(), out), (SHORT.into(), "add", [7.0; 3]));
    assert_eq!((add::try_shape([3], [4]), add::try_scratch([3], [4])), (Err(e), Err(e)));
    let as_std: Box<dyn std::error::Error> = e.into();
    assert_eq!(as_std.to_string(), SHORT);
    assert_eq!(arena.capacity(), 0);
}

#[test]
fn panics_are_at_the_callers_line() {
    let (a, b) = (&[1.0; 3], &[1.0; 4]);
    let mut out = [7.0; 3];
    panics_here!(add(a, b), SHORT);
    panics_here!(add::into(&mut out, a, b, &mut Arena::new()), SHORT);
    panics_here!(add::shape([3], [4]), SHORT);
    panics_here!(add::scratch([3], [4]), SHORT);
    panics_here!(sized(3, b), "sized: argument a has length 4, but n = 3 (from argument n)");
    let text = "sized: argument a has length 4, but n = 3 (from argument n)";
    panics_here!(sized::into(3, b, &mut Arena::new()), text);
    assert_eq!(out, [7.0; 3]);
    let m = Array::from_elem([3, 2], 0.0);
    panics_here!(matvec(&m, a), "matvec: argument x has length 3, but k = 2 (from argument m)");
    panics_here!(square(&m), "square: argument m has length 2 along axis 1, but n = 3 (from argument m)");
}

#[smooth]
fn shifted(a: &[f64; n]) -> [f64; n + 2] {
    build(n + 2, |i| a[i % n])
}

#[smooth]
fn table(n: usize) -> [[f64; n]; n] {
    build([n, n], |i, j| (i * n + j) as f64)
}

#[smooth]
fn two(a: &[f64; n]) -> ([f64; n], [f64; n]) {
    (a.clone(), build(n, |i| -a[i]))
}

#[test]
fn destinations_of_the_wrong_shape_are_rejected() {
    let a = &[1.0; 3];
    let arena = &mut Arena::new();
    let (mut short, mut five) = ([9.0; 3], [9.0; 5]);
    let text = "shifted: destination out has length 3, but the result has length 5";
    assert_eq!(shifted::try_into(&mut short, a, arena).unwrap_err().to_string(), text);
    panics_here!(shifted::into(&mut short, a, arena), text);
    shifted::into(&mut five, a, arena);
    assert_eq!((short, five), ([9.0; 3], [1.0; 5]));
    let text = "table: destination out has length 3 along axis 1, but the result has length 2";
    panics_here!(table::into(&mut [[9.0; 3]; 2], 2, arena), text);
    let text = "table: destination out has length 4 along axis 0, but the result has length 2";
    panics_here!(table::into(ViewMut::new(&mut [9.0; 8], [4, 2]), 2, arena), text);
    let text = "two: destination out1 has length 2, but the result has length 3";
    panics_here!(two::into(&mut short, &mut [0.0; 2], a, arena), text);
    assert_eq!(short, [9.0; 3]);
}

#[test]
fn a_fixed_arena_that_is_too_small_is_rejected() {
    #[smooth]
    fn reversed_twice(a: &[f64; n]) -> [f64; n] {
        let e = build(n, |i| a[i].exp());
        build(n, |i| e[n - 1 - i] + e[(i * 2) % n])
    }
    let (a, mut out) = ([0.0; 3], [7.0; 3]);
    let needed = reversed_twice::scratch([3]);
    let text = format!("reversed_twice: needs {needed} bytes of scratch, but the arena has only 0");
    panics_here!(reversed_twice::into(&mut out, &a, &mut Arena::on(&mut [])), text);
    assert_eq!(out, [7.0; 3]);
}
