//! Bodies, points and clusters on slices.

pub fn k_means(points: &[f64], centres: &[f64], d: usize) -> (Vec<f64>, Vec<usize>) {
    let (k, n) = (centres.len() / d, points.len() / d);
    let distance = |i: usize, c: usize| {
        (0..d).fold(0.0, |s, j| s + (points[i * d + j] - centres[c * d + j]) * (points[i * d + j] - centres[c * d + j]))
    };
    let nearest = |i| (0..k).reduce(|a, b| if distance(i, b) < distance(i, a) { b } else { a }).unwrap_or(0);
    let labels: Vec<usize> = (0..n).map(nearest).collect();
    let mean = |c: usize, j: usize| {
        let own: Vec<f64> = (0..n).filter(|i| labels[*i] == c).map(|i| points[i * d + j]).collect();
        if own.is_empty() { centres[c * d + j] } else { own.iter().fold(0.0, |s, x| s + x) / own.len() as f64 }
    };
    ((0..k * d).map(|at| mean(at / d, at % d)).collect(), labels)
}

pub fn fit_line(x: &[f64], y: &[f64], rate: f64, limit: usize) -> (f64, f64) {
    let (mut a, mut b) = (0.0, 0.0);
    for _ in 0..limit {
        let step = |(da, db): (f64, f64), (x, y): (&f64, &f64)| {
            let error = a * x + b - y;
            (da + error * x, db + error)
        };
        let (da, db) = x.iter().zip(y).fold((0.0, 0.0), step);
        (a, b) = (a - rate * da, b - rate * db);
        if da * da + db * db < 1e-20 {
            break;
        }
    }
    (a, b)
}

pub fn pendulum(start: f64, n: usize, h: f64) -> Vec<f64> {
    let slope = |[a, v]: [f64; 2]| [v, -a + a * a * a / 6.0 - 0.1 * v];
    let add = |s: [f64; 2], t: f64, k: [f64; 2]| [s[0] + t * k[0], s[1] + t * k[1]];
    let next = |s: &[f64; 2]| {
        let k1 = slope(*s);
        let k2 = slope(add(*s, 0.5 * h, k1));
        let k3 = slope(add(*s, 0.5 * h, k2));
        let k4 = slope(add(*s, h, k3));
        Some(std::array::from_fn(|c| s[c] + h / 6.0 * (k1[c] + 2.0 * k2[c] + 2.0 * k3[c] + k4[c])))
    };
    std::iter::successors(Some([start, 0.0]), next).take(n).map(|s| s[0]).collect()
}
