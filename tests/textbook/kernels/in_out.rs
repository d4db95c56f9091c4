//! Kernels that change their arguments.

use smooth::prelude::*;

/// A step of bodies that attract each other.
#[smooth]
pub fn n_body(position: &mut [[f64; 3]; n], velocity: &mut [[f64; 3]; n], mass: &[f64; n], dt: f64) {
    for i in 0..n {
        for j in i + 1..n {
            let mut d = [0.0; 3];
            let mut square = 1e-9;
            for c in 0..3 {
                d[c] = position[i][c] - position[j][c];
                square += d[c] * d[c];
            }
            let f = dt / (square * square.sqrt());
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

/// Several of these steps.
#[smooth]
pub fn simulate(position: &mut [[f64; 3]; n], velocity: &mut [[f64; 3]; n], mass: &[f64; n], steps: usize) {
    for _ in 0..steps {
        n_body(position, velocity, mass, 0.01);
    }
}

/// `y += a x`.
#[smooth]
pub fn axpy(a: f64, x: &[f64; n], y: &mut [f64; n]) {
    for i in 0..n {
        y[i] += a * x[i];
    }
}

/// Running sums, in the argument.
#[smooth]
pub fn accumulate(a: &mut [f64; n]) {
    let mut total = 0.0;
    for x in a.iter_mut() {
        total += *x;
        *x = total;
    }
}

/// Insertion into the sorted part, in place.
#[smooth]
pub fn insertion_sort(a: &mut [f64; n]) {
    for i in 1..n {
        let x = a[i];
        let mut j = i;
        while j > 0 && a[j - 1] > x {
            a[j] = a[j - 1];
            j -= 1;
        }
        a[j] = x;
    }
}

/// The matrix and its transpose change places.
#[smooth]
pub fn transpose_in_place(m: &mut [[f64; n]; n]) {
    for i in 0..n {
        for j in 0..i {
            let x = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = x;
        }
    }
}

/// Every inner point is the average of its neighbours, in place.
#[smooth]
pub fn smooth_in_place(a: &mut [f64; n], rounds: usize) {
    for _ in 0..rounds {
        let mut left = if n > 0 { a[0] } else { 0.0 };
        for i in 1..n.saturating_sub(1) {
            let own = a[i];
            a[i] = (left + own + a[i + 1]) / 3.0;
            left = own;
        }
    }
}

/// The product of a matrix and a vector, column by column, by calls.
#[smooth]
pub fn by_columns(columns: &[[f64; n]; k], x: &[f64; k]) -> [f64; n] {
    let mut y = [0.0; n];
    for j in 0..k {
        axpy(x[j], &columns[j], &mut y);
    }
    y
}

/// Elimination below the diagonal, row by row, by calls on rows.
#[smooth]
pub fn eliminate(m: &mut [[f64; n]; n]) {
    for k in 0..n {
        let pivot = m[k].clone();
        for i in k + 1..n {
            let f = -m[i][k] / pivot[k];
            axpy(f, &pivot, &mut m[i]);
        }
    }
}
