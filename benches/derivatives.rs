//! Derivatives against what they are derivatives of, and against the same by hand. `cargo bench --bench derivatives`; results in
//! `benches/README.md`. Words after `--` select rows.
//!
//! The derivatives are compared with those by hand before anything is timed.

mod inputs;
mod timing;

use inputs::numbers;
use smooth::prelude::*;
use smooth::{Array, View};
use std::hint::black_box as bb;
use std::time::Duration;
use timing::{fastest, text, timed, wanted};

/// A product of matrices.
#[smooth(vjp)]
fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}

/// The same by loops.
#[smooth(vjp)]
fn product_by_loops(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    let mut c = [[0.0; m]; n];
    for i in 0..n {
        for l in 0..k {
            for j in 0..m {
                c[i][j] += a[i][l] * b[l][j];
            }
        }
    }
    c
}

/// A convolution without borders.
#[smooth(vjp)]
fn convolution(x: &[f64; n], w: &[f64; k]) -> [f64; n - k + 1] {
    build(n - k + 1, |i| sum(k, |j| x[i + j] * w[j]))
}

/// The loss of a softmax regression.
#[smooth(grad(w))]
fn softmax(w: &[[f64; d]; c], x: &[[f64; d]; n], label: &[usize; n]) -> f64 {
    sum(n, |i| {
        let z = build(c, |j| sum(d, |l| w[j][l] * x[i][l]));
        let m = max(c, |j| z[j]);
        sum(c, |j| (z[j] - m).exp()).ln() + m - z[label[i]]
    })
}

/// The squared error of a perceptron of two layers.
#[smooth(grad(w, v))]
fn perceptron(w: &[[f64; p]; h], v: &[[f64; h]; o], x: &[[f64; p]; n], y: &[[f64; o]; n]) -> f64 {
    let a = build([n, h], |i, j| sum(p, |l| w[j][l] * x[i][l]).tanh());
    let e = build([n, o], |i, q| sum(h, |j| v[q][j] * a[i][j]) - y[i][q]);
    sum(n, |i| sum(o, |q| e[i][q] * e[i][q]))
}

/// A sum of squares.
#[smooth(grad(a))]
fn least_squares(a: &[f64; k], x: &[[f64; k]; n], y: &[f64; n]) -> f64 {
    sum(n, |i| (sum(k, |j| a[j] * x[i][j]) - y[i]).powi(2))
}

/// The derivatives as one writes them without a library, on numbers row by row.
mod by_hand {
    /// `c += a b`, where `a` has rows of `k` numbers and `b` of `m`.
    fn add_product(c: &mut [f64], a: &[f64], b: &[f64], [k, m]: [usize; 2]) {
        for (c, a) in c.chunks_exact_mut(m).zip(a.chunks_exact(k)) {
            for (a, b) in a.iter().zip(b.chunks_exact(m)) {
                c.iter_mut().zip(b).for_each(|(c, b)| *c += a * b);
            }
        }
    }

    fn transposed(a: &[f64], k: usize) -> Vec<f64> {
        let n = a.len() / k;
        (0..n * k).map(|at| a[at % n * k + at / n]).collect()
    }

    /// `a b`, and `d bᵀ` and `aᵀ d`.
    pub fn product(a: &[f64], b: &[f64], d: &[f64], [n, k, m]: [usize; 3]) -> [Vec<f64>; 3] {
        let mut all = [vec![0.0; n * m], vec![0.0; n * k], vec![0.0; k * m]];
        add_product(&mut all[0], a, b, [k, m]);
        add_product(&mut all[1], d, &transposed(b, m), [m, k]);
        add_product(&mut all[2], &transposed(a, k), d, [n, m]);
        all
    }

    /// The value, and the cotangents of the signal and of the weights.
    pub fn convolution(x: &[f64], w: &[f64], d: &[f64]) -> [Vec<f64>; 3] {
        let mut all = [vec![0.0; d.len()], vec![0.0; x.len()], vec![0.0; w.len()]];
        for (j, w) in w.iter().enumerate() {
            all[0].iter_mut().zip(&x[j..]).for_each(|(out, x)| *out += w * x);
            all[1][j..].iter_mut().zip(d).for_each(|(out, d)| *out += w * d);
            all[2][j] = d.iter().zip(&x[j..]).map(|(d, x)| d * x).sum();
        }
        all
    }

    /// The value, and the derivative in `a`.
    pub fn least_squares(a: &[f64], x: &[f64], y: &[f64]) -> (f64, Vec<f64>) {
        let (mut value, mut d_a) = (0.0, vec![0.0; a.len()]);
        for (x, y) in x.chunks_exact(a.len()).zip(y) {
            let e = a.iter().zip(x).map(|(a, x)| a * x).sum::<f64>() - y;
            value += e * e;
            d_a.iter_mut().zip(x).for_each(|(d, x)| *d += 2.0 * e * x);
        }
        (value, d_a)
    }
}

fn matrix(n: usize, k: usize) -> Array<f64, 2> {
    Array::from_vec(vec![0.0; n * k], [n, k])
}

fn check(found: &[f64], wanted: &[f64]) {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
    assert!(
        found.len() == wanted.len() && found.iter().zip(wanted).all(near),
        "a derivative differs from that by hand"
    );
}

/// A row of the table.
fn row(name: &str, bytes: usize, value: impl FnMut(), both: impl FnMut(), hand: Option<&mut dyn FnMut()>) {
    if !wanted(name) {
        return;
    }
    let mut all = vec![timed(value), timed(both)];
    all.extend(hand.map(timed));
    let times = fastest(&mut all, Duration::from_millis(700));
    let hand = times.get(2).map_or(String::new(), |t| text(*t));
    println!("| {name} | {} | {} | {:.2} | {bytes} | {hand} |", text(times[0]), text(times[1]), times[1] / times[0]);
}

fn products() {
    let n = 128;
    let [a, b, d] = [1, 2, 3].map(|seed| numbers(n * n, seed));
    let [va, vb, vd] = [&a, &b, &d].map(|x| View::new(x, [n, n]));
    let wanted = by_hand::product(&a, &b, &d, [n, n, n]);
    let (out, d_a, d_b) = product::vjp(va, vb, vd);
    [out, d_a, d_b].iter().zip(&wanted).for_each(|(found, wanted)| check(found.as_slice(), wanted));
    let [mut c, mut e, mut d_a, mut d_b] = [(); 4].map(|()| matrix(n, n));
    let (mut arena, mut own) = (Arena::new(), Arena::new());
    let shape = [n, n];
    row(
        "product, 128 rows",
        product::vjp::scratch(shape, shape, shape),
        || product::into(&mut c, bb(va), vb, &mut arena),
        || product::vjp::into(&mut e, &mut d_a, &mut d_b, bb(va), vb, vd, &mut own),
        Some(&mut || drop(bb(by_hand::product(bb(&a), &b, &d, [n, n, n])))),
    );
    row(
        "product by loops",
        product_by_loops::vjp::scratch(shape, shape, shape),
        || product_by_loops::into(&mut c, bb(va), vb, &mut arena),
        || product_by_loops::vjp::into(&mut e, &mut d_a, &mut d_b, bb(va), vb, vd, &mut own),
        None,
    );
}

fn convolutions() {
    let (n, k) = (10_000, 31);
    let m = n - k + 1;
    let (x, w, d) = (numbers(n, 1), numbers(k, 2), numbers(m, 3));
    let wanted = by_hand::convolution(&x, &w, &d);
    let (out, d_x, d_w) = convolution::vjp(&x, &w, &d);
    [out, d_x, d_w].iter().zip(&wanted).for_each(|(found, wanted)| check(found, wanted));
    let [mut c, mut e] = [(); 2].map(|()| vec![0.0; m]);
    let (mut d_x, mut d_w) = (vec![0.0; n], vec![0.0; k]);
    let (mut arena, mut own) = (Arena::new(), Arena::new());
    row(
        "convolution, 10 000 by 31",
        convolution::vjp::scratch([n], [k], [m]),
        || convolution::into(&mut c, bb(&x), &w, &mut arena),
        || convolution::vjp::into(&mut e, &mut d_x, &mut d_w, bb(&x), &w, &d, &mut own),
        Some(&mut || drop(bb(by_hand::convolution(bb(&x), &w, &d)))),
    );
}

fn learning() {
    let (mut arena, mut own) = (Arena::new(), Arena::new());
    let (n, d, c) = (500, 32, 10);
    let (x, w) = (numbers(n * d, 1), numbers(c * d, 2));
    let label: Vec<usize> = (0..n).map(|i| i * 7 % c).collect();
    let (x, w) = (View::new(&x, [n, d]), View::new(&w, [c, d]));
    let mut d_w = matrix(c, d);
    row(
        "softmax, 500 × 32, 10 classes",
        softmax::value_and_grad::scratch([c, d], [n, d], [n]),
        || _ = bb(softmax::into(bb(w), x, &label, &mut arena)),
        || _ = bb(softmax::value_and_grad::into(&mut d_w, bb(w), x, &label, &mut own)),
        None,
    );

    let (n, p, h, o) = (256, 64, 128, 10);
    let [x, w, v, y] = [(n * p, 1), (h * p, 2), (o * h, 3), (n * o, 4)].map(|(n, seed)| numbers(n, seed));
    let (x, w, v, y) = (View::new(&x, [n, p]), View::new(&w, [h, p]), View::new(&v, [o, h]), View::new(&y, [n, o]));
    let (mut d_w, mut d_v) = (matrix(h, p), matrix(o, h));
    row(
        "perceptron, 256 × 64-128-10",
        perceptron::value_and_grad::scratch([h, p], [o, h], [n, p], [n, o]),
        || _ = bb(perceptron::into(bb(w), v, x, y, &mut arena)),
        || _ = bb(perceptron::value_and_grad::into(&mut d_w, &mut d_v, bb(w), v, x, y, &mut own)),
        None,
    );

    let (n, k) = (1000, 32);
    let (x, a, y) = (numbers(n * k, 1), numbers(k, 2), numbers(n, 3));
    let rows = View::new(&x, [n, k]);
    let wanted = by_hand::least_squares(&a, &x, &y);
    let (value, d_a) = least_squares::value_and_grad(&a, rows, &y);
    check(&[value], &[wanted.0]);
    check(&d_a, &wanted.1);
    let mut d_a = vec![0.0; k];
    row(
        "least squares, 1000 × 32",
        least_squares::value_and_grad::scratch([k], [n, k], [n]),
        || _ = bb(least_squares::into(bb(&a), rows, &y, &mut arena)),
        || _ = bb(least_squares::value_and_grad::into(&mut d_a, bb(&a), rows, &y, &mut own)),
        Some(&mut || drop(bb(by_hand::least_squares(bb(&a), &x, &y)))),
    );
}

fn main() {
    println!("| | value | value and derivative | ratio | bytes | by hand |\n|---|---:|---:|---:|---:|---:|");
    products();
    convolutions();
    learning();
}
