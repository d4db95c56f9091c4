//! The paper's ladder (§5): the same kernels in destination-passing style alone (`D`), fused (`DF`), with buffers
//! optimised (`DFB`) and on a stack (`DFBS`). `cargo bench --bench ladder`; results in `benches/README.md`.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use smooth::prelude::*;
use std::hint::black_box as bb;

macro_rules! rung {
    ($rung:ident, $preset:literal) => {
        #[allow(dead_code, reason = "what is timed is `into`")]
        mod $rung {
            use smooth::prelude::*;

            #[smooth(preset = $preset)]
            pub fn add3(a: &[f64; n], b: &[f64; n], c: &[f64; n]) -> [f64; n] {
                let t = build(n, |i| a[i] + b[i]);
                build(n, |i| t[i] + c[i])
            }

            #[smooth(preset = $preset)]
            pub fn chain(a: &[f64; n]) -> [f64; n] {
                let b = build(n, |i| a[i] / (1.0 + a[n - 1 - i] * a[n - 1 - i]));
                let c = build(n, |i| b[i] / (1.0 + b[n - 1 - i] * b[n - 1 - i]));
                let d = build(n, |i| c[i] / (1.0 + c[n - 1 - i] * c[n - 1 - i]));
                build(n, |i| d[i] / (1.0 + d[n - 1 - i] * d[n - 1 - i]))
            }

            #[smooth(preset = $preset)]
            pub fn rows(a: &[f64; n], k: usize) -> f64 {
                sum(k, |j| {
                    let r = build(n, |i| a[i] / (1.0 + a[n - 1 - i] * j as f64));
                    sum(n, |i| r[i] * r[n - 1 - i])
                })
            }
        }
    };
}

rung!(d, "D");
rung!(df, "DF");
rung!(dfb, "DFB");
rung!(dfbs, "DFBS");

type Add3 = fn(&mut [f64], &[f64], &[f64], &[f64], &mut Arena<'static>);
type Chain = fn(&mut [f64], &[f64], &mut Arena<'static>);
type Rows = fn(&[f64], usize, &mut Arena<'static>) -> f64;

const RUNGS: [(&str, Add3, Chain, Rows); 4] = [
    ("D", d::add3::into, d::chain::into, d::rows::into),
    ("DF", df::add3::into, df::chain::into, df::rows::into),
    ("DFB", dfb::add3::into, dfb::chain::into, dfb::rows::into),
    ("DFBS", dfbs::add3::into, dfbs::chain::into, dfbs::rows::into),
];

fn numbers(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * seed).sin() + 1.5).collect()
}

/// Three vectors summed by two additions (Fig. 11a): how much does fusion gain?
fn add3(c: &mut Criterion) {
    for n in [3, 100, 1_000] {
        let mut group = c.benchmark_group(format!("ladder/add3/{n}"));
        let (x, y, z, mut out) = (numbers(n, 0.3), numbers(n, 0.7), numbers(n, 1.1), vec![0.0; n]);
        let want: Vec<f64> = (0..n).map(|i| x[i] + y[i] + z[i]).collect();
        let mut arena = Arena::new();
        for (name, add3, ..) in RUNGS {
            add3(&mut out, &x, &y, &z, &mut arena);
            assert_eq!(out, want, "{name} is wrong; it will not be timed");
            group.bench_function(BenchmarkId::from_parameter(name), |b| {
                b.iter(|| add3(bb(&mut out), bb(&x), bb(&y), bb(&z), &mut arena))
            });
        }
    }
}

/// Three arrays that must be stored, since each is also read backwards: how much do shared buffers and a stack gain?
fn chain(c: &mut Criterion) {
    for n in [10, 100, 10_000] {
        let mut group = c.benchmark_group(format!("ladder/chain/{n}"));
        let (a, mut out, mut arena) = (numbers(n, 0.3), vec![0.0; n], Arena::new());
        let want = dfbs::chain::reference(&a);
        for (name, _, chain, _) in RUNGS {
            chain(&mut out, &a, &mut arena);
            assert_eq!(out, want, "{name} is wrong; it will not be timed");
            group.bench_function(BenchmarkId::from_parameter(name), |b| {
                b.iter(|| chain(bb(&mut out), bb(&a), &mut arena))
            });
        }
    }
}

/// An array in each of 100 iterations of a loop: how much does hoisting its allocation gain?
fn rows(c: &mut Criterion) {
    for n in [4, 32] {
        let mut group = c.benchmark_group(format!("ladder/rows/{n}"));
        let (a, mut arena) = (numbers(n, 0.3), Arena::new());
        let want = dfbs::rows(&a, 100);
        for (name, _, _, rows) in RUNGS {
            assert_eq!(rows(&a, 100, &mut arena), want, "{name} is wrong; it will not be timed");
            group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| rows(bb(&a), bb(100), &mut arena)));
        }
    }
}

criterion_group!(ladder, add3, chain, rows);
criterion_main!(ladder);
