//! Two layers of a perceptron for 64 images: 784 numbers, 128 hidden ones, 10 results. A row of weights per neuron.

use super::buffer::{Buffer, numbers};
use super::report::Table;
use super::row::{BASE, FAST, NALGEBRA, NDARRAY, PLAIN, Row, SMOOTH, WIDE, kernel};
use super::tiles;
use nalgebra::{DMatrixView, DMatrixViewMut};
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut2, linalg::general_mat_mul};
use smooth::prelude::*;
use std::hint::black_box as bb;

kernel! {
    fn perceptron(
        x: &[[f64; d]; n],
        w1: &[[f64; d]; h],
        b1: &[f64; h],
        w2: &[[f64; h]; o],
        b2: &[f64; o],
    ) -> [[f64; o]; n] {
        let hidden = build([n, h], |i, j| (b1[j] + sum(d, |k| x[i][k] * w1[j][k])).max(0.0));
        build([n, o], |i, j| b2[j] + sum(h, |k| hidden[i][k] * w2[j][k]))
    }
}

/// The layers' parameters.
struct Layers {
    w1: Buffer<f64>,
    b1: Buffer<f64>,
    w2: Buffer<f64>,
    b2: Buffer<f64>,
}

const N: usize = 64;
const D: usize = 784;
const H: usize = 128;
const O: usize = 10;

fn plain(out: &mut [f64], hidden: &mut [f64], x: &[f64], p: &Layers) {
    let layer = |out: &mut [f64], x: &[f64], w: &[f64], b: &[f64], least: f64| {
        for ((out, w), b) in out.iter_mut().zip(w.chunks_exact(x.len())).zip(b) {
            *out = (b + x.iter().zip(w).map(|(x, w)| x * w).sum::<f64>()).max(least);
        }
    };
    for (out, x) in out.chunks_exact_mut(O).zip(x.chunks_exact(D)) {
        layer(hidden, x, &p.w1, &p.b1, 0.0);
        layer(out, hidden, &p.w2, &p.b2, f64::NEG_INFINITY);
    }
}

/// A product of matrices, `out[n][m] = a[n][k] bᵀ` where `b` is `m × k`.
type Product = fn(&mut [f64], &[f64], &[f64], [usize; 3]);

/// Both layers by products; what is left is added at the end.
fn by_products(out: &mut [f64], hidden: &mut [f64], x: &[f64], p: &Layers, product: Product) {
    product(hidden, x, &p.w1, [N, H, D]);
    for row in hidden.chunks_exact_mut(H) {
        for (h, b) in row.iter_mut().zip(&p.b1[..]) {
            let y = *h + b;
            *h = if y > 0.0 { y } else { 0.0 };
        }
    }
    product(out, hidden, &p.w2, [N, O, H]);
    for row in out.chunks_exact_mut(O) {
        row.iter_mut().zip(&p.b2[..]).for_each(|(o, b)| *o += b);
    }
}

/// Images innermost: the weights are read row by row as they are, the images are copied once into columns.
fn by_tiles(out: &mut [f64], hidden: &mut [f64], x: &[f64], p: &Layers, transposed: Product, product: Product) {
    transposed(hidden, &p.w1, x, [H, N, D]);
    for (row, b) in hidden.chunks_exact_mut(N).zip(&p.b1[..]) {
        for h in row {
            let y = *h + b;
            *h = if y > 0.0 { y } else { 0.0 };
        }
    }
    let mut columns = [0.0; O * N];
    product(&mut columns, &p.w2, hidden, [O, N, H]);
    for (i, out) in out.chunks_exact_mut(O).enumerate() {
        for j in 0..O {
            out[j] = p.b2[j] + columns[j * N + i];
        }
    }
}

/// Read column by column our matrices are their transposes: `b` itself times `aᵀ`.
fn nalgebra(out: &mut [f64], a: &[f64], b: &[f64], [n, m, k]: [usize; 3]) {
    let (a, b) = (DMatrixView::from_slice(a, k, n), DMatrixView::from_slice(b, k, m));
    DMatrixViewMut::from_slice(out, m, n).gemm(1.0, &b.transpose(), &a, 0.0);
}

#[cfg(feature = "faer")]
fn faer(out: &mut [f64], a: &[f64], b: &[f64], [n, m, k]: [usize; 3]) {
    use faer::{Accum, MatMut, MatRef, Par};
    let (a, b) = (MatRef::from_row_major_slice(a, n, k), MatRef::from_row_major_slice(b, m, k));
    let out = MatMut::from_row_major_slice_mut(out, n, m);
    faer::linalg::matmul::matmul(out, Accum::Replace, a, b.transpose(), 1.0, Par::Seq);
}

fn ndarray(out: &mut [f64], hidden: &mut [f64], x: &[f64], p: &Layers) {
    let view = |x, n, m| ArrayView2::from_shape((n, m), x).expect("the shape fits");
    let mut hidden = ArrayViewMut2::from_shape((N, H), hidden).expect("the shape fits");
    let mut out = ArrayViewMut2::from_shape((N, O), out).expect("the shape fits");
    general_mat_mul(1.0, &view(x, N, D), &view(&p.w1, H, D).t(), 0.0, &mut hidden);
    hidden += &ArrayView1::from(&p.b1[..]);
    hidden.mapv_inplace(|h| h.max(0.0));
    general_mat_mul(1.0, &hidden, &view(&p.w2, O, H).t(), 0.0, &mut out);
    out += &ArrayView1::from(&p.b2[..]);
}

const NAME: &str = "perceptron, 64 × 784-128-10";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let of = |n, seed| Buffer::of(&numbers(n, seed).iter().map(|x| x - 0.5).collect::<Vec<_>>());
    let p = Layers { w1: of(H * D, 1), b1: of(H, 2), w2: of(O * H, 3), b2: of(O, 4) };
    let (x, out, mut arena) = (of(N * D, 5), Buffer::<f64>::zeros(N * O), Arena::new());
    let mut hidden = [(); 5].map(|()| Buffer::<f64>::zeros(N * H));
    let [h0, h1, h2, h3, h4] = hidden.each_mut();
    #[cfg(feature = "faer")]
    let mut own = Buffer::<f64>::zeros(N * H);
    let mut other = Arena::new();
    let mut row = Row::new(NAME, 1e-12);
    row.same(PLAIN, out.clone(), |out| plain(out, &mut h0[..H], bb(&x), bb(&p)));
    row.near(SMOOTH, out.clone(), |out| {
        let (x, p) = (View::new(bb(&x), [N, D]), bb(&p));
        let (w1, w2) = (View::new(&p.w1, [H, D]), View::new(&p.w2, [O, H]));
        perceptron::into(ViewMut::new(out, [N, O]), x, w1, &p.b1, w2, &p.b2, &mut arena);
    });
    row.near(FAST, out.clone(), |out| {
        let (x, p) = (View::new(bb(&x), [N, D]), bb(&p));
        let (w1, w2) = (View::new(&p.w1, [H, D]), View::new(&p.w2, [O, H]));
        fast::perceptron::into(ViewMut::new(out, [N, O]), x, w1, &p.b1, w2, &p.b2, &mut other);
    });
    row.near(BASE, out.clone(), |out| by_tiles(out, h1, bb(&x), bb(&p), tiles::base_transposed, tiles::base));
    row.near(WIDE, out.clone(), |out| by_tiles(out, h2, bb(&x), bb(&p), tiles::wide_transposed, tiles::wide));
    row.near(NALGEBRA, out.clone(), |out| by_products(out, h3, bb(&x), bb(&p), nalgebra));
    row.near(NDARRAY, out.clone(), |out| ndarray(out, h4, bb(&x), bb(&p)));
    #[cfg(feature = "faer")]
    row.near(super::row::FAER, out.clone(), |out| by_products(out, &mut own, bb(&x), bb(&p), faer));
    table.time(row);
}
