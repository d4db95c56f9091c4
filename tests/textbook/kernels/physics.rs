//! Bodies, points and clusters.

use smooth::prelude::*;

/// Each point's nearest centre, and the means of the points of each centre.
#[smooth]
pub fn k_means(points: &[[f64; d]; n], centres: &[[f64; d]; k]) -> ([[f64; d]; k], [usize; n]) {
    let mut means = [[0.0; d]; k];
    let mut labels = [0; n];
    let mut counts = [0; k];
    for i in 0..n {
        let mut best = (0, f64::INFINITY);
        for c in 0..k {
            let mut distance = 0.0;
            for j in 0..d {
                let x = points[i][j] - centres[c][j];
                distance += x * x;
            }
            if distance < best.1 {
                best = (c, distance);
            }
        }
        labels[i] = best.0;
        counts[best.0] += 1;
        for j in 0..d {
            means[best.0][j] += points[i][j];
        }
    }
    for c in 0..k {
        if counts[c] == 0 {
            means[c].copy_from_slice(&centres[c]);
            continue;
        }
        for j in 0..d {
            means[c][j] /= counts[c] as f64;
        }
    }
    (means, labels)
}

/// A line through points by steps down the gradient, until they are small.
#[smooth]
pub fn fit_line(x: &[f64; n], y: &[f64; n], rate: f64, limit: usize) -> (f64, f64) {
    let (mut a, mut b) = (0.0, 0.0);
    for _ in 0..limit {
        let (mut da, mut db) = (0.0, 0.0);
        for i in 0..n {
            let error = a * x[i] + b - y[i];
            da += error * x[i];
            db += error;
        }
        a -= rate * da;
        b -= rate * db;
        if da * da + db * db < 1e-20 {
            break;
        }
    }
    (a, b)
}

/// The steps of Runge and Kutta for a pendulum: its angles.
#[smooth]
pub fn pendulum(start: f64, n: usize, h: f64) -> [f64; n] {
    let slope = |a: f64, v: f64| (v, -a + a * a * a / 6.0 - 0.1 * v);
    let mut angles = [0.0; n];
    let (mut a, mut v) = (start, 0.0);
    for i in 0..n {
        angles[i] = a;
        let k1 = slope(a, v);
        let k2 = slope(a + 0.5 * h * k1.0, v + 0.5 * h * k1.1);
        let k3 = slope(a + 0.5 * h * k2.0, v + 0.5 * h * k2.1);
        let k4 = slope(a + h * k3.0, v + h * k3.1);
        a += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        v += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    angles
}
