//! `smooth::array` against iterators.

use smooth::array::*;
use smooth::prelude::*;

fn ascending(n: usize) -> Vec<f64> {
    (0..n).map(|i| i as f64).collect()
}

#[test]
fn shapes_change_and_elements_do_not() {
    for [n, k] in [[0, 0], [0, 3], [3, 0], [1, 1], [1, 5], [5, 1], [4, 7]] {
        let a = ascending(n * k);
        let m = reshape(&a, n, k);
        assert_eq!((m.shape(), m.as_slice()), ([n, k], a.as_slice()));
        assert_eq!(flatten(&m), a);
        let t = transpose(&m);
        assert_eq!(t.shape(), [k, n]);
        assert!((0..k).all(|i| (0..n).all(|j| t[[i, j]] == m[[j, i]])));
        assert_eq!(transpose(&t), m);
        let both = concat_rows(&m, &m);
        assert_eq!((both.shape(), both.as_slice()), ([2 * n, k], [a.clone(), a.clone()].concat().as_slice()));
        assert_eq!(transpose(&concat_columns(&t, &t)), both);
    }
    assert_eq!(flatten::reference(&[vec![1.0, 2.0], vec![3.0, 4.0]]), ascending(5)[1..]);
    let error = reshape::try_call(&[1.0; 6], 4, 2).unwrap_err();
    let text = "reshape: t = 6 and n * k = 8 differ, but the declared type of `a` requires them to be equal";
    assert_eq!(error.to_string(), text);
}

#[test]
fn elements_change_places() {
    for n in [0, 1, 2, 5] {
        let (a, b) = (ascending(n), ascending(3));
        assert_eq!(concat(&a, &b), [a.clone(), b.clone()].concat());
        assert_eq!(stack(&a, &a).as_slice(), [a.clone(), a.clone()].concat());
        assert!(reverse(&a).iter().eq(a.iter().rev()));
        for by in 0..2 * n + 2 {
            let mut want = a.clone();
            want.rotate_right(by % n.max(1));
            assert_eq!((roll(&a, by), roll::reference(&a, by)), (want.clone(), want), "{n} by {by}");
        }
        for times in 0..3 {
            assert!(repeat(&a, times).iter().eq(a.iter().flat_map(|x| std::iter::repeat_n(x, times))));
            assert_eq!(tile(&a, times), a.repeat(times));
        }
        let indices: Vec<usize> = (0..n).rev().collect();
        assert_eq!(take(&a, &indices), reverse(&a));
    }
    assert_eq!(concat(&[1.0f32], &[2.0]), [1.0, 2.0]);
}

/// A part of an image of rows as one array, mirrored and framed.
#[smooth]
fn mirrored(pixels: &[f32; t], n: usize, k: usize) -> [f32; t] {
    let m = reshape(pixels, n, k);
    flatten(&build([n, k], |i, j| m[i][k - 1 - j]))
}

#[test]
fn kernels_change_shapes() {
    assert_eq!(mirrored(&[1.0, 2.0, 3.0, 4.0], 2, 2), [2.0, 1.0, 4.0, 3.0]);
    assert_eq!(mirrored::scratch([4], 2, 2), 0);
}

/// These tests for a type, with elements that differ as far as the type allows.
macro_rules! of_type {
    ($($t:ty: $of:expr;)*) => {$({
        let of: fn(usize) -> $t = $of;
        for [n, k] in [[0, 0], [0, 3], [1, 1], [2, 5], [4, 7]] {
            let a: Vec<$t> = (0..n * k).map(of).collect();
            let m = reshape(&a, n, k);
            assert_eq!((flatten(&m), flatten(&transpose(&transpose(&m)))), (a.clone(), a.clone()));
            assert_eq!(concat(&a, &a), [a.clone(), a.clone()].concat());
            assert_eq!((reverse(&reverse(&a)), roll(&roll(&a, 3), n * k - (3 % (n * k).max(1)))), (a.clone(), a.clone()));
            assert_eq!(flatten(&concat_rows(&m, &m)), concat(&a, &a));
            assert_eq!((tile(&a, 2), repeat(&a, 1)), (concat(&a, &a), a.clone()));
            let rows: Vec<usize> = (0..n).rev().collect();
            let turned = take_rows(&m, &rows);
            assert!((0..n).all(|i| (0..k).all(|j| turned[[i, j]] == m[[n - 1 - i, j]])));
            let padded = pad(&a, 2, k, of(1));
            assert_eq!(padded, [vec![of(1); 2], a.clone(), vec![of(1); k]].concat());
        }
    })*};
}

#[test]
fn every_type_changes_places() {
    of_type! {
        bool: |i| i % 3 == 1;
        u8: |i| i as u8;
        i64: |i| i as i64 - 10;
        usize: |i| i * i;
        f32: |i| i as f32 - 0.5;
    }
}

#[test]
fn numbers_are_spaced_and_counted() {
    for n in [0, 1, 2, 3, 11] {
        let a = linspace(0.1, 0.7, n);
        assert_eq!((a.len(), a.first().copied()), (n, (n > 0).then_some(0.1)));
        assert!(a.is_sorted() && (n < 2 || a[n - 1] == 0.7));
    }
    // Between ends whose distance overflows, or its multiples.
    let (most, single) = (f64::MAX, f32::MAX);
    let ends = [
        (-1e308, 1e308),
        (most, -most),
        (-most, most / 3.0),
        (0.0, most),
        (1e307, 2e307),
        (-0.0, 0.0),
        (0.1, 0.1),
        (5e-324, 1e-323),
    ];
    for n in [2, 3, 4, 7, 100, 1001] {
        for (first, last) in ends {
            let a = linspace(first, last, n);
            assert_eq!((a[0].to_bits(), a[n - 1].to_bits()), (f64::to_bits(first), f64::to_bits(last)));
            assert!(a.iter().all(|x| x.is_finite()), "{first} to {last}: {a:?}");
            assert!(a.is_sorted_by(|x, y| if first <= last { x <= y } else { x >= y }), "{first} to {last}: {a:?}");
            // Quarters, which do not overflow.
            let quarter = |i: usize| first / 4.0 + (last / 4.0 - first / 4.0) / (n - 1) as f64 * i as f64;
            let near = 4e-16 * first.abs().max(last.abs()) + 1e-323;
            assert!((0..n).all(|i| (a[i] / 4.0 - quarter(i)).abs() <= near), "{first} to {last}: {a:?}");
        }
        for (first, last) in [(-single, single), (single, -single), (0.0, single), (-1.0, 3e38)] {
            let a = linspace(first, last, n);
            assert_eq!((a[0], a[n - 1]), (first, last));
            assert!(a.iter().all(|x| x.is_finite()), "{first} to {last}: {a:?}");
            assert!(a.is_sorted_by(|x, y| if first <= last { x <= y } else { x >= y }), "{first} to {last}: {a:?}");
        }
    }
    // More numbers than `f32` can count.
    let a = linspace(0.1f32, 0.7, (1 << 24) + 9);
    assert!(a.is_sorted() && a.last() == Some(&0.7));
    assert_eq!(bincount(&[], 2), [0, 0]);
    assert_eq!(bincount(&[1, 1, 0], 3), [1, 2, 0]);
    assert!(std::panic::catch_unwind(|| bincount(&[3], 3)).is_err());
}
