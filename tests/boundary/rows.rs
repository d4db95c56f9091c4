//! Arguments for rows of a static length: all types that have such rows.
#![allow(clippy::unnecessary_mut_passed, clippy::unnecessary_to_owned, reason = "the tests are about what is passed")]
use super::*;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, Mutex, RwLock};

#[smooth]
fn norms(a: &[[f64; 3]; n]) -> [f64; n] {
    build(n, |i| a[i][0] + 10.0 * a[i][1] + 100.0 * a[i][2])
}

#[smooth]
fn single(a: &[[f32; 2]; n]) -> f32 {
    sum(n, |i| a[i][0] * a[i][1])
}

#[smooth]
fn generic<T: Real, const K: usize>(a: &[[T; K]; n]) -> T {
    sum(n, |i| sum(K, |j| a[i][j]))
}

#[smooth]
fn twice(a: &[[f64; 2]; n]) -> [[f64; 2]; n] {
    build([n, 2], |i, j| 2.0 * a[i][j])
}

#[smooth]
fn shift(a: &mut [[f64; 2]; n], by: &[f64; 2]) {
    for i in 0..n {
        a[i][0] += by[0];
        a[i][1] += by[1];
    }
}

#[smooth]
fn blocks(a: &[[[i32; 2]; 3]; n]) -> [[[i32; 2]; 3]; n] {
    build([n, 3, 2], |i, j, k| a[i][j][k] + 1)
}

#[smooth]
fn weighted(a: &[([f64; 2], f64); n]) -> f64 {
    sum(n, |i| a[i].0[0] * a[i].0[1] * a[i].1)
}

const A: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
const NORMS: [f64; 2] = [321.0, 654.0];
static TABLE: LazyLock<Vec<[f64; 3]>> = LazyLock::new(|| A.to_vec());

/// Arguments for a parameter `&[[f64; 3]]`, and all other types that have rows.
#[test]
fn everything_that_has_rows() {
    let flat = A.as_flattened();
    let mut changing = A;
    assert_eq!(norms(&A), NORMS);
    assert_eq!(norms(&A[..]), NORMS);
    assert_eq!(norms(&A[1..]), NORMS[1..]);
    assert_eq!(norms(&A.to_vec()), NORMS);
    assert_eq!(norms(&&A), NORMS);
    assert_eq!(norms(&mut changing), NORMS);
    assert_eq!(norms(&Box::new(A)), NORMS);
    assert_eq!(norms(&A.to_vec().into_boxed_slice()), NORMS);
    assert_eq!(norms(&Rc::new(A.to_vec())), NORMS);
    assert_eq!(norms(&Arc::new(A)), NORMS);
    assert_eq!(norms(&Cow::Borrowed(&A[..])), NORMS);
    assert_eq!(norms(&TABLE), NORMS);
    assert_eq!(norms(&RefCell::new(A).borrow()), NORMS);
    assert_eq!(norms(&Mutex::new(A.to_vec()).lock().unwrap()), NORMS);
    assert_eq!(norms(&RwLock::new(A.to_vec()).read().unwrap()), NORMS);
    assert_eq!(norms(flat.as_chunks().0), NORMS);
    assert_eq!(norms(&View::new(flat, [2, 3])), NORMS);
    assert_eq!(norms(&Array::from(A)), NORMS);
    assert_eq!(norms(&ViewMut::from(&mut changing)), NORMS);
    assert_eq!(norms(&twice_of_rank_2()), [0.0]);
    assert_eq!(weighted((&View::new(&[2.0, 3.0], [1, 2]), &[4.0])), 24.0);
    assert_eq!(weighted((&vec![[2.0, 3.0]], &[4.0])), 24.0);
}

#[smooth]
fn zeros(n: usize, k: usize) -> [[f64; k]; n] {
    build([n, k], |_, _| 0.0)
}

/// The result of a kernel with symbolic sizes.
fn twice_of_rank_2() -> Array<f64, 2> {
    zeros(1, 3)
}

/// Literals, empty arrays and collected values have the type of the kernel's elements. With the feature for nalgebra an empty
/// vector may be one of points.
#[test]
fn inference() {
    assert_eq!(norms(&[]), []);
    assert_eq!(norms(&Vec::<[f64; 3]>::new()), []);
    assert_eq!(single(&[[1.0, 2.0], [3.0, 4.0]]), 14.0);
    assert_eq!(single(&[[0.5; 2]; 4]), 1.0);
    let rows = vec![[1.0, 2.0]];
    assert_eq!(single(&rows), 2.0);
    let x = 1.5;
    assert_eq!(single(&[[x, 2.0]]), 3.0);
    assert_eq!(single(&(0..3).map(|i| [i as f32, 1.0]).collect::<Vec<_>>()), 3.0);
    assert_eq!(single(&std::array::from_fn::<_, 3, _>(|i| [i as f32, 1.0])), 3.0);
    assert_eq!(generic(&[[1.0, 2.0, 3.0]]), 6.0);
    assert_eq!(generic(&vec![[1.0f32; 4]; 2]), 8.0);
    assert_eq!(generic::<f32, 2>(&[[1.0, 2.0]]), 3.0);
    assert_eq!(generic::<f64, 2>(&Array::from([[1.0, 2.0]])), 3.0);
    assert_eq!(generic::<f64, 2>(&[]), 0.0);
}

/// A mutable borrow is lent, not moved, and the kernel is a function of borrows of all lifetimes.
#[test]
fn borrows() {
    fn step(points: &mut [[f64; 2]]) -> f64 {
        let before = generic(points);
        shift(points, &[1.0, 2.0]);
        points[0][0] += 1.0;
        shift(points, &[0.0, 0.0]);
        generic(points) - before
    }
    assert_eq!(step(&mut [[1.0, 2.0], [3.0, 4.0]]), 7.0);
    fn with_any(f: impl Fn(&[[f64; 3]]) -> Vec<f64>) -> Vec<f64> {
        f(&A.to_vec())
    }
    assert_eq!(with_any(norms), NORMS);
    let pointer: fn(&[[f64; 3]]) -> Vec<f64> = norms;
    assert_eq!(pointer(&A), NORMS);
    assert_eq!([A, A].iter().flat_map(norms).sum::<f64>(), 1950.0);
}

#[test]
fn destinations_and_in_out() {
    let (arena, a) = (&mut Arena::new(), [[1.0, 2.0], [3.0, 4.0]]);
    let doubled = [[2.0, 4.0], [6.0, 8.0]];
    assert_eq!(twice(&Array::from(a)), doubled);
    let (mut array, mut vec, mut flat) = (Array::from([[0.0; 2]; 2]), vec![[0.0; 2]; 2], [0.0; 4]);
    twice::into(&mut array, &a, arena);
    twice::into(&mut vec, &array, arena);
    twice::into(&mut ViewMut::new(&mut flat, [2, 2]), &View::new(&[1.0, 2.0, 3.0, 4.0], [2, 2]), arena);
    assert_eq!((array.as_slice(), &flat[..]), (doubled.as_flattened(), doubled.as_flattened()));
    assert_eq!(vec, [[4.0, 8.0], [12.0, 16.0]]);
    let mut part = [[0.0; 2]; 3];
    twice::into(&mut part[1..], &a, arena);
    assert_eq!(part, [[0.0, 0.0], [2.0, 4.0], [6.0, 8.0]]);
    shift(&mut array, &[1.0, -1.0]);
    assert_eq!(array, [[3.0, 3.0], [7.0, 7.0]]);
    shift::into(&mut ViewMut::new(&mut flat, [2, 2]), &[1.0, -1.0], arena);
    assert_eq!(flat, [3.0, 3.0, 7.0, 7.0]);
    let three = [[[1, 2], [3, 4], [5, 6]]];
    assert_eq!(blocks(&Array::from(three)), blocks(&three));
    assert_eq!(blocks(&View::new(three.as_flattened().as_flattened(), [1, 3, 2])), [[[2, 3], [4, 5], [6, 7]]]);
}

/// The length of a row is an error with the names of kernel and argument, before anything runs.
#[test]
fn rows_of_another_length() {
    let (arena, v) = (&mut Arena::new(), [1.0; 8]);
    let of = |shape| View::new(&v[..], shape);
    let text = "norms: argument a has length 4 along axis 1, but must have length 3";
    assert_eq!(norms::try_call(&of([2, 4])).unwrap_err().to_string(), text);
    let mut out = [9.0; 2];
    assert_eq!(norms::try_into(&mut out, &of([2, 4]), arena).unwrap_err().to_string(), text);
    assert_eq!(out, [9.0; 2]);
    panics_here!(norms(&View::new(&[1.0; 8], [2, 4])), text);
    let wide = &mut Array::from([[0.0; 4]]);
    let text = "twice: destination out has length 4 along axis 1, but the result has length 2";
    assert_eq!(twice::try_into(wide, &[[1.0, 2.0]], arena).unwrap_err().to_string(), text);
    let text = "shift: argument a has length 4 along axis 1, but must have length 2";
    assert_eq!(shift::try_call(wide, &[1.0, 2.0]).unwrap_err().to_string(), text);
    assert_eq!(shift::try_into(wide, &[1.0, 2.0], arena).unwrap_err().to_string(), text);
    assert_eq!(wide.as_slice(), [0.0; 4]);
    let text = "blocks: argument a has length 1 along axis 2, but must have length 2";
    assert_eq!(blocks::try_call(&View::new(&[1; 6], [2, 3, 1])).unwrap_err().to_string(), text);
    let text = "weighted: argument a.0 has length 4 along axis 1, but must have length 2";
    assert_eq!(weighted::try_call((&of([2, 4]), &[1.0; 2])).unwrap_err().to_string(), text);
}
