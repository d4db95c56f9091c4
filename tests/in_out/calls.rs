//! Kernels that call in-out kernels: on locals, on rows, on their own in-out parameters.

use super::{agrees, heap, kernels::*, numbers};
use smooth::prelude::*;
use smooth_test_kernels::long::{lengthen, long};

#[smooth]
fn on_a_local(a: f64, x: &[f64; n], y: &[f64; n]) -> [f64; n] {
    let mut z = y.clone();
    axpy(a, x, &mut z);
    axpy(a, x, &mut z);
    z
}

#[smooth]
fn by_its_name(x: &[f64; n], y: &mut [f64; n]) {
    axpy(2.0, x, y);
    let length = scale(0.5, y);
    for i in 0..length {
        axpy(1.0, x, y);
        y[i] += 1.0;
    }
}

#[smooth]
fn on_rows(x: &[f64; k], m: &mut [[f64; k]; n]) -> usize {
    let mut total = 0;
    for i in 0..n {
        axpy(i as f64, x, &mut m[i]);
        total += scale(2.0, &mut m[i]);
    }
    total
}

#[smooth]
fn on_a_row_of_a_local(x: &[f64; k], n: usize) -> [[f64; k]; n] {
    let mut m = [[1.0; k]; n];
    for i in 0..n {
        axpy(i as f64, x, &mut m[i]);
    }
    m
}

#[smooth]
fn on_numbers(steps: usize, x: f64) -> (f64, f64) {
    let (mut x, mut v) = (x, 0.0);
    for _ in 0..steps {
        step(0.1, &mut x, &mut v);
    }
    (x, v)
}

#[smooth]
fn under_a_condition(c: bool, x: &[f64; n], y: &mut [f64; n]) {
    if c {
        axpy(1.0, x, y);
    } else {
        reverse(y);
    }
}

#[smooth]
fn exchanged_rows(m: &[[f64; k]; 2]) -> [[f64; k]; 2] {
    let mut a = m[0].clone();
    let mut b = m[1].clone();
    exchange(&mut a, &mut b);
    build(2, |i| if i == 0 { a.clone() } else { b.clone() })
}

/// Arguments are evaluated from left to right.
#[smooth]
fn in_order(x: &[f64; k], m: &mut [[f64; k]; n]) -> (usize, f64) {
    let (mut at, mut by) = (0, 1.0);
    axpy(
        by,
        x,
        &mut m[{
            by += 10.0;
            at += 1;
            at
        }],
    );
    let length = scale(
        {
            at -= 1;
            by
        },
        &mut m[at],
    );
    axpy(
        by,
        &m[{
            by *= 2.0;
            at
        }]
        .clone(),
        &mut m[at + {
            at += length;
            1
        }],
    );
    (at, by)
}

/// Callees are called and not inlined.
#[smooth(passes(inline = false))]
fn called(x: &[f64; n], y: &mut [f64; n]) -> usize {
    axpy(2.0, x, y);
    let length = scale(y[0], y);
    let mut z = y.clone();
    reverse(&mut z);
    axpy(1.0, &z, y);
    length
}

#[smooth(passes(inline = false))]
fn called_on_rows(x: &[f64; k], m: &mut [[f64; k]; n]) {
    for i in 0..n {
        axpy(i as f64, x, &mut m[i]);
    }
}

fn plain_axpy(a: f64, x: &[f64], y: &mut [f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

#[test]
fn a_local_is_updated() {
    assert_eq!(on_a_local(2.0, &[1.0, 2.0], &[10.0, 20.0]), [14.0, 28.0]);
    assert_eq!(on_a_local::reference(2.0, &[1.0, 2.0], &[10.0, 20.0]), [14.0, 28.0]);
    assert_eq!(on_a_local::scratch([5], [5]), 0);
}

#[test]
fn an_own_parameter_is_passed_on() {
    for n in [0, 1, 6] {
        let (x, mut y) = (numbers(n + 2)[2..].to_vec(), numbers(n));
        agrees!(by_its_name(&x; y), |y: &mut Vec<f64>| {
            plain_axpy(2.0, &x, y);
            y.iter_mut().for_each(|y| *y *= 0.5);
            for i in 0..n {
                plain_axpy(1.0, &x, y);
                y[i] += 1.0;
            }
        });
    }
    assert_eq!(by_its_name::scratch([9], [9]), 0);
    let (x, mut y) = (numbers(4), vec![1.0; 4]);
    for c in [true, false] {
        agrees!(under_a_condition(c, &x; y), |y: &mut Vec<f64>| if c { plain_axpy(1.0, &x, y) } else { y.reverse() });
    }
    assert_eq!(under_a_condition::scratch([9], [9]), 0);
}

#[test]
fn rows_are_updated() {
    let x = numbers(3);
    let mut m = Array::from_vec(numbers(12), [4, 3]);
    let mut want = numbers(12);
    for (i, row) in want.chunks_mut(3).enumerate() {
        plain_axpy(i as f64, &x, row);
        row.iter_mut().for_each(|y| *y *= 2.0);
    }
    let mut nested: Vec<Vec<f64>> = numbers(12).chunks(3).map(<[f64]>::to_vec).collect();
    assert_eq!(on_rows(&x, &mut m), 12);
    assert_eq!(m.as_slice(), want);
    assert_eq!(on_rows::reference(&x, &mut nested), 12);
    assert_eq!(nested.concat(), want);
    let mut m = Array::from_vec(numbers(12), [4, 3]);
    called_on_rows(&x, &mut m);
    assert_eq!(m.as_slice(), want.iter().map(|y| y / 2.0).collect::<Vec<_>>());
    let local = on_a_row_of_a_local(&x, 3);
    assert_eq!(local[[2, 1]], 1.0 + 2.0 * x[1]);
    assert_eq!(on_rows::scratch([3], [4, 3]), 0);
    assert_eq!(called_on_rows::scratch([3], [4, 3]), 0);
}

#[test]
fn arguments_are_evaluated_in_order() {
    let x = numbers(3);
    let mut want = numbers(12);
    let (first, rest) = want.split_at_mut(3);
    plain_axpy(1.0, &x, &mut rest[..3]);
    first.iter_mut().for_each(|y| *y *= 11.0);
    plain_axpy(11.0, first, &mut rest[..3]);
    let mut m = Array::from_vec(numbers(12), [4, 3]);
    let mut nested: Vec<Vec<f64>> = numbers(12).chunks(3).map(<[f64]>::to_vec).collect();
    assert_eq!(in_order(&x, &mut m), (3, 22.0));
    assert_eq!(m.as_slice(), want);
    assert_eq!(in_order::reference(&x, &mut nested), (3, 22.0));
    assert_eq!(nested.concat(), want);
}

#[test]
fn numbers_are_updated() {
    let (mut x, mut v) = (1.0, 0.0);
    for _ in 0..7 {
        step(0.1, &mut x, &mut v);
    }
    assert_eq!(on_numbers(7, 1.0), (x, v));
    assert_eq!(on_numbers::reference(7, 1.0), (x, v));
}

#[test]
fn two_locals_are_exchanged() {
    let m = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    assert_eq!(exchanged_rows(&m).as_slice(), [3.0, 4.0, 1.0, 2.0]);
}

#[test]
fn a_callee_that_is_not_inlined_updates() {
    let (x, mut y) = (numbers(5), vec![2.0; 5]);
    agrees!(called(&x; y), |y: &mut Vec<f64>| {
        plain_axpy(2.0, &x, y);
        let by = y[0];
        y.iter_mut().for_each(|y| *y *= by);
        let z: Vec<f64> = y.iter().rev().copied().collect();
        plain_axpy(1.0, &z, y);
        5
    });
}

#[smooth]
fn doubled(x: &[f64; n]) -> [f64; n] {
    build(n, |i| 2.0 * x[n - 1 - i])
}

#[smooth(passes(inline = false))]
fn rows_by_value(m: &mut [[f64; k]; n]) {
    for i in 0..n {
        m[i] = doubled(&m[i]);
    }
}

#[smooth(passes(inline = false))]
fn rows_from_rows(m: &mut [[f64; k]; n]) -> usize {
    let mut total = 0;
    for i in 1..n {
        axpy(m[i][0], &m[0].clone(), &mut m[i]);
        total += scale(2.0, &mut m[i]);
    }
    total
}

#[smooth]
fn halves(y: &mut [f64; n]) {
    let h = n / 2;
    scale(2.0, &mut y[..h]);
    reverse(&mut y[h..]);
}

#[smooth]
fn through_borrows(m: &mut [[f64; k]; n]) {
    for row in m.iter_mut() {
        reverse(row);
    }
    scale(3.0, &mut m[0]);
}

#[test]
fn rows_are_taken_by_value_and_by_borrow() {
    let mut m = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    rows_by_value(&mut m);
    assert_eq!(m.as_slice(), [4.0, 2.0, 8.0, 6.0]);
    assert_eq!(rows_from_rows(&mut m), 2);
    assert_eq!(m.as_slice(), [4.0, 2.0, 80.0, 44.0]);
    let mut nested = vec![vec![4.0, 2.0], vec![8.0, 6.0]];
    rows_from_rows::reference(&mut nested);
    assert_eq!(nested, [[4.0, 2.0], [80.0, 44.0]]);
    through_borrows(&mut m);
    assert_eq!(m.as_slice(), [6.0, 12.0, 44.0, 80.0]);
    let mut nested = vec![vec![4.0, 2.0], vec![80.0, 44.0]];
    through_borrows::reference(&mut nested);
    assert_eq!(nested, [[6.0, 12.0], [44.0, 80.0]]);
    assert_eq!(through_borrows::scratch([3, 3]), 0);
}

#[test]
fn slices_are_updated() {
    let mut y = vec![1.0, 2.0, 3.0, 4.0, 5.0];
    agrees!(halves(; y), |y: &mut Vec<f64>| *y = vec![2.0, 4.0, 5.0, 4.0, 3.0]);
}

/// Slices whose ends are parameters, and the elements outside of them.
#[smooth]
fn between(x: &[f64; n], from: usize, to: usize, y: &mut [f64; n]) -> f64 {
    axpy(2.0, &x[from..to], &mut y[from..to]);
    let mut p = build(n, |i| (y[i], x[i]));
    negate(&mut p[..from]);
    sum(n, |i| p[i].0 - p[i].1)
}

#[smooth]
fn negate(p: &mut [(f64, f64); n]) {
    for (x, y) in p.iter_mut() {
        (*x, *y) = (-*x, -*y);
    }
}

#[test]
fn slices_between_parameters_are_updated() {
    let x = [1.0, 2.0, 4.0, 8.0];
    for (from, to) in [(0, 4), (1, 3), (2, 2), (4, 4)] {
        let mut y = vec![3.0, 5.0, 7.0, 9.0];
        agrees!(between(&x, from, to; y), |y: &mut Vec<f64>| {
            (from..to).for_each(|i| y[i] += 2.0 * x[i]);
            (0..4).map(|i| if i < from { x[i] - y[i] } else { y[i] - x[i] }).sum::<f64>()
        });
    }
    let error = between::try_into(&x, 3, 5, &mut [0.0; 4], &mut Arena::new()).unwrap_err();
    assert_eq!(error.to_string(), "between: slice x[from..to] is out of range: 3..5 of length 4");
}

/// A kernel of another crate, which calls one that is too large to be inlined.
#[smooth]
fn lengthened(a: &mut [f64; n]) -> f64 {
    lengthen(a) + lengthen(a)
}

/// The kernel of another crate on rows, without inlining.
#[smooth(passes(inline = false))]
fn lengthened_rows(m: &mut [[f64; k]; n]) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        total += lengthen(&mut m[i]);
    }
    total
}

#[test]
fn kernels_of_other_crates_update() {
    let mut a = numbers(6);
    agrees!(lengthened(; a), |a: &mut Vec<f64>| {
        let first: f64 = a.iter().sum();
        *a = long(a);
        let second: f64 = a.iter().sum();
        *a = long(a);
        first + second
    });
    let mut m = Array::from_vec(numbers(6), [2, 3]);
    let total = lengthened_rows(&mut m);
    assert_eq!(total, numbers(6)[..3].iter().sum::<f64>() + numbers(6)[3..].iter().sum::<f64>());
    assert_eq!(m.as_slice(), [long(&numbers(6)[..3]), long(&numbers(6)[3..])].concat());
}
