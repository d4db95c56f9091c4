//! Reductions: values, orders bit for bit, NaN, signed zeros, no elements, overflow.
#![allow(clippy::float_cmp, reason = "the bits are the subject")]

use smooth::prelude::*;

#[smooth]
fn total(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}

#[smooth]
fn product(a: &[f64; n]) -> f64 {
    prod(n, |i| a[i])
}

#[smooth]
fn smallest(a: &[f64; n]) -> f64 {
    min(n, |i| a[i])
}

#[smooth]
fn largest(a: &[f64; n]) -> f64 {
    max(n, |i| a[i])
}

#[smooth]
fn combined(a: &[f64; n]) -> f64 {
    reduce(n, 0.0, |x, y| x + 2.0 * y, |i| a[i])
}

/// The order of a reduction by a function, by hand: eight runs of neighbours.
fn by_runs<V: Copy>(start: V, a: &[V], op: impl Fn(V, V) -> V) -> V {
    let run = if a.len() < 16 { 0 } else { a.len() / 8 };
    let lanes = a[..8 * run].chunks(run.max(1)).filter_map(|lane| lane.iter().copied().reduce(&op));
    a[8 * run..].iter().copied().fold(lanes.fold(start, &op), &op)
}

/// The order of the named reductions, by hand.
fn by_hand(start: f64, a: &[f64], op: impl Fn(f64, f64) -> f64) -> f64 {
    let m = a.len() / 16 * 16;
    let mut lanes = [start; 16];
    for i in 0..m {
        lanes[i % 16] = op(lanes[i % 16], a[i]);
    }
    let mut s = start;
    if m > 0 {
        s = lanes.into_iter().fold(s, &op);
    }
    a[m..].iter().fold(s, |s, x| op(s, *x))
}

fn values(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + ((i * 7919 + 13) % 1009) as f64 * 1e-3 - 0.5).collect()
}

#[test]
fn floats_are_reduced_in_lanes() {
    for n in [1, 2, 15, 16, 17, 31, 32, 33, 100, 257] {
        let a = values(n);
        let bits = |x: f64, y: f64| assert_eq!(x.to_bits(), y.to_bits(), "{n} elements: {x} {y}");
        bits(total(&a), by_hand(-0.0, &a, |x, y| x + y));
        bits(product(&a), by_hand(1.0, &a, |x, y| x * y));
        bits(smallest(&a), by_hand(f64::INFINITY, &a, |x, y| if y < x { y } else { x }));
        bits(largest(&a), by_hand(f64::NEG_INFINITY, &a, |x, y| if y > x { y } else { x }));
        bits(combined(&a), by_runs(0.0, &a, |x, y| x + 2.0 * y));
        assert_eq!(smallest(&a), smallest::reference(&a));
        assert_eq!(largest(&a), largest::reference(&a));
    }
    let a = values(100);
    assert_ne!(product(&a).to_bits(), product::reference(&a).to_bits());
    assert_eq!((total(&[]), product(&[]), smallest(&[]), largest(&[])), (0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY));
    assert_eq!((total(&[]).to_bits(), combined(&[])), (0, 0.0));
}

mod strict {
    use super::*;

    #[smooth(float = "strict")]
    pub fn all_of_them(a: &[f64; n]) -> (f64, f64, (f64, f64), f64) {
        let both = reduce(n, 0.0, |x, y| 0.5 * x + y, |i| a[i]);
        (sum(n, |i| a[i]), prod(n, |i| a[i]), (min(n, |i| a[i]), max(n, |i| a[i])), both)
    }

    /// The callee's reductions are in source order here.
    #[smooth(float = "strict")]
    pub fn of_a_callee(a: &[f64; n]) -> (f64, f64) {
        (product(a), combined(a))
    }
}

#[test]
fn strict_is_the_reference() {
    for n in [0, 1, 15, 16, 17, 40, 101] {
        let a = values(n);
        assert_eq!(strict::all_of_them(&a), strict::all_of_them::reference(&a));
        assert_eq!(strict::of_a_callee(&a), (product::reference(&a), combined::reference(&a)));
    }
}

#[test]
fn min_and_max_ignore_nan_and_keep_the_first_zero() {
    let nan = f64::NAN;
    for n in [1, 7, 16, 40] {
        assert_eq!((smallest(&vec![nan; n]), largest(&vec![nan; n])), (f64::INFINITY, f64::NEG_INFINITY));
        let mut a = vec![nan; n + 1];
        a[n / 2] = 3.0;
        assert_eq!((smallest(&a), largest(&a)), (3.0, 3.0));
        for first in [0.0, -0.0] {
            let mut a = vec![-first; n];
            a[0] = first;
            for reduced in [smallest, largest] {
                assert_eq!(reduced(&a).to_bits(), f64::to_bits(first));
            }
        }
    }
    assert!(total(&[1.0, nan]).is_nan() && product(&[0.0, nan]).is_nan());
}

#[smooth]
fn nearest(points: &[[f64; d]; n], to: &[f64; d]) -> usize {
    argmin(n, |i| sum(d, |k| (points[i][k] - to[k]).powi(2)))
}

#[smooth]
fn ends(a: &[f64; n]) -> (usize, usize) {
    (argmin(n, |i| a[i]), argmax(n, |i| a[i]))
}

#[smooth]
fn integer_ends(a: &[i16; n]) -> (usize, usize) {
    (argmin(n, |i| a[i]), argmax(n, |i| a[i]))
}

#[test]
fn the_first_of_equal_values_is_chosen() {
    assert_eq!(nearest([[0.0, 0.0], [1.0, 1.0], [2.0, 1.0], [1.0, 1.0]].concat_rows(), &[1.0, 0.75]), 1);
    assert_eq!(ends(&[2.0, 1.0, 3.0, 1.0, 3.0]), (1, 2));
    let nan = f64::NAN;
    assert_eq!(ends(&[nan, 4.0, nan, 3.0, 5.0, nan]), (3, 4));
    assert_eq!((ends(&[nan, nan]), ends(&[nan])), ((0, 0), (0, 0)));
    assert_eq!(ends(&[nan, f64::INFINITY, f64::NEG_INFINITY]), (2, 1));
    assert_eq!((ends(&[nan, f64::INFINITY]), ends(&[-0.0, 0.0])), ((1, 1), (0, 0)));
    assert_eq!((integer_ends(&[i16::MAX; 3]), integer_ends(&[i16::MIN; 3])), ((0, 0), (0, 0)));
    assert_eq!(integer_ends(&[3, -2, 9, -2, 9]), (1, 2));
    for n in 1..50 {
        let a: Vec<f64> = (0..n).map(|i| if i % 3 == 0 { nan } else { ((i * 37) % 11) as f64 }).collect();
        assert_eq!(ends(&a), ends::reference(&a));
    }
}

/// Rows side by side, as a view.
trait Rows {
    fn concat_rows(&self) -> View<'_, f64, 2>;
}

impl<const N: usize> Rows for [[f64; 2]; N] {
    fn concat_rows(&self) -> View<'_, f64, 2> {
        View::new(self.as_flattened(), [N, 2])
    }
}

#[test]
fn nothing_has_no_smallest_element() {
    let caught = std::panic::catch_unwind(|| ends(&[])).unwrap_err();
    assert_eq!(*caught.downcast::<&str>().unwrap(), "an empty range has no smallest or largest element");
    assert!(std::panic::catch_unwind(|| ends::reference(&[])).is_err());
}

#[smooth]
fn conditions(a: &[i32; n], limit: i32) -> (bool, bool, usize) {
    (any(n, |i| a[i] > limit), all(n, |i| a[i] > limit), count(n, |i| a[i] > limit))
}

/// Ends before it divides by zero.
#[smooth]
fn early(a: &[i32; n]) -> (bool, bool) {
    (any(n, |i| 6 / a[i] == 2), all(n, |i| 6 / a[i] != 2))
}

#[test]
fn conditions_end_early() {
    assert_eq!(conditions(&[1, 2, 3], 1), (true, false, 2));
    assert_eq!(conditions(&[1, 2, 3], 3), (false, false, 0));
    assert_eq!(conditions(&[1, 2, 3], 0), (true, true, 3));
    assert_eq!(conditions(&[], 0), (false, true, 0));
    assert_eq!(conditions(&[1, 2, 3], 1), conditions::reference(&[1, 2, 3], 1));
    assert_eq!((early(&[6, 3, 0]), early::reference(&[6, 3, 0])), ((true, false), (true, false)));
    assert!(std::panic::catch_unwind(|| early(&[6, 0, 3])).is_err());
}

#[smooth]
fn moments(a: &[f64; n], w: &[f32; n]) -> (f64, f64, (f32, usize)) {
    let (s, (t, m, k)) = sum(n, |i| (a[i], (a[i] * a[i], w[i], 1)));
    (s, t, (m, k))
}

#[smooth]
fn boxed(p: &[[f64; 2]; n]) -> ((f64, f64), (f64, f64)) {
    let low = min(n, |i| (p[i][0], p[i][1]));
    (low, max(n, |i| (p[i][0], p[i][1])))
}

#[smooth]
fn counts(a: &[f64; n]) -> (usize, usize) {
    count(n, |i| (a[i] > 0.0, a[i].is_nan()))
}

/// Welford's combination of mean and sum of squares, and the number of elements.
#[smooth]
fn variance(a: &[f64; n]) -> f64 {
    let (_, _, m) = reduce(
        n,
        (0.0, 0.0, 0.0),
        |(n, mean, m), (k, mean_k, m_k): (f64, f64, f64)| {
            let all = n + k;
            let d = mean_k - mean;
            let weight = if all == 0.0 { 0.0 } else { k / all };
            (all, mean + d * weight, m + m_k + d * d * n * weight)
        },
        |i| (1.0, a[i], 0.0),
    );
    m / n as f64
}

#[test]
fn tuples_are_reduced_by_component() {
    let (a, w) = (values(50), (0..50).map(|i| i as f32 * 0.1).collect::<Vec<f32>>());
    let (s, t, (m, k)) = moments(&a, &w);
    let squares: Vec<f64> = a.iter().map(|x| x * x).collect();
    assert_eq!((s, t, k), (total(&a), total(&squares), 50));
    assert!((m - w.iter().sum::<f32>()).abs() < 1e-3);
    let reference = moments::reference(&a, &w);
    assert!((reference.0 - s).abs() < 1e-12 && reference.2.1 == 50);
    assert_eq!(boxed(&[[1.0, 5.0], [3.0, -2.0]]), ((1.0, -2.0), (3.0, 5.0)));
    assert_eq!(boxed::reference(&[[1.0, 5.0], [3.0, -2.0]].map(|p| p.to_vec())), ((1.0, -2.0), (3.0, 5.0)));
    assert_eq!(counts(&[1.0, f64::NAN, -1.0, 2.0]), (2, 1));
    let a = values(100);
    let mean = a.iter().sum::<f64>() / 100.0;
    let by_hand = a.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 100.0;
    assert!((variance(&a) - by_hand).abs() < 1e-12);
    assert!((variance::reference(&a) - by_hand).abs() < 1e-12);
}

#[smooth]
fn extremes<T: Real>(a: &[T; n]) -> (T, T, T) {
    (min(n, |i| a[i]), max(n, |i| a[i]), prod(n, |i| a[i]))
}

#[smooth]
fn bytes(a: &[u8; n]) -> (u8, u8, u8) {
    (min(n, |i| a[i]), max(n, |i| a[i]), reduce(n, 0, |x, y| x ^ y, |i| a[i]))
}

#[smooth]
fn factorial(n: usize) -> i32 {
    prod(n, |i| i as i32 + 1)
}

#[test]
fn all_numbers_can_be_reduced() {
    assert_eq!(extremes(&[1.5f32, -2.0, 4.0]), (-2.0, 4.0, -12.0));
    assert_eq!(extremes(&[1.5f64, -2.0, 4.0]), (-2.0, 4.0, -12.0));
    assert_eq!(extremes::<f32>(&[]), (f32::INFINITY, f32::NEG_INFINITY, 1.0));
    assert_eq!((bytes(&[7, 3, 9]), bytes(&[])), ((3, 9, 13), (255, 0, 0)));
    assert_eq!((factorial(5), factorial(0)), (120, 1));
    assert_eq!(std::panic::catch_unwind(|| factorial(13)).is_err(), cfg!(debug_assertions));
}

/// Reductions in elements of an array, over counts that depend on the element, with an array inside.
#[smooth]
fn nested(m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| {
        let row = build(k, |j| m[i][j] * 2.0);
        let top = max(k, |j| row[j]);
        let low = min(i + 1, |j| max(k, |l| m[j][l]));
        let mixed = reduce(k, 0.0, |a, b| a + b * sum(3, |_| 1.0), |j| ifold(2, row[j], |s, _| s * 0.5));
        top + low + mixed
    })
}

#[smooth]
fn few(a: &[f64; 3], b: &[i64; 3]) -> (f64, f64, i64, i64, f64) {
    let all = reduce(3, 0.0, |x, y| x + y, |i| a[i]);
    (min(3, |i| a[i]), prod(3, |i| a[i]), max(3, |i| b[i]), prod(3, |i| b[i]), all)
}

#[test]
fn reductions_nest_and_unroll() {
    let m: Vec<Vec<f64>> = (0..5).map(|i| (0..20).map(|j| ((i * 31 + j * 17) % 23) as f64 - 9.0).collect()).collect();
    let flat = m.concat();
    let out = nested(View::new(&flat, [5, 20]));
    for (i, x) in nested::reference(&m).into_iter().enumerate() {
        let own: f64 = m[i].iter().sum::<f64>();
        let scale = 3.0f64.powi(0) * own.abs().max(1.0);
        assert!(x.is_finite() && out[i].is_finite() && scale > 0.0);
    }
    assert_eq!(few(&[2.0, 0.5, 4.0], &[2, 3, 4]), (0.5, 4.0, 4, 24, 6.5));
    assert_eq!(few(&[f64::NAN, 0.5, 4.0], &[2, 3, 4]).0, 0.5);
    assert_eq!(few::reference(&[2.0, 0.5, 4.0], &[2, 3, 4]), (0.5, 4.0, 4, 24, 6.5));
}

/// Names of built-ins that are a user's own.
mod shadowed {
    use super::*;

    #[smooth]
    pub fn max(a: f64, b: f64) -> f64 {
        if a > b { a } else { b }
    }

    #[smooth]
    pub fn count(a: &[f64; n]) -> usize {
        n
    }

    #[smooth]
    pub fn uses(a: &[f64; n]) -> (f64, f64, usize) {
        let min = |x: f64, y: f64| x - y;
        let element = |i| a[i];
        (max(a[0], a[1]) + min(1.0, 2.0), self::largest(a), count(a) + argmax(n, element))
    }

    #[smooth]
    fn largest(a: &[f64; n]) -> f64 {
        super::largest(a)
    }
}

#[test]
fn users_keep_their_names() {
    assert_eq!(shadowed::uses(&[1.0, 5.0]), (4.0, 5.0, 3));
    assert_eq!(shadowed::uses::reference(&[1.0, 5.0]), (4.0, 5.0, 3));
}

/// Sums whose terms read elements adjacent to those of another sum, and sums that do not.
mod orders {
    use super::*;

    #[smooth]
    pub fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
        build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
    }

    /// By another name of the row, and by a function.
    #[smooth]
    pub fn transposed_times(b: &[[f64; m]; k], x: &[f64; k]) -> ([f64; m], [f64; m]) {
        let sums = build(m, |j| {
            sum(k, |l| {
                let row = &b[l];
                row[j] * x[l]
            })
        });
        (sums, build(m, |j| reduce(k, 0.0, |s, t| s + 2.0 * t, |l| b[l][j] * x[l])))
    }

    #[smooth]
    pub fn times(b: &[[f64; k]; m], x: &[f64; k]) -> [f64; m] {
        build(m, |j| sum(k, |l| b[j][l] * x[l]))
    }

    /// In loops over all columns: from the first one, from another one on, in steps, backwards and by reference.
    #[smooth]
    pub fn in_loops(b: &[[f64; m]; k], x: &[f64; k]) -> [[f64; m]; 4] {
        let mut out = [[0.0; m]; 4];
        for j in 0..m {
            out[0][j] = sum(k, |l| b[l][j] * x[l]);
        }
        for j in 1..m {
            let row = sum(k, |l| b[l][j] * x[l]);
            out[1][j] = row;
        }
        for j in (0..m).step_by(2).rev() {
            out[2][j] = sum(k, |l| b[l][j] * x[l]);
        }
        for (j, y) in out[3].iter_mut().enumerate() {
            *y = sum(k, |l| b[l][j] * x[l]);
        }
        out
    }

    /// The index of an `ifold` and a counter are no indices of loops.
    #[smooth]
    pub fn in_other_loops(b: &[[f64; m]; k], x: &[f64; k]) -> [[f64; m]; 2] {
        let mut out = [[0.0; m]; 2];
        let mut at = 0;
        while at < m {
            out[0][at] = sum(k, |l| b[l][at] * x[l]);
            at += 1;
        }
        out[1] = ifold(m, [0.0; m], |mut s, j| {
            s[j] = sum(k, |l| b[l][j] * x[l]);
            s
        });
        out
    }

    /// The sum is in the callee's text, without a `build` around it.
    #[smooth]
    fn column(b: &[[f64; m]; k], j: usize) -> f64 {
        sum(k, |l| b[l][j])
    }

    #[smooth]
    pub fn columns(b: &[[f64; m]; k]) -> [f64; m] {
        build(m, |j| column(b, j))
    }
}

#[test]
fn sums_across_rows_are_in_source_order() {
    let (k, m) = (40, 3);
    let b: Vec<f64> = values(k * m);
    let x = values(k);
    let view = View::new(&b, [k, m]);
    let column = |j: usize| -> Vec<f64> { (0..k).map(|l| b[l * m + j] * x[l]).collect() };
    let in_order = |a: &[f64]| a.iter().fold(-0.0, |s, x| s + x);
    let doubled = |a: &[f64]| a.iter().fold(0.0, |s, x| s + 2.0 * x);
    let expected: Vec<f64> = (0..m).map(|j| in_order(&column(j))).collect();
    assert_eq!(orders::product(View::new(&x, [1, k]), view).as_slice(), expected);
    let twice: Vec<f64> = (0..m).map(|j| doubled(&column(j))).collect();
    assert_eq!(orders::transposed_times(view, &x), (expected.clone(), twice));
    let rows: Vec<f64> = (0..m).flat_map(|j| (0..k).map(move |l| (j, l))).map(|(j, l)| b[l * m + j]).collect();
    let in_lanes: Vec<f64> = (0..m).map(|j| by_hand(-0.0, &column(j), |x, y| x + y)).collect();
    assert_eq!(orders::times(View::new(&rows, [m, k]), &x), in_lanes);
    assert_ne!(expected, in_lanes);
    let each = |keep: fn(usize) -> bool| (0..m).map(move |j| keep(j) as usize as f64);
    let kept = |keep: fn(usize) -> bool| each(keep).zip(&expected).map(|(k, x)| k * x).collect::<Vec<_>>();
    let loops = [kept(|_| true), kept(|j| j > 0), kept(|j| j % 2 == 0), kept(|_| true)].concat();
    assert_eq!(orders::in_loops(view, &x).as_slice(), loops);
    assert_eq!(orders::in_other_loops(view, &x).as_slice(), [&in_lanes[..], &in_lanes].concat());
    let of_ones = |j: usize| by_hand(-0.0, &(0..k).map(|l| b[l * m + j]).collect::<Vec<_>>(), |x, y| x + y);
    assert_eq!(orders::columns(view), (0..m).map(of_ones).collect::<Vec<_>>());
}
