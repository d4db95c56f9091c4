//! `vectorNorm (vectorAdd a b)` (§2.2): one pass over memory or two, and how many additions at a time?

use super::buffer::numbers;
use super::clones::clones;
use super::float::fma;
use super::report::Table;
use super::row::{BASE, FAST, NALGEBRA, NDARRAY, PLAIN, Row, SMOOTH, WIDE, kernel};
use nalgebra::DVectorView;
use ndarray::ArrayView1;
use smooth::linalg::{vector_add, vector_norm};
use smooth::prelude::*;
use std::hint::black_box as bb;

kernel! {
    fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 {
        vector_norm(&vector_add(a, b))
    }
}

fn plain(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a + b) * (a + b)).sum::<f64>().sqrt()
}

/// `B` sums side by side.
#[inline(always)]
fn body<const L: usize, const B: usize>(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len();
    let b = &b[..n];
    let mut sums = [0.0; B];
    let mut i = 0;
    while i + B <= n {
        let (x, y) = (&a[i..i + B], &b[i..i + B]);
        for l in 0..B {
            let s = x[l] + y[l];
            sums[l] = fma::<L>(s, s, sums[l]);
        }
        i += B;
    }
    let mut sum = 0.0;
    for s in sums {
        sum += s;
    }
    while i < n {
        sum += (a[i] + b[i]) * (a[i] + b[i]);
        i += 1;
    }
    sum.sqrt()
}

clones!(fn wide(a: &[f64], b: &[f64]) -> f64 = body::<0, 16>, body::<1, 32>, body::<2, 64>);

pub fn rows(table: &mut Table) {
    for n in [1000, 1_000_000] {
        let name = format!("norm of a sum, n = {n}");
        if !table.wants(&name) {
            continue;
        }
        let (a, b) = (numbers(n, 4), numbers(n, 5));
        let mut row = Row::new(name, 1e-11);
        row.same(PLAIN, 0.0, |out| *out = plain(bb(&a), bb(&b)));
        row.near(SMOOTH, 0.0, |out| *out = norm_of_sum(bb(&a), bb(&b)));
        row.near(FAST, 0.0, |out| *out = fast::norm_of_sum(bb(&a), bb(&b)));
        row.near(BASE, 0.0, |out| *out = body::<0, 16>(bb(&a), bb(&b)));
        row.near(WIDE, 0.0, |out| *out = wide(bb(&a), bb(&b)));
        // Neither can fuse the sum with the norm.
        row.near(NALGEBRA, 0.0, |out| {
            *out = (DVectorView::from_slice(bb(&a), n) + DVectorView::from_slice(bb(&b), n)).norm()
        });
        row.near(NDARRAY, 0.0, |out| {
            let c = &ArrayView1::from(&bb(&a)[..]) + &ArrayView1::from(&bb(&b)[..]);
            *out = c.dot(&c).sqrt();
        });
        table.time(row);
    }
}
