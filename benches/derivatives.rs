//! Derivatives against what they are derivatives of, and against the same by hand. `cargo bench --bench derivatives`; results in
//! `benches/README.md`. Words after `--` select rows.
//!
//! The derivatives are compared with those by hand before anything is timed.

mod inputs;
mod timing;

use inputs::numbers;
use smooth::prelude::*;
use smooth::{Array, View};
use smooth_workloads::kernels::ba::{ba_objective, reprojection_error};
use smooth_workloads::kernels::gmm::{gmm_adbench, gmm_reduced};
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

/// The objective of a mixture of Gaussians, with the factors stored by columns.
#[smooth(grad(alphas, means, icf))]
fn mixture(
    alphas: &[f64; k],
    means: &[[f64; d]; k],
    icf: &[[f64; t]; k],
    x: &[[f64; d]; n],
    gamma: f64,
    m: usize,
    log_gamma: f64,
) -> f64 {
    gmm_adbench(alphas, means, icf, x, gamma, m, log_gamma)
}

/// The same with the factors stored by rows, without the constants.
#[smooth(grad(alphas, means, icf))]
fn mixture_by_rows(alphas: &[f64; k], means: &[[f64; d]; k], icf: &[[f64; t]; k], x: &[[f64; d]; n]) -> f64 {
    gmm_reduced(alphas, means, icf, x)
}

/// The error of one observation in bundle adjustment.
#[smooth(jacobian(cam, x, weight))]
fn residual(cam: &[f64; 11], x: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [f64; 2] {
    reprojection_error(cam, x, weight, feature)
}

/// The errors of all observations, and their derivatives.
#[smooth]
fn residuals(
    cams: &[[f64; 11]; n],
    points: &[[f64; 3]; m],
    observed: &[[usize; 2]; p],
    weights: &[f64; p],
    features: &[[f64; 2]; p],
) -> ([[f64; 2]; p], [[[f64; 11]; 2]; p], [[[f64; 3]; 2]; p], [[f64; 2]; p]) {
    let (e, by_cam, by_point, by_weight) =
        build(p, |i| residual::jacobian(&cams[observed[i][0]], &points[observed[i][1]], weights[i], &features[i]));
    (e, by_cam, by_point, by_weight)
}

/// The sum of their squares.
#[smooth(grad(cams, points, weights))]
fn squares(
    cams: &[[f64; 11]; n],
    points: &[[f64; 3]; m],
    observed: &[[usize; 2]; p],
    weights: &[f64; p],
    features: &[[f64; 2]; p],
) -> f64 {
    let (e, w) = ba_objective(cams, points, observed, weights, features);
    sum(p, |i| e[i][0] * e[i][0] + e[i][1] * e[i][1] + w[i] * w[i])
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

    /// The log likelihood of a mixture of Gaussians, with factors by rows and half the squares of these, and the derivatives of it,
    /// point by point.
    pub fn mixture(alphas: &[f64], means: &[f64], icf: &[f64], x: &[f64], [d, k]: [usize; 2]) -> (f64, [Vec<f64>; 3]) {
        let (t, n) = (icf.len() / k, x.len() / d);
        let mut all = [vec![0.0; k], vec![0.0; k * d], vec![0.0; k * t]];
        let [d_alphas, d_means, d_icf] = &mut all;
        let diagonal: Vec<f64> = (0..k * d).map(|at| icf[at / d * t + at % d].exp()).collect();
        let base: Vec<f64> = (0..k).map(|c| alphas[c] + icf[c * t..c * t + d].iter().sum::<f64>()).collect();
        let mut d_diagonal = vec![0.0; k * d];
        let (mut z, mut v, mut e) = (vec![0.0; k * d], vec![0.0; k * d], vec![0.0; k]);
        let mut value = 0.0;
        for x in x.chunks_exact(d) {
            for c in 0..k {
                let (v, z) = (&mut v[c * d..][..d], &mut z[c * d..][..d]);
                (0..d).for_each(|j| v[j] = x[j] - means[c * d + j]);
                let mut squares = 0.0;
                for r in 0..d {
                    let row = &icf[c * t + d + r * r.saturating_sub(1) / 2..][..r];
                    z[r] = diagonal[c * d + r] * v[r] + row.iter().zip(&*v).map(|(l, v)| l * v).sum::<f64>();
                    squares += z[r] * z[r];
                }
                e[c] = base[c] - 0.5 * squares;
            }
            let most = e.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            e.iter_mut().for_each(|e| *e = (*e - most).exp());
            let total: f64 = e.iter().sum();
            value += most + total.ln();
            for c in 0..k {
                let (w, v) = (e[c] / total, &v[c * d..][..d]);
                d_alphas[c] += w;
                for r in 0..d {
                    let d_z = -w * z[c * d + r];
                    let at = c * t + d + r * r.saturating_sub(1) / 2;
                    d_diagonal[c * d + r] += d_z * v[r];
                    d_means[c * d + r] -= d_z * diagonal[c * d + r];
                    for j in 0..r {
                        d_icf[at + j] += d_z * v[j];
                        d_means[c * d + j] -= d_z * icf[at + j];
                    }
                }
            }
        }
        let most = alphas.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = alphas.iter().map(|a| (a - most).exp()).sum();
        value -= n as f64 * (most + total.ln());
        for c in 0..k {
            let weight = d_alphas[c];
            d_alphas[c] -= n as f64 * (alphas[c] - most).exp() / total;
            for j in 0..t {
                if j < d {
                    let own = diagonal[c * d + j];
                    value += 0.5 * own * own;
                    d_icf[c * t + j] += weight + (d_diagonal[c * d + j] + own) * own;
                } else {
                    value += 0.5 * icf[c * t + j] * icf[c * t + j];
                    d_icf[c * t + j] += icf[c * t + j];
                }
            }
        }
        (value, all)
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

fn mixtures() {
    for (d, k) in [(2, 5), (10, 25), (32, 50)] {
        let (n, t) = (1000, d * (d + 1) / 2);
        let [alphas, means, icf, x] = [(k, 1), (k * d, 2), (k * t, 3), (n * d, 4)].map(|(n, seed)| numbers(n, seed));
        let (rows, factors, points) = (View::new(&means, [k, d]), View::new(&icf, [k, t]), View::new(&x, [n, d]));
        let (value, a, b, c) = mixture_by_rows::value_and_grad(&alphas, rows, factors, points);
        let wanted = by_hand::mixture(&alphas, &means, &icf, &x, [d, k]);
        check(&[value], &[wanted.0]);
        [&*a, b.as_slice(), c.as_slice()].iter().zip(&wanted.1).for_each(|(found, wanted)| check(found, wanted));
        let (mut d_alphas, mut d_means, mut d_icf) = (vec![0.0; k], matrix(k, d), matrix(k, t));
        let (mut arena, mut own) = (Arena::new(), Arena::new());
        row(
            &format!("mixture, d = {d}, {k} of them, by rows"),
            mixture_by_rows::value_and_grad::scratch([k], [k, d], [k, t], [n, d]),
            || _ = bb(mixture_by_rows::into(bb(&alphas), rows, factors, points, &mut arena)),
            || {
                let (a, b, c) = (&mut d_alphas, &mut d_means, &mut d_icf);
                _ = bb(mixture_by_rows::value_and_grad::into(a, b, c, bb(&alphas), rows, factors, points, &mut own));
            },
            Some(&mut || _ = bb(by_hand::mixture(bb(&alphas), &means, &icf, &x, [d, k]))),
        );
        row(
            "… by columns",
            mixture::value_and_grad::scratch([k], [k, d], [k, t], [n, d], 1),
            || _ = bb(mixture::into(bb(&alphas), rows, factors, points, 1.0, 1, 0.5, &mut arena)),
            || {
                let (a, b, c) = (&mut d_alphas, &mut d_means, &mut d_icf);
                let rest = (points, 1.0, 1, 0.5);
                _ = bb(mixture::value_and_grad::into(
                    a,
                    b,
                    c,
                    bb(&alphas),
                    rows,
                    factors,
                    rest.0,
                    rest.1,
                    rest.2,
                    rest.3,
                    &mut own,
                ));
            },
            None,
        );
    }
}

fn adjustment() {
    let (n, m, p) = (49, 7_776, 31_843);
    let arrays = |count: usize, seed| numbers(count, seed);
    let cams: Vec<[f64; 11]> = arrays(11 * n, 1).chunks_exact(11).map(|c| c.try_into().unwrap()).collect();
    let points: Vec<[f64; 3]> = arrays(3 * m, 2).chunks_exact(3).map(|x| [x[0], x[1], x[2] + 5.0]).collect();
    let observed: Vec<[usize; 2]> = (0..p).map(|i| [i * 7 % n, i * 13 % m]).collect();
    let (weights, features) = (arrays(p, 3), vec![[0.25, -0.5]; p]);
    let (mut e, mut e_w) = (vec![[0.0; 2]; p], vec![0.0; p]);
    let (mut by_cam, mut by_point, mut by_weight) =
        (vec![[[0.0; 11]; 2]; p], vec![[[0.0; 3]; 2]; p], vec![[0.0; 2]; p]);
    let (mut arena, mut own) = (Arena::new(), Arena::new());
    let mut f = vec![[0.0; 2]; p];
    row(
        "bundle adjustment, 31 843 Jacobians",
        0,
        || ba_objective::into(&mut e, &mut e_w, bb(&cams), &points, &observed, &weights, &features, &mut arena),
        || {
            let (a, b, c) = (&mut by_cam, &mut by_point, &mut by_weight);
            residuals::into(&mut f, a, b, c, bb(&cams), &points, &observed, &weights, &features, &mut own);
            bb((a, b, c));
        },
        None,
    );
    let (mut d_cams, mut d_points, mut d_weights) = (vec![[0.0; 11]; n], vec![[0.0; 3]; m], vec![0.0; p]);
    let (mut arena, mut own) = (Arena::new(), Arena::new());
    row(
        "… the gradient of its squares",
        squares::value_and_grad::scratch([n, 11], [m, 3], [p, 2], [p], [p, 2]),
        || _ = bb(squares::into(bb(&cams), &points, &observed, &weights, &features, &mut arena)),
        || {
            let (a, b, c) = (&mut d_cams, &mut d_points, &mut d_weights);
            let value =
                squares::value_and_grad::into(a, b, c, bb(&cams), &points, &observed, &weights, &features, &mut own);
            bb(value);
        },
        None,
    );
}

fn main() {
    println!("| | value | value and derivative | ratio | bytes | by hand |\n|---|---:|---:|---:|---:|---:|");
    products();
    convolutions();
    learning();
    mixtures();
    adjustment();
}
