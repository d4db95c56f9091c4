//! Patterns of arrays: in `let`s, in closures, in loops, inside other patterns and of rows. Kernel, reference and plain Rust
//! agree.

#[macro_use]
mod same;

use smooth::prelude::*;

same! {
    names [] (p: &[f64; 3]) -> f64 {
        let [x, y, z] = *p;
        x + y * z
    } on (&[1.0, 2.0, 3.0]);

    nested [] (p: &[f64; 4]) -> f64 {
        let m = [[p[0], p[1]], [p[2], p[3]]];
        let [[a, b], [mut c, d]] = m;
        c += 1.0;
        a * d - b * c
    } on (&[1.0, 2.0, 3.0, 4.0]);

    rows [n = 3] (q: &[f64; n]) -> f64 {
        let p = [[q[0], q[1], q[2]], [4.0, q[0], q[2] + 1.0], [7.0, 8.0, q[1]]];
        let mut s = 0.0;
        for [x, _, z] in p {
            s += x * z;
        }
        for (i, [x, y, _]) in p.iter().enumerate() {
            s -= i as f64 * x - y;
        }
        let area = |[x, y, _]: [f64; 3], [u, v, _]: [f64; 3]| x * v - y * u;
        s + area(p[0], p[1])
    } on (&[1.0, 2.0, 3.0]), (&[0.5, -1.0, 9.0]);

    among_tuples [] (p: &[f64; 4]) -> f64 {
        let ([a, b], (c, [d])) = ([p[0], p[1]], (p[2], [p[3] * 2.0]));
        let [only] = [a * b];
        let [] = [0.0; 0];
        only + c * d
    } on (&[1.0, 2.0, 3.0, 4.0]);

    changed [] (p: &mut [i64; 3], k: usize) -> i64 {
        let [a, _, c] = *p;
        p[k] = a + c;
        let [x, y, z] = *p;
        p[0] = z;
        x * 100 + y * 10 + z
    } on (&mut [1, 2, 3], 0), (&mut [1, 2, 3], 2);

    rows_with_names [n = 3] (p: &[f64; n]) -> f64 {
        let (a, mut b) = ([p[0], p[1], 2.0], [1.0, p[1], p[0]]);
        let mut m = [a, b];
        for _ in [b, a] {
            let row = m[0];
            let w = row[2];
            m[1][2] += 1.0;
            for r in [[m[0][1], m[0][2], m[0][0]], a] {
                if r[0] > w {
                    b[2] += 1.0;
                }
            }
        }
        m[1][2] * 10.0 + b[2]
    } on (&[1.0, 2.0, 3.0]), (&[4.0, 1.0, 0.0]);

    of_a_copy [n = 4] (p: &[i64; n]) -> i64 {
        let mut a = *p;
        for x in a {
            a[0] += x;
        }
        let mut m = [[a[0], a[1]], [a[2], a[3]]];
        for [u, v] in m {
            m[0] = [v, u + m[1][0]];
        }
        for u in m[1] {
            m[1][0] += u;
        }
        m[0][0] + 3 * m[0][1] + 5 * m[1][0]
    } on (&[1, 2, 3, 4]);

    beside_places [n = 4] (p: &[i64; n]) -> i64 {
        let mut m = [[p[0], p[1]], [p[2], p[3]]];
        let pairs = [[1, 2], [3, 4]];
        for (row, [a, b]) in m.iter_mut().zip(pairs.iter()) {
            row[0] += a * b;
        }
        m[0][0] * 100 + m[1][0]
    } on (&[1, 2, 3, 4]);

    loops_of_variables [n = 4] (p: &[i64; n]) -> i64 {
        let mut pair = [0, 1];
        for i in 0..n {
            let [a, b] = pair;
            pair = [b, a + b * p[i]];
            if pair[0] > 9 {
                break;
            }
        }
        let [a, b] = pair;
        if a > 3 { let [c, d] = [b, a]; c - d } else { b }
    } on (&[1, 2, 3, 4]), (&[1, 1, 1, 1]), (&[30, 30, 30, 30]);
}

#[smooth]
fn undistorted(camera: &[f64; 4], p: &[[f64; 2]; n]) -> [[f64; 2]; n] {
    let [fx, fy, cx, cy] = camera;
    build(n, |i| {
        let [u, v] = p[i];
        [(u - cx) / fx, (v - cy) / fy]
    })
}

#[smooth]
fn folded(p: &[f64; n]) -> f64 {
    let [_, last] = ifold(n, [0.0, 1.0], |[a, b], i| [b, a + b * p[i]]);
    last
}

#[smooth]
fn pairs(p: &[(f64, usize); 2]) -> (f64, usize) {
    let [(a, k), second] = p;
    (a * second.0, k + second.1)
}

#[smooth]
fn rotated(p: &[f64; 3]) -> [f64; 3] {
    [p[1], p[2], p[0]]
}

/// A row with a name, in a loop that updates one element of its array.
#[smooth]
fn row_beside_an_update(p: &[f64; n]) -> f64 {
    let (a, mut b) = ([p[0], p[1], 2.0], [1.0, p[1], p[0]]);
    let mut m = [a, b];
    for _ in [b, a] {
        let row = m[0];
        let w = row[2];
        m[1][2] += 1.0;
        for r in [rotated(&m[0]), a] {
            if r[0] > w {
                b[2] += 1.0;
            }
        }
    }
    m[1][2] * 10.0 + b[2]
}

#[test]
fn a_row_has_a_name_where_one_element_changes() {
    let p = [4.0, 1.0, 0.0];
    // The rotated row begins with 1 and `a` with 4: one of them is larger than 2, in each of the two iterations.
    assert_eq!((row_beside_an_update(&p), row_beside_an_update::reference(&p)), (66.0, 66.0));
}

#[smooth]
fn of_a_size(p: &[f64; n]) -> f64 {
    let [x, y] = p;
    x - y
}

#[test]
fn patterns_in_expressions() {
    let (camera, p) = ([2.0, 4.0, 1.0, 3.0], [[1.0, 3.0], [5.0, 11.0]]);
    let nested: Vec<Vec<f64>> = p.iter().map(|r| r.to_vec()).collect();
    assert_eq!(undistorted(&camera, &p), [[0.0, 0.0], [2.0, 2.0]]);
    assert_eq!(undistorted::reference(&camera, &nested), [[0.0, 0.0], [2.0, 2.0]]);
    assert_eq!((folded(&[1.0, 2.0, 3.0]), folded::reference(&[1.0, 2.0, 3.0])), (10.0, 10.0));
    assert_eq!(pairs((&[1.5, 2.0], &[3, 4])), (3.0, 7));
    assert_eq!(pairs::reference((&[1.5, 2.0], &[3, 4])), (3.0, 7));
}

/// The size of an array is compared at entry where it is not known.
#[test]
fn a_pattern_declares_a_length() {
    assert_eq!(of_a_size(&[3.0, 1.0]), 2.0);
    let error = of_a_size::try_call(&[3.0, 1.0, 0.0]).expect_err("another length");
    let text = "of_a_size: n = 3 and 2 differ, but the pattern of an array requires them to be equal";
    assert_eq!(error.to_string(), text);
}
