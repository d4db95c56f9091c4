//! Rotations in space, as matrices that a vector is multiplied with from the right: `matvec(r, v)`. Angles are in radians, and
//! counter-clockwise when the axis points at the viewer.

#[cfg(any(feature = "std", feature = "libm"))]
use super::vector::vector_dot;
use crate::prelude::*;

/// The rotation about the x axis: y turns to z.
///
/// The result has shape `[3, 3]`.
///
/// ```
/// use smooth::linalg::rotation_x;
///
/// assert_eq!(rotation_x(0.0), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
/// ```
#[smooth]
pub fn rotation_x<T: Real>(angle: T) -> [[T; 3]; 3] {
    let (s, c) = angle.sin_cos();
    [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
}

/// The rotation about the y axis: z turns to x.
///
/// The result has shape `[3, 3]`.
///
/// ```
/// use smooth::linalg::{matvec, rotation_y};
///
/// let turned = matvec(&rotation_y(std::f64::consts::FRAC_PI_2), &[0.0, 0.0, 1.0]);
/// assert!((turned[0] - 1.0).abs() < 1e-15);
/// ```
#[smooth]
pub fn rotation_y<T: Real>(angle: T) -> [[T; 3]; 3] {
    let (s, c) = angle.sin_cos();
    [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
}

/// The rotation about the z axis: x turns to y.
///
/// The result has shape `[3, 3]`.
///
/// ```
/// use smooth::linalg::{matvec, rotation_z};
///
/// let turned = matvec(&rotation_z(std::f64::consts::FRAC_PI_2), &[1.0, 0.0, 0.0]);
/// assert!((turned[1] - 1.0).abs() < 1e-15);
/// ```
#[smooth]
pub fn rotation_z<T: Real>(angle: T) -> [[T; 3]; 3] {
    let (s, c) = angle.sin_cos();
    [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
}

/// `c` times the identity, `s` times the cross product with `v`, and `d` times the outer product of `v` and `v`: the formula of
/// Rodrigues.
#[smooth]
fn rodrigues<T: Real>(v: &[T; 3], c: T, s: T, d: T) -> [[T; 3]; 3] {
    let (x, y, z) = (v[0], v[1], v[2]);
    [
        [c + d * x * x, d * x * y - s * z, d * x * z + s * y],
        [d * x * y + s * z, c + d * y * y, d * y * z - s * x],
        [d * x * z - s * y, d * y * z + s * x, c + d * z * z],
    ]
}

/// The rotation about an axis by an angle (Rodrigues).
///
/// `axis` has shape `[3]` and any length but 0, which gives NaN. The result has shape `[3, 3]`. Needs the feature `std` or
/// `libm`, for the square root.
///
/// ```
/// use smooth::linalg::{matvec, rotation_from_axis_angle};
///
/// // A third of a turn about the diagonal: x to y, y to z, z to x.
/// let r = rotation_from_axis_angle(&[1.0, 1.0, 1.0], std::f64::consts::TAU / 3.0);
/// let turned = matvec(&r, &[1.0, 2.0, 3.0]);
/// assert!((turned[0] - 3.0).abs() < 1e-14 && (turned[1] - 1.0).abs() < 1e-14 && (turned[2] - 2.0).abs() < 1e-14);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn rotation_from_axis_angle<T: Real>(axis: &[T; 3], angle: T) -> [[T; 3]; 3] {
    let (s, c) = angle.sin_cos();
    // The squares of very short and very long axes are 0 and infinite.
    let most = max(3, |i| axis[i].abs());
    let scaled = [axis[0] / most, axis[1] / most, axis[2] / most];
    let length = vector_dot(&scaled, &scaled).sqrt();
    let unit = [scaled[0] / length, scaled[1] / length, scaled[2] / length];
    rodrigues(&unit, c, s, 1.0 - c)
}

/// The rotation about the direction of a vector by its length: the exponential of the cross product with it.
///
/// `v` has shape `[3]`; the vector 0 gives the identity, and short vectors lose no digits. The result has shape `[3, 3]`. Needs
/// the feature `std` or `libm`, for the square root.
///
/// ```
/// use smooth::linalg::{rotation_from_vector, rotation_x};
///
/// assert_eq!(rotation_from_vector(&[0.0, 0.0, 0.0]), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
/// assert!((rotation_from_vector(&[0.1f64, 0.0, 0.0])[1][2] - rotation_x(0.1)[1][2]).abs() < 1e-16);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn rotation_from_vector<T: Real>(v: &[T; 3]) -> [[T; 3]; 3] {
    let angle = vector_dot(v, v).sqrt();
    // (1 - cos a) / a² is 2 (sin (a / 2) / a)², without the difference.
    let half = (0.5 * angle).sin() / angle;
    let (s, d) = if angle == 0.0 { (1.0, 0.5) } else { (angle.sin() / angle, 2.0 * half * half) };
    rodrigues(v, angle.cos(), s, d)
}

/// The rotation of a quaternion of length 1.
///
/// `q` has shape `[4]`, the real part first; the result has shape `[3, 3]`.
///
/// ```
/// use smooth::linalg::rotation_from_quaternion;
///
/// let half_turn = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
/// assert_eq!(rotation_from_quaternion(&[0.0, 1.0, 0.0, 0.0]), half_turn);
/// ```
#[smooth]
pub fn rotation_from_quaternion<T: Real>(q: &[T; 4]) -> [[T; 3]; 3] {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3]);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}
