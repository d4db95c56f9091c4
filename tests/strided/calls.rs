//! Strided arguments of other kernels.

use crate::kernels::*;
use crate::views::matrices;
use smooth::prelude::*;

#[test]
fn rows_of_strided_arguments() {
    for (what, v) in matrices() {
        let copy = v.to_array();
        let expected = rows_joined_in(&copy);
        assert_eq!(rows_joined_in(v), expected, "{what}");
        assert_eq!(rows_for_contiguous(v), expected, "{what}");
        assert_eq!(rows_for_strided(v), expected, "{what}");
        let [n, k] = v.shape();
        if n > 0 {
            assert_eq!(weighted_rows(v), weighted_rows(&copy), "{what}");
            let mut row: Vec<f64> = (0..k).map(|j| v[[n - 1, j]]).collect();
            row.reverse();
            assert_eq!(reversed_row(v), row, "{what}");
        }
        let sums = applied(|row: &[f64]| row.iter().sum(), v);
        assert_eq!(sums, applied(|row: &[f64]| row.iter().sum(), &copy), "{what}");
    }
}

#[test]
fn a_copy_is_in_the_frame_of_its_kernel() {
    assert_eq!(rows_joined_in::scratch([6, 7]), 0);
    assert_eq!(rows_for_strided::scratch([6, 7]), 0);
    // A row of 7 numbers, in a multiple of 64 bytes, and 63 for the beginning of an arena.
    assert_eq!(rows_for_contiguous::scratch([6, 7]), 64 + 63);
    assert_eq!(applied::scratch([6, 7]), 64 + 63);
}

#[test]
fn contiguous_arrays_for_strided_parameters() {
    let t = Array::from_fn([2, 4, 3], |[h, i, j]| (h * 100 + i * 10 + j) as f64);
    let w = [0.5, 0.25, 2.0, 1.0];
    let expected: Vec<f64> = (0..3)
        .map(|j| {
            let column = |h: usize| (0..4).map(|i| w[i] * t[[h, i, j]]).sum::<f64>();
            column(0) + 2.0 * column(1)
        })
        .collect();
    assert_eq!(passes_contiguous(&t, &w), expected);
}
