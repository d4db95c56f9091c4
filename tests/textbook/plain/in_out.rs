//! Loops that change their arguments.

pub fn n_body(position: &mut [[f64; 3]], velocity: &mut [[f64; 3]], mass: &[f64], dt: f64) {
    for i in 0..mass.len() {
        for j in i + 1..mass.len() {
            let d: [f64; 3] = std::array::from_fn(|c| position[i][c] - position[j][c]);
            let square = d.iter().fold(1e-9, |s: f64, x| s + x * x);
            let f = dt / (square * square.sqrt());
            for (c, x) in d.iter().enumerate() {
                velocity[i][c] -= x * mass[j] * f;
                velocity[j][c] += x * mass[i] * f;
            }
        }
    }
    for (p, v) in position.iter_mut().zip(velocity) {
        p.iter_mut().zip(v).for_each(|(p, v)| *p += dt * *v);
    }
}

pub fn accumulate(a: &mut [f64]) {
    let mut total = 0.0;
    a.iter_mut().for_each(|x| {
        total += *x;
        *x = total;
    });
}

pub fn smooth_in_place(a: &mut [f64], rounds: usize) {
    for _ in 0..rounds {
        let old = a.to_vec();
        for i in 1..a.len().max(1) - 1 {
            a[i] = (old[i - 1] + old[i] + old[i + 1]) / 3.0;
        }
    }
}

pub fn by_columns(columns: &[f64], x: &[f64], n: usize) -> Vec<f64> {
    (0..n).map(|i| x.iter().enumerate().fold(0.0, |s, (j, x)| s + x * columns[j * n + i])).collect()
}

pub fn eliminate(m: &mut [f64], n: usize) {
    for k in 0..n {
        for i in k + 1..n {
            let f = -m[i * n + k] / m[k * n + k];
            (0..n).for_each(|j| m[i * n + j] += f * m[k * n + j]);
        }
    }
}
