//! Sizes that no array has: the largest number, products and sums that overflow, huge extents next to an extent 0, shapes that
//! do not match. Each call is an error, before memory is asked for.

use smooth::array::*;
use smooth::linalg::*;
use smooth::prelude::*;
use smooth::random::{permutation, sample, uniform};
use smooth::sort::{argsort_by, sort};
use std::mem::MaybeUninit;

const HUGE: [usize; 5] = [usize::MAX, usize::MAX - 1, isize::MAX as usize + 1, isize::MAX as usize, usize::MAX / 8 + 1];

/// One element, `n` times, in an array that is stored, and read in another order.
#[smooth]
fn stored(n: usize, x: f64) -> f64 {
    let a = build(n, |i| x + i as f64);
    let b = build(n, |i| a[n - 1 - i] * a[i]);
    sum(n, |i| b[(i * 7) % n])
}

#[smooth]
fn joined(a: &[f64; n], k: usize, m: usize) -> [f64; n + k * m] {
    build(n + k * m, |i| if i < n { a[i] } else { 0.5 })
}

#[smooth]
fn cube(n: usize) -> [[[u8; n]; n]; n] {
    build([n, n, n], |i, j, k| (i + j + k) as u8)
}

/// Whether the error is about a size.
#[track_caller]
fn too_large<T>(result: Result<T, ShapeError>) {
    let error = result.err().expect("an error");
    assert!(matches!(error, ShapeError::Overflow { .. }), "{error}");
}

#[test]
fn the_largest_sizes() {
    let a = &[1.0, 2.0, 3.0];
    for n in HUGE {
        too_large(stored::try_call(n, 1.0));
        too_large(stored::try_scratch(n));
        too_large(uniform::try_call(7, n));
        too_large(permutation::try_call(7, n));
        too_large(vector_range::try_call(n));
        too_large(linspace::try_call(0.0, 1.0, n));
        too_large(repeat::try_call(a, n));
        too_large(tile::try_call(a, n));
        too_large(pad::try_call(a, n, 0, 0.0));
        too_large(pad::try_call(a, 0, n, 0.0));
        too_large(pad::try_call(a, n, n, 0.0));
        too_large(bincount::try_call(&[0], n));
        too_large(argsort_by::try_call(n, |i, j| i < j));
        too_large(sample::try_call(7, n, 1));
        too_large(joined::try_call(a, n, 1));
        too_large(joined::try_call(a, n, 2));
        too_large(joined::try_call(a, n, n));
        too_large(cube::try_call(n));
    }
    // Their products are 0, 1, 2 and 2⁶⁴ - 2³³ + 1 in arithmetic that wraps.
    for (k, m) in [(1 << 32, 1 << 32), (usize::MAX, usize::MAX), ((1 << 63) + 1, 2), ((1 << 32) - 1, (1 << 32) - 1)] {
        too_large(joined::try_call(a, k, m));
        assert!(reshape::try_call(a, k, m).is_err());
    }
    too_large(cube::try_call(1 << 22));
    assert_eq!(cube::shape(0), [0; 3]);
}

/// A destination cannot have such a shape either, and the arena is not asked for the memory.
#[test]
fn destinations_and_arenas() {
    let (mut out, mut memory) = ([7.0; 4], [MaybeUninit::new(9u8); 100]);
    for n in HUGE {
        too_large(uniform::try_into(&mut out, 7, n, &mut Arena::on(&mut memory)));
        too_large(stored::try_into(n, 1.0, &mut Arena::new()));
    }
    let error = uniform::try_into(&mut out, 7, 5, &mut Arena::new()).unwrap_err();
    assert!(matches!(error, ShapeError::Destination { found: 4, expected: 5, .. }), "{error}");
    assert_eq!(out, [7.0; 4]);
    // More memory than there is: the error has the exact number of bytes.
    let error = stored::try_into(1 << 40, 1.0, &mut Arena::on(&mut memory)).unwrap_err();
    let needed = stored::scratch(1 << 40);
    let told = ShapeError::ScratchTooSmall { kernel: "stored", needed, available: 100 };
    assert_eq!((error, needed >> 43 > 0), (told, true));
}

#[test]
fn shapes_that_do_not_match() {
    let (a, b) = (&vec![1.0; 5], &vec![1.0; 6]);
    let (m, o) = (&Array::from_elem([2, 3], 1.0), &Array::from_elem([3, 3], 1.0));
    let (mut x, arena) = (vec![7.0; 5], &mut Arena::new());
    let differs = |result: Result<(), ShapeError>, x: &[f64]| {
        assert!(matches!(result.unwrap_err(), ShapeError::Mismatch { .. } | ShapeError::Destination { .. }));
        assert_eq!(x, [7.0; 5]);
    };
    differs(vector_add::try_into(&mut x, a, b, arena), &x);
    differs(vector_add::try_into(&mut x, b, b, arena), &x);
    differs(sort::try_into(&mut x, b, arena), &x);
    differs(vector_map2::try_into(&mut x, b, a, |_, _| panic!("it runs"), arena), &x);
    assert!(matrix_add::try_call(m, o).is_err() && matrix_add::try_call(o, m).is_err());
    assert!(matrix_mul::try_call(m, m).is_err() && matrix_mul::try_call(o, m).is_err());
    assert!(concat_rows::try_call(m, &Array::from_elem([2, 2], 1.0)).is_err());
    assert!(vector_slice::try_call(a, 3, 1).is_err());
    // 0 differs from 1, too.
    assert!(vector_add::try_call(&[], &[1.0]).is_err() && vector_add::try_call(&[1.0], &[]).is_err());
}

/// Views of nothing may have any extents besides the 0.
#[test]
fn no_elements_and_huge_extents() {
    for n in HUGE {
        let (wide, tall) = (View::new(&[], [0, n]), View::new(&[0.0; 0], [n, 0]));
        assert_eq!((matrix_rows(wide), matrix_cols(wide)), (0, n));
        assert_eq!((matrix_rows(tall), matrix_cols(tall)), (n, 0));
        assert_eq!(transpose::try_shape([0, n]), Ok([n, 0]));
        assert_eq!(flatten(wide), []);
        assert!(View::<f64, 2>::try_new(&[], [n, 1]).is_err());
        assert!(View::<f64, 2>::try_new(&[0.0], [n, n]).is_err());
        assert!(View::<f64, 3>::try_new(&[0.0], [n, n, n]).is_err());
        // A size that is computed is at most `isize::MAX`, even of nothing.
        let nothing = View::new(&[], [0, 0]);
        assert_eq!(concat_columns::try_call(wide, nothing).is_ok(), n <= isize::MAX as usize);
        assert_eq!(concat_columns::try_call(wide, wide).is_ok(), n <= isize::MAX as usize / 2);
        assert!(matrix_add::try_call(wide, View::new(&[], [0, n - 1])).is_err());
        assert_eq!(matrix_add(wide, wide).shape(), [0, n]);
        assert!(reshape::try_call(&[0.0; 0], 0, n).is_ok());
        // Not an array of 2⁶³ and more numbers, and no sums over nothing of such.
        assert!(matrix_mul::try_call(tall, wide).is_err());
        assert_eq!(matrix_mul(wide, tall).shape(), [0, 0]);
    }
}
