//! Softmax of each of 1024 rows of 256 numbers.

use super::buffer::{Buffer, numbers};
use super::clones::clones;
use super::float::exp;
use super::report::Table;
use super::row::{BASE, FAST, NALGEBRA, NDARRAY, PLAIN, Row, SMOOTH, WIDE, kernel};
use nalgebra::{DMatrixView, DMatrixViewMut};
use ndarray::{ArrayView2, ArrayViewMut2};
use smooth::prelude::*;
use std::hint::black_box as bb;

kernel! {
    fn softmax(x: &[[f64; m]; n]) -> [[f64; m]; n] {
        build(n, |i| {
            let most = max(m, |j| x[i][j]);
            let e = build(m, |j| (x[i][j] - most).exp());
            let total = sum(m, |j| e[j]);
            build(m, |j| e[j] / total)
        })
    }
}

fn plain(out: &mut [f64], x: &[f64], m: usize) {
    for (out, x) in out.chunks_exact_mut(m).zip(x.chunks_exact(m)) {
        let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut total = 0.0;
        for (out, x) in out.iter_mut().zip(x) {
            *out = (x - most).exp();
            total += *out;
        }
        out.iter_mut().for_each(|e| *e /= total);
    }
}

/// Lanes of the largest number and of the sum; a multiplication for each division.
#[inline(always)]
fn body<const L: usize>(out: &mut [f64], x: &[f64], m: usize) {
    const B: usize = 32;
    for (out, x) in out.chunks_exact_mut(m).zip(x.chunks_exact(m)) {
        let (blocks, rest) = x.as_chunks::<B>();
        let mut most = [f64::NEG_INFINITY; B];
        for x in blocks {
            for l in 0..B {
                most[l] = if x[l] > most[l] { x[l] } else { most[l] };
            }
        }
        let most = most.iter().chain(rest).fold(f64::NEG_INFINITY, |a, b| if *b > a { *b } else { a });
        for j in 0..m {
            out[j] = exp::<L>(x[j] - most);
        }
        let (blocks, rest) = out.as_chunks::<B>();
        let mut sums = [0.0; B];
        for e in blocks {
            for l in 0..B {
                sums[l] += e[l];
            }
        }
        let inverse = 1.0 / (sums.iter().sum::<f64>() + rest.iter().sum::<f64>());
        for e in out {
            *e *= inverse;
        }
    }
}

clones!(fn wide(out: &mut [f64], x: &[f64], m: usize) = body::<0>, body::<1>, body::<2>);

fn nalgebra(out: &mut [f64], x: &[f64], m: usize) {
    let n = x.len() / m;
    // Our rows are its columns.
    let (x, mut out) = (DMatrixView::from_slice(x, m, n), DMatrixViewMut::from_slice(out, m, n));
    for (mut out, x) in out.column_iter_mut().zip(x.column_iter()) {
        let most = x.max();
        out.zip_apply(&x, |out, x| *out = (x - most).exp());
        let total = out.sum();
        out /= total;
    }
}

fn ndarray(out: &mut [f64], x: &[f64], m: usize) {
    let n = x.len() / m;
    let x = ArrayView2::from_shape((n, m), x).expect("the shape fits");
    let mut out = ArrayViewMut2::from_shape((n, m), out).expect("the shape fits");
    for (mut out, x) in out.rows_mut().into_iter().zip(x.rows()) {
        let most = x.fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        out.zip_mut_with(&x, |out, x| *out = (x - most).exp());
        let total = out.sum();
        out /= total;
    }
}

const NAME: &str = "softmax, 1024 × 256";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let (n, m) = (1024, 256);
    let x = Buffer::of(&numbers(n * m, 1).iter().map(|x| 10.0 * x - 5.0).collect::<Vec<_>>());
    let (zeros, mut arena) = (Buffer::<f64>::zeros(n * m), Arena::new());
    let mut other = Arena::new();
    let mut row = Row::new(NAME, 1e-13);
    row.same(PLAIN, zeros.clone(), |out| plain(out, bb(&x), m));
    row.near(SMOOTH, zeros.clone(), |out| {
        softmax::into(ViewMut::new(out, [n, m]), View::new(bb(&x), [n, m]), &mut arena);
    });
    row.near(FAST, zeros.clone(), |out| {
        fast::softmax::into(ViewMut::new(out, [n, m]), View::new(bb(&x), [n, m]), &mut other);
    });
    row.near(BASE, zeros.clone(), |out| body::<0>(out, bb(&x), m));
    row.near(WIDE, zeros.clone(), |out| wide(out, bb(&x), m));
    row.near(NALGEBRA, zeros.clone(), |out| nalgebra(out, bb(&x), m));
    row.near(NDARRAY, zeros, |out| ndarray(out, bb(&x), m));
    table.time(row);
}
