//! `reduce`: its function is associative, and need not be commutative. Exact numbers have the values of the reference for every
//! count, and the others the bits of the documented order.
#![allow(clippy::float_cmp, reason = "the numbers are exact")]

use smooth::prelude::*;

/// The affine maps x → a x + b, one after the other.
#[smooth]
fn composed(a: &[f64; n], b: &[f64; n]) -> (f64, f64) {
    reduce(n, (1.0, 0.0), |p: (f64, f64), q: (f64, f64)| (p.0 * q.0, p.1 * q.0 + q.1), |i| (a[i], b[i]))
}

#[smooth]
fn composed_integers(a: &[i64; n], b: &[i64; n]) -> (i64, i64) {
    let step = |p: (i64, i64), q: (i64, i64)| (p.0 * q.0 % 97, (p.1 * q.0 + q.1) % 97);
    reduce(n, (1, 0), step, |i| (a[i], b[i]))
}

fn later<T>(x: T, y: T, holds: bool) -> T {
    if holds { y } else { x }
}

#[smooth]
fn last_nonzero<T: Number>(a: &[T; n]) -> T {
    reduce(n, 0 as T, |x, y| if y != 0 as T { y } else { x }, |i| a[i])
}

#[smooth]
fn last_positive(a: &[f32; n]) -> (f32, bool) {
    reduce(n, (0.0, false), |x: (f32, bool), y: (f32, bool)| if y.1 { y } else { x }, |i| (a[i], a[i] > 0.0))
}

/// 2 x 2 matrices as tuples: shears do not commute.
#[smooth]
fn product(m: &[[[f64; 2]; 2]; n]) -> (f64, f64, f64, f64) {
    reduce(
        n,
        (1.0, 0.0, 0.0, 1.0),
        |p: (f64, f64, f64, f64), q: (f64, f64, f64, f64)| {
            let (a, b) = (p.0 * q.0 + p.1 * q.2, p.0 * q.1 + p.1 * q.3);
            (a % 89.0, b % 89.0, (p.2 * q.0 + p.3 * q.2) % 89.0, (p.2 * q.1 + p.3 * q.3) % 89.0)
        },
        |i| (m[i][0][0], m[i][0][1], m[i][1][0], m[i][1][1]),
    )
}

/// Loops in both functions, and a reduction for each row.
#[smooth]
fn rows(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| {
        let last = |x: f64, y: f64| if sum(3, |l| y * l as f64) > 3.0 { y } else { x };
        reduce(k, 0.0, last, |j| ifold(j % 3, m[i][j], |s, _| s * 2.0 % 7.0))
    })
}

#[smooth]
fn static_count(a: &[f64; 50]) -> (f64, f64) {
    let last = |x: f64, y: f64| if y > 3.0 { y } else { x };
    (reduce(50, 0.0, last, |i| a[i]), reduce(5, 0.0, last, |i| a[i]))
}

#[smooth(float = "strict")]
fn strict(a: &[f64; n]) -> f64 {
    reduce(n, 0.0, |x, y| x * 0.5 + y, |i| a[i])
}

#[smooth(parallel)]
fn in_parallel(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| reduce(k, 0.0, |x, y| x + y - x * y * 0.25, |j| m[i][j]))
}

#[smooth]
fn alone(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| reduce(k, 0.0, |x, y| x + y - x * y * 0.25, |j| m[i][j]))
}

fn counts() -> impl Iterator<Item = usize> {
    (0..=100).chain([127, 128, 129, 255, 1000, 4099])
}

fn whole(n: usize, by: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * i + by * i) % 7) as f64).collect()
}

#[test]
fn functions_need_not_be_commutative() {
    for n in counts() {
        // Products of 1, 2 and 1/2 are exact.
        let a: Vec<f64> = (0..n).map(|i| [2.0, 0.5, 1.0, 0.5, 2.0][i % 5]).collect();
        let b = whole(n, 3);
        assert_eq!(composed(&a, &b), composed::reference(&a, &b), "{n}");
        let (ai, bi): (Vec<i64>, Vec<i64>) = (0..n as i64).map(|i| (1 + i % 3, i)).unzip();
        assert_eq!(composed_integers(&ai, &bi), composed_integers::reference(&ai, &bi), "{n}");
        for zeros in 0..4 {
            let z: Vec<f64> = (0..n).map(|i| if i % 29 <= zeros { i as f64 + 1.0 } else { 0.0 }).collect();
            let by_loop = z.iter().copied().fold(0.0, |x, y| later(x, y, y != 0.0));
            assert_eq!((last_nonzero(&z), last_nonzero::reference(&z)), (by_loop, by_loop), "{n}");
            let integers: Vec<i64> = z.iter().map(|x| *x as i64).collect();
            assert_eq!(last_nonzero(&integers), by_loop as i64, "{n}");
            let single: Vec<f32> = z.iter().map(|x| *x as f32).collect();
            assert_eq!(last_positive(&single), last_positive::reference(&single), "{n}");
        }
        let c = whole(n, 1);
        let m: Vec<[[f64; 2]; 2]> =
            (0..n).map(|i| if i % 2 == 0 { [[1.0, c[i]], [0.0, 1.0]] } else { [[1.0, 0.0], [c[i], 1.0]] }).collect();
        let nested: Vec<Vec<Vec<f64>>> = m.iter().map(|m| m.iter().map(|r| r.to_vec()).collect()).collect();
        assert_eq!(product(&m), product::reference(&nested), "{n}");
        if n > 0 {
            let rows_of: Vec<Vec<f64>> = (0..3).map(|by| whole(n, by)).collect();
            let flat = rows_of.concat();
            assert_eq!(rows(View::new(&flat, [3, n])), rows::reference(&rows_of), "{n}");
        }
    }
    let a: [f64; 50] = std::array::from_fn(|i| (i * 5 % 9) as f64);
    assert_eq!(static_count(&a), static_count::reference(&a));
}

#[test]
fn strict_is_in_source_order() {
    for n in counts() {
        let a: Vec<f64> = (0..n).map(|i| (i as f64 * 0.37).sin()).collect();
        assert_eq!(strict(&a).to_bits(), strict::reference(&a).to_bits(), "{n}");
    }
}

#[test]
fn parallel_kernels_have_the_same_bits() {
    for k in [1, 15, 16, 40, 1000] {
        let m: Vec<f64> = (0..50 * k).map(|i| (i as f64 * 0.37).sin()).collect();
        assert_eq!(in_parallel(View::new(&m, [50, k])), alone(View::new(&m, [50, k])), "{k}");
    }
}

/// A start counts once, also where it is not neutral and the function has a name.
mod starts {
    use super::*;

    #[smooth]
    pub fn folded(a: &[f64; n], x: f64) -> (f64, f64, f64, f64) {
        let larger = reduce(n, x, f64::max, |i| a[i]);
        let smaller = reduce(n, 3.5, |s, t| t.min(s), |i| a[i]);
        (
            reduce(n, x, |s, t| s + t, |i| a[i]),
            reduce(n, x, |s, t| t * s, |i| if i % 2 == 0 { 2.0 } else { 0.5 }),
            larger,
            smaller,
        )
    }

    #[smooth]
    pub fn pairs(a: &[f64; n]) -> ((f64, f64), (f64, f64)) {
        let both = reduce(n, (0.0, 0.0), |x: (f64, f64), y: (f64, f64)| (x.0 + y.0, y.1 + x.1), |i| (a[i], 1.0));
        let ends =
            reduce(n, (9.0, -9.0), |(a, b): (f64, f64), (c, d): (f64, f64)| (a.min(c), b.max(d)), |i| (a[i], a[i]));
        (both, ends)
    }

    #[smooth]
    pub fn with_nan(a: &[f64; n]) -> (f64, f64) {
        (reduce(n, f64::NAN, f64::max, |i| a[i]), reduce(n, a[0], f64::min, |i| a[i]))
    }
}

#[test]
fn starts_count_once() {
    for n in counts() {
        let mut a = whole(n, 3);
        assert_eq!(starts::pairs(&a), starts::pairs::reference(&a), "{n}");
        for x in [0.0, 2.0, -3.0] {
            assert_eq!(starts::folded(&a, x), starts::folded::reference(&a, x), "{n}");
        }
        for nans in 0..2 {
            a.iter_mut().skip(nans).for_each(|x| *x = f64::NAN);
            if n > 0 {
                let same = |(x, y): (f64, f64)| [x.to_bits() & !(1 << 63), y.to_bits() & !(1 << 63)];
                assert_eq!(same(starts::with_nan(&a)), same(starts::with_nan::reference(&a)), "{n}");
            }
        }
    }
}
