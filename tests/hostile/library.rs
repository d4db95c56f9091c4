//! Every kernel of the library.

use crate::probe::probe;
use crate::{integers, kernels_in, numbers};
use smooth::array::*;
use smooth::linalg::*;
use smooth::prelude::*;
use smooth::random::*;
use smooth::scan::*;
use smooth::sort::*;

#[smooth]
fn mapped(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    matrix_map(m, |row| vector_s_mul(row, 0.5))
}

#[smooth]
fn mapped2(a: &[[f64; k]; n], b: &[[f64; k]; n]) -> [[f64; k]; n] {
    matrix_map2(a, b, vector_sub)
}

/// All of them, with arrays of about `n` elements; `wild` ones have NaN, infinities and the largest numbers.
pub fn all(n: usize, wild: bool) {
    let k = n % 5;
    let (a, b, c) = (&numbers(n, 1, wild), &numbers(n, 2, wild), &numbers(k, 3, wild));
    let (m, o) = (&matrix(n, k, wild), &matrix(n, k, wild));
    let (rows, zeros) = (&m.to_nested(), |r: usize, c: usize| Array::from_elem([r, c], 0.0));
    let (u, line, p) = (&integers(n, 7, n), &numbers(n * k, 4, wild), &matrix(k, n, wild));

    probe!(flatten(m) into [x = vec![0.0; n * k]] like (rows));
    probe!(reshape(line, n, k) into [x = zeros(n, k)]);
    probe!(transpose(m) into [x = zeros(k, n)]);
    probe!(concat(a, c) into [x = vec![0.0; n + k]] like (a, c));
    probe!(concat_rows(m, o) into [x = zeros(2 * n, k)]);
    probe!(concat_columns(m, o) into [x = zeros(n, 2 * k)]);
    probe!(stack(a, b) into [x = zeros(2, n)] like (a, b));
    probe!(reverse(a) into [x = vec![0.0; n]] like (a));
    probe!(roll(a, k) into [x = vec![0.0; n]] like (a, k));
    probe!(roll(a, usize::MAX) into [x = vec![0.0; n]] like (a, usize::MAX));
    probe!(take(a, u) into [x = vec![0.0; n]] like (a, u));
    probe!(take_rows(m, u) into [x = zeros(n, k)] like (rows, u));
    probe!(repeat(a, 3) into [x = vec![0.0; 3 * n]] like (a, 3));
    probe!(tile(a, 3) into [x = vec![0.0; 3 * n]] like (a, 3));
    probe!(pad(a, 1, k, f64::NAN) into [x = vec![0.0; 1 + n + k]] like (a, 1, k, f64::NAN));
    for end in [1.0, f64::NAN, f64::INFINITY, f64::MAX] {
        probe!(linspace(-1.0, end, n) into [x = vec![0.0; n]] like (-1.0, end, n));
    }
    probe!(bincount(u, n) into [x = vec![0; n]] like (u, n));

    probe!(cumsum(a) into [x = vec![0.0; n]] like (a));
    probe!(cumsum_exclusive(a) into [x = vec![0.0; n]] like (a));
    probe!(cumprod(a) into [x = vec![0.0; n]] like (a));
    probe!(cummax(a) into [x = vec![0.0; n]] like (a));
    probe!(cummin(a) into [x = vec![0.0; n]] like (a));
    if n > 0 {
        probe!(differences(a) into [x = vec![0.0; n - 1]] like (a));
    }
    sorts(n, a);
    draws(n, a);

    probe!(vector_range(n) into [x = vec![0.0; n]] like (n));
    probe!(vector_map(a, |x| x.abs()) into [x = vec![0.0; n]] like (a, |x: f64| x.abs()));
    probe!(vector_map2(a, b, f64::max) into [x = vec![0.0; n]] like (a, b, f64::max));
    probe!(vector_add(a, b) into [x = vec![0.0; n]] like (a, b));
    probe!(vector_sub(a, b) into [x = vec![0.0; n]] like (a, b));
    probe!(vector_e_mul(a, b) into [x = vec![0.0; n]] like (a, b));
    probe!(vector_s_mul(a, f64::INFINITY) into [x = vec![0.0; n]] like (a, f64::INFINITY));
    // Their sums have an order of their own.
    probe!(vector_sum(a) into []);
    probe!(vector_dot(a, b) into []);
    probe!(vector_sq_norm(a) into []);
    probe!(vector_norm(a) into []);
    if n > 0 {
        probe!(vector_slice(a, n / 2, n - 1) into [x = vec![0.0; n - n / 2]] like (a, n / 2, n - 1));
    }
    let (v, w) = (&[1.0, f64::NAN, f64::NEG_INFINITY], &[-0.0, 2.0, f64::MAX]);
    probe!(vector_cross(v, w) into [x = [0.0; 3]] like (v, w));
    probe!(vector_out_prod(a, c) into [x = zeros(n, k)] like (a, c));
    probe!(matrix_rows(m) into []);
    probe!(matrix_cols(m) into []);
    let reversed = |row: &[f64], out: &mut [f64]| row.iter().rev().zip(out).for_each(|(x, y)| *y = *x);
    let back = |row: Vec<f64>| row.into_iter().rev().collect::<Vec<_>>();
    probe!(matrix_map(m, reversed, k) into [x = zeros(n, k)] like (rows, back));
    let less = |a: &[f64], b: &[f64], out: &mut [f64]| (0..k).for_each(|i| out[i] = a[i] - b[i]);
    let minus = |a: Vec<f64>, b: Vec<f64>| (0..k).map(|i| a[i] - b[i]).collect::<Vec<_>>();
    probe!(matrix_map2(m, o, less, k) into [x = zeros(n, k)] like (rows, &o.to_nested(), minus));
    probe!(mapped(m) into [x = zeros(n, k)]);
    probe!(mapped2(m, o) into [x = zeros(n, k)]);
    probe!(matrix_add(m, o) into [x = zeros(n, k)]);
    probe!(matrix_transpose(m) into [x = zeros(k, n)]);
    probe!(matrix_mul(m, p) into [x = zeros(n, n)]);
}

fn matrix(n: usize, k: usize, wild: bool) -> Array<f64, 2> {
    Array::from_vec(numbers(n * k, 5, wild), [n, k])
}

fn sorts(n: usize, a: &Vec<f64>) {
    let after = |x: f64, y: f64| x > y;
    probe!(sort_in_place(&mut y) into [] own [y = a.clone()]);
    probe!(sort_in_place_by(&mut y, after) into [] own [y = a.clone()]);
    probe!(sort(a) into [x = vec![0.0; n]] like (a));
    probe!(argsort(a) into [x = vec![0; n]] like (a));
    probe!(argsort_by(n, |i, j| a[i] < a[j]) into [x = vec![0; n]] like (n, |i: usize, j: usize| a[i] < a[j]));
    probe!(rank(a) into [x = vec![0; n]] like (a));
    probe!(distinct(a) into [x = vec![0.0; n]] like (a));
    if n > 0 {
        for q in [0.3, 1.0, f64::NEG_INFINITY] {
            probe!(quantile(a, q) into [] like (a, q));
        }
    }
    probe!(is_sorted(a) into [] like (a));
    for x in [0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        probe!(lower_bound(a, x) into [] like (a, x));
        probe!(upper_bound(a, x) into [] like (a, x));
    }
    probe!(partition_point(n, |i| 3 * i < n) into [] like (n, |i: usize| 3 * i < n));
}

fn draws(n: usize, a: &Vec<f64>) {
    for key in [7, u64::MAX] {
        probe!(philox(key, u64::MAX, 3) into [] like (key, u64::MAX, 3));
        probe!(bits_at(key, usize::MAX) into [] like (key, usize::MAX));
        probe!(bits(key, n) into [x = vec![0; n]] like (key, n));
        probe!(uniform_at(key, n) into [] like (key, n));
        probe!(uniform(key, n) into [x = vec![0.0; n]] like (key, n));
        probe!(uniform_f32_at(key, n) into [] like (key, n));
        probe!(uniform_f32(key, n) into [x = vec![0.0; n]] like (key, n));
        // Their elementary functions are the library's own.
        probe!(normal_at(key, n) into []);
        probe!(normal(key, n) into [x = vec![0.0; n]]);
        probe!(exponential_at(key, n) into []);
        probe!(exponential(key, n) into [x = vec![0.0; n]]);
        for bound in [1, 1000, usize::MAX] {
            probe!(below_at(key, n, bound) into [] like (key, n, bound));
            probe!(below(key, n, bound) into [x = vec![0; n]] like (key, n, bound));
        }
        probe!(permutation(key, n) into [x = vec![0; n]] like (key, n));
        probe!(shuffle(&mut y, key) into [] own [y = a.clone()]);
        probe!(sample(key, n, n / 2) into [x = vec![0; n / 2]] like (key, n, n / 2));
        probe!(split_at(key, n) into [] like (key, n));
        probe!(split(key, n) into [x = vec![0; n]] like (key, n));
    }
}

#[test]
fn every_kernel_of_the_library_at_every_size() {
    for n in [0, 1, 2, 5, 16, 33, 204] {
        all(n, false);
        all(n, true);
    }
}

#[test]
fn no_kernel_of_the_library_is_left_out() {
    let here = include_str!("library.rs");
    let files = ["src/array.rs", "src/scan.rs", "src/sort.rs", "src/random.rs", "src/linalg/vector.rs"];
    kernels_in(files.into_iter().chain(["src/linalg/matrix.rs"]), here);
}
