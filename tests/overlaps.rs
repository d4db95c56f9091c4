//! Arrays that are assigned whole while their rows are read: kernel, reference and plain Rust agree.

use smooth::prelude::*;

#[macro_use]
mod same;

same! {
    // A row that a scan reads from the old array, where the other path keeps that.
    under_a_condition [] (a: &[i64; 2], c: bool) -> [[i64; 2]; 1] {
        let mut w = [[a[0], a[1]]];
        if c {
            let mut t = [1; 2];
            for j in 0..2 {
                t[j] = t[1 - j] + w[0][1 - j];
            }
            w = [t];
        }
        w
    } on (&[5, 6], true), (&[5, 6], false);

    in_a_loop [] (a: &[i64; 3], c: bool, rounds: usize) -> [[i64; 3]; 1] {
        let mut w = [[a[0], a[1], a[2]]];
        for _ in 0..rounds {
            if c {
                let mut t = [1; 3];
                t[2] -= w[0][0] + w[0][1] + w[0][2];
                w = [t];
            }
        }
        w
    } on (&[1, 2, 3], true, 1), (&[1, 2, 3], true, 3), (&[1, 2, 3], false, 2);

    // Each row reads the other one.
    crossed [] (a: &[i64; 6], q: usize) -> [[i64; 3]; 2] {
        let mut w = [[a[0], a[1], a[2]], [a[3], a[4], a[5]]];
        for k in 0..3 {
            match (q + k) % 3 {
                0 => {
                    let (mut t, mut u) = ([1; 3], [2; 3]);
                    for j in 0..3 {
                        t[j] += t[(j + 1) % 3] + w[1][2 - j];
                        u[j] += u[(j + 2) % 3] * w[0][j];
                    }
                    w = [t, u];
                }
                1 => w[0][q] += 1,
                _ => {}
            }
        }
        w
    } on (&[1, 2, 3, 4, 5, 6], 0), (&[1, 2, 3, 4, 5, 6], 1), (&[1, 2, 3, 4, 5, 6], 2);

    left_early [] (a: &[i64; 6], n: usize) -> [[i64; 3]; 2] {
        let mut w = [[a[0], a[1], a[2]], [a[3], a[4], a[5]]];
        for k in 0..n {
            if k == 1 {
                continue;
            }
            let (mut t, mut u) = ([k as i64; 3], [2; 3]);
            for j in 0..3 {
                t[j] += t[(j + 1) % 3] + w[1][2 - j];
                u[j] += u[(j + 2) % 3] * w[0][j];
            }
            w = [t, u];
        }
        w
    } on (&[1, 2, 3, 4, 5, 6], 1), (&[1, 2, 3, 4, 5, 6], 2), (&[1, 2, 3, 4, 5, 6], 3);

    // A row that is computed before the array changes, and put into it afterwards.
    row_before [] (a: &[i64; 3], k: usize) -> [[i64; 3]; 1] {
        let mut w = [[a[0], a[1], a[2]]];
        let mut t = w[0].clone();
        for j in 0..3 {
            t[j] += t[(j + 1) % 3];
        }
        for j in 0..3 {
            w[0][j] += w[0][2 - j];
        }
        if k % 2 == 1 {
            w = [t];
        }
        w
    } on (&[1, 2, 3], 0), (&[1, 2, 3], 1);

    either [] (a: &[i64; 3], k: bool) -> [[i64; 3]; 1] {
        let mut t = [a[0], a[1], a[2]];
        for j in 0..3 {
            t[j] += t[(j + 1) % 3];
        }
        let mut z = [[a[0], a[1], a[2]]];
        for j in 0..3 {
            z[0][j] += z[0][2 - j];
        }
        if k {
            let x = z[0][0];
            t[1] += x;
            [t]
        } else {
            z
        }
    } on (&[1, 2, 3], true), (&[1, 2, 3], false);

    in_turn [] (a: &[i64; 6], k: usize) -> [[i64; 3]; 2] {
        let mut w = [[a[0], a[1], a[2]], [a[3], a[4], a[5]]];
        for i in 0..k {
            let mut t = w[1].clone();
            for j in 0..3 {
                t[j] += t[(j + 1) % 3];
            }
            let mut z = w.clone();
            for j in 0..3 {
                z[0][j] += z[1][2 - j];
                z[1][j] += z[0][j] - 3;
            }
            if (i + k) % 2 == 0 {
                let x = z[0][0];
                t[1] += x;
                w = [t, w[0]];
            } else {
                let x = t[0];
                z[0][1] += x;
                w = z;
            }
        }
        w
    } on (&[1, 2, 3, 4, 5, 6], 1), (&[1, 2, 3, 4, 5, 6], 2), (&[1, 2, 3, 4, 5, 6], 3);

    of_planes [] (a: &[i64; 6], k: usize) -> [[[i64; 3]; 2]; 1] {
        let mut t = [[a[0], a[1], a[2]], [a[3], a[4], a[5]]];
        for j in 0..3 {
            t[0][j] += t[1][(j + 1) % 3];
        }
        let mut z = [[[a[0], a[1], a[2]], [a[3], a[4], a[5]]]];
        for j in 0..3 {
            z[0][0][j] += z[0][1][2 - j];
        }
        if k % 2 == 0 {
            let x = z[0][1][0];
            t[1][1] += x;
            [t]
        } else {
            z
        }
    } on (&[1, 2, 3, 4, 5, 6], 0), (&[1, 2, 3, 4, 5, 6], 1);
}

/// Such an assignment to a parameter, with rows of any length.
#[smooth]
fn swept(w: &mut [[i64; k]; 2], c: bool) {
    if c {
        *w = build(2, |i| scan(k, 0, |s, j| 2 * s + w[1 - i][j]));
    }
}

#[smooth]
fn exchanged(w: &mut [[i64; m]; 2], k: usize) {
    let mut t = w[0].clone();
    for j in 0..m {
        t[j] += t[(j + 1) % m];
    }
    let mut z = w.clone();
    for j in 0..m {
        z[0][j] += z[1][m - 1 - j];
    }
    if k % 2 == 0 {
        let x = z[0][0];
        t[1] += x;
        *w = [t, w[1]];
    } else {
        *w = z;
    }
}

/// Rows that are updated in turn.
#[smooth]
fn apart(a: &[[f64; m]; 2]) -> [[f64; m]; 2] {
    let (mut t, mut u) = (a[0].clone(), a[1].clone());
    for j in 1..m {
        t[j] += u[j - 1];
        u[j] += t[j - 1];
    }
    for j in 0..m {
        t[j] += u[m - 1 - j];
    }
    [t, u]
}

#[smooth]
fn state(a: &[[i64; 3]; 2], n: usize, from: usize) -> [[i64; 3]; 2] {
    ifold(n, a.clone(), |w, k| {
        if k >= from { [scan(3, 1, |s, j| s * 2 + w[0][2 - j]), scan(3, 0, |s, j| s + w[1][j] + w[0][j])] } else { w }
    })
}

#[test]
fn states_and_parameters() {
    let mut w = [[1, 2], [3, 4]];
    swept(&mut w, false);
    assert_eq!(w, [[1, 2], [3, 4]]);
    swept(&mut w, true);
    assert_eq!(w, [[3, 10], [1, 4]]);
    let mut w = [[1, 2, 3], [4, 5, 6]];
    exchanged(&mut w, 0);
    assert_eq!(w, [[3, 12, 6], [4, 5, 6]]);
    exchanged(&mut w, 1);
    assert_eq!(w, [[9, 17, 10], [4, 5, 6]]);
    assert_eq!(apart(&[[1.0, 2.0], [3.0, 4.0]]).as_slice(), [6.0, 8.0, 3.0, 5.0]);
    let a = [[1, 2, 3], [4, 5, 6]];
    for (n, from) in [(0, 0), (1, 0), (1, 1), (2, 0), (3, 1)] {
        let mut w = a;
        for _ in from..n {
            let (mut t, mut u, mut s, mut r) = ([0; 3], [0; 3], 1, 0);
            for j in 0..3 {
                s = s * 2 + w[0][2 - j];
                r += w[1][j] + w[0][j];
                (t[j], u[j]) = (s, r);
            }
            w = [t, u];
        }
        assert_eq!(state(&a, n, from), w);
        assert_eq!(state::reference(&a.map(|row| row.to_vec()), n, from), w.map(|row| row.to_vec()));
    }
}
