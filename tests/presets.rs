//! The presets of the paper's evaluation as compiled kernels: each gives the same numbers, with less memory than the one
//! before. And the effect of the storage passes on scratch.
#![deny(warnings)]
#![allow(clippy::float_cmp, reason = "the same bits are asked for")]

mod heap;

use heap::heap;
use smooth::prelude::*;

/// The kernels under one preset.
macro_rules! rung {
    ($rung:ident, $preset:literal) => {
        mod $rung {
            use super::*;

            #[smooth(float = "strict", preset = $preset)]
            pub fn sum_of_three(a: &[f64; n], b: &[f64; n], c: &[f64; n]) -> [f64; n] {
                let t = build(n, |i| a[i] + b[i]);
                build(n, |i| t[i] + c[i])
            }

            #[smooth(float = "strict", preset = $preset)]
            pub fn softmax(a: &[f64; n]) -> [f64; n] {
                let e = build(n, |i| a[i].exp());
                let s = sum(n, |i| e[i]);
                build(n, |i| e[i] / s)
            }

            #[smooth(float = "strict", preset = $preset)]
            pub fn softmax_of_rows(m: &[[f64; k]; n]) -> [[f64; k]; n] {
                build(n, |i| softmax(&m[i]))
            }

            #[smooth(float = "strict", preset = $preset)]
            pub fn chain(a: &[f64; n]) -> [f64; n] {
                let b = build(n, |i| a[i].exp() + a[n - 1 - i]);
                let c = build(n, |i| b[i].sin() + b[n - 1 - i]);
                let d = build(n, |i| c[i].cos() + c[n - 1 - i]);
                build(n, |i| d[i].abs().sqrt() + d[n - 1 - i])
            }

            #[smooth(float = "strict", preset = $preset)]
            pub fn steps(a: &[f64; n], k: usize) -> [f64; n] {
                ifold(k, a.clone(), |s, j| {
                    let t = 1.0 + sum(n, |i| s[i] * s[i]);
                    build(n, |i| s[i] / t + j as f64)
                })
            }

            #[smooth(float = "strict", preset = $preset)]
            pub fn pair_steps(a: &[f64; n], k: usize) -> ([f64; n], f64, [f64; n]) {
                let (x, s, y) = ifold(k, (a.clone(), 0.0, build(n, |i| 2.0 * a[i])), |(x, s, y), j| {
                    (build(n, |i| x[i] + y[n - 1 - i]), s + sum(n, |i| x[i]) + j as f64, build(n, |i| y[i] * 0.5))
                });
                (x, s, y)
            }

            #[smooth(float = "strict", preset = $preset)]
            pub fn in_a_loop(a: &[f64; n], k: usize) -> f64 {
                sum(k, |j| {
                    let e = build(n, |i| (a[i] * j as f64).exp());
                    sum(n, |i| e[i] * e[n - 1 - i])
                })
            }

            #[smooth(float = "strict", preset = $preset)]
            pub fn both(a: &[f64; n], yes: bool) -> (f64, [f64; n]) {
                let e = build(n, |i| a[i].exp());
                let s = sum(n, |i| e[i]);
                (s, if yes { build(n, |i| e[i] / s) } else { e })
            }

            #[smooth(float = "strict", preset = $preset)]
            pub fn gather(a: &[f64; n], u: &[usize; k]) -> [f64; k] {
                let e = build(n, |i| a[i].exp());
                let f = build(k, |i| e[u[i]].sin());
                build(k, |i| f[i] - f[k - 1 - i] + (e[u[i]] + e[0]))
            }

            #[smooth(float = "strict", preset = $preset)]
            pub fn fixed(a: &[f64; 40]) -> [f64; 40] {
                let e = build(40, |i| a[i].exp());
                build(40, |i| e[i] - e[39 - i])
            }
        }
    };
}

rung!(d, "D");
rung!(df, "DF");
rung!(dfb, "DFB");
rung!(dfbs, "DFBS");

fn values(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 0.7).sin() + 0.1).collect()
}

/// Bits, so that NaNs are equal, too.
trait Bits {
    fn bits(&self) -> Vec<u64>;
}
impl Bits for f64 {
    fn bits(&self) -> Vec<u64> {
        vec![self.to_bits()]
    }
}
impl<T: Bits> Bits for Vec<T> {
    fn bits(&self) -> Vec<u64> {
        self.iter().flat_map(Bits::bits).collect()
    }
}
impl<const N: usize> Bits for [f64; N] {
    fn bits(&self) -> Vec<u64> {
        self.iter().flat_map(Bits::bits).collect()
    }
}
impl Bits for Array<f64, 2> {
    fn bits(&self) -> Vec<u64> {
        self.as_slice().iter().flat_map(Bits::bits).collect()
    }
}
impl<A: Bits, B: Bits> Bits for (A, B) {
    fn bits(&self) -> Vec<u64> {
        [self.0.bits(), self.1.bits()].concat()
    }
}
impl<A: Bits, B: Bits, C: Bits> Bits for (A, B, C) {
    fn bits(&self) -> Vec<u64> {
        [self.0.bits(), self.1.bits(), self.2.bits()].concat()
    }
}

macro_rules! same_everywhere {
    ($f:ident($($arg:expr),*)) => { same_everywhere!($f($($arg),*) as $f::reference($($arg),*)) };
    ($f:ident($($arg:expr),*) as $reference:expr) => {{
        let want = { use dfbs::*; $reference.bits() };
        let got = [d::$f($($arg),*).bits(), df::$f($($arg),*).bits(), dfb::$f($($arg),*).bits(), dfbs::$f($($arg),*).bits()];
        for (rung, got) in ["D", "DF", "DFB", "DFBS"].iter().zip(got) {
            assert_eq!(got, want, "{} under {rung}", stringify!($f));
        }
    }};
}

#[test]
fn every_preset_gives_the_bits_of_the_reference() {
    for n in [0, 1, 2, 3, 8, 33] {
        let a = &values(n);
        same_everywhere!(sum_of_three(a, a, a));
        same_everywhere!(softmax(a));
        same_everywhere!(chain(a));
        for k in [0, 1, 2, 5] {
            same_everywhere!(steps(a, k));
            same_everywhere!(pair_steps(a, k));
            same_everywhere!(in_a_loop(a, k));
            let m = &Array::from_vec(values(n * k), [n, k]);
            same_everywhere!(softmax_of_rows(m) as softmax_of_rows::reference(m.to_nested()));
            if n > 0 {
                let u = &(0..k).map(|i| i * 7 % n).collect::<Vec<_>>();
                same_everywhere!(gather(a, u));
            }
        }
        same_everywhere!(both(a, true));
        same_everywhere!(both(a, false));
    }
    let a: [f64; 40] = values(40).try_into().unwrap();
    same_everywhere!(fixed(&a));
}

/// The number of blocks that `run` allocates; it frees all of them.
fn taken(run: impl FnOnce()) -> usize {
    let ((), taken, given) = heap(run);
    assert_eq!(taken, given, "every block is freed");
    taken
}

#[test]
fn each_preset_allocates_less_often() {
    let (a, out, mut arena) = (&values(20), &mut vec![0.0; 20], Arena::new());
    macro_rules! counts {
        ($f:ident($($arg:expr),*)) => {{
            // One call, so that the arena is large enough.
            dfbs::$f::into(out, $($arg,)* &mut arena);
            [
                taken(|| d::$f::into(out, $($arg,)* &mut arena)),
                taken(|| df::$f::into(out, $($arg,)* &mut arena)),
                taken(|| dfb::$f::into(out, $($arg,)* &mut arena)),
                taken(|| dfbs::$f::into(out, $($arg,)* &mut arena)),
            ]
        }};
    }
    assert_eq!(counts!(sum_of_three(a, a, a)), [1, 0, 0, 0]);
    assert_eq!(counts!(softmax(a)), [1, 1, 0, 0]);
    assert_eq!(counts!(chain(a)), [3, 3, 1, 0]);
    assert_eq!(counts!(steps(a, 4)), [1, 1, 0, 0]);
    let counts = [
        taken(|| assert!(d::in_a_loop::into(a, 6, &mut arena) > 0.0)),
        taken(|| assert!(df::in_a_loop::into(a, 6, &mut arena) > 0.0)),
        taken(|| assert!(dfb::in_a_loop::into(a, 6, &mut arena) > 0.0)),
    ];
    assert_eq!(counts, [6, 6, 1], "one allocation per iteration, then one for all");
}

#[test]
fn each_storage_pass_reduces_scratch() {
    let block = |n: usize| (8 * n).next_multiple_of(64);
    assert_eq!((d::chain::scratch([100]), dfb::chain::scratch([100])), (0, 0), "all from the system");
    assert_eq!(dfbs::softmax::scratch([100]), 0);
    assert_eq!(dfbs::softmax_of_rows::scratch([100, 50]), 0);
    assert_eq!(dfbs::steps::scratch([100], 7), 0);
    assert_eq!(dfbs::chain::scratch([100]), block(100) + 63, "the destination serves as the other buffer");
    assert_eq!(dfbs::in_a_loop::scratch([100], 9), block(100) + 63);
    assert_eq!(dfbs::pair_steps::scratch([100], 9), block(100) + 63, "`y` is read where it is not overwritten");
}

/// A call that unwinds frees its storage and releases its frame.
#[test]
fn a_panic_leaves_nothing_behind() {
    let (a, u) = (values(4), vec![0, 1, 9]);
    for run in [d::gather, df::gather, dfb::gather, dfbs::gather] {
        assert!(std::panic::catch_unwind(|| run(&a, &u)).is_err());
        assert_eq!(run(&a, &[0, 1, 2]).len(), 3);
    }
}

#[smooth(float = "strict", passes(inline = false))]
fn counts_with_names_of_their_own(a: &[f64; n], x: f64) -> f64 {
    let steps = sum(
        {
            let t = (x * x).sqrt() as usize;
            t * t + t
        },
        |i| a[i % n],
    );
    steps
        + a[{
            let t = x as usize;
            t + t
        } % n]
}

/// A name that is bound inside a count or an index is local to it.
#[test]
fn names_bound_in_a_count_are_local() {
    for x in [0.0, 1.5, 3.0] {
        let a = values(3);
        assert_eq!(
            counts_with_names_of_their_own(&a, x).bits(),
            counts_with_names_of_their_own::reference(&a, x).bits()
        );
    }
}
