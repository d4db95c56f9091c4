//! The kernels of bundle adjustment, written as in Fig. 13 of the paper.
//!
//! The figure prints `vectorNorm` where the mathematics, the authors' program and these kernels have the squared
//! norm.

use smooth::linalg::{vector_add, vector_cross, vector_dot, vector_s_mul, vector_slice, vector_sq_norm, vector_sub};
use smooth::prelude::*;

/// Radial distortion of a projected point: `proj · (1 + k₀ρ + k₁ρ²)` with `ρ = |proj|²`.
///
/// Source: Fig. 13, `radialDistort`.
///
/// ```
/// use smooth_workloads::project::radial_distort;
/// assert_eq!(radial_distort(&[1.0, 0.5], &[1.0, 1.0]), [5.0, 5.0]);
/// ```
#[smooth]
pub fn radial_distort(radical: &[f64; 2], proj: &[f64; 2]) -> [f64; 2] {
    let rsq = vector_sq_norm(proj);
    let l = 1.0 + radical[0] * rsq + radical[1] * rsq * rsq;
    vector_s_mul(proj, l)
}

/// Rotates `x` about the axis `rotation` by the angle `|rotation|` (radians); to first order if the angle is 0.
///
/// Source: Fig. 13, `rodriguesRotate`.
///
/// ```
/// use smooth_workloads::project::rodrigues_rotate;
/// let turned = rodrigues_rotate(&[0.0, 0.0, std::f64::consts::PI], &[1.0, 0.0, 0.0]);
/// assert!((turned[0] + 1.0).abs() < 1e-15);
/// assert_eq!(rodrigues_rotate(&[0.0; 3], &[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
/// ```
#[smooth]
pub fn rodrigues_rotate(rotation: &[f64; 3], x: &[f64; 3]) -> [f64; 3] {
    let sqtheta = vector_sq_norm(rotation);
    if sqtheta != 0.0 {
        let theta = sqtheta.sqrt();
        let theta_inv = 1.0 / theta;
        let w = vector_s_mul(rotation, theta_inv);
        let w_cross_x = vector_cross(&w, x);
        let tmp = vector_dot(&w, x) * (1.0 - theta.cos());
        let v1 = vector_s_mul(x, theta.cos());
        let v2 = vector_s_mul(&w_cross_x, theta.sin());
        vector_add(&vector_add(&v1, &v2), &vector_s_mul(&w, tmp))
    } else {
        vector_add(x, &vector_cross(rotation, x))
    }
}

/// Projects the point `x` (world coordinates) into the image of a camera (pixels).
///
/// The camera is rotation (axis times angle, 3), centre (3), focal length (1), principal point (2), radial
/// distortion (2). Source: Fig. 13, `project`.
///
/// ```
/// use smooth_workloads::project::project;
/// let camera = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 10.0, 20.0, 0.0, 0.0];
/// assert_eq!(project(&camera, &[1.0, 2.0, 4.0]), [10.5, 21.0]);
/// ```
#[smooth]
pub fn project(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    let xcam = rodrigues_rotate(&vector_slice(cam, 0, 2), &vector_sub(x, &vector_slice(cam, 3, 5)));
    let distorted = radial_distort(&vector_slice(cam, 9, 10), &vector_s_mul(&vector_slice(&xcam, 0, 1), 1.0 / xcam[2]));
    vector_add(&vector_slice(cam, 7, 8), &vector_s_mul(&distorted, cam[6]))
}
