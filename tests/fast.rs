//! Fast kernels: near their references in every instance, and with the bits of portable ones where the CPU has no instruction
//! that contracts.

use smooth::__private::limit_instances;
use smooth::prelude::*;
use std::sync::Mutex;

/// The instances are the same for all threads.
static INSTANCES: Mutex<()> = Mutex::new(());

#[smooth(float = "fast")]
fn dot(x: &[f64; n], y: &[f64; n]) -> f64 {
    sum(n, |i| x[i] * y[i])
}

#[smooth(float = "fast")]
fn dot_of_any<T: Real>(x: &[T; n], y: &[T; n]) -> T {
    sum(n, |i| x[i] * y[i])
}

#[smooth(float = "fast")]
fn moments(x: &[f64; n], y: &[f64; n]) -> (f64, f64) {
    sum(n, |i| (x[i] * y[i], x[i]))
}

#[smooth(float = "fast")]
fn axpy(a: f64, x: &[f64; n], y: &[f64; n]) -> [f64; n] {
    build(n, |i| a * x[i] + y[i])
}

#[smooth(float = "fast")]
fn residual(x: &[f64; n], y: &[f64; n]) -> [f64; n] {
    build(n, |i| 1.0 - x[i] * y[i])
}

#[smooth(float = "fast")]
fn horner(x: &[f64; n], c: &[f64; m]) -> [f64; n] {
    build(n, |i| ifold(m, 0.0, |y, k| y * x[i] + c[k]))
}

#[smooth(float = "fast")]
fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}

#[smooth(float = "fast")]
fn of_four(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    build([4, 4], |i, j| sum(4, |l| a[i][l] * b[l][j]))
}

#[smooth(float = "fast")]
fn single(x: &[f32; n], y: &[f32; n]) -> ([f32; n], f32) {
    (build(n, |i| x[i] * y[i] - y[i]), sum(n, |i| x[i] * x[i] + y[i]))
}

#[smooth(float = "fast")]
fn shares(x: &[f64; n]) -> [f64; n] {
    let all = sum(n, |i| x[i].exp());
    build(n, |i| x[i].exp() / all + x[i] / 3.0)
}

#[smooth(float = "fast")]
fn length_by_hand(x: &[f64; n]) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i] * x[i];
    }
    s.sqrt()
}

/// Every elementary function, of numbers that it takes in an inner loop.
#[smooth(float = "fast")]
fn functions(x: &[f64; n]) -> [[f64; 23]; n] {
    build(n, |i| {
        let x = x[i];
        [
            x.exp(),
            x.exp2(),
            x.exp_m1(),
            x.ln(),
            x.ln_1p(),
            x.log2(),
            x.log10(),
            x.sin(),
            x.cos(),
            x.tan(),
            x.asin(),
            x.acos(),
            x.atan(),
            x.sinh(),
            x.cosh(),
            x.tanh(),
            x.asinh(),
            x.acosh(),
            x.atanh(),
            x.cbrt(),
            x.atan2(0.7),
            x.powf(1.3),
            x.hypot(0.3),
        ]
    })
}

#[smooth(float = "fast")]
fn turned(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i].sin() * x[i].cos() + x[i].tan())
}

#[smooth(float = "fast")]
fn of_singles(x: &[f32; n]) -> [f32; n] {
    build(n, |i| x[i].exp() + x[i].sin() * x[i].ln_1p())
}

/// Two numbers whose sum is that of `x`: any other rounding loses the second one.
#[smooth(float = "strict")]
fn compensated(x: &[f64; n]) -> (f64, f64) {
    ifold(n, (0.0, 0.0), |(s, lost), i| {
        let y = x[i] - lost;
        let t = s + y;
        (t, (t - s) - y)
    })
}

#[smooth(float = "fast")]
fn calls_compensated(x: &[f64; n]) -> f64 {
    let (s, lost) = compensated(x);
    s - lost * 2.0
}

/// Fast text in a portable kernel is portable.
#[smooth]
fn portable_around_fast(x: &[f64; n], y: &[f64; n]) -> f64 {
    dot(x, y)
}

fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 + 0.01
    };
    (0..n).map(|_| next()).collect()
}

fn plain(n: usize, f: impl FnMut(usize) -> f64) -> Vec<f64> {
    (0..n).map(f).collect()
}

#[track_caller]
fn near(got: &[f64], want: &[f64], places: f64) {
    assert_eq!(got.len(), want.len());
    for (a, b) in got.iter().zip(want) {
        assert!((a - b).abs() <= places * f64::EPSILON * b.abs().max(1.0), "{a} is not near {b}");
    }
}

fn each_instance(mut f: impl FnMut(u8)) {
    let _alone = INSTANCES.lock().unwrap_or_else(|e| e.into_inner());
    let best = limit_instances(u8::MAX);
    for level in 1..=best {
        limit_instances(level);
        f(level);
    }
    limit_instances(u8::MAX);
}

#[test]
fn results_are_near_the_reference() {
    each_instance(|_| {
        for n in [1, 2, 15, 16, 17, 40, 100, 1000] {
            let (x, y) = (numbers(n, 1), numbers(n, 2));
            let sums = n as f64;
            near(&[dot(&x, &y)], &[dot::reference(&x, &y)], sums);
            near(&[dot_of_any(&x, &y)], &[dot::reference(&x, &y)], sums);
            let ((a, b), (c, d)) = (moments(&x, &y), moments::reference(&x, &y));
            near(&[a, b], &[c, d], sums);
            near(&axpy(0.3, &x, &y), &plain(n, |i| 0.3 * x[i] + y[i]), 2.0);
            near(&residual(&x, &y), &plain(n, |i| 1.0 - x[i] * y[i]), 2.0);
            let c = numbers(9, 3);
            near(&horner(&x, &c), &plain(n, |i| c.iter().fold(0.0, |s, c| s * x[i] + c)), 40.0);
            let all: f64 = x.iter().map(|x| x.exp()).sum();
            near(&shares(&x), &plain(n, |i| x[i].exp() / all + x[i] / 3.0), sums + 8.0);
            near(&[length_by_hand(&x)], &[length_by_hand::reference(&x)], sums);
            let [xs, ys]: [Vec<f32>; 2] = [&x, &y].map(|v| v.iter().map(|x| *x as f32).collect());
            let ((a, b), (c, d)) = (single(&xs, &ys), single::reference(&xs, &ys));
            assert!(a.iter().zip(&c).all(|(a, c)| (a - c).abs() <= 4.0 * f32::EPSILON));
            assert!((b - d).abs() <= 4.0 * n as f32 * f32::EPSILON * d.abs());
        }
        for (n, m) in [(1, 1), (3, 5), (16, 16), (17, 33), (40, 12)] {
            let (a, b) = (numbers(n * m, 4), numbers(m * n, 5));
            let (a, b) = (View::new(&a, [n, m]), View::new(&b, [m, n]));
            let term = |at: usize, l: usize| a[[at / n, l]] * b[[l, at % n]];
            let want = plain(n * n, |at| (0..m).map(|l| term(at, l)).sum());
            near(product(a, b).as_slice(), &want, 2.0 * m as f64);
        }
        let a: [[f64; 4]; 4] = std::array::from_fn(|i| numbers(4, i as u64).try_into().unwrap());
        let want = plain(16, |at| (0..4).map(|l| a[at / 4][l] * a[l][at % 4]).sum());
        near(of_four(&a, &a).as_flattened(), &want, 8.0);
    });
}

#[test]
fn functions_are_near_the_reference() {
    let special = [
        0.0,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        5e-324,
        1e-300,
        1e300,
        1e22,
        -1e22,
        1048577.0,
        1.0,
        -1.0,
    ];
    let moderate = numbers(400, 7).into_iter().enumerate().map(|(k, x)| (x - 0.5) * [2.0, 20.0, 2000.0][k % 3]);
    let xs: Vec<f64> = moderate.chain(special).collect();
    let (want, turns) = (functions::reference(&xs), turned::reference(&xs[..400]));
    let singles: Vec<f32> = xs[..400].iter().map(|x| x.abs() as f32 / 50.0).collect();
    each_instance(|level| {
        for (k, (got, want)) in functions(&xs).iter().zip(&want).enumerate() {
            for (f, (a, b)) in got.iter().zip(want).enumerate() {
                let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                let close = b.is_finite() && *b != 0.0 && (a - b).abs() <= 4.0 * f64::EPSILON * b.abs();
                assert!(same || close, "function {f} of {} in instance {level}: {a} is not near {b}", xs[k]);
            }
        }
        near(&[turned(&xs[..400])], &[turns], 4000.0);
        for (a, b) in of_singles(&singles).iter().zip(of_singles::reference(&singles)) {
            assert!((a - b).abs() <= 4.0 * f32::EPSILON * b.abs(), "{a} is not near {b}");
        }
    });
}

#[test]
fn instances_with_the_instruction_round_once() {
    each_instance(|level| {
        let (x, y, n) = (numbers(1000, 1), numbers(1000, 2), 1000);
        let got = axpy(0.3, &x, &y);
        // A loop with checks is not vector code, so it has one instance.
        let instances = option_env!("SMOOTH_CHECKS").is_none();
        let fused = level > 1 && instances || cfg!(target_feature = "fma") || cfg!(target_arch = "aarch64");
        let want = |i: usize| if fused { 0.3f64.mul_add(x[i], y[i]) } else { 0.3 * x[i] + y[i] };
        assert!((0..n).all(|i| got[i].to_bits() == want(i).to_bits()), "instance {level}");
    });
}

#[test]
fn special_values_are_what_they_are() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    each_instance(|_| {
        let mut x = numbers(300, 1);
        let y = numbers(300, 2);
        (x[0], x[17], x[299]) = (nan, inf, -inf);
        let got = axpy(0.5, &x, &y);
        assert!(got[0].is_nan() && got[17] == inf && got[299] == -inf);
        assert!(dot(&x, &y).is_nan());
        x[0] = 1.0;
        x[299] = 1.0;
        assert_eq!(dot(&x, &y), inf);
        let zeros = vec![-0.0; 300];
        assert!(axpy(1.0, &zeros, &zeros).iter().all(|x| x.to_bits() == (-0.0f64).to_bits()));
        assert_eq!(dot(&[], &[]).to_bits(), 0.0f64.to_bits());
    });
}

#[test]
fn text_keeps_the_mode_that_its_kernel_promises() {
    let mut bits = vec![];
    each_instance(|_| {
        let (x, y) = (numbers(1000, 1), numbers(1000, 2));
        bits.push((portable_around_fast(&x, &y).to_bits(), calls_compensated(&x)));
        let (s, lost) = compensated::reference(&x);
        assert!(lost != 0.0);
        near(&[calls_compensated(&x)], &[s - lost * 2.0], 1.0);
    });
    assert!(bits.iter().all(|(b, _)| *b == bits[0].0), "a portable kernel has other bits in another instance");
}
