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
