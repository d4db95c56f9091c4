//! Matrices, row by row.

pub fn cholesky(l: &mut [f64], a: &[f64], n: usize) {
    l.fill(0.0);
    for i in 0..n {
        for j in 0..=i {
            let mut s = a[i * n + j];
            for k in 0..j {
                s -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = if i == j { s.sqrt() } else { s / l[j * n + j] };
        }
    }
}

pub fn lu(m: &mut [f64], order: &mut [usize], a: &[f64], n: usize) {
    m.copy_from_slice(a);
    for i in 0..n {
        order[i] = i;
    }
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if m[i * n + k].abs() > m[pivot * n + k].abs() {
                pivot = i;
            }
        }
        if pivot != k {
            for j in 0..n {
                m.swap(k * n + j, pivot * n + j);
            }
            order.swap(k, pivot);
        }
        if m[k * n + k] == 0.0 {
            continue;
        }
        for i in k + 1..n {
            m[i * n + k] /= m[k * n + k];
            for j in k + 1..n {
                m[i * n + j] -= m[i * n + k] * m[k * n + j];
            }
        }
    }
}

pub fn qr(q: &mut [f64], r: &mut [f64], v: &mut [f64], a: &[f64], m: usize, n: usize) {
    r.copy_from_slice(a);
    for i in 0..m {
        for j in 0..m {
            q[i * m + j] = if i == j { 1.0 } else { 0.0 };
        }
    }
    v.fill(0.0);
    for k in 0..n.min(m) {
        let mut norm = 0.0;
        for i in k..m {
            norm += r[i * n + k] * r[i * n + k];
        }
        let norm = f64::sqrt(norm);
        if norm == 0.0 {
            continue;
        }
        let alpha = if r[k * n + k] > 0.0 { -norm } else { norm };
        let mut vv = 0.0;
        for i in k..m {
            v[i] = if i == k { r[k * n + k] - alpha } else { r[i * n + k] };
            vv += v[i] * v[i];
        }
        for j in k..n {
            let mut s = 0.0;
            for i in k..m {
                s += v[i] * r[i * n + j];
            }
            let f = 2.0 * s / vv;
            for i in k..m {
                r[i * n + j] -= f * v[i];
            }
        }
        for i in 0..m {
            let mut s = 0.0;
            for j in k..m {
                s += q[i * m + j] * v[j];
            }
            let f = 2.0 * s / vv;
            for j in k..m {
                q[i * m + j] -= f * v[j];
            }
        }
    }
}

pub fn gram_schmidt(q: &mut [f64], a: &[f64], n: usize, k: usize) {
    q.copy_from_slice(a);
    for i in 0..n {
        for j in 0..i {
            let mut dot = 0.0;
            for c in 0..k {
                dot += q[i * k + c] * q[j * k + c];
            }
            for c in 0..k {
                q[i * k + c] -= dot * q[j * k + c];
            }
        }
        let mut norm = 0.0;
        for c in 0..k {
            norm += q[i * k + c] * q[i * k + c];
        }
        let norm = f64::sqrt(norm);
        for c in 0..k {
            q[i * k + c] /= norm;
        }
    }
}

pub fn forward(x: &mut [f64], l: &[f64], b: &[f64]) {
    let n = b.len();
    x.copy_from_slice(b);
    for i in 0..n {
        for j in 0..i {
            x[i] -= l[i * n + j] * x[j];
        }
        x[i] /= l[i * n + i];
    }
}

pub fn matmul(c: &mut [f64], a: &[f64], b: &[f64], n: usize) {
    c.fill(0.0);
    for i in 0..n {
        for l in 0..n {
            for j in 0..n {
                c[i * n + j] += a[i * n + l] * b[l * n + j];
            }
        }
    }
}

pub fn floyd_warshall(d: &mut [f64], lengths: &[f64], n: usize) {
    d.copy_from_slice(lengths);
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                if d[i * n + k] + d[k * n + j] < d[i * n + j] {
                    d[i * n + j] = d[i * n + k] + d[k * n + j];
                }
            }
        }
    }
}

pub fn conjugate_gradient(x: &mut [f64], [r, p, ap]: [&mut [f64]; 3], a: &[f64], b: &[f64], tolerance: f64) -> usize {
    let n = b.len();
    x.fill(0.0);
    r.copy_from_slice(b);
    p.copy_from_slice(b);
    let (mut rr, mut steps) = (0.0, 0);
    for i in 0..n {
        rr += r[i] * r[i];
    }
    while rr > tolerance && steps < 2 * n {
        let mut pap = 0.0;
        for i in 0..n {
            let mut s = 0.0;
            for j in 0..n {
                s += a[i * n + j] * p[j];
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
        (rr, steps) = (next, steps + 1);
    }
    steps
}
