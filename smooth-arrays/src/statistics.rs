//! Extremes, means, variances and normalised exponentials of arrays, written in the language itself.
//!
//! ```
//! use smooth::prelude::*;
//! use smooth::statistics::{argmax, mean, softmax, variance};
//!
//! /// The columns of a table with mean 0 and variance 1.
//! #[smooth]
//! fn standardised(columns: &[[f64; n]; k]) -> [[f64; n]; k] {
//!     build(k, |i| {
//!         let (m, s) = (mean(&columns[i]), variance(&columns[i]).sqrt());
//!         build(n, |j| (columns[i][j] - m) / s)
//!     })
//! }
//!
//! assert_eq!(standardised(&[[1.0, 3.0], [0.0, 4.0]]).as_slice(), [-1.0, 1.0, -1.0, 1.0]);
//! assert_eq!(argmax(&softmax(&[0.0, 2.0, 1.0])), 1);
//! ```
//!
//! | | |
//! |---|---|
//! | extremes | [`min()`], [`max()`], [`argmin()`], [`argmax()`] |
//! | moments | [`mean()`], [`variance()`] (divided by `n`), [`sample_variance()`] (divided by `n - 1`) |
//! | exponentials | [`softmax()`], [`logsumexp()`] |
//! | elsewhere | [`sort::quantile`](crate::sort::quantile()), [`scan::cumsum`](crate::scan::cumsum()), [`linalg::vector_sum`](../../smooth/linalg/fn.vector_sum.html) |
//!
//! In a kernel, [`min()`], [`max()`], [`argmin()`] and [`argmax()`] have the names of built-in reductions, which take a number and a
//! closure: `min(a)` is the function of this module, `min(n, |i| a[i])` the built-in one, which means the same.

use crate::prelude::*;

/// The smallest number; NaN are ignored.
///
/// `a` has shape `[n]`. Of nothing, and of NaN only, it is +∞, or the largest integer of the type. O(n).
///
/// ```
/// use smooth::statistics::min;
///
/// assert_eq!(min(&[3.0, 1.0, f64::NAN]), 1.0);
/// assert_eq!(min(&[3, -1]), -1);
/// ```
#[smooth]
pub fn min<T: Number>(a: &[T; n]) -> T {
    min(n, |i| a[i])
}

/// The largest number; NaN are ignored.
///
/// `a` has shape `[n]`. Of nothing, and of NaN only, it is -∞, or the smallest integer of the type. O(n).
///
/// ```
/// use smooth::statistics::max;
///
/// assert_eq!(max(&[3.0, 1.0, f64::NAN]), 3.0);
/// ```
#[smooth]
pub fn max<T: Number>(a: &[T; n]) -> T {
    max(n, |i| a[i])
}

/// The index of the first of the smallest numbers; NaN are ignored. Of NaN only it is 0.
///
/// `a` has shape `[n]`. O(n).
///
/// ```
/// use smooth::statistics::argmin;
///
/// assert_eq!(argmin(&[3.0, 1.0, 2.0, 1.0]), 1);
/// ```
///
/// # Panics
/// If the array is empty.
#[smooth]
pub fn argmin<T: Number>(a: &[T; n]) -> usize {
    argmin(n, |i| a[i])
}

/// The index of the first of the largest numbers; NaN are ignored. Of NaN only it is 0.
///
/// `a` has shape `[n]`. O(n).
///
/// ```
/// use smooth::statistics::argmax;
///
/// assert_eq!(argmax(&[1.0, 3.0, 2.0, 3.0]), 1);
/// ```
///
/// # Panics
/// If the array is empty.
#[smooth]
pub fn argmax<T: Number>(a: &[T; n]) -> usize {
    argmax(n, |i| a[i])
}

/// The sum divided by `n`; NaN for the empty array.
///
/// `a` has shape `[n]`. O(n). The order of additions is that of [`sum`](../../smooth/index.html#the-meaning-of-sum).
///
/// ```
/// use smooth::statistics::mean;
///
/// assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
/// ```
#[smooth]
pub fn mean<T: Real>(a: &[T; n]) -> T {
    sum(n, |i| a[i]) / n as T
}

/// The sum of the squares of the deviations from the mean.
#[smooth]
fn deviations<T: Real>(a: &[T; n]) -> T {
    let centre = mean(a);
    sum(n, |i| (a[i] - centre) * (a[i] - centre))
}

/// The mean of the squares of the deviations from the mean: divided by `n`. NaN for the empty array.
///
/// `a` has shape `[n]`. O(n), in two passes, the first one for the mean, so that no digits cancel. The order of additions is
/// that of [`sum`](../../smooth/index.html#the-meaning-of-sum).
///
/// ```
/// use smooth::statistics::variance;
///
/// assert_eq!(variance(&[1.0, 3.0]), 1.0);
/// assert_eq!(variance(&[1e9 + 1.0, 1e9 + 3.0]), 1.0);
/// ```
#[smooth]
pub fn variance<T: Real>(a: &[T; n]) -> T {
    deviations(a) / n as T
}

/// An estimate of a population's variance from a sample: the sum of the squares of the deviations from the sample's mean,
/// divided by `n - 1` (Bessel). NaN for a single number, and 0 for none.
///
/// `a` has shape `[n]`. As [`variance()`] otherwise.
///
/// ```
/// use smooth::statistics::sample_variance;
///
/// assert_eq!(sample_variance(&[1.0, 3.0]), 2.0);
/// assert!(sample_variance(&[1.0f64]).is_nan());
/// ```
#[smooth]
pub fn sample_variance<T: Real>(a: &[T; n]) -> T {
    deviations(a) / (n as T - 1.0)
}

/// The shift of the exponents, so that no exponential overflows: the largest number, or 0 if that is infinite.
#[smooth]
fn shift<T: Real>(a: &[T; n]) -> T {
    let top = max(n, |i| a[i]);
    if top.is_finite() { top } else { 0.0 }
}

/// Exponentials, divided by their sum: positive numbers with the sum 1. Shifted by the largest number, so that nothing
/// overflows.
///
/// `a` has shape `[n]`, and so has the result. O(n). If a number is NaN or +∞, or if all are -∞, there are NaN in the result.
///
/// ```
/// use smooth::statistics::softmax;
///
/// assert_eq!(softmax(&[1000.0, 1000.0]), [0.5, 0.5]);
/// ```
#[smooth]
pub fn softmax<T: Real>(a: &[T; n]) -> [T; n] {
    let by = shift(a);
    let e = build(n, |i| (a[i] - by).exp());
    let total = sum(n, |i| e[i]);
    build(n, |i| e[i] / total)
}

/// The logarithm of the sum of the exponentials. Shifted by the largest number, so that nothing overflows.
///
/// `a` has shape `[n]`. O(n). Of nothing it is -∞; if a number is NaN, it is NaN.
///
/// ```
/// use smooth::statistics::logsumexp;
///
/// assert_eq!(logsumexp(&[1000.0, 1000.0]), 1000.0 + 2.0f64.ln());
/// assert_eq!(logsumexp(&[f64::NEG_INFINITY]), f64::NEG_INFINITY);
/// ```
#[smooth]
pub fn logsumexp<T: Real>(a: &[T; n]) -> T {
    let by = shift(a);
    by + sum(n, |i| (a[i] - by).exp()).ln()
}
