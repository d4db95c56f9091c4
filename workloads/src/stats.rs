//! Summaries of residuals.

/// Statistics of the differences of projections and features.
///
/// Everything but `sum_of_squares` is about the *error* of an observation: the Euclidean norm of
/// its residual `w * (projection - feature)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// The number of observations.
    pub count: usize,
    /// The sum of the squares of all components of all residuals.
    pub sum_of_squares: f64,
    /// The mean error.
    pub mean: f64,
    /// The root of the mean squared error.
    pub rms: f64,
    /// The largest error.
    pub max: f64,
    /// The median error; for an even number of observations, the mean of the two in the middle.
    pub median: f64,
}

impl Residuals {
    /// Summarises the residuals, one pair per observation; `None` if there are none.
    ///
    /// Sums are compensated (Neumaier), so they are accurate to almost the last digit for any number of
    /// terms in any order.
    ///
    /// If a residual is NaN, all fields except `count` and `median` are NaN; for `median` it is an error larger
    /// than any other.
    pub fn of(residuals: impl IntoIterator<Item = [f64; 2]>) -> Option<Residuals> {
        let squares = residuals.into_iter().map(|[u, v]| u * u + v * v);
        let (mut square_sum, mut error_sum) = (Sum::default(), Sum::default());
        let mut errors: Vec<f64> = squares
            .map(|square| {
                // `abs` clears the sign of a NaN, so that it is ordered last.
                let error = square.sqrt().abs();
                square_sum.add(square);
                error_sum.add(error);
                error
            })
            .collect();
        errors.sort_unstable_by(f64::total_cmp);
        let count = errors.len();
        let sum_of_squares = square_sum.value();
        Some(Residuals {
            count,
            sum_of_squares,
            mean: error_sum.value() / count as f64,
            rms: (sum_of_squares / count as f64).sqrt(),
            max: *errors.last()?,
            median: f64::midpoint(errors[(count - 1) / 2], errors[count / 2]),
        })
    }
}

/// A sum and its accumulated rounding error.
#[derive(Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() { (self.sum - sum) + term } else { (term - sum) + self.sum };
        self.sum = sum;
    }

    fn value(&self) -> f64 {
        // If the sum is infinite, `lost` is ∞ - ∞.
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summarises_residuals() {
        let errors = [[0.0, 0.0], [3.0, -4.0], [-6.0, 8.0], [0.0, 2.0], [5.0, 12.0]];
        let want = Residuals {
            count: 5,
            sum_of_squares: 25.0 + 100.0 + 4.0 + 169.0,
            mean: 6.0,
            rms: (298.0f64 / 5.0).sqrt(),
            max: 13.0,
            median: 5.0,
        };
        assert_eq!(Residuals::of(errors), Some(want));
    }

    #[test]
    fn the_median_of_an_even_number_is_a_mean() {
        let errors = [[10.0, 0.0], [0.0, 1.0], [0.0, 4.0], [-2.0, 0.0]];
        assert_eq!(Residuals::of(errors).unwrap().median, 3.0);
        assert_eq!(Residuals::of(errors[..2].to_vec()).unwrap().median, 5.5);
    }

    #[test]
    fn a_single_residual_has_all_statistics() {
        let of_one = Residuals::of([[3.0, 4.0]]).unwrap();
        assert_eq!((of_one.count, of_one.sum_of_squares), (1, 25.0));
        let Residuals { mean, rms, max, median, .. } = of_one;
        assert_eq!([mean, rms, max, median], [5.0; 4]);
    }

    #[test]
    fn no_residuals_have_no_statistics() {
        assert_eq!(Residuals::of([]), None);
    }

    #[test]
    fn sums_are_compensated() {
        // Plain summation gives 100000.00000133288 and 1e16.
        let tenths = Residuals::of(vec![[0.1, 0.0]; 1_000_000]).unwrap();
        assert_eq!(tenths.mean, 0.1);
        let large = Residuals::of([[1e8, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap();
        assert_eq!(large.sum_of_squares, 1e16 + 2.0);
    }

    #[test]
    fn infinities_and_nans_propagate() {
        let nan = Residuals::of([[1.0, 0.0], [0.0, f64::NAN], [2.0, 0.0]]).unwrap();
        assert!([nan.sum_of_squares, nan.mean, nan.rms, nan.max].iter().all(|x| x.is_nan()));
        assert_eq!((nan.count, nan.median), (3, 2.0));
        let nan = Residuals::of([[1.0, 0.0], [-f64::NAN, 0.0]]).unwrap();
        assert!(nan.max.is_nan());
        let far = Residuals::of([[1.0, 0.0], [f64::INFINITY, 0.0], [2.0, 0.0]]).unwrap();
        assert_eq!([far.sum_of_squares, far.mean, far.rms, far.max], [f64::INFINITY; 4]);
        assert_eq!(far.median, 2.0);
    }
}
