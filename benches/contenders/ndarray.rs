//! With ndarray.

use super::{Add3, Contender};
use ndarray::{Array1, ArrayView1, Zip, array, s};
use std::hint::black_box as bb;

struct Three {
    inputs: [Array1<f64>; 3],
    out: Array1<f64>,
    copy: Vec<f64>,
}

impl Add3 for Three {
    fn step(&mut self) -> &Vec<f64> {
        let [x, y, z] = &self.inputs;
        // The idiom for a fused loop into existing memory.
        Zip::from(bb(&mut self.out)).and(bb(x)).and(bb(y)).and(bb(z)).for_each(|o, x, y, z| *o = x + y + z);
        if self.copy.is_empty() {
            self.copy = self.out.to_vec();
        }
        &self.copy
    }
}

fn cross3(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> Array1<f64> {
    array![a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    let c = cross3(ArrayView1::from(a), ArrayView1::from(b));
    [c[0], c[1], c[2]]
}

fn norm_of_sum(a: &[f64], b: &[f64]) -> f64 {
    let c = &ArrayView1::from(a) + &ArrayView1::from(b);
    c.dot(&c).sqrt()
}

fn rotate(rotation: ArrayView1<'_, f64>, x: &Array1<f64>) -> Array1<f64> {
    let square = rotation.dot(&rotation);
    if square != 0.0 {
        let theta = square.sqrt();
        let (sin, cos) = theta.sin_cos();
        let w = &rotation * (1.0 / theta);
        let tmp = w.dot(x) * (1.0 - cos);
        x * cos + cross3(w.view(), x.view()) * sin + w * tmp
    } else {
        x + cross3(rotation, x.view())
    }
}

fn project(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    let cam = ArrayView1::from(cam);
    let z = rotate(cam.slice(s![0..3]), &(&ArrayView1::from(x) - &cam.slice(s![3..6])));
    let p = &z.slice(s![0..2]) * (1.0 / z[2]);
    let square = p.dot(&p);
    let distorted = p * (1.0 + cam[9] * square + cam[10] * square * square);
    let q = &cam.slice(s![7..9]) + distorted * cam[6];
    [q[0], q[1]]
}

/// The library's own operations, in its own types.
pub const NDARRAY: Contender = Contender {
    name: "ndarray",
    add3: |x, y, z| {
        let inputs = [x, y, z].map(|v| Array1::from(v.to_vec()));
        Box::new(Three { inputs, out: Array1::zeros(x.len()), copy: vec![] })
    },
    cross,
    norm_of_sum,
    project,
};
