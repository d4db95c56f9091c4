//! Heat on a plate of 512 × 512, 60 steps; the border has itself as a neighbour.

use super::buffer::{Buffer, numbers};
use super::clones::clones;
use super::report::Table;
use super::row::{BASE, FAST, NDARRAY, PLAIN, Row, SMOOTH, WIDE, kernel};
use ndarray::{ArrayView2, ArrayViewMut2, Zip, s};
use smooth::prelude::*;
use std::hint::black_box as bb;

kernel! {
    fn heat(plate: &[[f64; m]; n], steps: usize) -> [[f64; m]; n] {
        ifold(steps, plate.clone(), |t, _| {
            build([n, m], |i, j| {
                let up = t[i.saturating_sub(1)][j];
                let down = t[(i + 1).min(n - 1)][j];
                let left = t[i][j.saturating_sub(1)];
                let right = t[i][(j + 1).min(m - 1)];
                t[i][j] + 0.2 * (up + down + left + right - 4.0 * t[i][j])
            })
        })
    }
}

#[inline(always)]
fn next(at: f64, up: f64, down: f64, left: f64, right: f64) -> f64 {
    at + 0.2 * (up + down + left + right - 4.0 * at)
}

fn plain(out: &mut [f64], other: &mut [f64], plate: &[f64], [n, m]: [usize; 2], steps: usize) {
    out.copy_from_slice(plate);
    let (mut now, mut then) = (out, other);
    for _ in 0..steps {
        for i in 0..n {
            for j in 0..m {
                let t = |i: usize, j: usize| now[i * m + j];
                let (up, down) = (t(i.saturating_sub(1), j), t((i + 1).min(n - 1), j));
                then[i * m + j] = next(t(i, j), up, down, t(i, j.saturating_sub(1)), t(i, (j + 1).min(m - 1)));
            }
        }
        (now, then) = (then, now);
    }
    if steps % 2 == 1 {
        then.copy_from_slice(now);
    }
}

/// Rows as slices; the first and the last column apart.
#[inline(always)]
fn body(out: &mut [f64], other: &mut [f64], plate: &[f64], [n, m]: [usize; 2], steps: usize) {
    // The last step writes into the result.
    let (mut now, mut then) = if steps.is_multiple_of(2) { (out, other) } else { (other, out) };
    now.copy_from_slice(plate);
    for _ in 0..steps {
        for i in 0..n {
            let row = |i: usize| &now[i * m..][..m];
            let (up, at, down) = (row(i.saturating_sub(1)), row(i), row((i + 1).min(n - 1)));
            let then = &mut then[i * m..][..m];
            then[0] = next(at[0], up[0], down[0], at[0], at[1]);
            for j in 1..m - 1 {
                then[j] = next(at[j], up[j], down[j], at[j - 1], at[j + 1]);
            }
            then[m - 1] = next(at[m - 1], up[m - 1], down[m - 1], at[m - 2], at[m - 1]);
        }
        (now, then) = (then, now);
    }
}

clones!(
    fn wide(out: &mut [f64], other: &mut [f64], plate: &[f64], sizes: [usize; 2], steps: usize) = body, body, body
);

/// The inside by views, the border by indices.
fn ndarray(out: &mut [f64], other: &mut [f64], plate: &[f64], [n, m]: [usize; 2], steps: usize) {
    let shape = "the shape fits";
    let (mut now, mut then) = if steps.is_multiple_of(2) { (out, other) } else { (other, out) };
    now.copy_from_slice(plate);
    for _ in 0..steps {
        let t = ArrayView2::from_shape((n, m), &*now).expect(shape);
        let mut u = ArrayViewMut2::from_shape((n, m), &mut *then).expect(shape);
        Zip::from(u.slice_mut(s![1..-1, 1..-1]))
            .and(t.slice(s![1..-1, 1..-1]))
            .and(t.slice(s![..-2, 1..-1]))
            .and(t.slice(s![2.., 1..-1]))
            .and(t.slice(s![1..-1, ..-2]))
            .and(t.slice(s![1..-1, 2..]))
            .for_each(|u, at, up, down, left, right| *u = next(*at, *up, *down, *left, *right));
        let mut border = |i: usize, j: usize| {
            let (up, down) = (t[[i.saturating_sub(1), j]], t[[(i + 1).min(n - 1), j]]);
            u[[i, j]] = next(t[[i, j]], up, down, t[[i, j.saturating_sub(1)]], t[[i, (j + 1).min(m - 1)]]);
        };
        (0..m).for_each(|j| [0, n - 1].into_iter().for_each(|i| border(i, j)));
        (0..n).for_each(|i| [0, m - 1].into_iter().for_each(|j| border(i, j)));
        (now, then) = (then, now);
    }
}

const NAME: &str = "heat, 512 × 512, 60 steps";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let (n, steps) = (512, 60);
    let (plate, zeros, mut arena) = (numbers(n * n, 1), Buffer::<f64>::zeros(n * n), Arena::new());
    let mut other = [(); 4].map(|()| zeros.clone());
    let [o0, o1, o2, o3] = other.each_mut();
    let mut other = Arena::new();
    let mut row = Row::new(NAME, 1e-12);
    row.same(PLAIN, zeros.clone(), |out| plain(out, o0, bb(&plate), [n, n], steps));
    row.same(SMOOTH, zeros.clone(), |out| {
        heat::into(ViewMut::new(out, [n, n]), View::new(bb(&plate), [n, n]), steps, &mut arena);
    });
    row.near(FAST, zeros.clone(), |out| {
        fast::heat::into(ViewMut::new(out, [n, n]), View::new(bb(&plate), [n, n]), steps, &mut other);
    });
    row.same(BASE, zeros.clone(), |out| body(out, o1, bb(&plate), [n, n], steps));
    row.same(WIDE, zeros.clone(), |out| wide(out, o2, bb(&plate), [n, n], steps));
    row.same(NDARRAY, zeros.clone(), |out| ndarray(out, o3, bb(&plate), [n, n], steps));
    table.time(row);
}
