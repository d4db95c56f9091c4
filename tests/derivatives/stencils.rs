//! Loops that add at places that have their indices as summands: stencils and convolutions.

use super::numbers::{numbers, rows};
use smooth::prelude::*;

#[smooth(vjp)]
fn convolution(x: &[f64; n], w: &[f64; k]) -> [f64; n - k + 1] {
    build(n - k + 1, |i| sum(k, |j| x[i + j] * w[j]))
}

/// All signs, at places with and without a constant, and places that nothing reads.
#[smooth(vjp(x, w))]
fn signs(x: &[f64; n], w: &[f64; k], c: usize) -> [[f64; 6]; c] {
    build(c, |i| {
        [
            sum(k, |j| x[i + j + 2] * w[j]),
            sum(k, |j| x[i + k - j] * w[j]),
            sum(k, |j| x[j + c - i] * w[j]),
            sum(k, |j| x[c + k - i - j] * w[j]),
            sum(k, |j| if j < i { x[i - j] * w[j] } else { x[j - i] }),
            x[c - i] * x[i] + x[i + 2] * x[c + 1 - i],
        ]
    })
}

/// The same two kernels by loops and in two dimensions.
#[smooth(grad(image, kernel))]
fn blurred(image: &[[f64; m]; n], kernel: &[[f64; l]; k]) -> f64 {
    let out = build([n - k + 1, m - l + 1], |i, j| sum(k, |a| sum(l, |b| image[i + a][j + b] * kernel[a][b])));
    sum(n - k + 1, |i| sum(m - l + 1, |j| out[i][j] * out[i][j]))
}

#[smooth(grad(image, kernel))]
fn blurred_by_loops(image: &[[f64; m]; n], kernel: &[[f64; l]; k]) -> f64 {
    let mut s = 0.0;
    for i in 0..n - k + 1 {
        for j in 0..m - l + 1 {
            let mut out = 0.0;
            for a in 0..k {
                for b in 0..l {
                    out += image[i + a][j + b] * kernel[a][b];
                }
            }
            s += out * out;
        }
    }
    s
}

/// A step of diffusion with borders, as selects and as loops.
#[smooth(vjp)]
fn diffused(u: &[[f64; m]; n], rate: f64) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        if i == 0 || j == 0 || i == n - 1 || j == m - 1 {
            u[i][j]
        } else {
            u[i][j] + rate * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4.0 * u[i][j])
        }
    })
}

#[smooth(vjp)]
fn diffused_by_loops(u: &[[f64; m]; n], rate: f64) -> [[f64; m]; n] {
    let mut v = u.clone();
    for i in 1..n - 1 {
        for j in 1..m - 1 {
            v[i][j] = u[i][j] + rate * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4.0 * u[i][j]);
        }
    }
    v
}

/// Differences whose place comes from an argument: it may be any number where nothing is read.
#[smooth(grad(x))]
fn lagged(x: &[f64; n], lag: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        if lag < n && i < n - lag {
            s += (x[i + lag] - x[i]).powi(2);
        }
        if i >= lag {
            s += x[i - lag] * x[i];
        }
    }
    s
}

#[test]
fn stencils_have_the_derivatives_of_their_loops() {
    for (n, k) in [(0, 0), (1, 1), (3, 3), (4, 1), (5, 2), (9, 5), (9, 9), (20, 3)] {
        convolution::check_derivatives(&numbers(n, 0.1), &numbers(k, 0.2));
    }
    for (k, c) in [(0, 0), (0, 3), (1, 1), (3, 2), (2, 5), (7, 4)] {
        for more in [3, 7] {
            signs::check_derivatives(&numbers(k + c + more, 0.3), &numbers(k, 0.4), c);
        }
    }
    for (n, m, k, l) in [(1, 1, 1, 1), (4, 5, 2, 3), (5, 4, 5, 1), (6, 7, 3, 3)] {
        let (image, kernel) = (numbers(n * m, 0.5), numbers(k * l, 0.6));
        blurred::check_derivatives(rows(&image, m), rows(&kernel, l));
        blurred_by_loops::check_derivatives(rows(&image, m), rows(&kernel, l));
    }
    for (n, m) in [(1, 1), (2, 3), (3, 3), (5, 4)] {
        let u = numbers(n * m, 0.7);
        diffused::check_derivatives(rows(&u, m), 0.3);
        if n > 1 && m > 1 {
            diffused_by_loops::check_derivatives(rows(&u, m), 0.3);
        }
    }
    for (n, lag) in [(0, 0), (3, 0), (5, 2), (5, 5), (4, usize::MAX)] {
        lagged::check_derivatives(&numbers(n, 0.8), lag);
    }
}
