//! Products of square matrices, of static size 4 and of 16 to 512.

use super::buffer::{Buffer, numbers};
use super::clones::clones;
use super::float::fma;
use super::report::Table;
use super::row::{BASE, FAST, NALGEBRA, NDARRAY, PLAIN, Row, SMOOTH, WIDE, kernel};
use super::tiles;
#[cfg(feature = "faer")]
use faer::{Accum, MatMut, MatRef, Par};
use nalgebra::{DMatrixView, DMatrixViewMut, Matrix4};
use ndarray::{ArrayView2, ArrayViewMut2, linalg::general_mat_mul};
use smooth::prelude::*;
use std::hint::black_box as bb;

kernel! {
    fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
        build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
    }
}

#[smooth]
fn product_of_four(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    build([4, 4], |i, j| sum(4, |l| a[i][l] * b[l][j]))
}

#[smooth(float = "fast")]
fn fast_product_of_four(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    product_of_four(a, b)
}

fn plain_four(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let mut c = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..4 {
            for l in 0..4 {
                c[i][j] += a[i][l] * b[l][j];
            }
        }
    }
    c
}

#[inline(always)]
fn four<const L: usize>(out: &mut [[f64; 4]; 4], a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) {
    for i in 0..4 {
        let mut row = [0.0; 4];
        for l in 0..4 {
            for j in 0..4 {
                row[j] = fma::<L>(a[i][l], b[l][j], row[j]);
            }
        }
        out[i] = row;
    }
}

clones!(fn wide_four(out: &mut [[f64; 4]; 4], a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) = four::<0>, four::<1>, four::<1>);

/// A row of `b` at a time is added to a row of `c`.
fn plain(c: &mut [f64], a: &[f64], b: &[f64], n: usize) {
    c.fill(0.0);
    for (c, a) in c.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
        for (a, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

pub fn rows(table: &mut Table) {
    if table.wants("matmul 4") {
        let square = |seed| -> [[f64; 4]; 4] {
            let x = numbers(16, seed);
            std::array::from_fn(|i| std::array::from_fn(|j| x[4 * i + j]))
        };
        let (a, b, zero) = (square(1), square(2), [[0.0; 4]; 4]);
        let mut row = Row::new("matmul 4", 1e-14);
        row.same(PLAIN, zero, |out| *out = plain_four(bb(&a), bb(&b)));
        row.near(SMOOTH, zero, |out| *out = product_of_four(bb(&a), bb(&b)));
        row.near(FAST, zero, |out| *out = fast_product_of_four(bb(&a), bb(&b)));
        row.near(BASE, zero, |out| four::<0>(out, bb(&a), bb(&b)));
        row.near(WIDE, zero, |out| wide_four(out, bb(&a), bb(&b)));
        // Read column by column our matrices are their transposes: bᵀ aᵀ = (a b)ᵀ.
        row.near(NALGEBRA, zero, |out| *out = (Matrix4::from(*bb(&b)) * Matrix4::from(*bb(&a))).into());
        table.time(row);
    }
    for n in [16, 64, 256, 512] {
        let name = format!("matmul {n}");
        if !table.wants(&name) {
            continue;
        }
        let (a, b, out, mut arena) = (numbers(n * n, 1), numbers(n * n, 2), Buffer::<f64>::zeros(n * n), Arena::new());
        let square = |x| View::new(x, [n, n]);
        let mut other = Arena::new();
        let mut row = Row::new(name, 1e-13);
        row.same(PLAIN, out.clone(), |out| plain(out, bb(&a), bb(&b), n));
        row.near(SMOOTH, out.clone(), |out| {
            product::into(ViewMut::new(out, [n, n]), square(bb(&a)), square(bb(&b)), &mut arena);
        });
        row.near(FAST, out.clone(), |out| {
            fast::product::into(ViewMut::new(out, [n, n]), square(bb(&a)), square(bb(&b)), &mut other);
        });
        row.near(BASE, out.clone(), |out| tiles::base(out, bb(&a), bb(&b), [n; 3]));
        row.near(WIDE, out.clone(), |out| tiles::wide(out, bb(&a), bb(&b), [n; 3]));
        row.near(NALGEBRA, out.clone(), |out| {
            let view = |x| DMatrixView::from_slice(x, n, n);
            DMatrixViewMut::from_slice(out, n, n).gemm(1.0, &view(bb(&b)), &view(bb(&a)), 0.0);
        });
        row.near(NDARRAY, out.clone(), |out| {
            let view = |x| ArrayView2::from_shape((n, n), x).expect("a square");
            let mut out = ArrayViewMut2::from_shape((n, n), out).expect("a square");
            general_mat_mul(1.0, &view(&bb(&a)[..]), &view(&bb(&b)[..]), 0.0, &mut out);
        });
        #[cfg(feature = "faer")]
        row.near(super::row::FAER, out.clone(), |out| {
            let view = |x| MatRef::from_row_major_slice(x, n, n);
            let out = MatMut::from_row_major_slice_mut(out, n, n);
            faer::linalg::matmul::matmul(out, Accum::Replace, view(&bb(&a)[..]), view(&bb(&b)[..]), 1.0, Par::Seq);
        });
        table.time(row);
    }
}
