//! Sorting and searching, written in the language itself.
//!
//! Numbers ascend, and NaN comes after all of them. 0.0 and -0.0 are equal, and so are all NaN. Every sort is stable: what is
//! equal keeps its order.
//!
//! ```
//! use smooth::sort::{argsort, lower_bound, sort};
//!
//! let a = [3.0, f64::NAN, 1.0, 2.0];
//! assert_eq!(sort(&a)[..3], [1.0, 2.0, 3.0]);
//! assert_eq!(argsort(&a), [2, 3, 0, 1]);
//! assert_eq!(lower_bound(&[1.0, 2.0, 3.0], 2.5), 2);
//! ```
//!
//! Integers, tuples and everything else with an order have [`argsort_by`] and [`partition_point`], which take a function:
//!
//! ```
//! use smooth::prelude::*;
//! use smooth::sort::argsort_by;
//!
//! /// By the first of two keys; where these are equal, by the second.
//! #[smooth]
//! fn in_order(edges: &[(u32, u32); n]) -> [(u32, u32); n] {
//!     let order = argsort_by(n, |i, j| edges[i].0 < edges[j].0 || edges[i].0 == edges[j].0 && edges[i].1 < edges[j].1);
//!     build(n, |i| edges[order[i]])
//! }
//!
//! assert_eq!(in_order((&[2, 1, 2], &[0, 5, 9])), (vec![1, 2, 2], vec![5, 0, 9]));
//! ```

use crate::prelude::*;

/// The length of the runs that are sorted by insertion.
const RUN: usize = 16;

/// Whether `x` comes before `y`.
#[smooth]
fn before<T: Scalar>(x: T, y: T) -> bool {
    x < y || x == x && y != y
}

/// Sorts an array where it is: numbers ascend, NaN comes last.
///
/// `a` has shape `[n]`. O(n log n) comparisons: runs of 16 elements by insertion, then merges of runs of twice the length
/// each time, between two buffers of its size, which are the scratch memory.
///
/// ```
/// use smooth::sort::sort_in_place;
///
/// let mut a = [3.0, 1.0, 2.0];
/// sort_in_place(&mut a);
/// assert_eq!(a, [1.0, 2.0, 3.0]);
/// ```
#[smooth]
pub fn sort_in_place<T: Scalar>(a: &mut [T; n]) {
    for start in (0..n).step_by(RUN) {
        for i in start + 1..(start + RUN).min(n) {
            let x = a[i];
            let mut j = i;
            while j > start && before(x, a[j - 1]) {
                a[j] = a[j - 1];
                j -= 1;
            }
            a[j] = x;
        }
    }
    let mut from = a.clone();
    let mut to = a.clone();
    let mut width = RUN;
    while width < n {
        for start in (0..n).step_by(2 * width) {
            let middle = (start + width).min(n);
            let end = (middle + width).min(n);
            let (mut i, mut j) = (start, middle);
            for k in start..end {
                if i < middle && !(j < end && before(from[j], from[i])) {
                    to[k] = from[i];
                    i += 1;
                } else {
                    to[k] = from[j];
                    j += 1;
                }
            }
        }
        (from, to) = (to, from);
        width *= 2;
    }
    a.copy_from_slice(&from);
}

/// The elements in order: numbers ascend, NaN comes last.
///
/// `a` has shape `[n]`, and so has the result. It is sorted as by [`sort_in_place`].
///
/// ```
/// use smooth::sort::sort;
///
/// assert_eq!(sort(&[3.0, 1.0, 2.0]), [1.0, 2.0, 3.0]);
/// assert_eq!(sort(&[3.0f32, -f32::INFINITY]), [-f32::INFINITY, 3.0]);
/// ```
#[smooth]
pub fn sort<T: Scalar>(a: &[T; n]) -> [T; n] {
    let mut sorted = a.clone();
    sort_in_place(&mut sorted);
    sorted
}

/// The indices of the elements in their order: `a[argsort(a)[0]]` is the smallest.
///
/// `a` has shape `[n]`, and so has the result.
///
/// ```
/// use smooth::sort::argsort;
///
/// assert_eq!(argsort(&[3.0, 1.0, 2.0, 1.0]), [1, 3, 2, 0]);
/// ```
#[smooth]
pub fn argsort<T: Scalar>(a: &[T; n]) -> [usize; n] {
    argsort_by(n, |i, j| before(a[i], a[j]))
}

/// The numbers `0..n` in the order that a function says: `before(i, j)` is whether `i` has to be before `j`.
///
/// The result has shape `[n]`. O(n log n) calls of the function, and two buffers, as [`sort_in_place`]. If the function
/// is no order, the result is some order of `0..n`.
///
/// ```
/// use smooth::sort::argsort_by;
///
/// let words = ["pear", "fig", "apple"];
/// assert_eq!(argsort_by(3, |i, j| words[i] < words[j]), [2, 1, 0]);
/// ```
///
/// # Panics
/// If the function does.
#[smooth]
pub fn argsort_by(n: usize, before: impl Fn(usize, usize) -> bool) -> [usize; n] {
    let mut from = build(n, |i| i);
    for start in (0..n).step_by(RUN) {
        for i in start + 1..(start + RUN).min(n) {
            let mut j = i;
            while j > start && before(i, from[j - 1]) {
                from[j] = from[j - 1];
                j -= 1;
            }
            from[j] = i;
        }
    }
    let mut to = from.clone();
    let mut width = RUN;
    while width < n {
        for start in (0..n).step_by(2 * width) {
            let middle = (start + width).min(n);
            let end = (middle + width).min(n);
            let (mut i, mut j) = (start, middle);
            for k in start..end {
                if i < middle && !(j < end && before(from[j], from[i])) {
                    to[k] = from[i];
                    i += 1;
                } else {
                    to[k] = from[j];
                    j += 1;
                }
            }
        }
        (from, to) = (to, from);
        width *= 2;
    }
    from
}

/// The place of each element in the order, from 0: the inverse of [`argsort`].
///
/// `a` has shape `[n]`, and so has the result. Equal elements have different places, in their order.
///
/// ```
/// use smooth::sort::rank;
///
/// assert_eq!(rank(&[30.0, 10.0, 20.0, 10.0]), [3, 0, 2, 1]);
/// ```
#[smooth]
pub fn rank<T: Scalar>(a: &[T; n]) -> [usize; n] {
    let order = argsort(a);
    let mut rank = [0; n];
    for i in 0..n {
        rank[order[i]] = i;
    }
    rank
}

/// Whether the elements are in order.
///
/// `a` has shape `[n]`.
///
/// ```
/// use smooth::sort::is_sorted;
///
/// assert!(is_sorted(&[1.0, 1.0, f64::NAN]));
/// assert!(!is_sorted(&[2.0, 1.0]));
/// ```
#[smooth]
pub fn is_sorted<T: Scalar>(a: &[T; n]) -> bool {
    all(n.max(1) - 1, |i| !before(a[i + 1], a[i]))
}

/// The number of elements of a sorted array that are before `x`: the first index at which `x` could be inserted.
///
/// `a` has shape `[n]`. O(log n); if `a` is not sorted, the result is some number up to `n`.
///
/// ```
/// use smooth::sort::lower_bound;
///
/// assert_eq!(lower_bound(&[1.0, 2.0, 2.0, 3.0], 2.0), 1);
/// ```
#[smooth]
pub fn lower_bound<T: Scalar>(a: &[T; n], x: T) -> usize {
    partition_point(n, |i| before(a[i], x))
}

/// The number of elements of a sorted array that are not after `x`: the last index at which `x` could be inserted.
///
/// `a` has shape `[n]`. O(log n); if `a` is not sorted, the result is some number up to `n`.
///
/// ```
/// use smooth::sort::upper_bound;
///
/// assert_eq!(upper_bound(&[1.0, 2.0, 2.0, 3.0], 2.0), 3);
/// ```
#[smooth]
pub fn upper_bound<T: Scalar>(a: &[T; n], x: T) -> usize {
    partition_point(n, |i| !before(x, a[i]))
}

/// The number of `i` below `n` for which `holds(i)`, if it holds for the first ones and for no others. O(log n).
///
/// ```
/// use smooth::sort::partition_point;
///
/// let years = [1969, 1983, 2015];
/// assert_eq!(partition_point(3, |i| years[i] < 2000), 2);
/// ```
///
/// # Panics
/// If the function does.
#[smooth]
pub fn partition_point(n: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
