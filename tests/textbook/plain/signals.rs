//! Sequences on slices.

pub fn prefix_sums(a: &[f64]) -> Vec<f64> {
    let mut total = 0.0;
    let next = |(i, x): (usize, &f64)| {
        total = if i == 0 { *x } else { *x + total };
        total
    };
    a.iter().enumerate().map(next).collect()
}

pub fn running_maximum(a: &[f64]) -> Vec<f64> {
    (0..a.len()).map(|i| a[..=i].iter().copied().fold(f64::NEG_INFINITY, f64::max)).collect()
}

pub fn histogram(a: &[f64], bins: usize) -> Vec<u32> {
    let mut counts = vec![0; bins];
    a.iter().filter(|x| (0.0..1.0).contains(*x)).for_each(|x| counts[(x * bins as f64) as usize] += 1);
    counts
}

pub fn run_lengths(a: &[u8]) -> (Vec<u8>, Vec<usize>, usize) {
    let runs: Vec<&[u8]> = a.chunk_by(|x, y| x == y).collect();
    let (mut values, mut lengths) = (vec![0; a.len()], vec![0; a.len()]);
    for (k, run) in runs.iter().enumerate() {
        (values[k], lengths[k]) = (run[0], run.len());
    }
    (values, lengths, runs.len())
}

pub fn fft(re: &[f64], im: &[f64], cos: &[f64], sin: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = re.len();
    if n < 2 {
        return (re.to_vec(), im.to_vec());
    }
    // By halves, with every second root of unity.
    let part = |a: &[f64], odd: usize| a.iter().skip(odd).step_by(2).copied().collect::<Vec<_>>();
    let (c, s) = (part(cos, 0), part(sin, 0));
    let [(ex, ey), (ox, oy)] = [0, 1].map(|odd| fft(&part(re, odd), &part(im, odd), &c, &s));
    let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
    for k in 0..n / 2 {
        let (u, v) = (ox[k] * cos[k] - oy[k] * sin[k], ox[k] * sin[k] + oy[k] * cos[k]);
        (x[k], y[k]) = (ex[k] + u, ey[k] + v);
        (x[k + n / 2], y[k + n / 2]) = (ex[k] - u, ey[k] - v);
    }
    (x, y)
}

pub fn haar(a: &[f64]) -> Vec<f64> {
    let (mut x, mut length) = (a.to_vec(), a.len());
    while length > 1 && length.is_multiple_of(2) {
        let pairs: Vec<[f64; 2]> = x[..length].chunks_exact(2).map(|p| [p[0], p[1]]).collect();
        length /= 2;
        for (i, [p, q]) in pairs.into_iter().enumerate() {
            (x[i], x[length + i]) = ((p + q) * 0.5, (p - q) * 0.5);
        }
    }
    x
}

pub fn welford(a: &[f64]) -> (f64, f64) {
    let (mut mean, mut m2) = (0.0, 0.0);
    for (i, x) in a.iter().enumerate() {
        let delta = x - mean;
        mean += delta / (i + 1) as f64;
        m2 += delta * (x - mean);
    }
    (mean, if a.len() > 1 { m2 / (a.len() - 1) as f64 } else { 0.0 })
}

pub fn largest_slice(a: &[i64]) -> i64 {
    let ends = |s: usize| (s..=a.len()).map(move |e| a[s..e].iter().sum());
    (0..=a.len()).flat_map(ends).max().expect("the empty slice")
}

pub fn polynomial_product(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut c = vec![0.0; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            c[i + j] += x * y;
        }
    }
    c
}

pub fn biquad(a: &[f64], b: &[f64; 3], c: &[f64; 2]) -> Vec<f64> {
    let mut y: Vec<f64> = Vec::new();
    for i in 0..a.len() {
        let old = |v: &[f64], k: usize| if i >= k { v[i - k] } else { 0.0 };
        y.push(b[0] * a[i] + b[1] * old(a, 1) + b[2] * old(a, 2) - c[0] * old(&y, 1) - c[1] * old(&y, 2));
    }
    y
}
