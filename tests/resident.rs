//! The memory of a process that calls a kernel again and again, as the operating system sees it: Fig. 11b, 11d, 12b, 12d
//! and 12f of the paper. It is the same after a million calls as after the first few, for `into` and for plain calls.
//!
//! Optimised builds make a million calls of each kernel, others twenty thousand: `cargo test --release --test resident`.
#![cfg(target_os = "linux")]
#![deny(warnings)]

use smooth::linalg::{vector_add, vector_cross};
use smooth::prelude::*;
use smooth_workloads::kernels::ba::reprojection_error;
use smooth_workloads::kernels::gmm::gmm_adbench;
use smooth_workloads::kernels::hand::{absolutes, relatives};
use smooth_workloads::project::project;
use std::hint::black_box;

const CALLS: usize = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };

/// The number of measurements of the memory.
const LOOKS: usize = 20;

/// The error of the operating system's counters, in bytes.
const NOISE: usize = 256 << 10;

/// The sum of three vectors (`add3` of Fig. 11).
#[smooth]
fn add3(a: &[f64; n], b: &[f64; n], c: &[f64; n]) -> [f64; n] {
    vector_add(&vector_add(a, b), c)
}

/// That sum with an array that has to be stored between the two.
#[smooth]
fn add3_reversed(a: &[f64; n], b: &[f64; n], c: &[f64; n]) -> [f64; n] {
    let both = vector_add(a, b);
    build(n, |i| both[n - 1 - i] + both[i] + c[i])
}

/// A line of `/proc/self/status`, in bytes.
fn status(name: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().expect("a number") << 10
}

/// The largest growth of the resident memory at any measurement, in `CALLS` calls after the first thousand.
fn growth<R>(name: &str, mut call: impl FnMut(usize) -> R) -> usize {
    let mut call = |k| drop(black_box(call(k)));
    (0..1000).for_each(&mut call);
    status("VmRSS:");
    let (before, peak) = (status("VmRSS:"), status("VmHWM:"));
    let mut most = before;
    for _ in 0..LOOKS {
        (0..CALLS / LOOKS).for_each(&mut call);
        most = most.max(status("VmRSS:"));
    }
    // The peak of the process counts where it is a new one.
    let highest = status("VmHWM:");
    let grown = most.max(if highest > peak { highest } else { 0 }) - before;
    println!("{name:32} {CALLS} calls: {:6} KB before, {:5} KB more at most", before >> 10, grown >> 10);
    grown
}

#[track_caller]
fn flat<R>(name: &str, call: impl FnMut(usize) -> R) {
    let grown = growth(name, call);
    assert!(grown <= NOISE, "{name}: {grown} bytes more after {CALLS} calls");
}

fn values(n: usize, by: f64) -> Vec<f64> {
    (0..n).map(|i| ((i * 7 + 3) % 11) as f64 * by - 0.4).collect()
}

/// One test, so that nothing else allocates while it measures.
#[test]
fn the_memory_of_a_million_calls_is_flat() {
    let arena = &mut Arena::new();
    let (mut a, b, c) = (values(100, 0.1), values(100, 0.2), values(100, 0.3));
    let mut out = vec![0.0; 100];
    flat("Fig. 11b, add3::into", |k| {
        a[k % 100] = k as f64;
        add3::into(black_box(&mut out), &a, &b, &c, arena);
    });
    flat("Fig. 11b, add3", |_| add3(&a, &b, &c));
    flat("Fig. 11b, stored, into", |_| add3_reversed::into(black_box(&mut out), &a, &b, &c, arena));
    flat("Fig. 11b, stored", |_| add3_reversed(&a, &b, &c));

    let (v, w, mut cross) = ([1.0, 2.0, 3.0], [0.5, -1.0, 2.0], [0.0; 3]);
    flat("Fig. 11d, cross::into", |_| vector_cross::into(black_box(&mut cross), &v, &w, arena));
    flat("Fig. 11d, cross", |_| vector_cross(black_box(&v), &w));

    let camera: [f64; 11] = values(11, 0.3).try_into().expect("eleven");
    let mut at = [0.0; 2];
    flat("Fig. 12b, project::into", |_| project::into(black_box(&mut at), &camera, &v, arena));
    flat("Fig. 12b, project", |_| project(&camera, black_box(&v)));
    flat("Fig. 12b, reprojection_error", |_| reprojection_error(&camera, black_box(&v), 0.5, &[1.0; 2]));

    let of = |n: usize, k: usize| Array::from_vec(values(n * k, 0.1), [n, k]);
    let (alphas, means, icf, x) = (values(5, 0.1), of(5, 2), of(5, 3), of(3, 2));
    flat("Fig. 12d, gmm::into", |_| gmm_adbench::into(&alphas, &means, &icf, &x, 0.5, 2, 0.25, arena));
    flat("Fig. 12d, gmm", |_| gmm_adbench(&alphas, &means, &icf, &x, 0.5, 2, 0.25));

    let bone =
        |i: usize| -> [[f64; 4]; 4] { std::array::from_fn(|r| std::array::from_fn(|s| 0.1 * (i + r * s) as f64)) };
    let (base, parents) = ((0..5).map(bone).collect::<Vec<_>>(), [0, 0, 1, 2, 2]);
    let pose = Array::from_vec(values(24, 0.1), [3, 8]);
    let (mut first, mut second) = (base.clone(), base.clone());
    flat("Fig. 12f, hand tracking, into", |_| {
        relatives::into(&mut first, &base, &pose, arena);
        absolutes::into(black_box(&mut second), &first, &parents, arena);
    });
    flat("Fig. 12f, hand tracking", |_| absolutes(&relatives(&base, &pose), &parents));

    // The measurement finds results that are kept, as by the paper's leaky programs: 19 000 of 800 bytes.
    let mut kept = Vec::with_capacity(20_000);
    let found = growth("results that are kept", |_| {
        if kept.len() < 20_000 {
            kept.push(add3(&a, &b, &c));
        }
    });
    assert!(found > 800 * 19_000, "{found}");
}
