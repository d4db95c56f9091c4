//! Calls under hostile conditions: threads, closures that panic or call kernels, arrays at odd addresses, millions of calls.

use crate::heap::heap;
use crate::{library, numbers, workloads};
use smooth::linalg::{vector_add, vector_map, vector_norm, vector_sum};
use smooth::prelude::*;
use smooth::sort::{argsort_by, sort_in_place_by};
use std::cell::Cell;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[smooth]
fn last_of_three(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    let c = build(3, |i| a[i] + b[2 - i]);
    build(3, |i| c[2 - i] * c[i])
}

/// Temporaries before, between and after calls of the closure.
#[smooth]
fn twice(a: &[f64; n], f: impl Fn(f64) -> f64) -> ([f64; n], f64) {
    let e = build(n, |i| f(a[i]));
    let g = build(n, |i| e[n - 1 - i] + f(e[(i * 3) % n]));
    (build(n, |i| g[n - 1 - i] * e[i]), sum(n, |i| g[(i * 5) % n]))
}

/// An array that is changed in place by a closure.
#[smooth]
fn in_place(a: &mut [f64; n], f: impl Fn(f64) -> f64) -> f64 {
    for i in 0..n {
        a[i] = f(a[i]) + a[n - 1 - i];
    }
    sum(n, |i| a[i])
}

#[test]
fn every_kernel_on_eight_threads() {
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                library::all(17 + thread % 2, thread % 3 == 0);
                workloads::all(11 + thread % 2, thread % 3 == 0);
            });
        }
    });
}

/// One closure that all threads call, and one arena for each.
#[test]
fn one_closure_on_eight_threads() {
    let (a, calls) = (&numbers(30, 1, false), std::sync::atomic::AtomicUsize::new(0));
    let f = &|x: f64| {
        calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        0.5 * x + vector_sum(&[x, 1.0])
    };
    let expected = &twice::reference(a, f);
    let each = calls.swap(0, std::sync::atomic::Ordering::Relaxed);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(move || (0..50).for_each(|_| assert_eq!(&twice(a, f), expected)));
        }
    });
    assert_eq!(calls.into_inner(), 400 * each);
}

/// At each of its calls in turn the closure panics; the next call of the kernel is as if nothing had happened.
#[test]
fn closures_that_panic() {
    let a = &numbers(9, 1, false);
    let calls = Cell::new(0);
    let until = |last: usize| {
        let calls = &calls;
        calls.set(0);
        move |x: f64| {
            calls.set(calls.get() + 1);
            if calls.get() == last { resume_unwind(Box::new(())) } else { x + 1.0 }
        }
    };
    let want = twice(a, until(0));
    let most = calls.get();
    let mut memory = vec![std::mem::MaybeUninit::uninit(); twice::scratch([9])];
    let (mut fixed, mut grown) = (Arena::on(&mut memory), Arena::with_capacity(twice::scratch([9])));
    for last in 1..=most {
        for arena in [&mut fixed, &mut grown] {
            let mut out = vec![0.0; 9];
            let f = until(last);
            assert!(catch_unwind(AssertUnwindSafe(|| twice::into(&mut out, a, f, arena))).is_err());
            assert_eq!(calls.get(), last);
            let (s, taken, given) = heap(|| twice::into(&mut out, a, |x| x + 1.0, arena));
            assert_eq!(((out, s), taken, given), (want.clone(), 0, 0));
        }
        // The plain call frees its unfinished result.
        let f = until(last);
        let (result, taken, given) = heap(|| catch_unwind(AssertUnwindSafe(|| drop(twice(a, f)))).is_err());
        assert_eq!((result, taken), (true, given), "call {last}");
        assert_eq!(twice(a, |x| x + 1.0), want);
        // An array that was changed in place can be used.
        let (mut changed, f) = (a.clone(), until(last.min(9)));
        assert!(catch_unwind(AssertUnwindSafe(|| in_place(&mut changed, f))).is_err());
        let mut reference = changed.clone();
        assert_eq!(in_place(&mut changed, |x| -x), in_place::reference(&mut reference, |x| -x));
        assert_eq!(changed, reference);
    }
}

#[test]
fn orders_that_panic() {
    let a = numbers(200, 3, false);
    for last in [1, 2, 150, 198, 199, 200, 201, 500, 1000] {
        let calls = Cell::new(0);
        let before = |x: f64, y: f64| {
            calls.set(calls.get() + 1);
            if calls.get() == last { resume_unwind(Box::new(())) } else { x < y }
        };
        let mut sorted = a.clone();
        assert!(catch_unwind(AssertUnwindSafe(|| sort_in_place_by(&mut sorted, before))).is_err());
        sort_in_place_by(&mut sorted, |x, y| x < y);
        assert!(sorted.is_sorted());
        calls.set(0);
        let (panics, taken, given) =
            heap(|| catch_unwind(AssertUnwindSafe(|| drop(argsort_by(200, |i, j| before(a[i], a[j]))))).is_err());
        assert_eq!((panics, taken), (true, given));
    }
}

/// A closure calls the kernel that calls it, a few levels deep: in plain calls, and with an arena for each level.
#[test]
fn closures_that_call_kernels() {
    fn plain(depth: usize, a: &[f64]) -> f64 {
        let inner = |x: f64| if depth == 0 { 0.5 * x } else { 0.25 * plain(depth - 1, &[x, 1.0, x]) };
        let (y, s) = twice(a, inner);
        s + vector_norm(&y)
    }
    fn into(depth: usize, a: &[f64], out: &mut [f64]) -> f64 {
        let inner = |x: f64| if depth == 0 { 0.5 * x } else { 0.25 * into(depth - 1, &[x, 1.0, x], &mut [0.0; 3]) };
        let s = twice::into(out, a, inner, &mut Arena::new());
        s + vector_norm(out)
    }
    fn reference(depth: usize, a: &[f64]) -> f64 {
        let inner = |x: f64| if depth == 0 { 0.5 * x } else { 0.25 * reference(depth - 1, &[x, 1.0, x]) };
        let (y, s) = twice::reference(a, inner);
        s + vector_norm(&y)
    }
    for depth in 0..4 {
        let a = [1.0, -0.5, 2.0];
        let want = reference(depth, &a);
        assert_eq!((plain(depth, &a), into(depth, &a, &mut [0.0; 3])), (want, want));
        // A panic through all levels.
        let at = |x: f64| vector_sum(&vector_map(&[x, plain(depth, &a)], |_| resume_unwind(Box::new(()))));
        assert!(catch_unwind(AssertUnwindSafe(|| twice(&a, at))).is_err());
        assert_eq!(plain(depth, &a), want);
    }
}

/// Arrays that start at each element of a cache line, and bytes at each address.
#[test]
fn arrays_at_odd_addresses() {
    #[smooth]
    fn bytes(a: &[u8; n], b: &[u8; n]) -> [u8; n] {
        let c = build(n, |i| a[i].wrapping_add(b[n - 1 - i]));
        build(n, |i| c[n - 1 - i] ^ a[i])
    }
    let (a, b, n) = (numbers(60, 1, true), numbers(60, 2, true), 33);
    let (p, q): (Vec<u8>, Vec<u8>) = (0..200u8).map(|k| (k.wrapping_mul(97), k ^ 0x5A)).unzip();
    for at in 0..16 {
        for by in [0, 1, 3, 8] {
            let (x, y) = (&a[at..][..n], &b[by..][..n]);
            let mut out = vec![7.0; 60];
            vector_add::into(&mut out[at..][..n], x, y, &mut Arena::new());
            let bits = |z: &[f64]| crate::agree::bits(&z.to_vec());
            assert_eq!(bits(&out[at..][..n]), bits(&vector_add::reference(x, y)));
            assert!(out[..at].iter().chain(&out[at + n..]).all(|z| *z == 7.0));
        }
    }
    for at in 0..64 {
        let (x, y) = (&p[at..][..100], &q[64 - at..][..100]);
        let mut out = [7; 200];
        bytes::into(&mut out[at..][..100], x, y, &mut Arena::new());
        assert_eq!(out[at..][..100], bytes::reference(x, y));
        assert!(out[..at].iter().chain(&out[at + 100..]).all(|z| *z == 7));
    }
}

/// Ten million calls where the kernel is optimised, half a million otherwise; a small one takes a few nanoseconds.
#[test]
fn millions_of_calls() {
    let calls = if cfg!(debug_assertions) { 500_000 } else { 10_000_000 };
    let (mut a, b, mut out, arena) = ([1.0, 2.0, 3.0], [0.5, -0.5, 0.25], [0.0; 3], &mut Arena::new());
    let start = std::time::Instant::now();
    let ((), taken, given) = heap(|| {
        for call in 0..calls {
            a[call % 3] = call as f64;
            last_of_three::into(black_box(&mut out), black_box(&a), &b, arena);
        }
    });
    assert_eq!((taken, given, arena.capacity()), (0, 0, 0));
    assert_eq!(out.to_vec(), last_of_three::reference(&a, &b));
    println!("{calls} calls in {:?}", start.elapsed());
}
