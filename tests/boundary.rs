//! The boundary of a kernel: the types of its functions, and what they say when a call does not fit.
#![deny(warnings)]
#![allow(clippy::float_cmp, reason = "small whole numbers")]
#![allow(clippy::type_complexity, clippy::needless_borrows_for_generic_args, clippy::useless_vec)] // the types are what is tested

use smooth::prelude::*;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a panic said, and where: file and line.
#[derive(Debug, PartialEq)]
struct Report {
    text: String,
    file: String,
    line: u32,
}

thread_local!(static REPORT: RefCell<Option<Report>> = const { RefCell::new(None) });

/// The report of the panic that `run` must end in.
fn panic_of<R>(run: impl FnOnce() -> R) -> Report {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let at = info.location().expect("always there");
            let text = info.payload_as_str().unwrap_or("no text").to_string();
            REPORT.set(Some(Report { text, file: at.file().into(), line: at.line() }));
            before(info);
        }));
    });
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "a panic was expected");
    REPORT.take().expect("the hook has run")
}

/// The panic has `$text` and is reported at this line.
macro_rules! panics_here {
    ($e:expr, $text:expr) => {
        assert_eq!(panic_of(|| $e), Report { text: $text.into(), file: file!().into(), line: line!() })
    };
}

mod types {
    use super::*;

    #[smooth]
    fn numbers(x: f64, k: usize, yes: bool) -> (f64, usize, bool) {
        (if yes { x } else { 0.0 }, k + 1, !yes)
    }

    #[smooth]
    fn size_of(_a: &[f64; n]) -> usize {
        n
    }

    #[smooth]
    fn all_positive(a: &[f64; n]) -> bool {
        sum(n, |i| if a[i] > 0.0 { 0.0 } else { 1.0 }) == 0.0
    }

    #[test]
    fn scalars_by_value() {
        let _: fn(f64, usize, bool) -> (f64, usize, bool) = numbers;
        let _: fn(f64, usize, bool, &mut Arena<'_>) -> (f64, usize, bool) = numbers::into;
        let _: fn(f64, usize, bool, &mut Arena<'_>) -> Result<(f64, usize, bool), ShapeError> = numbers::try_into;
        let _: fn(&[f64]) -> usize = size_of;
        let _: fn(&[f64]) -> bool = all_positive;
        assert_eq!(numbers(2.0, 3, true), (2.0, 4, false));
        assert_eq!(numbers::into(2.0, 3, false, &mut Arena::new()), (0.0, 4, true));
        assert_eq!((size_of(&[1.0, 2.0]), all_positive(&[1.0, 2.0]), all_positive(&[])), (2, true, true));
    }

    #[smooth]
    fn vector(a: &[f64; n]) -> [f64; n] {
        build(n, |i| a[i] + 1.0)
    }

    #[smooth]
    fn anonymous(a: &[f64]) -> [f64] {
        build(a.len(), |i| a[i] + 1.0)
    }

    #[test]
    fn vectors() {
        let _: fn(&[f64]) -> Vec<f64> = vector;
        let _: fn(&mut [f64], &[f64], &mut Arena<'_>) = vector::into;
        let _: fn(&mut [f64], &[f64], &mut Arena<'_>) -> Result<(), ShapeError> = vector::try_into;
        let _: fn(&[f64]) -> Vec<f64> = anonymous;
        let _: fn(&[f64]) -> Vec<f64> = vector::reference;
        assert_eq!((vector(&[1.0, 2.0]), anonymous(&vec![1.0, 2.0])), (vec![2.0, 3.0], vec![2.0, 3.0]));
        assert_eq!((vector(&[]), anonymous(&[])), (vec![], vec![]));
        // A part of a vector, in and out.
        let (all, mut out) = ([1.0, 2.0, 3.0, 4.0], [0.0; 4]);
        vector::into(&mut out[1..3], &all[..2], &mut Arena::new());
        assert_eq!(out, [0.0, 2.0, 3.0, 0.0]);
    }

    #[smooth]
    fn fixed(a: &[f64; 3], m: &[[f64; 3]; 2], t: &[[[f64; 2]; 3]; 2]) -> [[f64; 3]; 2] {
        build([2, 3], |i, j| a[j] + m[i][j] + t[i][j][1])
    }

    #[smooth]
    fn one(x: f64) -> [f64; 1] {
        [x]
    }

    #[smooth]
    fn none(x: f64) -> [f64; 0] {
        build(0, |_| x)
    }

    #[smooth]
    fn cube(x: f64) -> [[[f64; 2]; 1]; 2] {
        build([2, 1, 2], |i, j, k| x + (i * 4 + j * 2 + k) as f64)
    }

    #[test]
    fn static_arrays() {
        let _: fn(&[f64; 3], &[[f64; 3]; 2], &[[[f64; 2]; 3]; 2]) -> [[f64; 3]; 2] = fixed;
        type Into = fn(&mut [[f64; 3]; 2], &[f64; 3], &[[f64; 3]; 2], &[[[f64; 2]; 3]; 2], &mut Arena<'_>);
        let _: Into = fixed::into;
        let (a, m) = ([1.0, 2.0, 3.0], [[10.0; 3], [20.0; 3]]);
        let t = [[[0.0, 100.0]; 3], [[0.0, 200.0]; 3]];
        let expected = [[111.0, 112.0, 113.0], [221.0, 222.0, 223.0]];
        assert_eq!(fixed(&a, &m, &t), expected);
        let mut out = [[0.0; 3]; 2];
        fixed::into(&mut out, &a, &m, &t, &mut Arena::new());
        assert_eq!(out, expected);
        const SHAPE: [usize; 2] = fixed::shape();
        assert_eq!((SHAPE, fixed::try_shape()), ([2, 3], Ok([2, 3])));
        assert_eq!((one(2.0), none(2.0), cube(1.0)), ([2.0], [], [[[1.0, 2.0]], [[5.0, 6.0]]]));
        assert_eq!((one::shape(), none::shape(), cube::shape()), ([1], [0], [2, 1, 2]));
    }

    #[smooth]
    fn points(p: &[[f64; 3]; n], q: &[[f64; 3]]) -> [[f64; 3]; n] {
        build([n, 3], |i, j| p[i][j] + q[0][2 - j])
    }

    #[smooth]
    fn boxes(p: &[[[f64; 3]; 2]; n]) -> [[[f64; 3]; 2]; n] {
        build([n, 2, 3], |i, j, k| p[n - 1 - i][1 - j][2 - k])
    }

    #[test]
    fn slices_of_static_arrays() {
        let _: fn(&[[f64; 3]], &[[f64; 3]]) -> Vec<[f64; 3]> = points;
        let _: fn(&mut [[f64; 3]], &[[f64; 3]], &[[f64; 3]], &mut Arena<'_>) = points::into;
        let _: fn(&[[[f64; 3]; 2]]) -> Vec<[[f64; 3]; 2]> = boxes;
        let p: Vec<[f64; 3]> = vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let expected = [[4.0, 4.0, 4.0], [7.0, 7.0, 7.0]];
        assert_eq!(points(&p, &p), expected);
        let mut out = [[0.0; 3]; 2];
        points::into(&mut out, &p, &p[..1], &mut Arena::new());
        assert_eq!(out, expected);
        assert_eq!(points::shape([2, 3], [1, 3]), [2, 3]);
        let b = [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0; 3], [8.0; 3]]];
        assert_eq!(boxes(&b), [[[8.0; 3], [7.0; 3]], [[6.0, 5.0, 4.0], [3.0, 2.0, 1.0]]]);
        assert!(points(&[], &[]).is_empty());
        let e = points::try_shape([2, 4], [1, 3]).unwrap_err();
        assert_eq!(e.to_string(), "points: argument p has length 4 along axis 1, but must have length 3");
    }

    #[smooth]
    fn transposed(m: &[[f64; k]; n]) -> [[f64; n]; k] {
        build([k, n], |i, j| m[j][i])
    }

    #[smooth]
    fn rank3(t: &[[[f64; k]; m]; n]) -> [[[f64; n]; m]; k] {
        build([k, m, n], |i, j, l| t[l][j][i])
    }

    #[smooth]
    fn inner_static(t: &[[[f64; 2]; m]; n]) -> [[[f64; 2]; n]; m] {
        build([m, n, 2], |i, j, l| t[j][i][l])
    }

    #[smooth]
    fn outer_static(t: &[[f64; k]; 2]) -> [[f64; k]; 2] {
        build([2, k], |i, j| t[1 - i][j])
    }

    #[smooth]
    fn anonymous_rows(m: &[[f64]]) -> f64 {
        sum(m.len(), |i| sum(m[i].len(), |j| m[i][j]))
    }

    #[test]
    fn views_for_inner_symbolic_sizes() {
        let expected = [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]];
        let flat = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let nested = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let owned: Array<f64, 2> = transposed(&nested);
        assert_eq!((owned.shape(), owned.as_slice()), ([3, 2], expected.as_flattened()));
        assert_eq!(owned, transposed(View::new(&flat, [2, 3])));
        assert_eq!(owned, transposed(&View::new(&flat, [2, 3])));
        assert_eq!(owned, transposed(&Array::from_vec(flat.to_vec(), [2, 3])));
        assert_eq!(owned, transposed(&nested.to_vec()));
        assert_eq!(owned, transposed(&nested[..]));
        assert_eq!(transposed(&transposed(&owned)), owned);
        // Destinations.
        let arena = &mut Arena::new();
        let mut array = Array::from_elem([3, 2], 0.0);
        transposed::into(&mut array, &nested, arena);
        assert_eq!(array, owned);
        let mut std = [[0.0; 2]; 3];
        transposed::into(&mut std, &nested, arena);
        assert_eq!(std, expected);
        let mut rows = vec![[0.0; 2]; 3];
        transposed::into(&mut rows, &nested, arena);
        transposed::into(&mut rows[..], &nested, arena);
        assert_eq!(rows, expected);
        let mut buffer = [0.0; 6];
        transposed::into(ViewMut::new(&mut buffer, [3, 2]), &nested, arena);
        let mut view = ViewMut::new(&mut buffer, [3, 2]);
        transposed::try_into(&mut view, &nested, arena).unwrap();
        assert_eq!(buffer, expected.as_flattened());
        assert_eq!(anonymous_rows(&nested), 21.0);
        assert_eq!(anonymous_rows::shape([2, 3]), []);
    }

    #[test]
    fn higher_ranks() {
        let t = Array::from_fn([2, 3, 4], |[i, j, k]| (i * 100 + j * 10 + k) as f64);
        let r: Array<f64, 3> = rank3(&t);
        assert_eq!((r.shape(), r[[3, 2, 1]], rank3::shape([2, 3, 4])), ([4, 3, 2], 123.0, [4, 3, 2]));
        let s: Array<f64, 3> = inner_static(&[[[1.0, 2.0]; 3], [[3.0, 4.0]; 3]]);
        assert_eq!((s.shape(), s[[2, 1, 0]]), ([3, 2, 2], 3.0));
        let e = inner_static::try_shape([2, 3, 5]).unwrap_err();
        assert_eq!(e.to_string(), "inner_static: argument t has length 5 along axis 2, but must have length 2");
        let o: Array<f64, 2> = outer_static(&[[1.0, 2.0], [3.0, 4.0]]);
        assert_eq!(o.as_slice(), [3.0, 4.0, 1.0, 2.0]);
        let three = [[1.0], [2.0], [3.0]];
        let text = "outer_static: argument t has length 3 along axis 0, but must have length 2";
        panics_here!(outer_static(&three), text);
        for shape in [[0, 0, 0], [0, 2, 3], [2, 0, 3], [2, 3, 0], [1, 1, 1]] {
            let t = Array::from_elem(shape, 1.0);
            assert_eq!(rank3(&t).shape(), [shape[2], shape[1], shape[0]]);
        }
    }

    #[smooth]
    fn results(a: &[f64; n], m: &[[f64; k]; n]) -> ([f64; n], f64, [[f64; n]; k], usize, [f64; 2]) {
        (build(n, |i| a[i] + 1.0), sum(n, |i| a[i]), build([k, n], |i, j| m[j][i]), k, [a[0], a[n - 1]])
    }

    #[smooth]
    fn array_and_one(a: &[f64; n]) -> (f64, [f64; n]) {
        (sum(n, |i| a[i]), build(n, |i| 2.0 * a[i]))
    }

    #[smooth]
    fn two_arrays(a: &[f64; n]) -> ([f64; n], [[f64; 2]; n]) {
        (build(n, |i| 2.0 * a[i]), build([n, 2], |i, j| a[i] + j as f64))
    }

    #[test]
    fn a_destination_per_array_and_scalars_returned() {
        let (a, m) = ([1.0, 2.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        let (x, s, t, k, ends): (Vec<f64>, f64, Array<f64, 2>, usize, [f64; 2]) = results(&a, &m);
        assert_eq!((&x[..], s, t.shape(), k, ends), (&[2.0, 3.0][..], 3.0, [3, 2], 3, [1.0, 2.0]));
        let (mut x2, mut t2, mut ends2) = ([0.0; 2], [[0.0; 2]; 3], [0.0; 2]);
        let arena = &mut Arena::new();
        let scalars: (f64, usize) = results::into(&mut x2, &mut t2, &mut ends2, &a, &m, arena);
        assert_eq!((scalars, &x2[..], t2.as_flattened(), ends2), ((3.0, 3), &x[..], t.as_slice(), ends));
        let scalars = results::try_into(&mut x2, &mut t2, &mut ends2, &a, &m, arena);
        assert_eq!(scalars, Ok((3.0, 3)));
        assert_eq!(results::shape([2], [2, 3]), ([2], [], [3, 2], [], [2]));

        let _: fn(&mut [f64], &[f64], &mut Arena<'_>) -> f64 = array_and_one::into;
        let _: fn(&[f64]) -> (f64, Vec<f64>) = array_and_one;
        let _: fn(&mut [f64], &mut [[f64; 2]], &[f64], &mut Arena<'_>) = two_arrays::into;
        let _: fn(&[f64]) -> (Vec<f64>, Vec<[f64; 2]>) = two_arrays;
        assert_eq!(two_arrays(&a), (vec![2.0, 4.0], vec![[1.0, 2.0], [2.0, 3.0]]));
        assert_eq!(array_and_one(&a), (3.0, vec![2.0, 4.0]));
    }

    #[smooth]
    fn mixed(x: f64, a: &[f64; n], k: usize, g: impl Fn(f64, f64) -> f64, yes: bool, m: &[[f64; n]; 2]) -> [f64; k] {
        build(k, |i| if yes { g(x, a[i % n]) + m[1][i % n] } else { x })
    }

    #[test]
    fn shape_and_scratch_take_extents_and_sizes_only() {
        let _: fn([usize; 1], usize, [usize; 2]) -> [usize; 1] = mixed::shape;
        let _: fn([usize; 1], usize, [usize; 2]) -> usize = mixed::scratch;
        let _: fn([usize; 1], usize, [usize; 2]) -> Result<[usize; 1], ShapeError> = mixed::try_shape;
        let _: fn([usize; 1], usize, [usize; 2]) -> Result<usize, ShapeError> = mixed::try_scratch;
        const SHAPE: [usize; 1] = mixed::shape([3], 5, [2, 3]);
        assert_eq!(SHAPE, [5]);
        let (a, m) = ([1.0, 2.0, 3.0], [[0.0; 3], [10.0, 20.0, 30.0]]);
        let offset = 0.5;
        let g = |x: f64, y: f64| x * y + offset;
        let expected = [12.5, 24.5, 36.5, 12.5, 24.5];
        assert_eq!(mixed(2.0, &a, 5, g, true, &m), expected);
        let mut out = [0.0; 5];
        mixed::into(&mut out, 2.0, &a, 5, g, true, &m, &mut Arena::new());
        assert_eq!(out, expected);
    }
}

mod entry {
    use super::*;
    use smooth_test_kernels::linalg::vector_add;

    #[smooth]
    fn add(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
        vector_add(a, b)
    }

    #[smooth]
    fn matvec(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
        build(n, |i| sum(k, |j| m[i][j] * x[j]))
    }

    #[smooth]
    fn vec_mat(x: &[f64; k], m: &[[f64; k]; n]) -> [f64; n] {
        build(n, |i| sum(k, |j| m[i][j] * x[j]))
    }

    #[smooth]
    fn square(m: &[[f64; n]; n]) -> f64 {
        sum(n, |i| m[i][i])
    }

    #[smooth]
    fn sized(n: usize, a: &[f64; n]) -> f64 {
        sum(n, |i| a[i])
    }

    #[smooth]
    fn sized_after(a: &[f64; n], n: usize) -> f64 {
        sum(n, |i| a[i])
    }

    const SHORT: &str = "add: argument b has length 4, but n = 3 (from argument a)";

    #[test]
    fn texts() {
        let text = |e: Result<[usize; 1], ShapeError>| e.unwrap_err().to_string();
        assert_eq!(
            vector_add::try_shape([3], [4]).unwrap_err().to_string(),
            "vector_add: argument v2 has length 4, but n = 3 (from argument v1)"
        );
        assert_eq!(text(add::try_shape([3], [4])), SHORT);
        assert_eq!(
            text(matvec::try_shape([3, 2], [5])),
            "matvec: argument x has length 5, but k = 2 (from argument m)"
        );
        assert_eq!(
            text(vec_mat::try_shape([5], [3, 2])),
            "vec_mat: argument m has length 2 along axis 1, but k = 5 (from argument x)"
        );
        assert_eq!(
            square::try_shape([3, 2]).unwrap_err().to_string(),
            "square: argument m has length 2 along axis 1, but n = 3 (from argument m)"
        );
        let sized = [sized::try_shape(3, [4]), sized_after::try_shape([4], 3)].map(|e| e.unwrap_err().to_string());
        assert_eq!(sized[0], "sized: argument a has length 4, but n = 3 (from argument n)");
        assert_eq!(sized[1], "sized_after: argument a has length 4, but n = 3 (from argument n)");
    }

    #[test]
    fn every_function_refuses_alike() {
        let (a, b) = (&[1.0; 3], &[1.0; 4]);
        let arena = &mut Arena::new();
        let mut out = [7.0; 3];
        let e = add::try_into(&mut out, a, b, arena).unwrap_err();
        assert_eq!((e.to_string(), e.kernel(), out), (SHORT.into(), "add", [7.0; 3]));
        assert_eq!((add::try_shape([3], [4]), add::try_scratch([3], [4])), (Err(e), Err(e)));
        let as_std: Box<dyn std::error::Error> = e.into();
        assert_eq!(as_std.to_string(), SHORT);
        assert_eq!(arena.capacity(), 0);
    }

    #[test]
    fn panics_are_at_the_callers_line() {
        let (a, b) = (&[1.0; 3], &[1.0; 4]);
        let mut out = [7.0; 3];
        panics_here!(add(a, b), SHORT);
        panics_here!(add::into(&mut out, a, b, &mut Arena::new()), SHORT);
        panics_here!(add::shape([3], [4]), SHORT);
        panics_here!(add::scratch([3], [4]), SHORT);
        panics_here!(sized(3, b), "sized: argument a has length 4, but n = 3 (from argument n)");
        let text = "sized: argument a has length 4, but n = 3 (from argument n)";
        panics_here!(sized::into(3, b, &mut Arena::new()), text);
        assert_eq!(out, [7.0; 3]);
        let m = Array::from_elem([3, 2], 0.0);
        panics_here!(matvec(&m, a), "matvec: argument x has length 3, but k = 2 (from argument m)");
        panics_here!(square(&m), "square: argument m has length 2 along axis 1, but n = 3 (from argument m)");
    }

    #[smooth]
    fn shifted(a: &[f64; n]) -> [f64; n + 2] {
        build(n + 2, |i| a[i % n])
    }

    #[smooth]
    fn table(n: usize) -> [[f64; n]; n] {
        build([n, n], |i, j| (i * n + j) as f64)
    }

    #[smooth]
    fn two(a: &[f64; n]) -> ([f64; n], [f64; n]) {
        (a.clone(), build(n, |i| -a[i]))
    }

    #[test]
    fn destinations() {
        let a = &[1.0; 3];
        let arena = &mut Arena::new();
        let (mut short, mut five) = ([9.0; 3], [9.0; 5]);
        let text = "shifted: destination out has length 3, but the result has length 5";
        assert_eq!(shifted::try_into(&mut short, a, arena).unwrap_err().to_string(), text);
        panics_here!(shifted::into(&mut short, a, arena), text);
        shifted::into(&mut five, a, arena);
        assert_eq!((short, five), ([9.0; 3], [1.0; 5]));
        let text = "table: destination out has length 3 along axis 1, but the result has length 2";
        panics_here!(table::into(&mut [[9.0; 3]; 2], 2, arena), text);
        let text = "table: destination out has length 4 along axis 0, but the result has length 2";
        panics_here!(table::into(ViewMut::new(&mut [9.0; 8], [4, 2]), 2, arena), text);
        let text = "two: destination out1 has length 2, but the result has length 3";
        panics_here!(two::into(&mut short, &mut [0.0; 2], a, arena), text);
        assert_eq!(short, [9.0; 3]);
    }

    #[test]
    fn a_fixed_arena_that_is_too_small() {
        #[smooth]
        fn reversed_twice(a: &[f64; n]) -> [f64; n] {
            let e = build(n, |i| a[i].exp());
            build(n, |i| e[n - 1 - i] + e[(i * 2) % n])
        }
        let (a, mut out) = ([0.0; 3], [7.0; 3]);
        let needed = reversed_twice::scratch([3]);
        let text = format!("reversed_twice: needs {needed} bytes of scratch, but the arena has only 0");
        panics_here!(reversed_twice::into(&mut out, &a, &mut Arena::on(&mut [])), text);
        assert_eq!(out, [7.0; 3]);
    }
}

mod sizes {
    use super::*;

    #[smooth]
    fn ramp(n: usize) -> [f64; n] {
        build(n, |i| i as f64)
    }

    #[smooth]
    fn convolved(a: &[f64; n], b: &[f64; m]) -> [f64; n + m - 1] {
        build(n + m - 1, |k| sum(n, |i| if k >= i && k - i < m { a[i] * b[k - i] } else { 0.0 }))
    }

    #[smooth]
    fn difference(a: &[f64; n], b: &[f64; m], f: impl Fn(f64) -> f64) -> [f64; n - m] {
        let all = build(n, |i| f(a[i]));
        build(n - m, |i| all[i] + all[n - 1 - i] + b[0])
    }

    #[smooth]
    fn middle(a: &[f64; n], s: usize, e: usize, f: impl Fn(f64) -> f64) -> [f64; e - s] {
        let all = build(n, |i| f(a[i]));
        let part = &a[s..e];
        build(e - s, |i| part[i] + all[n - 1 - i])
    }

    #[smooth]
    fn tail(a: &[f64; n], s: usize) -> [f64; n - s] {
        let t = &a[s..n];
        build(t.len(), |i| t[i])
    }

    #[smooth]
    fn product(n: usize, m: usize) -> [[f64; m]; n] {
        build([n, m], |i, j| (i + j) as f64)
    }

    #[smooth]
    fn square_vector(n: usize) -> [f64; n * n] {
        build(n * n, |i| i as f64)
    }

    #[smooth]
    fn halves(a: &[f64; n]) -> [f64; n / 2 + n % 2] {
        build(n / 2 + n % 2, |i| a[2 * i])
    }

    #[smooth]
    fn rows_of(a: &[f64; n], w: usize) -> [[f64; w]; n / w] {
        build([n / w, w], |i, j| a[i * w + j])
    }

    #[test]
    fn by_parameter_and_by_expression() {
        let _: fn(usize) -> Vec<f64> = ramp;
        let _: fn(usize) -> [usize; 1] = ramp::shape;
        const CONVOLVED: [usize; 1] = convolved::shape([3], [2]);
        assert_eq!((ramp(3), ramp(0), CONVOLVED), (vec![0.0, 1.0, 2.0], vec![], [4]));
        assert_eq!(convolved(&[1.0, 2.0, 3.0], &[1.0, 10.0]), [1.0, 12.0, 23.0, 30.0]);
        assert_eq!((halves(&[1.0, 2.0, 3.0]), halves(&[]), halves(&[5.0])), (vec![1.0, 3.0], vec![], vec![5.0]));
        assert_eq!(rows_of(&[1.0, 2.0, 3.0, 4.0, 5.0], 2).as_slice(), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(square_vector(2), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn negative_sizes() {
        let text = "convolved: the size n + m - 1 is negative (-1)";
        assert_eq!(convolved::try_shape([0], [0]).unwrap_err().to_string(), text);
        panics_here!(convolved(&[], &[]), text);
        let calls = Cell::new(0);
        let f = |x: f64| {
            calls.set(calls.get() + 1);
            x
        };
        let (mut out, arena) = ([7.0; 2], &mut Arena::new());
        let e = difference::try_into(&mut out, &[1.0; 2], &[1.0; 5], f, arena).unwrap_err();
        assert_eq!(e.to_string(), "difference: the size n - m is negative (-3)");
        assert_eq!((calls.get(), out, arena.capacity()), (0, [7.0; 2], 0), "refused before anything was computed");
        difference::into(&mut out, &[1.0; 3], &[1.0], f, arena);
        assert_eq!((calls.get() > 0, out), (true, [3.0; 2]));
    }

    #[test]
    fn slices() {
        let a = &[1.0, 2.0, 3.0, 4.0];
        let calls = Cell::new(0);
        let f = |x: f64| {
            calls.set(calls.get() + 1);
            x
        };
        let (mut out, arena) = ([7.0; 2], &mut Arena::new());
        let mut refused = |s, e| {
            let error = middle::try_into(&mut out, a, s, e, f, arena).unwrap_err();
            assert_eq!((calls.get(), out), (0, [7.0; 2]), "refused before anything was computed");
            error.to_string()
        };
        let says = |text: String, range: &str| {
            let end = format!(" is out of range: {range} of length 4");
            assert!(text.starts_with("middle: slice ") && text.ends_with(&end), "{text}");
        };
        says(refused(3, 5), "3..5");
        says(refused(3, 2), "3..2");
        says(refused(usize::MAX - 1, usize::MAX), &format!("{}..{}", usize::MAX - 1, usize::MAX));
        assert_eq!(middle(a, 1, 3, f), [6.0, 6.0]);
        assert_eq!((middle(a, 4, 4, f), middle(a, 0, 4, f)), (vec![], vec![5.0; 4]));
        assert_eq!((tail(a, 4), tail(a, 3)), (vec![], vec![4.0]));
        let report = panic_of(|| tail(a, 5)); // both the size and the slice are wrong
        assert_eq!((report.line, report.file, &report.text[..6]), (line!() - 1, file!().into(), "tail: "));
    }

    #[test]
    fn sizes_that_no_array_can_have() {
        for n in [usize::MAX, usize::MAX / 2 + 1] {
            let e = square_vector::try_shape(n).unwrap_err();
            assert_eq!(e, ShapeError::Overflow { kernel: "square_vector", size: "n * n" });
            assert_eq!(ramp::try_shape(n), Err(ShapeError::Overflow { kernel: "ramp", size: "n" }));
            assert!(product::try_shape(n, 2).is_err());
        }
        assert!(convolved::try_shape([usize::MAX], [usize::MAX]).is_err());
        panics_here!(square_vector(1 << 40), "square_vector: the size n * n is too large");
        assert_eq!(product::try_shape(usize::MAX / 4, 0), Ok([usize::MAX / 4, 0]));
        assert_eq!(product(1000, 0).shape(), [1000, 0]);
    }

    #[test]
    fn division_of_sizes_by_zero() {
        assert!(rows_of::try_shape([4], 0).is_err());
    }
}

mod indices {
    use super::*;

    const AT: u32 = line!() + 4;

    #[smooth]
    fn pick(a: &[f64; n], k: usize) -> f64 {
        a[k]
    }

    #[test]
    fn out_of_range_as_in_rust_at_the_line_in_the_kernel() {
        let a = &[1.0, 2.0, 3.0];
        let text = "index out of bounds: the len is 3 but the index is 3";
        let expected = Report { text: text.into(), file: file!().into(), line: AT };
        assert_eq!(panic_of(|| pick(a, 3)), expected);
        assert_eq!(panic_of(|| pick::into(a, 3, &mut Arena::new())), expected);
        assert_eq!(pick(a, 2), 3.0);
        let rust = |a: &[f64], k: usize| a[k];
        assert_eq!(panic_of(|| rust(a, 3)).text, expected.text);
        let text = format!("index out of bounds: the len is 0 but the index is {}", usize::MAX);
        assert_eq!(panic_of(|| pick(&[], usize::MAX)).text, text);
    }

    const NESTED_AT: u32 = line!() + 5;

    #[smooth]
    fn pick_row(m: &[[f64; k]; n], i: usize, j: usize) -> f64 {
        let row = &m[0];
        m[i][j] + row[0]
    }

    #[test]
    fn out_of_range_in_a_matrix() {
        let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
        let report = panic_of(|| pick_row(&m, 3, 0));
        assert_eq!(report.text, "index out of bounds: the len is 3 but the index is 3");
        assert_eq!(report.line, NESTED_AT);
        // In range of the memory, and yet not of the row.
        let report = panic_of(|| pick_row(&m, 0, 2));
        assert_eq!(report.text, "index out of bounds: the len is 2 but the index is 2");
        assert_eq!(report.line, NESTED_AT);
        assert_eq!(pick_row(&m, 2, 1), 7.0);
    }

    #[smooth]
    fn guarded(a: &[f64; n], k: usize) -> f64 {
        if k < n { a[k] } else { -1.0 }
    }

    #[smooth]
    fn neighbours(a: &[f64; n]) -> [f64; n] {
        build(n, |i| {
            let left = if i > 0 { a[i - 1] } else { 0.0 };
            let right = if i + 1 < n { a[i + 1] } else { 0.0 };
            left + right
        })
    }

    #[smooth]
    fn first_or(a: &[f64; n], x: f64) -> f64 {
        if n == 0 || a[0] < 0.0 { x } else { a[0] }
    }

    #[smooth]
    fn guarded_let(a: &[f64; n], k: usize) -> f64 {
        let value = |i: usize| a[i] * 2.0;
        if k < n {
            let v = value(k);
            v + 1.0
        } else {
            0.0
        }
    }

    #[smooth]
    fn guarded_in_loop(a: &[f64; n], k: usize) -> f64 {
        sum(n, |i| if k < n && i > 0 { a[k] * a[i] } else { 0.0 })
    }

    #[smooth]
    fn never(a: &[f64; n], k: usize) -> f64 {
        sum(0 * n, |_| a[k]) + ifold(n - n, 1.0, |s, _| s * a[k])
    }

    #[test]
    fn what_guards_an_index() {
        let a = &[1.0, 2.0, 4.0];
        assert_eq!((guarded(a, 2), guarded(a, 3), guarded(&[], 0)), (4.0, -1.0, -1.0));
        assert_eq!((neighbours(a), neighbours(&[5.0]), neighbours(&[])), (vec![2.0, 5.0, 2.0], vec![0.0], vec![]));
        assert_eq!((first_or(&[], 7.0), first_or(&[-1.0], 7.0), first_or(a, 7.0)), (7.0, 7.0, 1.0));
        assert_eq!((guarded_let(a, 1), guarded_let(a, 3)), (5.0, 0.0));
        assert_eq!((guarded_in_loop(a, 1), guarded_in_loop(a, 9)), (12.0, 0.0));
        assert_eq!((never(a, 9), never(&[], 0)), (1.0, 1.0));
    }

    #[smooth]
    fn before(a: &[f64; n], k: usize) -> f64 {
        a[k - 1]
    }

    #[smooth]
    fn counted(a: &[f64; n], from: usize, to: usize) -> f64 {
        sum(to - from, |i| a[from + i])
    }

    #[test]
    fn index_arithmetic_overflows_as_in_rust() {
        let a = &[1.0, 2.0, 3.0];
        assert_eq!((before(a, 1), counted(a, 1, 3), counted(a, 3, 3)), (1.0, 5.0, 0.0));
        let text = panic_of(|| before(a, 0)).text;
        if cfg!(debug_assertions) {
            assert_eq!(text, "attempt to subtract with overflow");
        } else {
            assert!(text.starts_with("index out of bounds"), "{text}");
        }
        panic_of(|| counted(a, 3, 2));
    }

    #[smooth]
    fn unused_index(a: &[f64; n], k: usize) -> f64 {
        let x = a[k];
        let y = a[0];
        if k > n { y } else { x * 0.0 + y }
    }

    #[test]
    fn inside_loops_and_callees() {
        #[smooth]
        fn through(a: &[f64; n], k: usize) -> f64 {
            sum(2, |i| pick(a, k + i))
        }
        let a = &[1.0, 2.0, 3.0];
        assert_eq!(through(a, 1), 5.0);
        assert_eq!(panic_of(|| through(a, 2)).text, "index out of bounds: the len is 3 but the index is 3");
        assert_eq!(unused_index(a, 1), 1.0);
        // A binding that nothing uses is not evaluated, or it panics as Rust does: never anything else.
        let used = catch_unwind(|| unused_index(a, 9));
        assert!(used.is_err() || used.is_ok_and(|y| y == 1.0));
    }
}
