//! The memory of kernels: `into` takes exactly `f::scratch(…)` bytes from the arena and nothing from the heap, the plain
//! call allocates only its result.
#![deny(warnings)]
#![allow(clippy::float_cmp, reason = "two ways to the same bits")]

mod heap;
mod poison;

use heap::heap;
use poison::{PATTERNS, Poison, memory};
use smooth::Bump;
use smooth::prelude::*;
use smooth_test_kernels::linalg::{vector_add, vector_map};
use smooth_test_kernels::long::{long, longer};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Elements in permuted order, so that the whole intermediate array is stored.
#[smooth]
fn scattered(a: &[f64; n]) -> [f64; n] {
    let e = build(n, |i| a[i].exp());
    let f = build(n, |i| e[n - 1 - i] + e[(i * 7) % n]);
    build(n, |i| f[(i * 3) % n] - f[n - 1 - i])
}

/// A fold whose state is an array.
#[smooth]
fn iterated(a: &[f64; n], steps: usize) -> [f64; n] {
    ifold(steps, a.clone(), |s, k| build(n, |i| s[n - 1 - i] + s[i] * k as f64))
}

/// A fold whose state is two arrays and a number.
#[smooth]
fn pair_fold(a: &[f64; n], steps: usize) -> ([f64; n], f64, [f64; n]) {
    let (x, s, y) = ifold(steps, (a.clone(), 0.0, build(n, |i| 2.0 * a[i])), |(x, s, y), k| {
        (build(n, |i| y[n - 1 - i]), s + sum(n, |i| x[i]) + k as f64, build(n, |i| x[n - 1 - i] + y[i]))
    });
    (x, s, y)
}

/// A temporary in each iteration of an outer loop, one of rank 2, and a branch.
#[smooth]
fn nested(m: &[[f64; k]; n]) -> [[f64; n]; n] {
    let t = build([k, n], |j, i| m[i][j].sin() + m[n - 1 - i][j]);
    build([n, n], |i, j| {
        let row = build(k, |l| (t[l][i] - m[j][l]).abs());
        if i < j { sum(k, |l| row[k - 1 - l] * row[l]) } else { sum(k, |l| row[(l * 2) % k]) }
    })
}

/// Two calls above the inlining budget, the second on a temporary.
#[smooth]
fn calling(a: &[f64; n]) -> [f64; n] {
    let b = long(a);
    let c = longer(&vector_add(a, &b));
    build(n, |i| b[n - 1 - i] + c[i])
}

/// A callee above the budget in a loop over rows.
#[smooth]
fn calling_rows(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| {
        let r = long(&m[i]);
        sum(k, |j| r[k - 1 - j] * m[i][j])
    })
}

/// A scalar result computed from temporaries.
#[smooth]
fn scalar(a: &[f64; n], k: usize) -> f64 {
    let s = ifold(k, a.clone(), |s, _| build(n, |i| s[n - 1 - i] * 0.5));
    sum(n, |i| s[(i * 5) % n])
}

/// Static sizes, with temporaries.
#[smooth]
fn fixed(a: &[f64; 5], m: &[[f64; 3]; 2]) -> [[f64; 5]; 3] {
    let e = build(5, |i| a[i].exp());
    let s = ifold(3, a.clone(), |s, _| build(5, |i| s[4 - i] + e[(i * 2) % 5]));
    build([3, 5], |i, j| s[4 - j] * m[0][i] + s[j] * m[1][2 - i])
}

/// Only numbers.
#[smooth]
fn numbers(a: &[f64; n], x: f64, k: usize, yes: bool) -> f64 {
    if yes { sum(n, |i| a[i] * x) } else { k as f64 }
}

/// A closure that is called between two temporaries.
#[smooth]
fn with_closure(a: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] {
    let e = build(n, |i| f(a[i]));
    let g = vector_map(&e, |x| x + 1.0);
    build(n, |i| e[n - 1 - i] + f(g[(i * 3) % n]))
}

/// An index from the caller, evaluated after a temporary.
#[smooth]
fn picked(a: &[f64; n], k: usize) -> f64 {
    let e = build(n, |i| a[i].exp());
    let f = build(n, |i| e[n - 1 - i] * e[i]);
    f[k] + sum(n, |i| f[n - 1 - i])
}

fn values(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 0.7).sin() + 0.1).collect()
}

fn matrix(n: usize, k: usize) -> Array<f64, 2> {
    Array::from_vec(values(n * k), [n, k])
}

/// Memory for arenas at each of the 64 offsets from a cache line.
struct Places(Vec<MaybeUninit<u8>>);

impl Places {
    fn new(bytes: usize) -> Self {
        Places(memory(bytes + 64, PATTERNS[0]))
    }

    /// Fills the memory with one byte.
    fn poison(&mut self, pattern: u8) {
        self.0.fill(MaybeUninit::new(pattern));
    }

    /// An arena of exactly `bytes` bytes that starts at `offset`.
    fn at(&mut self, offset: usize, bytes: usize) -> Arena<'_> {
        Arena::on(&mut self.0[offset..][..bytes])
    }
}

/// Checks that exactly `scratch` bytes at any address suffice, whatever the content of the arena and of the destination,
/// that one byte less does not suffice, and that the heap is not used. `into` and `try_into` run the kernel with the arena
/// and return its result.
fn exact<R: PartialEq + Poison + std::fmt::Debug>(
    name: &str,
    scratch: usize,
    expected: &R,
    mut out: impl FnMut() -> R,
    into: impl Fn(&mut R, &mut Arena<'_>),
    try_into: impl Fn(&mut R, &mut Arena<'_>) -> Result<(), ShapeError>,
) {
    let mut places = Places::new(scratch);
    for offset in 0..64 {
        let (mut first, mut second, mut third) = (out(), out(), out());
        first.poison(PATTERNS[0]);
        second.poison(PATTERNS[0]);
        places.poison(PATTERNS[0]);
        let mut arena = places.at(offset, scratch);
        let ((), taken, given) = heap(|| into(&mut first, &mut arena));
        assert_eq!((taken, given), (0, 0), "{name}: `into` used the heap");
        assert_eq!(arena.high_water(), scratch, "{name}: the peak is the scratch");
        let (result, taken, given) = heap(|| try_into(&mut second, &mut arena));
        assert_eq!((result, taken, given), (Ok(()), 0, 0), "{name}");
        third.poison(PATTERNS[1]);
        places.poison(PATTERNS[1]);
        into(&mut third, &mut places.at(offset, scratch));
        assert_eq!([&first, &second, &third], [expected; 3], "{name} at offset {offset}");
    }
    if let Some(less) = scratch.checked_sub(1) {
        let mut r = out();
        let untouched = out();
        let (result, taken, _) = heap(|| try_into(&mut r, &mut places.at(0, less)));
        let error = result.unwrap_err();
        let ShapeError::ScratchTooSmall { kernel, needed, available } = error else { panic!("{name}: {error}") };
        assert_eq!((kernel, needed, available, taken), (name, scratch, less, 0));
        assert_eq!(r, untouched, "{name}: a rejected call writes nothing");
    }
    // A growing arena allocates once and never again.
    let mut arena = Arena::new();
    for (call, limit) in [1, 0, 0].into_iter().enumerate() {
        let mut r = out();
        let ((), taken, _) = heap(|| into(&mut r, &mut arena));
        assert!(taken <= limit, "{name}: call {call} took {taken} blocks");
    }
}

/// [`exact`] for kernels of one array: `check!(f(args) with (sizes) into destination)`.
macro_rules! check {
    ($f:ident($($arg:expr),*) with ($($size:expr),*) into $out:expr) => {{
        let expected = $f($($arg),*);
        exact(
            stringify!($f), $f::scratch($($size),*), &expected, || $out,
            |out, arena| $f::into(out, $($arg,)* arena),
            |out, arena| $f::try_into(out, $($arg,)* arena),
        );
        assert_eq!($f::try_scratch($($size),*), Ok($f::scratch($($size),*)));
    }};
}

#[test]
fn into_takes_exactly_scratch_bytes() {
    for n in [0, 1, 2, 3, 7, 8, 9, 64, 100] {
        let a = &values(n);
        check!(scattered(a) with ([n]) into vec![0.0; n]);
        check!(long(a) with ([n]) into vec![0.0; n]);
        check!(longer(a) with ([n]) into vec![0.0; n]);
        check!(calling(a) with ([n]) into vec![0.0; n]);
        for steps in [0, 1, 2, 5] {
            check!(iterated(a, steps) with ([n], steps) into vec![0.0; n]);
        }
        for k in [0, 1, 5, 16].into_iter().filter(|_| n < 10) {
            let m = &matrix(n, k);
            check!(nested(m) with ([n, k]) into Array::from_elem([n, n], 0.0));
            check!(calling_rows(m) with ([n, k]) into vec![0.0; n]);
        }
    }
    let (a, m) = (&[1.0, -2.0, 0.5, 3.0, -1.0], &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    check!(fixed(a, m) with () into [[0.0; 5]; 3]);
}

#[test]
fn into_agrees_with_the_reference() {
    for n in [0, 1, 2, 7, 64] {
        let a = &values(n);
        let close = |x: &[f64], y: &[f64]| {
            assert_eq!(x.len(), y.len());
            assert!(x.iter().zip(y).all(|(x, y)| (x - y).abs() <= 1e-12 * y.abs().max(1.0)), "{x:?} {y:?}");
        };
        close(&scattered(a), &scattered::reference(a));
        close(&calling(a), &calling::reference(a));
        close(&[scalar(a, 3)], &[scalar::reference(a, 3)]);
        for steps in [0, 1, 2, 5] {
            close(&iterated(a, steps), &iterated::reference(a, steps));
            let ((x, s, y), (rx, rs, ry)) = (pair_fold(a, steps), pair_fold::reference(a, steps));
            close(&x, &rx);
            close(&[s], &[rs]);
            close(&y, &ry);
        }
        let m = matrix(n, 5);
        let rows: Vec<Vec<f64>> = nested::reference(m.to_nested());
        close(nested(&m).as_slice(), &rows.concat());
    }
    let (a, m) = ([1.0, -2.0, 0.5, 3.0, -1.0], [vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]]);
    let got = fixed(&a, &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(got.map(Vec::from).to_vec(), fixed::reference(&a, &m));
}

#[test]
fn the_tested_kernels_have_temporaries() {
    let sizes = [scattered::scratch([9]), iterated::scratch([9], 2), pair_fold::scratch([9], 2)];
    assert!(sizes.iter().all(|s| *s > 0), "{sizes:?}");
    let sizes =
        [nested::scratch([9, 4]), calling::scratch([9]), calling_rows::scratch([9, 4]), scalar::scratch([9], 2)];
    assert!(sizes.iter().all(|s| *s > 0), "{sizes:?}");
}

#[test]
fn several_results_and_scalars() {
    for n in [0, 1, 7, 33] {
        let a = &values(n);
        let scratch = pair_fold::scratch([n], 3);
        let mut places = Places::new(scratch);
        for offset in 0..64 {
            let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
            let pattern = PATTERNS[offset % 2];
            x.poison(pattern);
            y.poison(pattern);
            places.poison(pattern);
            let mut arena = places.at(offset, scratch);
            let (s, taken, given) = heap(|| pair_fold::into(&mut x, &mut y, a, 3, &mut arena));
            assert_eq!((taken, given, arena.high_water()), (0, 0, scratch));
            assert_eq!((x, s, y), pair_fold(a, 3));
        }
        let scratch = scalar::scratch([n], 2);
        let mut places = Places::new(scratch);
        let (s, taken, _) = heap(|| scalar::into(a, 2, &mut places.at(5, scratch)));
        assert_eq!((s, taken), (scalar(a, 2), 0));
        if let Some(less) = scratch.checked_sub(1) {
            assert!(matches!(scalar::try_into(a, 2, &mut places.at(0, less)), Err(ShapeError::ScratchTooSmall { .. })));
        }
    }
}

#[test]
fn the_plain_call_allocates_only_its_result() {
    let (a, m) = (&values(50), &matrix(50, 4));
    // One call, so that the arena of the thread is large enough.
    drop((calling(a), pair_fold(a, 3), nested(m), scalar(a, 3)));
    let (r, taken, given) = heap(|| calling(a));
    assert_eq!((r.len(), taken, given), (50, 1, 0));
    let (r, taken, given) = heap(|| iterated(a, 6));
    assert_eq!((r.len(), taken, given), (50, 1, 0));
    let (r, taken, given) = heap(|| nested(m));
    assert_eq!((r.shape(), taken, given), ([50, 50], 1, 0));
    let ((x, _, y), taken, given) = heap(|| pair_fold(a, 3));
    assert_eq!((x.len(), y.len(), taken, given), (50, 50, 2, 0));
    let (_, taken, given) = heap(|| scalar(a, 3));
    assert_eq!((taken, given), (0, 0));
    let (r, taken, given) = heap(|| with_closure(a, |x| x * x));
    assert_eq!((r.len(), taken, given), (50, 1, 0));
    // An empty vector allocates nothing.
    let (r, taken, given) = heap(|| calling(&[]));
    assert_eq!((r.len(), taken, given), (0, 0, 0));
}

#[test]
fn static_results_and_numbers_allocate_nothing() {
    let (a, m) = (&[1.0, -2.0, 0.5, 3.0, -1.0], &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    fixed(a, m);
    let (_, taken, given) = heap(|| fixed(a, m));
    assert_eq!((taken, given), (0, 0));
    let (x, taken, given) = heap(|| numbers(a, 2.0, 3, true) + numbers(a, 2.0, 3, false));
    assert_eq!((x, taken, given), (6.0, 0, 0));
    assert_eq!(numbers::scratch([5], 3), 0);
}

#[test]
fn the_scratch_of_static_kernels_is_a_constant() {
    const B: usize = fixed::scratch();
    const SHAPE: [usize; 2] = fixed::shape();
    assert_eq!((SHAPE, fixed::try_scratch()), ([3, 5], Ok(B)));
    // A frame on the stack, sized at compile time.
    let mut frame = [MaybeUninit::uninit(); B];
    let (a, m) = (&[1.0, -2.0, 0.5, 3.0, -1.0], &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let mut out = [[0.0; 5]; 3];
    fixed::into(&mut out, a, m, &mut Arena::on(&mut frame));
    assert_eq!(out, fixed(a, m));
    const OF_SIZES: usize = scattered::scratch([100]);
    assert_eq!(OF_SIZES, scattered::scratch([100]));
}

#[test]
fn a_kernel_without_temporaries_leaves_the_arena_empty() {
    let mut arena = Arena::on(&mut []);
    let a = [1.0, 2.0];
    let mut out = [0.0; 2];
    vector_add::into(&mut out, &a, &a, &mut arena);
    assert_eq!((out, arena.high_water(), arena.capacity()), ([2.0, 4.0], 0, 0));
    assert_eq!(vector_add::scratch([2], [2]), 0);
}

#[test]
fn one_arena_serves_many_kernels() {
    let (a, m) = (&values(40), &matrix(40, 3));
    let mut arena = Arena::new();
    let (mut v, mut w) = (vec![0.0; 40], Array::from_elem([40, 40], 0.0));
    let largest =
        [calling::scratch([40]), nested::scratch([40, 3]), scattered::scratch([40])].into_iter().max().unwrap();
    let mut run = |arena: &mut Arena<'_>| {
        calling::into(&mut v, a, arena);
        nested::into(&mut w, m, arena);
        scattered::into(&mut v, a, arena);
    };
    run(&mut arena);
    assert_eq!(arena.high_water(), largest);
    assert_eq!(heap(|| run(&mut arena)).1, 0);
    assert_eq!((&v, &w), (&scattered(a), &nested(m)));
}

/// A user's own `Bump` instead of an arena: equal results, the temporaries given back, no use of the heap in steady state.
#[test]
fn a_bump_serves_as_an_arena() {
    let (a, m) = (&values(40), &matrix(40, 3));
    let mut bump = Bump::new();
    let (mut v, mut w) = (vec![0.0; 40], Array::from_elem([40, 40], 0.0));
    let mut run = |bump: &mut Bump| {
        nested::into(&mut w, m, bump);
        calling::into(&mut v, a, bump);
        nested::try_into(&mut w, m, bump).unwrap();
        scalar::into(a, 2, bump)
    };
    run(&mut bump);
    let free = bump.chunk_capacity();
    assert!(free >= nested::scratch([40, 3]));
    let (s, taken, given) = heap(|| run(&mut bump));
    assert_eq!((s, taken, given, bump.chunk_capacity()), (scalar(a, 2), 0, 0, free));
    assert_eq!((&v, &w), (&calling(a), &nested(m)));
    // Also where the call unwinds.
    let late = |x: f64| if x > 1.5 { panic!("no more") } else { x + 1.0 };
    assert!(panics(|| with_closure::into(&mut v, a, late, &mut bump)));
    assert_eq!(bump.chunk_capacity(), free);
    with_closure::into(&mut v, a, |x| x * 0.5, &mut bump);
    assert_eq!(v, with_closure(a, |x| x * 0.5));
    // A `Bump` that may not grow is too small: the call returns an error before it writes anything.
    let mut small = Bump::with_capacity(64);
    small.set_allocation_limit(Some(small.allocated_bytes()));
    let mut untouched = vec![7.0; 4000];
    let error = calling::try_into(&mut untouched, &values(4000), &mut small).unwrap_err();
    assert!(matches!(error, ShapeError::ScratchTooSmall { needed, available, .. } if needed > available), "{error}");
    assert_eq!(untouched, vec![7.0; 4000]);
}

/// A kernel that is generic over its memory.
#[test]
fn generic_over_the_memory() {
    fn run(memory: &mut impl smooth::Scratch) -> [f64; 2] {
        [scalar::into(&values(9), 2, memory), scalar::into(&values(9), 3, memory)]
    }
    assert_eq!(run(&mut Bump::new()), run(&mut Arena::new()));
}

fn panics<R>(run: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(run)).is_err()
}

#[test]
fn an_arena_can_be_used_after_a_panic_in_a_kernel() {
    let a = &values(20);
    let scratch = picked::scratch([20], 3).max(with_closure::scratch([20]));
    assert!(picked::scratch([20], 3) > 0 && with_closure::scratch([20]) > 0);
    let mut places = Places::new(scratch);
    let mut arena = places.at(3, scratch);
    let good = picked(a, 19);
    for _ in 0..3 {
        assert!(panics(|| picked::into(a, 20, &mut arena)), "index 20 of 20");
        assert_eq!(picked::into(a, 19, &mut arena), good);
        let mut out = vec![0.0; 20];
        let late = |x: f64| if x > 1.5 { panic!("no more") } else { x + 1.0 };
        assert!(panics(|| with_closure::into(&mut out, a, late, &mut arena)));
        with_closure::into(&mut out, a, |x| x * 0.5, &mut arena);
        assert_eq!(out, with_closure(a, |x| x * 0.5));
    }
    assert_eq!(arena.high_water(), scratch);
    // The same for the plain call, which uses the arena of the thread; its unfinished result is freed.
    let (panicked, taken, given) = heap(|| panics(|| with_closure(a, |_| std::panic::resume_unwind(Box::new(())))));
    assert!(panicked);
    assert_eq!(taken, given);
    assert_eq!(picked(a, 19), good);
    assert_eq!(with_closure(a, |x| x + 1.0), with_closure::reference(a, |x| x + 1.0));
}

/// A plain call in the closure of a plain call has a separate arena.
#[test]
fn nested_plain_calls() {
    let a = &values(10);
    let inner = |x: f64| x + scalar(&values(10), 2);
    let expected = with_closure::reference(a, inner);
    assert_eq!(with_closure(a, inner), expected);
    assert_eq!(with_closure(a, inner), expected);
}

#[test]
fn every_thread_has_an_arena_of_its_own() {
    let a = &values(30);
    let expected = &calling(a);
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| (0..100).for_each(|_| assert_eq!(&calling(a), expected)));
        }
    });
}
