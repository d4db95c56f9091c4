//! Every function of `smooth::linalg` against plain loops: the call, `into` and the reference, on ordinary and extreme
//! shapes; the scratch memory; the messages of shape errors.

#[path = "linalg/dense.rs"]
mod dense;
#[path = "linalg/norms.rs"]
mod norms;
#[path = "linalg/rotations.rs"]
mod rotations;
#[path = "linalg/systems.rs"]
mod systems;

use smooth::linalg::*;
use smooth::prelude::*;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Lengths of vectors: 0, 1, below, at and above the sixteen lanes of a sum.
const LENGTHS: [usize; 8] = [0, 1, 2, 3, 15, 16, 17, 100];

/// Shapes of matrices. Without rows the reference does not know the number of columns.
const SHAPES: [[usize; 2]; 8] = [[0, 0], [0, 3], [3, 0], [1, 1], [1, 5], [4, 1], [2, 3], [17, 20]];

/// `n` pseudo-random positive numbers, so that sums have no cancellation.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 + 0.1
    };
    (0..n).map(|_| next()).collect()
}

/// These numbers with every second one negative.
fn signed(n: usize, seed: u64) -> Vec<f64> {
    numbers(n, seed).into_iter().enumerate().map(|(i, x)| if i % 2 == 0 { x } else { -x }).collect()
}

fn matrix([n, k]: [usize; 2], seed: u64) -> Array<f64, 2> {
    Array::from_vec(signed(n * k, seed), [n, k])
}

fn bits(v: &[f64]) -> Vec<u64> {
    v.iter().map(|x| x.to_bits()).collect()
}

#[track_caller]
fn close(found: f64, want: f64) {
    assert!((found - want).abs() <= 1e-12 * want.abs(), "{found} is not {want}");
}

/// For element-wise functions, whose result is exact: the call, `into` without scratch memory and the reference give
/// `want`, bit for bit.
macro_rules! exact {
    ($f:ident($($arg:expr),*), $want:expr) => {{
        let want: Vec<f64> = $want;
        assert_eq!(bits(&$f($($arg),*)[..]), bits(&want), "the call");
        assert_eq!(bits(&$f::reference($($arg),*)), bits(&want), "the reference");
        let mut out = vec![f64::NAN; want.len()];
        $f::into(&mut out, $($arg,)* &mut Arena::on(&mut []));
        assert_eq!(bits(&out), bits(&want), "into");
        out.fill(f64::NAN);
        $f::try_into(&mut out, $($arg,)* &mut Arena::on(&mut [])).unwrap();
        assert_eq!(bits(&out), bits(&want), "try_into");
    }};
}

/// [`exact`] for a function that returns a matrix.
macro_rules! matrix_exact {
    ($f:ident($($arg:expr),*), reference($($nested:expr),*), $shape:expr, $at:expr) => {{
        let same = |a: f64, b: f64| assert_eq!(a.to_bits(), b.to_bits());
        matrix_like!($f($($arg),*), reference($($nested),*), $shape, $at, same, 0)
    }};
}

/// `$shape` is the shape of the result, `$at` computes the expected elements, `$same` compares, `$nested` are the
/// reference's arguments, `$scratch` is the memory for `into`.
macro_rules! matrix_like {
    ($f:ident($($arg:expr),*), reference($($nested:expr),*), $shape:expr, $at:expr, $same:expr, $scratch:expr) => {{
        let (shape, at): ([usize; 2], _) = ($shape, $at);
        let want = Array::from_fn(shape, |[i, j]| at(i, j));
        let found = $f($($arg),*);
        assert_eq!(found.shape(), shape);
        let mut out = Array::from_elem(shape, f64::NAN);
        let mut memory = Vec::from_iter((0..$scratch).map(|_| MaybeUninit::uninit()));
        $f::into(&mut out, $($arg,)* &mut Arena::on(&mut memory));
        assert_eq!(bits(out.as_slice()), bits(found.as_slice()), "into");
        let nested: Vec<Vec<f64>> = $f::reference($($nested),*);
        for i in 0..shape[0] {
            for j in 0..shape[1] {
                $same(found[[i, j]], want[[i, j]]);
                $same(nested[i][j], want[[i, j]]);
            }
        }
    }};
}

/// The message with which `f` panics.
fn panic_text<T>(f: impl FnOnce() -> T) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).err().expect("no panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast::<&str>().expect("a text")).into(),
    }
}

#[test]
fn range() {
    for n in LENGTHS {
        let mut want = Vec::new();
        for i in 0..n {
            want.push(i as f64);
        }
        exact!(vector_range(n), want);
        assert_eq!(vector_range::shape(n), [n]);
        assert_eq!(vector_range::scratch(n), 0);
    }
}

#[test]
fn maps_of_vectors() {
    for n in LENGTHS {
        let (a, b) = (signed(n, 1), numbers(n, 2));
        exact!(vector_map(&a, |x| x * x - 1.0), a.iter().map(|x| x * x - 1.0).collect());
        exact!(vector_map2(&a, &b, |x, y| x / y), a.iter().zip(&b).map(|(x, y)| x / y).collect());
    }
    // `into` takes the function at its position among the arguments; `shape` and `scratch` omit it.
    let mut out = [0.0; 2];
    vector_map::into(&mut out, &[1.0, 4.0], f64::sqrt, &mut Arena::new());
    assert_eq!(out, [1.0, 2.0]);
    assert_eq!((vector_map::shape([7]), vector_map::scratch::<f64>([7])), ([7], 0));
    assert_eq!((vector_map2::shape([7], [7]), vector_map2::scratch::<f64>([7], [7])), ([7], 0));
    // A closure may capture its environment, and the arena can be used after its panic.
    let (mut arena, offset) = (Arena::new(), 10.0);
    let text = panic_text(|| vector_map::into(&mut out, &[1.0, 2.0], |_| panic!("in the closure"), &mut arena));
    assert_eq!(text, "in the closure");
    vector_map::into(&mut out, &[1.0, 2.0], |x| x + offset, &mut arena);
    assert_eq!(out, [11.0, 12.0]);
}

#[test]
fn element_by_element() {
    for n in LENGTHS {
        let (a, b) = (signed(n, 3), numbers(n, 4));
        let (mut add, mut sub, mut mul, mut scaled) = (vec![], vec![], vec![], vec![]);
        for i in 0..n {
            add.push(a[i] + b[i]);
            sub.push(a[i] - b[i]);
            mul.push(a[i] * b[i]);
            scaled.push(a[i] * 1.7);
        }
        exact!(vector_add(&a, &b), add);
        exact!(vector_sub(&a, &b), sub);
        exact!(vector_e_mul(&a, &b), mul);
        exact!(vector_s_mul(&a, 1.7), scaled);
        assert_eq!(vector_add::scratch::<f64>([n], [n]), 0);
        assert_eq!(vector_sub::scratch::<f64>([n], [n]), 0);
        assert_eq!(vector_e_mul::scratch::<f64>([n], [n]), 0);
        assert_eq!(vector_s_mul::scratch::<f64>([n]), 0);
        assert_eq!(vector_s_mul::shape([n]), [n]);
    }
    let special = [0.0, -0.0, f64::INFINITY, f64::MIN_POSITIVE / 4.0, -1.0];
    exact!(vector_add(&special, &special), special.iter().map(|x| x + x).collect());
    exact!(vector_s_mul(&special, -1.0), special.iter().map(|x| -x).collect());
}

#[test]
fn sums() {
    for n in LENGTHS {
        let (a, b) = (numbers(n, 5), numbers(n, 6));
        let (mut sum, mut dot, mut square) = (0.0, 0.0, 0.0);
        for i in 0..n {
            sum += a[i];
            dot += a[i] * b[i];
            square += a[i] * a[i];
        }
        let arena = &mut Arena::on(&mut []);
        let rows = [
            (sum, vector_sum(&a), vector_sum::reference(&a), vector_sum::into(&a, arena)),
            (dot, vector_dot(&a, &b), vector_dot::reference(&a, &b), vector_dot::into(&a, &b, arena)),
            (square, vector_sq_norm(&a), vector_sq_norm::reference(&a), vector_sq_norm::into(&a, arena)),
            (square.sqrt(), vector_norm(&a), vector_norm::reference(&a), vector_norm::into(&a, arena)),
        ];
        for (want, found, reference, into) in rows {
            close(found, want);
            assert_eq!(reference.to_bits(), want.to_bits(), "the reference adds in source order");
            assert_eq!(into.to_bits(), found.to_bits());
            if n < 16 {
                assert_eq!(found.to_bits(), want.to_bits(), "the order of fewer than sixteen elements is source order");
            }
        }
        assert_eq!(vector_sum::scratch::<f64>([n]), 0);
        assert_eq!(vector_dot::scratch::<f64>([n], [n]), 0);
        assert_eq!(vector_sq_norm::scratch::<f64>([n]), 0);
        assert_eq!(vector_norm::scratch::<f64>([n]), 0);
    }
    assert_eq!(vector_sum(&[-0.0f64]).to_bits(), (-0.0f64).to_bits());
    assert_eq!(vector_sum(&[0.0f64; 0]).to_bits(), 0.0f64.to_bits());
    assert!(vector_norm(&[f64::NAN, 1.0]).is_nan());
}

/// The documented order of additions, as plain loops.
#[test]
fn sums_run_over_sixteen_lanes() {
    for n in [16, 31, 32, 33, 1000] {
        let a = signed(n, 7);
        let whole = n / 16 * 16;
        let mut lanes = [-0.0; 16];
        for i in 0..whole {
            lanes[i % 16] += a[i];
        }
        let mut want = -0.0;
        for x in lanes.iter().chain(&a[whole..]) {
            want += x;
        }
        assert_eq!(vector_sum(&a).to_bits(), want.to_bits());
    }
}

#[test]
fn slices() {
    let v = signed(9, 8);
    for s in 0..9 {
        for e in s..9 {
            exact!(vector_slice(&v, s, e), v[s..=e].to_vec());
            assert_eq!(vector_slice::shape([9], s, e), [e - s + 1]);
            assert_eq!(vector_slice::scratch::<f64>([9], s, e), 0);
        }
    }
    exact!(vector_slice(&v, 4, 3), vec![]);
    exact!(vector_slice(&v, 9, 8), vec![]);
    let out_of_range = [
        (0, 9, "vector_slice: slice v[s..e + 1] is out of range: 0..10 of length 9"),
        (5, 3, "vector_slice: slice v[s..e + 1] is out of range: 5..4 of length 9"),
        (0, usize::MAX, "vector_slice: slice v[s..e + 1] is out of range: 0..18446744073709551616 of length 9"),
    ];
    for (s, e, text) in out_of_range {
        assert_eq!(vector_slice::try_shape([9], s, e).unwrap_err().to_string(), text);
        assert_eq!(panic_text(|| vector_slice(&v, s, e)), text);
    }
}

#[test]
fn cross() {
    let (a, b) = ([1.5, -2.25, 0.3], [0.7, 4.1, -1.9]);
    let want = [-2.25 * -1.9 - 0.3 * 4.1, 0.3 * 0.7 - 1.5 * -1.9, 1.5 * 4.1 - -2.25 * 0.7];
    assert_eq!(bits(&vector_cross(&a, &b)), bits(&want));
    assert_eq!(bits(&vector_cross::reference(&a, &b)), bits(&want));
    let mut out = [f64::NAN; 3];
    vector_cross::into(&mut out, &a, &b, &mut Arena::on(&mut []));
    assert_eq!(bits(&out), bits(&want));
    const SCRATCH: usize = vector_cross::scratch::<f64>();
    assert_eq!((vector_cross::shape(), SCRATCH), ([3], 0));
    assert_eq!(vector_cross(&a, &a), [0.0; 3]);
}

#[test]
fn outer_product() {
    for [n, m] in SHAPES {
        let (a, b) = (signed(n, 9), signed(m, 10));
        matrix_exact!(vector_out_prod(&a, &b), reference(&a, &b), [n, m], |i, j| a[i] * b[j]);
        assert_eq!(vector_out_prod::scratch::<f64>([n], [m]), 0);
    }
}

#[test]
fn rows_and_columns() {
    for [n, k] in SHAPES {
        let m = matrix([n, k], 11);
        assert_eq!((matrix_rows(&m), matrix_cols(&m)), (n, k));
        let arena = &mut Arena::on(&mut []);
        assert_eq!((matrix_rows::into(&m, arena), matrix_cols::into(&m, arena)), (n, k));
        assert_eq!(matrix_rows::reference(m.to_nested()), n);
        if n > 0 {
            assert_eq!(matrix_cols::reference(m.to_nested()), k);
        }
    }
}

#[test]
fn sum_of_matrices() {
    for shape in SHAPES {
        let (a, b) = (matrix(shape, 12), matrix(shape, 13));
        let want = |i, j| a[[i, j]] + b[[i, j]];
        matrix_exact!(matrix_add(&a, &b), reference(&a.to_nested(), &b.to_nested()), shape, want);
        assert_eq!(matrix_add::scratch::<f64>(shape, shape), 0);
    }
}

#[test]
fn transpose() {
    for [n, k] in SHAPES {
        let m = matrix([n, k], 14);
        let found = matrix_transpose(&m);
        assert_eq!(found.shape(), [k, n]);
        if n > 0 {
            matrix_exact!(matrix_transpose(&m), reference(&m.to_nested()), [k, n], |i, j| m[[j, i]]);
        }
        assert_eq!(matrix_transpose(&found), m);
        assert_eq!(matrix_transpose::scratch::<f64>([n, k]), 0);
    }
}

#[test]
fn product() {
    for [n, k] in SHAPES {
        for m in [0, 1, 2, 18] {
            let a = Array::from_vec(numbers(n * k, 15), [n, k]);
            let b = Array::from_vec(numbers(k * m, 16), [k, m]);
            let scratch = matrix_mul::scratch::<f64>([n, k], [k, m]);
            assert_eq!(scratch, 0, "small matrices are read where they are");
            let want = |i: usize, j: usize| {
                let mut dot = 0.0;
                for l in 0..k {
                    dot += a[[i, l]] * b[[l, j]];
                }
                dot
            };
            if k > 0 {
                matrix_like!(
                    matrix_mul(&a, &b),
                    reference(&a.to_nested(), &b.to_nested()),
                    [n, m],
                    want,
                    |found: f64, want: f64| close(found, want),
                    scratch
                );
            } else {
                // An empty sum for each element.
                assert_eq!(matrix_mul(&a, &b), Array::from_elem([n, m], 0.0));
            }
        }
    }
}

/// Functions of arrays are for kernels; a call from Rust runs the reference.
mod maps {
    use super::*;

    #[smooth]
    fn scaled_rows(m: &[[f64; k]; n], s: f64) -> [[f64; k]; n] {
        matrix_map(m, |row| vector_s_mul(row, s))
    }

    #[smooth]
    fn first_two(m: &[[f64; k]; n]) -> [[f64; 2]; n] {
        matrix_map(m, |row| [row[0], row[1]])
    }

    #[smooth]
    fn difference(a: &[[f64; k]; n], b: &[[f64; k]; n]) -> [[f64; k]; n] {
        matrix_map2(a, b, vector_sub)
    }

    #[test]
    fn inside_kernels() {
        for shape in SHAPES {
            let (a, b) = (matrix(shape, 17), matrix(shape, 18));
            matrix_exact!(scaled_rows(&a, 0.3), reference(&a.to_nested(), 0.3), shape, |i, j| a[[i, j]] * 0.3);
            let want = |i, j| a[[i, j]] - b[[i, j]];
            matrix_exact!(difference(&a, &b), reference(&a.to_nested(), &b.to_nested()), shape, want);
            assert_eq!((scaled_rows::scratch(shape), difference::scratch(shape, shape)), (0, 0));
        }
        assert_eq!(first_two(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), [[1.0, 2.0], [4.0, 5.0]]);
    }

    #[test]
    fn from_rust() {
        for shape in SHAPES {
            let (m, k) = (matrix(shape, 19), shape[1]);
            let (rows, twice) = (m.to_nested(), Array::from_fn(shape, |[i, j]| m[[i, j]] + m[[i, j]]));
            let add = |row: &[f64], out: &mut [f64]| vector_add::into(out, row, row, &mut Arena::new());
            assert_eq!(matrix_map(&m, add, k), twice);
            let found = matrix_map::reference(&rows, |row: Vec<f64>| vector_add(&row, &row));
            assert_eq!(found, twice.to_nested());
            let add = |a: &[f64], b: &[f64], out: &mut [f64]| vector_add::into(out, a, b, &mut Arena::new());
            assert_eq!(matrix_map2(&m, &m, add, k), twice);
            let found = matrix_map2::reference(&rows, &rows, |a: Vec<f64>, b: Vec<f64>| vector_add(&a, &b));
            assert_eq!(found, twice.to_nested());
        }
        let m = matrix([3, 4], 20);
        let sums = matrix_map(&m, |row, out| (out[0], out[1]) = (vector_sum(row), row[3]), 2);
        assert_eq!(sums, Array::from_fn([3, 2], |[i, j]| if j == 0 { vector_sum(&m[i]) } else { m[[i, 3]] }));
        assert_eq!((matrix_map::shape([3, 4], 7), matrix_map::scratch::<f64>([3, 4], 7)), ([3, 7], 0));
    }
}

/// The library fuses with a kernel of another crate, so that no array is stored.
mod fused {
    use super::*;

    #[smooth]
    fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 {
        vector_norm(&vector_add(a, b))
    }

    /// In source order, so equal to the reference bit for bit.
    #[smooth(float = "strict")]
    fn strict_norm(v: &[f64; n]) -> f64 {
        sum(n, |i| v[i] * v[i]).sqrt()
    }

    #[test]
    fn values_and_scratch() {
        for n in LENGTHS {
            let (a, b) = (numbers(n, 20), numbers(n, 21));
            close(norm_of_sum(&a, &b), norm_of_sum::reference(&a, &b));
            assert_eq!(norm_of_sum::scratch([n], [n]), 0);
            assert_eq!(strict_norm(&a).to_bits(), strict_norm::reference(&a).to_bits());
            assert_eq!(strict_norm::reference(&a).to_bits(), vector_norm::reference(&a).to_bits());
        }
    }
}

#[test]
fn all_matrix_types_are_accepted() {
    let flat = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let want = [1.0, 4.0, 2.0, 5.0, 3.0, 6.0];
    assert_eq!(matrix_transpose(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).as_slice(), want);
    assert_eq!(matrix_transpose(View::new(&flat, [2, 3])).as_slice(), want);
    assert_eq!(matrix_transpose(&Array::from_vec(flat.to_vec(), [2, 3])).as_slice(), want);
    assert_eq!(matrix_transpose(&vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).as_slice(), want);
    let mut out = [[0.0; 2]; 3];
    matrix_transpose::into(&mut out, View::new(&flat, [2, 3]), &mut Arena::new());
    assert_eq!(out.as_flattened(), want);
    let mut out = [0.0; 6];
    matrix_transpose::into(ViewMut::new(&mut out, [3, 2]), View::new(&flat, [2, 3]), &mut Arena::new());
    assert_eq!(out, want);
}

#[test]
fn shape_errors_say_what_is_wrong() {
    macro_rules! text {
        ($shape:expr, $text:literal) => {
            assert_eq!($shape.unwrap_err().to_string(), $text)
        };
    }
    text!(vector_map2::try_shape([3], [4]), "vector_map2: argument b has length 4, but n = 3 (from argument a)");
    text!(vector_add::try_shape([3], [4]), "vector_add: argument b has length 4, but n = 3 (from argument a)");
    text!(vector_sub::try_shape([0], [1]), "vector_sub: argument b has length 1, but n = 0 (from argument a)");
    text!(
        vector_e_mul::try_scratch::<f64>([2], [1]),
        "vector_e_mul: argument b has length 1, but n = 2 (from argument a)"
    );
    text!(vector_dot::try_scratch::<f64>([3], [4]), "vector_dot: argument b has length 4, but n = 3 (from argument a)");
    text!(
        matrix_add::try_shape([3, 4], [2, 4]),
        "matrix_add: argument b has length 2 along axis 0, but n = 3 (from argument a)"
    );
    text!(
        matrix_add::try_shape([3, 4], [3, 5]),
        "matrix_add: argument b has length 5 along axis 1, but k = 4 (from argument a)"
    );
    text!(
        matrix_mul::try_shape([3, 4], [5, 2]),
        "matrix_mul: argument b has length 5 along axis 0, but k = 4 (from argument a)"
    );

    let mut out = [0.0; 2];
    let arena = &mut Arena::new();
    text!(
        vector_add::try_into(&mut out, &[1.0; 3], &[1.0; 3], arena),
        "vector_add: destination out has length 2, but the result has length 3"
    );
    let text = "vector_add: argument b has length 3, but n = 2 (from argument a)";
    assert_eq!(panic_text(|| vector_add(&[1.0; 2], &[1.0; 3])), text);
    assert_eq!(panic_text(|| vector_add::into(&mut out, &[1.0; 2], &[1.0; 3], arena)), text);
    assert_eq!(panic_text(|| vector_add::shape([2], [3])), text);
    assert_eq!(panic_text(|| vector_add::scratch::<f64>([2], [3])), text);
    assert_eq!(out, [0.0; 2], "nothing is written before the shapes are checked");
}

#[test]
fn a_size_that_overflows_is_an_error() {
    let error = vector_out_prod::try_shape([1 << 40], [1 << 40]).unwrap_err();
    assert_eq!(error.to_string(), "vector_out_prod: the size n * m is too large");
    assert!(vector_range::try_shape(usize::MAX).is_err());
}

/// Kernels that are inlined into a strict kernel add in source order, too.
#[test]
fn callees_of_strict_kernels_are_strict() {
    #[smooth(float = "strict")]
    fn strict_caller(v: &[f64; n]) -> f64 {
        vector_sum(v)
    }
    let mut v = [0.0; 32];
    (v[0], v[1], v[16]) = (1e16, 1.0, -1e16);
    assert_eq!((strict_caller(&v), vector_sum(&v), vector_sum::reference(&v)), (0.0, 1.0, 0.0));
}
