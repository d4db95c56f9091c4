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

/// Every function of the module for a type whose order is that of Rust.
macro_rules! as_in_rust {
    ($($t:ty: $of:expr;)*) => {$(
        for n in LENGTHS {
            let of: fn(u64) -> $t = $of;
            // Few values, many values, ascending, descending, up and down.
            let shapes: [fn(u64, u64) -> u64; 5] =
                [|i, _| i * i % 7, |i, _| (i * 7919) % 10_007, |i, _| i, |i, n| n - i, |i, n| i.min(n - i)];
            for shape in shapes {
                let a: Vec<$t> = (0..n as u64).map(|i| of(shape(i, n as u64))).collect();
                let mut want = a.clone();
                want.sort();
                assert_eq!(sort(&a), want, "{a:?}");
                assert!(is_sorted(&want) && (is_sorted(&a) == (a == want)));
                let mut order: Vec<usize> = (0..n).collect();
                order.sort_by_key(|i| a[*i]);
                assert_eq!(argsort(&a), order);
                let places = rank(&a);
                assert!(order.iter().enumerate().all(|(k, i)| places[*i] == k));
                let mut reversed = a.clone();
                sort_in_place_by(&mut reversed, |x, y| x > y);
                assert!(reversed.iter().rev().eq(&want));
                let (values, count) = distinct(&a);
                let mut once = want.clone();
                once.dedup();
                assert_eq!((&values[..count], count), (&once[..], once.len()));
                assert!(values[count..].iter().all(|x| Some(x) == want.last()));
                for x in [of(0), of(3), of(5000)] {
                    assert_eq!(lower_bound(&want, x), want.partition_point(|y| *y < x));
                    assert_eq!(upper_bound(&want, x), want.partition_point(|y| *y <= x));
                }
            }
        }
    )*};
}

#[test]
fn every_type_is_sorted() {
    as_in_rust! {
        i64: |k| k as i64 - 5000;
        u8: |k| k as u8;
        i16: |k| (k as i16).wrapping_mul(257);
        u32: |k| k as u32;
        usize: |k| k as usize;
        bool: |k| k % 3 == 1;
    }
    assert_eq!((sort::reference(&[3u8, 1]), sort(&[u128::MAX, 0])), (vec![1, 3], vec![0, u128::MAX]));
}

#[test]
fn quantiles_are_interpolated() {
    for n in [1, 2, 3, 10, 101] {
        let a: Vec<f64> = numbers(n, 5).into_iter().map(|x| if x.is_finite() { x } else { 1.5 }).collect();
        let mut want = a.clone();
        want.sort_by(order);
        for q in [-1.0, 0.0, 0.1, 0.25, 0.5, 0.9, 1.0, 7.0] {
            let at = f64::clamp(q, 0.0, 1.0) * (n - 1) as f64;
            let (low, part) = (want[at as usize], at.fract());
            let between = if part > 0.0 { low + (want[at as usize + 1] - low) * part } else { low };
            assert_eq!(quantile(&a, q).to_bits(), between.to_bits(), "{q} of {want:?}");
            assert_eq!(quantile::reference(&a, q).to_bits(), between.to_bits(), "{q} of {want:?}");
        }
    }
    assert_eq!(quantile(&[f32::INFINITY, 1.0], 0.0), 1.0);
    assert!(std::panic::catch_unwind(|| quantile::<f64>(&[], 0.5)).is_err());
}

#[test]
fn quantiles_are_between_the_elements_and_grow() {
    // Parts of 0 and 1, parts next to them, to one half, and to the places of elements.
    let part = |k: u32| f64::from(k) / 120.0;
    let qs: Vec<f64> = (0..=120).flat_map(|k| [part(k).next_down(), part(k), part(k).next_up()]).collect();
    let (most, inf) = (f64::MAX, f64::INFINITY);
    let mut arrays = vec![
        vec![0.1, 0.1],
        vec![0.7; 5],
        vec![-0.0; 3],
        vec![0.1, 0.1, 0.2],
        vec![0.1, 0.1f64.next_up()],
        vec![-most, most],
        vec![-most, -1.0, most / 2.0, most],
        vec![-0.6 * most, 0.6 * most, 0.7 * most],
        vec![5e-324, 0.0, 1e-323, -5e-324],
        vec![-1e16, 1.0, 1e-300, -1e-16],
        vec![-inf, -1.0, 2.0, inf],
        vec![-inf, -inf, inf],
        vec![-inf, most],
        vec![-most, inf, inf],
    ];
    arrays.extend((1..60).map(|v| vec![f64::from(v) / 10.0; 2]));
    arrays.extend((0..60).map(|k| (0..3).map(|i| ((k * 7919 + i * 104_729) % 1009) as f64 / 97.0 - 5.0).collect()));
    for a in &arrays {
        let singles: Vec<f32> = a.iter().map(|x| *x as f32).collect();
        let (least, largest) = (a.iter().copied().fold(inf, f64::min), a.iter().copied().fold(-inf, f64::max));
        let (mut last, mut last_single) = (least, least as f32);
        for &q in &qs {
            let (x, y) = (quantile(a, q), quantile(&singles, q as f32));
            assert!(x >= last && y >= last_single, "{q} of {a:?}: {x} after {last}, {y} after {last_single}");
            assert!(x <= largest && y <= largest as f32, "{q} of {a:?}: {x}, {y}");
            assert!(least < largest || x.to_bits() == least.to_bits(), "{q} of {a:?}: {x}");
            (last, last_single) = (x, y);
        }
        assert_eq!((last, last_single), (largest, largest as f32), "the end of {a:?}");
    }
    assert_eq!(
        (quantile(&[-inf, inf], 0.25), quantile(&[1.0, inf], 0.25), quantile(&[-inf, -1.0], 0.75)),
        (0.0, inf, -inf)
    );
}

#[test]
fn a_quantile_with_nan_is_nan() {
    for q in [0.0, 0.25, 1.0] {
        assert!(quantile(&[1.0, f64::NAN, 2.0], q).is_nan() && quantile(&[-f32::NAN], q as f32).is_nan());
    }
    assert!(quantile(&[1.0, 2.0], f64::NAN).is_nan());
}

/// McIlroy's adversary (A killer adversary for quicksort, 1999): it decides about each value as late and as badly as it can.
#[test]
fn no_order_takes_quadratic_time() {
    use std::cell::{Cell, RefCell};
    let n = 10_000;
    let (values, decided, candidate, calls) = (RefCell::new(vec![n; n]), Cell::new(0), Cell::new(0), Cell::new(0));
    let order = argsort_by(n, |i, j| {
        calls.set(calls.get() + 1);
        let mut values = values.borrow_mut();
        if values[i] == n && values[j] == n {
            values[if i == candidate.get() { i } else { j }] = decided.get();
            decided.set(decided.get() + 1);
        }
        if values[i] == n {
            candidate.set(i);
        } else if values[j] == n {
            candidate.set(j);
        }
        values[i] < values[j]
    });
    let values = values.borrow();
    assert!(order.is_sorted_by_key(|i| values[*i]));
    assert!(calls.get() < 60 * n * 14, "{} calls", calls.get());
}

#[test]
fn a_function_that_is_no_order_gives_some_order() {
    type Function = fn(usize, usize) -> bool;
    let functions: [Function; 4] = [|_, _| true, |_, _| false, |i, j| i != j, |i, j| (i * j + i) % 3 == 1];
    for before in functions {
        let mut indices = argsort_by(1000, before);
        indices.sort();
        assert!(indices.into_iter().eq(0..1000));
    }
}

#[test]
fn sorting_takes_one_buffer_and_no_heap() {
    let a = numbers(1000, 1);
    let mut out = a.clone();
    let mut memory = vec![MaybeUninit::uninit(); sort::scratch::<f64>([1000])];
    assert!(memory.len() <= 8 * 1000 + 1536, "{} bytes", memory.len());
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
