//! Reductions over several axes: the meaning and the bits of the nest, written out.
#![allow(clippy::float_cmp, reason = "the bits are the subject")]

use smooth::prelude::*;

#[smooth]
fn totals(m: &[[f64; w]; h]) -> (f64, f64, f64, f64) {
    (
        sum([h, w], |i, j| m[i][j]),
        prod([h, w], |i, j| 1.0 + m[i][j] * 0.01),
        min([h, w], |i, j| m[i][j]),
        max([h, w], |i, j| m[i][j]),
    )
}

#[smooth]
fn totals_nested(m: &[[f64; w]; h]) -> (f64, f64, f64, f64) {
    (
        sum(h, |i| sum(w, |j| m[i][j])),
        prod(h, |i| prod(w, |j| 1.0 + m[i][j] * 0.01)),
        min(h, |i| min(w, |j| m[i][j])),
        max(h, |i| max(w, |j| m[i][j])),
    )
}

#[smooth]
fn conditions(m: &[[f64; w]; h], x: f64) -> (bool, bool, usize, (usize, usize)) {
    (
        any([h, w], |i, j| m[i][j] > x),
        all([h, w], |i, j| m[i][j] < x),
        count([h, w], |i, j| m[i][j] > x),
        count([h, w], |i, j| (m[i][j] > x, m[i][j] == 0.0)),
    )
}

#[smooth]
fn conditions_nested(m: &[[f64; w]; h], x: f64) -> (bool, bool, usize, (usize, usize)) {
    let pairs = sum(h, |i| count(w, |j| (m[i][j] > x, m[i][j] == 0.0)));
    (
        any(h, |i| any(w, |j| m[i][j] > x)),
        all(h, |i| all(w, |j| m[i][j] < x)),
        sum(h, |i| count(w, |j| m[i][j] > x)),
        pairs,
    )
}

#[smooth]
fn reduced(m: &[[f64; w]; h]) -> (f64, f64, (f64, f64)) {
    let later = |x: f64, y: f64| if y > 2.0 { y } else { x };
    let affine = |p: (f64, f64), q: (f64, f64)| (p.0 * q.0, p.1 * q.0 + q.1);
    (
        reduce([h, w], 0.0, later, |i, j| m[i][j]),
        reduce([h, w], f64::NEG_INFINITY, f64::max, |i, j| m[i][j]),
        reduce([h, w], (1.0, 0.0), affine, |i, j| (0.5, m[i][j])),
    )
}

#[smooth]
fn reduced_nested(m: &[[f64; w]; h]) -> (f64, f64, (f64, f64)) {
    let later = |x: f64, y: f64| if y > 2.0 { y } else { x };
    let affine = |p: (f64, f64), q: (f64, f64)| (p.0 * q.0, p.1 * q.0 + q.1);
    (
        reduce(h, 0.0, later, |i| reduce(w, 0.0, later, |j| m[i][j])),
        reduce(h, f64::NEG_INFINITY, f64::max, |i| reduce(w, f64::NEG_INFINITY, f64::max, |j| m[i][j])),
        reduce(h, (1.0, 0.0), affine, |i| reduce(w, (1.0, 0.0), affine, |j| (0.5, m[i][j]))),
    )
}

#[smooth]
fn places(m: &[[f64; w]; h]) -> ((usize, usize), usize, usize) {
    let (i, j) = argmax([h, w], |i, j| m[i][j]);
    (argmin([h, w], |i, j| m[i][j]), i, j)
}

/// The first of the best in the order of rows, where a NaN is never best.
fn places_by_loops(m: &[f64], w: usize) -> ((usize, usize), usize, usize) {
    let first = |better: fn(f64, f64) -> bool| {
        let mut best: Option<(f64, usize)> = None;
        for (k, x) in m.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
            if best.is_none_or(|(b, _)| better(*x, b)) {
                best = Some((*x, k));
            }
        }
        best.map_or((0, 0), |(_, k)| (k / w, k % w))
    };
    let (low, high) = (first(|x, y| x < y), first(|x, y| x > y));
    (low, high.0, high.1)
}

fn image(h: usize, w: usize) -> Vec<f64> {
    (0..h * w).map(|k| ((k * 7919 + 13) % 97) as f64 * 0.1 - 4.0).collect()
}

const SHAPES: [(usize, usize); 11] =
    [(1, 1), (1, 7), (7, 1), (2, 3), (5, 16), (16, 5), (3, 40), (40, 3), (33, 65), (0, 4), (4, 0)];

#[test]
fn several_axes_are_the_nest() {
    for (h, w) in SHAPES {
        let flat = image(h, w);
        let m = View::new(&flat, [h, w]);
        let rows: Vec<Vec<f64>> = (0..h).map(|i| flat[i * w..(i + 1) * w].to_vec()).collect();
        let bits = |t: (f64, f64, f64, f64)| [t.0, t.1, t.2, t.3].map(f64::to_bits);
        assert_eq!(bits(totals(m)), bits(totals_nested(m)), "{h} x {w}");
        assert_eq!(reduced(m), reduced_nested(m), "{h} x {w}");
        for x in [-10.0, 0.0, 3.0, 10.0] {
            assert_eq!(conditions(m, x), conditions_nested(m, x), "{h} x {w}, {x}");
            if h > 0 {
                assert_eq!(conditions(m, x), conditions::reference(&rows, x), "{h} x {w}, {x}");
            }
        }
        if h > 0 {
            let (got, expected) = (totals(m), totals::reference(&rows));
            assert!((got.0 - expected.0).abs() < 1e-9 && (got.1 - expected.1).abs() < 1e-6 * expected.1.abs());
            assert_eq!((got.2, got.3), (expected.2, expected.3));
            assert_eq!(reduced(m).0, reduced::reference(&rows).0, "{h} x {w}");
        }
        if h * w > 0 {
            assert_eq!(places(m), places_by_loops(&flat, w), "{h} x {w}");
            assert_eq!(places::reference(&rows), places_by_loops(&flat, w), "{h} x {w}");
        } else {
            assert!(std::panic::catch_unwind(|| places(m)).is_err(), "{h} x {w}");
        }
    }
    let none = View::new(&[], [0, 3]);
    assert_eq!(totals(none), (0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY));
    assert_eq!(totals(View::new(&[], [3, 0])), (0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY));
}

#[test]
fn places_are_those_of_numbers() {
    let nan = f64::NAN;
    for at in 0..6 {
        for fill in [nan, 5.0] {
            let mut m = vec![fill; 6];
            (m[at], m[5 - at / 2]) = (1.0, 1.0);
            assert_eq!(places(View::new(&m, [2, 3])), places_by_loops(&m, 3), "{m:?}");
        }
    }
    assert_eq!(places(View::new(&[nan; 6], [2, 3])), ((0, 0), 0, 0));
    assert_eq!(places(View::new(&[0.0, -0.0, 0.0], [3, 1])), ((0, 0), 0, 0));
}

/// Three axes, static and symbolic, of all numbers, with tuples, in a generic kernel.
mod kinds {
    use super::*;

    #[smooth]
    pub fn cube(t: &[[[i64; 4]; k]; n], scale: i64) -> (i64, i64, usize, (usize, usize, usize), bool) {
        (
            sum([n, k, 4], |i, j, l| t[i][j][l] * scale),
            max([n, k, 4], |i, j, l| t[i][j][l]),
            count([n, k, 4], |i, j, l| t[i][j][l] == scale),
            argmax([n, k, 4], |i, j, l| t[i][j][l]),
            any([n, k, 4], |i, j, l| t[i][j][l] == -1),
        )
    }

    #[smooth]
    pub fn fixed(m: &[[f32; 3]; 2]) -> (f32, f32, (usize, usize), u32) {
        (
            sum([2, 3], |i, j| m[i][j]),
            min([2, 3], |i, j| m[i][j]),
            argmin([2, 3], |i, j| m[i][j]),
            sum([2, 3], |i, j| (i * j) as u32),
        )
    }

    #[smooth]
    pub fn generic<T: Number>(m: &[[T; w]; h]) -> (T, T, (usize, usize)) {
        (sum([h, w], |i, j| m[i][j]), max([h, w], |i, j| m[i][j]), argmin([h, w], |i, j| m[i][j]))
    }

    #[smooth]
    pub fn lowest<T: Number>(m: &[[T; w]; h]) -> (usize, usize) {
        argmin([h, w], |i, j| m[i][j])
    }

    #[smooth]
    pub fn real<T: Real>(m: &[[T; w]; h]) -> (T, (usize, usize)) {
        let square = |i, j| m[i][j] * m[i][j];
        (sum([h, w], square), argmax([h, w], square))
    }

    #[smooth]
    pub fn moments(m: &[[f64; w]; h], weights: &[f32; h]) -> (f64, (f64, usize), f32) {
        let (s, (q, n), t) = sum([h, w], |i, j| (m[i][j], (m[i][j] * m[i][j], i + j), weights[i]));
        (s, (q, n), t)
    }

    /// In loops, with counts that depend on an outer index; and one axis in brackets.
    #[smooth]
    pub fn windows(m: &[[f64; w]; h]) -> [[f64; w]; h] {
        build([h, w], |i, j| {
            let (rows, columns) = ((h - i).min(3), (w - j).min(3));
            sum([rows, columns], |k, l| m[i + k][j + l]) + sum([columns], |l| m[i][j + l])
        })
    }

    #[smooth]
    pub fn windows_nested(m: &[[f64; w]; h]) -> [[f64; w]; h] {
        build([h, w], |i, j| {
            let (rows, columns) = ((h - i).min(3), (w - j).min(3));
            sum(rows, |k| sum(columns, |l| m[i + k][j + l])) + sum(columns, |l| m[i][j + l])
        })
    }

    /// Adjacent elements belong to different sums: source order.
    #[smooth]
    pub fn columns(t: &[[[f64; w]; h]; n]) -> [f64; w] {
        build(w, |j| sum([n, h], |l, i| t[l][i][j]))
    }

    #[smooth]
    pub fn columns_nested(t: &[[[f64; w]; h]; n]) -> [f64; w] {
        build(w, |j| sum(n, |l| sum(h, |i| t[l][i][j])))
    }

    #[smooth(float = "strict")]
    pub fn strict(m: &[[f64; w]; h]) -> (f64, f64, (usize, usize)) {
        let mixed = reduce([h, w], 0.0, |x, y| x * 0.5 + y, |i, j| m[i][j]);
        (sum([h, w], |i, j| m[i][j] * 0.1), mixed, argmin([h, w], |i, j| m[i][j]))
    }

    /// The names of functions, and names that an expansion may use.
    #[smooth]
    pub fn named(f: &[[f64; n0]; n1], given0: f64) -> f64 {
        let term = |i0: usize, i1: usize| f[i0][i1] * given0;
        sum([n1, n0], term) + max([n1, n0], |i1, i0| f[i1][i0] + given0)
    }
}

#[test]
fn axes_of_all_kinds() {
    let numbers: Vec<i64> = (0..24).map(|k| (k * 7 + 3) % 11).collect();
    let t = View::new(&numbers, [3, 2, 4]);
    let best = numbers.iter().position(|x| *x == 10).unwrap();
    let expected = (
        numbers.iter().sum::<i64>() * 2,
        10,
        numbers.iter().filter(|x| **x == 2).count(),
        (best / 8, best / 4 % 2, best % 4),
        false,
    );
    assert_eq!(kinds::cube(t, 2), expected);
    let nested: Vec<Vec<Vec<i64>>> = numbers.chunks(8).map(|m| m.chunks(4).map(<[i64]>::to_vec).collect()).collect();
    assert_eq!(kinds::cube::reference(&nested, 2), expected);
    let m = [[2.0f32, -1.0, 3.0], [0.5, -1.0, 4.0]];
    assert_eq!(kinds::fixed(&m), (7.5, -1.0, (0, 1), 3));
    assert_eq!(kinds::fixed::reference(&m.map(|r| r.to_vec())), (7.5, -1.0, (0, 1), 3));
    assert_eq!(kinds::generic(View::new(&[3, 1, 1, 9u8], [2, 2])), (14, 9, (0, 1)));
    assert_eq!(kinds::generic(View::new(&[3.0, 1.0, 1.0, 9.0], [2, 2])), (14.0, 9.0, (0, 1)));
    assert_eq!(kinds::lowest(View::new(&[i32::MAX; 4], [2, 2])), (0, 0));
    assert_eq!(kinds::real(View::new(&[1.0f32, -3.0, 2.0], [1, 3])), (14.0, (0, 1)));
    for (h, w) in SHAPES.into_iter().filter(|s| s.0 * s.1 > 0) {
        let flat = image(h, w);
        let m = View::new(&flat, [h, w]);
        let rows: Vec<Vec<f64>> = flat.chunks(w).map(<[f64]>::to_vec).collect();
        let weights: Vec<f32> = (0..h).map(|i| i as f32).collect();
        let (got, expected) = (kinds::moments(m, &weights), kinds::moments::reference(&rows, &weights));
        assert!((got.0 - expected.0).abs() < 1e-9 && (got.1.0 - expected.1.0).abs() < 1e-6, "{h} x {w}");
        assert_eq!((got.1.1, got.2), (expected.1.1, expected.2), "{h} x {w}");
        assert_eq!(kinds::windows(m), kinds::windows_nested(m), "{h} x {w}");
        assert_eq!(kinds::strict(m), kinds::strict::reference(&rows), "{h} x {w}");
        assert_eq!(kinds::named(m, 0.5), kinds::named(m, 0.5));
        assert!((kinds::named(m, 0.5) - kinds::named::reference(&rows, 0.5)).abs() < 1e-9);
        let cube = image(h * 2, w);
        let t = View::new(&cube, [2, h, w]);
        assert_eq!(kinds::columns(t), kinds::columns_nested(t), "{h} x {w}");
        let plane = |l: usize, j: usize| (0..h).map(|i| cube[(l * h + i) * w + j]).fold(-0.0, |s, x| s + x);
        let expected: Vec<f64> = (0..w).map(|j| plane(0, j) + plane(1, j)).collect();
        assert_eq!(kinds::columns(t), expected, "{h} x {w}");
    }
}
