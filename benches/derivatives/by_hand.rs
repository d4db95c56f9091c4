//! The derivatives as one writes them without a library, on numbers row by row.

use smooth_workloads::ba::Problem;
use std::array::from_fn;

/// `c += a b`, where `a` has rows of `k` numbers and `b` of `m`.
fn add_product(c: &mut [f64], a: &[f64], b: &[f64], [k, m]: [usize; 2]) {
    for (c, a) in c.chunks_exact_mut(m).zip(a.chunks_exact(k)) {
        for (a, b) in a.iter().zip(b.chunks_exact(m)) {
            c.iter_mut().zip(b).for_each(|(c, b)| *c += a * b);
        }
    }
}

fn transposed(a: &[f64], k: usize) -> Vec<f64> {
    let n = a.len() / k;
    (0..n * k).map(|at| a[at % n * k + at / n]).collect()
}

/// `a b`, and `d bᵀ` and `aᵀ d`.
pub fn product(a: &[f64], b: &[f64], d: &[f64], [n, k, m]: [usize; 3]) -> [Vec<f64>; 3] {
    let mut all = [vec![0.0; n * m], vec![0.0; n * k], vec![0.0; k * m]];
    add_product(&mut all[0], a, b, [k, m]);
    add_product(&mut all[1], d, &transposed(b, m), [m, k]);
    add_product(&mut all[2], &transposed(a, k), d, [n, m]);
    all
}

/// The value, and the cotangents of the signal and of the weights.
pub fn convolution(x: &[f64], w: &[f64], d: &[f64]) -> [Vec<f64>; 3] {
    let mut all = [vec![0.0; d.len()], vec![0.0; x.len()], vec![0.0; w.len()]];
    for (j, w) in w.iter().enumerate() {
        all[0].iter_mut().zip(&x[j..]).for_each(|(out, x)| *out += w * x);
        all[1][j..].iter_mut().zip(d).for_each(|(out, d)| *out += w * d);
        all[2][j] = d.iter().zip(&x[j..]).map(|(d, x)| d * x).sum();
    }
    all
}

/// The value, and the derivative in `w`, of a softmax regression.
pub fn softmax(w: &[f64], x: &[f64], label: &[usize]) -> (f64, Vec<f64>) {
    let d = x.len() / label.len();
    let (mut value, mut d_w, mut z) = (0.0, vec![0.0; w.len()], vec![0.0; w.len() / d]);
    for (x, label) in x.chunks_exact(d).zip(label) {
        for (z, w) in z.iter_mut().zip(w.chunks_exact(d)) {
            *z = w.iter().zip(x).map(|(w, x)| w * x).sum();
        }
        let most = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        value += most - z[*label];
        z.iter_mut().for_each(|z| *z = (*z - most).exp());
        let total: f64 = z.iter().sum();
        value += total.ln();
        z.iter_mut().for_each(|z| *z /= total);
        z[*label] -= 1.0;
        for (d_w, z) in d_w.chunks_exact_mut(d).zip(&z) {
            d_w.iter_mut().zip(x).for_each(|(d, x)| *d += z * x);
        }
    }
    (value, d_w)
}

/// The value, and the derivatives in `w` and `v`, of a perceptron: from `p` numbers to `h` and to `o`.
pub fn perceptron([w, v, x, y]: [&[f64]; 4], [p, h, o]: [usize; 3]) -> (f64, [Vec<f64>; 2]) {
    let n = x.len() / p;
    let mut all = [vec![0.0; h * p], vec![0.0; o * h]];
    let (mut a, mut e, mut d_a) = (vec![0.0; n * h], vec![0.0; n * o], vec![0.0; n * h]);
    add_product(&mut a, x, &transposed(w, p), [p, h]);
    a.iter_mut().for_each(|a| *a = a.tanh());
    add_product(&mut e, &a, &transposed(v, h), [h, o]);
    e.iter_mut().zip(y).for_each(|(e, y)| *e -= y);
    let value = e.iter().map(|e| e * e).sum();
    e.iter_mut().for_each(|e| *e *= 2.0);
    add_product(&mut d_a, &e, v, [o, h]);
    d_a.iter_mut().zip(&a).for_each(|(d, a)| *d *= 1.0 - a * a);
    add_product(&mut all[0], &transposed(&d_a, h), x, [n, p]);
    add_product(&mut all[1], &transposed(&e, o), &a, [n, h]);
    (value, all)
}

/// The log likelihood of a mixture of Gaussians, with factors by rows and half the squares of these, and the derivatives of it,
/// point by point.
pub fn mixture(alphas: &[f64], means: &[f64], icf: &[f64], x: &[f64], [d, k]: [usize; 2]) -> (f64, [Vec<f64>; 3]) {
    let (t, n) = (icf.len() / k, x.len() / d);
    let mut all = [vec![0.0; k], vec![0.0; k * d], vec![0.0; k * t]];
    let [d_alphas, d_means, d_icf] = &mut all;
    let diagonal: Vec<f64> = (0..k * d).map(|at| icf[at / d * t + at % d].exp()).collect();
    let base: Vec<f64> = (0..k).map(|c| alphas[c] + icf[c * t..c * t + d].iter().sum::<f64>()).collect();
    let mut d_diagonal = vec![0.0; k * d];
    let (mut z, mut v, mut e) = (vec![0.0; k * d], vec![0.0; k * d], vec![0.0; k]);
    let mut value = 0.0;
    for x in x.chunks_exact(d) {
        for c in 0..k {
            let (v, z) = (&mut v[c * d..][..d], &mut z[c * d..][..d]);
            (0..d).for_each(|j| v[j] = x[j] - means[c * d + j]);
            let mut squares = 0.0;
            for r in 0..d {
                let row = &icf[c * t + d + r * r.saturating_sub(1) / 2..][..r];
                z[r] = diagonal[c * d + r] * v[r] + row.iter().zip(&*v).map(|(l, v)| l * v).sum::<f64>();
                squares += z[r] * z[r];
            }
            e[c] = base[c] - 0.5 * squares;
        }
        let most = e.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        e.iter_mut().for_each(|e| *e = (*e - most).exp());
        let total: f64 = e.iter().sum();
        value += most + total.ln();
        for c in 0..k {
            let (w, v) = (e[c] / total, &v[c * d..][..d]);
            d_alphas[c] += w;
            for r in 0..d {
                let d_z = -w * z[c * d + r];
                let at = c * t + d + r * r.saturating_sub(1) / 2;
                d_diagonal[c * d + r] += d_z * v[r];
                d_means[c * d + r] -= d_z * diagonal[c * d + r];
                for j in 0..r {
                    d_icf[at + j] += d_z * v[j];
                    d_means[c * d + j] -= d_z * icf[at + j];
                }
            }
        }
    }
    let most = alphas.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = alphas.iter().map(|a| (a - most).exp()).sum();
    value -= n as f64 * (most + total.ln());
    for c in 0..k {
        let weight = d_alphas[c];
        d_alphas[c] -= n as f64 * (alphas[c] - most).exp() / total;
        for j in 0..t {
            if j < d {
                let own = diagonal[c * d + j];
                value += 0.5 * own * own;
                d_icf[c * t + j] += weight + (d_diagonal[c * d + j] + own) * own;
            } else {
                value += 0.5 * icf[c * t + j] * icf[c * t + j];
                d_icf[c * t + j] += icf[c * t + j];
            }
        }
    }
    (value, all)
}

/// The value, and the derivative in `a`.
pub fn least_squares(a: &[f64], x: &[f64], y: &[f64]) -> (f64, Vec<f64>) {
    let (mut value, mut d_a) = (0.0, vec![0.0; a.len()]);
    for (x, y) in x.chunks_exact(a.len()).zip(y) {
        let e = a.iter().zip(x).map(|(a, x)| a * x).sum::<f64>() - y;
        value += e * e;
        d_a.iter_mut().zip(x).for_each(|(d, x)| *d += 2.0 * e * x);
    }
    (value, d_a)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The projection of a point by a camera, and the derivatives of its two numbers in camera and point.
pub fn project(cam: &[f64; 11], x: &[f64; 3]) -> ([f64; 2], [[f64; 14]; 2]) {
    let [r0, r1, r2, c0, c1, c2, f, u0, v0, k0, k1] = *cam;
    let (r, y) = ([r0, r1, r2], [x[0] - c0, x[1] - c1, x[2] - c2]);
    let theta = dot(r, r).sqrt();
    let (sin, cos) = theta.sin_cos();
    let inverse = if theta == 0.0 { 0.0 } else { 1.0 / theta };
    // sin θ / θ and (1 - cos θ) / θ.
    let [s, t] = if theta == 0.0 { [1.0, 0.0] } else { [sin * inverse, (1.0 - cos) * inverse] };
    let a = r.map(|r| r * inverse);
    let (across, along) = (cross(a, y), dot(a, y));
    let z: [f64; 3] = from_fn(|i| y[i] * cos + across[i] * sin + a[i] * along * (1.0 - cos));
    let by_angle = from_fn(|i| across[i] * cos - y[i] * sin + a[i] * along * sin);
    let inverse = 1.0 / z[2];
    let p = [z[0] * inverse, z[1] * inverse];
    let rho = p[0] * p[0] + p[1] * p[1];
    let l = 1.0 + k0 * rho + k1 * rho * rho;
    let row = |i: usize| {
        let own = [1.0 - i as f64, i as f64];
        let by_p = [0, 1].map(|j| f * (l * own[j] + (2.0 * k0 + 4.0 * k1 * rho) * p[i] * p[j]));
        let by_z = [by_p[0] * inverse, by_p[1] * inverse, -(by_p[0] * p[0] + by_p[1] * p[1]) * inverse];
        let (across, turned, by_a) = (cross(by_z, a), cross(y, by_z), dot(by_z, a));
        let by_y: [f64; 3] = from_fn(|j| by_z[j] * cos + across[j] * sin + a[j] * by_a * (1.0 - cos));
        let free = from_fn(|j| s * turned[j] + t * (along * by_z[j] + by_a * y[j]));
        let length = dot(by_z, by_angle) - dot(a, free);
        let [e0, e1, e2]: [f64; 3] = from_fn(|j| free[j] + a[j] * length);
        let [y0, y1, y2] = by_y;
        let (by_f, by_k0, by_k1) = (p[i] * l, f * p[i] * rho, f * p[i] * rho * rho);
        [e0, e1, e2, -y0, -y1, -y2, by_f, own[0], own[1], by_k0, by_k1, y0, y1, y2]
    };
    ([p[0] * l * f + u0, p[1] * l * f + v0], [row(0), row(1)])
}

/// The error of an observation, and its derivatives in camera, point and weight.
pub fn residual(p: &Problem, i: usize) -> ([f64; 2], [[f64; 15]; 2]) {
    let [camera, point] = p.observations[i];
    let (at, rows) = project(&p.cameras[camera], &p.points[point]);
    let (off, w) = ([0, 1].map(|r| at[r] - p.features[i][r]), p.weights[i]);
    (off.map(|off| w * off), [0, 1].map(|r| from_fn(|j| if j < 14 { w * rows[r][j] } else { off[r] })))
}

/// The squares of all errors, and their derivatives in cameras, points and weights.
pub fn squares(p: &Problem) -> (f64, [Vec<f64>; 3]) {
    let mut value = 0.0;
    let mut all = [11 * p.cameras.len(), 3 * p.points.len(), p.weights.len()].map(|n| vec![0.0; n]);
    for (i, [camera, point]) in p.observations.iter().enumerate() {
        let (e, rows) = residual(p, i);
        let own = 1.0 - p.weights[i] * p.weights[i];
        value += e[0] * e[0] + e[1] * e[1] + own * own;
        all[2][i] = -4.0 * own * p.weights[i];
        for (e, row) in e.iter().zip(&rows) {
            all[0][11 * camera..].iter_mut().zip(&row[..11]).for_each(|(d, r)| *d += 2.0 * e * r);
            all[1][3 * point..].iter_mut().zip(&row[11..14]).for_each(|(d, r)| *d += 2.0 * e * r);
            all[2][i] += 2.0 * e * row[14];
        }
    }
    (value, all)
}
