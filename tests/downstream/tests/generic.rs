//! Type parameters and const generics, used from another crate and from its kernels.

use maths::prelude::*;
use smooth_test_downstream::generic::*;

const N: usize = 3;

/// Callees whose types are inferred, written and forwarded; sizes by constant, number and const generic.
#[smooth(crate = maths)]
fn calls<T: Real, const M: usize>(m: &[[T; 2]; M], x: &[T; 2], s: &[f32; n]) -> ([T; M], T, [f32; n], [T; N], f64) {
    let a = matvec(m, x);
    let (ones, twos) = ones_and_twos::<f64, N, 4>();
    let r = row_sums::<_, M>(m);
    let d = dot::<T>(a, r) + dot(&ones, &twos[0..3]) as T;
    (a, d, long(s), resized::<T, N>(x, 0.25), dot::<f64>(&ones, &ones))
}

#[test]
fn kernels_of_other_crates() {
    assert_eq!(dot::<f32>(&[1.0, 2.0], &[3.0, 4.0]), 11.0f32);
    assert_eq!(dot(&[1.0f64, 2.0], &[3.0, 4.0]), 11.0f64);
    assert_eq!(dot::into::<f32>(&[1.0, 2.0], &[3.0, 4.0], &mut Arena::new()), 11.0);
    assert_eq!(matvec(&[[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]], &[1.0, 10.0]), [21.0, 43.0, 65.0]);
    let (ones, twos): ([f32; 2], [f32; 1]) = ones_and_twos();
    assert_eq!((ones, twos), ([1.0, 1.0], [2.0]));
    assert_eq!(resized::<f64, 3>(&[1.0], 7.0), [1.0, 7.0, 7.0]);
    assert_eq!(resized::<f64, 0>(&[1.0], 7.0), [0.0; 0]);
    let (mut a, mut b) = ([0.0f64; 0], [0.0; 2]);
    ones_and_twos::into(&mut a, &mut b, &mut Arena::new());
    assert_eq!(b, [2.0; 2]);
    assert_eq!(ones_and_twos::reference::<f32, 1, 2>(), (vec![1.0], vec![2.0, 2.0]));
}

#[test]
fn kernels_that_call_generic_kernels() {
    let (m, x, s) = ([[1.0f32, 2.0], [3.0, 4.0]], [1.0, 10.0], [0.5f32, 0.25, 4.0]);
    let got = calls(&m, &x, &s);
    let of_reference = calls::reference(&m.map(|r| r.to_vec()), &x, &s);
    assert_eq!(
        (&got.0[..], got.1, &got.2, &got.3[..], got.4),
        (&of_reference.0[..], of_reference.1, &of_reference.2, &of_reference.3[..], of_reference.4)
    );
    assert_eq!((got.0, got.3, got.4), ([21.0, 43.0], [1.0, 10.0, 0.25], 3.0));
    let wide = calls(&[[1.0f64, 2.0], [3.0, 4.0]], &[1.0, 10.0], &s);
    assert_eq!((wide.0, wide.1, wide.2), ([21.0, 43.0], 21.0 * 3.0 + 43.0 * 7.0 + 6.0, got.2));
}

/// Callees over all numbers and over every type, one of them with a separate frame.
#[smooth(crate = maths)]
fn of_bounds<T: Number, U: Scalar>(a: &[T; n], b: &[U; n]) -> ([T; 2 * n], [U; 2 * n], [u8; n], [f64; n]) {
    let mixed_up = mixed(a, 7);
    let bytes = mixed(&build(n, |i| a[i] as u8), 5);
    let halves = mixed(&build(n, |i| 0.5 * a[i] as f64), 3.5);
    (interleaved(a, &mixed_up), interleaved(b, b), bytes, halves)
}

#[test]
fn callees_with_bounds_take_the_types_that_these_admit() {
    macro_rules! agree {
        ($($a:expr, $b:expr;)*) => {$(
            let (a, b) = ($a, $b);
            assert_eq!(of_bounds(&a, &b), of_bounds::reference(&a, &b));
            assert_eq!(mixed(&a, 5 as _), mixed::reference(&a, 5 as _));
        )*};
    }
    agree! {
        [1u8, 100, 30], [true, false, true];
        [1i64, 100, 30, -4], [0.5f32; 4];
        [0.25f64, 3.5], [u64::MAX, 1];
        [0usize; 0], [0i8; 0];
    }
    let bytes = |len: usize| len.next_multiple_of(64);
    assert_eq!(mixed::scratch::<u8>([100]), bytes(100) + 63);
    assert_eq!(mixed::scratch::<f64>([100]), bytes(800) + 63);
}

/// A const generic is a size of the destination. An argument with another size is an error, and nothing is written.
#[test]
fn sizes_that_do_not_fit() {
    let m = Array::from_fn([5, 2], |_| 1.0f64);
    let mut out = [7.0f64; 2];
    let error = row_sums::try_into::<f64, 2>(&mut out, &m, &mut Arena::new()).unwrap_err();
    assert!(matches!(error, ShapeError::Mismatch { argument: "m", axis: 0, found: 5, expected: 2, .. }), "{:?}", error);
    assert!(row_sums::try_call::<f64, 9>(&m).is_err());
    assert!(row_sums::try_call::<f64, 0>(&m).is_err());
    assert_eq!(out, [7.0; 2]);
    assert_eq!(row_sums::<f64, 5>(&m), [2.0; 5]);
}

/// Const generics and type parameters in any order, as in Rust.
#[test]
fn generics_keep_their_order() {
    #[smooth(crate = maths)]
    fn shifted<const K: usize, T: Real, const M: usize>(a: &[T; K]) -> [T; M] {
        build(M, |i| a[i % K] + 1.0)
    }
    #[smooth(crate = maths)]
    fn twice<const M: usize, T: Real>(a: &[T; M]) -> [T; 4] {
        shifted::<2, T, 4>(shifted::<M, _, 2>(a))
    }
    assert_eq!(shifted::<1, f32, 2>(&[1.0]), [2.0, 2.0]);
    assert_eq!(shifted::try_call::<1, f32, 2>(&[1.0]), Ok([2.0, 2.0]));
    assert_eq!((shifted::shape::<1, 2>(), shifted::scratch::<1, f32, 2>()), ([2], 0));
    assert_eq!(shifted::reference::<f32, 2>(&[1.0]), [2.0, 2.0]);
    assert_eq!(twice(&[1.0f32]), [3.0; 4]);
    assert_eq!(twice::reference(&[1.0f32]), [3.0; 4]);
}

const HALF: f32 = 0.5;
const THREE: i64 = 3;

/// Only rustc knows the type of a constant, so a cast to a type parameter goes through the constant's own type.
#[test]
fn constants_as_type_parameters() {
    #[smooth(crate = maths)]
    fn scaled<T: Real>(a: &[T; n]) -> [T; n] {
        build(n, |i| a[i] * HALF as T + THREE as T)
    }
    #[smooth(crate = maths)]
    fn single(a: &[f32; n]) -> [f32; n] {
        scaled(a)
    }
    assert_eq!((scaled(&[1.0f32]), scaled(&[1.0f64]), single(&[1.0])), (vec![3.5f32], vec![3.5f64], vec![3.5]));
    assert_eq!((scaled::reference(&[1.0f32]), single::reference(&[1.0])), (vec![3.5f32], vec![3.5]));
}

struct Model;

impl Model {
    const GAIN: f64 = 3.0;
    const INPUTS: usize = 2;
}

mod dims {
    pub const ROWS: usize = 3;
    pub mod inner {
        pub const ROWS: usize = 4;
    }
    pub use self::inner::ROWS as COLUMNS;
}

static OFFSET: f64 = 5.0;

/// Constants by any path, including associated ones, as sizes and as values; two with the same name.
#[test]
fn constants_by_paths() {
    #[smooth(crate = maths)]
    fn gained(a: &[f64; n]) -> [f64; n] {
        build(n, |i| Model::GAIN * a[i] + OFFSET)
    }
    #[smooth(crate = maths)]
    fn sums(
        a: &[f64; dims::ROWS],
        b: &[[f64; dims::COLUMNS]; dims::inner::ROWS],
        c: &[f64; Model::INPUTS],
    ) -> [[f64; crate::dims::ROWS]; self::dims::COLUMNS] {
        build([dims::COLUMNS, dims::ROWS], |i, j| a[j] + b[i][i] + c[0] + dims::ROWS as f64)
    }
    #[smooth(crate = maths)]
    fn repeated(a: &[f64; dims::ROWS], times: usize) -> [f64; dims::ROWS * times] {
        build(dims::ROWS * times, |i| a[i % dims::ROWS])
    }
    #[smooth(crate = maths)]
    fn both(a: &[f64; n]) -> [f64; n] {
        let b = sums(a, &[[1.0; 4]; 4], &[0.0, 1.0]);
        build(n, |i| b[i][i] + repeated(a, 2)[n + i])
    }
    assert_eq!(gained(&[1.0]), [8.0]);
    assert_eq!(sums(&[1.0, 2.0, 3.0], &[[1.0; 4]; 4], &[0.0, 1.0]), [[5.0, 6.0, 7.0]; 4]);
    assert_eq!(repeated(&[1.0, 2.0, 3.0], 2), [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    assert_eq!(
        (both(&[1.0, 2.0, 3.0]), both::reference(&[1.0, 2.0, 3.0])),
        (vec![6.0, 8.0, 10.0], vec![6.0, 8.0, 10.0])
    );
    let error = both::try_call(&[1.0; 4]).unwrap_err();
    assert!(matches!(error, ShapeError::Unequal { left_value: 4, right_value: 3, .. }), "{:?}", error);
}
