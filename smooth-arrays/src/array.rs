//! Arrays of the same elements in another order or shape, of any scalar type, written in the language itself.
//!
//! Inside another kernel these functions cost nothing where the result is only read: the index is computed, and the array is
//! not built.
//!
//! ```
//! use smooth::array::{concat, reshape, transpose};
//! use smooth::prelude::*;
//!
//! #[smooth]
//! fn column_sums(a: &[f64; t], n: usize, k: usize) -> [f64; k] {
//!     let m = transpose(&reshape(a, n, k));
//!     build(k, |j| sum(n, |i| m[j][i]))
//! }
//!
//! assert_eq!(column_sums(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3), [5.0, 7.0, 9.0]);
//! assert_eq!(column_sums::scratch([600], 20, 30), 0);
//! ```
//!
//! | | |
//! |---|---|
//! | shape | [`reshape()`], [`flatten()`], [`transpose()`] |
//! | several in one | [`concat()`], [`concat_rows()`], [`concat_columns()`], [`stack()`] |
//! | order | [`reverse()`], [`roll()`], [`take()`], [`take_rows()`] |
//! | copies | [`repeat()`], [`tile()`], [`pad()`] |
//! | numbers | [`linspace()`], [`bincount()`] |

use crate::prelude::*;

/// The rows of a matrix, one after the other.
///
/// ```
/// use smooth::array::flatten;
///
/// assert_eq!(flatten(&[[1.0, 2.0], [3.0, 4.0]]), [1.0, 2.0, 3.0, 4.0]);
/// ```
#[smooth]
pub fn flatten<T: Scalar>(m: &[[T; k]; n]) -> [T; n * k] {
    build(n * k, |i| m[i / k][i % k])
}

/// The matrix of `n` rows of `k` elements each that has the elements of `a` in their order.
///
/// A matrix of another shape is `reshape(&flatten(m), n, k)`.
///
/// ```
/// use smooth::array::reshape;
///
/// let m = reshape(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3);
/// assert_eq!((m.shape(), m[[1, 0]]), ([2, 3], 4.0));
/// assert!(reshape::try_shape([6], 2, 2).is_err());
/// ```
#[smooth]
pub fn reshape<T: Scalar>(a: &[T; t], n: usize, k: usize) -> [[T; k]; n] {
    let a: &[T; n * k] = a;
    build([n, k], |i, j| a[i * k + j])
}

/// The matrix with rows for columns.
///
/// ```
/// use smooth::array::transpose;
///
/// assert_eq!(transpose(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).as_slice(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// ```
#[smooth]
pub fn transpose<T: Scalar>(m: &[[T; k]; n]) -> [[T; n]; k] {
    build([k, n], |i, j| m[j][i])
}

/// The elements of `a`, then those of `b`.
///
/// ```
/// use smooth::array::concat;
///
/// assert_eq!(concat(&[1.0], &[2.0, 3.0]), [1.0, 2.0, 3.0]);
/// ```
#[smooth]
pub fn concat<T: Scalar>(a: &[T; n], b: &[T; m]) -> [T; n + m] {
    build(n + m, |i| if i < n { a[i] } else { b[i - n] })
}

/// The rows of `a`, then those of `b`.
///
/// ```
/// use smooth::array::concat_rows;
///
/// assert_eq!(concat_rows(&[[1.0, 2.0]], &[[3.0, 4.0]]).as_slice(), [1.0, 2.0, 3.0, 4.0]);
/// ```
#[smooth]
pub fn concat_rows<T: Scalar>(a: &[[T; k]; n], b: &[[T; k]; m]) -> [[T; k]; n + m] {
    build([n + m, k], |i, j| if i < n { a[i][j] } else { b[i - n][j] })
}

/// Each row of `a`, continued by the one of `b`.
///
/// ```
/// use smooth::array::concat_columns;
///
/// assert_eq!(concat_columns(&[[1.0, 2.0]], &[[3.0]]).as_slice(), [1.0, 2.0, 3.0]);
/// ```
#[smooth]
pub fn concat_columns<T: Scalar>(a: &[[T; k]; n], b: &[[T; l]; n]) -> [[T; k + l]; n] {
    build([n, k + l], |i, j| if j < k { a[i][j] } else { b[i][j - k] })
}

/// The matrix of two rows, `a` and `b`.
///
/// Inside a kernel `[a, b, c]` is the matrix of three.
///
/// ```
/// use smooth::array::stack;
///
/// assert_eq!(stack(&[1.0, 2.0], &[3.0, 4.0]).as_slice(), [1.0, 2.0, 3.0, 4.0]);
/// ```
#[smooth]
pub fn stack<T: Scalar>(a: &[T; n], b: &[T; n]) -> [[T; n]; 2] {
    build([2, n], |i, j| if i == 0 { a[j] } else { b[j] })
}

/// The elements from the last to the first.
///
/// ```
/// use smooth::array::reverse;
///
/// assert_eq!(reverse(&[1.0, 2.0, 3.0]), [3.0, 2.0, 1.0]);
/// ```
#[smooth]
pub fn reverse<T: Scalar>(a: &[T; n]) -> [T; n] {
    build(n, |i| a[n - 1 - i])
}

/// The elements `by` places later; those that leave at the end return at the start.
///
/// `by` may be more than `n`.
///
/// ```
/// use smooth::array::roll;
///
/// assert_eq!(roll(&[1.0, 2.0, 3.0, 4.0], 1), [4.0, 1.0, 2.0, 3.0]);
/// assert_eq!(roll(&[1.0, 2.0, 3.0, 4.0], 4 - 1), [2.0, 3.0, 4.0, 1.0]);
/// ```
#[smooth]
pub fn roll<T: Scalar>(a: &[T; n], by: usize) -> [T; n] {
    let by = by % n.max(1);
    build(n, |i| if i < by { a[n - by + i] } else { a[i - by] })
}

/// The elements at these indices.
///
/// ```
/// use smooth::array::take;
///
/// assert_eq!(take(&[1.0, 2.0, 3.0], &[2, 2, 0]), [3.0, 3.0, 1.0]);
/// ```
#[smooth]
pub fn take<T: Scalar>(a: &[T; n], indices: &[usize; m]) -> [T; m] {
    build(m, |i| a[indices[i]])
}

/// The rows at these indices.
///
/// ```
/// use smooth::array::take_rows;
///
/// assert_eq!(take_rows(&[[1, 2], [3, 4]], &[1, 1, 0]).as_slice(), [3, 4, 3, 4, 1, 2]);
/// ```
#[smooth]
pub fn take_rows<T: Scalar>(m: &[[T; k]; n], indices: &[usize; l]) -> [[T; k]; l] {
    build([l, k], |i, j| m[indices[i]][j])
}

/// Each element `times` times, one after the other.
///
/// ```
/// use smooth::array::repeat;
///
/// assert_eq!(repeat(&[1.0, 2.0], 3), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
/// ```
#[smooth]
pub fn repeat<T: Scalar>(a: &[T; n], times: usize) -> [T; n * times] {
    build(n * times, |i| a[i / times])
}

/// All elements, `times` times.
///
/// ```
/// use smooth::array::tile;
///
/// assert_eq!(tile(&[1.0, 2.0], 3), [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
/// ```
#[smooth]
pub fn tile<T: Scalar>(a: &[T; n], times: usize) -> [T; n * times] {
    build(n * times, |i| a[i % n])
}

/// `before` times `x`, then the elements, then `after` times `x`.
///
/// ```
/// use smooth::array::pad;
///
/// assert_eq!(pad(&[1, 2], 1, 2, 0), [0, 1, 2, 0, 0]);
/// ```
#[smooth]
pub fn pad<T: Scalar>(a: &[T; n], before: usize, after: usize, x: T) -> [T; before + n + after] {
    build(before + n + after, |i| if i >= before && i - before < n { a[i - before] } else { x })
}

/// `n` numbers at equal distances, from `first` to `last`.
///
/// A single number is `first`. They are finite if both ends are, ascend or descend without exception, and the ends are
/// `first` and `last`, bit for bit.
///
/// ```
/// use smooth::array::linspace;
///
/// assert_eq!(linspace(0.0, 1.0, 5), [0.0, 0.25, 0.5, 0.75, 1.0]);
/// ```
#[smooth]
pub fn linspace<T: Real>(first: T, last: T, n: usize) -> [T; n] {
    let (distance, steps) = (last - first, (n.max(2) - 1) as T);
    if (distance * steps).is_finite() {
        build(n, |i| at_end(first, last, n, i, first + distance * i as T / steps))
    } else {
        // The products overflow, and perhaps the distance, too.
        build(n, |i| {
            let part = i as T / steps;
            let x = if distance.is_finite() { first + distance * part } else { first * (1.0 - part) + last * part };
            at_end(first, last, n, i, x)
        })
    }
}

/// `x`, unless it is one of the ends or was rounded to something beyond `last`.
#[smooth]
fn at_end<T: Real>(first: T, last: T, n: usize, i: usize, x: T) -> T {
    if i == 0 {
        first
    } else if i + 1 == n || first <= last && x > last || first >= last && x < last {
        last
    } else {
        x
    }
}

/// The number of occurrences of each of the numbers `0..bins`.
///
/// ```
/// use smooth::array::bincount;
///
/// assert_eq!(bincount(&[0, 2, 2, 1, 2], 4), [1, 1, 3, 0]);
/// ```
///
/// # Panics
/// If a number is not below `bins`.
#[smooth]
pub fn bincount(a: &[usize; n], bins: usize) -> [usize; bins] {
    let mut count = [0; bins];
    for &x in a {
        count[x] += 1;
    }
    count
}
