//! Iterations on slices.

pub fn conjugate_gradient(a: &[f64], b: &[f64], tolerance: f64) -> (Vec<f64>, usize) {
    let n = b.len();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).fold(0.0, |s, (x, y)| s + x * y);
    let (mut x, mut r, mut p) = (vec![0.0; n], b.to_vec(), b.to_vec());
    let (mut rr, mut steps) = (dot(&r, &r), 0);
    while rr > tolerance && steps < 2 * n {
        let ap: Vec<f64> = (0..n).map(|i| dot(&a[i * n..][..n], &p)).collect();
        let alpha = rr / dot(&p, &ap);
        x.iter_mut().zip(&p).for_each(|(x, p)| *x += alpha * p);
        r.iter_mut().zip(&ap).for_each(|(r, ap)| *r -= alpha * ap);
        let next = dot(&r, &r);
        let beta = next / rr;
        p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + beta * *p);
        (rr, steps) = (next, steps + 1);
    }
    (x, steps)
}

pub fn power_iteration(a: &[f64], n: usize, limit: usize) -> (Vec<f64>, f64) {
    let (mut v, mut value) = (vec![1.0; n], 0.0f64);
    for _ in 0..limit {
        let w: Vec<f64> = (0..n).map(|i| (0..n).fold(0.0, |s, j| s + a[i * n + j] * v[j])).collect();
        let norm = w.iter().fold(0.0, |s, x| s + x * x).sqrt();
        v = w.iter().map(|x| x / norm).collect();
        let change = (norm - std::mem::replace(&mut value, norm)).abs();
        if change < 1e-12 {
            break;
        }
    }
    (v, value)
}

pub fn durbin(r: &[f64]) -> Vec<f64> {
    let (mut y, mut beta): (Vec<f64>, f64) = (Vec::new(), 1.0);
    for (k, x) in r.iter().enumerate() {
        if k == 0 {
            y.push(-x);
            continue;
        }
        let last = y[k - 1];
        beta *= 1.0 - last * last;
        let s = (0..k).fold(0.0, |s, i| s + r[k - i - 1] * y[i]);
        let alpha = -(x + s) / beta;
        y = (0..k).map(|i| y[i] + alpha * y[k - i - 1]).collect();
        y.push(alpha);
    }
    y
}

pub fn thomas(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> Vec<f64> {
    let n = d.len();
    let (mut above, mut x) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        if i == 0 {
            (above[0], x[0]) = (c[0] / b[0], d[0] / b[0]);
        } else {
            let m = 1.0 / (b[i] - a[i] * above[i - 1]);
            (above[i], x[i]) = (c[i] * m, (d[i] - a[i] * x[i - 1]) * m);
        }
    }
    for i in (1..n).rev() {
        x[i - 1] -= above[i - 1] * x[i];
    }
    x
}

pub fn newton(x: f64) -> f64 {
    let mut r = x.max(1.0);
    for _ in 0..100 {
        let before = r;
        r = 0.5 * (r + x / r);
        if (r - before).abs() <= 1e-15 * before {
            return r;
        }
    }
    r
}

pub fn bisection(p: &[f64], mut low: f64, mut high: f64) -> f64 {
    let value = |x: f64| p.iter().rfold(0.0, |y, c| y * x + c);
    let below = value(low) < 0.0;
    for _ in 0..200 {
        if high - low <= 1e-12 {
            break;
        }
        let middle = 0.5 * (low + high);
        *(if (value(middle) < 0.0) == below { &mut low } else { &mut high }) = middle;
    }
    0.5 * (low + high)
}

pub fn mandelbrot(width: usize, height: usize, limit: u32) -> Vec<u32> {
    let steps = |k: usize| {
        let c = ((k % width) as f64 / width as f64 * 3.0 - 2.0, (k / width) as f64 / height as f64 * 2.0 - 1.0);
        let (mut x, mut y) = (0.0, 0.0);
        for steps in 0..limit {
            if x * x + y * y > 4.0 {
                return steps;
            }
            (x, y) = (x * x - y * y + c.0, 2.0 * x * y + c.1);
        }
        limit
    };
    (0..width * height).map(steps).collect()
}

pub fn romberg(a: f64, b: f64, levels: usize) -> f64 {
    let f = |x: f64| 1.0 / (1.0 + x * x);
    let mut rows = vec![vec![0.5 * (b - a) * (f(a) + f(b))]];
    for level in 1..=levels {
        let panels = 1usize << level;
        let h = (b - a) / panels as f64;
        let middle = (0..panels / 2).fold(0.0, |s, i| s + f(a + h * (2 * i + 1) as f64));
        let before = &rows[level - 1];
        let mut row = vec![0.5 * before[0] + h * middle];
        for j in 1..=level {
            row.push(row[j - 1] + (row[j - 1] - before[j - 1]) / (4f64.powi(j as i32) - 1.0));
        }
        rows.push(row);
    }
    rows[levels][levels]
}
