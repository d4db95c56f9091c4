//! Plain Rust, as a good engineer writes it without a library.

use super::{Add3, Contender};
use smooth_workloads::by_hand;
use std::hint::black_box as bb;

struct Three {
    inputs: [Vec<f64>; 3],
    out: Vec<f64>,
}

#[inline]
fn sum_of_three(out: &mut [f64], x: &[f64], y: &[f64], z: &[f64]) {
    let n = out.len();
    assert!(x.len() == n && y.len() == n && z.len() == n);
    for i in 0..n {
        out[i] = x[i] + y[i] + z[i];
    }
}

impl Add3 for Three {
    fn step(&mut self) -> &Vec<f64> {
        let [x, y, z] = &self.inputs;
        sum_of_three(bb(&mut self.out), bb(x), bb(y), bb(z));
        &self.out
    }
}

#[inline]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn norm_of_sum(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let mut sum = 0.0;
    for i in 0..a.len() {
        let s = a[i] + b[i];
        sum += s * s;
    }
    sum.sqrt()
}

/// Loops over slices; strictly sequential sums.
pub const BY_HAND: Contender = Contender {
    name: "by_hand",
    add3: |x, y, z| Box::new(Three { inputs: [x.to_vec(), y.to_vec(), z.to_vec()], out: vec![0.0; x.len()] }),
    cross: |a, b| cross(a, b),
    norm_of_sum,
    project: |cam, x| by_hand::project(cam, x),
};
