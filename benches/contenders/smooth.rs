//! With `smooth`.

use super::{Add3, Contender};
use smooth::linalg::{vector_add, vector_cross, vector_norm};
use smooth::prelude::*;
use smooth_workloads::project::project;
use std::hint::black_box as bb;

/// `vectorAdd(vectorAdd(x, y), z)`.
#[smooth]
fn sum_of_three(x: &[f64; n], y: &[f64; n], z: &[f64; n]) -> [f64; n] {
    vector_add(&vector_add(x, y), z)
}

/// `vectorNorm(vectorAdd(a, b))`.
#[smooth]
fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 {
    vector_norm(&vector_add(a, b))
}

struct Three {
    inputs: [Vec<f64>; 3],
    out: Vec<f64>,
    arena: Arena<'static>,
}

impl Add3 for Three {
    fn step(&mut self) -> &Vec<f64> {
        let [x, y, z] = &self.inputs;
        sum_of_three::into(bb(&mut self.out), bb(x), bb(y), bb(z), &mut self.arena);
        &self.out
    }
}

/// Kernels of `smooth::linalg`, as a user would call them.
pub const SMOOTH: Contender = Contender {
    name: "smooth",
    add3: |x, y, z| {
        let inputs = [x.to_vec(), y.to_vec(), z.to_vec()];
        Box::new(Three { out: vec![0.0; x.len()], inputs, arena: Arena::new() })
    },
    cross: |a, b| vector_cross(a, b),
    norm_of_sum: |a, b| norm_of_sum(a, b),
    project: |cam, x| project(cam, x),
};
