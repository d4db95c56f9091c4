//! With nalgebra: static vectors where the size is static, dynamic ones elsewhere.

use super::{Add3, Contender};
use nalgebra::{DVector, DVectorView, SVectorView, Vector2, Vector3};
use std::hint::black_box as bb;

struct Three {
    inputs: [DVector<f64>; 3],
    out: DVector<f64>,
    copy: Vec<f64>,
}

impl Add3 for Three {
    fn step(&mut self) -> &Vec<f64> {
        let [x, y, z] = &self.inputs;
        // The first sum is written in place, the second added to it: no temporary, two passes.
        bb(x).add_to(bb(y), bb(&mut self.out));
        self.out += bb(z);
        if self.copy.is_empty() {
            self.copy = self.out.as_slice().to_vec();
        }
        &self.copy
    }
}

fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    Vector3::from(*a).cross(&Vector3::from(*b)).into()
}

fn norm_of_sum(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (DVectorView::from_slice(a, a.len()), DVectorView::from_slice(b, b.len()));
    (a + b).norm()
}

fn rotate(rotation: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    let square = rotation.norm_squared();
    if square != 0.0 {
        let theta = square.sqrt();
        let (sin, cos) = theta.sin_cos();
        let w = rotation * (1.0 / theta);
        x * cos + w.cross(x) * sin + w * (w.dot(x) * (1.0 - cos))
    } else {
        x + rotation.cross(x)
    }
}

fn project(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    let three = |at: usize| Vector3::from(SVectorView::<f64, 3>::from_slice(&cam[at..at + 3]));
    let z = rotate(&three(0), &(Vector3::from(*x) - three(3)));
    let p = Vector2::new(z.x, z.y) * (1.0 / z.z);
    let square = p.norm_squared();
    let distorted = p * (1.0 + cam[9] * square + cam[10] * square * square);
    (Vector2::new(cam[7], cam[8]) + distorted * cam[6]).into()
}

/// The library's own operations, in its own types.
pub const NALGEBRA: Contender = Contender {
    name: "nalgebra",
    add3: |x, y, z| {
        let inputs = [x, y, z].map(DVector::from_column_slice);
        Box::new(Three { inputs, out: DVector::zeros(x.len()), copy: vec![] })
    },
    cross,
    norm_of_sum,
    project,
};
