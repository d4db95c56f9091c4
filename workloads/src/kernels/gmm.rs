//! Gaussian mixture models: the log likelihood of `n` points under `k` Gaussians in `d` dimensions, and a prior.
//!
//! For component `c`, `alphas[c]` is the log of its weight (not normalised), `means[c]` its mean, and `icf[c]` the inverse
//! of its covariance's Cholesky factor: first `q`, the logs of the diagonal (`d`), then `l`, the part below it
//! (`d (d - 1) / 2`).

use smooth::linalg::{vector_sq_norm, vector_sub, vector_sum};
use smooth::prelude::*;
use std::f64::consts::{LN_2, PI};

/// `log Σ exp(v[i])`, without overflow.
///
/// ```
/// use smooth_workloads::kernels::gmm::logsumexp;
/// assert_eq!(logsumexp(&[-1000.0, -1000.0]), -1000.0 + 2.0f64.ln());
/// ```
///
/// # Panics
/// If `v` is empty.
#[smooth]
pub fn logsumexp(v: &[f64; n]) -> f64 {
    let most = ifold(n, v[0], |most: f64, i| most.max(v[i]));
    most + sum(n, |i| (v[i] - most).exp()).ln()
}

/// The product of a lower triangular matrix and a vector; the part below the diagonal is stored column by column.
///
/// Element `(i, j)` is `l[j d - j (j + 1) / 2 + i - j - 1]`. From column `j` to the next its index grows by `d - j - 2`, so
/// the fold updates the index, which is cheaper than to evaluate the formula for each element.
///
/// ```
/// use smooth_workloads::kernels::gmm::times_by_columns;
/// // Rows 1 0 0, 4 2 0, 5 6 3.
/// assert_eq!(times_by_columns(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], &[1.0, 10.0, 100.0]), [1.0, 24.0, 365.0]);
/// ```
///
/// # Panics
/// If `l` has less than `d (d - 1) / 2` elements.
#[smooth]
pub fn times_by_columns(diagonal: &[f64; d], l: &[f64; t], v: &[f64; d]) -> [f64; d] {
    build(d, |i| {
        let start = (diagonal[i] * v[i], i);
        let (product, _) = ifold(i, start, |(sum, at), j| (sum + l[at - 1] * v[j], at + d - j - 2));
        product
    })
}

/// The product of a lower triangular matrix and a vector; the part below the diagonal is stored row by row.
///
/// Row `i` starts at `l[i (i - 1) / 2]` and has `i` elements. Rows are short, so that lanes would gain nothing; hence the
/// `ifold` instead of a `sum`.
///
/// ```
/// use smooth_workloads::kernels::gmm::times_by_rows;
/// // Rows 1 0 0, 4 2 0, 5 6 3.
/// assert_eq!(times_by_rows(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], &[1.0, 10.0, 100.0]), [1.0, 24.0, 365.0]);
/// ```
///
/// # Panics
/// If `l` has less than `d (d - 1) / 2` elements.
#[smooth]
pub fn times_by_rows(diagonal: &[f64; d], l: &[f64; t], v: &[f64; d]) -> [f64; d] {
    build(d, |i| {
        let start = (i * i - i) / 2;
        let row = &l[start..start + i];
        ifold(i, diagonal[i] * v[i], |sum, j| sum + row[j] * v[j])
    })
}

/// The diagonals of the factors: `exp q` of every component.
///
/// ```
/// use smooth_workloads::kernels::gmm::diagonals;
/// let found = diagonals(2, &[[0.0, 1.0, 7.0]]);
/// assert!(found[[0, 0]] == 1.0 && (found[[0, 1]] - 1.0f64.exp()).abs() <= 2.0 * f64::EPSILON);
/// ```
///
/// # Panics
/// If `icf` has less than `d` columns.
#[smooth]
pub fn diagonals(d: usize, icf: &[[f64; t]; k]) -> [[f64; d]; k] {
    build([k, d], |c, j| icf[c][j].exp())
}

/// `Σᵢ logsumexp(β[i])`, where `β[i][c] = alphas[c] + Σ q[c] - ½ |Q[c] (x[i] - means[c])|²`.
///
/// `times` is the product with a triangular matrix. The sum of `q` is computed once per component, the product once per
/// point and component.
///
/// Only other kernels can use this function, since `times` takes arrays.
///
/// ```
/// use smooth::prelude::*;
/// use smooth_workloads::kernels::gmm::sum_over_points;
///
/// /// Covariances without correlations.
/// #[smooth]
/// fn diagonal_only(
///     alphas: &[f64; k],
///     means: &[[f64; d]; k],
///     diagonal: &[[f64; d]; k],
///     icf: &[[f64; t]; k],
///     x: &[[f64; d]; n],
/// ) -> f64 {
///     sum_over_points(alphas, means, diagonal, icf, x, |e, _, v| build(e.len(), |j| e[j] * v[j]))
/// }
/// // α + q - ½ (2 · 3)²
/// assert_eq!(diagonal_only(&[5.0], &[[1.0]], &[[2.0]], &[[7.0]], &[[4.0]]), -6.0);
/// ```
///
/// # Panics
/// If there is no component, or if `times` does.
#[smooth]
pub fn sum_over_points(
    alphas: &[f64; k],
    means: &[[f64; d]; k],
    diagonal: &[[f64; d]; k],
    icf: &[[f64; t]; k],
    x: &[[f64; d]; n],
    times: impl Fn(&[f64; d], &[f64; s], &[f64; d]) -> [f64; d],
) -> f64 {
    let base = build(k, |c| alphas[c] + vector_sum(&icf[c][..d]));
    sum(n, |i| {
        let beta = build(k, |c| {
            let scaled = times(&diagonal[c], &icf[c][d..], &vector_sub(&x[i], &means[c]));
            base[c] - 0.5 * vector_sq_norm(&scaled)
        });
        logsumexp(&beta)
    })
}

/// The log likelihood of all points; `diagonal` is [`diagonals`] of `icf`, which is stored column by column.
///
/// ```
/// use smooth_workloads::kernels::gmm::{diagonals, log_likelihood};
/// let icf = [[0.0, 0.0, 0.0]];
/// // The density of the standard normal distribution in two dimensions, at its mean.
/// let density = log_likelihood(&[3.0], &[[1.0, 2.0]], &diagonals(2, &icf), &icf, &[[1.0, 2.0]]).exp();
/// assert!((density - 0.5 / std::f64::consts::PI).abs() < 1e-15);
/// ```
///
/// # Panics
/// If there is no component, or if `icf` has less than `d (d + 1) / 2` columns.
#[smooth]
pub fn log_likelihood(
    alphas: &[f64; k],
    means: &[[f64; d]; k],
    diagonal: &[[f64; d]; k],
    icf: &[[f64; t]; k],
    x: &[[f64; d]; n],
) -> f64 {
    let points = sum_over_points(alphas, means, diagonal, icf, x, times_by_columns);
    let count = n as f64;
    points - count * (d as f64 * 0.5 * (2.0 * PI).ln() + logsumexp(alphas))
}

/// The log of a Wishart prior on the covariances, with the sign in ADBench, which is wrong.
///
/// `gamma` and `m` are the prior's parameters, `log_gamma` is the logarithm of the multivariate Γ function of
/// dimension `d` at `(d + m + 1) / 2`, see [`Problem::log_gamma`](crate::gmm::Problem::log_gamma).
///
/// ```
/// use smooth_workloads::kernels::gmm::log_prior;
/// // One dimension, γ = 1, m = 1: ½ - 1 · 0 - (3 · 1 · (0 - ½ ln 2) - ln Γ(3/2)).
/// let log_gamma = (0.5 * std::f64::consts::PI.sqrt()).ln();
/// let prior = log_prior(&[[1.0]], &[[0.0]], 1.0, 1, log_gamma);
/// assert!((prior - (0.5 + 1.5 * 2.0f64.ln() + log_gamma)).abs() < 1e-15);
/// ```
///
/// # Panics
/// If `icf` has less than `d` columns.
#[smooth]
pub fn log_prior(diagonal: &[[f64; d]; k], icf: &[[f64; t]; k], gamma: f64, m: usize, log_gamma: f64) -> f64 {
    let wishart = |c: usize| {
        let squares = vector_sq_norm(&diagonal[c]) + vector_sq_norm(&icf[c][d..]);
        0.5 * gamma * gamma * squares - m as f64 * vector_sum(&icf[c][..d])
    };
    let exponent = ((d + m + 1) * d) as f64;
    let constant = exponent * (gamma.ln() - 0.5 * LN_2) - log_gamma;
    sum(k, wishart) - k as f64 * constant
}

/// ADBench's objective: log likelihood *plus* [`log_prior`].
///
/// ```
/// use smooth_workloads::{data, gmm::Problem, kernels::gmm::gmm_adbench};
///
/// let p = Problem::read(&data("gmm/test.txt"))?;
/// let value = gmm_adbench(&p.alphas, &p.means, &p.icf, &p.points, p.gamma, p.m, p.log_gamma());
/// assert!((value - 8.07380408004976).abs() < 1e-12);
/// # Ok::<_, smooth_workloads::ReadError>(())
/// ```
///
/// # Panics
/// If there is no component, or if `icf` has less than `d (d + 1) / 2` columns.
#[smooth]
pub fn gmm_adbench(
    alphas: &[f64; k],
    means: &[[f64; d]; k],
    icf: &[[f64; t]; k],
    x: &[[f64; d]; n],
    gamma: f64,
    m: usize,
    log_gamma: f64,
) -> f64 {
    let diagonal = diagonals(d, icf);
    log_likelihood(alphas, means, &diagonal, icf, x) + log_prior(&diagonal, icf, gamma, m, log_gamma)
}

/// GradBench's objective, the log of the posterior: log likelihood *minus* [`log_prior`].
///
/// ```
/// use smooth_workloads::{data, gmm::Problem, kernels::gmm::gmm_gradbench};
///
/// let p = Problem::read(&data("gmm/test.txt"))?;
/// let value = gmm_gradbench(&p.alphas, &p.means, &p.icf, &p.points, p.gamma, p.m, p.log_gamma());
/// assert!((value - (2.0 * -5.99677823330429 - 8.07380408004976)).abs() < 1e-12);
/// # Ok::<_, smooth_workloads::ReadError>(())
/// ```
///
/// # Panics
/// If there is no component, or if `icf` has less than `d (d + 1) / 2` columns.
#[smooth]
pub fn gmm_gradbench(
    alphas: &[f64; k],
    means: &[[f64; d]; k],
    icf: &[[f64; t]; k],
    x: &[[f64; d]; n],
    gamma: f64,
    m: usize,
    log_gamma: f64,
) -> f64 {
    let diagonal = diagonals(d, icf);
    log_likelihood(alphas, means, &diagonal, icf, x) - log_prior(&diagonal, icf, gamma, m, log_gamma)
}

/// The objective that the paper measures: `icf` is stored row by row; the constant of the likelihood and the parameters of
/// the prior are omitted.
///
/// ```
/// use smooth_workloads::kernels::gmm::gmm_reduced;
/// // One component, for which ½ |Q x|² and ½ (|diagonal|² + |l|²) are both 1.
/// assert_eq!(gmm_reduced(&[7.0], &[[0.0, 0.0]], &[[0.0, 0.0, 0.0]], &[[1.0, -1.0]]), 0.0);
/// ```
///
/// # Panics
/// If there is no component, or if `icf` has less than `d (d + 1) / 2` columns.
#[smooth]
pub fn gmm_reduced(alphas: &[f64; k], means: &[[f64; d]; k], icf: &[[f64; t]; k], x: &[[f64; d]; n]) -> f64 {
    let diagonal = diagonals(d, icf);
    let points = sum_over_points(alphas, means, &diagonal, icf, x, times_by_rows);
    let squares = sum(k, |c| vector_sq_norm(&diagonal[c]) + vector_sq_norm(&icf[c][d..]));
    points - n as f64 * logsumexp(alphas) + 0.5 * squares
}
