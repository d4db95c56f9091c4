//! A camera's projection of a point (Fig. 12a, 13): scalar code around one square root, one sine and one cosine?

use super::clones::clones;
use super::float::sin_cos;
use super::report::Table;
use super::row::{BASE, FAST, NALGEBRA, NDARRAY, PLAIN, Row, SMOOTH, WIDE};
use nalgebra::{SVectorView, Vector2, Vector3};
use ndarray::{Array1, ArrayView1, array, s};
use smooth::smooth;
use smooth_workloads::by_hand::project as plain;
use smooth_workloads::project::project;
use std::hint::black_box as bb;

/// The kernel, inlined into one with `float = "fast"`.
#[smooth(float = "fast")]
fn fast(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    project(cam, x)
}

/// The plain function with our own sine and cosine.
#[inline(always)]
fn body<const L: usize>(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    let [r0, r1, r2, c0, c1, c2, f, u0, v0, k0, k1] = *cam;
    let x = [x[0] - c0, x[1] - c1, x[2] - c2];
    let square = r0 * r0 + r1 * r1 + r2 * r2;
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let z = if square != 0.0 {
        let theta = square.sqrt();
        let (sin, cos) = sin_cos::<L>(theta);
        let w = [r0, r1, r2].map(|r| r / theta);
        let v = cross(w, x);
        let t = (w[0] * x[0] + w[1] * x[1] + w[2] * x[2]) * (1.0 - cos);
        [0, 1, 2].map(|i| x[i] * cos + v[i] * sin + w[i] * t)
    } else {
        let v = cross([r0, r1, r2], x);
        [0, 1, 2].map(|i| x[i] + v[i])
    };
    let inverse = 1.0 / z[2];
    let p = [z[0] * inverse, z[1] * inverse];
    let rho = p[0] * p[0] + p[1] * p[1];
    let l = (1.0 + k0 * rho + k1 * rho * rho) * f;
    [p[0] * l + u0, p[1] * l + v0]
}

clones!(fn wide(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] = body::<0>, body::<1>, body::<1>);

fn nalgebra(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    let three = |at: usize| Vector3::from(SVectorView::<f64, 3>::from_slice(&cam[at..at + 3]));
    let (rotation, x) = (three(0), Vector3::from(*x) - three(3));
    let square = rotation.norm_squared();
    let z = if square != 0.0 {
        let theta = square.sqrt();
        let (sin, cos) = theta.sin_cos();
        let w = rotation * (1.0 / theta);
        x * cos + w.cross(&x) * sin + w * (w.dot(&x) * (1.0 - cos))
    } else {
        x + rotation.cross(&x)
    };
    let p = Vector2::new(z.x, z.y) * (1.0 / z.z);
    let square = p.norm_squared();
    let distorted = p * (1.0 + cam[9] * square + cam[10] * square * square);
    (Vector2::new(cam[7], cam[8]) + distorted * cam[6]).into()
}

fn cross(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> Array1<f64> {
    array![a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn ndarray(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    let cam = ArrayView1::from(cam);
    let (rotation, x) = (cam.slice(s![0..3]), &ArrayView1::from(x) - &cam.slice(s![3..6]));
    let square = rotation.dot(&rotation);
    let z = if square != 0.0 {
        let theta = square.sqrt();
        let (sin, cos) = theta.sin_cos();
        let w = &rotation * (1.0 / theta);
        let t = w.dot(&x) * (1.0 - cos);
        &x * cos + cross(w.view(), x.view()) * sin + w * t
    } else {
        &x + cross(rotation, x.view())
    };
    let p = &z.slice(s![0..2]) * (1.0 / z[2]);
    let square = p.dot(&p);
    let distorted = p * (1.0 + cam[9] * square + cam[10] * square * square);
    let q = &cam.slice(s![7..9]) + distorted * cam[6];
    [q[0], q[1]]
}

const NAME: &str = "project";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let cam = [0.1, 0.1, 0.1, 0.2, 0.1, 0.3, 1.2, 0.01, 0.03, 0.009, 1.2e-4];
    let x = [0.03, 0.11, -0.7];
    let mut row = Row::new(NAME, 1e-13);
    row.same(PLAIN, [0.0; 2], |out| *out = plain(bb(&cam), bb(&x)));
    row.near(SMOOTH, [0.0; 2], |out| *out = project(bb(&cam), bb(&x)));
    row.near(FAST, [0.0; 2], |out| *out = fast(bb(&cam), bb(&x)));
    row.near(BASE, [0.0; 2], |out| *out = body::<0>(bb(&cam), bb(&x)));
    row.near(WIDE, [0.0; 2], |out| *out = wide(bb(&cam), bb(&x)));
    row.near(NALGEBRA, [0.0; 2], |out| *out = nalgebra(bb(&cam), bb(&x)));
    row.near(NDARRAY, [0.0; 2], |out| *out = ndarray(bb(&cam), bb(&x)));
    table.time(row);
}
