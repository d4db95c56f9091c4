//! Grids and time steps.

use smooth::prelude::*;

/// A sweep of Gauss and Seidel over the inner points, `steps` times.
#[smooth]
pub fn seidel(grid: &[[f64; m]; n], steps: usize) -> [[f64; m]; n] {
    let mut a = grid.clone();
    for _ in 0..steps {
        for i in 1..n.saturating_sub(1) {
            for j in 1..m.saturating_sub(1) {
                a[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4.0;
            }
        }
    }
    a
}

/// The heat equation on a rod, with two buffers that swap.
#[smooth]
pub fn heat(rod: &[f64; n], steps: usize) -> [f64; n] {
    let mut now = rod.clone();
    let mut next = rod.clone();
    for _ in 0..steps {
        for i in 1..n.saturating_sub(1) {
            next[i] = now[i] + 0.25 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        }
        (now, next) = (next, now);
    }
    now
}

/// Heat in a rod with each step there and back, so that no buffers swap.
#[smooth]
pub fn heat_there_and_back(rod: &[f64; n], steps: usize) -> [f64; n] {
    let mut a = rod.clone();
    let mut b = rod.clone();
    for _ in 0..steps {
        for i in 1..n.saturating_sub(1) {
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0;
        }
        for i in 1..n.saturating_sub(1) {
            a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3.0;
        }
    }
    a
}

/// Jacobi's iteration on a plate.
#[smooth]
pub fn jacobi(plate: &[[f64; m]; n], steps: usize) -> [[f64; m]; n] {
    let mut a = plate.clone();
    let mut b = plate.clone();
    for _ in 0..steps {
        for i in 1..n.saturating_sub(1) {
            for j in 1..m.saturating_sub(1) {
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
            }
        }
        (a, b) = (b, a);
    }
    a
}

/// Conway's game on a torus.
#[smooth]
pub fn life(board: &[[u8; m]; n], steps: usize) -> [[u8; m]; n] {
    let mut now = board.clone();
    let mut next = [[0; m]; n];
    for _ in 0..steps {
        for i in 0..n {
            for j in 0..m {
                let mut alive = 0;
                for di in 0..3 {
                    for dj in 0..3 {
                        if di != 1 || dj != 1 {
                            alive += now[(i + n + di - 1) % n][(j + m + dj - 1) % m];
                        }
                    }
                }
                next[i][j] = match (now[i][j], alive) {
                    (1, 2) | (_, 3) => 1,
                    _ => 0,
                };
            }
        }
        (now, next) = (next, now);
    }
    now
}

/// Waves on a string: the last two states, and a new one.
#[smooth]
pub fn wave(start: &[f64; n], steps: usize) -> [f64; n] {
    let mut before = start.clone();
    let mut now = start.clone();
    for _ in 0..steps {
        let mut next = [0.0; n];
        for i in 1..n.saturating_sub(1) {
            next[i] = 2.0 * now[i] - before[i] + 0.1 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        }
        before = now;
        now = next;
    }
    now
}

/// The moving average of `w` elements, by a running sum.
#[smooth]
pub fn moving_average(a: &[f64; n], w: usize) -> [f64; n - w + 1] {
    let mut out = [0.0; n - w + 1];
    let mut total = 0.0;
    for i in 0..n {
        total += a[i];
        if i >= w {
            total -= a[i - w];
        }
        if i + 1 >= w {
            out[i + 1 - w] = total / w as f64;
        }
    }
    out
}

/// A filter of finite length, with the ends of the signal continued.
#[smooth]
pub fn convolve(a: &[f64; n], weights: &[f64; k]) -> [f64; n] {
    let mut out = [0.0; n];
    for i in 0..n {
        for (j, &w) in weights.iter().enumerate() {
            let at = (i + j).saturating_sub(k / 2).min(n - 1);
            out[i] += w * a[at];
        }
    }
    out
}

/// The sums of all rectangles that start in the corner.
#[smooth]
pub fn summed_area(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    let mut s = m.clone();
    for i in 0..n {
        for j in 1..k {
            s[i][j] += s[i][j - 1];
        }
    }
    for i in 1..n {
        for j in 0..k {
            s[i][j] += s[i - 1][j];
        }
    }
    s
}
