//! Dense linear algebra on slices, row by row.

pub fn cholesky(a: &[f64], n: usize) -> Vec<f64> {
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..i {
            let mut s = a[i * n + j];
            for k in 0..j {
                s -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = s / l[j * n + j];
        }
        let mut s = a[i * n + i];
        for k in 0..i {
            s -= l[i * n + k] * l[i * n + k];
        }
        l[i * n + i] = s.sqrt();
    }
    l
}

pub fn lu(a: &[f64], n: usize) -> (Vec<f64>, Vec<usize>) {
    let mut m = a.to_vec();
    let mut order: Vec<usize> = (0..n).collect();
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if m[i * n + k].abs() > m[pivot * n + k].abs() {
                pivot = i;
            }
        }
        for j in 0..n {
            m.swap(k * n + j, pivot * n + j);
        }
        order.swap(k, pivot);
        let (top, rest) = m.split_at_mut((k + 1) * n);
        let top = &top[k * n..];
        if top[k] != 0.0 {
            for row in rest.chunks_exact_mut(n) {
                let f = row[k] / top[k];
                row[k] = f;
                for j in k + 1..n {
                    row[j] -= f * top[j];
                }
            }
        }
    }
    (m, order)
}

pub fn qr(a: &[f64], m: usize, n: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut r, mut v) = (vec![0.0; m * m], a.to_vec(), vec![0.0; m]);
    (0..m).for_each(|i| q[i * m + i] = 1.0);
    for k in 0..n.min(m) {
        let norm = (k..m).fold(0.0, |s, i| s + r[i * n + k] * r[i * n + k]).sqrt();
        if norm == 0.0 {
            continue;
        }
        (k..m).for_each(|i| v[i] = r[i * n + k]);
        v[k] -= if r[k * n + k] > 0.0 { -norm } else { norm };
        let vv = v[k..].iter().fold(0.0, |s, x| s + x * x);
        for j in k..n {
            let f = 2.0 * (k..m).fold(0.0, |s, i| s + v[i] * r[i * n + j]) / vv;
            (k..m).for_each(|i| r[i * n + j] -= f * v[i]);
        }
        for row in q.chunks_exact_mut(m) {
            let f = 2.0 * (k..m).fold(0.0, |s, j| s + row[j] * v[j]) / vv;
            (k..m).for_each(|j| row[j] -= f * v[j]);
        }
    }
    (q, r)
}

pub fn gram_schmidt(a: &[f64], n: usize, k: usize) -> Vec<f64> {
    let mut q = a.to_vec();
    for i in 0..n {
        let (done, rest) = q.split_at_mut(i * k);
        let row = &mut rest[..k];
        for j in 0..i {
            let other = &done[j * k..][..k];
            let dot = row.iter().zip(other).fold(0.0, |s, (x, y)| s + x * y);
            row.iter_mut().zip(other).for_each(|(x, y)| *x -= dot * y);
        }
        let norm = row.iter().fold(0.0, |s, x| s + x * x).sqrt();
        row.iter_mut().for_each(|x| *x /= norm);
    }
    q
}

pub fn forward(l: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut x = vec![0.0; n];
    for i in 0..n {
        x[i] = (0..i).fold(b[i], |s, j| s - l[i * n + j] * x[j]) / l[i * n + i];
    }
    x
}

pub fn backward(u: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        x[i] = (i + 1..n).fold(b[i], |s, j| s - u[i * n + j] * x[j]) / u[i * n + i];
    }
    x
}

pub fn gauss(a: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let (mut m, mut x) = (a.to_vec(), b.to_vec());
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if m[i * n + k].abs() > m[p * n + k].abs() {
                p = i;
            }
        }
        if m[p * n + k] == 0.0 {
            return vec![f64::NAN; n];
        }
        for j in 0..n {
            m.swap(p * n + j, k * n + j);
        }
        x.swap(p, k);
        for i in k + 1..n {
            let f = m[i * n + k] / m[k * n + k];
            for j in k + 1..n {
                m[i * n + j] -= f * m[k * n + j];
            }
            x[i] -= f * x[k];
        }
    }
    backward(&m, &x)
}

pub fn matmul(a: &[f64], b: &[f64], [n, k, m]: [usize; 3]) -> Vec<f64> {
    let mut c = vec![0.0; n * m];
    for i in 0..n {
        for j in 0..m {
            c[i * m + j] = (0..k).fold(0.0, |s, l| s + a[i * k + l] * b[l * m + j]);
        }
    }
    c
}

pub fn determinant(a: &[f64], n: usize) -> f64 {
    let (mut m, mut det) = (a.to_vec(), 1.0);
    for k in 0..n {
        let Some(p) = (k..n).find(|p| m[p * n + k] != 0.0) else { return 0.0 };
        if p != k {
            (0..n).for_each(|j| m.swap(p * n + j, k * n + j));
            det = -det;
        }
        det *= m[k * n + k];
        for i in k + 1..n {
            let f = m[i * n + k] / m[k * n + k];
            (k..n).for_each(|j| m[i * n + j] -= f * m[k * n + j]);
        }
    }
    det
}

pub fn inverse(a: &[f64], n: usize) -> Vec<f64> {
    let mut m = a.to_vec();
    for k in 0..n {
        let pivot = 1.0 / m[k * n + k];
        m[k * n + k] = 1.0;
        m[k * n..][..n].iter_mut().for_each(|x| *x *= pivot);
        let row = m[k * n..][..n].to_vec();
        for i in (0..n).filter(|i| *i != k) {
            let f = std::mem::replace(&mut m[i * n + k], 0.0);
            (0..n).for_each(|j| m[i * n + j] -= f * row[j]);
        }
    }
    m
}
