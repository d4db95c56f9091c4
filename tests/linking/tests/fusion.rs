//! Callees are inlined and fuse with their callers, also across crates.

use super::*;
use smooth_test_kernels::linalg::{vector_add, vector_map, vector_norm};

#[smooth]
fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 {
    vector_norm(&vector_add(a, b))
}

#[test]
fn a_norm_of_a_sum_is_one_loop_across_crates() {
    let text = exported!(norm_of_sum);
    assert_eq!(loops(text), (1, 0, 0), "{text}");
    assert_eq!(calls(text), 0);
    assert_eq!(norm_of_sum::scratch([1000], [1000]), 0);
    assert_eq!(norm_of_sum(&[1.0, 2.0], &[2.0, 2.0]), 5.0);
}

#[smooth]
fn scaled_norm_of_sum(a: &[f64; n], b: &[f64; n], s: f64) -> f64 {
    let scaled = |v: &[f64; n]| vector_map(v, |x| x * s);
    vector_norm(&scaled(&vector_add(a, b)))
}

#[test]
fn a_kernel_with_a_closure_fuses() {
    let text = exported!(scaled_norm_of_sum);
    assert_eq!(loops(text), (1, 0, 0), "{text}");
    assert_eq!(scaled_norm_of_sum(&[1.0, 2.0], &[2.0, 2.0], 2.0), 10.0);
}

#[smooth(passes(fuse = false))]
fn unfused(a: &[f64; n], b: &[f64; n]) -> f64 {
    vector_norm(&vector_add(a, b))
}

#[test]
fn the_array_is_stored_without_the_pass() {
    assert_eq!(loops(exported!(unfused)).2, 1);
    assert_ne!(unfused::scratch([1000], [1000]), 0);
    assert_eq!(unfused(&[1.0, 2.0], &[2.0, 2.0]), 5.0);
}

#[smooth(passes(inline = false))]
fn called(a: &[f64; n], b: &[f64; n]) -> f64 {
    vector_norm(&vector_add(a, b))
}

#[test]
fn uninlined_callees_are_called() {
    assert_eq!(calls(exported!(called)), 2);
    assert_eq!(called(&[1.0, 2.0], &[2.0, 2.0]), 5.0);
    assert_ne!(called::scratch([2], [2]), 0);
}

/// Functions of `smooth::array` are changes of indices where their result is read.
mod shapes {
    use super::*;
    use smooth::array::{concat, flatten, repeat, reshape, reverse, roll, transpose};

    fn divisions(text: &str) -> usize {
        count(text, |k| matches!(k, Kind::Prim(Prim::Div | Prim::Rem, _)))
    }

    #[smooth]
    fn sum_of_rows(a: &[f64; t], n: usize, k: usize) -> f64 {
        let m = reshape(a, n, k);
        sum(n, |i| sum(k, |j| m[i][j]))
    }

    #[smooth]
    fn twice_transposed(m: &[[f64; k]; n]) -> [[f64; k]; n] {
        transpose(&transpose(m))
    }

    #[smooth]
    fn by_flat_indices(m: &[[f64; k]; n]) -> f64 {
        let flat = flatten(m);
        sum(n, |i| sum(k, |j| flat[i * k + j]))
    }

    #[smooth]
    fn there_and_back(m: &[[f64; k]; n]) -> [[f64; k]; n] {
        reshape(&flatten(m), n, k)
    }

    #[smooth]
    fn and_forth(a: &[f64; t], n: usize, k: usize) -> [f64; t] {
        flatten(&reshape(a, n, k))
    }

    #[smooth]
    fn column_of_each(m: &[[f64; k]; n]) -> f64 {
        let r = repeat(&reverse(&build(n, |i| m[i][0])), k);
        sum(n, |i| sum(k, |j| r[i * k + j]))
    }

    #[smooth]
    fn joined(a: &[f64; n], b: &[f64; m]) -> f64 {
        let c = roll(&concat(a, b), 1);
        sum(n + m, |i| c[i])
    }

    #[test]
    fn reading_a_changed_shape_costs_nothing() {
        let m = View::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]);
        for (text, sums) in [
            (exported!(sum_of_rows), 2),
            (exported!(by_flat_indices), 2),
            (exported!(column_of_each), 2),
            (exported!(joined), 1),
        ] {
            assert_eq!((loops(text), divisions(text)), ((sums, 0, 0), usize::from(sums == 1)), "{text}");
        }
        assert_eq!((sum_of_rows(&[1.0; 6], 2, 3), by_flat_indices(m), column_of_each(m)), (6.0, 21.0, 15.0));
        assert_eq!(joined(&[1.0, 2.0], &[3.0]), 6.0);
        assert_eq!((sum_of_rows::scratch([6], 2, 3), by_flat_indices::scratch([2, 3])), (0, 0));
    }

    #[test]
    fn changes_that_cancel_are_a_copy() {
        let m = View::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]);
        for text in [exported!(twice_transposed), exported!(there_and_back)] {
            assert_eq!((loops(text).2, divisions(text)), (0, 0), "{text}");
        }
        assert_eq!(twice_transposed(m).as_slice(), there_and_back(m).as_slice());
        assert_eq!(and_forth(&[1.0, 2.0], 2, 1), [1.0, 2.0]);
        assert_eq!((twice_transposed::scratch([9, 9]), and_forth::scratch([9], 3, 3)), (0, 0));
    }
}
