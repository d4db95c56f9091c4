//! Quaternions and rotations: three ways to turn a vector have one result.

use super::signed;
use smooth::linalg::*;

fn vector<const N: usize>(seed: u64) -> [f64; N] {
    signed(N, seed).try_into().expect("so many numbers")
}

#[track_caller]
fn same(found: &[f64], want: &[f64]) {
    assert_eq!(found.len(), want.len());
    assert!(found.iter().zip(want).all(|(x, y)| (x - y).abs() < 1e-14), "{found:?} is not {want:?}");
}

#[test]
fn products_of_quaternions() {
    for seed in 1..50 {
        let (a, b): ([f64; 4], [f64; 4]) = (vector(seed), vector(seed + 100));
        let product = quaternion_mul(&a, &b);
        // The real parts first: (s, u)(t, v) = (st - u·v, sv + tu + u × v).
        let ([s, u @ ..], [t, v @ ..]) = (a, b);
        let cross = vector_cross(&u, &v);
        let want: Vec<f64> = (0..3).map(|i| s * v[i] + t * u[i] + cross[i]).collect();
        same(&product, &[s * t - vector_dot(&u, &v), want[0], want[1], want[2]]);
        let length = vector_sq_norm(&a);
        same(&quaternion_mul(&a, &quaternion_conjugate(&a)), &[length, 0.0, 0.0, 0.0]);
        same(&[vector_norm(&quaternion_normalise(&a))], &[1.0]);
    }
    assert!(quaternion_normalise(&[0.0f64; 4])[0].is_nan());
    assert_eq!(quaternion_mul(&[1.0f32, 0.0, 0.0, 0.0], &[0.5, 1.0, 2.0, 3.0]), [0.5, 1.0, 2.0, 3.0]);
}

#[test]
fn three_ways_to_turn() {
    for seed in 1..100 {
        let (axis, v): ([f64; 3], [f64; 3]) = (vector(seed), vector(seed + 100));
        for angle in [0.0, 1e-9, 0.3, -2.0, std::f64::consts::PI, 6.0] {
            let q = quaternion_from_axis_angle(&axis, angle);
            let turned = quaternion_rotate(&q, &v);
            same(&matvec(&rotation_from_axis_angle(&axis, angle), &v), &turned);
            same(&matvec(&rotation_from_quaternion(&q), &v), &turned);
            let unit = vector_s_mul(&axis, angle / vector_norm(&axis));
            same(&matvec(&rotation_from_vector(&unit.try_into().expect("three")), &v), &turned);
            let conjugated = quaternion_mul(&quaternion_mul(&q, &[0.0, v[0], v[1], v[2]]), &quaternion_conjugate(&q));
            same(&conjugated[1..], &turned);
        }
    }
}

#[test]
fn about_the_axes() {
    for angle in [0.0, 0.7, -3.0] {
        same(rotation_x(angle).as_flattened(), rotation_from_axis_angle(&[1.0, 0.0, 0.0], angle).as_flattened());
        same(rotation_y(angle).as_flattened(), rotation_from_axis_angle(&[0.0, 2.0, 0.0], angle).as_flattened());
        same(rotation_z(angle).as_flattened(), rotation_from_axis_angle(&[0.0, 0.0, 0.1], angle).as_flattened());
    }
    assert_eq!(rotation_z(0.0f32)[2], [0.0, 0.0, 1.0]);
    assert!(rotation_from_axis_angle(&[0.0f64; 3], 1.0)[0][0].is_nan());
}

/// For short vectors the series is *1 + [v] + ½ [v]²*.
#[test]
fn short_vectors() {
    for size in [0.0f64, 1e-200, 1e-12, 1e-5] {
        let (x, y, z) = (0.6 * size, -0.8 * size, 0.2 * size);
        let r = rotation_from_vector(&[x, y, z]);
        let near = |found: f64, want: f64| (found - want).abs() <= size.powi(3) + 1e-16 * size;
        assert!(near(r[2][1], x + 0.5 * y * z) && near(r[1][2], -x + 0.5 * y * z), "{size}: {r:?}");
        same(matrix_mul(&r, &matrix_transpose(&r)).as_slice(), identity(3).as_slice());
    }
}

#[test]
fn between_two_rotations() {
    for seed in 1..50 {
        let axis: [f64; 3] = vector(seed);
        for angle in [0.0, 1e-12, 1e-6, 0.5, 3.0] {
            let (a, b) = (quaternion_from_axis_angle(&axis, 0.2), quaternion_from_axis_angle(&axis, 0.2 + angle));
            for t in [0.0, 0.25, 0.5, 1.0] {
                let want = quaternion_from_axis_angle(&axis, 0.2 + t * angle);
                same(&quaternion_slerp(&a, &b, t), &want);
                // The other name of the same rotation, which is farther away.
                same(&quaternion_slerp(&a, &b.map(|x| -x), t), &want);
            }
        }
    }
    let half = quaternion_slerp(&[1.0f32, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0], 0.5);
    assert!((half[0] - 0.5f32.sqrt()).abs() < 1e-6);
}

#[test]
fn axes_may_have_any_length() {
    // Squares of these are 0, subnormal and infinite.
    for length in [5e-324, 1e-310, 1e-200, 1e-160, 1.0, 1e160, 1e300] {
        let axis = [0.0, length, length];
        let q = quaternion_from_axis_angle(&axis, 0.8);
        same(&q, &quaternion_from_axis_angle(&[0.0, 1.0, 1.0], 0.8));
        let r = rotation_from_axis_angle(&axis, 0.8);
        same(r.as_flattened(), rotation_from_axis_angle(&[0.0, 1.0, 1.0], 0.8).as_flattened());
        same(&quaternion_normalise(&[0.0, length, length, 0.0]), &quaternion_normalise(&[0.0, 1.0, 1.0, 0.0]));
    }
    let q = quaternion_from_axis_angle(&[0.0f32, 0.0, 1e-30], 1.0);
    assert_eq!(q, quaternion_from_axis_angle(&[0.0f32, 0.0, 1.0], 1.0));
}
