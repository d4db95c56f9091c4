//! Skinning of a hand: 544 vertices, each moved by the weighted transforms of 22 bones.

use super::clones::clones;
use super::float::fma;
use super::report::Table;
use super::row::{BASE, FAST, NALGEBRA, PLAIN, Row, SMOOTH, WIDE};
use nalgebra::{Matrix4, Vector4};
use smooth::{Arena, Array, smooth};
use smooth_workloads::hand::{Model, Transform};
use smooth_workloads::{data, kernels::hand::skinned};
use std::hint::black_box as bb;

/// The kernel, inlined into one with `float = "fast"`.
#[smooth(float = "fast")]
fn fast(transforms: &[[[f64; 4]; 4]; b], vertices: &[[f64; 4]; v], weights: &[[f64; v]; b]) -> [[f64; 3]; v] {
    skinned(transforms, vertices, weights)
}

fn plain(out: &mut [[f64; 3]], transforms: &[Transform], vertices: &[[f64; 4]], weights: &Array<f64, 2>) {
    let (count, weights) = (vertices.len(), weights.as_slice());
    for (v, &[x, y, z, w]) in vertices.iter().enumerate() {
        let mut p = [0.0; 3];
        for (i, m) in transforms.iter().enumerate() {
            let weight = weights[i * count + v];
            for r in 0..3 {
                p[r] += weight * (m[r][0] * x + m[r][1] * y + m[r][2] * z + m[r][3] * w);
            }
        }
        out[v] = p;
    }
}

/// The number of vertices that are moved side by side.
const B: usize = 32;

/// Vertices innermost, their coordinates as columns.
#[inline(always)]
fn body<const L: usize>(
    out: &mut [[f64; 3]],
    transforms: &[Transform],
    vertices: &[[f64; 4]],
    weights: &Array<f64, 2>,
) {
    let (count, weights) = (vertices.len(), weights.as_slice());
    for (start, (out, vertices)) in (0..).step_by(B).zip(out.chunks_mut(B).zip(vertices.chunks(B))) {
        let size = vertices.len();
        let (mut x, mut p) = ([[0.0; B]; 4], [[0.0; B]; 3]);
        for u in 0..size {
            for r in 0..4 {
                x[r][u] = vertices[u][r];
            }
        }
        for (i, m) in transforms.iter().enumerate() {
            let mut weight = [0.0; B];
            weight[..size].copy_from_slice(&weights[i * count + start..][..size]);
            for r in 0..3 {
                for u in 0..B {
                    let moved = fma::<L>(
                        m[r][0],
                        x[0][u],
                        fma::<L>(m[r][1], x[1][u], fma::<L>(m[r][2], x[2][u], m[r][3] * x[3][u])),
                    );
                    p[r][u] = fma::<L>(weight[u], moved, p[r][u]);
                }
            }
        }
        for u in 0..size {
            out[u] = [p[0][u], p[1][u], p[2][u]];
        }
    }
}

clones!(
    fn wide(out: &mut [[f64; 3]], transforms: &[Transform], vertices: &[[f64; 4]], weights: &Array<f64, 2>) =
        body::<0>, body::<1>, body::<2>
);

fn nalgebra(out: &mut [[f64; 3]], transforms: &[Matrix4<f64>], vertices: &[[f64; 4]], weights: &Array<f64, 2>) {
    let (count, weights) = (vertices.len(), weights.as_slice());
    for (v, vertex) in vertices.iter().enumerate() {
        let vertex = Vector4::from(*vertex);
        let moved: Vector4<f64> = transforms.iter().enumerate().map(|(i, m)| m * vertex * weights[i * count + v]).sum();
        out[v] = moved.xyz().into();
    }
}

const NAME: &str = "hand, 22 × 544";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let m = Model::read(&data("hand/model_small")).expect("the files are part of the tree");
    let transforms = &m.base_relatives;
    let matrices: Vec<Matrix4<f64>> = transforms.iter().map(|t| Matrix4::from(*t).transpose()).collect();
    let (out, mut arena) = (vec![[0.0; 3]; m.vertices.len()], Arena::new());
    let mut other = Arena::new();
    let mut row = Row::new(NAME, 1e-13);
    row.same(PLAIN, out.clone(), |out| plain(out, bb(transforms), bb(&m.vertices), &m.weights));
    row.near(SMOOTH, out.clone(), |out| skinned::into(out, bb(transforms), bb(&m.vertices), &m.weights, &mut arena));
    row.near(FAST, out.clone(), |out| fast::into(out, bb(transforms), bb(&m.vertices), &m.weights, &mut other));
    row.near(BASE, out.clone(), |out| body::<0>(out, bb(transforms), bb(&m.vertices), &m.weights));
    row.near(WIDE, out.clone(), |out| wide(out, bb(transforms), bb(&m.vertices), &m.weights));
    row.near(NALGEBRA, out, |out| nalgebra(out, bb(&matrices), bb(&m.vertices), &m.weights));
    table.time(row);
}
