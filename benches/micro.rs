//! Four small programs: `smooth` against plain loops, nalgebra and ndarray, on the same inputs.
//!
//! Every contender's result is asserted before it is timed. `benches/README.md` has method and results.

mod contenders;

use contenders::{BY_HAND, Contender, NALGEBRA, NDARRAY, SMOOTH};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box as bb;

const ALL: [&Contender; 4] = [&SMOOTH, &BY_HAND, &NALGEBRA, &NDARRAY];

/// `n` numbers between 0 and 1, the same on every run.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n).map(|_| next()).collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs().max(1e-300)
}

/// Fig. 11a: three vectors of 100 elements. Does fusion leave one loop and no temporary?
fn add3(c: &mut Criterion) {
    let mut group = c.benchmark_group("add3/100");
    let (x, y, z) = (numbers(100, 1), numbers(100, 2), numbers(100, 3));
    let want: Vec<f64> = (0..100).map(|i| x[i] + y[i] + z[i]).collect();
    for who in ALL {
        let mut run = (who.add3)(&x, &y, &z);
        assert_eq!(run.step().as_slice(), want, "{} is wrong; it will not be timed", who.name);
        group.bench_function(BenchmarkId::from_parameter(who.name), |b| b.iter(|| bb(run.step().len())));
    }
}

/// Fig. 11c: nothing to fuse. What does the call itself cost?
fn cross(c: &mut Criterion) {
    let mut group = c.benchmark_group("cross");
    let (a, b) = ([0.3, -1.2, 0.7], [1.1, 0.4, -0.9]);
    for who in ALL {
        assert_eq!((who.cross)(&a, &b), (BY_HAND.cross)(&a, &b), "{} is wrong; it will not be timed", who.name);
        group.bench_function(BenchmarkId::from_parameter(who.name), |bench| bench.iter(|| (who.cross)(bb(&a), bb(&b))));
    }
}

/// §2.2's example, `vectorNorm (vectorAdd a b)`: one pass over memory or two?
fn norm_of_sum(c: &mut Criterion) {
    for n in [1_000, 1_000_000] {
        let mut group = c.benchmark_group(format!("norm_of_sum/{n}"));
        let (a, b) = (numbers(n, 4), numbers(n, 5));
        let want = (BY_HAND.norm_of_sum)(&a, &b);
        for who in ALL {
            assert!(near((who.norm_of_sum)(&a, &b), want), "{} is wrong; it will not be timed", who.name);
            group.bench_function(BenchmarkId::from_parameter(who.name), |bench| {
                bench.iter(|| (who.norm_of_sum)(bb(&a), bb(&b)));
            });
        }
    }
}

/// Fig. 12a: scalar code with one square root and one sine and cosine. Does it compile to that code alone?
fn project(c: &mut Criterion) {
    let mut group = c.benchmark_group("project");
    let cam = [0.1, 0.1, 0.1, 0.2, 0.1, 0.3, 1.2, 0.01, 0.03, 0.009, 1.2e-4];
    let x = [0.03, 0.11, -0.7];
    let want = [0.347_895_582_884_000_7, -0.076_959_405_282_116_58];
    for who in ALL {
        let got = (who.project)(&cam, &x);
        assert!(near(got[0], want[0]) && near(got[1], want[1]), "{} is wrong; it will not be timed", who.name);
        group.bench_function(BenchmarkId::from_parameter(who.name), |b| b.iter(|| (who.project)(bb(&cam), bb(&x))));
    }
}

criterion_group!(benches, add3, cross, norm_of_sum, project);
criterion_main!(benches);
