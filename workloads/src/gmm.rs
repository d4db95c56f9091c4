//! Gaussian mixture models: the input data, and the reader of ADBench's files.
//!
//! A file is a list of numbers separated by whitespace, broken into lines anywhere:
//!
//! ```text
//! d k n         sizes: dimensions, components, points
//! alphas        k logs of weights
//! means         k times d
//! icf           k times d (d + 1) / 2: logs of a factor's diagonal (d), then what is below it
//! points        n times d
//! gamma m       of the prior: a positive number, an integer
//! ```
use crate::read::{self, Numbers, ReadError};
use smooth::Array;
use std::f64::consts::{LN_2, PI};
use std::path::Path;

/// Points, and a mixture that may have produced them.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Logs of the components' weights, not normalised: `k`.
    pub alphas: Vec<f64>,
    /// Their means: `k × d`.
    pub means: Array<f64, 2>,
    /// The inverses of their covariances' Cholesky factors, `k × d (d + 1) / 2`: logs of the diagonal, and what is
    /// below it, column by column.
    pub icf: Array<f64, 2>,
    /// The points: `n × d`.
    pub points: Array<f64, 2>,
    /// Of the prior.
    pub gamma: f64,
    /// Of the prior.
    pub m: usize,
}

impl Problem {
    /// Reads a file.
    ///
    /// What comes back has at least one dimension, component and point, only finite numbers, and a positive
    /// `gamma`.
    ///
    /// # Errors
    /// If the file cannot be read, or for any of the reasons that [`parse`](Problem::parse) has.
    pub fn read(path: &Path) -> Result<Problem, ReadError> {
        Problem::parse(&read::text(path)?, &path.display().to_string())
    }

    /// Reads the text of a file; `file` is its name in errors.
    ///
    /// # Errors
    /// If there are too few or too many numbers, if one is not a number or not finite, if one of the sizes is not a
    /// positive integer, if the problem would consist of more than 2³¹ numbers, if `gamma` is not positive, or `m`
    /// is no integer from 0 to a billion.
    pub fn parse(text: &str, file: &str) -> Result<Problem, ReadError> {
        let mut numbers = Numbers::of_file(text, file);
        let [d, k, n] = numbers.sizes(|[d, k, n]| d + k * (1.0 + d + d * (d + 1.0) / 2.0) + n * d)?;
        let mut rows = |rows: usize, columns: usize, what: &str| {
            let mut all = Vec::new();
            for _ in 0..rows {
                numbers.push(&mut all, columns, what)?;
            }
            Ok(all)
        };
        let alphas = rows(1, k, "alpha")?;
        let means = rows(k, d, "mean")?;
        let icf = rows(k, d * (d + 1) / 2, "icf")?;
        let points = rows(n, d, "point")?;
        let [gamma] = numbers.take("prior")?;
        if gamma <= 0.0 {
            return Err(numbers.error(format!("{gamma} is not positive (prior number 1)")));
        }
        let m = numbers.index(1_000_000_001, 1, 2, "prior")?;
        numbers.end()?;
        Ok(Problem {
            alphas,
            means: Array::from_vec(means, [k, d]),
            icf: Array::from_vec(icf, [k, d * (d + 1) / 2]),
            points: Array::from_vec(points, [n, d]),
            gamma,
            m,
        })
    }

    /// Dimensions, components, points.
    pub fn sizes(&self) -> [usize; 3] {
        [self.means.shape()[1], self.alphas.len(), self.points.shape()[0]]
    }

    /// The logarithm of the multivariate Γ function that the prior needs: of dimension `d`, at `(d + m + 1) / 2`.
    pub fn log_gamma(&self) -> f64 {
        let [d, ..] = self.sizes();
        let constant = (d * (d - 1)) as f64 / 4.0 * PI.ln();
        constant + (1..=d).map(|j| ln_gamma_of_half(d + self.m + 2 - j)).sum::<f64>()
    }
}

/// `ln Γ(n / 2)` for a positive integer, by `Γ(x + 1) = x Γ(x)`.
fn ln_gamma_of_half(n: usize) -> f64 {
    // Γ(1/2) = √π, Γ(1) = 1.
    let (first, start) = if n.is_multiple_of(2) { (2, 0.0) } else { (1, 0.5 * PI.ln()) };
    start + (first..n).step_by(2).map(|k| (k as f64).ln() - LN_2).sum::<f64>()
}
