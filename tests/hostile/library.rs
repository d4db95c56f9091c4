//! Every kernel of the library.

use crate::probe::probe;
use crate::{integers, kernels_in, numbers};
use smooth::array::*;
use smooth::convolution::*;
use smooth::linalg::*;
use smooth::prelude::*;
use smooth::random::*;
use smooth::scan::*;
use smooth::sort::*;
use smooth::statistics::*;

#[smooth]
fn mapped(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    matrix_map(m, |row| vector_s_mul(row, 0.5))
}

#[smooth]
fn mapped2(a: &[[f64; k]; n], b: &[[f64; k]; n]) -> [[f64; k]; n] {
    matrix_map2(a, b, vector_sub)
}

/// No argument of this one says what type it has.
#[smooth]
fn unit(n: usize) -> [[f64; n]; n] {
    identity::<f64>(n)
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
    statistics(n, a);
    convolutions(n.min(33), wild);
    systems(n.min(33), wild);
    fixed(wild);

    probe!(vector_range(n) into [x = vec![0.0; n]] like (n));
    probe!(vector_map(a, |x| x.abs()) into [x = vec![0.0; n]] like (a, |x: f64| x.abs()));
    probe!(vector_map2(a, b, f64::max) into [x = vec![0.0; n]] like (a, b, f64::max));
    probe!(vector_add(a, b) into [x = vec![0.0; n]] like (a, b));
    probe!(vector_sub(a, b) into [x = vec![0.0; n]] like (a, b));
    probe!(vector_e_mul(a, b) into [x = vec![0.0; n]] like (a, b));
    probe!(vector_s_mul(a, f64::INFINITY) into [x = vec![0.0; n]] like (a, f64::INFINITY));
    // The order of their sums is not source order.
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
    probe!(matrix_sub(m, o) into [x = zeros(n, k)]);
    probe!(matrix_s_mul(m, f64::INFINITY) into [x = zeros(n, k)]);
    probe!(matrix_transpose(m) into [x = zeros(k, n)]);
    probe!(matrix_mul(m, p) into [x = zeros(n, n)]);
    probe!(matvec(m, c) into [x = vec![0.0; n]]);
    probe!(vecmat(a, m) into [x = vec![0.0; k]] like (a, rows));
    probe!(vector_norm1(a) into []);
    probe!(vector_norm_inf(a) into [] like (a));
    probe!(matrix_norm1(m) into []);
    probe!(matrix_norm_inf(m) into [] like (rows));
    probe!(matrix_norm_frobenius(m) into []);
    probe!(matrix_norm2(p) into []);
}

/// Square matrices: their factors, and solutions with these.
fn systems(n: usize, wild: bool) {
    let (m, b) = (&matrix(n, n, wild), &numbers(n, 6, wild));
    let definite = &matrix_add(&matrix_mul(m, &matrix_transpose(m)), &identity(n));
    let (rows, square) = (&m.to_nested(), || Array::from_elem([n, n], 0.0));
    probe!(unit(n) into [x = square()] like (n));
    probe!(trace(m) into []);
    for a in [m, definite] {
        probe!(cholesky(a) into [x = square()] like (&a.to_nested()));
    }
    probe!(lu(m) into [x = square(), y = vec![0; n]] like (rows));
    let (factors, order) = &lu(m);
    probe!(lu_solve(factors, order, b) into [x = vec![0.0; n]]);
    probe!(qr(m) into [x = square(), y = square()]);
    probe!(solve_lower(m, b) into [x = vec![0.0; n]]);
    probe!(solve_upper(m, b) into [x = vec![0.0; n]]);
    probe!(solve_lower_transposed(m, b) into [x = vec![0.0; n]] like (rows, b));
    probe!(solve_upper_transposed(m, b) into [x = vec![0.0; n]] like (rows, b));
    let l = &cholesky(definite);
    probe!(cholesky_solve(l, b) into [x = vec![0.0; n]]);
    probe!(solve(m, b) into [x = vec![0.0; n]]);
    probe!(solve_matrix(m, m) into [x = square()] like (rows, rows));
    probe!(inverse(m) into [x = square()] like (rows));
    probe!(determinant(m) into []);
    probe!(least_squares(m, b) into [x = vec![0.0; n]]);
}

/// Kernels of static sizes.
fn fixed(wild: bool) {
    fn rows<const N: usize>(a: &[f64]) -> [[f64; N]; N] {
        std::array::from_fn(|i| std::array::from_fn(|j| a[N * i + j]))
    }
    let a = &numbers(40, 8, wild);
    for at in 0..24 {
        let (two, three, four) = (&rows::<2>(&a[at..]), &rows::<3>(&a[at..]), &rows::<4>(&a[at..]));
        let nested = (&two.map(Vec::from).to_vec(), &three.map(Vec::from).to_vec(), &four.map(Vec::from).to_vec());
        probe!(determinant2(two) into [] like (nested.0));
        probe!(determinant3(three) into [] like (nested.1));
        probe!(determinant4(four) into [] like (nested.2));
        probe!(inverse2(two) into [x = [[0.0; 2]; 2]] like (nested.0));
        probe!(inverse3(three) into [x = [[0.0; 3]; 3]] like (nested.1));
        probe!(inverse4(four) into [x = [[0.0; 4]; 4]] like (nested.2));

        let (p, q, v, angle) = (&four[0], &four[1], &three[0], a[at]);
        probe!(quaternion_mul(p, q) into [x = [0.0; 4]] like (p, q));
        probe!(quaternion_conjugate(q) into [x = [0.0; 4]] like (q));
        probe!(quaternion_normalise(q) into [x = [0.0; 4]] like (q));
        probe!(quaternion_rotate(q, v) into [x = [0.0; 3]] like (q, v));
        probe!(quaternion_from_axis_angle(v, angle) into [x = [0.0; 4]] like (v, angle));
        probe!(quaternion_slerp(p, q, angle) into [x = [0.0; 4]] like (p, q, angle));
        probe!(rotation_x(angle) into [x = [[0.0; 3]; 3]] like (angle));
        probe!(rotation_y(angle) into [x = [[0.0; 3]; 3]] like (angle));
        probe!(rotation_z(angle) into [x = [[0.0; 3]; 3]] like (angle));
        probe!(rotation_from_axis_angle(v, angle) into [x = [[0.0; 3]; 3]] like (v, angle));
        probe!(rotation_from_vector(v) into [x = [[0.0; 3]; 3]] like (v));
        probe!(rotation_from_quaternion(q) into [x = [[0.0; 3]; 3]] like (q));
    }
}

fn statistics(n: usize, a: &Vec<f64>) {
    probe!(min(a) into []);
    probe!(max(a) into []);
    if n > 0 {
        probe!(argmin(a) into [] like (a));
        probe!(argmax(a) into [] like (a));
    }
    // The order of their sums is not source order.
    probe!(mean(a) into []);
    probe!(variance(a) into []);
    probe!(sample_variance(a) into []);
    probe!(softmax(a) into [x = vec![0.0; n]]);
    probe!(logsumexp(a) into []);
}

fn convolutions(n: usize, wild: bool) {
    let (m, k) = (n % 5 + 1, n + 3);
    let (a, b) = (&numbers(n + m, 11, wild), &numbers(m, 12, wild));
    probe!(convolve_full(a, b) into [x = vec![0.0; n + 2 * m - 1]] like (a, b));
    probe!(convolve_same(a, b) into [x = vec![0.0; n + m]] like (a, b));
    probe!(convolve_valid(a, b) into [x = vec![0.0; n + 1]] like (a, b));
    probe!(correlate_valid(a, b) into [x = vec![0.0; n + 1]] like (a, b));
    let (image, filter) = (&matrix(n + m, k, wild), &matrix(m, 3, wild));
    let (rows, nested) = (&image.to_nested(), &filter.to_nested());
    let zeros = |r: usize, c: usize| Array::from_elem([r, c], 0.0);
    probe!(convolve2d_full(image, filter) into [x = zeros(n + 2 * m - 1, k + 2)] like (rows, nested));
    probe!(convolve2d_same(image, filter) into [x = zeros(n + m, k)] like (rows, nested));
    probe!(convolve2d_valid(image, filter) into [x = zeros(n + 1, k - 2)] like (rows, nested));
    probe!(correlate2d_valid(image, filter) into [x = zeros(n + 1, k - 2)] like (rows, nested));
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
    let files = ["array", "convolution", "random", "scan", "sort", "statistics"]
        .map(|name| format!("smooth-arrays/src/{name}.rs"));
    let linalg =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/smooth-linalg/src/linalg")).expect("the folder");
    let linalg = linalg.map(|file| format!("smooth-linalg/src/linalg/{}", file.expect("a file").file_name().display()));
    let all: Vec<String> = files.into_iter().chain(linalg).collect();
    kernels_in(all.iter().map(String::as_str), here);
}
