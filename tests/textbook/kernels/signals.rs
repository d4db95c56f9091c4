//! Sequences: sums, counts, transforms.

use smooth::prelude::*;

/// The sums of all prefixes.
#[smooth]
pub fn prefix_sums(a: &[f64; n]) -> [f64; n] {
    let mut s = a.clone();
    for i in 1..n {
        s[i] += s[i - 1];
    }
    s
}

/// The largest element so far.
#[smooth]
pub fn running_maximum(a: &[f64; n]) -> [f64; n] {
    let mut out = [0.0; n];
    let mut largest = f64::NEG_INFINITY;
    for (i, &x) in a.iter().enumerate() {
        if x > largest {
            largest = x;
        }
        out[i] = largest;
    }
    out
}

/// The number of values between 0 and 1 in each of `bins` parts.
#[smooth]
pub fn histogram(a: &[f64; n], bins: usize) -> [u32; bins] {
    let mut counts = [0; bins];
    for &x in a.iter() {
        if x < 0.0 || x >= 1.0 {
            continue;
        }
        counts[(x * bins as f64) as usize] += 1;
    }
    counts
}

/// The lengths of runs of equal elements: their values, their lengths, their number.
#[smooth]
pub fn run_lengths(a: &[u8; n]) -> ([u8; n], [usize; n], usize) {
    let mut values = [0; n];
    let mut lengths = [0; n];
    let mut runs = 0;
    for i in 0..n {
        if runs == 0 || values[runs - 1] != a[i] {
            values[runs] = a[i];
            runs += 1;
        }
        lengths[runs - 1] += 1;
    }
    (values, lengths, runs)
}

/// Fourier's transform of `2 ^ k` complex numbers, with tables of the cosine and the sine.
#[smooth]
pub fn fft(re: &[f64; n], im: &[f64; n], cos: &[f64; h], sin: &[f64; h]) -> ([f64; n], [f64; n]) {
    let mut x = re.clone();
    let mut y = im.clone();
    let mut j = 0;
    for i in 1..n {
        let mut bit = n / 2;
        while j & bit != 0 {
            j ^= bit;
            bit /= 2;
        }
        j ^= bit;
        if i < j {
            x.swap(i, j);
            y.swap(i, j);
        }
    }
    let mut length = 2;
    while length <= n {
        let half = length / 2;
        let step = n / length;
        for start in (0..n).step_by(length) {
            for k in 0..half {
                let (c, s) = (cos[k * step], sin[k * step]);
                let (p, q) = (start + k, start + k + half);
                let (u, v) = (x[q] * c - y[q] * s, x[q] * s + y[q] * c);
                x[q] = x[p] - u;
                y[q] = y[p] - v;
                x[p] += u;
                y[p] += v;
            }
        }
        length *= 2;
    }
    (x, y)
}

/// The transform of Haar, by halves.
#[smooth]
pub fn haar(a: &[f64; n]) -> [f64; n] {
    let mut x = a.clone();
    let mut t = [0.0; n];
    let mut length = n;
    while length > 1 && length % 2 == 0 {
        let half = length / 2;
        for i in 0..half {
            t[i] = (x[2 * i] + x[2 * i + 1]) * 0.5;
            t[half + i] = (x[2 * i] - x[2 * i + 1]) * 0.5;
        }
        for i in 0..length {
            x[i] = t[i];
        }
        length = half;
    }
    x
}

/// The mean and the variance in one pass.
#[smooth]
pub fn welford(a: &[f64; n]) -> (f64, f64) {
    let (mut mean, mut m2, mut count) = (0.0, 0.0, 0.0);
    for &x in a.iter() {
        count += 1.0;
        let delta = x - mean;
        mean += delta / count;
        m2 += delta * (x - mean);
    }
    (mean, if count > 1.0 { m2 / (count - 1.0) } else { 0.0 })
}

/// The largest sum of a slice, and the slice's start and end.
#[smooth]
pub fn largest_slice(a: &[i64; n]) -> (i64, usize, usize) {
    let mut best = (0, 0, 0);
    let mut here = 0;
    let mut start = 0;
    for i in 0..n {
        here += a[i];
        if here > best.0 {
            best = (here, start, i + 1);
        }
        if here < 0 {
            here = 0;
            start = i + 1;
        }
    }
    best
}

/// The product of two polynomials.
#[smooth]
pub fn polynomial_product(a: &[f64; n], b: &[f64; m]) -> [f64; n + m] {
    let mut c = [0.0; n + m];
    for i in 0..n {
        for j in 0..m {
            c[i + j] += a[i] * b[j];
        }
    }
    c
}

/// A filter with feedback.
#[smooth]
pub fn biquad(a: &[f64; n], b: &[f64; 3], c: &[f64; 2]) -> [f64; n] {
    let mut out = [0.0; n];
    let (mut x1, mut x2, mut y1, mut y2) = (0.0, 0.0, 0.0, 0.0);
    for i in 0..n {
        let x = a[i];
        let y = b[0] * x + b[1] * x1 + b[2] * x2 - c[0] * y1 - c[1] * y2;
        (x2, x1) = (x1, x);
        (y2, y1) = (y1, y);
        out[i] = y;
    }
    out
}
