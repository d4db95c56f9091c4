//! Type parameters, const generics, constants as sizes, tuples as parameters.

use smooth::prelude::*;

#[smooth]
fn dot<T: Real>(a: &[T; n], b: &[T; n]) -> T {
    sum(n, |i| a[i] * b[i])
}

/// Literals, constants and functions have the parameter's type; casts to it and from it.
#[smooth]
fn norm<T: Real>(a: &[T; n], k: i32) -> (T, f64) {
    let s = dot(a, a).sqrt() * 0.5 + std::f64::consts::PI as T;
    (s + k as T, s as f64)
}

/// Called by a kernel of one type.
#[smooth]
fn single(a: &[f32; n]) -> f32 {
    dot(a, a) + norm(a, 3).0
}

/// Called by a generic kernel, with a temporary.
#[smooth(passes(fuse = false))]
fn scaled<T>(a: &[T; n], factor: T) -> [T; n]
where
    T: Real,
{
    let twice = build(n, |i| a[i] * 2.0);
    build(n, |i| twice[i] * factor + twice[n - 1 - i])
}

#[smooth]
fn two_types<A: Real, B: Real>(a: &[A; n], b: &[B; n]) -> [A; n] {
    build(n, |i| a[i] + b[i] as A)
}

#[smooth]
fn outer<const N: usize, const M: usize>(a: &[f64; N], b: &[f64; M]) -> [[f64; M]; N] {
    build([N, M], |i, j| a[i] * b[j])
}

#[smooth]
fn identity<T: Real, const N: usize>() -> [[T; N]; N] {
    build([N, N], |i, j| if i == j { 1.0 } else { 0.0 })
}

#[smooth]
fn trace_of_identity(k: f64) -> f64 {
    let m = identity::<f64, 4>();
    k * sum(4, |i| m[i][i])
}

#[smooth]
fn rows<const N: usize>(m: &[[f64; N]; n]) -> [f64; N] {
    build(N, |j| sum(n, |i| m[i][j]))
}

#[smooth]
fn row_sums<const N: usize>(m: &[[f64; k]; N]) -> [f64; N] {
    build(N, |i| sum(k, |j| m[i][j]))
}

#[smooth]
fn row_sums_of_three(m: &[[f64; 2]; 3]) -> [f64; 3] {
    row_sums::<3>(m)
}

/// Generic arguments may be written even if they can be inferred.
#[smooth]
fn rows_of_two(m: &[[f64; 2]; n], k: usize) -> [f64; 2] {
    let s = rows::<2>(m);
    let t = outer::<2, 2>(&s, &s);
    build(2, |j| s[j] + t[0][k])
}

#[smooth]
fn rows_twice<const K: usize>(m: &[[f64; K]; n]) -> [f64; K] {
    let s = rows(m);
    build(K, |j| 2.0 * s[j])
}

const D: usize = 3;
mod sizes {
    pub const E: usize = super::D + 1;
    pub const WEIGHT: f32 = 0.5;
}

#[smooth]
fn constants(a: &[f64; D], m: &[[f32; sizes::E]; n]) -> ([f64; D], [[f32; sizes::E]; n]) {
    (build(D, |i| a[i] * D as f64), build([n, sizes::E], |i, j| m[i][j] * sizes::WEIGHT))
}

#[smooth]
fn through_constants(a: &[f64; 3]) -> f64 {
    let m = build([2, 4], |_, _| 1.0f32);
    let (b, _) = constants(a, &m);
    sum(3, |i| b[i])
}

#[smooth]
fn tuples(p: (&[f64; n], (f64, &[i32; n])), k: usize) -> [f64; n] {
    let (a, (s, w)) = p;
    build(n, |i| a[i] * s + w[i] as f64 + k as f64)
}

#[smooth]
fn through_tuples(a: &[f64; n], w: &[i32; n]) -> [f64; n] {
    let half = (0.5, w);
    tuples((a, half), 1)
}

#[test]
fn one_kernel_for_two_types() {
    assert_eq!(dot(&[1.0f32, 2.0], &[3.0, 4.0]), 11.0f32);
    assert_eq!(dot(&[1.0f64, 2.0], &[3.0, 4.0]), 11.0f64);
    assert_eq!(dot::into(&[0.1f32, 0.2], &[3.0, 4.0], &mut Arena::new()), 0.1f32 * 3.0 + 0.2 * 4.0);
    let a = [0.1f32, 0.7, -2.0];
    let d = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    let s = d.sqrt() * 0.5 + std::f32::consts::PI;
    assert_eq!(norm(&a, 3), (s + 3.0, f64::from(s)));
    assert_eq!(norm::reference(&a, 3), (s + 3.0, f64::from(s)));
    assert_eq!(single(&a), d + (s + 3.0));
    assert_eq!(single::reference(&a), d + (s + 3.0));
    assert_eq!(two_types(&[1.0f32], &[0.1f64]), [1.0f32 + 0.1f32]);
    assert_eq!(two_types(&[1.0f64], &[0.1f32]), [1.0f64 + f64::from(0.1f32)]);
    assert_eq!(two_types::reference::<f64, f32>(&[1.0], &[0.1]), [1.0f64 + f64::from(0.1f32)]);
}

#[test]
fn scratch_depends_on_the_type() {
    assert_eq!(scaled(&[1.0f32, 2.0, 3.0], 10.0), [26.0, 44.0, 62.0]);
    assert_eq!(scaled(&[1.0f64, 2.0, 3.0], 10.0), [26.0, 44.0, 62.0]);
    assert_eq!(scaled::shape([100]), [100]);
    assert_eq!(scaled::scratch::<f64>([100]), 832 + 63);
    assert_eq!(scaled::scratch::<f32>([100]), 448 + 63);
    let mut memory = [std::mem::MaybeUninit::uninit(); 448 + 63];
    let (a, mut out) = ([1.5f32; 100], [0.0f32; 100]);
    scaled::into(&mut out, &a, 2.0, &mut Arena::on(&mut memory));
    assert_eq!(out, [9.0; 100]);
    let (a, mut out) = ([1.5f64; 100], [0.0f64; 100]);
    let error = scaled::try_into(&mut out, &a, 2.0, &mut Arena::on(&mut memory)).unwrap_err();
    assert!(matches!(error, ShapeError::ScratchTooSmall { .. }), "{error}");
}

#[test]
fn const_generics() {
    let m: [[f64; 2]; 3] = outer(&[1.0, 2.0, 3.0], &[10.0, 100.0]);
    assert_eq!(m, [[10.0, 100.0], [20.0, 200.0], [30.0, 300.0]]);
    let mut out = [[0.0; 2]; 3];
    outer::into(&mut out, &[1.0, 2.0, 3.0], &[10.0, 100.0], &mut Arena::new());
    assert_eq!(out, m);
    assert_eq!(outer::reference(&[1.0, 2.0, 3.0], &[10.0, 100.0]), m.map(|r| r.to_vec()).to_vec());
    const SCRATCH: usize = outer::scratch::<3, 2>();
    assert_eq!((outer::shape::<3, 2>(), SCRATCH), ([3, 2], 0));
    assert_eq!(identity::<f32, 2>(), [[1.0, 0.0], [0.0, 1.0]]);
    assert_eq!(identity::reference::<f32, 2>(), [[1.0, 0.0], [0.0, 1.0]]);
    assert_eq!(trace_of_identity(2.0), 8.0);
    assert_eq!(trace_of_identity::reference(2.0), 8.0);
    assert_eq!(rows(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), [9.0, 12.0]);
    assert_eq!(rows_twice(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), [18.0, 24.0]);
    assert_eq!(rows_twice::reference(&[vec![1.0, 2.0], vec![3.0, 4.0]]), [8.0, 12.0]);
    assert_eq!(rows::shape([3, 2]), [2]);
    // A view's type does not determine the size: the values are compared.
    let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    assert_eq!(row_sums::<3>(&m), [3.0, 7.0, 11.0]);
    assert_eq!(row_sums::reference::<3>(&m.map(|r| r.to_vec())), [3.0, 7.0, 11.0]);
    let error = row_sums::try_call::<2>(&m).unwrap_err();
    assert!(matches!(error, ShapeError::Mismatch { axis: 0, found: 3, expected: 2, .. }), "{error:?}");
    assert_eq!(row_sums_of_three(&m), [3.0, 7.0, 11.0]);
    assert_eq!(row_sums_of_three::reference(&m.map(|r| r.to_vec())), [3.0, 7.0, 11.0]);
    assert_eq!(rows_of_two(&[[1.0, 2.0], [3.0, 4.0]], 1), [4.0 + 24.0, 6.0 + 24.0]);
    let empty: [f64; 0] = rows(&[[], []]);
    assert_eq!(empty, []);
}

#[test]
fn constants_as_sizes_and_values() {
    let m = [[2.0f32; 4]; 2];
    let (b, half) = constants(&[1.0, 2.0, 3.0], &m);
    assert_eq!((b, half.as_slice()), ([3.0, 6.0, 9.0], [[1.0f32; 4]; 2].as_slice()));
    assert_eq!(through_constants(&[1.0, 2.0, 3.0]), 18.0);
    assert_eq!(through_constants::reference(&[1.0, 2.0, 3.0]), 18.0);
    assert_eq!(constants::shape([3], [5, 4]), ([3], [5, 4]));
    const STATIC: usize = through_constants::scratch();
    assert_eq!(STATIC, 0, "a small frame is on the stack");
}

/// An array that is stored: it is read forwards and backwards.
#[smooth]
fn mirrored<T: Real, const N: usize, const M: usize>(a: &[[T; N]; M]) -> [[T; N]; M] {
    let e = build([M, N], |i, j| a[i][j].exp());
    build([M, N], |i, j| e[i][j] + e[M - 1 - i][N - 1 - j])
}

/// The frame of the call has a size that the compiler knows, and the largest of those on the stack.
#[smooth(passes(inline = false))]
fn of_literal_size(a: &[f64; 512]) -> f64 {
    scaled(a, 3.0)[0]
}

/// One that is larger by a block.
#[smooth(passes(inline = false))]
fn of_larger_literal_size(a: &[f64; 513]) -> f64 {
    scaled(a, 3.0)[0]
}

/// A small frame next to arrays of any size.
#[smooth(passes(inline = false))]
fn of_rows_of_literal_size(a: &[[f64; 8]; n]) -> [[f64; 8]; n] {
    build(n, |i| scaled(&a[i], 3.0))
}

/// A number next to a frame that depends on a const generic only.
#[smooth(passes(inline = false))]
fn after_steps<const N: usize>(a: &[f64; N], steps: usize) -> f64 {
    let mut x = a.clone();
    for _ in 0..steps {
        for i in 1..N {
            x[i] += x[i - 1];
        }
    }
    x[N - 1]
}

/// A frame that depends on a number.
#[smooth]
fn with_more<const N: usize>(a: &[f64; N], more: usize) -> f64 {
    let mut x = [a[0]; N + more];
    for i in 1..N + more {
        x[i] += x[i - 1];
    }
    x[N + more - 1]
}

struct Rows<const N: usize>;

impl<const N: usize> Rows<N> {
    const BYTES: usize = mirrored::scratch::<f64, N, 4>();
}

#[test]
fn a_small_frame_of_const_generics_is_on_the_stack() {
    assert_eq!((Rows::<2>::BYTES, Rows::<128>::BYTES, Rows::<129>::BYTES), (0, 0, 4160 + 63));
    assert_eq!(mirrored::scratch::<f32, 129, 4>(), 0);
    let a: [[f64; 128]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| (i * 128 + j) as f64 * 1e-3));
    let mut out = [[0.0; 128]; 4];
    mirrored::into(&mut out, &a, &mut Arena::on(&mut []));
    assert_eq!(out.map(|r| r.to_vec()).to_vec(), mirrored::reference(&a.map(|r| r.to_vec())));
    assert_eq!(mirrored(&a), out);
    let a = [[0.5; 129]; 4];
    let mut out = [[0.0; 129]; 4];
    let error = mirrored::try_into(&mut out, &a, &mut Arena::on(&mut [])).unwrap_err();
    assert!(matches!(error, ShapeError::ScratchTooSmall { needed: 4223, .. }), "{error}");
    mirrored::into(&mut out, &a, &mut Arena::new());
    assert_eq!((out, mirrored(&a)), ([[2.0 * 0.5f64.exp(); 129]; 4], out));
    assert_eq!(mirrored::<f64, 0, 4>(&[[]; 4]), [[]; 4]);
}

#[test]
fn a_frame_of_const_generics_beside_a_number_is_on_the_stack() {
    assert_eq!((after_steps::scratch([512], 9), after_steps::scratch([513], 9)), (0, 4160 + 63));
    assert_eq!(after_steps::into(&[1.0; 4], 2, &mut Arena::on(&mut [])), 10.0);
    assert_eq!((after_steps(&[1.0; 4], 2), after_steps::reference(&[1.0; 4], 2)), (10.0, 10.0));
    assert_eq!((after_steps(&[1.0; 513], 1), after_steps(&[7.0], 0)), (513.0, 7.0));
    let error = after_steps::try_into(&[1.0; 513], 1, &mut Arena::on(&mut [])).unwrap_err();
    assert!(matches!(error, ShapeError::ScratchTooSmall { needed: 4223, .. }), "{error}");
    assert_eq!((with_more::scratch([2], 0), with_more::scratch([2], 600)), (64 + 63, 4864 + 63));
    assert_eq!((with_more(&[1.0; 2], 0), with_more(&[1.0; 2], 600)), (2.0, 602.0));
}

#[test]
fn a_small_frame_of_literal_size_is_on_the_stack() {
    assert_eq!((of_literal_size::scratch(), of_larger_literal_size::scratch()), (0, 2 * 4160 + 63));
    let a: [f64; 512] = std::array::from_fn(|i| i as f64);
    assert_eq!(of_literal_size::into(&a, &mut Arena::on(&mut [])), 1022.0);
    assert_eq!((of_literal_size(&a), of_literal_size::reference(&a)), (1022.0, 1022.0));
    assert_eq!(of_larger_literal_size(&[1.0; 513]), 8.0);
    assert_eq!(of_rows_of_literal_size::scratch([1000, 8]), 0);
    let rows = vec![[1.0; 8]; 3];
    let mut out = vec![[0.0; 8]; 3];
    of_rows_of_literal_size::into(&mut out, &rows, &mut Arena::on(&mut []));
    assert_eq!(out, [[8.0; 8]; 3]);
    assert_eq!(of_rows_of_literal_size(&rows).as_slice(), [[8.0; 8]; 3]);
}

#[test]
fn tuples_as_parameters() {
    assert_eq!(tuples((&[1.0, 2.0], (0.5, &[10, 20])), 7), [17.5, 28.0]);
    assert_eq!(tuples::reference((&[1.0, 2.0], (0.5, &[10, 20])), 7), [17.5, 28.0]);
    assert_eq!(through_tuples(&[1.0, 2.0], &[10, 20]), [11.5, 22.0]);
    assert_eq!(through_tuples::reference(&[1.0, 2.0], &[10, 20]), [11.5, 22.0]);
    let error = tuples::try_call((&[1.0, 2.0], (0.5, &[10])), 7).unwrap_err();
    assert_eq!(error.to_string(), "tuples: argument p.1.1 has length 1, but n = 2 (from argument p.0)");
    assert_eq!(tuples::shape([2], [2], 7), [2]);
}

/// Const generics with the names of items of every kind, which are in scope.
#[expect(non_snake_case, dead_code)]
mod named_like_items {
    use smooth::smooth;

    pub trait A {}
    pub struct B;
    pub enum C {}
    pub type D = u8;
    pub mod E {}
    pub fn F() {}

    #[smooth]
    pub fn of_types<const A: usize, const B: usize>(a: &[f64; B]) -> [[f64; B]; A] {
        build(A, |_| *a)
    }

    #[smooth]
    pub fn of_more<const C: usize, const D: usize>(a: &[f64; D]) -> [[f64; C]; D] {
        build(D, |i| [a[i]; C])
    }

    #[smooth]
    pub fn of_values<const E: usize, const F: usize>(a: &[f64; F]) -> [[f64; E]; F] {
        of_more::<E, F>(a)
    }
}

#[test]
fn const_generics_may_have_names_of_items() {
    use named_like_items::{of_more, of_types, of_values};
    assert_eq!(of_types::<2, 3>(&[1.0, 2.0, 3.0]), [[1.0, 2.0, 3.0]; 2]);
    assert_eq!(of_types::reference::<2>(&[1.0, 2.0, 3.0]), [[1.0, 2.0, 3.0]; 2]);
    assert_eq!(of_more::<1, 2>(&[1.0, 2.0]), [[1.0], [2.0]]);
    assert_eq!(of_values::<1, 2>(&[1.0, 2.0]), [[1.0], [2.0]]);
}
