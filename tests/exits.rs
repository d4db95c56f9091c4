//! Loops, assignments and exits, written as in Rust: the values are those of the reference, bit for bit.
#![allow(clippy::needless_range_loop, clippy::manual_swap, clippy::explicit_counter_loop)]

use smooth::prelude::*;

#[smooth]
fn cumulative(a: &[f64; n]) -> [f64; n] {
    let mut out = [0.0; n];
    let mut s = 0.0;
    for i in 0..n {
        s += a[i];
        out[i] = s;
    }
    out
}

#[smooth]
fn insertion_sort(a: &[f64; n]) -> [f64; n] {
    let mut b = a.clone();
    for i in 1..n {
        let x = b[i];
        let mut j = i;
        while j > 0 && b[j - 1] > x {
            b[j] = b[j - 1];
            j -= 1;
        }
        b[j] = x;
    }
    b
}

#[smooth]
fn cholesky(a: &[[f64; n]; n]) -> [[f64; n]; n] {
    let mut l = [[0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let mut s = a[i][j];
            for k in 0..j {
                s -= l[i][k] * l[j][k];
            }
            l[i][j] = if i == j { s.sqrt() } else { s / l[j][j] };
        }
    }
    l
}

#[smooth]
fn lu(a: &[[f64; n]; n]) -> ([[f64; n]; n], [usize; n]) {
    let mut m = a.clone();
    let mut order = build(n, |i| i);
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if m[i][k].abs() > m[p][k].abs() {
                p = i;
            }
        }
        if p != k {
            m.swap(p, k);
            order.swap(p, k);
        }
        for i in k + 1..n {
            m[i][k] /= m[k][k];
            for j in k + 1..n {
                m[i][j] -= m[i][k] * m[k][j];
            }
        }
    }
    (m, order)
}

#[smooth]
fn csr(
    start: &[usize; m],
    column: &[usize; nonzeros],
    value: &[f64; nonzeros],
    x: &[f64; n],
    rows: usize,
) -> [f64; rows] {
    let mut y = [0.0; rows];
    for i in 0..rows {
        for k in start[i]..start[i + 1] {
            y[i] += value[k] * x[column[k]];
        }
    }
    y
}

#[smooth]
fn heat(u: &[f64; n], steps: usize) -> [f64; n] {
    let mut old = u.clone();
    let mut new = u.clone();
    for _ in 0..steps {
        for i in 1..n - 1 {
            new[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1];
        }
        (old, new) = (new, old);
    }
    old
}

#[smooth]
fn bisect(a: &[f64; n], x: f64) -> usize {
    let (mut lo, mut hi) = (0, n);
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if a[mid] < x {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    lo
}

#[smooth]
fn newton(x: f64) -> (f64, usize) {
    let mut r = x;
    let mut steps = 0;
    loop {
        let next = 0.5 * (r + x / r);
        if (next - r).abs() < 1e-12 || steps == 50 {
            break (next, steps);
        }
        r = next;
        steps += 1;
    }
}

#[smooth]
fn first_pair(a: &[f64; n], wanted: f64) -> (usize, usize) {
    for i in 0..n {
        if a[i].is_nan() {
            continue;
        }
        for j in (i + 1..n).rev() {
            if a[i] + a[j] == wanted {
                return (i, j);
            }
        }
    }
    (n, n)
}

#[smooth]
fn classes(a: &[i32; n]) -> [usize; 4] {
    let mut counts = [0; 4];
    'all: for (i, x) in a.iter().enumerate() {
        let class = match *x {
            i32::MIN..=-1 => 0,
            0 => 1,
            k if k % 2 == 0 => 2,
            1000.. => break 'all,
            _ if i == 2 => continue,
            _ => 3,
        };
        counts[class] += 1;
    }
    counts
}

#[smooth]
fn normalised(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    let mut m = m.clone();
    for row in m.iter_mut() {
        let mut s = 0.0;
        for x in row.iter() {
            s += x * x;
        }
        if s == 0.0 {
            row.fill(1.0);
            continue;
        }
        for x in row.iter_mut() {
            *x /= s.sqrt();
        }
    }
    m
}

#[smooth]
fn in_closures(a: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let mut x = a[i];
        let mut k = 0;
        while x.abs() > 1.0 {
            x /= 2.0;
            k += 1;
            if k > 10 {
                return -1.0;
            }
        }
        x + k as f64
    })
}

const A: [f64; 6] = [3.0, -1.5, 4.0, 0.25, 5.0, -2.0];

#[test]
fn prefix_sums_and_sorting() {
    for n in 0..6 {
        let a = &A[..n];
        assert_eq!(cumulative(a), cumulative::reference(a));
        assert_eq!(insertion_sort(a), insertion_sort::reference(a));
    }
    assert_eq!(insertion_sort(&A), [-2.0, -1.5, 0.25, 3.0, 4.0, 5.0]);
    let sorted = insertion_sort(&A);
    for x in [-3.0, -1.5, 0.0, 4.5, 9.0] {
        assert_eq!(bisect(&sorted, x), sorted.partition_point(|y| *y < x));
        assert_eq!(bisect::reference(&sorted, x), bisect(&sorted, x));
    }
}

#[test]
fn factorisations() {
    for n in 0..5 {
        let a: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| 1.0 / (1 + i + j) as f64 + f64::from(i == j)).collect()).collect();
        let flat: Vec<f64> = a.iter().flatten().copied().collect();
        let l = cholesky(View::new(&flat, [n, n]));
        let wanted: Vec<f64> = cholesky::reference(&a).into_iter().flatten().collect();
        assert_eq!(l.as_slice(), wanted);
        let b: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| ((i * 7 + j * 5) % 11) as f64 - 4.5).collect()).collect();
        let flat: Vec<f64> = b.iter().flatten().copied().collect();
        let (m, order) = lu(View::new(&flat, [n, n]));
        let (wanted, wanted_order) = lu::reference(&b);
        assert_eq!(m.as_slice(), wanted.into_iter().flatten().collect::<Vec<f64>>());
        assert_eq!(order, wanted_order);
    }
}

#[test]
fn rows_of_a_sparse_matrix() {
    let (start, column, value) = ([0, 2, 2, 3], [0, 2, 1], [2.0, -1.0, 4.0]);
    assert_eq!(csr(&start, &column, &value, &[1.0, 2.0, 3.0], 3), [-1.0, 0.0, 8.0]);
    assert_eq!(csr::reference(&start, &column, &value, &[1.0, 2.0, 3.0], 3), [-1.0, 0.0, 8.0]);
}

#[test]
fn buffers_that_change_places() {
    for steps in 0..4 {
        assert_eq!(heat(&A, steps), heat::reference(&A, steps));
    }
}

#[test]
fn exits() {
    for x in [1.0, 2.0, 1e10, f64::NAN] {
        assert_eq!(format!("{:?}", newton(x)), format!("{:?}", newton::reference(x)));
    }
    for x in [1.5, 5.25, -3.5, 100.0] {
        assert_eq!(first_pair(&A, x), first_pair::reference(&A, x));
    }
    assert_eq!(first_pair(&A, 4.25), (2, 3));
    let a = [3, -1, 5, 0, 4, 7, 1001, 8];
    for n in 0..a.len() {
        assert_eq!(classes(&a[..n]).to_vec(), classes::reference(&a[..n]));
    }
    assert_eq!(classes(&a), [1, 1, 1, 2]);
}

#[test]
fn rows_by_reference() {
    let m = vec![vec![3.0, 4.0], vec![0.0, 0.0], vec![-1.0, 0.0]];
    let flat: Vec<f64> = m.iter().flatten().copied().collect();
    let wanted: Vec<f64> = normalised::reference(&m).into_iter().flatten().collect();
    assert_eq!(normalised(View::new(&flat, [3, 2])).as_slice(), wanted);
    assert_eq!(wanted, [0.6, 0.8, 1.0, 1.0, -1.0, 0.0]);
}

#[test]
fn statements_in_closures() {
    let a = [0.5, 3.0, -20.0, f64::INFINITY];
    assert_eq!(in_closures(&a), in_closures::reference(&a));
    assert_eq!(in_closures(&a), [0.5, 2.75, -0.625 + 5.0, -1.0]);
}
