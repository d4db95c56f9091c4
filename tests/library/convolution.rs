//! `smooth::convolution` against the definition.

use super::numbers;
use smooth::convolution::*;
use smooth::prelude::*;

/// Of whole numbers, so that every order of additions has the same bits.
fn whole(n: usize, seed: u64) -> Vec<f64> {
    numbers(n, seed).into_iter().map(|x| if x.is_finite() { (x % 10.0).round() } else { 3.0 }).collect()
}

fn image([n, k]: [usize; 2], seed: u64) -> Array<f64, 2> {
    Array::from_vec(whole(n * k, seed), [n, k])
}

/// An element of the full convolution.
fn at(a: &Array<f64, 2>, b: &Array<f64, 2>, i: usize, j: usize) -> f64 {
    let ([n, k], [p, q]) = (a.shape(), b.shape());
    let mut s = 0.0;
    for r in (0..p).filter(|r| *r <= i && i - r < n) {
        for c in (0..q).filter(|c| *c <= j && j - c < k) {
            s += a[[i - r, j - c]] * b[[r, c]];
        }
    }
    s
}

fn reversed(b: &Array<f64, 2>) -> Array<f64, 2> {
    let [p, q] = b.shape();
    Array::from_fn([p, q], |[r, c]| b[[p - 1 - r, q - 1 - c]])
}

#[test]
fn in_one_dimension() {
    for n in [0, 1, 2, 3, 16, 17, 100] {
        for m in [1, 2, 3, 4, 5, 16, 33] {
            let (a, b) = (image([1, n], 1), image([1, m], 2));
            let want: Vec<f64> = (0..n + m - 1).map(|j| at(&a, &b, 0, j)).collect();
            let (x, y) = (a.as_slice(), b.as_slice());
            assert_eq!(convolve_full(x, y), want);
            assert_eq!(convolve_same(x, y), want[(m - 1) / 2..][..n]);
            if m <= n + 1 {
                let valid = &want[m - 1..n];
                assert_eq!(convolve_valid(x, y), valid);
                assert_eq!(correlate_valid(x, reversed(&b).as_slice()), valid);
            }
            assert_eq!(convolve_full::scratch::<f64>([n], [m]), 0);
            assert_eq!(convolve_valid::scratch::<f64>([n + m], [m]), 0);
        }
    }
    assert_eq!(convolve_same(&[1.0, 2.0], &[0.0; 0]), [0.0, 0.0]);
    assert_eq!(convolve_full(&[1.0f32, 2.0], &[2.0]), [2.0, 4.0]);
    let error = convolve_valid::try_shape([2], [4]).unwrap_err();
    assert_eq!(error.to_string(), "convolve_valid: the size n + 1 - m is negative (-1)");
}

#[test]
fn in_two_dimensions() {
    for [n, k] in [[1, 1], [3, 5], [8, 20], [20, 7]] {
        for [p, q] in [[1, 1], [1, 4], [3, 3], [5, 2], [4, 18]] {
            let (a, b) = (image([n, k], 3), image([p, q], 4));
            let all = Array::from_fn([n + p - 1, k + q - 1], |[i, j]| at(&a, &b, i, j));
            assert_eq!(convolve2d_full(&a, &b), all);
            let middle = Array::from_fn([n, k], |[i, j]| all[[i + (p - 1) / 2, j + (q - 1) / 2]]);
            assert_eq!(convolve2d_same(&a, &b), middle);
            if p <= n && q <= k {
                let valid = Array::from_fn([n - p + 1, k - q + 1], |[i, j]| all[[i + p - 1, j + q - 1]]);
                assert_eq!(convolve2d_valid(&a, &b), valid);
                assert_eq!(correlate2d_valid(&a, &reversed(&b)), valid);
            }
        }
    }
    assert!(convolve2d_valid::try_shape([5, 5], [3, 8]).is_err());
}
