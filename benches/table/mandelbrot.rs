//! The Mandelbrot set, 256 × 256 points: 256 steps for every point, and as many as it takes to leave the circle.

use super::buffer::Buffer;
use super::clones::clones;
use super::report::Table;
use super::row::{BASE, PLAIN, Row, SMOOTH, WIDE};
use smooth::prelude::*;
use std::hint::black_box as bb;

/// A point that has left the circle waits.
#[smooth]
fn fixed(width: usize, height: usize, limit: usize) -> [[u32; width]; height] {
    build([height, width], |i, j| {
        let cx = j as f64 / width as f64 * 3.0 - 2.0;
        let cy = i as f64 / height as f64 * 2.0 - 1.0;
        let (_, _, steps) = ifold(limit, (0.0, 0.0, 0), |(x, y, steps), _| {
            if x * x + y * y <= 4.0 { (x * x - y * y + cx, 2.0 * x * y + cy, steps + 1) } else { (x, y, steps) }
        });
        steps
    })
}

#[smooth]
fn early(width: usize, height: usize, limit: u32) -> [[u32; width]; height] {
    build([height, width], |i, j| {
        let cx = j as f64 / width as f64 * 3.0 - 2.0;
        let cy = i as f64 / height as f64 * 2.0 - 1.0;
        let (mut x, mut y) = (0.0, 0.0);
        let mut steps = 0;
        while steps < limit && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            steps += 1;
        }
        steps
    })
}

fn plain(out: &mut [u32], [width, height]: [usize; 2], limit: u32, early: bool) {
    for i in 0..height {
        for j in 0..width {
            let cx = j as f64 / width as f64 * 3.0 - 2.0;
            let cy = i as f64 / height as f64 * 2.0 - 1.0;
            let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
            for _ in 0..limit {
                if x * x + y * y <= 4.0 {
                    (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                    steps += 1;
                } else if early {
                    break;
                }
            }
            out[i * width + j] = steps;
        }
    }
}

/// `B` points of a row side by side. With `EARLY` the block ends when the last of them has left.
///
/// No fused multiply-add: near the edge of the set one rounding changes the number of steps.
#[inline(always)]
fn body<const EARLY: bool, const B: usize>(out: &mut [u32], [width, height]: [usize; 2], limit: u32) {
    for i in 0..height {
        let cy = i as f64 / height as f64 * 2.0 - 1.0;
        for (start, out) in (0..).step_by(B).zip(out[i * width..][..width].chunks_mut(B)) {
            let cx: [f64; B] = std::array::from_fn(|u| (start + u) as f64 / width as f64 * 3.0 - 2.0);
            let (mut x, mut y, mut steps) = ([0.0; B], [0.0; B], [0.0; B]);
            let mut done = 0;
            while done < limit {
                let some = if EARLY { 8.min(limit - done) } else { limit };
                let mut last = 0.0;
                for _ in 0..some {
                    let mut alive = 0.0;
                    for u in 0..B {
                        let (xx, yy) = (x[u] * x[u], y[u] * y[u]);
                        let inside = xx + yy <= 4.0;
                        let (a, b) = (xx - yy + cx[u], 2.0 * x[u] * y[u] + cy);
                        x[u] = if inside { a } else { x[u] };
                        y[u] = if inside { b } else { y[u] };
                        steps[u] += if inside { 1.0 } else { 0.0 };
                        alive = if inside { 1.0 } else { alive };
                    }
                    last = alive;
                }
                done += some;
                if EARLY && last == 0.0 {
                    break;
                }
            }
            for (out, steps) in out.iter_mut().zip(steps) {
                *out = steps as u32;
            }
        }
    }
}

clones!(fn wide_fixed(out: &mut [u32], sizes: [usize; 2], limit: u32) = body::<false, 8>, body::<false, 32>, body::<false, 32>);
clones!(fn wide_early(out: &mut [u32], sizes: [usize; 2], limit: u32) = body::<true, 8>, body::<true, 16>, body::<true, 32>);

pub fn rows(table: &mut Table) {
    let (size, limit) = ([256, 256], 256);
    let (out, mut arena) = (Buffer::<u32>::zeros(256 * 256), Arena::new());
    if table.wants("mandelbrot, fixed") {
        let mut row = Row::new("mandelbrot, fixed", 0.0);
        row.same(PLAIN, out.clone(), |out| plain(out, bb(size), bb(limit), false));
        row.same(SMOOTH, out.clone(), |out| {
            fixed::into(ViewMut::new(out, size), bb(size[0]), size[1], bb(limit as usize), &mut arena);
        });
        row.same(BASE, out.clone(), |out| body::<false, 8>(out, bb(size), bb(limit)));
        row.same(WIDE, out.clone(), |out| wide_fixed(out, bb(size), bb(limit)));
        table.time(row);
    }
    if table.wants("mandelbrot, early exit") {
        let mut row = Row::new("mandelbrot, early exit", 0.0);
        row.same(PLAIN, out.clone(), |out| plain(out, bb(size), bb(limit), true));
        row.same(SMOOTH, out.clone(), |out| {
            early::into(ViewMut::new(out, size), bb(size[0]), size[1], bb(limit), &mut arena);
        });
        row.same(BASE, out.clone(), |out| body::<true, 8>(out, bb(size), bb(limit)));
        row.same(WIDE, out, |out| wide_early(out, bb(size), bb(limit)));
        table.time(row);
    }
}
