//! Hand tracking: the distance of measured points from a hand model in a given pose.
//!
//! A *transform* is a 4×4 matrix for points with a fourth coordinate of 1; vectors are columns.

use smooth::linalg::{matrix_mul, vector_dot, vector_sub};
use smooth::prelude::*;

/// Rotations by a smaller angle (radians) are the identity.
pub const SMALL_ANGLE: f64 = 1e-4;

/// The rotation about the axis `v` by the angle `|v|` (radians); the identity below [`SMALL_ANGLE`].
///
/// ```
/// use smooth_workloads::kernels::hand::angle_axis_to_rotation_matrix;
/// let m = angle_axis_to_rotation_matrix(&[1.0, 2.0, 3.0]);
/// assert!((m[0][0] + 0.69492055764131178).abs() < 1e-15);
/// assert_eq!(angle_axis_to_rotation_matrix(&[0.0; 3]), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
/// ```
#[smooth]
pub fn angle_axis_to_rotation_matrix(v: &[f64; 3]) -> [[f64; 3]; 3] {
    let n = vector_dot(v, v).sqrt();
    if n < SMALL_ANGLE {
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    } else {
        let (x, y, z) = (v[0] / n, v[1] / n, v[2] / n);
        let (s, c) = n.sin_cos();
        [
            [x * x + (1.0 - x * x) * c, x * y * (1.0 - c) - z * s, x * z * (1.0 - c) + y * s],
            [x * y * (1.0 - c) + z * s, y * y + (1.0 - y * y) * c, y * z * (1.0 - c) - x * s],
            [x * z * (1.0 - c) - y * s, z * y * (1.0 - c) + x * s, z * z + (1.0 - z * z) * c],
        ]
    }
}

/// `Rz Ry Rx`: rotates about the x axis by `v[0]`, then about y by `v[2]`, then about z by `v[1]`.
///
/// ```
/// use smooth_workloads::kernels::hand::euler;
/// let m = euler(&[0.0, std::f64::consts::FRAC_PI_2, 0.0]);
/// assert!((m[1][0] - 1.0).abs() < 1e-15 && m[0][0].abs() < 1e-15);
/// ```
#[smooth]
pub fn euler(v: &[f64; 3]) -> [[f64; 3]; 3] {
    let (sx, cx) = v[0].sin_cos();
    let (sz, cz) = v[1].sin_cos();
    let (sy, cy) = v[2].sin_cos();
    let rx = [[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]];
    let ry = [[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]];
    let rz = [[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]];
    matrix_mul(&matrix_mul(&rz, &ry), &rx)
}

/// The pose with parameters `theta`, in columns of three.
///
/// Column 0 is the global rotation (axis times angle), column 1 the scale, column 2 the translation, and column
/// `i + 3` has the angles of bone `i`, see [`euler`]. `theta` has global rotation (3), translation (3), and for each
/// of five fingers four angles: x and z of its second bone, x of its third, x of its fourth.
///
/// ```
/// use smooth_workloads::kernels::hand::pose_of;
/// let theta: [f64; 26] = std::array::from_fn(|i| i as f64);
/// let pose = pose_of(&theta);
/// assert_eq!(pose[0][..10], [0.0, 1.0, 3.0, 0.0, 0.0, 6.0, 8.0, 9.0, 0.0, 10.0]);
/// assert_eq!(pose[1][..10], [1.0, 1.0, 4.0, 0.0, 0.0, 7.0, 0.0, 0.0, 0.0, 11.0]);
/// assert_eq!(pose[2][..10], [2.0, 1.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
/// ```
#[smooth]
pub fn pose_of(theta: &[f64; 26]) -> [[f64; 25]; 3] {
    build([3, 25], |row, column| {
        // The position of the bone in its finger, from the second bone on, and the index of the finger's angles.
        let (place, finger) = ((column + 3) % 4, 6 + (column.max(5) - 5) / 4 * 4);
        if column == 0 {
            theta[row]
        } else if column == 1 {
            1.0
        } else if column == 2 {
            theta[3 + row]
        } else if column < 5 || place == 3 {
            0.0
        } else if row == 0 {
            theta[finger + if place == 0 { 0 } else { place + 1 }]
        } else if row == 1 && place == 0 {
            theta[finger + 1]
        } else {
            0.0
        }
    })
}

/// The transform that rotates by `m`, without a translation.
///
/// ```
/// use smooth_workloads::kernels::hand::turning;
/// let m = turning(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
/// assert_eq!(m, [[1.0, 2.0, 3.0, 0.0], [4.0, 5.0, 6.0, 0.0], [7.0, 8.0, 9.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
/// ```
#[smooth]
pub fn turning(m: &[[f64; 3]; 3]) -> [[f64; 4]; 4] {
    build([4, 4], |i, j| {
        if i < 3 && j < 3 {
            m[i][j]
        } else if i == j {
            1.0
        } else {
            0.0
        }
    })
}

/// The transform from each bone to its parent, in a pose.
///
/// ```
/// use smooth_workloads::kernels::hand::{euler, relatives};
/// let rest = [[1.0, 0.0, 0.0, 5.0], [0.0, 1.0, 0.0, 6.0], [0.0, 0.0, 1.0, 7.0], [0.0, 0.0, 0.0, 1.0]];
/// let pose = [[0.0, 0.0, 0.0, 0.1], [0.0, 0.0, 0.0, 0.2], [0.0, 0.0, 0.0, 0.3]];
/// let relative = relatives(&[rest], &pose)[0];
/// assert_eq!(relative[0][..3], euler(&[0.1, 0.2, 0.3])[0]);
/// assert_eq!([relative[0][3], relative[1][3], relative[2][3]], [5.0, 6.0, 7.0]);
/// ```
///
/// # Panics
/// If the pose has less than `b + 3` columns.
#[smooth]
pub fn relatives(base_relatives: &[[[f64; 4]; 4]; b], pose: &[[f64; c]; 3]) -> [[[f64; 4]; 4]; b] {
    build(b, |i| {
        let angles = [pose[0][i + 3], pose[1][i + 3], pose[2][i + 3]];
        matrix_mul(&base_relatives[i], &turning(&euler(&angles)))
    })
}

/// The transform from each bone to the hand. The parent of a bone precedes it; the root is its own parent.
///
/// ```
/// use smooth_workloads::kernels::hand::absolutes;
/// let twice = [[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
/// let all = absolutes(&[twice; 4], &[0, 0, 1, 0]);
/// assert_eq!([all[0][0][0], all[1][0][0], all[2][0][0], all[3][0][0]], [2.0, 4.0, 8.0, 4.0]);
/// ```
///
/// # Panics
/// If the index of a parent is out of range.
#[smooth]
pub fn absolutes(relatives: &[[[f64; 4]; 4]; b], parents: &[usize; b]) -> [[[f64; 4]; 4]; b] {
    ifold(b, relatives.clone(), |so_far, i| {
        let parent = parents[i];
        let absolute = if parent == i { relatives[i].clone() } else { matrix_mul(&so_far[parent], &relatives[i]) };
        build(b, |k| if k == i { &absolute } else { &so_far[k] })
    })
}

/// Linear blend skinning: each vertex is moved to `Σ weight · transform · vertex`.
///
/// There are few bones, so that lanes would gain nothing; hence one `ifold` over three coordinates instead of three `sum`s.
///
/// ```
/// use smooth_workloads::kernels::hand::skinned;
/// let stays = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
/// let moves = [[1.0, 0.0, 0.0, 8.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
/// let skin = skinned(&[stays, moves], &[[1.0, 2.0, 3.0, 1.0]], &[[0.75], [0.25]]);
/// assert_eq!(skin, [[3.0, 2.0, 3.0]]);
/// ```
#[smooth]
pub fn skinned(transforms: &[[[f64; 4]; 4]; b], vertices: &[[f64; 4]; v], weights: &[[f64; v]; b]) -> [[f64; 3]; v] {
    build(v, |k| {
        let moved = |i: usize, r: usize| vector_dot(&transforms[i][r], &vertices[k]);
        ifold(b, [0.0; 3], |p, i| build(3, |r| p[r] + weights[i][k] * moved(i, r)))
    })
}

/// The vertices of a model in the pose with parameters `theta`, see [`pose_of`].
///
/// The model has `b` bones and `v` vertices: transforms from each bone to its parent at rest, and from the hand to
/// each bone, each bone's parent ([`absolutes`]), the vertices at rest with a fourth coordinate of 1, the weight of
/// each bone for each vertex, and whether it is mirrored, which reverses the x axis. See
/// [`Model::parts`](crate::hand::Model::parts).
///
/// ```
/// use smooth_workloads::kernels::hand::positions;
/// let rest = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
/// let mut theta = [0.0; 26];
/// theta[3..6].copy_from_slice(&[10.0, 20.0, 30.0]);
/// let at = positions(&theta, (&[rest], &[rest], &[0], &[[1.0, 2.0, 3.0, 1.0]], &[[1.0]], true));
/// assert_eq!(at, [[9.0, 22.0, 33.0]]);
/// ```
///
/// # Panics
/// If there are more than 22 bones, or if the index of a parent is out of range.
#[smooth]
pub fn positions(
    theta: &[f64; 26],
    model: (&[[[f64; 4]; 4]; b], &[[[f64; 4]; 4]; b], &[usize; b], &[[f64; 4]; v], &[[f64; v]; b], bool),
) -> [[f64; 3]; v] {
    let (base_relatives, inverse_base_absolutes, parents, vertices, weights, mirrored) = model;
    let pose = pose_of(theta);
    let bones = absolutes(&relatives(base_relatives, &pose), parents);
    let transforms = build(b, |i| matrix_mul(&bones[i], &inverse_base_absolutes[i]));
    let local = skinned(&transforms, vertices, weights);

    let turn = angle_axis_to_rotation_matrix(&[pose[0][0], pose[1][0], pose[2][0]]);
    let side = if mirrored { -1.0 } else { 1.0 };
    let scale = [side * pose[0][1], pose[1][1], pose[2][1]];
    let global = build([3, 3], |i, j| turn[i][j] * scale[j]);
    build([v, 3], |k, r| vector_dot(&global[r], &local[k]) + pose[r][2])
}

/// The objective: the difference of each measured point and its vertex, whose index is in `corresponding`.
///
/// The other arguments are those of [`positions`].
///
/// ```
/// use smooth_workloads::hand::{Instance, Kind, Model};
/// use smooth_workloads::{data, kernels::hand::hand_simple};
///
/// let m = Model::read(&data("hand/model_small"))?;
/// let x = Instance::read(&data("hand/test.txt"), Kind::Simple, &m)?;
/// let errors = hand_simple(&x.theta, m.parts(), &x.corresponding, &x.points);
/// assert!((errors[0][0] - 0.165193147941612).abs() < 1e-12);
/// # Ok::<_, smooth_workloads::ReadError>(())
/// ```
///
/// # Panics
/// If the index of a vertex or of a parent is out of range, or if there are more than 22 bones.
#[smooth]
pub fn hand_simple(
    theta: &[f64; 26],
    model: (&[[[f64; 4]; 4]; b], &[[[f64; 4]; 4]; b], &[usize; b], &[[f64; 4]; v], &[[f64; v]; b], bool),
    corresponding: &[usize; n],
    points: &[[f64; 3]; n],
) -> [[f64; 3]; n] {
    let at = positions(theta, model);
    build(n, |i| vector_sub(&points[i], &at[corresponding[i]]))
}

/// The objective if points correspond to positions in triangles: `corresponding` has the indices of the triangles, `us` the
/// weights of their first two vertices.
///
/// The other arguments are those of [`positions`].
///
/// ```
/// use smooth_workloads::hand::{Instance, Kind, Model};
/// use smooth_workloads::{data, kernels::hand::hand_complicated};
///
/// let m = Model::read(&data("hand/model_small"))?;
/// let x = Instance::read(&data("hand/hand_complicated.txt"), Kind::Complicated, &m)?;
/// let errors = hand_complicated(&x.theta, &x.us, m.parts(), &m.triangles, &x.corresponding, &x.points);
/// assert!((errors[0][0] - 0.156187661696464).abs() < 1e-12);
/// # Ok::<_, smooth_workloads::ReadError>(())
/// ```
///
/// # Panics
/// If the index of a triangle, a vertex or a parent is out of range, or if there are more than 22 bones.
#[smooth]
pub fn hand_complicated(
    theta: &[f64; 26],
    us: &[[f64; 2]; n],
    model: (&[[[f64; 4]; 4]; b], &[[[f64; 4]; 4]; b], &[usize; b], &[[f64; 4]; v], &[[f64; v]; b], bool),
    triangles: &[[usize; 3]; t],
    corresponding: &[usize; n],
    points: &[[f64; 3]; n],
) -> [[f64; 3]; n] {
    let at = positions(theta, model);
    build(n, |i| {
        let corners = &triangles[corresponding[i]];
        let shares = [us[i][0], us[i][1], 1.0 - us[i][0] - us[i][1]];
        build(3, |r| points[i][r] - sum(3, |j| shares[j] * at[corners[j]][r]))
    })
}
