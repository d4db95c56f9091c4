//! Loops without iterations: their results are written, even if their count gets a name and loop-invariant terms are
//! hoisted out of them.
#![deny(warnings)]
#![allow(clippy::float_cmp, reason = "two ways to the same bits")]

mod poison;

use poison::on_poison;
use smooth::prelude::*;

mod kernels {
    use smooth::prelude::*;

    /// The initial state is cheaper to compute again than to store.
    #[smooth(float = "strict")]
    pub fn copied(b: &[f64; k], steps: usize) -> [f64; k] {
        ifold(steps / 2, build(k, |i| b[i]), |x, _| {
            let step = build(k, |i| b[i].sqrt() / 2.0);
            build(k, |i| x[k - 1 - i] + step[k - 1 - i] * step[i])
        })
    }

    /// The initial state is zeros.
    #[smooth(float = "strict")]
    pub fn zeroed(b: &[f64; k], steps: usize) -> [f64; k] {
        ifold(steps / 2, [0.0; k], |x, _| {
            let step = build(k, |i| b[i].sqrt() / 2.0);
            build(k, |i| x[k - 1 - i] + step[k - 1 - i] * step[i])
        })
    }

    /// Unwritten `bool`s would be undefined behaviour.
    #[smooth(float = "strict")]
    pub fn flags(b: &[f64; k], steps: usize) -> [bool; k] {
        ifold(steps / 2, [false; k], |x, _| {
            let t = build(k, |i| b[i].sqrt() > 1.5);
            build(k, |i| x[k - 1 - i] ^ t[k - 1 - i] & t[i])
        })
    }

    /// A state of several parts.
    #[smooth(float = "strict")]
    pub fn parts(b: &[f64; k], steps: usize) -> ([f64; k], f64, [usize; k]) {
        ifold(steps / 2, ([1.0; k], 0.5, build(k, |i| i)), |(x, s, u), j| {
            let step = build(k, |i| b[i].sqrt() / 2.0);
            (build(k, |i| x[k - 1 - i] + step[k - 1 - i] * step[i]), s + step[0], build(k, |i| u[k - 1 - i] + j))
        })
    }

    /// A state of rank 2, and a count that contains a loop.
    #[smooth(float = "strict")]
    pub fn grid(b: &[f64; k], u: &[usize; n]) -> [[f64; k]; n] {
        ifold(sum(n, |i| u[i]) / 3, build([n, k], |_, j| b[j]), |x, _| {
            let step = build(k, |i| b[i].exp());
            build([n, k], |i, j| x[n - 1 - i][j] * 0.5 + step[k - 1 - j] * step[j])
        })
    }

    /// A fold inside a `build`.
    #[smooth(float = "strict")]
    pub fn inside(b: &[f64; k], steps: usize) -> [[f64; k]; 3] {
        build(3, |r| {
            ifold(steps / 2 + r / 2, [0.25; k], |x, _| {
                let step = build(k, |i| b[i].exp());
                build(k, |i| x[k - 1 - i] + step[k - 1 - i] * step[i])
            })
        })
    }

    /// The count of a `build`, which is an extent of the result.
    #[smooth(float = "strict")]
    pub fn rows(b: &[f64; k], steps: usize) -> [[f64; k]; steps / 2] {
        build(steps / 2, |i| {
            let e = build(k, |j| b[j].exp());
            build(k, |j| e[k - 1 - j] * e[j] + i as f64)
        })
    }

    /// The extent of a row mentions the index of the enclosing loop.
    #[smooth(float = "strict")]
    pub fn deep(b: &[f64; k], steps: usize) -> [[[f64; k]; k]; steps] {
        build(steps, |i| {
            let e = build(k, |j| b[j].exp());
            build(k, |j| build(k + j - j, |l| e[k - 1 - l] * e[l] + (i + j) as f64))
        })
    }

    /// A sum and a fold over numbers.
    #[smooth(float = "strict")]
    pub fn numbers(b: &[f64; k], steps: usize) -> (f64, f64) {
        let total = sum(steps / 2, |i| {
            let e = build(k, |j| b[j].exp());
            sum(k, |j| e[k - 1 - j] * e[j]) + i as f64
        });
        let last = ifold(steps / 2, b[0].exp(), |s, _| {
            let e = build(k, |j| b[j].exp());
            s * 0.5 + sum(k, |j| e[k - 1 - j] * e[j])
        });
        (total, last)
    }
}

/// Sizes from 1 and counts from 0: `steps / 2` is 0 twice.
fn inputs() -> impl Iterator<Item = (Vec<f64>, usize)> {
    let sizes = [1, 2, 5];
    sizes.into_iter().flat_map(|k| (0..5).map(move |steps| ((0..k).map(|i| (i * i) as f64 + 1.0).collect(), steps)))
}

#[test]
fn states_are_written_without_iterations() {
    for (b, steps) in inputs() {
        let (k, b) = (b.len(), &b);
        macro_rules! check {
            ($($f:ident)*) => {$(
                let want = kernels::$f::reference(b, steps);
                on_poison(kernels::$f::scratch([k], steps), &want, |out, arena| kernels::$f::into(out, b, steps, arena));
            )*};
        }
        check!(copied zeroed flags);
        on_poison(kernels::parts::scratch([k], steps), &kernels::parts::reference(b, steps), |(x, s, u), arena| {
            *s = kernels::parts::into(x, u, b, steps, arena);
        });
        on_poison(kernels::numbers::scratch([k], steps), &kernels::numbers::reference(b, steps), |out, arena| {
            *out = kernels::numbers::into(b, steps, arena);
        });
    }
}

#[test]
fn states_of_rank_2_are_written_without_iterations() {
    for (b, total) in inputs() {
        let k = b.len();
        for u in [vec![], vec![total], vec![total, 1]] {
            let want = Array::from_vec(kernels::grid::reference(&b, &u).concat(), [u.len(), k]);
            on_poison(kernels::grid::scratch([k], [u.len()]), &want, |out, arena| {
                kernels::grid::into(out, &b, &u, arena);
            });
        }
    }
}

#[test]
fn empty_arrays_have_their_extents() {
    for (b, steps) in inputs() {
        let k = b.len();
        let want: Array<f64, 2> = kernels::rows(&b, steps);
        assert_eq!(want.shape(), [steps / 2, k]);
        assert_eq!(want.to_nested(), kernels::rows::reference(&b, steps));
        on_poison(kernels::rows::scratch([k], steps), &want, |out, arena| kernels::rows::into(out, &b, steps, arena));
        let want: Array<f64, 3> = kernels::deep(&b, steps);
        assert_eq!(want.shape(), [steps, k, k]);
        assert_eq!(want.to_nested(), kernels::deep::reference(&b, steps));
        let want: Array<f64, 2> = kernels::inside(&b, steps);
        assert_eq!(want.to_nested(), kernels::inside::reference(&b, steps));
        on_poison(kernels::inside::scratch([k], steps), &want, |out, arena| {
            kernels::inside::into(out, &b, steps, arena);
        });
    }
}
