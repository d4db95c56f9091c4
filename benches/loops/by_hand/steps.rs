//! Grids, recurrences, bodies.

pub fn seidel(a: &mut [f64], grid: &[f64], n: usize, m: usize, steps: usize) {
    a.copy_from_slice(grid);
    for _ in 0..steps {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                a[i * m + j] = (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]) / 4.0;
            }
        }
    }
}

pub fn jacobi(out: &mut [f64], other: &mut [f64], plate: &[f64], n: usize, m: usize, steps: usize) {
    out.copy_from_slice(plate);
    other.copy_from_slice(plate);
    let (mut a, mut b) = (out, other);
    for _ in 0..steps {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                b[i * m + j] = 0.2
                    * (a[i * m + j] + a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] + a[(i + 1) * m + j]);
            }
        }
        (a, b) = (b, a);
    }
    if steps % 2 == 1 {
        b.copy_from_slice(a);
    }
}

pub fn heat(out: &mut [f64], other: &mut [f64], rod: &[f64], steps: usize) {
    let n = rod.len();
    out.copy_from_slice(rod);
    other.copy_from_slice(rod);
    let (mut now, mut next) = (out, other);
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = now[i] + 0.25 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        }
        (now, next) = (next, now);
    }
    if steps % 2 == 1 {
        next.copy_from_slice(now);
    }
}

pub fn life(out: &mut [u8], other: &mut [u8], board: &[u8], n: usize, m: usize, steps: usize) {
    out.copy_from_slice(board);
    let (mut now, mut next) = (out, other);
    for _ in 0..steps {
        for i in 0..n {
            for j in 0..m {
                let mut alive = 0;
                for di in 0..3 {
                    for dj in 0..3 {
                        if di != 1 || dj != 1 {
                            alive += now[(i + n + di - 1) % n * m + (j + m + dj - 1) % m];
                        }
                    }
                }
                next[i * m + j] = match (now[i * m + j], alive) {
                    (1, 2) | (_, 3) => 1,
                    _ => 0,
                };
            }
        }
        (now, next) = (next, now);
    }
    if steps % 2 == 1 {
        next.copy_from_slice(now);
    }
}

pub fn durbin(y: &mut [f64], z: &mut [f64], r: &[f64]) {
    y.fill(0.0);
    y[0] = -r[0];
    let (mut beta, mut alpha) = (1.0, -r[0]);
    for k in 1..r.len() {
        beta *= 1.0 - alpha * alpha;
        let mut s = 0.0;
        for i in 0..k {
            s += r[k - i - 1] * y[i];
        }
        alpha = -(r[k] + s) / beta;
        for i in 0..k {
            z[i] = y[i] + alpha * y[k - i - 1];
        }
        y[..k].copy_from_slice(&z[..k]);
        y[k] = alpha;
    }
}

pub fn thomas(x: &mut [f64], above: &mut [f64], a: &[f64], b: &[f64], c: &[f64], d: &[f64]) {
    let n = d.len();
    above.copy_from_slice(c);
    x.copy_from_slice(d);
    above[0] /= b[0];
    x[0] /= b[0];
    for i in 1..n {
        let m = 1.0 / (b[i] - a[i] * above[i - 1]);
        above[i] *= m;
        x[i] = (x[i] - a[i] * x[i - 1]) * m;
    }
    for i in (1..n).rev() {
        x[i - 1] -= above[i - 1] * x[i];
    }
}

pub fn mandelbrot(image: &mut [u32], width: usize, height: usize, limit: u32) {
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
            image[row * width + column] = steps;
        }
    }
}

pub fn n_body(position: &mut [[f64; 3]], velocity: &mut [[f64; 3]], mass: &[f64], dt: f64) {
    let n = mass.len();
    for i in 0..n {
        for j in i + 1..n {
            let mut d = [0.0; 3];
            let mut square = 1e-9;
            for c in 0..3 {
                d[c] = position[i][c] - position[j][c];
                square += d[c] * d[c];
            }
            let f = dt / (square * f64::sqrt(square));
            for c in 0..3 {
                velocity[i][c] -= d[c] * mass[j] * f;
                velocity[j][c] += d[c] * mass[i] * f;
            }
        }
    }
    for i in 0..n {
        for c in 0..3 {
            position[i][c] += dt * velocity[i][c];
        }
    }
}
