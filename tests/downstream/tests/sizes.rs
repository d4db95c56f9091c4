//! Sizes of every kind: valid, empty and mismatched.

use maths::prelude::*;
use smooth_test_downstream::sizes::*;

/// All its callees are kernels of another crate.
#[smooth(crate = maths)]
fn totals_of_first(a: &[f64; n]) -> [f64; 2] {
    let r = [first(a), first(&a[1..n])];
    row_totals(r)
}

const WIDTH: usize = 2;

/// This `WIDTH` is not the constant of the other crate.
#[smooth(crate = maths)]
fn rows_of_two(m: &[[f64; WIDTH]; n]) -> [f64; n] {
    let wide = build(n, |i| build(WIDTH + 1, |j| if j < WIDTH { m[i][j] } else { 100.0 }));
    row_totals(wide)
}

#[test]
fn private_constants_as_sizes() {
    assert_eq!(row_totals(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), [6.0, 15.0]);
    assert_eq!(first(&[1.0, 2.0]), [1.0, 2.0, 1.0]);
    let out: [f64; 3] = first(&[1.0]);
    assert_eq!(out, [1.0; 3]);
    assert_eq!(totals_of_first(&[1.0, 2.0, 3.0, 4.0]), [6.0, 9.0]);
    assert_eq!(totals_of_first::reference(&[1.0, 2.0, 3.0, 4.0]), [6.0, 9.0]);
    assert_eq!(rows_of_two(&[[1.0, 2.0]]), [103.0]);
    assert_eq!(rows_of_two::reference(&[vec![1.0, 2.0]]), [103.0]);
    assert_eq!(row_totals::shape([5, 3]), [5]);
    let error = row_totals::try_shape([5, 4]).unwrap_err();
    assert!(
        matches!(error, ShapeError::Mismatch { argument: "rows", axis: 1, found: 4, expected: 3, .. }),
        "{:?}",
        error
    );
}

#[test]
fn sizes_of_every_kind_in_one_type() {
    let t = Array::from_fn([2, 3, 4], |[i, j, k]| (100 * i + 10 * j + k) as f32);
    let r = scaled(&t, 2.0);
    assert_eq!(r.shape(), [2, 3, 4]);
    assert_eq!(r[[1, 2, 3]], 246.0);
    let t = Array::from_fn([2, 4, 4], |_| 0.0f32);
    let text = scaled::try_call(&t, 2.0).unwrap_err().to_string();
    assert_eq!(text, "scaled: argument t has length 4 along axis 1, but must have length 3");
}

#[test]
fn arrays_of_rank_6() {
    let t =
        Array::from_fn([1, 2, 3, 2, 4, 5], |[a, b, c, d, e, f]| (a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f) as i64);
    let r = six(&t);
    assert_eq!(r.shape(), [5, 4, 2, 3, 2, 1]);
    assert_eq!(r[[4, 3, 1, 2, 1, 0]], t[[0, 1, 2, 1, 3, 4]] + 1);
    assert_eq!(six::shape([1, 2, 3, 2, 4, 5]), [5, 4, 2, 3, 2, 1]);
}

#[test]
fn all_sizes_static() {
    const BYTES: usize = static_sizes::scratch();
    const SHAPE: [usize; 2] = static_sizes::shape();
    assert_eq!((BYTES, SHAPE), (8000 + 63, [400, 20]));
    let mut m = [[0u8; 400]; 20];
    m[3][5] = 40;
    let r: [[u8; 20]; 400] = static_sizes(&m);
    assert_eq!((r[5][3], r[394][16], r[394][3], r.iter().flatten().filter(|x| **x > 0).count()), (20, 20, 0, 2));
    let mut out = [[0u8; 20]; 400];
    let mut memory = [std::mem::MaybeUninit::uninit(); BYTES];
    static_sizes::into(&mut out, &m, &mut Arena::on(&mut memory));
    assert_eq!(out, r);
}

#[test]
fn expressions_in_results() {
    assert_eq!(convolution(&[1.0, 2.0], &[1.0, 10.0, 100.0]), [1.0, 12.0, 120.0, 200.0]);
    assert_eq!(convolution(&[], &[1.0]), [0.0; 0]);
    let error = convolution::try_call(&[], &[]).unwrap_err();
    assert!(matches!(error, ShapeError::Negative { kernel: "convolution", .. }), "{:?}", error);
    assert_eq!(error.to_string(), "convolution: the size n + m - 1 is negative (-1)");
    assert_eq!(longer(&[1, 2, 3], &[10]), [12, 13]);
    assert_eq!(longer::try_call(&[1], &[1, 2]).unwrap_err().to_string(), "longer: the size n - m is negative (-1)");
}

#[test]
fn sizes_by_parameter_and_anonymous_sizes() {
    let r = by_parameter(2, &[10, 20]);
    assert_eq!(r.shape(), [4, 2]);
    assert_eq!(r.as_slice(), [10, 20, 11, 21, 12, 22, 13, 23]);
    let error = by_parameter::try_call(3, &[10, 20]).unwrap_err();
    assert!(matches!(error, ShapeError::Mismatch { argument: "a", found: 2, expected: 3, .. }), "{:?}", error);
    assert_eq!(anonymous(&[1.0, 2.0], &[[1.0, 2.0, 3.0]; 2]), (2, 2, 15.0));
    assert_eq!(anonymous(&[], &Array::from_fn([0, 7], |_| 0.0)), (0, 0, 0.0));
}

#[test]
fn slices_are_checked_before_anything_is_computed() {
    assert_eq!(between(&[1, 2, 3, 4], 1, 3), [3, 4]);
    assert_eq!(between(&[1, 2, 3, 4], 4, 4), [0u16; 0]);
    let mut out = [7u16; 2];
    for &(start, end) in &[(3, 5), (3, 1), (usize::MAX, 0)] {
        let error = between::try_into(&mut out, &[1, 2, 3, 4], start, end, &mut Arena::new()).unwrap_err();
        assert!(matches!(error, ShapeError::Slice { .. } | ShapeError::Negative { .. }), "{:?}", error);
        assert!(between::try_shape([4], start, end).is_err());
    }
    assert_eq!(out, [7, 7]);
}

#[test]
fn overflow_is_noticed() {
    let error = zeros::try_call(usize::MAX, 2).unwrap_err();
    assert!(matches!(error, ShapeError::Overflow { kernel: "zeros", .. }), "{:?}", error);
    assert!(zeros::try_shape(1 << 40, 1 << 40).is_err());
    assert_eq!(zeros(0, 5).shape(), [0, 5]);
    assert_eq!(zeros(5, 0).shape(), [5, 0]);
    let error = by_parameter::try_shape(usize::MAX, [usize::MAX]).unwrap_err();
    assert!(matches!(error, ShapeError::Overflow { .. }), "{:?}", error);
}

#[test]
fn empty_arrays() {
    let empty: [f64; 0] = [];
    assert_eq!(row_totals(&[]), empty);
    assert_eq!(longer(&[1, 2], &[1, 2]), [0i32; 0]);
    assert_eq!(scaled(&Array::from_fn([0, 3, 4], |_| 0.0), 1.0).shape(), [0, 3, 4]);
    assert_eq!(scaled(&Array::from_fn([2, 3, 0], |_| 0.0), 1.0).shape(), [2, 3, 0]);
    assert_eq!(six(&Array::from_fn([1, 2, 0, 2, 4, 5], |_| 0)).shape(), [5, 4, 2, 0, 2, 1]);
    assert_eq!(by_parameter(0, &[]).shape(), [0, 0]);
}

/// Rows may be empty, and their number may exceed the number of bytes of memory.
#[test]
fn more_empty_rows_than_memory() {
    #[smooth(crate = maths)]
    fn totals(m: &[[f64; k]; n]) -> [f64; n] {
        build(n, |i| sum(k, |j| m[i][j]))
    }
    let error = totals::try_call(View::new(&[], [usize::MAX, 0])).unwrap_err();
    assert!(matches!(error, ShapeError::Overflow { .. }), "{:?}", error);
    assert_eq!(totals(View::new(&[], [2, 0])), [0.0, 0.0]);
}

const MORE: usize = 4;

/// If the declared size of the result is a constant and differs from that of the body, this is an error at entry.
#[test]
fn constants_are_compared() {
    #[smooth(crate = maths)]
    fn four(a: &[f64]) -> [f64; MORE] {
        build(a.len(), |i| a[i] + 1.0)
    }
    #[smooth(crate = maths)]
    fn generic<const N: usize>(a: &[f64]) -> [f64; N] {
        let b = four(a);
        build(a.len(), |i| b[i])
    }
    assert_eq!(four(&[1.0; 4]), [2.0; 4]);
    let mut out = [7.0; 4];
    for a in &[&[1.0; 5][..], &[1.0; 3], &[]] {
        let error = four::try_into(&mut out, a, &mut Arena::new()).unwrap_err();
        assert!(matches!(error, ShapeError::Unequal { right: "MORE", right_value: 4, .. }), "{:?}", error);
    }
    assert_eq!(generic(&[1.0; 4]), [2.0; 4]);
    assert!(generic::try_call::<3>(&[1.0; 4]).is_err());
    assert!(generic::try_call::<5>(&[1.0; 4]).is_err());
    assert_eq!(out, [7.0; 4]);
}

/// Sizes that are expressions of const generics.
#[test]
fn sizes_of_const_generics() {
    #[smooth(crate = maths)]
    fn with_one_more<const N: usize>(a: &[f64; n]) -> [[f64; N + 1]; n] {
        build([n, N + 1], |i, j| if j < N { a[i] } else { 0.5 })
    }
    #[smooth(crate = maths)]
    fn without<const N: usize, const M: usize>(a: &[f64; N]) -> [f64; N - M] {
        build(N - M, |i| a[i + M])
    }
    #[smooth(crate = maths)]
    fn part<const S: usize, const L: usize>(a: &[f64; n]) -> [f64; L] {
        let s = &a[S..S + L];
        build(L, |i| s[i])
    }
    const MAX: usize = usize::MAX;
    assert_eq!(with_one_more::<2>(&[1.0]), [[1.0, 1.0, 0.5]]);
    assert!(matches!(with_one_more::try_call::<MAX>(&[1.0]), Err(ShapeError::Overflow { size: "N + 1", .. })));
    assert_eq!(without::<3, 2>(&[1.0, 2.0, 3.0]), [3.0]);
    assert!(matches!(without::try_call::<2, 3>(&[1.0, 2.0]), Err(ShapeError::Negative { value: -1, .. })));
    assert_eq!(part::<1, 2>(&[1.0, 2.0, 3.0]), [2.0, 3.0]);
    assert!(matches!(part::try_call::<2, 2>(&[1.0, 2.0, 3.0]), Err(ShapeError::Slice { end: 4, len: 3, .. })));
    assert!(part::try_call::<MAX, 2>(&[1.0, 2.0, 3.0]).is_err());
}

/// Arithmetic on constants is a static size, as in Rust; arithmetic on const generics is not, since Rust's types do not
/// have it.
#[test]
fn arithmetic_on_constants() {
    const WIDTH: usize = 3;
    #[smooth(crate = maths)]
    fn padded(a: &[u8; WIDTH], n: usize) -> ([u8; (WIDTH - 1) * 2], [[u8; WIDTH + 1]; n], [u8; 1 + 1]) {
        ([a[0]; 4], [[a[1]; 4]; n], [a[2]; 2])
    }
    #[smooth(crate = maths)]
    fn longer<const N: usize>(a: &[u8; N]) -> [u8; N + WIDTH] {
        build(N + WIDTH, |i| if i < N { a[i] } else { 0 })
    }
    let (edge, rows, pair): ([u8; 4], Vec<[u8; 4]>, [u8; 2]) = padded(&[1, 2, 3], 2);
    assert_eq!((edge, rows, pair), ([1; 4], vec![[2; 4]; 2], [3; 2]));
    let long: Vec<u8> = longer(&[1]);
    assert_eq!(long, [1, 0, 0, 0]);
    const SHAPE: ([usize; 1], [usize; 2], [usize; 1]) = padded::shape([3], 2);
    assert_eq!(SHAPE, ([4], [2, 4], [2]));
}

/// Messages print sizes and slices as they are written.
#[test]
fn messages_print_sizes_as_written() {
    #[smooth(crate = maths)]
    fn pieces(a: &[f64; n], k: usize) -> [f64; 2 * (n / k)] {
        let tail = &a[k..];
        build(2 * (n / k), |i| tail[i % tail.len()])
    }
    let text = |n, k| pieces::try_shape([n], k).unwrap_err().to_string();
    assert_eq!(text(3, 4), "pieces: slice a[k..n] is out of range: 4..3 of length 3");
    assert_eq!(text(3, 0), "pieces: the size 2 * (n / k) is too large, or a division by zero");
    assert_eq!(pieces::shape([5], 2), [4]);
}
