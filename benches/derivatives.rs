//! Derivatives against what they are derivatives of, and against the same by hand, by dual numbers and by differences.
//! `cargo bench --bench derivatives`; results in `benches/README.md`. Words after `--` select rows.
//!
//! All derivatives are compared before they are timed.

#[path = "derivatives/by_hand.rs"]
mod by_hand;
#[path = "derivatives/duals.rs"]
mod duals;
mod inputs;
mod timing;

use inputs::numbers;
use smooth::prelude::*;
use smooth::{Array, View};
use smooth_workloads::ba::Problem;
use smooth_workloads::kernels::ba::{ba_objective, reprojection_error};
use smooth_workloads::kernels::gmm::{gmm_adbench, gmm_reduced};
use smooth_workloads::project::project;
use std::hint::black_box as bb;
use std::time::Duration;
use timing::{Timed, fastest, text, timed, wanted};

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

/// A camera's projection of a point.
#[smooth(jacobian(cam, x))]
fn projection(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    project(cam, x)
}

/// The same, with a Jacobian by columns.
#[smooth(jacobian(cam, x, forward))]
fn projection_forward(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    project(cam, x)
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

fn matrix(n: usize, k: usize) -> Array<f64, 2> {
    Array::from_vec(vec![0.0; n * k], [n, k])
}

fn check(found: &[f64], wanted: &[f64]) {
    check_within(1e-9, found, wanted);
}

fn check_within(error: f64, found: &[f64], wanted: &[f64]) {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= error * (1.0 + b.abs());
    assert!(found.len() == wanted.len() && found.iter().zip(wanted).all(near), "two derivatives differ");
}

/// Central differences of `f` in each number of `x`, two values for each. Those of the first number of the value come first.
fn differences<const M: usize>(x: &[f64], out: &mut [f64], mut f: impl FnMut(&[f64]) -> [f64; M]) {
    let (mut x, unit) = (x.to_vec(), f64::EPSILON.cbrt());
    for j in 0..x.len() {
        let (at, step) = (x[j], unit * x[j].abs().max(1.0));
        let mut value = |to| {
            x[j] = to;
            f(&x)
        };
        let (above, below) = (value(at + step), value(at - step));
        x[j] = at;
        (0..M).for_each(|i| out[i * x.len() + j] = (above[i] - below[i]) / (2.0 * step));
    }
}

/// A row of the table.
struct Row<'a> {
    name: &'a str,
    bytes: usize,
    /// Value, value and derivative, and both by hand.
    all: Vec<Timed<'a>>,
    num_dual: Option<f64>,
    differences: Option<f64>,
}

impl<'a> Row<'a> {
    fn new(name: &'a str, bytes: usize, value: impl FnMut() + 'a, both: impl FnMut() + 'a) -> Self {
        Row { name, bytes, all: vec![timed(value), timed(both)], num_dual: None, differences: None }
    }

    fn by_hand(mut self, hand: impl FnMut() + 'a) -> Self {
        self.all.push(timed(hand));
        self
    }

    /// By dual numbers, which have to find this derivative.
    fn num_dual(mut self, derivative: &[f64], find: impl FnMut(&mut [f64])) -> Self {
        self.num_dual = self.alone(1e-9, derivative, find);
        self
    }

    /// By differences, which have to find this derivative, but for their errors.
    fn differences(mut self, derivative: &[f64], find: impl FnMut(&mut [f64])) -> Self {
        self.differences = self.alone(1e-5, derivative, find);
        self
    }

    /// The time of what may take a thousand times as long as the kernel, and would leave it few turns.
    fn alone(&self, error: f64, derivative: &[f64], mut find: impl FnMut(&mut [f64])) -> Option<f64> {
        if !wanted(self.name) {
            return None;
        }
        let mut out = vec![0.0; derivative.len()];
        find(&mut out);
        check_within(error, &out, derivative);
        Some(fastest(&mut [timed(|| find(bb(&mut out)))], Duration::from_millis(300))[0])
    }

    fn print(mut self) {
        if !wanted(self.name) {
            return;
        }
        let times = fastest(&mut self.all, Duration::from_millis(700));
        let others = [times.get(2).copied(), self.num_dual, self.differences];
        let others = others.map(|time| time.map_or(String::new(), |time| format!(" {}", text(time)))).join(" |");
        let (value, both, ratio) = (text(times[0]), text(times[1]), times[1] / times[0]);
        println!("| {} | {value} | {both} | {ratio:.2} | {} |{others} |", self.name, self.bytes);
    }
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
    Row::new(
        "product, 128 rows",
        product::vjp::scratch(shape, shape, shape),
        || product::into(&mut c, bb(va), vb, &mut arena),
        || product::vjp::into(&mut e, &mut d_a, &mut d_b, bb(va), vb, vd, &mut own),
    )
    .by_hand(|| drop(bb(by_hand::product(bb(&a), &b, &d, [n, n, n]))))
    .print();
    Row::new(
        "product by loops",
        product_by_loops::vjp::scratch(shape, shape, shape),
        || product_by_loops::into(&mut c, bb(va), vb, &mut arena),
        || product_by_loops::vjp::into(&mut e, &mut d_a, &mut d_b, bb(va), vb, vd, &mut own),
    )
    .print();
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
    Row::new(
        "convolution, 10 000 by 31",
        convolution::vjp::scratch([n], [k], [m]),
        || convolution::into(&mut c, bb(&x), &w, &mut arena),
        || convolution::vjp::into(&mut e, &mut d_x, &mut d_w, bb(&x), &w, &d, &mut own),
    )
    .by_hand(|| drop(bb(by_hand::convolution(bb(&x), &w, &d))))
    .print();
}

fn regression() {
    let (mut arena, mut own) = (Arena::new(), Arena::new());
    let (n, d, c) = (500, 32, 10);
    let (x, w) = (numbers(n * d, 1), numbers(c * d, 2));
    let label: Vec<usize> = (0..n).map(|i| i * 7 % c).collect();
    let (rows, weights) = (View::new(&x, [n, d]), View::new(&w, [c, d]));
    let (value, derivative) = softmax::value_and_grad(weights, rows, &label);
    let wanted = by_hand::softmax(&w, &x, &label);
    check(&[value], &[wanted.0]);
    check(derivative.as_slice(), &wanted.1);
    let mut d_w = matrix(c, d);
    Row::new(
        "softmax, 500 × 32, 10 classes",
        softmax::value_and_grad::scratch([c, d], [n, d], [n]),
        || _ = bb(softmax::into(bb(weights), rows, &label, &mut arena)),
        || _ = bb(softmax::value_and_grad::into(&mut d_w, bb(weights), rows, &label, &mut own)),
    )
    .by_hand(|| drop(bb(by_hand::softmax(bb(&w), &x, &label))))
    .num_dual(derivative.as_slice(), |out| duals::softmax(bb(&w), &x, &label, out))
    .differences(derivative.as_slice(), |out| {
        let mut arena = Arena::new();
        differences(&w, out, |w| [softmax::into(View::new(w, [c, d]), rows, &label, &mut arena)]);
    })
    .print();

    let (n, k) = (1000, 32);
    let (x, a, y) = (numbers(n * k, 1), numbers(k, 2), numbers(n, 3));
    let rows = View::new(&x, [n, k]);
    let (value, derivative) = least_squares::value_and_grad(&a, rows, &y);
    let wanted = by_hand::least_squares(&a, &x, &y);
    check(&[value], &[wanted.0]);
    check(&derivative, &wanted.1);
    let mut d_a = vec![0.0; k];
    Row::new(
        "least squares, 1000 × 32",
        least_squares::value_and_grad::scratch([k], [n, k], [n]),
        || _ = bb(least_squares::into(bb(&a), rows, &y, &mut arena)),
        || _ = bb(least_squares::value_and_grad::into(&mut d_a, bb(&a), rows, &y, &mut own)),
    )
    .by_hand(|| drop(bb(by_hand::least_squares(bb(&a), &x, &y))))
    .num_dual(&derivative, |out| duals::least_squares(bb(&a), &x, &y, out))
    .differences(&derivative, |out| {
        let mut arena = Arena::new();
        differences(&a, out, |a| [least_squares::into(a, rows, &y, &mut arena)]);
    })
    .print();
}

fn perceptrons() {
    let (n, p, h, o) = (256, 64, 128, 10);
    let [w, v, x, y] = [(h * p, 2), (o * h, 3), (n * p, 1), (n * o, 4)].map(|(n, seed)| numbers(n, seed));
    let by_hand = |w| by_hand::perceptron([w, &v, &x, &y], [p, h, o]);
    let wanted = by_hand(&w);
    let (x, w, v, y) = (View::new(&x, [n, p]), View::new(&w, [h, p]), View::new(&v, [o, h]), View::new(&y, [n, o]));
    let (value, d_w, d_v) = perceptron::value_and_grad(w, v, x, y);
    check(&[value], &[wanted.0]);
    [d_w, d_v].iter().zip(&wanted.1).for_each(|(found, wanted)| check(found.as_slice(), wanted));
    let (mut d_w, mut d_v) = (matrix(h, p), matrix(o, h));
    let (mut arena, mut own) = (Arena::new(), Arena::new());
    Row::new(
        "perceptron, 256 × 64-128-10",
        perceptron::value_and_grad::scratch([h, p], [o, h], [n, p], [n, o]),
        || _ = bb(perceptron::into(bb(w), v, x, y, &mut arena)),
        || _ = bb(perceptron::value_and_grad::into(&mut d_w, &mut d_v, bb(w), v, x, y, &mut own)),
    )
    .by_hand(|| drop(bb(by_hand(bb(w.as_slice())))))
    .print();
}

fn mixtures() {
    for (d, k) in [(2, 5), (10, 25), (32, 50)] {
        let (n, t) = (1000, d * (d + 1) / 2);
        let [alphas, means, icf, x] = [(k, 1), (k * d, 2), (k * t, 3), (n * d, 4)].map(|(n, seed)| numbers(n, seed));
        let (rows, factors, points) = (View::new(&means, [k, d]), View::new(&icf, [k, t]), View::new(&x, [n, d]));
        let (value, a, b, c) = mixture_by_rows::value_and_grad(&alphas, rows, factors, points);
        let derivative = [&*a, b.as_slice(), c.as_slice()].concat();
        let wanted = by_hand::mixture(&alphas, &means, &icf, &x, [d, k]);
        check(&[value], &[wanted.0]);
        check(&derivative, &wanted.1.concat());
        let (mut d_alphas, mut d_means, mut d_icf) = (vec![0.0; k], matrix(k, d), matrix(k, t));
        let (mut arena, mut own) = (Arena::new(), Arena::new());
        let name = format!("mixture, d = {d}, {k} of them, by rows");
        let row = Row::new(
            &name,
            mixture_by_rows::value_and_grad::scratch([k], [k, d], [k, t], [n, d]),
            || _ = bb(mixture_by_rows::into(bb(&alphas), rows, factors, points, &mut arena)),
            || {
                let (a, b, c) = (&mut d_alphas, &mut d_means, &mut d_icf);
                _ = bb(mixture_by_rows::value_and_grad::into(a, b, c, bb(&alphas), rows, factors, points, &mut own));
            },
        )
        .by_hand(|| _ = bb(by_hand::mixture(bb(&alphas), &means, &icf, &x, [d, k])));
        let all = [&*alphas, &means, &icf].concat();
        let by_differences = |out: &mut [f64]| {
            let mut arena = Arena::new();
            differences(&all, out, |all| {
                let (alphas, rest) = all.split_at(k);
                let (means, icf) = rest.split_at(k * d);
                let (rows, factors) = (View::new(means, [k, d]), View::new(icf, [k, t]));
                [mixture_by_rows::into(alphas, rows, factors, points, &mut arena)]
            });
        };
        let by_duals = |out: &mut [f64]| duals::mixture(bb(&all), &x, [d, k], out);
        // Of the largest one these take minutes.
        if d < 32 {
            row.num_dual(&derivative, by_duals).differences(&derivative, by_differences).print();
        } else {
            row.print();
        }
        Row::new(
            "… by columns",
            mixture::value_and_grad::scratch([k], [k, d], [k, t], [n, d], 1),
            || _ = bb(mixture::into(bb(&alphas), rows, factors, points, 1.0, 1, 0.5, &mut arena)),
            || {
                let (a, b, c, all) = (&mut d_alphas, &mut d_means, &mut d_icf, bb(&alphas));
                _ = bb(mixture::value_and_grad::into(a, b, c, all, rows, factors, points, 1.0, 1, 0.5, &mut own));
            },
        )
        .print();
    }
}

fn projections() {
    let cam = [0.1, 0.1, 0.1, 0.2, 0.1, 0.3, 1.2, 0.01, 0.03, 0.009, 1.2e-4];
    let x = [0.03, 0.11, -0.7];
    let all: [f64; 14] = [&cam[..], &x].concat().try_into().expect("fourteen numbers");
    let flat = |by_cam: [[f64; 11]; 2], by_x: [[f64; 3]; 2]| [&by_cam[0][..], &by_x[0], &by_cam[1], &by_x[1]].concat();
    let (out, by_cam, by_x) = projection::jacobian(&cam, &x);
    let derivative = flat(by_cam, by_x);
    let wanted = by_hand::project(&cam, &x);
    check(&out, &wanted.0);
    check(&derivative, wanted.1.as_flattened());
    let (_, by_cam, by_x) = projection_forward::jacobian(&cam, &x);
    check(&flat(by_cam, by_x), &derivative);
    let value = || _ = bb(&projection(bb(&cam), bb(&x)));
    Row::new("project, a Jacobian of 2 × 14, by rows", 0, value, || _ = bb(&projection::jacobian(bb(&cam), bb(&x))))
        .by_hand(|| _ = bb(&by_hand::project(bb(&cam), bb(&x))))
        .num_dual(&derivative, |out| duals::projection(bb(&all), out))
        .differences(&derivative, |out| {
            differences(bb(&all), out, |all| projection(all.first_chunk().unwrap(), all.last_chunk().unwrap()));
        })
        .print();
    Row::new("… by columns", 0, value, || _ = bb(&projection_forward::jacobian(bb(&cam), bb(&x)))).print();
}

fn adjustment() {
    let (n, m, p) = (49, 7_776, 31_843);
    let problem = Problem {
        cameras: numbers(11 * n, 1).as_chunks().0.to_vec(),
        points: numbers(3 * m, 2).as_chunks().0.iter().map(|[x, y, z]| [*x, *y, z + 5.0]).collect(),
        observations: (0..p).map(|i| [i * 7 % n, i * 13 % m]).collect(),
        weights: numbers(p, 3),
        features: vec![[0.25, -0.5]; p],
    };
    let Problem { cameras, points, observations, weights, features } = &problem;
    let (_, by_cam, by_point, by_weight) = residuals(cameras, points, observations, weights, features);
    let row = |at: usize| {
        let (i, r) = (at / 2, at % 2);
        [&by_cam[i][r][..], &by_point[i][r], &[by_weight[i][r]]].concat()
    };
    let derivative: Vec<f64> = (0..2 * p).flat_map(row).collect();
    let mut blocks: Vec<_> = (0..p).map(|i| by_hand::residual(&problem, i)).collect();
    blocks.iter().zip(derivative.chunks_exact(30)).for_each(|((_, rows), d)| check(rows.as_flattened(), d));
    let (mut e, mut e_w, mut f) = (vec![[0.0; 2]; p], vec![0.0; p], vec![[0.0; 2]; p]);
    let (mut by_cam, mut by_point, mut by_weight) =
        (vec![[[0.0; 11]; 2]; p], vec![[[0.0; 3]; 2]; p], vec![[0.0; 2]; p]);
    let (mut arena, mut own) = (Arena::new(), Arena::new());
    Row::new(
        "bundle adjustment, 31 843 Jacobians of 2 × 15",
        0,
        || ba_objective::into(&mut e, &mut e_w, bb(cameras), points, observations, weights, features, &mut arena),
        || {
            let (a, b, c) = (&mut by_cam, &mut by_point, &mut by_weight);
            residuals::into(&mut f, a, b, c, bb(cameras), points, observations, weights, features, &mut own);
            bb((a, b, c));
        },
    )
    .by_hand(|| {
        let all = bb(&problem);
        blocks.iter_mut().enumerate().for_each(|(i, block)| *block = by_hand::residual(all, i));
        bb(&mut blocks);
    })
    .num_dual(&derivative, |out| {
        out.chunks_exact_mut(30).enumerate().for_each(|(i, out)| duals::residual(bb(&problem), i, out));
    })
    .differences(&derivative, |out| {
        for (i, out) in out.chunks_exact_mut(30).enumerate() {
            let [camera, point] = observations[i];
            let all = [&cameras[camera][..], &points[point], &[weights[i]]].concat();
            let at = |all: &[f64]| {
                residual(all.first_chunk().unwrap(), all[11..].first_chunk().unwrap(), all[14], &features[i])
            };
            differences(&all, out, at);
        }
    })
    .print();

    let (value, d_cams, d_points, d_weights) =
        squares::value_and_grad(cameras, points, observations, weights, features);
    let wanted = by_hand::squares(&problem);
    check(&[value], &[wanted.0]);
    [d_cams.as_flattened(), d_points.as_flattened(), &d_weights].iter().zip(&wanted.1).for_each(|(a, b)| check(a, b));
    let (mut d_cams, mut d_points, mut d_weights) = (vec![[0.0; 11]; n], vec![[0.0; 3]; m], vec![0.0; p]);
    let (mut arena, mut own) = (Arena::new(), Arena::new());
    Row::new(
        "… the gradient of its squares",
        squares::value_and_grad::scratch([n, 11], [m, 3], [p, 2], [p], [p, 2]),
        || _ = bb(squares::into(bb(cameras), points, observations, weights, features, &mut arena)),
        || {
            let (a, b, c) = (&mut d_cams, &mut d_points, &mut d_weights);
            let value =
                squares::value_and_grad::into(a, b, c, bb(cameras), points, observations, weights, features, &mut own);
            bb(value);
        },
    )
    .by_hand(|| drop(bb(by_hand::squares(bb(&problem)))))
    .print();
}

fn main() {
    println!("| | value | value and derivative | ratio | bytes | by hand | num-dual | differences |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    products();
    convolutions();
    regression();
    perceptrons();
    mixtures();
    projections();
    adjustment();
}
