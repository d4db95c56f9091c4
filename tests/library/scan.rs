//! `smooth::scan` against loops.

use super::{LENGTHS, bits, numbers};
use smooth::prelude::*;
use smooth::scan::*;

/// `f` of the result so far and each element, from `init`.
fn running(a: &[f64], init: f64, f: impl Fn(f64, f64) -> f64) -> Vec<u64> {
    let states = a.iter().scan(init, |s, x| {
        *s = f(*s, *x);
        Some(*s)
    });
    bits(&states.collect::<Vec<_>>())
}

#[test]
fn scans_are_loops_in_source_order() {
    for n in LENGTHS {
        // Without NaN, whose bits an operation may change.
        let a: Vec<f64> = numbers(n, n as u64).into_iter().filter(|x| x.is_finite()).collect();
        assert_eq!(bits(&cumsum(&a)), running(&a, -0.0, |s, x| s + x));
        assert_eq!(bits(&cumprod(&a)), running(&a, 1.0, |s, x| s * x));
        assert_eq!(bits(&cummax(&a)), running(&a, f64::NEG_INFINITY, |s, x| if x > s { x } else { s }));
        assert_eq!(bits(&cummin(&a)), running(&a, f64::INFINITY, |s, x| if x < s { x } else { s }));
        assert_eq!(bits(&cumsum::reference(&a)), bits(&cumsum(&a)));
    }
    assert_eq!((cumsum::scratch::<f64>([1000]), cummax::scratch::<f32>([1000])), (0, 0));
    assert_eq!(cumsum(&[1.0f32, 2.0]), [1.0, 3.0]);
    assert_eq!(bits(&cumsum(&[-0.0])), bits(&[-0.0]));
}

#[test]
fn nan_is_infectious_in_sums_and_ignored_in_extremes() {
    let a = [f64::NAN, 2.0, f64::NAN, 1.0];
    assert!(cumsum(&a).iter().chain(&cumprod(&a)).all(|x| x.is_nan()));
    assert_eq!(cummax(&a), [f64::NEG_INFINITY, 2.0, 2.0, 2.0]);
    assert_eq!(cummin(&a), [f64::INFINITY, 2.0, 2.0, 1.0]);
}

/// The sums of squares fuse with the squares.
#[smooth]
fn energy(a: &[f64; n]) -> [f64; n] {
    cumsum(&build(n, |i| a[i] * a[i]))
}

#[test]
fn what_is_scanned_is_not_stored() {
    assert_eq!(energy(&[1.0, 2.0, 3.0]), [1.0, 5.0, 14.0]);
    assert_eq!(energy::scratch([1000]), 0);
}

/// Integers, against loops: sums, products and extremes.
macro_rules! integers {
    ($($t:ty)*) => {$(
        for n in LENGTHS {
            let a: Vec<$t> = (0..n).map(|i| if i % 100 == 0 { 1 } else { (i % 2) as $t }).collect();
            let states = |init: $t, f: fn($t, $t) -> $t| -> Vec<$t> {
                a.iter().scan(init, |s, x| { *s = f(*s, *x); Some(*s) }).collect()
            };
            if n <= 100 {
                assert_eq!(cumsum(&a), states(0, |s, x| s + x));
                assert_eq!(cumsum::reference(&a), cumsum(&a));
                assert!(cumsum_exclusive(&a).iter().zip(cumsum(&a)).zip(&a).all(|((e, s), x)| e + x == s));
                if n > 0 {
                    assert_eq!(differences(&cumsum(&a)), a[1..]);
                }
            }
            assert_eq!(cumprod(&a), states(1, |s, x| s * x));
            assert_eq!(cummax(&a), states(<$t>::MIN, |s, x| s.max(x)));
            assert_eq!(cummin(&a), states(<$t>::MAX, |s, x| s.min(x)));
        }
        assert_eq!((cummax(&[<$t>::MIN]), cummin(&[<$t>::MAX])), (vec![<$t>::MIN], vec![<$t>::MAX]));
    )*};
}

#[test]
fn integers_are_scanned() {
    integers! { u8 i8 u16 i32 u64 i64 usize }
    assert!(differences::try_shape([0]).is_err());
    assert_eq!(cumsum_exclusive(&[1.5f32, 2.0]), [0.0, 1.5]);
}
