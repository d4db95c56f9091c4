//! Statements on what comes by `&mut`, on constants, on arrays of tuples and in generic kernels: kernel and reference agree.

use smooth::prelude::*;

#[smooth]
fn axpy(a: f64, x: &[f64; n], y: &mut [f64; n]) {
    for i in 0..n {
        y[i] += a * x[i];
    }
}

#[smooth]
fn normalise(m: &mut [[f64; 3]; n], norms: &mut [f64; n]) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let row = &mut m[i];
        let mut s = 0.0;
        for x in row.iter() {
            s += x * x;
        }
        if s == 0.0 {
            return -1.0;
        }
        for x in row.iter_mut() {
            *x /= s;
        }
        norms[i] = s;
        total += s;
    }
    total
}

#[smooth]
fn rows(x: &[f64; 3]) -> [[f64; 3]; 2] {
    let mut m = [[1.0; 3]; 2];
    axpy(2.0, x, &mut m[0]);
    for k in 0..2 {
        axpy(k as f64, x, &mut m[k]);
        let r = m[0].clone();
        axpy(1.0, &r, &mut m[1]);
    }
    m
}

#[smooth]
fn through(x: &[f64; n], y: &mut [f64; n]) {
    axpy(1.0, x, y);
    axpy(1.0, x, y);
    let z = y.to_vec();
    axpy(1.0, &z, y);
    y[0] = 0.0;
}

const TABLE: [usize; 3] = [3, 1, 2];

#[smooth]
fn constants(x: usize) -> usize {
    let mut s = x;
    for &t in TABLE.iter() {
        s = s * 10 + t;
    }
    for t in TABLE {
        s = s * 10 + t;
    }
    for (i, t) in TABLE.iter().enumerate() {
        s += i * t;
    }
    let mut table = TABLE;
    table[0] = 7;
    s + table[0] + TABLE[0]
}

#[smooth]
fn nearest(a: &[f64; n], x: f64) -> [(f64, usize); 2] {
    let mut best = [(f64::INFINITY, 0); 2];
    for i in 0..n {
        let d = (a[i] - x).abs();
        if d < best[1].0 {
            best[1] = (d, i);
        }
        if best[1].0 < best[0].0 {
            best.swap(0, 1);
        }
    }
    best[0].0 += 1.0;
    for p in best.iter_mut() {
        p.1 += 1;
    }
    let mut s = 0.0;
    for &(d, i) in best.iter() {
        s += d * i as f64;
    }
    for (d, i) in best.iter() {
        s += d * *i as f64;
    }
    for p in &best {
        s += p.0;
    }
    best[1].0 += s;
    best
}

#[smooth]
fn generic<T: Real, const N: usize>(a: &[T; N]) -> [T; N] {
    let mut b = a.clone();
    let mut s = b[0];
    for i in 1..N {
        s += b[i];
        b[i] = s;
        if b[i] > a[0] {
            b[i] -= a[0];
        }
    }
    for x in b.iter_mut() {
        *x /= s;
    }
    b.swap(0, N - 1);
    b
}

#[test]
fn arguments() {
    let (mut y, mut z) = (vec![1.0, 2.0], vec![1.0, 2.0]);
    through(&[1.0, 3.0], &mut y);
    through::reference(&[1.0, 3.0], &mut z);
    assert_eq!((y.as_slice(), z.as_slice()), (&[0.0, 16.0][..], &[0.0, 16.0][..]));
}

#[test]
fn rows_of_arguments() {
    for second in [[1.0, 0.0, 0.0], [0.0; 3]] {
        let (mut m, mut norms) = ([[1.0, 2.0, 2.0], second], [0.0; 2]);
        let (mut nested, mut expected) = (m.map(|row| row.to_vec()).to_vec(), vec![0.0; 2]);
        assert_eq!(normalise(&mut m, &mut norms), normalise::reference(&mut nested, &mut expected));
        assert_eq!((nested.as_slice(), expected.as_slice()), (&m.map(|row| row.to_vec())[..], &norms[..]));
    }
    let x = [1.0, 2.0, 3.0];
    assert_eq!(format!("{:?}", rows(&x)), format!("{:?}", rows::reference(&x)));
}

#[test]
fn copies_of_constants() {
    assert_eq!(constants(5), constants::reference(5));
}

#[test]
fn arrays_of_tuples() {
    let a = [1.0, 2.0, 3.0];
    assert_eq!(format!("{:?}", nearest(&a, 2.2)), format!("{:?}", nearest::reference(&a, 2.2)));
}

#[test]
fn generic_kernels() {
    let a = [1.0f32, 2.0, 3.0];
    assert_eq!(generic(&a).as_slice(), generic::reference(&a));
}

#[smooth]
fn copied_part(a: &[f64], s: usize, e: usize, k: usize) -> [f64; 4] {
    let mut b = [0.0; 4];
    b[s..e].copy_from_slice(&a[..k]);
    b
}

#[test]
fn slices_are_checked_as_in_rust() {
    let a = [1.0, 2.0, 3.0];
    for n in 0..216 {
        let (s, e, k) = (n / 36, n / 6 % 6, n % 6);
        let expected = std::panic::catch_unwind(|| copied_part::reference(&a, s, e, k)).ok();
        let found = std::panic::catch_unwind(|| copied_part(&a, s, e, k)).ok();
        assert_eq!(found.map(Vec::from), expected, "{s} {e} {k}");
    }
}
