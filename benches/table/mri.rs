//! MRI-Q (Parboil): at each of 2048 voxels a sum of 2048 waves, real and imaginary part.

use super::buffer::{Buffer, numbers};
use super::clones::clones;
use super::float::{fma, sin_cos};
use super::report::Table;
use super::row::{BASE, FAST, PLAIN, Row, SMOOTH, WIDE, kernel};
use smooth::prelude::*;
use std::f64::consts::TAU;
use std::hint::black_box as bb;

kernel! {
    fn mri(x: &[[f64; n]; 3], k: &[[f64; m]; 3], phi: &[f64; m]) -> ([f64; n], [f64; n]) {
        build(n, |i| {
            sum(m, |j| {
                let (s, c) = (TAU * (k[0][j] * x[0][i] + k[1][j] * x[1][i] + k[2][j] * x[2][i])).sin_cos();
                (phi[j] * c, phi[j] * s)
            })
        })
    }
}

type Pair = (Buffer<f64>, Buffer<f64>);

fn plain(out: &mut Pair, x: &[f64], k: &[f64], phi: &[f64]) {
    let (n, m) = (x.len() / 3, phi.len());
    for i in 0..n {
        let (mut re, mut im) = (0.0, 0.0);
        for j in 0..m {
            let (s, c) = (TAU * (k[j] * x[i] + k[m + j] * x[n + i] + k[2 * m + j] * x[2 * n + i])).sin_cos();
            re += phi[j] * c;
            im += phi[j] * s;
        }
        out.0[i] = re;
        out.1[i] = im;
    }
}

/// The number of voxels that are computed side by side, a divisor of the number of all voxels.
const B: usize = 64;

#[inline(always)]
fn body<const L: usize>(out: &mut Pair, x: &[f64], k: &[f64], phi: &[f64]) {
    let (n, m) = (x.len() / 3, phi.len());
    let (kx, ky, kz) = (&k[..m], &k[m..][..m], &k[2 * m..][..m]);
    for start in (0..n).step_by(B) {
        let x: [[f64; B]; 3] = std::array::from_fn(|r| std::array::from_fn(|u| TAU * x[r * n + start + u]));
        let (mut re, mut im) = ([0.0; B], [0.0; B]);
        for j in 0..m {
            let (kx, ky, kz, phi) = (kx[j], ky[j], kz[j], phi[j]);
            for u in 0..B {
                let (s, c) = sin_cos::<L>(fma::<L>(kz, x[2][u], fma::<L>(ky, x[1][u], kx * x[0][u])));
                re[u] = fma::<L>(phi, c, re[u]);
                im[u] = fma::<L>(phi, s, im[u]);
            }
        }
        out.0[start..][..B].copy_from_slice(&re);
        out.1[start..][..B].copy_from_slice(&im);
    }
}

clones!(fn wide(out: &mut Pair, x: &[f64], k: &[f64], phi: &[f64]) = body::<0>, body::<1>, body::<2>);

const NAME: &str = "mri-q, 2048 × 2048";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let n = 2048;
    let (x, k, phi, mut arena) = (numbers(3 * n, 1), numbers(3 * n, 2), numbers(n, 3), Arena::new());
    let out = (Buffer::<f64>::zeros(n), Buffer::<f64>::zeros(n));
    let mut other = Arena::new();
    let mut row = Row::new(NAME, 1e-12);
    row.same(PLAIN, out.clone(), |out| plain(out, bb(&x), bb(&k), bb(&phi)));
    row.near(SMOOTH, out.clone(), |out| {
        let view = |x| View::new(x, [3, n]);
        mri::into(&mut out.0, &mut out.1, view(bb(&x)), view(bb(&k)), bb(&phi), &mut arena);
    });
    row.near(FAST, out.clone(), |out| {
        let view = |x| View::new(x, [3, n]);
        fast::mri::into(&mut out.0, &mut out.1, view(bb(&x)), view(bb(&k)), bb(&phi), &mut other);
    });
    row.near(BASE, out.clone(), |out| body::<0>(out, bb(&x), bb(&k), bb(&phi)));
    row.near(WIDE, out, |out| wide(out, bb(&x), bb(&k), bb(&phi)));
    table.time(row);
}
