//! Iterations that end when they are close enough, and recurrences.

use smooth::prelude::*;

/// Conjugate gradients: the solution, and the number of steps.
#[smooth]
pub fn conjugate_gradient(a: &[[f64; n]; n], b: &[f64; n], tolerance: f64) -> ([f64; n], usize) {
    let mut x = [0.0; n];
    let mut r = b.clone();
    let mut p = b.clone();
    let mut ap = [0.0; n];
    let mut rr = 0.0;
    for i in 0..n {
        rr += r[i] * r[i];
    }
    let mut steps = 0;
    while rr > tolerance && steps < 2 * n {
        let mut pap = 0.0;
        for i in 0..n {
            let mut s = 0.0;
            for j in 0..n {
                s += a[i][j] * p[j];
            }
            ap[i] = s;
            pap += p[i] * s;
        }
        let alpha = rr / pap;
        let mut next = 0.0;
        for i in 0..n {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
            next += r[i] * r[i];
        }
        let beta = next / rr;
        for i in 0..n {
            p[i] = r[i] + beta * p[i];
        }
        rr = next;
        steps += 1;
    }
    (x, steps)
}

/// The largest eigenvalue and its vector.
#[smooth]
pub fn power_iteration(a: &[[f64; n]; n], limit: usize) -> ([f64; n], f64) {
    let mut v = [1.0; n];
    let mut value = 0.0;
    for _ in 0..limit {
        let w = build(n, |i| {
            let mut s = 0.0;
            for j in 0..n {
                s += a[i][j] * v[j];
            }
            s
        });
        let mut norm = 0.0;
        for x in w.iter() {
            norm += x * x;
        }
        let norm = norm.sqrt();
        for i in 0..n {
            v[i] = w[i] / norm;
        }
        let change = (norm - value).abs();
        value = norm;
        if change < 1e-12 {
            break;
        }
    }
    (v, value)
}

/// Durbin's recursion for the equations of Yule and Walker.
#[smooth]
pub fn durbin(r: &[f64; n]) -> [f64; n] {
    let mut y = [0.0; n];
    let mut z = [0.0; n];
    if n == 0 {
        return y;
    }
    y[0] = -r[0];
    let mut beta = 1.0;
    let mut alpha = -r[0];
    for k in 1..n {
        beta *= 1.0 - alpha * alpha;
        let mut s = 0.0;
        for i in 0..k {
            s += r[k - i - 1] * y[i];
        }
        alpha = -(r[k] + s) / beta;
        for i in 0..k {
            z[i] = y[i] + alpha * y[k - i - 1];
        }
        for i in 0..k {
            y[i] = z[i];
        }
        y[k] = alpha;
    }
    y
}

/// A tridiagonal system by Thomas' algorithm: `a` below, `b` on and `c` above the diagonal.
#[smooth]
pub fn thomas(a: &[f64; n], b: &[f64; n], c: &[f64; n], d: &[f64; n]) -> [f64; n] {
    let mut c = c.clone();
    let mut x = d.clone();
    if n > 0 {
        c[0] /= b[0];
        x[0] /= b[0];
    }
    for i in 1..n {
        let m = 1.0 / (b[i] - a[i] * c[i - 1]);
        c[i] *= m;
        x[i] = (x[i] - a[i] * x[i - 1]) * m;
    }
    for i in (1..n).rev() {
        x[i - 1] -= c[i - 1] * x[i];
    }
    x
}

/// The square root by Newton's method.
#[smooth]
pub fn newton(x: f64) -> f64 {
    let mut r = x.max(1.0);
    for _ in 0..100 {
        let next = 0.5 * (r + x / r);
        if (next - r).abs() <= 1e-15 * r {
            r = next;
            break;
        }
        r = next;
    }
    r
}

/// A zero of a polynomial between `low` and `high`, by halving.
#[smooth]
pub fn bisection(p: &[f64; n], mut low: f64, mut high: f64) -> f64 {
    let value = |x: f64| {
        let mut y = 0.0;
        for c in p.iter().rev() {
            y = y * x + *c;
        }
        y
    };
    let below = value(low) < 0.0;
    let mut steps = 0;
    while high - low > 1e-12 && steps < 200 {
        let middle = 0.5 * (low + high);
        if (value(middle) < 0.0) == below {
            low = middle;
        } else {
            high = middle;
        }
        steps += 1;
    }
    0.5 * (low + high)
}

/// The number of steps until a point leaves the circle.
#[smooth]
pub fn mandelbrot(width: usize, height: usize, limit: u32) -> [[u32; width]; height] {
    let mut image = [[0; width]; height];
    for row in 0..height {
        for column in 0..width {
            let cx = column as f64 / width as f64 * 3.0 - 2.0;
            let cy = row as f64 / height as f64 * 2.0 - 1.0;
            let (mut x, mut y) = (0.0, 0.0);
            let mut steps = 0;
            while steps < limit {
                if x * x + y * y > 4.0 {
                    break;
                }
                (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                steps += 1;
            }
            image[row][column] = steps;
        }
    }
    image
}

/// An integral by Romberg's table, which is one row.
#[smooth]
pub fn romberg(a: f64, b: f64, levels: usize) -> f64 {
    let f = |x: f64| 1.0 / (1.0 + x * x);
    let mut row = [0.0; levels + 1];
    row[0] = 0.5 * (b - a) * (f(a) + f(b));
    let mut panels = 1;
    for level in 1..=levels {
        panels *= 2;
        let h = (b - a) / panels as f64;
        let mut middle = 0.0;
        for i in (1..panels).step_by(2) {
            middle += f(a + h * i as f64);
        }
        let mut before = row[0];
        row[0] = 0.5 * before + h * middle;
        let mut factor = 1.0;
        for j in 1..=level {
            factor *= 4.0;
            let next = row[j - 1] + (row[j - 1] - before) / (factor - 1.0);
            before = row[j];
            row[j] = next;
        }
    }
    row[levels]
}
