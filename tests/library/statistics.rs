//! `smooth::statistics` against loops.

use super::{LENGTHS, numbers};
use smooth::prelude::*;
use smooth::statistics::*;

fn finite(n: usize, seed: u64) -> Vec<f64> {
    numbers(n, seed).into_iter().map(|x| if x.is_finite() { x } else { 0.5 }).collect()
}

#[track_caller]
fn close(found: f64, want: f64) {
    let same = found == want || (found - want).abs() <= 1e-12 * want.abs().max(1.0) || found.is_nan() && want.is_nan();
    assert!(same, "{found} is not {want}");
}

#[test]
fn extremes() {
    for n in LENGTHS {
        let a = numbers(n, n as u64);
        let smallest = a.iter().fold(f64::INFINITY, |s, x| s.min(*x));
        let largest = a.iter().fold(f64::NEG_INFINITY, |s, x| s.max(*x));
        assert_eq!((min(&a), max(&a)), (smallest, largest));
        if a.iter().any(|x| !x.is_nan()) {
            assert_eq!(argmin(&a), a.iter().position(|x| *x == smallest).expect("it is there"));
            assert_eq!(argmax(&a), a.iter().position(|x| *x == largest).expect("it is there"));
        }
    }
    assert_eq!((min(&[3u8, 1, 2]), max(&[-3i64, -1]), argmin(&[f64::NAN; 3])), (1, -1, 0));
    assert!(std::panic::catch_unwind(|| argmax(&[0.0; 0])).is_err());
}

#[test]
fn moments() {
    for n in LENGTHS {
        let a = finite(n, n as u64);
        let (count, total) = (n as f64, a.iter().sum::<f64>());
        close(mean(&a), total / count);
        let squares: f64 = a.iter().map(|x| (x - total / count).powi(2)).sum();
        close(variance(&a) / 1e4, squares / count / 1e4);
        close(sample_variance(&a) / 1e4, squares / (count - 1.0) / 1e4);
    }
    assert_eq!((variance(&[4.0f32; 20]), variance(&[1e8 + 1.0, 1e8 - 1.0])), (0.0, 1.0));
    assert!(variance(&[f64::INFINITY, 1.0]).is_nan());
}

#[test]
fn exponentials() {
    for n in LENGTHS {
        let a: Vec<f64> = finite(n, n as u64).iter().map(|x| x % 10.0).collect();
        let total: f64 = a.iter().map(|x| x.exp()).sum();
        for by in [0.0, 1000.0, -1000.0] {
            let shifted: Vec<f64> = a.iter().map(|x| x + by).collect();
            close(logsumexp(&shifted), by + total.ln());
            for (p, x) in softmax(&shifted).iter().zip(&a) {
                assert!((p - x.exp() / total).abs() <= 1e-12);
            }
        }
    }
    let (none, all) = (f64::NEG_INFINITY, f64::INFINITY);
    assert_eq!((logsumexp(&[none, none]), logsumexp(&[0.0, all]), logsumexp(&[none, 2.0])), (none, all, 2.0));
    assert!(
        logsumexp(&[f64::NAN, 1.0]).is_nan() && logsumexp(&[f64::NAN]).is_nan() && logsumexp(&[all, f64::NAN]).is_nan()
    );
    assert_eq!(softmax(&[none, 0.0]), [0.0, 1.0]);
    assert!(softmax(&[none, none]).iter().chain(&softmax(&[all, f64::NAN])).all(|x| x.is_nan()));
    assert!((softmax(&[80.0f32, 100.0])[1] - 1.0).abs() < 1e-6);
}

/// The exponentials are stored in the destination.
#[test]
fn scratch() {
    assert_eq!((softmax::scratch::<f64>([1000]), logsumexp::scratch::<f32>([1000])), (0, 0));
    assert_eq!((variance::scratch::<f64>([1000]), argmin::scratch::<u8>([1000])), (0, 0));
}

/// The names are those of built-in reductions, which take a closure.
#[smooth]
fn spread(a: &[f64; n]) -> f64 {
    max(a) - min(n, |i| a[i].abs())
}

#[test]
fn beside_the_built_in_ones() {
    assert_eq!(spread(&[-1.0, 4.0]), 3.0);
}
