//! NaN, infinities and the largest numbers in every operation, and as indices: as in plain Rust.

use crate::probe::probe;
use crate::{WILD, numbers};
use smooth::__private::limit_instances;
use smooth::prelude::*;
use std::fmt::Debug;
use std::panic::catch_unwind;

/// Operations of two numbers.
#[smooth(float = "strict")]
fn arithmetic(a: &[f64; n], b: &[f64; n]) -> [[f64; 12]; n] {
    build(n, |i| {
        let (x, y) = (a[i], b[i]);
        [
            x + y,
            x - y,
            x * y,
            x / y,
            x % y,
            x.min(y),
            x.max(y),
            x.copysign(y),
            x.mul_add(y, x),
            x.hypot(y),
            x.rem_euclid(y),
            -x,
        ]
    })
}

/// Operations of one number.
#[smooth(float = "strict")]
fn functions(a: &[f64; n]) -> [[f64; 11]; n] {
    build(n, |i| {
        let x = a[i];
        [
            x.abs(),
            x.sqrt(),
            x.floor(),
            x.ceil(),
            x.round(),
            x.trunc(),
            x.signum(),
            x.clamp(-1.0, 1.0),
            x.powi(3),
            x.exp(),
            x as f32 as f64,
        ]
    })
}

/// Casts to integers, which saturate, and of NaN to 0.
#[smooth]
fn casts(a: &[f64; n]) -> ([i64; n], [u64; n], [i32; n], [u8; n], [i8; n], [usize; n], [u16; n]) {
    (
        build(n, |i| a[i] as i64),
        build(n, |i| a[i] as u64),
        build(n, |i| a[i] as i32),
        build(n, |i| a[i] as u8),
        build(n, |i| a[i] as i8),
        build(n, |i| a[i] as usize),
        build(n, |i| a[i] as u16),
    )
}

/// Comparisons, as bits.
#[smooth]
fn comparisons(a: &[f64; n], b: &[f64; n]) -> [u32; n] {
    build(n, |i| {
        let (x, y) = (a[i], b[i]);
        (x < y) as u32
            + 2 * (x <= y) as u32
            + 4 * (x == y) as u32
            + 8 * (x != y) as u32
            + 16 * x.is_nan() as u32
            + 32 * x.is_finite() as u32
    })
}

#[smooth(float = "strict")]
fn reductions(a: &[f64; n]) -> ([f64; 4], [usize; 3], bool, bool) {
    (
        [sum(n, |i| a[i]), prod(n, |i| a[i]), min(n, |i| a[i]), max(n, |i| a[i])],
        [argmin(n, |i| a[i]), argmax(n, |i| a[i]), count(n, |i| a[i] < 1.0)],
        any(n, |i| a[i] > 1.0),
        all(n, |i| a[i] == a[i]),
    )
}

/// Folds, scans and a sum between other loops, which passes fuse, move and cut.
#[smooth(float = "strict")]
fn softmax(a: &[f64; n]) -> ([f64; n], [f64; n]) {
    let most = max(n, |i| a[i]);
    let e = build(n, |i| (a[i] - most).exp());
    let total = sum(n, |i| e[i]);
    (build(n, |i| e[i] / total), scan(n, 0.0, |s, i| 0.5 * s + e[n - 1 - i]))
}

#[smooth(float = "strict")]
fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}

/// Every pair of wild numbers, and a length that has wide loops and a rest.
fn pairs() -> (Vec<f64>, Vec<f64>) {
    let pair = |k: usize| (WILD[k / WILD.len()], WILD[k % WILD.len()]);
    let (mut a, mut b): (Vec<f64>, Vec<f64>) = (0..WILD.len() * WILD.len()).map(pair).unzip();
    a.extend(numbers(7, 1, true));
    b.extend(numbers(7, 2, false));
    (a, b)
}

fn in_every_instance(mut run: impl FnMut()) {
    let best = limit_instances(u8::MAX);
    for instance in 1..=best.max(1) {
        limit_instances(instance);
        run();
    }
    limit_instances(u8::MAX);
}

#[test]
fn operations_of_wild_numbers() {
    let (a, b) = pairs();
    let (a, b, n) = (&a, &b, a.len());
    in_every_instance(|| {
        probe!(arithmetic(a, b) into [x = vec![[0.0; 12]; n]] like (a, b));
        probe!(functions(a) into [x = vec![[0.0; 11]; n]] like (a));
        probe!(comparisons(a, b) into [x = vec![0; n]] like (a, b));
        assert_eq!(casts(a), casts::reference(a));
    });
    let cast = |x: &f64| (*x as i64, *x as u8, *x as usize);
    let (wide, _, _, narrow, _, size, _) = casts(a);
    assert!(a.iter().map(cast).eq((0..n).map(|i| (wide[i], narrow[i], size[i]))));
}

#[test]
fn reductions_of_wild_numbers() {
    in_every_instance(|| {
        for n in [1, 2, 15, 16, 17, 70] {
            for seed in 0..20 {
                let a = &numbers(n, seed, true);
                let got = reductions(a);
                assert_eq!(format!("{got:?}"), format!("{:?}", reductions::reference(a)), "{a:?}");
                probe!(softmax(a) into [x = vec![0.0; n], y = vec![0.0; n]] like (a));
            }
        }
        for [n, k, m] in [[1, 1, 1], [2, 3, 4], [9, 17, 33]] {
            let a = &Array::from_vec(numbers(n * k, 1, true), [n, k]);
            let b = &Array::from_vec(numbers(k * m, 2, true), [k, m]);
            let (c, d) = (product(a, b).to_nested(), product::reference(a.to_nested(), b.to_nested()));
            assert_eq!(crate::agree::bits(&c), crate::agree::bits(&d));
        }
    });
}

#[smooth]
fn at_casts(a: &[f64; n], at: &[f64; k]) -> [f64; k] {
    build(k, |i| a[at[i] as usize])
}

#[smooth]
fn at_signed(a: &[f64; n], at: &[i64; k]) -> f64 {
    sum(k, |i| a[at[i] as usize])
}

#[smooth]
fn at_sums(a: &[f64; n], at: &[usize; k], by: usize) -> f64 {
    sum(k, |i| a[at[i].wrapping_add(by)])
}

#[smooth]
fn at_pairs(m: &[[f64; k]; n], at: &[(usize, usize); p]) -> [f64; p] {
    build(p, |i| m[at[i].0][at[i].1])
}

#[smooth]
fn part(a: &[f64; n], start: usize, end: usize) -> f64 {
    let x = &a[start..end];
    sum(x.len(), |i| x[i])
}

#[smooth]
fn added(a: &mut [f64; n], at: &[usize; k]) {
    for i in 0..k {
        a[at[i]] += 1.0;
    }
}

/// A kernel and its reference: the same value, or both panic.
fn same<T: PartialEq + Debug>(kernel: impl FnOnce() -> T, reference: impl FnOnce() -> T) {
    let run = |f: Box<dyn FnOnce() -> T + '_>| catch_unwind(std::panic::AssertUnwindSafe(f)).ok();
    assert_eq!(run(Box::new(kernel)), run(Box::new(reference)));
}

/// An index out of range panics wherever it comes from, in every instance, in the middle of a wide loop.
#[test]
fn indices_from_data() {
    let a = &[1.0, 2.0, 3.0, 4.0];
    let m = &Array::from_vec(numbers(12, 1, false), [4, 3]);
    let ends = [0, 3, 4, 5, 1 << 31, 1 << 32, 1 << 61, usize::MAX / 8, usize::MAX - 1, usize::MAX];
    in_every_instance(|| {
        for place in [0, 5, 16, 39] {
            for x in WILD.into_iter().chain([-1.0, 3.99, 4.0, -0.5, 1e300]) {
                let mut at = vec![1.0; 40];
                at[place] = x;
                same(|| at_casts(a, &at), || at_casts::reference(a, &at));
            }
            for x in [-1, i64::MIN, i64::MAX, 3, 4, i64::MIN + 1, 1 << 61] {
                let mut at = vec![1; 40];
                at[place] = x;
                same(|| at_signed(a, &at), || at_signed::reference(a, &at));
            }
            for x in ends {
                let mut at = vec![1; 40];
                at[place] = x;
                for by in [0, 1, usize::MAX] {
                    same(|| at_sums(a, &at, by), || at_sums::reference(a, &at, by));
                }
                // Changes before the panic stay, as in a loop of plain Rust.
                let (mut mine, mut its) = ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]);
                same(|| added(&mut mine, &at), || at.iter().for_each(|i| its[*i] += 1.0));
                assert_eq!(mine, its);
                let (rows, columns) = (vec![2; 40], at);
                let rows_of = &m.to_nested();
                for (x, y) in [(&rows, &columns), (&columns, &rows)] {
                    same(|| at_pairs(m, (x, y)), || at_pairs::reference(rows_of, (x, y)));
                }
            }
        }
    });
    for start in ends {
        for end in ends {
            same(|| part(a, start, end), || part::reference(a, start, end));
        }
    }
}
