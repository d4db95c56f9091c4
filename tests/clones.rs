//! The instances of a kernel have the same bits, whichever the CPU chooses: every element, for sizes around those of vectors.

use smooth::__private::limit_instances;
use smooth::prelude::*;
use smooth::{linalg, scan};
use smooth_workloads::{data, gmm::Problem, kernels::gmm::gmm_reduced};

#[smooth]
fn add3(x: &[f64; n], y: &[f64; n], z: &[f64; n]) -> [f64; n] {
    build(n, |i| x[i] + y[i] + z[i])
}

#[smooth]
fn total(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i])
}

#[smooth(float = "strict")]
fn total_in_order(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i])
}

#[smooth]
fn norm_of_sum(x: &[f64; n], y: &[f64; n]) -> f64 {
    sum(n, |i| (x[i] + y[i]) * (x[i] + y[i])).sqrt()
}

#[smooth]
fn extremes(x: &[f64; n]) -> (f64, f64, f64) {
    (min(n, |i| x[i]), max(n, |i| x[i] * x[i]), reduce(n, 0.0, |a, b| a * 0.5 + b, |i| x[i]))
}

/// A product in a sum is not contracted; `mul_add` is one rounding.
#[smooth]
fn rounded(x: &[f64; n], y: &[f64; n], z: &[f64; n]) -> ([f64; n], [f64; n]) {
    (build(n, |i| x[i] * y[i] + z[i]), build(n, |i| x[i].mul_add(y[i], z[i])))
}

#[smooth]
fn single(x: &[f32; n], y: &[f32; n]) -> (f32, [f32; n]) {
    (sum(n, |i| x[i] * y[i]), build(n, |i| (x[i] / y[i]).sqrt().mul_add(x[i], y[i])))
}

#[smooth]
fn any_type<T: Real>(x: &[T; n], y: &[T; n]) -> [T; n] {
    let d = sum(n, |i| x[i] * y[i]);
    build(n, |i| d * x[i] - y[i])
}

#[smooth]
fn any_function(x: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] {
    build(n, |i| f(x[i]) + x[i])
}

#[smooth]
fn chosen(x: &[f64; n], at: &[i32; n]) -> [f64; n] {
    build(n, |i| if at[i] > 3 { x[i] } else { (x[i] * x[i] + 1.0).recip() })
}

#[smooth]
fn exponentials(x: &[f64; n]) -> [f64; n] {
    let most = max(n, |i| x[i]);
    let all = sum(n, |i| (x[i] - most).exp());
    build(n, |i| (x[i] - most).exp() / all)
}

#[smooth]
fn whole_numbers(x: &[i32; n], y: &[i32; n]) -> (i32, [i32; n]) {
    (sum(n, |i| x[i] * y[i]), build(n, |i| x[i].max(y[i]) * 3 - (x[i] >> 1)))
}

#[smooth]
fn axpy(a: f64, x: &[f64; n], y: &mut [f64; n]) -> f64 {
    for i in 0..n {
        y[i] += a * x[i];
    }
    y[n - 1]
}

#[smooth]
fn heat(plate: &[[f64; m]; n], steps: usize) -> [[f64; m]; n] {
    ifold(steps, plate.clone(), |t, _| {
        build([n, m], |i, j| {
            let (up, down) = (t[i.saturating_sub(1)][j], t[(i + 1).min(n - 1)][j]);
            let (left, right) = (t[i][j.saturating_sub(1)], t[i][(j + 1).min(m - 1)]);
            t[i][j] + 0.2 * (up + down + left + right - 4.0 * t[i][j])
        })
    })
}

#[smooth]
fn paths(wall: &[[i32; m]; n]) -> [i32; m] {
    ifold(n - 1, wall[0].clone(), |cost, i| {
        build(m, |j| {
            let left = if j > 0 { cost[j - 1] } else { cost[j] };
            let right = if j + 1 < m { cost[j + 1] } else { cost[j] };
            wall[i + 1][j] + cost[j].min(left).min(right)
        })
    })
}

#[smooth]
fn perceptron(x: &[[f64; d]; n], w: &[[f64; d]; h], b: &[f64; h]) -> [[f64; h]; n] {
    build([n, h], |i, j| (b[j] + sum(d, |k| x[i][k] * w[j][k])).max(0.0))
}

#[smooth]
fn mandelbrot(width: usize, height: usize, limit: usize) -> [[u32; width]; height] {
    build([height, width], |i, j| {
        let cx = j as f64 / width as f64 * 3.0 - 2.0;
        let cy = i as f64 / height as f64 * 2.0 - 1.0;
        let (_, _, steps) = ifold(limit, (0.0, 0.0, 0), |(x, y, steps), _| {
            if x * x + y * y <= 4.0 { (x * x - y * y + cx, 2.0 * x * y + cy, steps + 1) } else { (x, y, steps) }
        });
        steps
    })
}

/// Two states that nothing reads after the loop, and a count.
#[smooth]
fn escapes(c: &[f64; n], limit: u32) -> [u32; n] {
    build(n, |i| {
        let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
        while steps < limit && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + c[i], 2.0 * x * y + 0.3);
            steps += 1;
        }
        steps
    })
}

fn escapes_in_rust(c: &[f64], limit: u32) -> Vec<u32> {
    let steps = |c: &f64| {
        let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
        while steps < limit && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + c, 2.0 * x * y + 0.3);
            steps += 1;
        }
        steps
    };
    c.iter().map(steps).collect()
}

/// A flag, and states that are read after the loop.
#[smooth]
fn halved(c: &[f32; n]) -> ([f32; n], [f32; n]) {
    build(n, |i| {
        let (mut lo, mut hi) = (0.0, c[i]);
        while hi - lo > 1e-3 {
            let mid = 0.5 * (lo + hi);
            if mid * mid == 0.25 {
                break;
            }
            if mid * mid < 0.3 {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        (lo, hi)
    })
}

fn halved_in_rust(c: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let ends = |c: &f32| {
        let (mut lo, mut hi) = (0.0f32, *c);
        while hi - lo > 1e-3 {
            let mid = 0.5 * (lo + hi);
            if mid * mid == 0.25 {
                break;
            }
            if mid * mid < 0.3 {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        (lo, hi)
    };
    c.iter().map(ends).unzip()
}

/// Has the size in its type.
#[smooth]
fn product<const N: usize>(a: &[[f64; N]; N], b: &[[f64; N]; N]) -> [[f64; N]; N] {
    linalg::matrix_mul(a, b)
}

/// Numbers without a pattern, none of them 0.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 + 0.01
    };
    (0..n).map(|_| next()).collect()
}

/// Bits of results.
#[derive(Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn all(&mut self, xs: &[f64]) {
        self.0.extend(xs.iter().map(|x| x.to_bits()));
    }

    fn all_single(&mut self, xs: &[f32]) {
        self.0.extend(xs.iter().map(|x| u64::from(x.to_bits())));
    }

    fn all_whole(&mut self, xs: &[i32]) {
        self.0.extend(xs.iter().map(|x| u64::from(x.cast_unsigned())));
    }
}

fn on_vectors(n: usize, out: &mut Bits) {
    let [x, y, z] = [1, 2, 3].map(|seed| numbers(n, seed));
    let [xs, ys]: [Vec<f32>; 2] = [&x, &y].map(|v| v.iter().map(|x| *x as f32).collect());
    let [xi, yi]: [Vec<i32>; 2] = [&x, &y].map(|v| v.iter().map(|x| (*x * 9.0) as i32).collect());
    out.all(&add3(&x, &y, &z));
    out.all(&[total(&x), total_in_order(&x), norm_of_sum(&x, &y)]);
    let (least, most, blend) = extremes(&x);
    out.all(&[least, most, blend]);
    let (apart, once) = rounded(&x, &y, &z);
    assert!(once.iter().zip(&x).zip(&y).zip(&z).all(|(((r, x), y), z)| r.to_bits() == x.mul_add(*y, *z).to_bits()));
    assert!(apart.iter().zip(&x).zip(&y).zip(&z).all(|(((r, x), y), z)| r.to_bits() == (x * y + z).to_bits()));
    out.all(&apart);
    out.all(&once);
    let (dot, roots) = single(&xs, &ys);
    out.all_single(&[dot]);
    out.all_single(&roots);
    out.all(&any_type(&x, &y));
    out.all_single(&any_type(&xs, &ys));
    out.all(&any_function(&x, |x| x * 1.5 - x * x));
    out.all(&chosen(&x, &xi));
    out.all(&exponentials(&x));
    let (dot, mixed) = whole_numbers(&xi, &yi);
    out.all_whole(&[dot]);
    out.all_whole(&mixed);
    let mut changed = y;
    out.all(&[axpy(0.3, &x, &mut changed)]);
    out.all(&changed);
    out.all(&scan::cumsum(&x));
}

fn on_matrices(n: usize, m: usize, out: &mut Bits) {
    let (a, b, c) = (numbers(n * m, 4), numbers(n * m, 5), numbers(n, 6));
    let (flat, square) = (View::new(&a, [n, m]), View::new(&b, [m, n]));
    out.all(heat(flat, 5).as_slice());
    out.all(heat(flat, 6).as_slice());
    let wall: Vec<i32> = a.iter().map(|x| (*x * 10.0) as i32).collect();
    out.all_whole(&paths(View::new(&wall, [n, m])));
    out.all(linalg::matrix_mul(flat, square).as_slice());
    out.all(perceptron(flat, flat, &c).as_slice());
    out.0.extend(mandelbrot(m, n, 40).as_slice().iter().map(|k| u64::from(*k)));
}

/// Kernels whose derivatives have tiles, cut ranges, strips and merged sums.
#[smooth(vjp, jvp)]
fn product_of(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}

#[smooth(vjp)]
fn convolution(x: &[f64; n], w: &[f64; k]) -> [f64; n - k + 1] {
    build(n - k + 1, |i| sum(k, |j| x[i + j] * w[j]))
}

#[smooth(grad(alphas, means, icf))]
fn mixture_of(alphas: &[f64; k], means: &[[f64; d]; k], icf: &[[f64; t]; k], x: &[[f64; d]; n]) -> f64 {
    gmm_reduced(alphas, means, icf, x)
}

#[smooth(grad(a, b))]
fn fit(a: f64, b: f64, x: &[f64; n], y: &[f64; n]) -> f64 {
    sum(n, |i| ((a * x[i]).exp() * b - y[i]).powi(2))
}

#[smooth(grad)]
fn pulls(x: &[[f64; 2]; n]) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..n {
            if i != j {
                s += 1.0 / ((x[i][0] - x[j][0]).powi(2) + (x[i][1] - x[j][1]).powi(2)).sqrt();
            }
        }
    }
    s
}

fn on_derivatives(n: usize, m: usize, out: &mut Bits) {
    let (a, b, c) = (numbers(n * m, 7), numbers(n * m, 8), numbers(n * n, 9));
    let (flat, square) = (View::new(&a, [n, m]), View::new(&b, [m, n]));
    let (value, d_a, d_b) = product_of::vjp(flat, square, View::new(&c, [n, n]));
    [value, d_a, d_b].iter().for_each(|d| out.all(d.as_slice()));
    let (value, change) = product_of::jvp(flat, square, flat, square);
    [value, change].iter().for_each(|d| out.all(d.as_slice()));
    let (value, d_x, d_w) = convolution::vjp(&a, &b[..m], &numbers(n * m - m + 1, 10));
    [value, d_x, d_w].iter().for_each(|d| out.all(d));
    let (value, d_a, d_b) = fit::value_and_grad(0.3, 0.7, &a, &b);
    out.all(&[value, d_a, d_b]);
    let points: Vec<[f64; 2]> = numbers(2 * n * m, 11).chunks(2).map(|x| [x[0], x[1]]).collect();
    out.all(pulls::grad(&points).as_flattened());
}

/// The objective of a Gaussian mixture, and its gradient.
fn mixture(out: &mut Bits) {
    let p = Problem::read(&data("gmm/1k/gmm_d2_K5.txt")).expect("the file is part of the tree");
    out.all(&[gmm_reduced(&p.alphas, &p.means, &p.icf, &p.points)]);
    let (value, d_alphas, d_means, d_icf) = mixture_of::value_and_grad(&p.alphas, &p.means, &p.icf, &p.points);
    [&[value][..], &d_alphas, d_means.as_slice(), d_icf.as_slice()].iter().for_each(|d| out.all(d));
}

fn everything() -> Vec<u64> {
    let mut out = Bits::default();
    for n in [1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 257, 1000] {
        on_vectors(n, &mut out);
    }
    for (n, m) in [(1, 1), (2, 3), (3, 2), (5, 16), (17, 9), (33, 34), (4, 130)] {
        on_matrices(n, m, &mut out);
        on_derivatives(n, m, &mut out);
    }
    let a: [[f64; 20]; 20] = std::array::from_fn(|i| numbers(20, i as u64).try_into().unwrap());
    let small = [[1.5, 0.1, 0.7], [0.3, 1.1, 0.2], [0.9, 0.4, 1.3]];
    out.all(product(&a, &a).as_flattened());
    out.all(product(&small, &small).as_flattened());
    mixture(&mut out);
    out.0
}

fn loops_that_end_early() {
    for n in [1, 31, 32, 100, 257] {
        let c: Vec<f64> = (0..n).map(|i| (i * 37 % 101) as f64 / 40.0 - 2.0).collect();
        for limit in [0, 1, 7, 8, 100] {
            assert_eq!(escapes(&c, limit), escapes_in_rust(&c, limit), "{n} points, {limit} steps");
        }
        let c: Vec<f32> = c.iter().map(|x| *x as f32).collect();
        assert_eq!(halved(&c), halved_in_rust(&c), "{n} intervals");
    }
}

#[test]
fn instances_have_the_same_bits() {
    let best = limit_instances(u8::MAX);
    println!("the CPU has instance {best} of 3");
    let want = everything();
    for level in 1..best {
        assert_eq!(limit_instances(level), level);
        loops_that_end_early();
        let got = everything();
        let first = got.iter().zip(&want).position(|(a, b)| a != b);
        assert_eq!((got.len(), first), (want.len(), None), "instance {level} differs from {best}");
    }
    assert_eq!(limit_instances(0), 1);
    assert_eq!(limit_instances(u8::MAX), best);
}
