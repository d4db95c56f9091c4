//! Every kernel of the workloads, on small instances, and of the package `tests/kernels`.

use crate::probe::probe;
use crate::{integers, kernels_in, numbers};
use smooth::prelude::*;
use smooth_workloads::kernels::ba::*;
use smooth_workloads::kernels::gmm::*;
use smooth_workloads::kernels::hand::*;
use smooth_workloads::kernels::lstm::*;
use smooth_workloads::project::*;

/// An array of these numbers, one after the other.
fn filled<const N: usize>(seed: u64, wild: bool) -> [f64; N] {
    numbers(N, seed, wild).try_into().expect("as many")
}

fn rows<const N: usize>(n: usize, seed: u64, wild: bool) -> Vec<[f64; N]> {
    (0..n).map(|i| filled(seed + i as u64, wild)).collect()
}

fn array<const R: usize>(shape: [usize; R], seed: u64, wild: bool) -> Array<f64, R> {
    Array::from_vec(numbers(shape.iter().product(), seed, wild), shape)
}

fn transforms(n: usize, seed: u64, wild: bool) -> Vec<[[f64; 4]; 4]> {
    let row = |i: usize, r: u64| filled(seed + 4 * i as u64 + r, wild);
    (0..n).map(|i| [row(i, 0), row(i, 1), row(i, 2), row(i, 3)]).collect()
}

fn bundle_adjustment(n: usize, wild: bool) {
    let (camera, x) = (&filled(1, wild), &filled(2, wild));
    probe!(radial_distort(&[0.5, 2.0], &[1.0, x[0]]) into [y = [0.0; 2]]);
    probe!(rodrigues_rotate(x, &[1.0, 2.0, 3.0]) into [y = [0.0; 3]]);
    probe!(project(camera, x) into [y = [0.0; 2]]);
    probe!(reprojection_error(camera, x, 2.0, &[1.0, x[1]]) into [y = [0.0; 2]]);
    let (cameras, points) = (&rows::<11>(3, 4, wild), &rows::<3>(2, 5, wild));
    let observed: Vec<[usize; 2]> = (0..n).map(|i| [i % 3, i % 2]).collect();
    let (weights, features) = (&numbers(n, 6, wild), &rows::<2>(n, 7, wild));
    probe!(ba_objective(cameras, points, &observed, weights, features)
        into [y = vec![[0.0; 2]; n], z = vec![0.0; n]]);
}

fn gaussian_mixture(n: usize, wild: bool) {
    let (d, k) = (n % 4, 1 + n % 3);
    let t = d + d * d.saturating_sub(1) / 2;
    let v = &numbers(d, 1, wild);
    let (diagonal, below) = (&numbers(d, 2, wild), &numbers(t - d, 3, wild));
    probe!(times_by_columns(diagonal, below, v) into [y = vec![0.0; d]]);
    probe!(times_by_rows(diagonal, below, v) into [y = vec![0.0; d]]);
    let (alphas, means, icf) = (&numbers(k, 4, wild), &array([k, d], 5, wild), &array([k, t], 6, wild));
    let x = &array([n, d], 7, wild);
    probe!(logsumexp(alphas) into []);
    probe!(diagonals(d, icf) into [y = Array::from_elem([k, d], 0.0)]);
    let exps = &diagonals(d, icf);
    probe!(log_likelihood(alphas, means, exps, icf, x) into []);
    probe!(log_prior(exps, icf, 0.5, 2, 0.25) into []);
    probe!(gmm_adbench(alphas, means, icf, x, 0.5, 2, 0.25) into []);
    probe!(gmm_gradbench(alphas, means, icf, x, 0.5, 2, 0.25) into []);
    probe!(gmm_reduced(alphas, means, icf, x) into []);
}

fn hand_tracking(n: usize, wild: bool) {
    let (bones, vertices) = (n % 6, 1 + n);
    let (angles, theta) = (&filled::<3>(1, wild), &filled::<26>(2, wild));
    probe!(angle_axis_to_rotation_matrix(angles) into [y = [[0.0; 3]; 3]]);
    probe!(euler(angles) into [y = [[0.0; 3]; 3]]);
    probe!(pose_of(theta) into [y = [[0.0; 25]; 3]]);
    probe!(turning(&euler(angles)) into [y = [[0.0; 4]; 4]]);
    let (base, inverse) = (&transforms(bones, 3, wild), &transforms(bones, 4, wild));
    let parents: &Vec<usize> = &(0..bones).map(|i| i / 2).collect();
    let (at, weights) = (&rows::<4>(vertices, 5, wild), &array([bones, vertices], 6, wild));
    probe!(relatives(base, &pose_of(theta)) into [y = vec![[[0.0; 4]; 4]; bones]]);
    probe!(absolutes(base, parents) into [y = vec![[[0.0; 4]; 4]; bones]]);
    probe!(skinned(base, at, weights) into [y = vec![[0.0; 3]; vertices]]);
    let model = (&base[..], &inverse[..], &parents[..], &at[..], weights, wild);
    probe!(positions(theta, model) into [y = vec![[0.0; 3]; vertices]]);
    let (near, points) = (&integers(n, 7, vertices), &rows::<3>(n, 8, wild));
    probe!(hand_simple(theta, model, near, points) into [y = vec![[0.0; 3]; n]]);
    let triangles: &Vec<[usize; 3]> = &(0..vertices).map(|i| [i, vertices - 1 - i, 0]).collect();
    let shares = &rows::<2>(n, 9, wild);
    probe!(hand_complicated(theta, shares, model, triangles, near, points) into [y = vec![[0.0; 3]; n]]);
}

fn long_short_term_memory(n: usize, wild: bool) {
    let (b, l, c) = (n % 7, n % 3, 1 + n % 5);
    probe!(sigmoid(if wild { f64::NEG_INFINITY } else { 0.5 }) into []);
    let (u, hidden, cell) = (&numbers(b, 1, wild), &numbers(b, 2, wild), &numbers(b, 3, wild));
    let (weights, biases) = (&array([4, b], 4, wild), &array([4, b], 5, wild));
    probe!(step(u, hidden, cell, weights, biases) into [y = vec![0.0; b], z = vec![0.0; b]]);
    probe!(agreement(u, hidden) into []);
    let (main, extra) = (&array([l, 2, 4, b], 6, wild), &array([3, b], 7, wild));
    let (state, text) = (&array([l, 2, b], 8, wild), &array([c, b], 9, wild));
    probe!(lstm_loss(main, extra, state, text) into []);
}

/// Kernels of another package, long ones that stay calls among them.
mod of_another_package {
    use super::*;
    use smooth_test_kernels::layers::below::affine_twice;
    use smooth_test_kernels::layers::*;
    use smooth_test_kernels::linalg::*;
    use smooth_test_kernels::long::*;
    use smooth_test_kernels::tables::*;
    use smooth_test_kernels::{doubled, twice};

    pub fn all(n: usize, wild: bool) {
        let (a, b) = (&numbers(n, 1, wild), &numbers(n, 2, wild));
        let x = if wild { f64::NAN } else { 1.5 };
        probe!(affine(x) into [] like (x));
        probe!(affine_all(a) into [y = vec![0.0; n]] like (a));
        probe!(first_steps(x) into [] like (x));
        probe!(affine_called(a) into [y = vec![0.0; n]] like (a));
        probe!(affine_twice(x) into [] like (x));
        probe!(doubled(a) into [y = vec![0.0; n]] like (a));
        probe!(twice(a) into [y = vec![0.0; n]] like (a));
        probe!(vector_map(a, |x| x + 1.0) into [y = vec![0.0; n]]);
        probe!(vector_map2(a, b, |x, y| x.min(y)) into [y = vec![0.0; n]]);
        probe!(vector_add(a, b) into [y = vec![0.0; n]] like (a, b));
        probe!(vector_e_mul(a, b) into [y = vec![0.0; n]] like (a, b));
        probe!(vector_sum(a) into []);
        probe!(vector_dot(a, b) into []);
        probe!(vector_norm(a) into []);
        probe!(long(a) into [y = vec![0.0; n]] like (a));
        probe!(longer(a) into [y = vec![0.0; n]] like (a));
        probe!(lengthen(&mut y) into [] own [y = a.clone()]);
        if n > 1 {
            probe!(smoothed(a) into [y = vec![0.0; n - 2]]);
        }
        probe!(gated(x, n % 2) into [] like (x, n % 2));
        probe!(marked(n % 3) into [] like (n % 3));
        let small = &integers(n, 3, 6);
        probe!(square(n % 6) into [] like (n % 6));
        probe!(squares(small) into [y = vec![0; n]] like (small));
    }
}

/// All of them.
pub fn all(n: usize, wild: bool) {
    bundle_adjustment(n, wild);
    gaussian_mixture(n, wild);
    hand_tracking(n, wild);
    long_short_term_memory(n, wild);
    of_another_package::all(n, wild);
}

#[test]
fn every_kernel_of_the_workloads_at_every_size() {
    for n in [0, 1, 2, 3, 11, 17] {
        all(n, false);
        all(n, true);
    }
}

#[test]
fn no_kernel_of_the_workloads_is_left_out() {
    let here = include_str!("workloads.rs");
    let kernels = ["ba", "gmm", "hand", "lstm"].map(|name| format!("workloads/src/kernels/{name}.rs"));
    let others = ["lib", "layers", "linalg", "long", "tables"].map(|name| format!("tests/kernels/src/{name}.rs"));
    let files = kernels.iter().chain(&others).map(String::as_str);
    // `log_likelihood` and `gmm_reduced` call `sum_over_points`, which takes a function of arrays.
    kernels_in(files.chain(["workloads/src/project.rs"]), &format!("{here} sum_over_points("));
}
