//! Hand tracking as plain loops.

use crate::hand::{BONES, Instance, Model, PARAMETERS, Transform};

type Matrix = [[f64; 3]; 3];

/// The difference of each measured point and its vertex.
pub fn simple(model: &Model, instance: &Instance) -> Vec<[f64; 3]> {
    let at = positions(model, &instance.theta);
    let corresponding = instance.corresponding.iter().zip(&instance.points);
    corresponding.map(|(&v, point)| [0, 1, 2].map(|r| point[r] - at[v][r])).collect()
}

/// The difference of each measured point and its position in a triangle.
pub fn complicated(model: &Model, instance: &Instance) -> Vec<[f64; 3]> {
    let at = positions(model, &instance.theta);
    let corresponding = instance.corresponding.iter().zip(&instance.points).zip(&instance.us);
    let error = |((&triangle, point), &[u0, u1]): ((&usize, &[f64; 3]), &[f64; 2])| {
        let [a, b, c] = model.triangles[triangle].map(|vertex| &at[vertex]);
        let u2 = 1.0 - u0 - u1;
        [0, 1, 2].map(|r| point[r] - (u0 * a[r] + u1 * b[r] + u2 * c[r]))
    };
    corresponding.map(error).collect()
}

/// The vertices in a pose. Only the transforms of the bones and the result are stored.
fn positions(model: &Model, theta: &[f64; PARAMETERS]) -> Vec<[f64; 3]> {
    let transforms = transforms(model, theta);
    let turn = angle_axis_to_rotation_matrix([theta[0], theta[1], theta[2]]);
    let side = if model.mirrored { -1.0 } else { 1.0 };
    let global = turn.map(|row| [side * row[0], row[1], row[2]]);
    let (count, weights) = (model.vertices.len(), model.weights.as_slice());
    let move_vertex = |(v, &[x, y, z, _]): (usize, &[f64; 4])| {
        let mut p = [0.0; 3];
        for (i, m) in transforms.iter().enumerate() {
            let weight = weights[i * count + v];
            for r in 0..3 {
                p[r] += weight * (m[r][0] * x + m[r][1] * y + m[r][2] * z + m[r][3]);
            }
        }
        [0, 1, 2].map(|r| global[r][0] * p[0] + global[r][1] * p[1] + global[r][2] * p[2] + theta[3 + r])
    };
    model.vertices.iter().enumerate().map(move_vertex).collect()
}

/// The transform that each bone applies to a vertex at rest.
fn transforms(model: &Model, theta: &[f64; PARAMETERS]) -> [Transform; BONES] {
    let mut absolutes = [[[0.0; 4]; 4]; BONES];
    for i in 0..BONES {
        let base = &model.base_relatives[i];
        let relative = match angles(theta, i) {
            Some(angles) => times(base, &turning(euler(angles))),
            None => *base,
        };
        let parent = model.parents[i];
        absolutes[i] = if parent == i { relative } else { times(&absolutes[parent], &relative) };
    }
    let mut transforms = absolutes;
    for (transform, inverse) in transforms.iter_mut().zip(&model.inverse_base_absolutes) {
        *transform = times(transform, inverse);
    }
    transforms
}

/// The angles of a bone about x, z and y, if it can rotate.
fn angles(theta: &[f64; PARAMETERS], bone: usize) -> Option<[f64; 3]> {
    // The first bone of a finger does not rotate, nor do wrist (0) and forearm (21).
    let (finger, place) = (bone.checked_sub(1)? / 4, (bone - 1) % 4);
    let theta = theta.get(6 + 4 * finger..10 + 4 * finger)?;
    match place {
        0 => None,
        1 => Some([theta[0], theta[1], 0.0]),
        _ => Some([theta[place], 0.0, 0.0]),
    }
}

/// The rotation about the axis `v` by the angle `|v|`.
pub fn angle_axis_to_rotation_matrix(v: [f64; 3]) -> Matrix {
    let n = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    if n < 1e-4 {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let [x, y, z] = v.map(|x| x / n);
    let (s, c) = n.sin_cos();
    let d = 1.0 - c;
    [
        [x * x + (1.0 - x * x) * c, x * y * d - z * s, x * z * d + y * s],
        [x * y * d + z * s, y * y + (1.0 - y * y) * c, y * z * d - x * s],
        [x * z * d - y * s, z * y * d + x * s, z * z + (1.0 - z * z) * c],
    ]
}

/// The product `Rz Ry Rx` for the angles about x, z and y.
fn euler([x, z, y]: [f64; 3]) -> Matrix {
    let ((sx, cx), (sy, cy), (sz, cz)) = (x.sin_cos(), y.sin_cos(), z.sin_cos());
    [
        [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
        [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
        [-sy, cy * sx, cy * cx],
    ]
}

fn turning(m: Matrix) -> Transform {
    let [a, b, c] = m.map(|[x, y, z]| [x, y, z, 0.0]);
    [a, b, c, [0.0, 0.0, 0.0, 1.0]]
}

fn times(a: &Transform, b: &Transform) -> Transform {
    let mut product = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..4 {
            product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j];
        }
    }
    product
}
