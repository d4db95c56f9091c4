//! Buffers that change places in inner loops, as compiled kernels: in two and three loops, with other statements around them,
//! in place of `&mut` parameters, with early exits, and small ones in local variables.
#![allow(clippy::float_cmp, reason = "the bits are the subject")]

mod poison;

use poison::on_poison;
use smooth::prelude::*;

mod kernels {
    use smooth::prelude::*;

    /// A heat equation whose source is set anew from time to time.
    #[smooth]
    pub fn heat(u: &mut [f64; n], outer: usize, inner: usize) {
        let mut next = u.clone();
        for t in 0..outer {
            for _ in 0..inner {
                for i in 1..n.saturating_sub(1) {
                    next[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
                }
                std::mem::swap(u, &mut next);
            }
            if n > 0 {
                u[n / 2] += t as f64;
                next[0] = u[0];
            }
        }
    }

    /// Both buffers are results, and an inner loop ends early.
    #[smooth]
    pub fn both(x: &[i64; n], outer: usize, inner: usize) -> ([i64; n], [i64; n]) {
        let mut a = x.clone();
        let mut b = build(n, |i| i as i64);
        for t in 0..outer {
            for s in 0..inner {
                for i in 0..n {
                    b[i] = a[(i + s) % n] - b[i];
                }
                (a, b) = (b, a);
                if a[0] > 40 {
                    break;
                }
            }
            if t % 2 == 1 && n > 0 {
                a[t % n] += 3;
            }
        }
        (a, b)
    }

    /// Three loops, two with exchanges, and an exit of the outermost one.
    #[smooth]
    pub fn three(x: &[f64; n], outer: usize, inner: usize) -> [f64; n] {
        let mut a = x.clone();
        let mut b = [0.0; n];
        for t in 0..outer {
            for r in 0..inner {
                for s in 0..r + 1 {
                    b = build(n, |i| 0.5 * a[i] + a[(i + s + t) % n]);
                    (a, b) = (b, a);
                }
                if r % 2 == 0 {
                    for i in 0..n {
                        b[i] = a[n - 1 - i];
                    }
                    (a, b) = (b, a);
                }
            }
            if n > 0 && a[0] > 100.0 {
                return b;
            }
        }
        a
    }

    /// One state, computed anew, and read as a whole in the loop around.
    #[smooth]
    pub fn alone(x: &[f64; n], outer: usize, inner: usize) -> ([f64; n], f64) {
        let mut a = x.clone();
        let mut total = 0.0;
        for t in 0..outer {
            for s in 0..inner {
                a = build(n, |i| 0.25 * a[i] + a[(i + s + t) % n]);
            }
            for i in 0..n {
                total += a[i];
                a[i] = 0.5 * a[i];
            }
        }
        (a, total)
    }

    /// A small state, in local variables while the inner loop runs.
    #[smooth]
    pub fn small(x: &[f64; 3], outer: usize, inner: usize) -> [f64; 3] {
        let mut a = x.clone();
        for t in 0..outer {
            for _ in 0..inner {
                a = build(3, |i| 0.25 * a[i] + 0.5 * a[(i + 1) % 3]);
            }
            a[t % 3] += 1.0;
        }
        a
    }

    /// A Fourier transform by stages, of one signal after the other, each added to the spectrum of those before.
    #[smooth]
    pub fn stages(signals: &[[f64; n]; m]) -> [f64; n] {
        let mut a = [0.0; n];
        let mut b = [0.0; n];
        for k in 0..m {
            for i in 0..n {
                a[i] += signals[k][i];
            }
            let mut half = n / 2;
            while half > 0 {
                for i in 0..n / 2 {
                    let (x, y) = (a[i], a[i + n / 2]);
                    b[2 * i] = x + y;
                    b[2 * i + 1] = (x - y) * half as f64;
                }
                (a, b) = (b, a);
                half /= 2;
            }
        }
        a
    }
}

/// The sizes, and the counts of the outer and the inner loop: odd and even.
fn sizes() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..6).flat_map(|n| (0..4).flat_map(move |outer| (0..4).map(move |inner| (n, outer, inner))))
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 + 1.7 * i as f64).collect()
}

#[test]
fn in_place() {
    for (n, outer, inner) in sizes() {
        let mut want = numbers(n);
        let mut next = want.clone();
        for t in 0..outer {
            for _ in 0..inner {
                for i in 1..n.saturating_sub(1) {
                    next[i] = want[i] + 0.1 * (want[i - 1] - 2.0 * want[i] + want[i + 1]);
                }
                std::mem::swap(&mut want, &mut next);
            }
            if n > 0 {
                want[n / 2] += t as f64;
                next[0] = want[0];
            }
        }
        on_poison(kernels::heat::scratch([n], outer, inner), &want, |u, arena| {
            u.copy_from_slice(&numbers(n));
            kernels::heat::into(u.as_mut_slice(), outer, inner, arena);
        });
    }
}

#[test]
fn both_results() {
    for (n, outer, inner) in sizes().filter(|(n, ..)| *n > 0) {
        let x: Vec<i64> = (0..n).map(|i| 7 * i as i64 - 5).collect();
        let want = kernels::both::reference(&x, outer, inner);
        on_poison(kernels::both::scratch([n], outer, inner), &want, |(a, b), arena| {
            kernels::both::into(a, b, &x, outer, inner, arena);
        });
    }
}

#[test]
fn nested() {
    for (n, outer, inner) in sizes() {
        let x = numbers(n);
        let want = kernels::three::reference(&x, outer, inner);
        on_poison(kernels::three::scratch([n], outer, inner), &want, |out, arena| {
            kernels::three::into(out, &x, outer, inner, arena);
        });
        let (want, total) = kernels::alone::reference(&x, outer, inner);
        on_poison(kernels::alone::scratch([n], outer, inner), &want, |out, arena| {
            assert_eq!(kernels::alone::into(out, &x, outer, inner, arena), total);
        });
    }
    // Two buffers, one of them the destination.
    assert_eq!(kernels::alone::scratch([64], 3, 3), 64 * 8 + 63);
}

#[test]
fn small_states() {
    for (_, outer, inner) in sizes().filter(|(n, ..)| *n == 3) {
        let x = [0.5, -1.25, 3.0];
        assert_eq!(kernels::small(&x, outer, inner).as_slice(), kernels::small::reference(&x, outer, inner));
    }
}

#[test]
fn stages() {
    for (log, m) in [(0, 3), (1, 2), (2, 1), (3, 3), (4, 2), (5, 1)] {
        let n = 1 << log;
        let signals: Vec<Vec<f64>> = (0..m).map(|k| (0..n).map(|i| (3 * i + k) as f64).collect()).collect();
        let flat: Vec<f64> = signals.concat();
        let view = View::new(&flat, [m, n]);
        let want = kernels::stages::reference(&signals);
        on_poison(kernels::stages::scratch([m, n]), &want, |out, arena| {
            kernels::stages::into(out, view, arena);
        });
    }
}
