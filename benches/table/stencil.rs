//! A step of a 7-point stencil on 128³; the border stays as it is.

use super::buffer::{Buffer, numbers};
use super::clones::clones;
use super::report::Table;
use super::row::{BASE, FAST, NDARRAY, PLAIN, Row, SMOOTH, WIDE, kernel};
use ndarray::{ArrayView3, ArrayViewMut3, Zip, s};
use smooth::prelude::*;
use std::hint::black_box as bb;

kernel! {
    fn stencil(a: &[[[f64; p]; m]; n]) -> [[[f64; p]; m]; n] {
        build([n, m, p], |i, j, k| {
            if i == 0 || i == n - 1 || j == 0 || j == m - 1 || k == 0 || k == p - 1 {
                a[i][j][k]
            } else {
                0.1 * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1])
                    + 0.4 * a[i][j][k]
            }
        })
    }
}

fn plain(out: &mut [f64], a: &[f64], n: usize) {
    out.copy_from_slice(a);
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            for k in 1..n - 1 {
                let at = (i * n + j) * n + k;
                out[at] =
                    0.1 * (a[at - n * n] + a[at + n * n] + a[at - n] + a[at + n] + a[at - 1] + a[at + 1]) + 0.4 * a[at];
            }
        }
    }
}

/// Rows as slices; each element of the result is written once.
#[inline(always)]
fn body(out: &mut [f64], a: &[f64], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let row = |i: usize, j: usize| &a[(i * n + j) * n..][..n];
            let (out, at) = (&mut out[(i * n + j) * n..][..n], row(i, j));
            if i == 0 || i == n - 1 || j == 0 || j == n - 1 {
                out.copy_from_slice(at);
                continue;
            }
            let (above, below, before, behind) = (row(i - 1, j), row(i + 1, j), row(i, j - 1), row(i, j + 1));
            out[0] = at[0];
            for k in 1..n - 1 {
                out[k] = 0.1 * (above[k] + below[k] + before[k] + behind[k] + at[k - 1] + at[k + 1]) + 0.4 * at[k];
            }
            out[n - 1] = at[n - 1];
        }
    }
}

clones!(fn wide(out: &mut [f64], a: &[f64], n: usize) = body, body, body);

fn ndarray(out: &mut [f64], a: &[f64], n: usize) {
    out.copy_from_slice(a);
    let a = ArrayView3::from_shape((n, n, n), a).expect("the shape fits");
    let mut out = ArrayViewMut3::from_shape((n, n, n), out).expect("the shape fits");
    Zip::from(out.slice_mut(s![1..-1, 1..-1, 1..-1])).and(a.windows((3, 3, 3))).for_each(|out, w| {
        let (i, j) = (w[[0, 1, 1]] + w[[2, 1, 1]], [w[[1, 0, 1]], w[[1, 2, 1]], w[[1, 1, 0]], w[[1, 1, 2]]]);
        *out = 0.1 * (i + j[0] + j[1] + j[2] + j[3]) + 0.4 * w[[1, 1, 1]];
    });
}

const NAME: &str = "7-point stencil, 128³";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let n = 128;
    let (a, zeros, mut arena) = (numbers(n * n * n, 1), Buffer::<f64>::zeros(n * n * n), Arena::new());
    let mut other = Arena::new();
    let mut row = Row::new(NAME, 1e-12);
    row.same(PLAIN, zeros.clone(), |out| plain(out, bb(&a), n));
    row.same(SMOOTH, zeros.clone(), |out| {
        stencil::into(ViewMut::new(out, [n; 3]), View::new(bb(&a), [n; 3]), &mut arena);
    });
    row.near(FAST, zeros.clone(), |out| {
        fast::stencil::into(ViewMut::new(out, [n; 3]), View::new(bb(&a), [n; 3]), &mut other);
    });
    row.same(BASE, zeros.clone(), |out| body(out, bb(&a), n));
    row.same(WIDE, zeros.clone(), |out| wide(out, bb(&a), n));
    row.same(NDARRAY, zeros, |out| ndarray(out, bb(&a), n));
    table.time(row);
}
