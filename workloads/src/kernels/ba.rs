//! Bundle adjustment: all residuals of a problem.

use crate::project::project;
use smooth::linalg::{vector_s_mul, vector_sub};
use smooth::prelude::*;

/// The difference of the projection of `x` and its feature in the image, times the weight of the observation.
///
/// ```
/// use smooth_workloads::kernels::ba::reprojection_error;
/// let camera = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 10.0, 20.0, 0.0, 0.0];
/// assert_eq!(reprojection_error(&camera, &[1.0, 2.0, 4.0], 3.0, &[10.0, 22.0]), [1.5, -3.0]);
/// ```
#[smooth]
pub fn reprojection_error(cam: &[f64; 11], x: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [f64; 2] {
    vector_s_mul(&vector_sub(&project(cam, x), feature), weight)
}

/// The objective: the reprojection error of each observation, and the penalty of its weight, `1 - w²`.
///
/// There are `n` cameras, `m` points and `p` observations. Observation `i` is of point `observed[i][1]` by camera
/// `observed[i][0]`; its weight is `weights[i]`, its position in the image `features[i]`.
///
/// ```
/// use smooth_workloads::{ba::Problem, data, kernels::ba::ba_objective};
///
/// let p = Problem::read(&data("ba/test.txt"))?;
/// let (errors, weight_errors) = ba_objective(&p.cameras, &p.points, &p.observations, &p.weights, &p.features);
/// assert!((errors[0][0] + 0.269048849235237).abs() < 1e-12);
/// assert!((weight_errors.iter().map(|w| w * w).sum::<f64>() - 6.82429068888735).abs() < 1e-12);
/// # Ok::<_, smooth_workloads::ReadError>(())
/// ```
///
/// # Panics
/// If an index of an observation is out of range.
#[smooth]
pub fn ba_objective(
    cams: &[[f64; 11]; n],
    points: &[[f64; 3]; m],
    observed: &[[usize; 2]; p],
    weights: &[f64; p],
    features: &[[f64; 2]; p],
) -> ([[f64; 2]; p], [f64; p]) {
    let errors = build(p, |i| {
        let (camera, point) = (observed[i][0], observed[i][1]);
        reprojection_error(&cams[camera], &points[point], weights[i], &features[i])
    });
    (errors, build(p, |i| 1.0 - weights[i] * weights[i]))
}
