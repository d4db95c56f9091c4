//! Gaussian mixture models as plain loops.

use crate::gmm::Problem;
use std::f64::consts::{LN_2, PI};

/// The log likelihood of the points, and the log of the prior with ADBench's sign.
///
/// The products with triangular matrices run column by column, so that the inner loop accesses both `icf` and the
/// product in order.
pub fn log_likelihood_and_prior(p: &Problem, log_gamma: f64) -> (f64, f64) {
    let [d, k, n] = p.sizes();
    let (means, icf, points) = (p.means.as_slice(), p.icf.as_slice(), p.points.as_slice());
    let t = d * (d + 1) / 2;
    let diagonal: Vec<f64> = icf.chunks_exact(t).flat_map(|row| row[..d].iter().map(|q| q.exp())).collect();
    let sum_q: Vec<f64> = icf.chunks_exact(t).map(|row| row[..d].iter().sum()).collect();

    let (mut centred, mut product, mut beta) = (vec![0.0; d], vec![0.0; d], vec![0.0; k]);
    let mut points_sum = 0.0;
    for x in points.chunks_exact(d) {
        for c in 0..k {
            for (centred, (x, mean)) in centred.iter_mut().zip(x.iter().zip(&means[c * d..][..d])) {
                *centred = x - mean;
            }
            times_by_columns(&diagonal[c * d..][..d], &icf[c * t + d..][..t - d], &centred, &mut product);
            beta[c] = p.alphas[c] + sum_q[c] - 0.5 * square(&product);
        }
        points_sum += logsumexp(&beta);
    }
    let log_likelihood = points_sum - n as f64 * (d as f64 * 0.5 * (2.0 * PI).ln() + logsumexp(&p.alphas));

    let exponent = ((d + p.m + 1) * d) as f64;
    let constant = exponent * (p.gamma.ln() - 0.5 * LN_2) - log_gamma;
    let mut prior = -(k as f64) * constant;
    for c in 0..k {
        let squares = square(&diagonal[c * d..][..d]) + square(&icf[c * t + d..][..t - d]);
        prior += 0.5 * p.gamma * p.gamma * squares - p.m as f64 * sum_q[c];
    }
    (log_likelihood, prior)
}

/// ADBench's objective.
pub fn adbench(p: &Problem, log_gamma: f64) -> f64 {
    let (log_likelihood, prior) = log_likelihood_and_prior(p, log_gamma);
    log_likelihood + prior
}

/// GradBench's objective.
pub fn gradbench(p: &Problem, log_gamma: f64) -> f64 {
    let (log_likelihood, prior) = log_likelihood_and_prior(p, log_gamma);
    log_likelihood - prior
}

/// The objective that the paper measures, for a problem whose `icf` is stored row by row.
pub fn reduced(p: &Problem) -> f64 {
    let [d, k, n] = p.sizes();
    let (means, icf, points) = (p.means.as_slice(), p.icf.as_slice(), p.points.as_slice());
    let t = icf.len() / k;
    let diagonal: Vec<f64> = icf.chunks_exact(t).flat_map(|row| row[..d].iter().map(|q| q.exp())).collect();
    let sum_q: Vec<f64> = icf.chunks_exact(t).map(|row| row[..d].iter().sum()).collect();

    let (mut centred, mut beta) = (vec![0.0; d], vec![0.0; k]);
    let mut total = 0.0;
    for x in points.chunks_exact(d) {
        for c in 0..k {
            for (centred, (x, mean)) in centred.iter_mut().zip(x.iter().zip(&means[c * d..][..d])) {
                *centred = x - mean;
            }
            let (diagonal, mut below) = (&diagonal[c * d..][..d], &icf[c * t + d..][..t - d]);
            let mut squares = 0.0;
            for i in 0..d {
                let (row, rest) = below.split_at(i);
                below = rest;
                let product = diagonal[i] * centred[i] + row.iter().zip(&centred).map(|(l, v)| l * v).sum::<f64>();
                squares += product * product;
            }
            beta[c] = p.alphas[c] + sum_q[c] - 0.5 * squares;
        }
        total += logsumexp(&beta);
    }
    total -= n as f64 * logsumexp(&p.alphas);
    let below: f64 = icf.chunks_exact(t).map(|row| square(&row[d..])).sum();
    total + 0.5 * (square(&diagonal) + below)
}

/// The product of a lower triangular matrix and `v`; the part below the diagonal is stored column by column.
fn times_by_columns(diagonal: &[f64], below: &[f64], v: &[f64], product: &mut [f64]) {
    for (product, (diagonal, v)) in product.iter_mut().zip(diagonal.iter().zip(v)) {
        *product = diagonal * v;
    }
    let mut rest = below;
    for j in 0..v.len() {
        let (column, later) = rest.split_at(v.len() - j - 1);
        rest = later;
        for (product, l) in product[j + 1..].iter_mut().zip(column) {
            *product += l * v[j];
        }
    }
}

fn square(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum()
}

fn logsumexp(v: &[f64]) -> f64 {
    let most = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + v.iter().map(|x| (x - most).exp()).sum::<f64>().ln()
}
