//! The kernels.

use smooth::prelude::*;

#[smooth]
pub fn axpy(a: f64, x: &[f64; n], y: &mut [f64; n]) {
    for i in 0..n {
        y[i] += a * x[i];
    }
}

#[smooth]
pub fn scale(by: f64, y: &mut [f64; n]) -> usize {
    for i in 0..n {
        y[i] *= by;
    }
    n
}

#[smooth]
pub fn reverse(y: &mut [f64; n]) {
    for i in 0..n / 2 {
        y.swap(i, n - 1 - i);
    }
}

#[smooth]
pub fn prefix_sums(y: &mut [f64]) {
    for i in 1..y.len() {
        y[i] += y[i - 1];
    }
}

#[smooth]
pub fn set_all(x: f64, y: &mut [f64; n]) {
    y.fill(x);
}

#[smooth]
pub fn keep(y: &mut [f64; n]) -> usize {
    let mut count = 0;
    for i in 0..n {
        if y[i] > 0.0 {
            count += 1;
        }
    }
    count
}

#[smooth]
pub fn exchange(a: &mut [f64; n], b: &mut [f64; n]) {
    for i in 0..n {
        let t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

#[smooth]
pub fn rotate(c: f64, s: f64, a: &mut [f64; n], b: &mut [f64; n]) {
    for i in 0..n {
        (a[i], b[i]) = (c * a[i] - s * b[i], s * a[i] + c * b[i]);
    }
}

#[smooth]
pub fn step(dt: f64, x: &mut f64, v: &mut f64) {
    *v -= dt * *x;
    *x += dt * *v;
}

#[smooth]
pub fn next(count: &mut u32) -> u32 {
    *count += 1;
    *count * 2
}

#[smooth]
pub fn cross(a: &[f64; 3], p: &mut [f64; 3]) {
    *p = [p[1] * a[2] - p[2] * a[1], p[2] * a[0] - p[0] * a[2], p[0] * a[1] - p[1] * a[0]];
}

#[smooth]
pub fn shift(points: &mut [[f64; 3]; n], by: &[f64; 3]) {
    for i in 0..n {
        for j in 0..3 {
            points[i][j] += by[j];
        }
    }
}

#[smooth]
pub fn transpose(m: &mut [[f64; n]; n]) {
    for i in 0..n {
        for j in 0..i {
            let t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
    }
}

#[smooth(column_major(m))]
pub fn number_rows(m: &mut [[f64; k]; n]) {
    for i in 0..n {
        for j in 0..k {
            m[i][j] += 10.0 * i as f64;
        }
    }
}

#[smooth]
pub fn replaced(x: &[f64; n], y: &mut [f64; n]) -> (f64, [f64; n]) {
    let old = build(n, |i| 2.0 * y[i]);
    let total = sum(n, |i| y[i]);
    y.copy_from_slice(x);
    (2.0 * total, old)
}

#[smooth]
pub fn halve<T: Real>(y: &mut [T; n]) {
    for i in 0..n {
        y[i] *= 0.5;
    }
}

#[smooth]
pub fn until_negative(y: &mut [f64; n]) -> usize {
    for i in 0..n {
        if y[i] < 0.0 {
            return i;
        }
        y[i] *= 10.0;
    }
    n
}

#[smooth]
pub fn insertion_sort(y: &mut [f64; n]) {
    for i in 1..n {
        let mut j = i;
        while j > 0 && y[j - 1] > y[j] {
            y.swap(j - 1, j);
            j -= 1;
        }
    }
}
