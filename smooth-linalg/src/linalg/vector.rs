//! Vectors.

use crate::prelude::*;

/// The numbers 0, 1, …, `n - 1` (Fig. 3, `vectorRange`).
///
/// The result has shape `[n]`. It is `f64`, since no argument has a type; `build(n, |i| i as T)` is the same of any type.
///
/// ```
/// use smooth::linalg::vector_range;
///
/// assert_eq!(vector_range(4), [0.0, 1.0, 2.0, 3.0]);
/// ```
#[smooth]
pub fn vector_range(n: usize) -> [f64; n] {
    build(n, |i| i as f64)
}

/// `f` of every element (Fig. 3, `vectorMap`).
///
/// ```
/// use smooth::linalg::vector_map;
///
/// assert_eq!(vector_map(&[1.0, 4.0, 9.0], f64::sqrt), [1.0, 2.0, 3.0]);
/// assert_eq!(vector_map(&[1.0, 4.0, 9.0], |x| x + 1.0), [2.0, 5.0, 10.0]);
/// ```
///
/// # Panics
/// If `f` does.
#[smooth]
pub fn vector_map<T: Real>(v: &[T; n], f: impl Fn(T) -> T) -> [T; n] {
    build(n, |i| f(v[i]))
}

/// `f` of every pair of elements (Fig. 3, `vectorMap2`).
///
/// ```
/// use smooth::linalg::vector_map2;
///
/// assert_eq!(vector_map2(&[1.0, 5.0], &[4.0, 2.0], f64::max), [4.0, 5.0]);
/// ```
///
/// # Panics
/// If `f` does.
#[smooth]
pub fn vector_map2<T: Real>(a: &[T; n], b: &[T; n], f: impl Fn(T, T) -> T) -> [T; n] {
    build(n, |i| f(a[i], b[i]))
}

/// The sum of two vectors (Fig. 3, `vectorAdd`).
///
/// ```
/// use smooth::linalg::vector_add;
///
/// assert_eq!(vector_add(&[1.0, 2.0], &[3.0, 4.0]), [4.0, 6.0]);
/// ```
#[smooth]
pub fn vector_add<T: Real>(a: &[T; n], b: &[T; n]) -> [T; n] {
    vector_map2(a, b, |x, y| x + y)
}

/// The difference of two vectors (Fig. 13 uses it as `vectorSub`).
///
/// ```
/// use smooth::linalg::vector_sub;
///
/// assert_eq!(vector_sub(&[1.0, 2.0], &[3.0, 5.0]), [-2.0, -3.0]);
/// ```
#[smooth]
pub fn vector_sub<T: Real>(a: &[T; n], b: &[T; n]) -> [T; n] {
    vector_map2(a, b, |x, y| x - y)
}

/// The product of two vectors, element by element (Fig. 3, `vectorEMul`).
///
/// ```
/// use smooth::linalg::vector_e_mul;
///
/// assert_eq!(vector_e_mul(&[1.0, 2.0], &[3.0, 4.0]), [3.0, 8.0]);
/// ```
#[smooth]
pub fn vector_e_mul<T: Real>(a: &[T; n], b: &[T; n]) -> [T; n] {
    vector_map2(a, b, |x, y| x * y)
}

/// A vector times a number (Fig. 3, `vectorSMul`).
///
/// ```
/// use smooth::linalg::vector_s_mul;
///
/// assert_eq!(vector_s_mul(&[1.0, 2.0], 3.0), [3.0, 6.0]);
/// ```
#[smooth]
pub fn vector_s_mul<T: Real>(v: &[T; n], s: T) -> [T; n] {
    vector_map(v, |x| x * s)
}

/// The sum of all elements (Fig. 3, `vectorSum`), 0 for the empty vector.
///
/// The order of additions is that of [`sum`](../../smooth/index.html#the-meaning-of-sum).
///
/// ```
/// use smooth::linalg::vector_sum;
///
/// assert_eq!(vector_sum(&[1.0, 2.0, 3.0]), 6.0);
/// assert_eq!(vector_sum(&[0.0; 0]), 0.0);
/// ```
#[smooth]
pub fn vector_sum<T: Real>(v: &[T; n]) -> T {
    sum(n, |i| v[i])
}

/// The dot product (Fig. 3, `vectorDot`), 0 for empty vectors.
///
/// The order of additions is that of [`sum`](../../smooth/index.html#the-meaning-of-sum).
///
/// ```
/// use smooth::linalg::vector_dot;
///
/// assert_eq!(vector_dot(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
/// ```
#[smooth]
pub fn vector_dot<T: Real>(a: &[T; n], b: &[T; n]) -> T {
    vector_sum(&vector_e_mul(a, b))
}

/// The square of the Euclidean norm: the sum of the squares (Fig. 13 uses it on a rotation vector and on a point in
/// the image plane).
///
/// The order of additions is that of [`sum`](../../smooth/index.html#the-meaning-of-sum).
///
/// ```
/// use smooth::linalg::vector_sq_norm;
///
/// assert_eq!(vector_sq_norm(&[3.0, 4.0]), 25.0);
/// ```
#[smooth]
pub fn vector_sq_norm<T: Real>(v: &[T; n]) -> T {
    vector_dot(v, v)
}

/// The Euclidean norm (Fig. 3, `vectorNorm`): the square root of [`vector_sq_norm()`], which overflows for
/// elements beyond 1e154.
///
/// Needs the feature `std` or `libm`, for the square root.
///
/// ```
/// use smooth::linalg::vector_norm;
///
/// assert_eq!(vector_norm(&[3.0, 4.0]), 5.0);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn vector_norm<T: Real>(v: &[T; n]) -> T {
    vector_dot(v, v).sqrt()
}

/// The elements at indices `s..=e` (Fig. 3, `vectorSlice`).
///
/// `v` has shape `[n]`, the result has shape `[e - s + 1]`: *both* ends are included, as in the paper. The language
/// also has Rust's half-open `&v[start..end]`.
///
/// ```
/// use smooth::linalg::vector_slice;
///
/// assert_eq!(vector_slice(&[1.0, 2.0, 3.0, 4.0], 1, 2), [2.0, 3.0]);
/// ```
///
/// # Panics
/// If `s > e + 1` or `e >= n`. (For `s = e + 1` the result is empty.)
#[smooth]
pub fn vector_slice<T: Real>(v: &[T; n], s: usize, e: usize) -> [T; e + 1 - s] {
    v[s..e + 1].to_vec()
}

/// The cross product of two vectors in space (Fig. 13 uses it as `vectorCross`).
///
/// `a`, `b` and the result have shape `[3]`, which Rust's type checker ensures.
///
/// ```
/// use smooth::linalg::vector_cross;
///
/// assert_eq!(vector_cross(&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
/// ```
#[smooth]
pub fn vector_cross<T: Real>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The outer product: row `i`, column `j` is `a[i] * b[j]` (Fig. 3, `vectorOutProd`, there a
/// [`matrix_mul`](super::matrix_mul()) of matrices with one row and one column).
///
/// ```
/// use smooth::linalg::vector_out_prod;
///
/// let product = vector_out_prod(&[1.0, 2.0], &[3.0, 4.0, 5.0]);
/// assert_eq!(product.shape(), [2, 3]);
/// assert_eq!(product.as_slice(), [3.0, 4.0, 5.0, 6.0, 8.0, 10.0]);
/// ```
#[smooth]
pub fn vector_out_prod<T: Real>(a: &[T; n], b: &[T; m]) -> [[T; m]; n] {
    build([n, m], |i, j| a[i] * b[j])
}
