//! In-out parameters: `&mut` arrays and numbers, whose storage is the destination of their last value.
#![allow(clippy::needless_range_loop)]

use smooth::prelude::*;

#[smooth]
fn total(a: f64, y: &mut [f64; n]) -> f64 {
    sum(n, |i| a * y[i])
}

#[smooth]
fn total_of_rows(m: &mut [[f64; k]; n], s: &mut f64, t: &mut [f64; 3]) -> (f64, [f64; n]) {
    (t[0] + *s, build(n, |i| sum(k, |j| m[i][j])))
}

#[test]
fn what_is_not_assigned_keeps_its_value() {
    let mut y = [1.0, 2.0];
    assert_eq!(total(2.0, &mut y), 6.0);
    assert_eq!(total::into(2.0, &mut y, &mut Arena::new()), 6.0);
    assert_eq!(total::reference(2.0, &mut y), 6.0);
    assert_eq!(total::reference(2.0, &mut vec![1.0]), 2.0);
    assert_eq!((total::scratch([7]), total::shape([7])), (0, []));
    let mut m = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    let (mut s, mut t) = (1.0, [5.0; 3]);
    assert_eq!(total_of_rows(&mut m, &mut s, &mut t), (6.0, vec![3.0, 7.0]));
    let mut out = [0.0; 2];
    assert_eq!(total_of_rows::into(&mut out, &mut m, &mut s, &mut t, &mut Arena::new()), 6.0);
    assert_eq!(out, [3.0, 7.0]);
    assert_eq!((total_of_rows::scratch([2, 2], [3]), total_of_rows::shape([2, 2], [3])), (0, ([], [2])));
    assert_eq!(total_of_rows::reference(&mut [vec![1.0, 2.0]], &mut s, &mut [5.0; 3]), (6.0, vec![3.0]));
}
