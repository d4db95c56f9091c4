//! `usize` arithmetic that would wrap, in kernels whose bounds checks were removed by proofs about integers.
//!
//! In a debug build Rust's own overflow checks catch most of these. A release build has to catch them too, so `.ci/run`
//! runs this file in both.
#![allow(arithmetic_overflow)]

use smooth::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[track_caller]
fn refused<T: std::fmt::Debug>(f: impl FnOnce() -> T) {
    let value = catch_unwind(AssertUnwindSafe(f));
    assert!(value.is_err(), "it gave {value:?}");
}

#[smooth]
fn count_less_a_product(a: &[f64; n], p: usize, q: usize) -> f64 {
    sum(n - p * q - p, |i| a[i + p])
}

#[test]
fn differences_of_counts_do_not_wrap() {
    let a = [1.0, 2.0, 3.0];
    assert_eq!(count_less_a_product(&a, 1, 1), 2.0);
    refused(|| count_less_a_product(&a, 2, 1));
    // p * q + p is 2^64.
    refused(|| count_less_a_product(&a, 1 << 60, 15));
}

#[smooth]
fn slice_under_a_condition(a: &[f64; n], p: usize, q: usize, s: f64) -> f64 {
    if s > 0.0 {
        let x = &a[0..p * q + p];
        sum(p, |j| x[j])
    } else {
        0.0
    }
}

#[test]
fn ends_of_slices_do_not_wrap() {
    let a = [1.0, 2.0, 3.0];
    assert_eq!(slice_under_a_condition(&a, 1, 1, 1.0), 1.0);
    assert_eq!(slice_under_a_condition(&a, 1 << 32, (1 << 32) - 1, 0.0), 0.0);
    refused(|| slice_under_a_condition(&a, 3, 1, 1.0));
    refused(|| slice_under_a_condition(&a, 1 << 32, (1 << 32) - 1, 1.0));
}

#[smooth]
fn large_coefficients(a: &[f64; 1], n: usize) -> f64 {
    a[n * 9223372036854775808 * 9223372036854775808 * 2
        - n * 9223372036854775808 * 9223372036854775808
        - n * 9223372036854775808 * 9223372036854775808
        + n]
}

#[smooth]
fn large_constants(a: &[f64; 1]) -> f64 {
    a[(9223372036854775808 + 9223372036854775808 + 2) % 3]
}

#[test]
fn large_coefficients_are_not_tracked() {
    refused(|| large_coefficients(&[1.0], 1));
    refused(|| large_constants(&[1.0]));
}

#[smooth]
fn fold_under_a_condition(a: &[f64; n], p: usize, q: usize, s: f64) -> f64 {
    if s > 0.0 {
        let x = ifold(2, build(n - p * q, |i| a[i]), |x, _| build(n - p * q, |i| x[i] + x[0]));
        x[0]
    } else {
        0.0
    }
}

#[test]
fn arrays_under_a_condition_are_checked() {
    let a = [1.0, 2.0, 3.0];
    let arena = &mut Arena::new();
    assert_eq!(fold_under_a_condition::into(&a, 1, 1, 1.0, arena), 4.0);
    refused(|| fold_under_a_condition(&a, 2, 2, 1.0));
    refused(|| fold_under_a_condition(&a, 1 << 32, 1 << 32, 1.0));
    assert_eq!(fold_under_a_condition::into(&a, 1, 1, 0.0, arena), 0.0);
}

#[smooth]
fn remainder_as_a_size(n: usize) -> f64 {
    let a = build((n + 18446744073709551615) % 3 + 1, |i| i as f64);
    a[(n + 18446744073709551615) % 3]
}

#[test]
fn operands_of_divisions_do_not_wrap() {
    assert_eq!(remainder_as_a_size(0), 0.0);
    for n in 1..4 {
        refused(|| remainder_as_a_size(n));
    }
}

/// The rows that both reads agree in exist only where `n` is not 0.
#[smooth]
fn guarded_remainder(u: &[usize; n], p: usize) -> f64 {
    let m = build([n, n], |i, j| (i * j + 1) as f64 * 0.5);
    sum(p, |i| if n > 0 { m[p % n][u[0] % n] * m[p % n][i % n] } else { 0.0 })
}

#[smooth]
fn remainder_in_a_loop(u: &[usize; n], p: usize) -> [f64; p] {
    let m = build([n, n], |i, j| (i * j + 1) as f64 * 0.5);
    build(p, |i| m[p % n][u[0] % n] * m[p % n][i % n])
}

#[smooth]
fn guarded_difference(a: &[f64; n], q: usize) -> f64 {
    let m = build([q + 3, n], |i, j| sum(n, |k| a[j] * a[k] * i as f64));
    sum(n, |i| if q > 5 { m[(q - 5).max(2)][i] * m[(q - 5).max(2)][0] } else { 0.0 })
}

/// A product whose overflow panics in every build.
#[smooth]
fn guarded_product(a: &[f64; n], p: usize, q: usize) -> f64 {
    let m = build([n, n], |i, j| sum(n, |k| a[i] * a[j] * a[k]));
    sum(n, |i| if q < 5 { m[i][p * q % n] * m[i][p * q % n] } else { m[i][0] })
}

#[test]
fn an_index_stays_under_its_guard() {
    assert_eq!(guarded_remainder(&[], 3), 0.0);
    assert_eq!(guarded_remainder(&[3, 1], 3), guarded_remainder::reference(&[3, 1], 3));
    assert_eq!(remainder_in_a_loop(&[], 0), []);
    assert_eq!(remainder_in_a_loop(&[3, 1], 3), remainder_in_a_loop::reference(&[3, 1], 3));
    refused(|| remainder_in_a_loop(&[], 1));
    for q in [0, 2, 5, 6, 9] {
        assert_eq!(guarded_difference(&[1.0, 2.0], q), guarded_difference::reference(&[1.0, 2.0], q));
    }
    let a = [1.0, 2.0, 3.0];
    assert_eq!(guarded_product(&a, usize::MAX, 6), guarded_product::reference(&a, usize::MAX, 6));
    assert_eq!(guarded_product(&a, 5, 4), guarded_product::reference(&a, 5, 4));
    refused(|| guarded_product(&a, usize::MAX, 4));
}

#[smooth]
fn up_to_the_last(a: &[f64; n], c: &[f64; k]) -> [f64; k] {
    build(k, |i| a[i.min(n - 1)] + c[i])
}

#[smooth]
fn clamped_to_the_last(a: &[f64; n], c: &[f64; k]) -> [f64; k] {
    build(k, |i| a[i.clamp(0, n - 1)] + c[i])
}

#[smooth]
fn written_up_to_the_last(a: &mut [f64; n], c: &[f64; k]) {
    for i in 0..k {
        a[i.min(n - 1)] = c[i];
    }
}

/// A loop that is cut where the smaller one changes evaluates both.
#[test]
fn the_last_index_of_nothing_does_not_wrap() {
    let c = [1.0, 2.0, 3.0];
    assert_eq!(up_to_the_last(&[5.0, 6.0], &c), [6.0, 8.0, 9.0]);
    assert_eq!(clamped_to_the_last(&[5.0, 6.0], &c), [6.0, 8.0, 9.0]);
    let mut a = [5.0, 6.0];
    written_up_to_the_last(&mut a, &c);
    assert_eq!(a, [1.0, 3.0]);
    refused(|| up_to_the_last(&[], &c));
    refused(|| clamped_to_the_last(&[], &c));
    refused(|| written_up_to_the_last(&mut [], &c));
}

#[smooth]
fn clamped_to_nothing(a: &[f64; n], c: &[f64; k]) -> [f64; k] {
    build(k, |i| a[i.clamp(2, n - 1)] + c[i])
}

#[test]
fn a_clamp_to_an_empty_range_panics() {
    let c = [1.0, 2.0, 3.0];
    assert_eq!(clamped_to_nothing(&[5.0, 6.0, 7.0], &c), [8.0, 9.0, 10.0]);
    refused(|| clamped_to_nothing(&[5.0, 6.0], &c));
    refused(|| clamped_to_nothing(&[], &c));
}

#[smooth]
fn odd(a: &[f64; n], p: usize) -> f64 {
    a[2 * p + 1]
}

#[smooth]
fn two_away(a: &mut [[f64; 3]; n], p: usize, q: usize) {
    a[p + q][2] = a[p + q][1];
}

#[smooth]
fn row_after(a: &[[f64; 3]; n], p: usize) -> f64 {
    a[p + 1][1]
}

/// A number that wrapped itself.
#[smooth]
fn from_the_end(a: &[f64; n], p: usize, q: usize) -> f64 {
    let k = p - q;
    if p < n / 2 { a[2 * k + 2 * q] * k as f64 } else { 0.0 }
}

/// The index wraps where nothing checks for overflow, and the address is that of the element it is.
#[test]
fn terms_of_an_index_may_wrap() {
    let half = 1 << (usize::BITS - 1);
    let value = catch_unwind(|| odd(&[1.0, 2.0], half));
    assert!(value.is_err() || value.is_ok_and(|x| x == 2.0));
    let mut a = [[1.0, 2.0, 3.0]; 2];
    let done = catch_unwind(AssertUnwindSafe(|| two_away(&mut a, half, half + 1)));
    assert!(a[0] == [1.0, 2.0, 3.0] && a[1][2] == if done.is_ok() { 2.0 } else { 3.0 });
    let value = catch_unwind(|| row_after(&[[1.0, 2.0, 3.0]], usize::MAX));
    assert!(value.is_err() || value.is_ok_and(|x| x == 2.0));
    let value = catch_unwind(|| from_the_end(&[1.0, 2.0, 3.0, 4.0], 1, half + 1));
    assert!(value.is_err() || value.is_ok_and(|x| x == 3.0 * half as f64));
}
