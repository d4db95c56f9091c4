//! Hand-written versions of the workloads: the baseline in benchmarks, which generated kernels have to match.
//!
//! Plain scalar Rust as a good engineer would write it for speed: values are in registers, nothing is computed
//! twice, and there are no `unsafe` and no intrinsics.

use crate::ba::Problem;

pub mod gmm;
pub mod hand;
pub mod lstm;

/// The projection of a point into the image of a camera (the paper's Figure 13).
///
/// The camera is rotation `r` (axis times angle), centre `C`, focal length `f`, principal point
/// `x0` and radial distortion `k`, in this order:
///
/// ```text
/// z = rodrigues(r, X - C)
/// p = (z0, z1) * (1 / z2)
/// ρ = p · p
/// project = p * (1 + k0 ρ + k1 ρ²) * f + x0
/// ```
///
/// A point in the plane of the camera (`z2 = 0`) gives infinities or NaN.
///
/// One square root, one sine and cosine of the same angle, two divisions. The figure prints
/// `vectorNorm` for `ρ` and for the square of the angle; both are *squared* norms.
#[inline]
pub fn project(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    let [r0, r1, r2, c0, c1, c2, f, u0, v0, k0, k1] = *cam;
    let [z0, z1, z2] = rodrigues([r0, r1, r2], [x[0] - c0, x[1] - c1, x[2] - c2]);
    let inverse = 1.0 / z2;
    let (p0, p1) = (z0 * inverse, z1 * inverse);
    let rho = p0 * p0 + p1 * p1;
    let l = 1.0 + k0 * rho + k1 * rho * rho;
    [p0 * l * f + u0, p1 * l * f + v0]
}

/// `y` rotated about the axis `r` by the angle `|r|`.
#[inline]
fn rodrigues(r: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    let t2 = dot(r, r);
    if t2 != 0.0 {
        let theta = t2.sqrt();
        let (sin, cos) = theta.sin_cos();
        let inverse = 1.0 / theta;
        let a = r.map(|x| x * inverse);
        let b = cross(a, y);
        let along = dot(a, y) * (1.0 - cos);
        [
            y[0] * cos + b[0] * sin + a[0] * along,
            y[1] * cos + b[1] * sin + a[1] * along,
            y[2] * cos + b[2] * sin + a[2] * along,
        ]
    } else {
        let b = cross(r, y);
        [y[0] + b[0], y[1] + b[1], y[2] + b[2]]
    }
}

#[inline]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The objective of bundle adjustment: reprojection errors and weight errors.
pub fn ba_objective(p: &Problem) -> (Vec<[f64; 2]>, Vec<f64>) {
    let count = p.observations.len();
    let (mut errors, mut weight_errors) = (vec![[0.0; 2]; count], vec![0.0; count]);
    ba_objective_into(&mut errors, &mut weight_errors, p);
    (errors, weight_errors)
}

/// [`ba_objective`], written to the given slices.
///
/// # Panics
/// If an index of an observation is out of range.
pub fn ba_objective_into(errors: &mut [[f64; 2]], weight_errors: &mut [f64], p: &Problem) {
    for (out, error) in errors.iter_mut().zip(p.reprojection_errors(project)) {
        *out = error;
    }
    for (out, error) in weight_errors.iter_mut().zip(p.weight_errors()) {
        *out = error;
    }
}
