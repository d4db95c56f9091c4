//! Arrays that change places, and begin with one value.

use smooth::prelude::*;

#[smooth]
fn under_a_condition(k: usize, n: usize) -> ([i64; n], [i64; n]) {
    let mut p = [3; n];
    let mut q = p.clone();
    for i in 0..k {
        if i % 3 > 0 {
            (p, q) = (q, p);
        }
        if n > 0 {
            p[0] += i as i64;
        }
    }
    (p, q)
}

#[smooth]
fn in_an_inner_loop(k: usize, n: usize) -> ([i64; n], [i64; n]) {
    let mut p = build(n, |i| i as i64);
    let mut q = p.clone();
    for i in 0..k {
        (p, q) = (q, p);
        for j in 0..i {
            (p, q) = (q, p);
            if n > 0 {
                q[j % n] += 1;
            }
        }
    }
    (p, q)
}

#[smooth]
fn with_an_argument(a: &mut [i64; n], k: usize) {
    let mut q = a.clone();
    for _ in 0..k {
        if n > 0 && q[0] > a[0] {
            let t = a.clone();
            a.copy_from_slice(&q);
            q = t;
        }
        if n > 0 {
            q[0] += 1;
        }
    }
}

#[smooth]
fn leaves_a_block(x: i64) -> i64 {
    let mut c = 0;
    loop {
        c += 1;
        if c > 3 {
            break ('b: {
                if x > 3 {
                    break 'b x;
                }
                -1
            });
        }
    }
}

#[smooth]
fn largest(b: &[f64; n], c: usize) -> (f64, usize) {
    max(c, |i| (sum(n, |j| b[j]) - i as f64, i))
}

#[smooth]
fn rows_that_change_places(x: &[f64; n], m: usize) -> [[f64; n]; 3] {
    let (mut a, mut b, mut c) = (x.clone(), x.clone(), x.clone());
    for _ in 0..m {
        for i in 0..n {
            b[i] = a[(i + 1) % n] - b[i];
        }
        (a, b) = (b, a);
        c = build(n, |i| c[i] + a[i]);
    }
    [a, b, c]
}

#[smooth]
fn two_rows(x: &[f64; n], y: &[f64; n], m: usize) -> [[f64; n]; 2] {
    let (mut a, mut b) = (x.clone(), y.clone());
    for _ in 0..m {
        (a, b) = (build(n, |i| a[(i + 1) % n] - b[i]), a);
    }
    [b, a]
}

#[test]
fn rows_side_by_side() {
    for (n, m) in [(0, 2), (1, 1), (3, 0), (3, 1), (3, 4), (4, 5)] {
        let x: Vec<f64> = (0..n).map(|i| (i * 3 % 4) as f64).collect();
        assert_eq!(rows_that_change_places(&x, m), rows_that_change_places::reference(&x, m));
        let y: Vec<f64> = x.iter().map(|x| x - 1.0).collect();
        assert_eq!(two_rows(&x, &y, m), two_rows::reference(&x, &y, m));
    }
}

/// The first row is a fold over two buffers, and the other one is read in it or before it.
#[smooth]
fn begins_with_a_row(y: &[f64; n], m: usize) -> [[f64; n]; 2] {
    let w = build(n, |i| y[i] + 1.0);
    [ifold(m, build(n, |i| w[i] - y[n - 1 - i]), |q, _| build(n, |i| q[n - 1 - i] + y[i])), w]
}

#[smooth]
fn reads_rows_in_steps(x: &[f64; n], y: &[f64; n], m: usize) -> [[f64; n]; 4] {
    let w = build(n, |i| y[i] + 1.0);
    let v = build(n, |i| x[i] - w[n - 1 - i]);
    let p = ifold(m, v.clone(), |q, _| build(n, |i| q[n - 1 - i] + w[i]));
    [v, ifold(m, build(n, |i| w[i] - p[n - 1 - i]), |q, _| build(n, |i| q[n - 1 - i] * v[n - 1 - i])), p, w]
}

#[smooth]
fn ends_when_it_is_large(y: &[f64; 5], m: usize) -> [[f64; 5]; 2] {
    let w = build(5, |i| y[i] + 1.0);
    let (mut q, mut s) = (build(5, |i| w[4 - i]), 0);
    while s < m && q[0] < 100.0 {
        q = build(5, |i| q[4 - i] + w[i]);
        s += 1;
    }
    [q, w]
}

#[smooth]
fn rows_of_an_argument(a: &mut [[f64; n]; 2], m: usize) {
    let w = build(n, |i| a[0][i] + a[1][n - 1 - i]);
    *a = [w, ifold(m, build(n, |i| w[n - 1 - i]), |q, _| build(n, |i| q[n - 1 - i] + w[i]))];
}

#[test]
fn rows_that_folds_read() {
    for (n, m) in [(0, 2), (1, 1), (3, 0), (3, 1), (3, 4), (4, 5)] {
        let x: Vec<f64> = (0..n).map(|i| (i * 3 % 4) as f64).collect();
        let y: Vec<f64> = x.iter().map(|x| 2.0 - x).collect();
        assert_eq!(begins_with_a_row(&x, m), begins_with_a_row::reference(&x, m));
        assert_eq!(reads_rows_in_steps(&x, &y, m), reads_rows_in_steps::reference(&x, &y, m));
        let five = [1.0, -2.0, 0.5, 3.0, 4.0];
        let rows = ends_when_it_is_large(&five, m * 4).map(|row| row.to_vec());
        assert_eq!(rows.to_vec(), ends_when_it_is_large::reference(&five, m * 4));
        let mut a = smooth::Array::from_fn([2, n], |[j, i]| x[i] + j as f64);
        let mut b = a.clone();
        rows_of_an_argument(&mut a, m);
        rows_of_an_argument::reference(&mut b, m);
        assert_eq!(a, b);
    }
}

#[test]
fn exchanged_arrays() {
    for (k, n) in [(0, 0), (0, 2), (1, 0), (1, 1), (2, 3), (3, 3), (7, 2)] {
        assert_eq!(under_a_condition(k, n), under_a_condition::reference(k, n));
        assert_eq!(in_an_inner_loop(k, n), in_an_inner_loop::reference(k, n));
        let (mut a, mut b) = (vec![1; n], vec![1; n]);
        with_an_argument(&mut a, k);
        with_an_argument::reference(&mut b, k);
        assert_eq!(a, b);
    }
}

#[test]
fn values_of_labelled_blocks() {
    assert_eq!([2, 7].map(leaves_a_block), [-1, 7]);
    assert_eq!([2, 7].map(leaves_a_block::reference), [-1, 7]);
}

/// The reference of a reduction of tuples has names that are not those of the user.
#[test]
fn names_in_references() {
    for c in 1..4 {
        assert_eq!(largest(&[0.5, 2.0, -1.0], c), (1.5, c - 1));
        assert_eq!(largest::reference(&[0.5, 2.0, -1.0], c), (1.5, c - 1));
    }
}
