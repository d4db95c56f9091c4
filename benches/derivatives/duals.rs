//! The same kernels as users of num-dual write them: over any numbers that carry derivatives, forwards.
//!
//! All directions go together in vectors of static length, or one after the other, as `Gradients` has it for vectors of dynamic
//! length: each kernel has the faster way.

use nalgebra::{DVector, Dyn, SVector};
use num_dual::{DualNum, Gradients, gradient, jacobian};
use smooth_workloads::ba::Problem;

/// A number that may carry derivatives.
pub trait Number: DualNum<Primitive = f64> + Copy {}

impl<D: DualNum<Primitive = f64> + Copy> Number for D {}

fn cross<D: Number>(a: [D; 3], b: [D; 3]) -> [D; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot<D: Number>(a: [D; 3], b: [D; 3]) -> D {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The projection of a point by a camera.
fn project<D: Number>(cam: &[D], x: &[D]) -> [D; 2] {
    let (r, y) = ([cam[0], cam[1], cam[2]], [x[0] - cam[3], x[1] - cam[4], x[2] - cam[5]]);
    let square = dot(r, r);
    let z = if square.re() != 0.0 {
        let theta = square.sqrt();
        let (sin, cos) = theta.sin_cos();
        let inverse = theta.recip();
        let a = r.map(|r| r * inverse);
        let (across, along) = (cross(a, y), dot(a, y) * (-cos + 1.0));
        [0, 1, 2].map(|i| y[i] * cos + across[i] * sin + a[i] * along)
    } else {
        let across = cross(r, y);
        [0, 1, 2].map(|i| y[i] + across[i])
    };
    let inverse = z[2].recip();
    let p = [z[0] * inverse, z[1] * inverse];
    let rho = p[0] * p[0] + p[1] * p[1];
    let scale = (cam[9] * rho + cam[10] * rho * rho + 1.0) * cam[6];
    [p[0] * scale + cam[7], p[1] * scale + cam[8]]
}

/// The derivatives of a projection in camera and point, row by row.
pub fn projection(all: &[f64; 14], out: &mut [f64]) {
    let f = |all: SVector<_, 14>| SVector::from(project(&all.as_slice()[..11], &all.as_slice()[11..]));
    out.copy_from_slice(jacobian(f, &(*all).into()).1.transpose().as_slice());
}

/// Those of the error of an observation, in its weight as well.
pub fn residual(p: &Problem, i: usize, out: &mut [f64]) {
    let [camera, point] = p.observations[i];
    let mut all = SVector::from([p.weights[i]; 15]);
    all.as_mut_slice()[..11].copy_from_slice(&p.cameras[camera]);
    all.as_mut_slice()[11..14].copy_from_slice(&p.points[point]);
    let f = |all: SVector<_, 15>| {
        let at = project(&all.as_slice()[..11], &all.as_slice()[11..14]);
        SVector::from([0, 1].map(|k| (at[k] - p.features[i][k]) * all[14]))
    };
    out.copy_from_slice(jacobian(f, &all).1.transpose().as_slice());
}

/// The gradient of a sum of squares.
pub fn least_squares(a: &[f64], x: &[f64], y: &[f64], out: &mut [f64]) {
    let f = |a: DVector<_>, _: &()| squares(a.as_slice(), x, y);
    out.copy_from_slice(Dyn::gradient(f, &DVector::from_column_slice(a), &()).1.as_slice());
}

fn squares<D: Number>(a: &[D], x: &[f64], y: &[f64]) -> D {
    x.chunks_exact(a.len()).zip(y).map(|(x, y)| (a.iter().zip(x).map(|(a, x)| *a * *x).sum::<D>() - *y).powi(2)).sum()
}

fn log_sum_exp<D: Number>(x: &[D]) -> D {
    let most = x.iter().map(|x| x.re()).fold(f64::NEG_INFINITY, f64::max);
    x.iter().map(|x| (*x - most).exp()).sum::<D>().ln() + most
}

/// The gradient of a softmax regression.
pub fn softmax(w: &[f64], x: &[f64], label: &[usize], out: &mut [f64]) {
    let f = |w: DVector<_>, _: &()| loss(w.as_slice(), x, label);
    out.copy_from_slice(Dyn::gradient(f, &DVector::from_column_slice(w), &()).1.as_slice());
}

fn loss<D: Number>(w: &[D], x: &[f64], label: &[usize]) -> D {
    let d = x.len() / label.len();
    let mut z = vec![D::zero(); w.len() / d];
    let mut loss = D::zero();
    for (x, label) in x.chunks_exact(d).zip(label) {
        for (z, w) in z.iter_mut().zip(w.chunks_exact(d)) {
            *z = w.iter().zip(x).map(|(w, x)| *w * *x).sum();
        }
        loss += log_sum_exp(&z) - z[*label];
    }
    loss
}

/// The gradient of a mixture of `k` parts in `d` dimensions.
pub fn mixture(all: &[f64], x: &[f64], [d, k]: [usize; 2], out: &mut [f64]) {
    if let Ok(all) = <[f64; 30]>::try_from(all) {
        let f = |all: SVector<_, 30>| likelihood(all.as_slice(), x, [d, k]);
        out.copy_from_slice(gradient(f, &all.into()).1.as_slice());
    } else {
        let f = |all: DVector<_>, _: &()| likelihood(all.as_slice(), x, [d, k]);
        out.copy_from_slice(Dyn::gradient(f, &DVector::from_column_slice(all), &()).1.as_slice());
    }
}

fn likelihood<D: Number>(all: &[D], x: &[f64], [d, k]: [usize; 2]) -> D {
    let (alphas, rest) = all.split_at(k);
    let (means, icf) = rest.split_at(k * d);
    let t = icf.len() / k;
    let diagonal: Vec<D> = (0..k * d).map(|at| icf[at / d * t + at % d].exp()).collect();
    let base: Vec<D> = (0..k).map(|c| alphas[c] + icf[c * t..][..d].iter().copied().sum::<D>()).collect();
    let (mut v, mut e) = (vec![D::zero(); d], vec![D::zero(); k]);
    let mut value = log_sum_exp(alphas) * -((x.len() / d) as f64);
    for x in x.chunks_exact(d) {
        for c in 0..k {
            (0..d).for_each(|j| v[j] = means[c * d + j] - x[j]);
            let mut squares = D::zero();
            for r in 0..d {
                let row = &icf[c * t + d + r * r.saturating_sub(1) / 2..][..r];
                let z = diagonal[c * d + r] * v[r] + row.iter().zip(&v).map(|(l, v)| *l * *v).sum::<D>();
                squares += z * z;
            }
            e[c] = base[c] - squares * 0.5;
        }
        value += log_sum_exp(&e);
    }
    let below = icf.chunks_exact(t).flat_map(|icf| &icf[d..]);
    value + diagonal.iter().chain(below).map(|l| *l * *l).sum::<D>() * 0.5
}
