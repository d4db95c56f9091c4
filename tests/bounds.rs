//! Sizes in loops that are bounded by numbers which would wrap, or are negative in an iteration: refused where they are
//! computed, in debug and in release builds (`.ci/run` runs this file in both), with every pass and without.
#![allow(clippy::implicit_saturating_sub)]

use smooth::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Refused as Rust refuses it, and not by one of our own assertions.
#[track_caller]
fn refused<T: std::fmt::Debug>(f: impl FnOnce() -> T) {
    let panic = match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => panic!("it gave {value:?}"),
        Err(panic) => panic,
    };
    let text = panic.downcast_ref::<String>().map_or_else(|| *panic.downcast_ref::<&str>().unwrap(), String::as_str);
    assert!(!text.contains("bug"), "{text}");
}

macro_rules! kernels {
    ($($name:ident($($option:tt)*);)*) => {$(mod $name {
        use super::*;

        #[smooth]
        pub fn less(n: usize, by: usize) -> usize {
            n - by
        }

        /// An array of `count` elements that is stored.
        #[smooth]
        fn stored(a: &[f64; n], count: usize) -> f64 {
            let b = build(count, |q| a[q % n] + 1.0);
            ifold(2, b, |s, _| build(count, |q| s[count - 1 - q] * 2.0))[0]
        }

        #[smooth($($option)*)]
        pub fn branch(a: &[f64; n], c: bool) -> [f64; n] {
            build(n, |i| {
                let x = if c { i - 5 } else { 0 };
                sum(x, |j| stored(a, j + 1))
            })
        }

        #[smooth($($option)*)]
        pub fn branch_in_a_count(a: &[f64; n], c: bool) -> [f64; n] {
            build(n, |i| sum(if c { i - 5 } else { 0 }, |j| stored(a, j + 1)))
        }

        #[smooth($($option)*)]
        pub fn tuple(a: &[f64; n], c: bool) -> [f64; n] {
            build(n, |i| {
                let (x, y) = if c { (i - 5, (1, 2)) } else { (0, (0, i)) };
                sum(x, |j| stored(a, j + 1) + (y.0 * y.1) as f64)
            })
        }

        #[smooth($($option)*)]
        pub fn binding(a: &[f64; n], d: &[usize; 1], c: bool) -> [f64; n] {
            build(n, |i| {
                let x = if c {
                    let y = d[0].min(i);
                    y - 5
                } else {
                    0
                };
                sum(x, |j| stored(a, j + 1))
            })
        }

        #[smooth($($option)*)]
        pub fn binding_in_a_count(a: &[f64; n], d: &[usize; 1], c: bool) -> [f64; n] {
            build(n, |i| {
                let few = |k| {
                    let y = d[0].min(k);
                    if c { y - 5 } else { y - y }
                };
                sum({ let y = few(i); y }, |j| stored(a, j + 1))
            })
        }

        /// No name around the bounded number, or names in names.
        #[smooth($($option)*)]
        pub fn arithmetic(a: &[f64; n], d: &[usize; 2], c: bool) -> [f64; n] {
            build(n, |i| {
                let x = if c { d[0].min(i) - 5 } else { d[1] % (i + 1) + 1 };
                let y = {
                    let z = { let few = d[0].min(i) + d[1].min(2); few * 2 };
                    z - if c { 100 } else { 0 }
                };
                sum(x, |j| stored(a, j + 1)) + sum(n - d[1] % (n + 1), |j| stored(a, j + 1)) + sum(y, |j| stored(a, j + 1))
            })
        }

        #[smooth($($option)*)]
        pub fn quotient(n: usize, by: usize) -> usize {
            (n * by - 5) / 2
        }

        #[smooth($($option)*)]
        pub fn remainder(n: usize, by: usize) -> usize {
            (n * by - 5) % 3
        }

        #[smooth($($option)*)]
        pub fn smaller(n: usize, by: usize) -> usize {
            (n * by - 5).min(7)
        }

        #[smooth($($option)*)]
        pub fn larger(n: usize, by: usize) -> usize {
            (if by > 0 { n * by - 5 } else { 0 }).max(7)
        }

        #[smooth($($option)*)]
        pub fn operands(a: &[f64; n], d: &[usize; 1], c: bool) -> [f64; n] {
            build(n, |i| {
                let x = (if c { i - 5 } else { 0 }).min(d[0]);
                let y = d[0] % (if c { i - 4 } else { 1 });
                let z = (if c { i - 5 } else { 0 }) / 2;
                sum(x, |j| stored(a, j + 1)) + sum(y, |j| stored(a, j + 1)) + sum(z, |j| stored(a, j + 1))
            })
        }

        #[smooth($($option)*)]
        pub fn called(a: &[f64; n], d: &[usize; 1], c: bool) -> [f64; n] {
            build(n, |i| {
                let x = if c { less(i, 5) } else { 0 };
                let y = if c { less({ let y = d[0].min(i); y }, 5) } else { 0 };
                sum(x, |j| stored(a, j + 1)) + sum(y, |j| stored(a, j + 1))
            })
        }

        /// Unrolled, the first of these sizes is the number -1.
        #[smooth($($option)*)]
        pub fn negative(a: &[f64; 6], from: usize) -> [f64; 6] {
            build(6, |i| {
                let e = build(i + from - 1, |j| a[j].exp());
                sum(i + from - 1, |j| e[i - 1 - j] * e[j])
            })
        }

        #[smooth($($option)*)]
        pub fn always_negative_at_first(a: &[f64; 6]) -> [f64; 6] {
            build(6, |i| {
                let e = build(i - 1, |j| a[j].exp());
                sum(i + 1, |j| if a[j] < f64::MAX { e[i - j] * e[j] } else { 0.0 })
            })
        }

        #[smooth($($option)*)]
        pub fn negative_rows(a: &[f64; 3], c: bool) -> f64 {
            sum(3, |i| {
                let m = build([2 - i, i - 1], |j, k| a[j + k].exp());
                if c { ifold(2, m, |m, _| build([2 - i, i - 1], |j, k| m[j][i - 2 - k]))[0][0] } else { 1.0 }
            })
        }

        #[smooth($($option)*)]
        pub fn negative_slice(a: &[f64; 6]) -> f64 {
            sum(3, |i| {
                let part = &a[1..i];
                sum(part.len(), |j| part[j]) + ifold(2, part.to_vec(), |s, _| build(s.len(), |k| s[s.len() - 1 - k]))[0]
            })
        }

        /// Never refused: under the condition no negative size is computed.
        #[smooth($($option)*)]
        pub fn guarded(a: &[f64; 6]) -> [f64; 6] {
            build(6, |i| {
                if i > 0 {
                    let e = build(i - 1, |j| a[j].exp());
                    sum(i - 1, |j| e[i - 2 - j] * e[j])
                } else {
                    0.0
                }
            })
        }
    })*};
}

kernels! {
    all();
    rolled(passes(unroll = false));
    separate(passes(inline = false));
    unfused(preset = "D");
    fused(preset = "DF");
}

macro_rules! in_every_preset {
    ($($test:ident($preset:ident) $body:block)*) => {$(
        #[test]
        fn $test() {
            { use all as $preset; $body }
            { use rolled as $preset; $body }
            { use separate as $preset; $body }
            { use unfused as $preset; $body }
            { use fused as $preset; $body }
        }
    )*};
}

/// These kernels at every number of elements. The first five make `i - 5` wrap.
const A: [f64; 8] = [1.0, 0.5, 2.0, 1.5, 3.0, 0.25, 1.0, 2.0];

in_every_preset! {
    a_branch_does_not_wrap(k) {
        for n in 0..8 {
            assert_eq!(k::branch(&A[..n], false), vec![0.0; n]);
            assert_eq!(k::branch_in_a_count(&A[..n], false), vec![0.0; n]);
            assert_eq!(k::tuple(&A[..n], false), vec![0.0; n]);
        }
        assert_eq!(k::branch(&[], true), []);
        refused(|| k::branch(&A, true));
        refused(|| k::branch_in_a_count(&A, true));
        refused(|| k::tuple(&A, true));
    }
    a_number_from_data_does_not_wrap(k) {
        for n in 0..8 {
            assert_eq!(k::binding(&A[..n], &[n], false), vec![0.0; n]);
            assert_eq!(k::binding_in_a_count(&A[..n], &[n], false), vec![0.0; n]);
        }
        refused(|| k::binding(&A, &[8], true));
        refused(|| k::binding_in_a_count(&A, &[8], true));
    }
    arithmetic_does_not_wrap(k) {
        assert_eq!(k::arithmetic(&A[..1], &[0, 0], false), k::arithmetic::reference(&A[..1], &[0, 0], false));
        for n in 0..8 {
            for d in [[0, 0], [3, 2], [9, 9]] {
                assert_eq!(k::arithmetic(&A[..n], &d, false), k::arithmetic::reference(&A[..n], &d, false));
            }
        }
        refused(|| k::arithmetic(&A, &[8, 1], true));
    }
    operands_do_not_wrap(k) {
        assert_eq!(k::operands(&A, &[4], false), [0.0; 8]);
        refused(|| k::operands(&A, &[4], true));
    }
    operands_of_divisions_and_extrema_are_exact(k) {
        for f in [k::quotient, k::remainder, k::smaller, k::larger] {
            refused(|| f(4, 1));
            refused(|| f(1 << 63, 2));
        }
        assert_eq!((k::quotient(6, 2), k::remainder(6, 2), k::smaller(5, 2), k::larger(9, 2)), (3, 1, 5, 13));
    }
    what_a_kernel_returns_does_not_wrap(k) {
        assert_eq!(k::called(&A, &[4], false), [0.0; 8]);
        refused(|| k::called(&A, &[4], true));
    }
    a_size_that_is_negative_in_an_iteration_is_refused_there(k) {
        let a = [0.0; 6];
        assert_eq!(k::negative(&a, 1), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        refused(|| k::negative(&a, 0));
        refused(|| k::always_negative_at_first(&a));
        refused(|| k::negative_rows(&[1.0; 3], true));
        refused(|| k::negative_slice(&a));
        assert_eq!(k::guarded(&a), [0.0, 0.0, 1.0, 2.0, 3.0, 4.0]);
    }
}

/// Memory is planned for arrays under a condition, too.
#[smooth]
fn under_a_condition(a: &[f64; n], k: usize, c: bool) -> f64 {
    if c {
        let b = build(k, |i| a[i % n].exp());
        ifold(2, b, |s, _| build(k, |i| s[k - 1 - i] + s[0]))[0]
    } else {
        0.0
    }
}

#[test]
fn a_size_too_large_under_a_condition_is_an_error_at_entry() {
    let error = under_a_condition::try_call(&[1.0], usize::MAX, false).unwrap_err();
    assert_eq!(error.to_string(), "under_a_condition: the size of the scratch memory is too large");
    assert_eq!(under_a_condition(&[1.0], 0, false), 0.0);
    assert_eq!(under_a_condition(&[0.0], 1, true), 4.0);
}
