//! Functions over arrays as arguments from Rust: closures that write their results where the kernel wants them.
#![deny(warnings)]
#![allow(clippy::float_cmp, reason = "two ways to the same bits")]

mod heap;
mod poison;

use heap::heap;
use poison::{PATTERNS, memory};
use smooth::linalg::{matrix_map, matrix_map2, vector_norm};
use smooth::prelude::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The classical step of Runge and Kutta, with five arrays between calls.
#[smooth(float = "strict")]
fn rk4(x: &[f64; n], h: f64, steps: usize, f: impl Fn(&[f64; n]) -> [f64; n]) -> [f64; n] {
    ifold(steps, x.clone(), |x, _| {
        let k1 = f(x);
        let k2 = f(&build(n, |i| x[i] + h / 2.0 * k1[i]));
        let k3 = f(&build(n, |i| x[i] + h / 2.0 * k2[i]));
        let k4 = f(&build(n, |i| x[i] + h * k3[i]));
        build(n, |i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    })
}

#[smooth(float = "strict")]
fn chain(x: &[f64; n]) -> [f64; n] {
    let e = build(n, |i| x[i] * x[n - 1 - i]);
    build(n, |i| e[(i * 3) % n] - x[i])
}

#[smooth(float = "strict")]
fn rk4_of_chain(x: &[f64; n], h: f64, steps: usize) -> [f64; n] {
    rk4(x, h, steps, chain)
}

fn start(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 - (i as f64 * 0.7).cos()).collect()
}

/// A kernel is passed with a separate arena. The kernel that takes it uses nothing from the heap and exactly the announced
/// bytes of its arena, and has the bits of the reference and of the kernel that knows both.
#[test]
fn a_kernel_is_passed_to_a_kernel() {
    for n in [1, 2, 7, 40] {
        let x = &start(n);
        let want = rk4::reference(x, 0.01, 5, |x: Vec<f64>| chain::reference(&x));
        assert_eq!(rk4_of_chain(x, 0.01, 5), want);
        let mut inner = Arena::with_capacity(chain::scratch([n]));
        assert_eq!(rk4(x, 0.01, 5, |x, out| chain::into(out, x, &mut inner)), want);
        let bytes = rk4::scratch([n], 5);
        for pattern in PATTERNS {
            let (mut own, mut out) = (memory(bytes, pattern), vec![f64::from(pattern); n]);
            let mut arena = Arena::on(&mut own);
            let call = || rk4::into(&mut out, x, 0.01, 5, |x, out| chain::into(out, x, &mut inner), &mut arena);
            let ((), taken, given) = heap(call);
            assert_eq!((&out, taken, given), (&want, 0, 0));
        }
        for less in [0, bytes / 2, bytes - 1] {
            let (mut own, mut out) = (memory(less, 0), vec![7.0; n]);
            let mut calls = 0;
            let refused = rk4::try_into(&mut out, x, 0.01, 5, |_, _| calls += 1, &mut Arena::on(&mut own));
            assert!(matches!(refused, Err(ShapeError::ScratchTooSmall { .. })), "{refused:?}");
            assert_eq!((out, calls), (vec![7.0; n], 0));
        }
    }
}

/// A function may leave its destination as it is: zero, whatever the memory was full of.
#[test]
fn destinations_are_zero() {
    for pattern in PATTERNS {
        let mut own = memory(rk4::scratch([3], 2), pattern);
        let mut out = [0.0; 3];
        let seen = Cell::new(0.0);
        let f = |_: &[f64], out: &mut [f64]| {
            seen.set(seen.get() + out.iter().map(|x| x.to_bits() as f64).sum::<f64>());
            out[1] = 6.0;
        };
        rk4::into(&mut out, &[1.0, 1.0, 1.0], 0.5, 2, f, &mut Arena::on(&mut own));
        assert_eq!((out, seen.get()), ([1.0, 7.0, 1.0], 0.0));
    }
}

/// The parts of every form at the boundary: slices, rows of static size, views, static arrays, numbers, tuples.
#[smooth]
fn forms<T: Real, const N: usize>(
    a: &[T; n],
    b: &[[T; 2]; n],
    m: &[[T; k]; n],
    s: &[T; N],
    f: impl Fn(
        &[T; n],
        &[[T; 2]; n],
        &[[T; k]; n],
        &[T; N],
        (usize, T),
    ) -> ([T; n + 1], T, [[T; 2]; k], [[T; n]; k], [T; N]),
) -> ([T; n + 1], T, [[T; 2]; k], [[T; n]; k], [T; N]) {
    f(a, b, m, s, (n + k, s[0]))
}

#[test]
fn every_form() {
    fn check<T: Real + From<f32>>() {
        let number = |x: f32| T::from(x);
        let (a, b, s) = (
            [1.0, 2.0, 3.0].map(number),
            [[4.0, 5.0], [6.0, 7.0], [8.0, 9.0]].map(|r| r.map(number)),
            [number(2.5); 4],
        );
        let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]].map(|r| r.map(number));
        let (long, x, pairs, wide, same) = forms(&a, &b, &m, &s, |a, b, m, s, (j, y), long, pairs, mut wide| {
            long[..3].copy_from_slice(a);
            long[3] = b[2][1];
            pairs[1] = b[1];
            wide[[0, 2]] = m[[2, 1]];
            wide[[1, 0]] = number(j as f32);
            (y + y, *s)
        });
        assert_eq!(long, [1.0, 2.0, 3.0, 9.0].map(number));
        assert_eq!((x, same), (number(5.0), s));
        assert_eq!(pairs, [[0.0, 0.0], [6.0, 7.0]].map(|r| r.map(number)));
        assert_eq!(wide, Array::from([[0.0, 0.0, 6.0], [5.0, 0.0, 0.0]].map(|r| r.map(number))));
        assert_eq!(forms::shape([3], [3, 2], [3, 2], [4]), ([4], [], [2, 2], [2, 3], [4]));
    }
    check::<f32>();
    check::<f64>();
}

/// A result of static size needs no heap: a kernel of static sizes is passed by its name.
#[smooth(float = "strict")]
fn iterated<const N: usize>(x: &[f64; N], steps: usize, f: impl Fn(&[f64; N]) -> [f64; N]) -> [f64; N] {
    ifold(steps, x.clone(), |x, _| f(x))
}

#[smooth(float = "strict")]
fn rotated(x: &[f64; 3]) -> [f64; 3] {
    [x[2] * 0.5, x[0] - x[1], x[1]]
}

#[test]
fn static_results_are_returned() {
    let want = iterated::reference(&[1.0, 2.0, 3.0], 7, |x: Vec<f64>| rotated::reference(&x)).try_into();
    assert_eq!(Ok(iterated(&[1.0, 2.0, 3.0], 7, rotated)), want);
    let mut out = [0.0; 3];
    let mut own = memory(iterated::scratch([3], 7), 0xFF);
    iterated::into(&mut out, &[1.0, 2.0, 3.0], 7, rotated, &mut Arena::on(&mut own));
    assert_eq!(Ok(out), want);
    assert_eq!(iterated(&[0.0; 0], 7, |x| *x), [0.0; 0]);
}

/// Lengths that belong to a call, and that nothing determines.
#[smooth(float = "strict")]
fn ends(a: &[f64; n], f: impl Fn(&[f64; k]) -> [f64; k - 1], g: impl Fn(&[f64]) -> [f64; l]) -> ([f64; l], f64) {
    let rest = ifold(n, 0.0, |s, i| {
        let r = f(&a[..i + 1]);
        s + sum(i, |j| r[j])
    });
    (g(&f(a)), rest)
}

#[test]
fn sizes_of_a_call() {
    let a = [3.0, 5.0, 9.0, 17.0];
    let steps = |x: &[f64], out: &mut [f64]| {
        assert_eq!(out.len() + 1, x.len());
        (0..out.len()).for_each(|i| out[i] = x[i + 1] - x[i]);
    };
    let want = ends::reference(
        &a,
        |x: Vec<f64>| x.windows(2).map(|w| w[1] - w[0]).collect(),
        |x: Vec<f64>| vec![x.len() as f64, x[1], 0.0, 0.0, 0.0],
    );
    let first = |x: &[f64], out: &mut [f64]| (out[0], out[1]) = (x.len() as f64, x[1]);
    assert_eq!(ends(&a, steps, first, 5), want);
    assert_eq!(ends::shape([4], 5), ([5], []));
    let mut out = [1.0; 5];
    let mut own = memory(ends::scratch([4], 5), 0xAA);
    let (rest, taken, _) = heap(|| ends::into(&mut out, &a, steps, first, 5, &mut Arena::on(&mut own)));
    assert_eq!(((out.to_vec(), rest), taken), (want, 0));
    // There are no differences of nothing, and no array of `usize::MAX` numbers.
    assert!(matches!(ends::try_shape([0], 5), Err(ShapeError::Negative { .. })), "{:?}", ends::try_shape([0], 5));
    assert!(ends::try_into(&mut [], &a, steps, |_, _| (), usize::MAX, &mut Arena::new()).is_err());
    assert!(matches!(ends::try_shape([4], usize::MAX), Err(ShapeError::Overflow { .. })));
}

/// In a branch, in a sum, in a reduction by a function, on rows, columns and parts, in place.
#[smooth(float = "strict")]
fn places(
    m: &[[f64; k]; n],
    y: &mut [f64; k],
    f: impl Fn(&[f64]) -> f64,
    g: impl Fn(&[f64; k]) -> [f64; k],
    h: impl Fn(f64) -> (f64, usize),
) -> (f64, usize) {
    let most = reduce(n, 0.0, |x, z| if x > z { x } else { z }, |i| f(&m[i]));
    let all = sum(n, |i| f(&m[i][..i % (k + 1)]));
    let columns = sum(k, |j| f(&build(n, |i| m[i][j])));
    if most > 1.0 {
        for i in 0..n {
            y.copy_from_slice(&g(&m[i]));
        }
    } else {
        y[0] = f(&m[0]);
    }
    let (x, count) = h(all - columns);
    (x + most, count + n)
}

#[test]
fn wherever_it_is_called() {
    for (n, k) in [(1, 1), (3, 2), (20, 5), (2, 9)] {
        let m = Array::from_vec((0..n * k).map(|i| (i as f64 * 0.37).sin() * 2.0).collect(), [n, k]);
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let half = |x: f64| (x * 0.5, (x * 8.0).abs() as usize);
        let (mut want, mut got) = (vec![1.0; k], vec![1.0; k]);
        let expected = places::reference(
            m.to_nested(),
            &mut want,
            |x: Vec<f64>| norm(&x),
            |x: Vec<f64>| x.iter().rev().copied().collect(),
            half,
        );
        let g = |x: &[f64], out: &mut [f64]| x.iter().rev().zip(out).for_each(|(x, y)| *y = *x);
        let mut own = memory(places::scratch([n, k], [k]), 0x5A);
        let (found, taken, _) = heap(|| places::into(&m, &mut got, norm, g, half, &mut Arena::on(&mut own)));
        assert_eq!((&got, found, taken), (&want, expected, 0), "{n} {k}");
    }
}

/// These kernels in the other modes, and where threads share loops: the caller's closure stays on the caller's thread.
mod modes {
    use super::*;

    macro_rules! modes {
        ($($name:ident: $option:meta;)*) => {$(
            #[smooth($option)]
            fn $name(m: &[[f64; k]; n], f: impl Fn(&[f64; k]) -> [f64; l]) -> [[f64; l]; n] {
                let scaled = build([n, k], |i, j| m[i][j] * 2.0);
                build(n, |i| f(&scaled[i]))
            }
        )*};
    }
    modes! {
        portable: float = "portable";
        fast: float = "fast";
        unoptimised: preset = "D";
        checked: checks = "all";
    }

    #[test]
    fn in_every_mode() {
        let m = Array::from_vec((0..600).map(f64::from).collect(), [200, 3]);
        let not_sync = std::rc::Rc::new(Cell::new(0));
        let f = |x: &[f64], out: &mut [f64]| {
            not_sync.set(not_sync.get() + 1);
            (out[0], out[1]) = (x[2], x[0] + x[1]);
        };
        let want = matrix_map(&Array::from_vec((0..600).map(|i| f64::from(i) * 2.0).collect(), [200, 3]), f, 2);
        assert_eq!((want[[7, 0]], want[[7, 1]]), (46.0, 86.0));
        assert_eq!(
            [portable(&m, f, 2), fast(&m, f, 2), unoptimised(&m, f, 2), checked(&m, f, 2)],
            [(); 4].map(|()| want.clone())
        );
        assert_eq!(not_sync.get(), 5 * 200);
    }
}

/// Called as often as by the reference, and in its order, since captured variables may change.
#[test]
fn functions_that_count() {
    let (mut calls, mut lengths) = (0, vec![]);
    let mut f = |x: &[f64], out: &mut [f64]| {
        calls += 1;
        lengths.push(x[0]);
        out[0] = f64::from(calls);
    };
    let m = [[5.0], [6.0], [7.0]];
    assert_eq!(matrix_map(&m, &mut f, 1), Array::from([[1.0], [2.0], [3.0]]));
    assert_eq!(matrix_map2(&m, &m, |a, _, out| f(a, out), 1), Array::from([[4.0], [5.0], [6.0]]));
    assert_eq!(lengths, [5.0, 6.0, 7.0, 5.0, 6.0, 7.0]);
}

/// The function panics at each of its calls in turn: arena, destination and the next call are as if nothing had happened.
#[test]
fn functions_that_panic() {
    let x = &start(9);
    let calls = Cell::new(0);
    let until = |last: usize| {
        let calls = &calls;
        calls.set(0);
        move |x: &[f64], out: &mut [f64]| {
            calls.set(calls.get() + 1);
            out.copy_from_slice(x);
            if calls.get() == last {
                resume_unwind(Box::new(()))
            }
        }
    };
    let want = rk4(x, 0.5, 2, until(0));
    assert_eq!(calls.get(), 8);
    let mut own = memory(rk4::scratch([9], 2), 0xFF);
    let (mut fixed, mut grown) = (Arena::on(&mut own), Arena::with_capacity(rk4::scratch([9], 2)));
    for last in 1..=8 {
        for arena in [&mut fixed, &mut grown] {
            let mut out = vec![0.0; 9];
            let f = until(last);
            assert!(catch_unwind(AssertUnwindSafe(|| rk4::into(&mut out, x, 0.5, 2, f, arena))).is_err());
            assert!(out.iter().all(|x| x.is_finite()));
            let f = until(0);
            let ((), taken, given) = heap(|| rk4::into(&mut out, x, 0.5, 2, f, arena));
            assert_eq!((&out, taken, given), (&want, 0, 0));
        }
        let f = until(last);
        let (result, taken, given) = heap(|| catch_unwind(AssertUnwindSafe(|| drop(rk4(x, 0.5, 2, f)))).is_err());
        assert_eq!((result, taken), (true, given), "call {last}");
        assert_eq!(rk4(x, 0.5, 2, until(0)), want);
    }
}

/// A function calls the kernel that calls it, a few levels deep.
#[test]
fn functions_that_call_kernels() {
    fn plain(depth: usize, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&rk4(x, 0.1, 1, |x, out| {
            if depth == 0 { chain::into(out, x, &mut Arena::new()) } else { plain(depth - 1, x, out) }
        }));
    }
    fn into(depth: usize, x: &[f64], out: &mut [f64]) {
        let f = |x: &[f64], out: &mut [f64]| {
            if depth == 0 { out.copy_from_slice(&chain(x)) } else { into(depth - 1, x, out) }
        };
        rk4::into(out, x, 0.1, 1, f, &mut Arena::new());
    }
    fn reference(depth: usize, x: &[f64]) -> Vec<f64> {
        rk4::reference(
            x,
            0.1,
            1,
            |x: Vec<f64>| if depth == 0 { chain::reference(&x) } else { reference(depth - 1, &x) },
        )
    }
    let (x, mut out) = (start(6), [[0.0; 6]; 2]);
    plain(3, &x, &mut out[0]);
    into(3, &x, &mut out[1]);
    assert_eq!(out, [<[f64; 6]>::try_from(reference(3, &x)).unwrap(); 2]);
}

/// Lengths that do not fit the type of the function are refused at entry.
#[smooth]
fn of_three(a: &[f64; n], f: impl Fn(&[f64; 3]) -> f64) -> f64 {
    f(&a[1..n])
}

#[test]
fn lengths_are_checked() {
    assert_eq!(of_three(&[0.0, 1.0, 2.0, 2.0], |x| vector_norm(x)), 3.0);
    for n in [1, 3, 5] {
        let found = of_three::try_into(&vec![1.0; n], |_| panic!("no call"), &mut Arena::new());
        assert!(matches!(found, Err(ShapeError::Unequal { .. })), "{found:?}");
    }
}

/// Open sizes that are called as the functions' own parameters are.
#[smooth]
fn named_like_destinations(
    a: &[f64; n],
    f: impl Fn(&[f64; n]) -> ([f64; out], [f64; arena], [f64; out0]),
) -> ([f64; out], [f64; arena], [f64; out0]) {
    f(a)
}

#[test]
fn open_sizes_have_any_name() {
    let fill = |a: &[f64], x: &mut [f64], y: &mut [f64], z: &mut [f64]| {
        x.fill(a[0]);
        y.fill(a[1]);
        z.fill(a[0] + a[1]);
    };
    let want = (vec![1.0], vec![2.0; 2], vec![3.0; 3]);
    assert_eq!(named_like_destinations(&[1.0, 2.0], fill, 1, 2, 3), want);
    let (mut x, mut y, mut z) = ([0.0; 1], [0.0; 2], [0.0; 3]);
    named_like_destinations::into(&mut x, &mut y, &mut z, &[1.0, 2.0], fill, 1, 2, 3, &mut Arena::new());
    assert_eq!((x.to_vec(), y.to_vec(), z.to_vec()), want);
    assert_eq!(named_like_destinations::shape([2], 1, 2, 3), ([1], [2], [3]));
}

/// The results of one call, and of a call of the other's result, side by side.
#[smooth]
fn rows(
    x: &[f64; n],
    f: impl Fn(&[f64; n]) -> ([f64; n], [f64; n]),
    g: impl Fn(&[f64; n]) -> [f64; n],
) -> [[[f64; n]; 2]; 2] {
    let (v, w) = f(x);
    let a = g(&v);
    let b = g(&a);
    [[w, v], [a, b]]
}

#[test]
fn results_side_by_side() {
    let f = |x: &[f64], v: &mut [f64], w: &mut [f64]| {
        for (i, x) in x.iter().enumerate() {
            (v[i], w[i]) = (x + 1.0, x * 2.0);
        }
    };
    let g = |x: &[f64], out: &mut [f64]| x.iter().rev().zip(out).for_each(|(x, o)| *o = x - 0.5);
    assert_eq!(rows(&[1.0, 2.0], f, g).as_slice(), [2.0, 4.0, 2.0, 3.0, 2.5, 1.5, 1.0, 2.0]);
    assert!(rows(&[], f, g).as_slice().is_empty());
}
