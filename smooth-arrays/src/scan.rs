//! Cumulative sums, products and extremes, written in the language itself.
//!
//! Each is a [scan](../../smooth/guide/reference/index.html#scans): one loop in
//! source order, which writes its destination and stores nothing else. An argument that is computed element by element is
//! not stored either:
//!
//! ```
//! use smooth::prelude::*;
//! use smooth::scan::cumsum;
//!
//! /// The distances along a path.
//! #[smooth]
//! fn lengths(p: &[[f64; 2]; n]) -> [f64; n - 1] {
//!     cumsum(&build(n - 1, |i| (p[i + 1][0] - p[i][0]).hypot(p[i + 1][1] - p[i][1])))
//! }
//!
//! assert_eq!(lengths(&[[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]]), [5.0, 6.0]);
//! assert_eq!(lengths::scratch([1000, 2]), 0);
//! ```
//!
//! They take floats and integers. Because of the order, the last element of [`cumsum()`] of floats may differ from `sum` in its
//! last bits.

use crate::prelude::*;

/// The sums of the first 1, 2, …, `n` elements, added in source order.
///
/// From a NaN on, all sums are NaN.
///
/// ```
/// use smooth::scan::cumsum;
///
/// assert_eq!(cumsum(&[1.0, 2.0, 3.0]), [1.0, 3.0, 6.0]);
/// assert_eq!(cumsum(&[1u8, 2, 3]), [1, 3, 6]);
/// ```
///
/// # Panics
/// If a sum of integers overflows, in a build with overflow checks.
#[smooth]
pub fn cumsum<T: Number>(a: &[T; n]) -> [T; n] {
    scan(n, -0.0 as T, |s, i| s + a[i])
}

/// The sums of the first 0, 1, …, `n - 1` elements, added in source order: where each of several parts of these lengths
/// starts.
///
/// ```
/// use smooth::scan::cumsum_exclusive;
///
/// assert_eq!(cumsum_exclusive(&[3usize, 1, 2]), [0, 3, 4]);
/// ```
///
/// # Panics
/// If a sum of integers overflows, in a build with overflow checks.
#[smooth]
pub fn cumsum_exclusive<T: Number>(a: &[T; n]) -> [T; n] {
    scan_exclusive(n, 0, |s, i| s + a[i])
}

/// The differences of neighbours, the later one minus the earlier one: the inverse of [`cumsum()`].
///
/// ```
/// use smooth::scan::differences;
///
/// assert_eq!(differences(&[1.0, 3.0, 6.0]), [2.0, 3.0]);
/// ```
///
/// # Panics
/// If there are no elements; if a difference of integers overflows, in a build with overflow checks.
#[smooth]
pub fn differences<T: Number>(a: &[T; n]) -> [T; n - 1] {
    build(n - 1, |i| a[i + 1] - a[i])
}

/// The products of the first 1, 2, …, `n` elements, multiplied in source order.
///
/// From a NaN on, all products are NaN.
///
/// ```
/// use smooth::scan::cumprod;
///
/// assert_eq!(cumprod(&[1.0, 2.0, 3.0, 4.0]), [1.0, 2.0, 6.0, 24.0]);
/// ```
///
/// # Panics
/// If a product of integers overflows, in a build with overflow checks.
#[smooth]
pub fn cumprod<T: Number>(a: &[T; n]) -> [T; n] {
    scan(n, 1, |s, i| s * a[i])
}

/// The largest of the first 1, 2, …, `n` elements.
///
/// NaN is ignored, as in `f64::max`: before the first number that is not NaN,
/// the largest is -∞.
///
/// ```
/// use smooth::scan::cummax;
///
/// assert_eq!(cummax(&[1.0, 3.0, f64::NAN, 2.0]), [1.0, 3.0, 3.0, 3.0]);
/// ```
#[smooth]
pub fn cummax<T: Number>(a: &[T; n]) -> [T; n] {
    scan(n, f64::NEG_INFINITY as T, |s, i| if a[i] > s { a[i] } else { s })
}

/// The smallest of the first 1, 2, …, `n` elements.
///
/// NaN is ignored, as in `f64::min`: before the first number that is not NaN,
/// the smallest is +∞.
///
/// ```
/// use smooth::scan::cummin;
///
/// assert_eq!(cummin(&[3.0, 1.0, f64::NAN, 2.0]), [3.0, 1.0, 1.0, 1.0]);
/// ```
#[smooth]
pub fn cummin<T: Number>(a: &[T; n]) -> [T; n] {
    scan(n, f64::INFINITY as T, |s, i| if a[i] < s { a[i] } else { s })
}
