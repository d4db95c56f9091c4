//! The cross product of two vectors of three (Fig. 11c): nothing to fuse; what does the call cost?

use super::report::Table;
use super::row::{BASE, NALGEBRA, PLAIN, Row, SMOOTH};
use nalgebra::Vector3;
use smooth::linalg::vector_cross;
use std::hint::black_box as bb;

fn plain(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Two products at a time, in registers of two numbers.
fn paired(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    let pair =
        |p: [f64; 2], q: [f64; 2], r: [f64; 2], s: [f64; 2]| [p[0] * q[0] - r[0] * s[0], p[1] * q[1] - r[1] * s[1]];
    let [x, y] = pair([a[1], a[2]], [b[2], b[0]], [a[2], a[0]], [b[1], b[2]]);
    [x, y, a[0] * b[1] - a[1] * b[0]]
}

const NAME: &str = "cross";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let (a, b) = ([0.3, -1.2, 0.7], [1.1, 0.4, -0.9]);
    let mut row = Row::new(NAME, 0.0);
    row.same(PLAIN, [0.0; 3], |out| *out = plain(bb(&a), bb(&b)));
    row.same(SMOOTH, [0.0; 3], |out| *out = vector_cross(bb(&a), bb(&b)));
    row.same(BASE, [0.0; 3], |out| *out = paired(bb(&a), bb(&b)));
    row.same(NALGEBRA, [0.0; 3], |out| *out = Vector3::from(*bb(&a)).cross(&Vector3::from(*bb(&b))).into());
    table.time(row);
}
