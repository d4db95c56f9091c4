//! Convolution and correlation in one and two dimensions, written in the language itself.
//!
//! A convolution adds the products of an array with a *reversed* filter, `a[i + m - 1 - j] * b[j]`, as in signal processing and in
//! `numpy.convolve`; a correlation leaves the filter as it is, as the layers of neural networks do. Three parts of the result
//! have names:
//!
//! | part | length | |
//! |---|---|---|
//! | full | `n + m - 1` | wherever array and filter overlap |
//! | same | `n` | the middle of it: from `(m - 1) / 2` on |
//! | valid | `n + 1 - m` | where all of the filter lies on the array |
//!
//! | | full | same | valid |
//! |---|---|---|---|
//! | convolution | [`convolve_full()`] | [`convolve_same()`] | [`convolve_valid()`] |
//! | of images | [`convolve2d_full()`] | [`convolve2d_same()`] | [`convolve2d_valid()`] |
//! | correlation | | | [`correlate_valid()`], [`correlate2d_valid()`] |
//!
//! Each element is added in source order. All of them take O(nm) operations, or O(nk · pq) in two dimensions, and no scratch memory.
//!
//! ```
//! use smooth::convolution::{convolve_full, convolve_same, convolve_valid};
//!
//! let (a, b) = ([1.0, 2.0, 3.0, 4.0], [1.0, 0.0, -1.0]);
//! assert_eq!(convolve_full(&a, &b), [1.0, 2.0, 2.0, 2.0, -3.0, -4.0]);
//! assert_eq!(convolve_same(&a, &b), [2.0, 2.0, 2.0, -3.0]);
//! assert_eq!(convolve_valid(&a, &b), [2.0, 2.0]);
//! ```

use crate::prelude::*;

/// The convolution, wherever array and filter overlap. It is the product of two polynomials.
///
/// `a` has shape `[n]`, `b` has shape `[m]`, the result has shape `[n + m - 1]`. O(nm).
///
/// ```
/// use smooth::convolution::convolve_full;
///
/// // (1 + 2x)(3 + 4x)
/// assert_eq!(convolve_full(&[1.0, 2.0], &[3.0, 4.0]), [3.0, 10.0, 8.0]);
/// ```
///
/// # Panics
/// If both arrays are empty.
#[smooth]
pub fn convolve_full<T: Real>(a: &[T; n], b: &[T; m]) -> [T; n + m - 1] {
    let mut out = [0.0; n + m - 1];
    for j in 0..m {
        for i in 0..n {
            out[i + j] += a[i] * b[j];
        }
    }
    out
}

/// The middle of the convolution, as long as the array: beyond its ends the array is 0.
///
/// `a` has shape `[n]`, `b` has shape `[m]`, the result has shape `[n]`: the elements of [`convolve_full()`] from `(m - 1) / 2` on,
/// also where the filter is longer than the array. O(nm).
///
/// ```
/// use smooth::convolution::convolve_same;
///
/// assert_eq!(convolve_same(&[1.0, 2.0, 3.0], &[1.0, 1.0, 1.0]), [3.0, 6.0, 5.0]);
/// ```
#[smooth]
pub fn convolve_same<T: Real>(a: &[T; n], b: &[T; m]) -> [T; n] {
    let mut out = [0.0; n];
    let before = m.saturating_sub(1) / 2;
    for j in 0..m {
        for i in before.saturating_sub(j)..(n + before).saturating_sub(j).min(n) {
            out[i + j - before] += a[i] * b[j];
        }
    }
    out
}

/// The convolution where all of the filter lies on the array.
///
/// `a` has shape `[n]`, `b` has shape `[m]`, the result has shape `[n + 1 - m]`. O(nm).
///
/// ```
/// use smooth::convolution::convolve_valid;
///
/// assert_eq!(convolve_valid(&[1.0, 2.0, 4.0, 8.0], &[1.0, -1.0]), [1.0, 2.0, 4.0]);
/// ```
///
/// # Panics
/// If the filter is longer than the array by more than one.
#[smooth]
pub fn convolve_valid<T: Real>(a: &[T; n], b: &[T; m]) -> [T; n + 1 - m] {
    build(n + 1 - m, |i| ifold(m, 0.0, |s, j| s + a[i + m - 1 - j] * b[j]))
}

/// The correlation where all of the filter lies on the array: [`convolve_valid()`] without the reversal.
///
/// `a` has shape `[n]`, `b` has shape `[m]`, the result has shape `[n + 1 - m]`. O(nm).
///
/// ```
/// use smooth::convolution::correlate_valid;
///
/// assert_eq!(correlate_valid(&[1.0, 2.0, 4.0, 8.0], &[1.0, -1.0]), [-1.0, -2.0, -4.0]);
/// ```
///
/// # Panics
/// If the filter is longer than the array by more than one.
#[smooth]
pub fn correlate_valid<T: Real>(a: &[T; n], b: &[T; m]) -> [T; n + 1 - m] {
    build(n + 1 - m, |i| ifold(m, 0.0, |s, j| s + a[i + j] * b[j]))
}

/// The convolution of an image, wherever image and filter overlap.
///
/// `a` has shape `[n, k]`, `b` has shape `[p, q]`, the result has shape `[n + p - 1, k + q - 1]`. O(nk · pq).
///
/// ```
/// use smooth::convolution::convolve2d_full;
///
/// assert_eq!(convolve2d_full(&[[1.0, 2.0]], &[[1.0], [10.0]]).as_slice(), [1.0, 2.0, 10.0, 20.0]);
/// ```
///
/// # Panics
/// If image and filter both have no rows, or both no columns.
#[smooth]
pub fn convolve2d_full<T: Real>(a: &[[T; k]; n], b: &[[T; q]; p]) -> [[T; k + q - 1]; n + p - 1] {
    let mut out = [[0.0; k + q - 1]; n + p - 1];
    for r in 0..p {
        for c in 0..q {
            for i in 0..n {
                for j in 0..k {
                    out[i + r][j + c] += a[i][j] * b[r][c];
                }
            }
        }
    }
    out
}

/// The middle of the convolution of an image, as large as the image: beyond its borders the image is 0.
///
/// `a` has shape `[n, k]`, `b` has shape `[p, q]`, the result has shape `[n, k]`: the elements of [`convolve2d_full()`] from row
/// `(p - 1) / 2` and column `(q - 1) / 2` on. O(nk · pq).
///
/// ```
/// use smooth::convolution::convolve2d_same;
///
/// let blurred = convolve2d_same(&[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[1.0; 3]; 3]);
/// assert_eq!(blurred.as_slice(), [1.0; 6]);
/// ```
#[smooth]
pub fn convolve2d_same<T: Real>(a: &[[T; k]; n], b: &[[T; q]; p]) -> [[T; k]; n] {
    let mut out = [[0.0; k]; n];
    let (above, before) = (p.saturating_sub(1) / 2, q.saturating_sub(1) / 2);
    for r in 0..p {
        for i in above.saturating_sub(r)..(n + above).saturating_sub(r).min(n) {
            for c in 0..q {
                for j in before.saturating_sub(c)..(k + before).saturating_sub(c).min(k) {
                    out[i + r - above][j + c - before] += a[i][j] * b[r][c];
                }
            }
        }
    }
    out
}

/// The convolution of an image where all of the filter lies on it.
///
/// `a` has shape `[n, k]`, `b` has shape `[p, q]`, the result has shape `[n + 1 - p, k + 1 - q]`. O(nk · pq).
///
/// ```
/// use smooth::convolution::convolve2d_valid;
///
/// assert_eq!(convolve2d_valid(&[[1.0, 2.0], [3.0, 5.0]], &[[1.0, -1.0], [-1.0, 1.0]]).as_slice(), [1.0]);
/// ```
///
/// # Panics
/// If the filter is longer or wider than the image by more than one.
#[smooth]
pub fn convolve2d_valid<T: Real>(a: &[[T; k]; n], b: &[[T; q]; p]) -> [[T; k + 1 - q]; n + 1 - p] {
    build([n + 1 - p, k + 1 - q], |i, j| {
        ifold(p, 0.0, |s, r| ifold(q, s, |s, c| s + a[i + p - 1 - r][j + q - 1 - c] * b[r][c]))
    })
}

/// The correlation of an image where all of the filter lies on it: [`convolve2d_valid()`] without the reversal.
///
/// `a` has shape `[n, k]`, `b` has shape `[p, q]`, the result has shape `[n + 1 - p, k + 1 - q]`. O(nk · pq).
///
/// ```
/// use smooth::convolution::correlate2d_valid;
///
/// assert_eq!(correlate2d_valid(&[[1.0, 2.0], [3.0, 5.0]], &[[0.0, 1.0]]).as_slice(), [2.0, 5.0]);
/// ```
///
/// # Panics
/// If the filter is longer or wider than the image by more than one.
#[smooth]
pub fn correlate2d_valid<T: Real>(a: &[[T; k]; n], b: &[[T; q]; p]) -> [[T; k + 1 - q]; n + 1 - p] {
    build([n + 1 - p, k + 1 - q], |i, j| ifold(p, 0.0, |s, r| ifold(q, s, |s, c| s + a[i + r][j + c] * b[r][c])))
}
