//! A scene to adjust, made from random numbers: cameras on a circle around points on a ball, and what they see of them.

use crate::ba::Problem;
use crate::by_hand::project;
use smooth::random::{normal_at, split, uniform_at};
use std::f64::consts::TAU;

/// The distance of the cameras from the centre of the ball, whose radius is 1.
const DISTANCE: f64 = 4.0;

/// The problem with its solution: every point is seen by the `views` cameras that are nearest to it, each feature with a
/// normally distributed error of `sigma` pixels in each coordinate. All weights are 1.
///
/// The images have about 640 by 480 pixels. So `reprojection_errors` are these errors, in pixels: the mean of their lengths is
/// `sigma * sqrt(pi / 2)`, the root of the mean square `sigma * sqrt(2)`.
///
/// ```
/// use smooth_workloads::{project::project, scene::scene, stats::Residuals};
///
/// let problem = scene(49, 500, 4, 0.5);
/// let errors = Residuals::of(problem.reprojection_errors(project)).unwrap();
/// assert_eq!(errors.count, 2000);
/// assert!((errors.rms - 0.5 * 2_f64.sqrt()).abs() < 0.02);
/// ```
///
/// # Panics
/// If there are fewer cameras than views.
pub fn scene(cameras: usize, points: usize, views: usize, sigma: f64) -> Problem {
    assert!(views <= cameras, "{views} views of a point by {cameras} cameras");
    let keys = split(20_170_907, 3);
    let angle = |camera: usize| TAU * camera as f64 / cameras as f64;
    let cameras_around: Vec<[f64; 11]> = (0..cameras)
        .map(|c| {
            let a = angle(c);
            // About the vertical axis, towards the centre, and not quite level.
            let rotation = [0.02 * (3.0 * a).sin(), a, 0.02 * (2.0 * a).cos()];
            let centre = [DISTANCE * a.sin(), 0.1 * (5.0 * a).sin(), -DISTANCE * a.cos()];
            let [[r0, r1, r2], [c0, c1, c2]] = [rotation, centre];
            [r0, r1, r2, c0, c1, c2, 700.0 + 5.0 * a, 320.0, 240.0, -0.05, 0.01]
        })
        .collect();
    // A place on the ball: a direction, and a height that is uniform, so that all parts of it are equally full.
    let place = |p: usize| (TAU * uniform_at(keys[0], p), 1.6 * uniform_at(keys[1], p) - 0.8);
    let points_on_ball = (0..points).map(|p| {
        let (a, height) = place(p);
        let radius = (1.0 - height * height).sqrt();
        [radius * a.sin(), height, -radius * a.cos()]
    });
    let points_on_ball: Vec<[f64; 3]> = points_on_ball.collect();
    let observations: Vec<[usize; 2]> = (0..points)
        .flat_map(|p| {
            let nearest = (place(p).0 / TAU * cameras as f64) as usize + cameras;
            (0..views).map(move |v| [(nearest + v - (views - 1) / 2) % cameras, p])
        })
        .collect();
    let features = observations.iter().enumerate().map(|(i, &[camera, point])| {
        let [u, v] = project(&cameras_around[camera], &points_on_ball[point]);
        [u + sigma * normal_at(keys[2], 2 * i), v + sigma * normal_at(keys[2], 2 * i + 1)]
    });
    Problem {
        weights: vec![1.0; observations.len()],
        features: features.collect(),
        cameras: cameras_around,
        points: points_on_ball,
        observations,
    }
}

/// The problem as an adjustment would find it: each coordinate of a point is off by `sigma`, normally distributed, and each
/// angle of a rotation by a twentieth of it.
pub fn displaced(problem: &Problem, sigma: f64) -> Problem {
    let keys = split(42, 2);
    let mut problem = problem.clone();
    for (i, x) in problem.points.as_flattened_mut().iter_mut().enumerate() {
        *x += sigma * normal_at(keys[0], i);
    }
    for (i, angle) in problem.cameras.iter_mut().flat_map(|camera| &mut camera[..3]).enumerate() {
        *angle += sigma / 20.0 * normal_at(keys[1], i);
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::project;
    use crate::stats::Residuals;

    #[test]
    fn the_errors_have_the_distribution_of_the_noise() {
        let problem = scene(49, 7776, 4, 0.5);
        assert_eq!((problem.cameras.len(), problem.points.len(), problem.features.len()), (49, 7776, 4 * 7776));
        let errors = Residuals::of(problem.reprojection_errors(project)).unwrap();
        // The length of a pair of normally distributed numbers has Rayleigh's distribution.
        let near = |found: f64, want: f64| assert!((found / want - 1.0).abs() < 0.01, "{found} for {want}");
        near(errors.rms, 0.5 * 2_f64.sqrt());
        near(errors.mean, 0.5 * (TAU / 4.0).sqrt());
        near(errors.median, 0.5 * (2.0 * 2_f64.ln()).sqrt());
        assert!(errors.max > 1.5 && errors.max < 3.5, "{}", errors.max);
    }

    #[test]
    fn every_point_is_seen_inside_of_the_images() {
        let problem = scene(49, 2000, 4, 0.0);
        for (&[camera, point], [u, v]) in problem.observations.iter().zip(&problem.features) {
            assert!((0.0..640.0).contains(u) && (0.0..480.0).contains(v), "{camera}, {point}: {u}, {v}");
        }
        // Points on the near side of the ball only.
        let towards = |[c, p]: [usize; 2]| {
            let (camera, point) = (problem.cameras[c], problem.points[p]);
            (0..3).map(|k| (camera[3 + k] - point[k]) * point[k]).sum::<f64>()
        };
        assert!(problem.observations.iter().all(|o| towards(*o) > 0.0));
        let rms = |p: &Problem| Residuals::of(p.reprojection_errors(project)).unwrap().rms;
        assert!(rms(&problem) < 1e-9);
        let off = rms(&displaced(&problem, 0.02));
        assert!(off > 2.0 && off < 20.0, "{off}");
    }
}
