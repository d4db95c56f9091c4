//! Arrays of tuples: stored as one array per part, inside kernels and at the boundary.

use smooth::prelude::*;

mod kernels {
    use smooth::prelude::*;

    /// A pair of arrays.
    #[smooth(float = "strict")]
    pub fn circle(a: &[f64; n]) -> ([f64; n], [f64; n]) {
        let (s, c) = build(n, |i| a[i].sin_cos());
        (s, c)
    }

    /// Those arrays as an array of pairs.
    #[smooth(float = "strict")]
    pub fn points(a: &[f64; n]) -> [(f64, f64); n] {
        build(n, |i| a[i].sin_cos())
    }

    /// A pair of arrays without a name.
    #[smooth(float = "strict")]
    pub fn unzipped(a: &[f64; n]) -> ([f64; n], [f64; n]) {
        build(n, |i| a[i].sin_cos())
    }

    #[smooth(float = "strict")]
    pub fn zipped(a: &[f64; n], b: &[usize; n]) -> [(f64, usize); n] {
        build(n, |i| (a[i], b[i]))
    }

    /// Two arrays where one array of pairs is expected.
    #[smooth(float = "strict")]
    pub fn joined(a: &[f64; n], b: &[usize]) -> [(f64, usize); n] {
        (a.clone(), b.clone())
    }

    #[smooth(float = "strict")]
    pub fn sparse_dot(a: &[(usize, f64); n], x: &[f64; m]) -> f64 {
        sum(n, |i| a[i].1 * x[a[i].0])
    }

    /// A function of an array of pairs, and one that returns such an array.
    #[smooth(float = "strict")]
    pub fn applied(
        a: &[(usize, f64); n],
        f: impl Fn(&[(usize, f64); n], usize) -> f64,
        g: impl Fn(f64) -> [(f64, f64); 2],
    ) -> f64 {
        let p = g(f(a, n));
        p[0].0 - p[1].1
    }

    #[smooth(float = "strict")]
    pub fn applying(a: &[(usize, f64); n], x: &[f64; m]) -> f64 {
        applied(a, |a, k| sparse_dot(a, x) + a[k - 1].1, |x| [(x, 2.0), (3.0, x * 4.0)])
    }

    /// An array without a named length, passed on, with elements taken apart.
    #[smooth(float = "strict")]
    pub fn twice(a: &[(usize, f64)], x: &[f64; m]) -> f64 {
        let plain = sum(a.len(), |i| {
            let (_, v) = a[i];
            v
        });
        sparse_dot(a, x) + plain
    }

    /// A kernel whose result is an array of tuples is one for its caller.
    #[smooth(float = "strict")]
    pub fn far(a: &[f64; n]) -> f64 {
        let p = points(a);
        sum(n, |i| p[i].0 * p[n - 1 - i].1) + p[0].1
    }

    /// Both of two arrays, for a kernel that takes pairs.
    #[smooth(float = "strict")]
    pub fn apart(k: &[usize; n], v: &[f64; n], x: &[f64; m]) -> f64 {
        sparse_dot((&k, &v), x)
    }

    /// Rows in tuples, whose parts change places.
    #[smooth(float = "strict")]
    pub fn turned(a: &[(f64, [f64; 3]); n]) -> [([f64; 3], f64); n] {
        build(n, |i| (a[i].1, a[i].0))
    }

    /// Tuples in tuples, in an array of two dimensions.
    #[smooth(float = "strict")]
    pub fn grid(a: &[[((f64, f32), u8); m]; n]) -> [[(f64, (u8, f32)); n]; m] {
        build([m, n], |i, j| {
            let ((x, y), z) = a[j][i];
            (x * 2.0, (z, y + 1.0))
        })
    }

    #[smooth(float = "strict")]
    pub fn small(a: &[(f64, usize); 3]) -> [(f64, usize); 3] {
        let t = [(1.0, 2), (3.0, 4), a[2]];
        build(3, |i| (a[i].0 + t[2 - i].0, a[i].1 * t[i].1))
    }

    /// Slices, lengths and rows of arrays of tuples.
    #[smooth(float = "strict")]
    pub fn tails(a: &[[(f64, i64); m]; n]) -> f64 {
        sum(n, |i| {
            let row = &a[i][1..];
            sum(row.len(), |j| row[j].0 * row[j].1 as f64) + row.len() as f64
        })
    }

    /// A fold over an array of tuples.
    #[smooth(float = "strict")]
    pub fn steps(n: usize, k: usize) -> [(f64, usize); n] {
        ifold(k, [(0.0, 0); n], |s, i| build(n, |j| (s[j].0 + i as f64, s[j].1 + j)))
    }

    /// A fold whose pattern takes the arrays apart.
    #[smooth(float = "strict")]
    pub fn parts(n: usize, k: usize) -> f64 {
        let (x, y) =
            ifold(k, build(n, |i| (i as f64, 1.0)), |(x, y), _| (build(n, |i| x[i] + y[i]), build(n, |i| y[i] * 2.0)));
        sum(n, |i| x[i] - y[i])
    }

    /// The nearest point: a fold whose state is an element.
    #[smooth(float = "strict")]
    pub fn nearest(a: &[(f64, f64); n], x: f64, y: f64) -> (f64, usize) {
        ifold(n, (f64::INFINITY, 0), |best, i| {
            let (dx, dy) = (a[i].0 - x, a[i].1 - y);
            let d = dx * dx + dy * dy;
            if d < best.0 { (d, i) } else { best }
        })
    }

    /// A choice between arrays of tuples, next to another result.
    #[smooth(float = "strict")]
    pub fn chosen(a: &[(f64, usize); n], first: bool) -> ([(f64, usize); n], f64) {
        let other = build(n, |i| (a[i].0 * 2.0, i));
        let p = if first { a.clone() } else { other };
        (p.clone(), sum(n, |i| p[i].0))
    }

    #[smooth(float = "strict")]
    pub fn generic<T: Real, const N: usize>(a: &[(T, usize); N]) -> [(T, usize); N] {
        build(N, |i| (a[N - 1 - i].0 * a[i].0, a[i].1))
    }

    #[smooth(float = "strict")]
    pub fn called(a: &[(f64, usize); n]) -> [(f64, usize); n] {
        let p: [(f64, usize); n] = build(n, |i| (a[i].0 + 1.0, a[i].1));
        let q = zipped(&p.0, &p.1);
        build(n, |i| q[n - 1 - i])
    }
}

use kernels::*;

const A: [f64; 5] = [0.5, -1.25, 3.0, 0.0, 7.5];

#[test]
fn one_loop_and_two_arrays() {
    let (s, c): (Vec<f64>, Vec<f64>) = A.iter().map(|x| x.sin_cos()).unzip();
    for pair in [circle(&A), points(&A), unzipped(&A), circle::reference(&A), points::reference(&A)] {
        assert_eq!(pair, (s.clone(), c.clone()));
    }
    assert_eq!(unzipped::reference(&A), (s.clone(), c.clone()));
    assert_eq!(points::shape([5]), ([5], [5]));
    assert_eq!([circle::scratch([5]), points::scratch([5]), unzipped::scratch([5])], [0; 3]);
    let (mut s0, mut c0) = ([0.0; 5], [0.0; 5]);
    points::into(&mut s0, &mut c0, &A, &mut Arena::new());
    assert_eq!((s0.to_vec(), c0.to_vec()), (s, c));
}

#[test]
fn zip_and_unzip() {
    let b = [1, 2, 3, 4, 5];
    assert_eq!(zipped(&A, &b), (A.to_vec(), b.to_vec()));
    assert_eq!(zipped(&A, &b), zipped::reference(&A, &b));
    assert_eq!(joined(&A, &b), (A.to_vec(), b.to_vec()));
    assert_eq!(joined(&A, &b), joined::reference(&A, &b));
    let e = joined::try_into(&mut [0.0; 5], &mut [0; 5], &A, &[1, 2], &mut Arena::new()).unwrap_err();
    assert!(e.to_string().contains("n = 5") && e.to_string().contains("b.len() = 2"), "{e}");
}

#[test]
fn parameters() {
    let (k, v, x) = ([2, 0, 2], [1.0, 2.0, 4.0], [10.0, 100.0, 1000.0]);
    assert_eq!(sparse_dot((&k, &v), &x), 5020.0);
    assert_eq!(sparse_dot::reference((&k, &v), &x), 5020.0);
    assert_eq!(twice((&k, &v), &x), 5027.0);
    assert_eq!(twice::reference((&k, &v), &x), 5027.0);
    assert_eq!(apart(&k, &v, &x), 5020.0);
    assert_eq!(apart::reference(&k, &v, &x), 5020.0);
    let (pairs, of_pair) = (|x: f64| (vec![x, 3.0], vec![2.0, x * 4.0]), |n: usize, v: &[f64]| 5020.0 + v[n - 1]);
    let expected = of_pair(3, &v) * (1.0 - 4.0);
    assert_eq!(applying((&k, &v), &x), expected);
    assert_eq!(applying::reference((&k, &v), &x), expected);
    let f = |p: (Vec<usize>, Vec<f64>), n: usize| sparse_dot((&p.0, &p.1), &x) + p.1[n - 1];
    assert_eq!(applied::reference((&k, &v), f, pairs), expected);
    let f = |(k, v): (&[usize], &[f64]), n: usize| sparse_dot((k, v), &x) + v[n - 1];
    assert_eq!(applied((&k, &v), f, |x| ([x, 3.0], [2.0, x * 4.0])), expected);
    assert_eq!(sparse_dot::scratch([3], [3], [3]), 0);
    let e = sparse_dot::try_into((&k, &v[1..]), &x, &mut Arena::new()).unwrap_err();
    assert_eq!(e.to_string(), "sparse_dot: argument a.1 has length 2, but n = 3 (from argument a.0)");
    let e = twice::try_into((&k, &v[1..]), &x, &mut Arena::new()).unwrap_err();
    assert_eq!(e.to_string(), "twice: argument a.1 has length 2, but len = 3 (from argument a.0)");
}

#[test]
fn calls() {
    assert_eq!(far(&A), far::reference(&A));
    let a = ([1.0, 2.0, 3.0], [7, 8, 9]);
    assert_eq!(called((&a.0, &a.1)), (vec![4.0, 3.0, 2.0], vec![9, 8, 7]));
    assert_eq!(called((&a.0, &a.1)), called::reference((&a.0, &a.1)));
    assert_eq!(generic((&a.0, &a.1)), ([3.0, 4.0, 3.0], [7, 8, 9]));
    assert_eq!(generic::reference((&a.0, &a.1)), (vec![3.0, 4.0, 3.0], vec![7, 8, 9]));
}

#[test]
fn rows_and_grids() {
    let (x, rows) = ([1.0, 2.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(turned((&x, &rows)), (rows.to_vec(), x.to_vec()));
    let nested: Vec<Vec<f64>> = rows.iter().map(|r| r.to_vec()).collect();
    assert_eq!(turned::reference((&x, &nested)), (nested.clone(), x.to_vec()));
    let (p, q, r) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.5f32, 2.5, 3.5, 4.5, 5.5, 6.5], [1u8, 2, 3, 4, 5, 6]);
    let (views, shape) = ((View::new(&p, [2, 3]), View::new(&q, [2, 3]), View::new(&r, [2, 3])), [2, 3]);
    let (a, (b, c)) = grid(((views.0, views.1), views.2));
    assert_eq!((a.shape(), b.shape(), c.shape()), ([3, 2], [3, 2], [3, 2]));
    assert_eq!(a.as_slice(), [2.0, 8.0, 4.0, 10.0, 6.0, 12.0]);
    assert_eq!(b.as_slice(), [1, 4, 2, 5, 3, 6]);
    assert_eq!(c.as_slice(), [2.5, 5.5, 3.5, 6.5, 4.5, 7.5]);
    assert_eq!(grid::shape(shape, shape, shape), ([3, 2], [3, 2], [3, 2]));
    let rows = |k: usize| vec![k; 3];
    let _ = rows;
    let (m, i) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1i64, -2, 3, -4, 5, -6]);
    let expected = 2.0 * -2.0 + 3.0 * 3.0 + 2.0 + (5.0 * 5.0 - 6.0 * 6.0) + 2.0;
    assert_eq!(tails((View::new(&m, [2, 3]), View::new(&i, [2, 3]))), expected);
    let (m, i) = ([vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]], [vec![1i64, -2, 3], vec![-4, 5, -6]]);
    assert_eq!(tails::reference((&m, &i)), expected);
}

#[test]
fn literals_and_static_sizes() {
    let a = ([1.0, 2.0, 4.0], [1, 10, 100]);
    let expected = ([5.0, 5.0, 5.0], [2, 40, 10000]);
    assert_eq!(small((&a.0, &a.1)), expected);
    assert_eq!(small::reference((&a.0, &a.1)), (expected.0.to_vec(), expected.1.to_vec()));
    const BYTES: usize = small::scratch();
    assert_eq!(BYTES, 0);
}

#[test]
fn folds() {
    for (n, k) in [(4, 3), (1, 1), (3, 0), (0, 2)] {
        assert_eq!(steps(n, k), steps::reference(n, k));
        assert_eq!(parts(n, k), parts::reference(n, k));
    }
    assert_eq!(steps(3, 3), (vec![3.0; 3], vec![0, 3, 6]));
    let a = ([0.0, 3.0, 1.0], [0.0, 4.0, 1.5]);
    assert_eq!(nearest((&a.0, &a.1), 1.0, 1.0), (0.25, 2));
    assert_eq!(nearest::reference((&a.0, &a.1), 1.0, 1.0), (0.25, 2));
}

#[test]
fn choices() {
    let a = ([1.0, 2.0], [5, 6]);
    for first in [true, false] {
        assert_eq!(chosen((&a.0, &a.1), first), chosen::reference((&a.0, &a.1), first));
    }
    assert_eq!(chosen((&a.0, &a.1), false), ((vec![2.0, 4.0], vec![0, 1]), 6.0));
}
