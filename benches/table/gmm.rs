//! The objective of a Gaussian mixture, reduced as in the paper: 1000 points, 5 components in 2 dimensions, 25 in 10.

use super::clones::clones;
use super::float::{exp, fma};
use super::report::Table;
use super::row::{BASE, FAST, NALGEBRA, NDARRAY, PLAIN, Row, SMOOTH, WIDE};
use nalgebra::{DMatrix, DVector, DVectorView};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use smooth::{Arena, smooth};
use smooth_workloads::gmm::Problem;
use smooth_workloads::{by_hand, data, kernels::gmm::gmm_reduced};
use std::hint::black_box as bb;

/// The kernel, inlined into one with `float = "fast"`.
#[smooth(float = "fast")]
fn fast(alphas: &[f64; k], means: &[[f64; d]; k], icf: &[[f64; t]; k], x: &[[f64; d]; n]) -> f64 {
    gmm_reduced(alphas, means, icf, x)
}

/// The number of points that are computed side by side.
const B: usize = 128;

/// `Σ logsumexp β - n logsumexp α + ½ (|exp q|² + |l|²)`: points innermost, so that they are vectors.
#[inline(always)]
fn body<const L: usize, const D: usize>(p: &Problem) -> f64 {
    let (k, t) = (p.alphas.len(), D * (D + 1) / 2);
    let (means, icf, points) = (p.means.as_slice(), p.icf.as_slice(), p.points.as_slice());
    let mut squares = 0.0;
    let mut components = Vec::with_capacity(k);
    for c in 0..k {
        let (q, l) = (&icf[c * t..][..D], &icf[c * t + D..][..t - D]);
        let diagonal: [f64; D] = std::array::from_fn(|j| q[j].exp());
        squares += diagonal.iter().map(|x| x * x).sum::<f64>() + l.iter().map(|x| x * x).sum::<f64>();
        components.push((p.alphas[c] + q.iter().sum::<f64>(), diagonal, l));
    }
    let mut beta = vec![[0.0; B]; k];
    let mut total = 0.0;
    for block in points.chunks(B * D) {
        let count = block.len() / D;
        let mut x = [[0.0; B]; D];
        for u in 0..count {
            for j in 0..D {
                x[j][u] = block[u * D + j];
            }
        }
        let mut most = [f64::NEG_INFINITY; B];
        for c in 0..k {
            let (base, diagonal, l) = &components[c];
            let (mean, l, beta) = (&means[c * D..][..D], &l[..D * (D - 1) / 2], &mut beta[c]);
            for u in 0..B {
                let v: [f64; D] = std::array::from_fn(|j| x[j][u] - mean[j]);
                let (mut square, mut at) = (0.0, 0);
                for i in 0..D {
                    let mut s = diagonal[i] * v[i];
                    for j in 0..i {
                        s = fma::<L>(l[at], v[j], s);
                        at += 1;
                    }
                    square = fma::<L>(s, s, square);
                }
                let b = base - 0.5 * square;
                beta[u] = b;
                most[u] = if b > most[u] { b } else { most[u] };
            }
        }
        let mut sum = [0.0; B];
        for beta in &beta {
            for u in 0..B {
                sum[u] += exp::<L>(beta[u] - most[u]);
            }
        }
        for u in 0..count {
            total += most[u] + sum[u].ln();
        }
    }
    total - (points.len() / D) as f64 * logsumexp(&p.alphas) + 0.5 * squares
}

clones!(fn wide_two(p: &Problem) -> f64 = body::<0, 2>, body::<1, 2>, body::<2, 2>);
clones!(fn wide_ten(p: &Problem) -> f64 = body::<0, 10>, body::<1, 10>, body::<2, 10>);

fn logsumexp(v: &[f64]) -> f64 {
    let most = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + v.iter().map(|x| (x - most).exp()).sum::<f64>().ln()
}

/// The triangle of a component, as a matrix: the rows of `l` below the diagonal `exp q`.
fn triangle(icf: &[f64], d: usize) -> impl Fn(usize, usize) -> f64 {
    move |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => icf[i].exp(),
        std::cmp::Ordering::Greater => icf[d + i * (i - 1) / 2 + j],
    }
}

/// `Σ logsumexp β - n logsumexp α + ½ |Q|²`, given the sum over the points and the triangles.
fn rest(p: &Problem, points: f64, squares: f64) -> f64 {
    points - p.sizes()[2] as f64 * logsumexp(&p.alphas) + 0.5 * squares
}

fn nalgebra(p: &Problem) -> f64 {
    let [d, k, _] = p.sizes();
    let t = d * (d + 1) / 2;
    let rows: Vec<_> = p.icf.as_slice().chunks_exact(t).collect();
    let triangles: Vec<_> = rows.iter().map(|row| DMatrix::from_fn(d, d, triangle(row, d))).collect();
    let sums: Vec<f64> = rows.iter().map(|row| DVectorView::from_slice(row, d).sum()).collect();
    let means: Vec<_> = p.means.as_slice().chunks_exact(d).map(|m| DVectorView::from_slice(m, d)).collect();
    let (mut v, mut product, mut beta) = (DVector::zeros(d), DVector::zeros(d), vec![0.0; k]);
    let mut total = 0.0;
    for x in p.points.as_slice().chunks_exact(d) {
        for c in 0..k {
            DVectorView::from_slice(x, d).sub_to(&means[c], &mut v);
            product.gemv(1.0, &triangles[c], &v, 0.0);
            beta[c] = p.alphas[c] + sums[c] - 0.5 * product.norm_squared();
        }
        total += logsumexp(&beta);
    }
    rest(p, total, triangles.iter().map(|q| q.norm_squared()).sum())
}

fn ndarray(p: &Problem) -> f64 {
    let [d, k, n] = p.sizes();
    let t = d * (d + 1) / 2;
    let rows: Vec<_> = p.icf.as_slice().chunks_exact(t).collect();
    let triangles: Vec<_> =
        rows.iter().map(|row| Array2::from_shape_fn((d, d), |(i, j)| triangle(row, d)(i, j))).collect();
    let sums: Vec<f64> = rows.iter().map(|row| ArrayView1::from(&row[..d]).sum()).collect();
    let means = ArrayView2::from_shape((k, d), p.means.as_slice()).expect("its shape");
    let points = ArrayView2::from_shape((n, d), p.points.as_slice()).expect("its shape");
    let mut total = 0.0;
    for x in points.rows() {
        let beta = Array1::from_shape_fn(k, |c| {
            let product = triangles[c].dot(&(&x - &means.row(c)));
            p.alphas[c] + sums[c] - 0.5 * product.dot(&product)
        });
        let most = beta.fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        total += most + beta.mapv(|b| (b - most).exp()).sum().ln();
    }
    rest(p, total, triangles.iter().map(|q| q.iter().map(|x| x * x).sum::<f64>()).sum())
}

pub fn rows(table: &mut Table) {
    type One = fn(&Problem) -> f64;
    let two: (_, One, One) = ("gmm_d2_K5", body::<0, 2>, wide_two);
    let ten: (_, One, One) = ("gmm_d10_K25", body::<0, 10>, wide_ten);
    for (file, base, wide) in [two, ten] {
        let p = Problem::read(&data(&format!("gmm/1k/{file}.txt"))).expect("the file is part of the tree");
        let [d, k, n] = p.sizes();
        let name = format!("gmm, d = {d}, K = {k}, n = {n}");
        if !table.wants(&name) {
            continue;
        }
        let mut arena = Arena::new();
        let mut other = Arena::new();
        let mut row = Row::new(name, 1e-11);
        row.same(PLAIN, 0.0, |out| *out = by_hand::gmm::reduced(bb(&p)));
        row.near(SMOOTH, 0.0, |out| {
            let p = bb(&p);
            *out = gmm_reduced::into(&p.alphas, &p.means, &p.icf, &p.points, &mut arena);
        });
        row.near(FAST, 0.0, |out| {
            let p = bb(&p);
            *out = fast::into(&p.alphas, &p.means, &p.icf, &p.points, &mut other);
        });
        row.near(BASE, 0.0, |out| *out = base(bb(&p)));
        row.near(WIDE, 0.0, |out| *out = wide(bb(&p)));
        row.near(NALGEBRA, 0.0, |out| *out = nalgebra(bb(&p)));
        row.near(NDARRAY, 0.0, |out| *out = ndarray(bb(&p)));
        table.time(row);
    }
}
