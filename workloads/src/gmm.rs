//! Gaussian mixture models: the input data, and the reader of ADBench's files.
//!
//! A file is a list of numbers separated by whitespace, broken into lines anywhere:
//!
//! ```text
//! d k n         sizes: dimensions, components, points
//! alphas        k logs of weights
//! means         k times d
//! icf           k times d (d + 1) / 2: logs of a factor's diagonal (d), then the part below it
//! points        n times d
//! gamma m       parameters of the prior: a positive number, an integer
//! ```
use crate::read::{self, Numbers, ReadError};
use smooth::Array;
use std::f64::consts::{LN_2, PI};
use std::path::Path;

/// Points, and the parameters of a mixture model.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Logs of the components' weights, not normalised: `k`.
    pub alphas: Vec<f64>,
    /// Their means: `k × d`.
    pub means: Array<f64, 2>,
    /// The inverses of their covariances' Cholesky factors, `k × d (d + 1) / 2`: logs of the diagonal, then the part
    /// below it, column by column.
    pub icf: Array<f64, 2>,
    /// The points: `n × d`.
    pub points: Array<f64, 2>,
    /// The parameter γ of the prior.
    pub gamma: f64,
    /// The parameter m of the prior.
    pub m: usize,
}

impl Problem {
    /// Reads a file.
    ///
    /// The problem has at least one dimension, component and point. All numbers are finite, and `gamma` is
    /// positive.
    ///
    /// # Errors
    /// If the file cannot be read, or for the reasons given at [`parse`](Problem::parse).
    pub fn read(path: &Path) -> Result<Problem, ReadError> {
        Problem::parse(&read::text(path)?, &path.display().to_string())
    }

    /// Reads the text of a file; `file` is its name in errors.
    ///
    /// # Errors
    /// If there are too few or too many numbers, if a token is not a number or not finite, if a size is not a
    /// positive integer, if the problem would have more than 2³¹ numbers, if `gamma` is not positive, or if `m` is
    /// not an integer from 0 to a billion.
    pub fn parse(text: &str, file: &str) -> Result<Problem, ReadError> {
        let mut numbers = Numbers::of_file(text, file);
        let [d, k, n] = numbers.sizes(|[d, k, n]| d + k * (1.0 + d + d * (d + 1.0) / 2.0) + n * d)?;
        let alphas = numbers.rows(1, k, "alpha")?;
        let means = numbers.rows(k, d, "mean")?;
        let icf = numbers.rows(k, d * (d + 1) / 2, "icf")?;
        let points = numbers.rows(n, d, "point")?;
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

    /// The logarithm of the multivariate Γ function of dimension `d` at `(d + m + 1) / 2`, which the prior needs.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;

    const GOOD: &str = "2 1 3\n0.5\n1 2\n-1 -2 7\n0 0\n1 1\n2 2\n1.5 4\n";

    #[track_caller]
    fn refuses(text: &str, message: &str) {
        read::refuses(Problem::parse, text, message);
    }

    #[test]
    fn reads_a_problem() {
        let p = Problem::parse(GOOD, "data.txt").unwrap();
        assert_eq!(p.sizes(), [2, 1, 3]);
        assert_eq!((p.alphas.as_slice(), p.means.as_slice()), (&[0.5][..], &[1.0, 2.0][..]));
        assert_eq!((p.icf.shape(), p.icf.as_slice()), ([1, 3], &[-1.0, -2.0, 7.0][..]));
        assert_eq!((p.points.shape(), p.points.as_slice()), ([3, 2], &[0.0, 0.0, 1.0, 1.0, 2.0, 2.0][..]));
        assert_eq!((p.gamma, p.m), (1.5, 4));
        // Lines may break anywhere.
        let words: Vec<_> = GOOD.split_whitespace().collect();
        assert_eq!(Problem::parse(&words.join("\n"), ""), Ok(p));
    }

    #[test]
    fn reads_the_files() {
        let files = [("test", [2, 3, 1]), ("1k/gmm_d2_K5", [2, 5, 1000]), ("1k/gmm_d32_K50", [32, 50, 1000])];
        for (name, sizes) in files {
            let p = Problem::read(&data(&format!("gmm/{name}.txt"))).unwrap();
            assert_eq!((p.sizes(), p.gamma, p.m), (sizes, 1.0, 0));
        }
    }

    #[test]
    fn errors_name_the_line() {
        let with = |what: &str, by: &str| GOOD.replacen(what, by, 1);
        refuses("", "1: expected 3 header numbers, the file ends after 0");
        refuses("2 0 3", "1: \"0\" is not a positive integer (header number 2)");
        refuses("100000 1000 1", "1: \"1000\" is too large (header number 2)");
        refuses(&with("0.5", "x"), "2: \"x\" is not a number (alpha number 1)");
        refuses(&with("1 2\n", "1 inf\n"), "3: \"inf\" is not finite (mean number 2)");
        refuses(&with("7", "7e"), "4: \"7e\" is not a number (icf number 3)");
        refuses("2 1 3\n0.5\n1 2\n-1 -2 7\n0 0\n1", "6: expected 2 point numbers, the file ends after 1");
        refuses(&with("1.5 4", "0 4"), "8: 0 is not positive (prior number 1)");
        refuses(&with("1.5 4", "1.5 -4"), "8: \"-4\" is not an integer from 0 to 1000000000 (prior number 2)");
        refuses(&with("1.5 4", "1.5"), "8: expected 2 prior numbers, the file ends after 1");
        refuses(&format!("{GOOD}1"), "9: expected the end of the file, found \"1\"");
    }

    #[test]
    fn gamma_of_halves() {
        let near = |got: f64, want: f64| assert!((got - want).abs() < 1e-14, "{got} instead of {want}");
        near(ln_gamma_of_half(1), 0.5 * PI.ln());
        near(ln_gamma_of_half(2), 0.0);
        near(ln_gamma_of_half(5), (0.75 * PI.sqrt()).ln());
        near(ln_gamma_of_half(10), 24f64.ln());
        // In two dimensions Γ₂(a) = √π Γ(a) Γ(a - ½), here at a = 7/2.
        let problem = Problem::parse(GOOD, "").unwrap();
        near(problem.log_gamma(), 0.5 * PI.ln() + ln_gamma_of_half(7) + ln_gamma_of_half(6));
    }
}
