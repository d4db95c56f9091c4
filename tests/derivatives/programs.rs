//! Programs with loops that carry a state, as one writes them, with the memory of their derivatives.

use crate::numbers::{all_near, numbers};
use smooth::View;
use smooth::prelude::*;

/// The temperature of a rod with fixed ends, after some explicit steps.
#[smooth(vjp)]
fn heat(u: &[f64; n], k: &[f64; n], steps: usize) -> [f64; n] {
    let mut now = u.clone();
    for _ in 0..steps {
        now = build(n, |i| {
            if i == 0 || i + 1 == n { now[i] } else { now[i] + k[i] * (now[i - 1] - 2.0 * now[i] + now[i + 1]) }
        });
    }
    now
}

/// The same with a conductivity that depends on the temperature.
#[smooth(vjp)]
fn melting(u: &[f64; n], steps: usize) -> [f64; n] {
    let mut now = u.clone();
    for _ in 0..steps {
        let mut next = now.clone();
        for i in 1..n - 1 {
            let k = 0.1 + 0.1 * now[i].tanh();
            next[i] = now[i] + k * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        }
        now = next;
    }
    now
}

/// Bodies that attract each other, by leapfrog.
#[smooth(grad(x, v))]
fn bodies(x: &[[f64; 2]; n], v: &[[f64; 2]; n], m: &[f64; n], h: f64, steps: usize) -> f64 {
    let (mut x, mut v) = (x.clone(), v.clone());
    for _ in 0..steps {
        x = build([n, 2], |i, c| x[i][c] + 0.5 * h * v[i][c]);
        v = build([n, 2], |i, c| {
            v[i][c]
                + h * sum(n, |j| {
                    let r2 = (x[j][0] - x[i][0]).powi(2) + (x[j][1] - x[i][1]).powi(2) + 0.01;
                    m[j] * (x[j][c] - x[i][c]) / (r2 * r2.sqrt())
                })
        });
        x = build([n, 2], |i, c| x[i][c] + 0.5 * h * v[i][c]);
    }
    sum(n, |i| m[i] * (x[i][0] * x[i][0] + x[i][1] * v[i][1]))
}

/// Runge and Kutta's rule for a system of two species.
#[smooth(grad(y, rates))]
fn species(y: &[f64; 2], rates: &[f64; 4], h: f64, steps: usize) -> f64 {
    let f = |y: [f64; 2]| [y[0] * (rates[0] - rates[1] * y[1]), y[1] * (rates[2] * y[0] - rates[3])];
    let mut y = y.clone();
    for _ in 0..steps {
        let k1 = f(y);
        let k2 = f([y[0] + 0.5 * h * k1[0], y[1] + 0.5 * h * k1[1]]);
        let k3 = f([y[0] + 0.5 * h * k2[0], y[1] + 0.5 * h * k2[1]]);
        let k4 = f([y[0] + h * k3[0], y[1] + h * k3[1]]);
        y = build(2, |c| y[c] + h / 6.0 * (k1[c] + 2.0 * k2[c] + 2.0 * k3[c] + k4[c]));
    }
    y[0] + y[1]
}

/// The cost of the best alignment of two sequences, smoothed, row by row.
#[smooth(grad)]
fn alignment(a: &[f64; n], b: &[f64; m], gap: f64) -> f64 {
    let mut row = build(m + 1, |j| j as f64 * gap);
    for i in 0..n {
        let mut next = row.clone();
        next[0] = (i + 1) as f64 * gap;
        for j in 0..m {
            let (left, up, both) = (next[j] + gap, row[j + 1] + gap, row[j] + (a[i] - b[j]).powi(2));
            next[j + 1] = -((-left).exp() + (-up).exp() + (-both).exp()).ln();
        }
        row = next;
    }
    row[m]
}

/// Cholesky's factor of a symmetric matrix, in place.
#[smooth(grad)]
fn log_determinant(a: &[[f64; n]; n]) -> f64 {
    let mut l = a.clone();
    for j in 0..n {
        for k in 0..j {
            for i in j..n {
                l[i][j] -= l[i][k] * l[j][k];
            }
        }
        let d = l[j][j].sqrt();
        for i in j..n {
            l[i][j] /= d;
        }
    }
    2.0 * sum(n, |i| l[i][i].ln())
}

/// The same cost as that of `alignment`, in a table.
#[smooth(grad)]
fn table(a: &[f64; n], b: &[f64; m], gap: f64) -> f64 {
    let mut t = build([n + 1, m + 1], |i, j| (i + j) as f64 * gap);
    for i in 0..n {
        for j in 1..m + 1 {
            let (left, up, both) = (t[i + 1][j - 1] + gap, t[i][j] + gap, t[i][j - 1] + (a[i] - b[j - 1]).powi(2));
            t[i + 1][j] = -((-left).exp() + (-up).exp() + (-both).exp()).ln();
        }
    }
    t[n][m]
}

/// The solution of a triangular system.
#[smooth(vjp)]
fn forward(l: &[[f64; n]; n], b: &[f64; n]) -> [f64; n] {
    let mut x = b.clone();
    for i in 0..n {
        for k in 0..i {
            x[i] -= l[i][k] * x[k];
        }
        x[i] /= l[i][i];
    }
    x
}

/// The same by columns.
#[smooth(vjp)]
fn by_columns(l: &[[f64; n]; n], b: &[f64; n]) -> [f64; n] {
    let mut x = b.clone();
    for k in 0..n {
        x[k] /= l[k][k];
        for i in k + 1..n {
            x[i] -= l[i][k] * x[k];
        }
    }
    x
}

/// Rows that are read as they were before they were written: these are remembered.
#[smooth(grad)]
fn shifted(a: &[[f64; m]; n]) -> f64 {
    let mut t = a.clone();
    for i in 0..n {
        let row = t[i].clone();
        for j in 1..m {
            t[i][j] = row[j - 1] * row[j] + t[i][j - 1] * t[i][j - 1];
        }
    }
    sum(n, |i| t[i][m - 1] * t[i][0])
}

/// A whole state that is read as it was before a loop has changed it.
#[smooth(grad)]
fn before(a: &[f64; n]) -> f64 {
    let mut t = a.clone();
    for i in 0..2 {
        let old = t.clone();
        for j in 1..n {
            t[j] = old[j - 1] * t[j - 1] + i as f64;
        }
    }
    sum(n, |j| t[j] * t[j])
}

/// A number that is written on a condition, and at a place that is known later.
#[smooth(grad)]
fn sometimes(a: &[f64; n], u: &[usize; n]) -> f64 {
    let (mut t, mut s) = (a.clone(), 0.0);
    for i in 0..n {
        let v = (a[i] * 1.5).sin();
        s += v * v * v;
        if u[i] % 2 == 0 {
            t[i] = v;
        }
        let w = v.exp();
        for j in 0..3 {
            if j < u[i] % 3 {
                t[(i + j) % n] = w * t[i];
            }
        }
        let at = i + u[i] % 1;
        t[at] = w * w + t[at];
    }
    s + sum(n, |i| t[i] * t[i])
}

/// The likelihood of a walk that is observed with errors, by Kalman's filter.
#[smooth(grad(q, r))]
fn filter(y: &[f64; n], q: f64, r: f64) -> f64 {
    let (mut x, mut p, mut all) = (0.0, 1.0, 0.0);
    for t in 0..n {
        p += q * q;
        let s = p + r * r;
        let e = y[t] - x;
        all += s.ln() + e * e / s;
        let k = p / s;
        x += k * e;
        p *= 1.0 - k;
    }
    0.5 * all
}

/// The memory of a derivative, in numbers: so many that are remembered, and a few times those of a step.
#[track_caller]
fn remembers(bytes: usize, states: usize, step: usize) {
    let numbers = bytes / 8;
    assert!((states..=states + 6 * step + 48).contains(&numbers), "{numbers} numbers, and not {states}");
}

#[test]
fn programs_remember_their_states() {
    for steps in [1, 10, 1000] {
        for n in [2, 9, 40] {
            remembers(heat::vjp::scratch([n], [n], steps, [n]), steps * n, n);
            remembers(melting::vjp::scratch([n], steps, [n]), steps * n, n);
            remembers(bodies::grad::scratch([n, 2], [n, 2], [n], steps), steps * 4 * n, 4 * n);
        }
        remembers(species::grad::scratch([2], [4], steps), steps * 2, 4);
    }
    for [n, m] in [[1, 1], [5, 30], [40, 20]] {
        remembers(table::grad::scratch([n], [m]), 2 * (n + 1) * (m + 1), n + m);
        remembers(forward::vjp::scratch([n, n], [n], [n]), n, 2 * n);
        remembers(by_columns::vjp::scratch([n, n], [n], [n]), n, 2 * n);
        remembers(alignment::grad::scratch([n], [m]), n * (m + 1), m + 1);
        remembers(filter::grad::scratch([n]), 2 * n, 3);
    }
}

#[test]
fn programs_have_their_derivatives() {
    let (u, k) = (numbers(7, 0.3), numbers(7, 0.1));
    let (_, d_u, d_k) = heat::vjp(&u, &k, 6, &u);
    let (_, w_u, w_k) = heat::vjp::reference(&u, &k, 6, &u);
    all_near(&d_u, &w_u);
    all_near(&d_k, &w_k);
    all_near(&melting::vjp(&u, 6, &k).1, &melting::vjp::reference(&u, 6, &k).1);
    let (x, v, m) = (numbers(8, 0.2), numbers(8, 0.4), [1.0, 0.5, 0.25, 2.0]);
    let (x, v) = (pairs(&x), pairs(&v));
    let (d_x, d_v) = bodies::grad(&x, &v, &m, 0.05, 4);
    let nested = |rows: &[[f64; 2]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    let (w_x, w_v) = bodies::grad::reference(&nested(&x), &nested(&v), &m, 0.05, 4);
    all_near(&d_x.concat(), &w_x.concat());
    all_near(&d_v.concat(), &w_v.concat());
    let (d_y, d_rates) = species::grad(&[1.0, 0.5], &[1.1, 0.4, 0.3, 0.9], 0.1, 12);
    let (w_y, w_rates) = species::grad::reference(&[1.0, 0.5], &[1.1, 0.4, 0.3, 0.9], 0.1, 12);
    all_near(&d_y, &w_y);
    all_near(&d_rates, &w_rates);
    let (d_a, d_b, d_gap) = alignment::grad(&u, &k, 0.7);
    let (w_a, w_b, w_gap) = alignment::grad::reference(&u, &k, 0.7);
    all_near(&d_a, &w_a);
    all_near(&d_b, &w_b);
    all_near(&[d_gap], &[w_gap]);
    assert_eq!(table::grad::reference(&u, &k, 0.7), alignment::grad::reference(&u, &k, 0.7));
    let (d_a, d_b, d_gap) = table::grad(&u, &k, 0.7);
    all_near(&d_a, &w_a);
    all_near(&d_b, &w_b);
    all_near(&[d_gap], &[w_gap]);
    let l: Vec<f64> = (0..49).map(|i| if i % 8 == 0 { 2.0 } else { (i % 7) as f64 * 0.1 }).collect();
    let rows: Vec<Vec<f64>> = l.chunks(7).map(<[f64]>::to_vec).collect();
    for (found, wanted) in [
        (forward::vjp(View::new(&l, [7, 7]), &u, &k), forward::vjp::reference(&rows, &u, &k)),
        (by_columns::vjp(View::new(&l, [7, 7]), &u, &k), by_columns::vjp::reference(&rows, &u, &k)),
    ] {
        all_near(&found.1.iter().copied().collect::<Vec<_>>(), &wanted.1.concat());
        all_near(&found.2, &wanted.2);
    }
    let a = numbers(21, 0.4);
    let rows: Vec<Vec<f64>> = a.chunks(7).map(<[f64]>::to_vec).collect();
    let d_a = shifted::grad(View::new(&a, [3, 7]));
    all_near(&d_a.iter().copied().collect::<Vec<_>>(), &shifted::grad::reference(&rows).concat());
    all_near(&before::grad(&u), &before::grad::reference(&u));
    let places = [3, 4, 0, 1, 2, 2, 5];
    all_near(&sometimes::grad(&u, &places), &sometimes::grad::reference(&u, &places));
    let (d_q, d_r) = filter::grad(&u, 0.5, 0.8);
    let (w_q, w_r) = filter::grad::reference(&u, 0.5, 0.8);
    all_near(&[d_q, d_r], &[w_q, w_r]);
    let a: Vec<f64> = (0..16).map(|i| if i % 5 == 0 { 5.0 } else { (i % 4 * (i / 4)) as f64 * 0.1 }).collect();
    let d_a = log_determinant::grad(View::new(&a, [4, 4]));
    let rows: Vec<Vec<f64>> = a.chunks(4).map(<[f64]>::to_vec).collect();
    let w_a = log_determinant::grad::reference(&rows);
    all_near(&(0..16).map(|k| d_a[[k / 4, k % 4]]).collect::<Vec<_>>(), &w_a.concat());
}

fn pairs(x: &[f64]) -> Vec<[f64; 2]> {
    x.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
}
