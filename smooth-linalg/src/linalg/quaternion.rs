//! Quaternions `[w, x, y, z]`: the real part first, as in *w + xi + yj + zk*. Quaternions of length 1 are rotations in space, `q`
//! and `-q` the same one.

#[cfg(any(feature = "std", feature = "libm"))]
use super::vector::vector_dot;
use crate::prelude::*;

/// The product of two quaternions (Hamilton): the rotation `b`, and then the rotation `a`.
///
/// `a`, `b` and the result have shape `[4]`, the real part first.
///
/// ```
/// use smooth::linalg::quaternion_mul;
///
/// let (i, j) = ([0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]);
/// assert_eq!(quaternion_mul(&i, &j), [0.0, 0.0, 0.0, 1.0]);
/// assert_eq!(quaternion_mul(&j, &i), [0.0, 0.0, 0.0, -1.0]);
/// ```
#[smooth]
pub fn quaternion_mul<T: Real>(a: &[T; 4], b: &[T; 4]) -> [T; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// The conjugate: of a quaternion of length 1, the rotation back.
///
/// `q` and the result have shape `[4]`, the real part first.
///
/// ```
/// use smooth::linalg::quaternion_conjugate;
///
/// assert_eq!(quaternion_conjugate(&[1.0, 2.0, 3.0, 4.0]), [1.0, -2.0, -3.0, -4.0]);
/// ```
#[smooth]
pub fn quaternion_conjugate<T: Real>(q: &[T; 4]) -> [T; 4] {
    [q[0], -q[1], -q[2], -q[3]]
}

/// The quaternion of length 1 in the same direction; NaN if `q` is 0.
///
/// `q` and the result have shape `[4]`. Needs the feature `std` or `libm`, for the square root.
///
/// ```
/// use smooth::linalg::quaternion_normalise;
///
/// assert_eq!(quaternion_normalise(&[0.0, 3.0, 0.0, 4.0]), [0.0, 0.6, 0.0, 0.8]);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn quaternion_normalise<T: Real>(q: &[T; 4]) -> [T; 4] {
    // By the largest part first: the squares of very short and very long quaternions are 0 and infinite.
    let most = max(4, |i| q[i].abs());
    let scaled = [q[0] / most, q[1] / most, q[2] / most, q[3] / most];
    let length = vector_dot(&scaled, &scaled).sqrt();
    [scaled[0] / length, scaled[1] / length, scaled[2] / length, scaled[3] / length]
}

/// A vector, rotated by a quaternion of length 1: the vector part of `q v q*`, in 30 operations.
///
/// `q` has shape `[4]`, the real part first; `v` and the result have shape `[3]`.
///
/// ```
/// use smooth::linalg::quaternion_rotate;
///
/// // A half turn about x.
/// assert_eq!(quaternion_rotate(&[0.0, 1.0, 0.0, 0.0], &[1.0, 2.0, 3.0]), [1.0, -2.0, -3.0]);
/// ```
#[smooth]
pub fn quaternion_rotate<T: Real>(q: &[T; 4], v: &[T; 3]) -> [T; 3] {
    // t = 2 (x, y, z) × v; v + w t + (x, y, z) × t.
    let t = [2.0 * (q[2] * v[2] - q[3] * v[1]), 2.0 * (q[3] * v[0] - q[1] * v[2]), 2.0 * (q[1] * v[1] - q[2] * v[0])];
    [
        v[0] + q[0] * t[0] + (q[2] * t[2] - q[3] * t[1]),
        v[1] + q[0] * t[1] + (q[3] * t[0] - q[1] * t[2]),
        v[2] + q[0] * t[2] + (q[1] * t[1] - q[2] * t[0]),
    ]
}

/// The rotation about an axis by an angle in radians, counter-clockwise when the axis points at the viewer.
///
/// `axis` has shape `[3]` and any length but 0, which gives NaN. The result has shape `[4]`, the real part first. Needs the
/// feature `std` or `libm`, for the square root.
///
/// ```
/// use smooth::linalg::{quaternion_from_axis_angle, quaternion_rotate};
/// use std::f64::consts::FRAC_PI_2;
///
/// let q = quaternion_from_axis_angle(&[0.0, 0.0, 2.0], FRAC_PI_2);
/// let turned = quaternion_rotate(&q, &[1.0, 0.0, 0.0]);
/// assert!((turned[0]).abs() < 1e-15 && (turned[1] - 1.0).abs() < 1e-15);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn quaternion_from_axis_angle<T: Real>(axis: &[T; 3], angle: T) -> [T; 4] {
    let (sin, cos) = (angle * 0.5).sin_cos();
    // The squares of very short and very long axes are 0 and infinite.
    let most = max(3, |i| axis[i].abs());
    let scaled = [axis[0] / most, axis[1] / most, axis[2] / most];
    let s = sin / vector_dot(&scaled, &scaled).sqrt();
    [cos, scaled[0] * s, scaled[1] * s, scaled[2] * s]
}

/// The rotation between two others, on the shorter of the two ways: `a` at `t` = 0, `b` (or `-b`, which is the same rotation) at
/// `t` = 1, with constant speed (spherical linear interpolation, Shoemake 1985).
///
/// `a`, `b` and the result have shape `[4]` and length 1. For `t` from 0 to 1 the result is exact but for two roundings; far outside
/// the error grows as the cube of `t`, since small angles lose digits in their cosine. If the cosine of the angle between them rounds
/// to 1, the interpolation is linear. Needs the feature `std` or `libm`, for the square root.
///
/// ```
/// use smooth::linalg::quaternion_slerp;
///
/// let half = 0.5f64.sqrt();
/// let turned = quaternion_slerp(&[1.0, 0.0, 0.0, 0.0], &[0.0, 0.0, 0.0, 1.0], 0.5);
/// assert!((turned[0] - half).abs() < 1e-15 && (turned[3] - half).abs() < 1e-15);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn quaternion_slerp<T: Real>(a: &[T; 4], b: &[T; 4], t: T) -> [T; 4] {
    let dot = vector_dot(a, b);
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let cos = dot.abs().min(1.0);
    // Small angles lose digits in their cosine, but hardly matter: the quotients are t and 1 - t, but for a part of the angle's square.
    let of_sin = 1.0 / ((1.0 - cos) * (1.0 + cos)).sqrt();
    let (s, c) = (t * cos.acos()).sin_cos();
    // sin((1 - t)·angle) = sin(angle)·c - cos·s.
    let (of_a, of_b) = if cos < 1.0 { (c - cos * of_sin * s, of_sin * s) } else { (1.0 - t, t) };
    build(4, |i| of_a * a[i] + of_b * sign * b[i])
}
