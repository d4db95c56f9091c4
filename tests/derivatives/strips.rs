//! Loops that add at places out of order, whose iterations run in strips of 64.

use super::numbers::{all_near, numbers, rows};
use smooth::View;
use smooth::prelude::*;

/// The log likelihood of a mixture of Gaussians with triangular factors, row by row.
#[smooth(grad(alphas, means, icf))]
fn mixture(alphas: &[f64; k], means: &[[f64; d]; k], icf: &[[f64; t]; k], x: &[[f64; d]; n]) -> f64 {
    let diagonal = build([k, d], |c, j| icf[c][j].exp());
    let base = build(k, |c| alphas[c] + sum(d, |j| icf[c][j]));
    sum(n, |i| {
        let beta = build(k, |c| {
            let l = &icf[c][d..];
            let v = build(d, |j| x[i][j] - means[c][j]);
            let scaled = build(d, |p| {
                let row = &l[(p * p - p) / 2..(p * p - p) / 2 + p];
                ifold(p, diagonal[c][p] * v[p], |sum, j| sum + row[j] * v[j])
            });
            base[c] - 0.5 * sum(d, |j| scaled[j] * scaled[j])
        });
        let most = ifold(k, beta[0], |most: f64, c| most.max(beta[c]));
        most + sum(k, |c| (beta[c] - most).exp()).ln()
    })
}

/// Places from data, and a branch.
#[smooth(grad(table, x), vjp(table, x))]
fn looked_up(table: &[f64; k], x: &[f64; n], at: &[usize; n]) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let e = (table[at[i]] * x[i]).exp();
        if e > 1.0 {
            total += e.ln_1p() * table[at[n - 1 - i]];
        } else if at[i] > 0 {
            total -= e.sin() * table[at[i] - 1] * table[0];
        }
    }
    total
}

/// A loop with a state in each iteration, and the greatest of several terms.
#[smooth(grad)]
fn steps(w: &[[f64; k]; k], x: &[[f64; k]; n]) -> f64 {
    sum(n, |i| {
        let h = ifold(3, x[i].clone(), |h, s| build(k, |a| (h[(a + s) % k] * w[a][(a + 2 * s) % k]).tanh()));
        max(k, |a| h[a] * w[(a + i) % k][a])
    })
}

/// Two sums, a value that goes on, and rows of their own.
#[smooth(vjp)]
fn pairs(a: &[f64; k], x: &[[f64; 2]; n], p: &[usize; n]) -> (f64, [f64; n]) {
    let (s, c) = sum(n, |i| {
        let angle = a[p[i]] * x[i][0] + x[i][1];
        (angle.sin() * a[(p[i] + 1) % k], angle.cos())
    });
    (s * s + c, build(n, |i| (a[p[i]] * x[i][0] + x[i][1]).exp()))
}

/// A product with a triangular matrix by columns: the place moves with the loop.
#[smooth(grad, jvp)]
fn columns(l: &[f64; t], v: &[f64; d]) -> f64 {
    sum(d, |i| {
        let (product, at) = ifold(i, (v[i], i), |(sum, at), j| (sum + l[at - 1] * v[j], at + d - j - 2));
        product * product + at as f64
    })
}

/// The greatest so far of a loop: of equal ones the first, and the start before all.
#[smooth(grad)]
fn greatest(x: &[f64; n], start: f64) -> f64 {
    let mut most = start;
    for i in 0..n {
        most = most.max(x[i]);
    }
    let mut least = start;
    for i in 0..n {
        least = x[n - 1 - i].min(least);
    }
    most * 2.0 + least * least
}

#[test]
fn a_place_that_moves_with_a_loop_is_no_state() {
    for d in [0usize, 1, 2, 5] {
        columns::check_derivatives(&numbers(d * d.saturating_sub(1) / 2, 0.1), &numbers(d, 0.2));
    }
    // The products, and no state.
    assert!(columns::grad::scratch([4950], [100]) < 8 * 100 + 256);
}

#[test]
fn the_greatest_of_equal_ones_is_the_first() {
    assert_eq!(greatest::grad(&[1.0, 3.0, 3.0, -2.0], 0.5), (vec![0.0, 2.0, 0.0, -4.0], 0.0));
    assert_eq!(greatest::grad(&[3.0, 3.0], 3.0), (vec![6.0, 0.0], 2.0));
    assert_eq!(greatest::grad(&[], 3.0), (vec![], 8.0));
    assert_eq!(greatest::grad(&[f64::NAN, 1.0], 0.0), (vec![0.0, 2.0], 0.0));
}

const SIZES: [usize; 7] = [0, 1, 63, 64, 65, 128, 150];

#[test]
fn strips_have_the_derivatives_of_their_loops() {
    let (k, d) = (3, 3);
    let (alphas, means, icf) = (numbers(k, 0.1), numbers(k * d, 0.2), numbers(6 * k, 0.3));
    for n in SIZES {
        let (x, at) = (numbers(n * d, 0.4), (0..n).map(|i| i * 7 % 5 % k).collect::<Vec<_>>());
        let (means, icf, x_rows) = (rows(&means, d), rows(&icf, 6), rows(&x, d));
        if n < 70 {
            mixture::check_derivatives(&alphas, means, icf, x_rows);
            steps::check_derivatives(means, x_rows);
        }
        let (value, ..) = mixture::value_and_grad(&alphas, means, icf, x_rows);
        assert_eq!(value.to_bits(), mixture(&alphas, means, icf, x_rows).to_bits());
        looked_up::check_derivatives(&alphas, &numbers(n, 0.6), &at);
        let pairs_of: Vec<[f64; 2]> = numbers(2 * n, 0.7).chunks(2).map(|x| [x[0], x[1]]).collect();
        pairs::check_derivatives(&alphas, &pairs_of, &at);
    }
}

/// Nothing is kept for each iteration but the terms of the value.
#[test]
fn strips_keep_nothing() {
    let bytes = |n: usize| mixture::value_and_grad::scratch([3], [3, 3], [3, 6], [n, 3]);
    assert_eq!(bytes(100_000) - bytes(1000), 8 * 99_000);
    let bytes = |n: usize| mixture::grad::scratch([3], [3, 3], [3, 6], [n, 3]);
    assert_eq!(bytes(100_000), bytes(1000));
}

/// A mixture with whole factors, as sums: all places are in order.
#[smooth(grad(alphas, means, l))]
fn whole(alphas: &[f64; k], means: &[[f64; d]; k], l: &[[[f64; d]; d]; k], x: &[[f64; d]; n]) -> f64 {
    sum(n, |i| {
        let beta = build(k, |c| {
            let z = build(d, |p| sum(p + 1, |j| l[c][p][j] * (x[i][j] - means[c][j])));
            alphas[c] - 0.5 * sum(d, |p| z[p] * z[p])
        });
        let most = max(k, |c| beta[c]);
        most + sum(k, |c| (beta[c] - most).exp()).ln()
    })
}

/// The same as statements.
#[smooth(grad(alphas, means, l))]
fn by_statements(alphas: &[f64; k], means: &[[f64; d]; k], l: &[[[f64; d]; d]; k], x: &[[f64; d]; n]) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let mut beta = [0.0; k];
        for c in 0..k {
            let mut square = 0.0;
            for p in 0..d {
                let mut z = 0.0;
                for j in 0..p + 1 {
                    z += l[c][p][j] * (x[i][j] - means[c][j]);
                }
                square += z * z;
            }
            beta[c] = alphas[c] - 0.5 * square;
        }
        let mut most = beta[0];
        for c in 0..k {
            most = most.max(beta[c]);
        }
        let mut s = 0.0;
        for c in 0..k {
            s += (beta[c] - most).exp();
        }
        total += most + s.ln();
    }
    total
}

/// The residuals of each component are a matrix of each point, which is kept for a strip alone.
#[test]
fn matrices_of_points_are_not_kept() {
    let (k, d) = (2, 3);
    let (alphas, means, l) = (numbers(k, 0.1), numbers(k * d, 0.2), numbers(k * d * d, 0.3));
    let (means, l) = (rows(&means, d), View::new(&l, [k, d, d]));
    for n in SIZES {
        let x = numbers(n * d, 0.4);
        let x = rows(&x, d);
        let (by_alphas, by_means, by_l) = whole::grad(&alphas, means, l, x);
        let (same_alphas, same_means, same_l) = by_statements::grad(&alphas, means, l, x);
        all_near(&by_alphas, &same_alphas);
        all_near(by_means.as_slice(), same_means.as_slice());
        all_near(by_l.as_slice(), same_l.as_slice());
        if n < 70 {
            whole::check_derivatives(&alphas, means, l, x);
        }
    }
    let bytes = |n: usize| whole::grad::scratch([3], [3, 3], [3, 3, 3], [n, 3]);
    assert_eq!(bytes(100_000), bytes(1000));
    let bytes = |n: usize| by_statements::grad::scratch([3], [3, 3], [3, 3, 3], [n, 3]);
    assert_eq!(bytes(100_000), bytes(1000));
}
