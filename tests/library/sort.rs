//! `smooth::sort` against `slice::sort_by`.

use super::{LENGTHS, bits, heap::heap, numbers};
use smooth::prelude::*;
use smooth::sort::*;
use std::cmp::Ordering;
use std::mem::MaybeUninit;

/// The documented order: NaN last, zeros equal.
fn order(x: &f64, y: &f64) -> Ordering {
    x.partial_cmp(y).unwrap_or_else(|| x.is_nan().cmp(&y.is_nan()))
}

#[test]
fn arrays_are_sorted_and_stable() {
    for n in LENGTHS {
        let a = numbers(n, n as u64);
        let mut want = a.clone();
        want.sort_by(order);
        assert_eq!(bits(&sort(&a)), bits(&want), "{n} elements");
        let (mut here, mut reference) = (a.clone(), a.clone());
        sort_in_place(&mut here);
        sort_in_place::reference(&mut reference);
        assert_eq!((bits(&here), bits(&reference)), (bits(&want), bits(&want)), "{n} elements in place");

        let mut indices: Vec<usize> = (0..n).collect();
        indices.sort_by(|i, j| order(&a[*i], &a[*j]));
        assert_eq!((argsort(&a), argsort::reference(&a)), (indices.clone(), indices.clone()), "the order of {n}");
        assert_eq!(argsort_by(n, |i, j| order(&a[i], &a[j]).is_lt()), indices);
        let places = rank(&a);
        assert!(indices.iter().enumerate().all(|(k, i)| places[*i] == k), "the places of {n}");

        assert!(is_sorted(&want));
        assert_eq!(is_sorted(&a), a.is_sorted_by(|x, y| order(x, y).is_le()));
        for x in a.iter().copied().chain([f64::NAN, -1e9, 4.5]) {
            assert_eq!(lower_bound(&want, x), want.partition_point(|y| order(y, &x).is_lt()), "{x} in {want:?}");
            assert_eq!(upper_bound(&want, x), want.partition_point(|y| order(y, &x).is_le()), "{x} in {want:?}");
            assert_eq!(lower_bound::reference(&want, x), lower_bound(&want, x));
        }
    }
}

#[test]
fn both_widths_are_sorted() {
    let a: Vec<f32> = numbers(100, 3).into_iter().map(|x| x as f32).collect();
    let mut want = a.clone();
    want.sort_by(|x, y| order(&(*x).into(), &(*y).into()));
    assert!(sort(&a).iter().zip(&want).all(|(x, y)| x.to_bits() == y.to_bits()));
}

#[test]
fn a_function_that_is_no_order_gives_some_order() {
    let mut indices = argsort_by(100, |_, _| true);
    indices.sort();
    assert!(indices.into_iter().eq(0..100));
}

#[test]
fn sorting_takes_two_buffers_at_most_and_no_heap() {
    let a = numbers(1000, 1);
    let mut out = a.clone();
    let mut memory = vec![MaybeUninit::uninit(); sort::scratch::<f64>([1000])];
    assert!(memory.len() <= 2 * 8 * 1000 + 2 * 64, "{} bytes", memory.len());
    let ((), taken, given) = heap(|| sort::into(&mut out, &a, &mut Arena::on(&mut memory)));
    assert_eq!((taken, given, is_sorted(&out)), (0, 0, true));
    assert_eq!((lower_bound::scratch::<f64>([1000]), is_sorted::scratch::<f64>([1000])), (0, 0));
}

/// Integers, by a function.
#[smooth]
fn sorted_integers(a: &[i64; n]) -> [i64; n] {
    let order = argsort_by(n, |i, j| a[i] < a[j]);
    build(n, |i| a[order[i]])
}

#[smooth]
fn median(a: &[f64; n]) -> f64 {
    let sorted = sort(a);
    0.5 * (sorted[(n - 1) / 2] + sorted[n / 2])
}

/// Linear interpolation between points with ascending `x`.
#[smooth]
fn interpolated(x: &[f64; n], y: &[f64; n], at: &[f64; m]) -> [f64; m] {
    build(m, |i| {
        let k = upper_bound(x, at[i]).clamp(1, n - 1);
        let t = (at[i] - x[k - 1]) / (x[k] - x[k - 1]);
        y[k - 1] * (1.0 - t) + y[k] * t
    })
}

/// Rows are sorted where they are.
#[smooth]
fn sort_rows(m: &mut [[f64; k]; n]) {
    for i in 0..n {
        sort_in_place(&mut m[i]);
    }
}

#[test]
fn kernels_sort() {
    let a = [5, -3, 9, 0, -3];
    assert_eq!((sorted_integers(&a), sorted_integers::reference(&a)), (vec![-3, -3, 0, 5, 9], vec![-3, -3, 0, 5, 9]));
    assert_eq!((median(&[4.0, 1.0, 3.0]), median(&[4.0, 1.0, 3.0, 2.0])), (3.0, 2.5));
    let (x, y) = ([0.0, 1.0, 3.0], [0.0, 10.0, 30.0]);
    assert_eq!(interpolated(&x, &y, &[0.5, 2.0, 3.0]), [5.0, 20.0, 30.0]);
    assert_eq!(interpolated::scratch([3], [3], [3]), 0);
    let mut m = [[3.0, 1.0, 2.0], [9.0, 8.0, 7.0]];
    sort_rows(&mut m);
    assert_eq!(m, [[1.0, 2.0, 3.0], [7.0, 8.0, 9.0]]);
}
