//! Arrays that are updated in place, as compiled kernels: named states of folds, and arrays chosen by conditions.

mod poison;

use poison::on_poison;
use smooth::prelude::*;

mod kernels {
    use smooth::prelude::*;

    /// The next state is read again.
    #[smooth(float = "strict")]
    pub fn relaxed(a: &[f64; n], steps: usize) -> ([f64; n], f64) {
        ifold(steps, (a.clone(), 0.0), |(s, total), _| {
            let next = build(n, |i| s[i] * 0.75);
            let all = sum(n, |i| next[i]);
            (next, total + all)
        })
    }

    /// A step reads other elements than it writes.
    #[smooth(float = "strict")]
    pub fn turned(a: &[f64; n], steps: usize) -> ([f64; n], f64) {
        ifold(steps, (a.clone(), 0.0), |(s, total), _| {
            let next = build(n, |i| s[n - 1 - i] * 0.75 + s[i]);
            let all = sum(n, |i| next[i]);
            (next, total + all)
        })
    }

    /// A state of three arrays. One of them is the result.
    #[smooth(float = "strict")]
    pub fn moments(g: &[[f64; n]; t]) -> [f64; n] {
        let (x, _, _) = ifold(t, ([0.0; n], [0.0; n], [0.0; n]), |(x, m, v), k| {
            let m = build(n, |i| 0.9 * m[i] + 0.1 * g[k][i]);
            let v = build(n, |i| 0.99 * v[i] + 0.01 * g[k][i] * g[k][i]);
            (build(n, |i| x[i] - m[i] / (v[i].sqrt() + 1e-8)), m, v)
        });
        x
    }

    /// Conjugate gradients.
    #[smooth(float = "strict")]
    pub fn solve(a: &[[f64; n]; n], b: &[f64; n], steps: usize) -> [f64; n] {
        let (x, _, _, _) =
            ifold(steps, ([0.0; n], b.clone(), b.clone(), sum(n, |i| b[i] * b[i])), |(x, r, p, rr), _| {
                let ap = build(n, |i| sum(n, |j| a[i][j] * p[j]));
                let alpha = rr / sum(n, |i| p[i] * ap[i]);
                let r = build(n, |i| r[i] - alpha * ap[i]);
                let next = sum(n, |i| r[i] * r[i]);
                (build(n, |i| x[i] + alpha * p[i]), r, build(n, |i| r[i] + next / rr * p[i]), next)
            });
        x
    }

    /// One of two arrays.
    #[smooth(float = "strict")]
    pub fn chosen(first: bool, a: &[f64; n], b: &[f64; n]) -> f64 {
        let x = if first { a } else { b };
        sum(n, |i| x[i] * x[n - 1 - i]) + x.len() as f64
    }

    /// Steps of three smaller ones each, all kept.
    #[smooth]
    pub fn kept(u: &[f64; n], steps: usize) -> [[f64; n]; steps] {
        scan(steps, u.clone(), |u, _| ifold(3, u.clone(), |v, _| build(n, |i| 0.5 * (v[i] + v[n - 1 - i]) + u[i])))
    }

    /// Such steps in rows that are assigned.
    #[smooth]
    pub fn assigned(z: &mut [[f64; n]; steps]) {
        for t in 1..steps {
            z[t] = ifold(3, build(n, |i| z[t - 1][i] * 2.0), |v, _| build(n, |i| 0.5 * (v[i] + v[n - 1 - i])));
        }
    }

    /// Rows that share an expensive number, read by rows and by columns.
    #[smooth(float = "strict")]
    pub fn shares(m: &[[f64; k]; n]) -> ([f64; n], [f64; k]) {
        let p = build(n, |i| {
            let total = sum(k, |j| m[i][j].exp());
            build(k, |j| m[i][j].exp() / total)
        });
        let q = build(n, |i| {
            let total = sum(k, |j| m[i][j]);
            build(k, |j| m[i][j] / total)
        });
        (build(n, |i| sum(k, |j| p[i][j] * p[i][j].ln())), build(k, |j| sum(n, |i| q[i][j])))
    }
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 0.7).sin() + 1.5).collect()
}

fn rows(n: usize, k: usize) -> Vec<Vec<f64>> {
    (0..n).map(|i| numbers(n * k)[i * k..(i + 1) * k].to_vec()).collect()
}

#[test]
fn named_states_agree_with_the_reference() {
    for n in [0, 1, 2, 5, 33] {
        let a = numbers(n);
        for steps in [0, 1, 2, 3, 8] {
            assert_eq!(kernels::relaxed(&a, steps), kernels::relaxed::reference(&a, steps));
            assert_eq!(kernels::turned(&a, steps), kernels::turned::reference(&a, steps));
            on_poison(kernels::relaxed::scratch([n], steps), &kernels::relaxed(&a, steps), |(x, total), arena| {
                *total = kernels::relaxed::into(x, &a, steps, arena);
            });
            on_poison(kernels::turned::scratch([n], steps), &kernels::turned(&a, steps), |(x, total), arena| {
                *total = kernels::turned::into(x, &a, steps, arena);
            });
            let g = rows(steps, n);
            let flat = g.concat();
            assert_eq!(kernels::moments(View::new(&flat, [steps, n])).len(), n);
            let want = kernels::moments(View::new(&flat, [steps, n]));
            on_poison(kernels::moments::scratch([steps, n]), &want, |out, arena| {
                kernels::moments::into(out, View::new(&flat, [steps, n]), arena);
            });
            if steps > 0 {
                assert_eq!(kernels::moments(View::new(&flat, [steps, n])), kernels::moments::reference(&g));
            }
        }
        assert_eq!((kernels::relaxed::scratch([n], 3), kernels::moments::scratch([4, n])), (0, frame(2, n)));
        assert_eq!(kernels::turned::scratch([n], 3), frame(1, n));
    }
}

/// The bytes of a frame of `arrays` arrays.
fn frame(arrays: usize, n: usize) -> usize {
    if n == 0 { 0 } else { arrays * (8 * n).next_multiple_of(64) + 63 }
}

#[test]
fn conjugate_gradients_take_three_temporaries() {
    let n = 6;
    let mut a = vec![vec![0.0; n]; n];
    for i in 0..n {
        a[i][i] = 4.0;
        a[i][(i + 1) % n] = 1.0;
        a[(i + 1) % n][i] = 1.0;
    }
    let b = numbers(n);
    let x = kernels::solve(View::new(&a.concat(), [n, n]), &b, n);
    assert_eq!(x, kernels::solve::reference(&a, &b, n));
    on_poison(frame(3, n), &x, |out, arena| {
        kernels::solve::into(out, View::new(&a.concat(), [n, n]), &b, n, arena);
    });
    for i in 0..n {
        let image: f64 = (0..n).map(|j| a[i][j] * x[j]).sum();
        assert!((image - b[i]).abs() < 1e-9, "{image} and {}", b[i]);
    }
    assert_eq!(kernels::solve::scratch([n, n], [n], n), frame(3, n));
}

#[test]
fn choices_and_rows_agree_with_the_reference() {
    for n in [1, 2, 7, 20] {
        let (a, b) = (numbers(n), numbers(2 * n)[n..].to_vec());
        for first in [true, false] {
            assert_eq!(kernels::chosen(first, &a, &b), kernels::chosen::reference(first, &a, &b));
        }
        assert_eq!(kernels::chosen::scratch([n], [n]), 0);
        let m = rows(n, 3);
        assert_eq!(kernels::shares(View::new(&m.concat(), [n, 3])), kernels::shares::reference(&m));
    }
}

#[test]
fn rows_in_two_buffers_agree_with_the_reference() {
    for n in [1, 2, 7, 20] {
        let u = numbers(n);
        for steps in [0, 1, 2, 5] {
            let all = kernels::kept(&u, steps);
            assert_eq!(all.to_nested(), kernels::kept::reference(&u, steps));
            on_poison(kernels::kept::scratch([n], steps), &all, |out, arena| {
                kernels::kept::into(out, &u, steps, arena)
            });
        }
        let mut nested = rows(n, 3);
        let mut flat = nested.concat();
        kernels::assigned(ViewMut::new(&mut flat, [n, 3]));
        kernels::assigned::reference(&mut nested);
        assert_eq!(flat, nested.concat());
    }
}

/// A state that is stored as a row, and that another state reads, too.
#[smooth]
fn rows_and_a_number(n: usize) -> ([[f64; 3]; n], f64) {
    let mut s = [1.0, 2.0, 3.0];
    let mut t = 0.5;
    let mut a = [[0.0; 3]; n];
    for i in 0..n {
        a[i] = s.clone();
        t = t * 0.5 + s[1];
        s = build(3, |j| s[j] * 0.5);
    }
    (a, t)
}

#[test]
fn a_state_that_another_one_reads_is_kept() {
    for n in [0, 1, 2, 5] {
        let (mut s, mut t, mut a) = ([1.0, 2.0, 3.0], 0.5, vec![]);
        for _ in 0..n {
            a.push(s);
            t = t * 0.5 + s[1];
            s = s.map(|x| x * 0.5);
        }
        assert_eq!(rows_and_a_number(n), (a, t));
    }
}
