//! Three vectors of 100 summed (Fig. 11a), into an existing vector and into a new one: one loop, no temporary?

use super::buffer::{Buffer, numbers};
use super::clones::clones;
use super::report::Table;
use super::row::{BASE, NALGEBRA, NDARRAY, PLAIN, Row, SMOOTH, WIDE};
use nalgebra::{DVectorView, DVectorViewMut};
use ndarray::{ArrayView1, ArrayViewMut1, Zip};
use smooth::linalg::vector_add;
use smooth::prelude::*;
use std::hint::black_box as bb;

#[smooth]
fn add3(x: &[f64; n], y: &[f64; n], z: &[f64; n]) -> [f64; n] {
    vector_add(&vector_add(x, y), z)
}

fn plain(out: &mut [f64], x: &[f64], y: &[f64], z: &[f64]) {
    assert!(x.len() == out.len() && y.len() == out.len() && z.len() == out.len());
    for i in 0..out.len() {
        out[i] = x[i] + y[i] + z[i];
    }
}

#[inline(always)]
fn body(out: &mut [f64], x: &[f64], y: &[f64], z: &[f64]) {
    let n = out.len();
    let (x, y, z) = (&x[..n], &y[..n], &z[..n]);
    for i in 0..n {
        out[i] = x[i] + y[i] + z[i];
    }
}

clones!(fn wide(out: &mut [f64], x: &[f64], y: &[f64], z: &[f64]) = body, body, body);

#[inline(always)]
fn new(x: &[f64], y: &[f64], z: &[f64]) -> Vec<f64> {
    x.iter().zip(y).zip(z).map(|((x, y), z)| x + y + z).collect()
}

clones!(fn wide_new(x: &[f64], y: &[f64], z: &[f64]) -> Vec<f64> = new, new, new);

pub fn rows(table: &mut Table) {
    let n = 100;
    let [x, y, z] = [1, 2, 3].map(|seed| numbers(n, seed));
    let (out, mut arena) = (Buffer::<f64>::zeros(n), Arena::new());
    if table.wants("add3 into, n = 100") {
        let mut row = Row::new("add3 into, n = 100", 0.0);
        row.same(PLAIN, out.clone(), |out| plain(out, bb(&x), bb(&y), bb(&z)));
        row.same(SMOOTH, out.clone(), |out| add3::into(&mut out[..], bb(&x), bb(&y), bb(&z), &mut arena));
        row.same(BASE, out.clone(), |out| body(out, bb(&x), bb(&y), bb(&z)));
        row.same(WIDE, out.clone(), |out| wide(out, bb(&x), bb(&y), bb(&z)));
        let nal = |v| DVectorView::from_slice(v, n);
        row.same(NALGEBRA, out.clone(), |out| {
            // The first sum is written in place, the second added to it: no temporary, two passes.
            let mut out = DVectorViewMut::from_slice(out, n);
            nal(bb(&x)).add_to(&nal(bb(&y)), &mut out);
            out += nal(bb(&z));
        });
        row.same(NDARRAY, out, |out| {
            let (x, y, z) =
                (ArrayView1::from(&bb(&x)[..]), ArrayView1::from(&bb(&y)[..]), ArrayView1::from(&bb(&z)[..]));
            Zip::from(ArrayViewMut1::from(&mut out[..])).and(x).and(y).and(z).for_each(|o, x, y, z| *o = x + y + z);
        });
        table.time(row);
    }
    if table.wants("add3 new, n = 100") {
        let mut row = Row::new("add3 new, n = 100", 0.0);
        // No zeros are written first, so the plain form is also the best one.
        row.same(PLAIN, vec![], |out| *out = new(bb(&x), bb(&y), bb(&z)));
        row.same(BASE, vec![], |out| *out = new(bb(&x), bb(&y), bb(&z)));
        row.same(SMOOTH, vec![], |out| *out = add3(bb(&x), bb(&y), bb(&z)));
        row.same(WIDE, vec![], |out| *out = wide_new(bb(&x), bb(&y), bb(&z)));
        let nal = |v| DVectorView::from_slice(v, n);
        row.same(NALGEBRA, vec![], |out| {
            *out = (nal(bb(&x)) + nal(bb(&y)) + nal(bb(&z))).data.into();
        });
        row.same(NDARRAY, vec![], |out| {
            let (x, y, z) =
                (ArrayView1::from(&bb(&x)[..]), ArrayView1::from(&bb(&y)[..]), ArrayView1::from(&bb(&z)[..]));
            *out = (&x + &y + z).into_raw_vec_and_offset().0;
        });
        table.time(row);
    }
}
