//! Sequences: sums, counts, transforms.

use crate::agree::{Numbers, SIZES, agrees};
use crate::kernels::signals::*;
use crate::plain::signals as plain;

#[test]
fn running_values() {
    for n in SIZES {
        let a = &Numbers::new(n as u64).vector(n);
        agrees!(prefix_sums(a) into [vec![0.0; n]] == plain::prefix_sums(a));
        agrees!(running_maximum(a) into [vec![0.0; n]] == plain::running_maximum(a));
        agrees!(welford(a) into [] == plain::welford(a));
        let (b, c) = (&[0.2, 0.5, 0.1], &[-0.4, 0.3]);
        agrees!(biquad(a, b, c) reference(a, b, c) into [vec![0.0; n]] == plain::biquad(a, b, c));
        let scratch = [prefix_sums::scratch([n]), running_maximum::scratch([n]), welford::scratch([n])];
        assert_eq!((scratch, biquad::scratch([n], [3], [2])), ([0; 3], 0));
    }
}

#[test]
fn counts() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let a = &numbers.vector(n);
        for bins in [1, 2, 10] {
            agrees!(histogram(a, bins) into [vec![0; bins]] == plain::histogram(a, bins));
            assert_eq!(histogram::scratch([n], bins), 0);
        }
        let text = &numbers.text(n, b"aab");
        agrees!(run_lengths(text) into [vec![0; n], vec![0; n]] == plain::run_lengths(text));
        assert_eq!(run_lengths::scratch([n]), 0);
        let i: Vec<i64> = numbers.integers(n, 40).iter().map(|x| *x as i64 - 20).collect();
        let (best, start, end) = largest_slice(&i);
        assert_eq!((best, best), (plain::largest_slice(&i), i[start..end].iter().sum()));
        agrees!(largest_slice(&i) into [] == (best, start, end));
    }
}

#[test]
fn transforms() {
    for n in [1usize, 2, 4, 8, 64] {
        let mut numbers = Numbers::new(n as u64);
        let (re, im) = (&numbers.vector(n), &numbers.vector(n));
        let (sin, cos): (Vec<f64>, Vec<f64>) =
            (0..n / 2).map(|k| (-std::f64::consts::TAU * k as f64 / n as f64).sin_cos()).unzip();
        let want = plain::fft(re, im, &cos, &sin);
        agrees!(fft(re, im, &cos, &sin) into [vec![0.0; n], vec![0.0; n]] == want);
        assert_eq!(fft::scratch([n], [n], [n / 2], [n / 2]), 0);
    }
    for n in [0, 1, 2, 3, 6, 8, 40] {
        let mut numbers = Numbers::new(n as u64);
        let (a, b) = (&numbers.vector(n), &numbers.vector(5));
        agrees!(haar(a) into [vec![0.0; n]] == plain::haar(a));
        assert!(haar::scratch([n]) < 8 * n + 128, "one vector");
        agrees!(polynomial_product(a, b) into [vec![0.0; n + 5]] == plain::polynomial_product(a, b));
        assert_eq!(polynomial_product::scratch([n], [5]), 0);
    }
}
