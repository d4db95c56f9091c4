//! Derivatives in memory that is full of a bit pattern: they write all that they give and read nothing before, in as many bytes
//! as they announce, and take none from the heap.

use crate::heap::heap;
use crate::numbers::{numbers, rows};
use crate::poison::on_poison;
use smooth::View;
use smooth::prelude::*;

/// A tape and scattered contributions.
#[smooth(grad(w), jvp)]
fn softmax(w: &[[f64; d]; c], x: &[[f64; d]; n], label: &[usize; n]) -> f64 {
    sum(n, |i| {
        let z = build(c, |j| sum(d, |l| w[j][l] * x[i][l]));
        let m = max(c, |j| z[j]);
        sum(c, |j| (z[j] - m).exp()).ln() + m - z[label[i]]
    })
}

/// Products, and a length that is an expression.
#[smooth(vjp, vjp_many)]
fn filtered(a: &[[f64; k]; n], w: &[f64; k]) -> [f64; 2 * n] {
    let y = build(n, |i| sum(k, |j| a[i][j] * w[j]).tanh());
    build(2 * n, |i| y[i / 2] * y[(i + 1) % n])
}

/// Rows one by one, and rows by loops.
#[smooth(jacobian(p, reverse))]
fn few(p: &[f64; n], t: f64) -> [f64; 3] {
    [sum(n, |i| p[i] * t.powi(i as i32)), p[0].exp() * p[n - 1], t]
}

#[smooth(jacobian(p, reverse))]
fn all(p: &[f64; n], t: f64) -> [f64; n] {
    build(n, |i| p[i] * p[n - 1 - i] + t * p[0].sin())
}

/// A gradient that is differentiated again.
#[smooth(grad)]
fn energy(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i].exp() * x[(i + 1) % n])
}

#[smooth(vjp)]
fn slope(x: &[f64; n]) -> [f64; n] {
    energy::grad(x)
}

/// Runs, and asserts that nothing was taken from the heap.
#[track_caller]
fn without_heap(run: impl FnOnce()) {
    let ((), taken, given) = heap(run);
    assert_eq!((taken, given), (0, 0), "blocks of the heap");
}

#[test]
fn derivatives_need_what_they_announce_and_write_all() {
    for [n, c, d] in [[0, 1, 1], [1, 1, 2], [5, 3, 4], [70, 10, 33]] {
        let (x, w) = (numbers(n * d, 0.1), numbers(c * d, 0.2));
        let (x, w) = (View::new(&x, [n, d]), View::new(&w, [c, d]));
        let label: Vec<usize> = (0..n).map(|i| i * 7 % c).collect();
        let (_, d_w) = softmax::value_and_grad(w, x, &label);
        let scratch = softmax::value_and_grad::scratch([c, d], [n, d], [n]);
        on_poison(scratch, &d_w, |d_w, arena| {
            without_heap(|| _ = softmax::value_and_grad::into(d_w, w, x, &label, arena));
        });
        on_poison(softmax::grad::scratch([c, d], [n, d], [n]), &d_w, |d_w, arena| {
            without_heap(|| softmax::grad::into(d_w, w, x, &label, arena));
        });
    }
    for [n, k] in [[1, 0], [1, 1], [2, 5], [40, 37]] {
        let (a, w, d_out) = (numbers(n * k, 0.3), numbers(k, 0.4), numbers(6 * n, 0.5));
        let (a, one) = (View::new(&a, [n, k]), &d_out[..2 * n]);
        let scratch = filtered::vjp::scratch([n, k], [k], [2 * n]);
        let (out, d_a, d_w) = filtered::vjp(a, &w, one);
        on_poison(scratch, &((out, d_a), d_w), |((out, d_a), d_w), arena| {
            without_heap(|| filtered::vjp::into(out, d_a, d_w, a, &w, one, arena));
        });
        let many = rows(&d_out, 2 * n);
        let scratch = filtered::vjp_many::scratch([n, k], [k], [3, 2 * n]);
        let (out, d_a, d_w) = filtered::vjp_many(a, &w, many);
        on_poison(scratch, &((out, d_a), d_w), |((out, d_a), d_w), arena| {
            without_heap(|| filtered::vjp_many::into(out, d_a, d_w, a, &w, many, arena));
        });
    }
    for n in [1, 2, 5, 40] {
        let p = numbers(n, 0.6);
        let (out, d_p) = few::jacobian(&p, 0.7);
        on_poison(few::jacobian::scratch([n]), &(out, d_p), |(out, d_p), arena| {
            without_heap(|| few::jacobian::into(out, d_p, &p, 0.7, arena));
        });
        let (out, d_p) = all::jacobian(&p, 0.7);
        on_poison(all::jacobian::scratch([n]), &(out, d_p), |(out, d_p), arena| {
            without_heap(|| all::jacobian::into(out, d_p, &p, 0.7, arena));
        });
        let (out, d_x) = slope::vjp(&p, &p);
        on_poison(slope::vjp::scratch([n], [n]), &(out, d_x), |(out, d_x), arena| {
            without_heap(|| slope::vjp::into(out, d_x, &p, &p, arena));
        });
    }
}
