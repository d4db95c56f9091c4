//! The generic arguments of calls, between `::<` and `>`: types, sizes, and `_` for those that are inferred, in kernels and in
//! their references.

use smooth::prelude::*;

#[smooth]
fn repeated<const N: usize, const M: usize>(x: &[f64; N]) -> [f64; M] {
    build(M, |i| x[i % N])
}

/// Sizes before, between and after the types.
#[smooth]
fn mixed<const N: usize, T: Real, const M: usize, U: Number>(x: &[T; N], y: U) -> [T; M] {
    build(M, |i| x[i % N] + y as T)
}

#[smooth]
fn all_known<T: Real, const N: usize>(x: &[T; N]) -> T {
    sum(N, |i| x[i])
}

#[smooth]
fn inferred() -> [f64; 4] {
    repeated::<_, 4>(&[1.0, 2.0])
}

#[smooth]
fn written() -> [f64; 4] {
    repeated::<2, 4>(&[1.0, 2.0])
}

#[smooth(passes(inline = false))]
fn of_a_generic<const M: usize>(x: &[f64; n]) -> [f64; M] {
    repeated::<_, M>(x)
}

#[smooth]
fn mixed_with_one_of_each(x: &[f32; 2]) -> [f32; 3] {
    mixed::<_, f32, 3, _>(x, 1)
}

#[smooth]
fn mixed_with_the_other_type(x: &[f32; 2]) -> [f32; 3] {
    mixed::<2, _, 3, u8>(x, 1)
}

/// By a call that is not inlined. The first `_` is a size, and the written argument is the second type.
#[smooth(passes(inline = false))]
fn mixed_with_the_last_type(x: &[f32; n]) -> [f32; 3] {
    mixed::<_, _, { 3 }, u8>(x, 1)
}

#[smooth]
fn nothing_written(x: &[f64; 2]) -> (f64, f64) {
    (all_known::<_, _>(x), all_known(x))
}

#[smooth]
fn one_of_two_written(x: &[f64; 2]) -> (f64, f64) {
    (all_known::<f64, _>(x), all_known::<_, 2>(x))
}

/// A kernel that is passed as a function.
#[smooth]
fn mapped(x: &[[f64; 2]; n], f: impl Fn(&[f64; 2]) -> f64) -> [f64; n] {
    build(n, |i| f(&x[i]))
}

#[smooth]
fn passed(x: &[[f64; 2]; n]) -> ([f64; n], [f64; n]) {
    (mapped(x, all_known::<f64, 2>), mapped(x, all_known::<_, _>))
}

#[smooth]
fn passed_with_a_size(n: usize) -> [f64; n] {
    build(n, filled::<3>)
}

#[smooth]
fn filled<const N: usize>(i: usize) -> f64 {
    sum(N, |j| (i + j) as f64)
}

#[test]
fn a_size_that_is_not_written_is_that_of_the_argument() {
    assert_eq!((inferred(), inferred::reference()), ([1.0, 2.0, 1.0, 2.0], vec![1.0, 2.0, 1.0, 2.0]));
    assert_eq!((written(), written::reference()), ([1.0, 2.0, 1.0, 2.0], vec![1.0, 2.0, 1.0, 2.0]));
    assert_eq!(of_a_generic::<3>(&[1.0, 2.0]), [1.0, 2.0, 1.0]);
    assert_eq!(of_a_generic::reference::<3>(&[1.0, 2.0]), [1.0, 2.0, 1.0]);
    assert_eq!(repeated::<_, 3>(&[1.0, 2.0]), [1.0, 2.0, 1.0], "as from Rust");
}

#[test]
fn what_is_not_written_has_a_place() {
    for kernel in [mixed_with_one_of_each, mixed_with_the_other_type] {
        assert_eq!(kernel(&[1.0, 2.0]), [2.0, 3.0, 2.0]);
    }
    assert_eq!(mixed_with_the_last_type(&[1.0, 2.0]), [2.0, 3.0, 2.0]);
    for reference in [mixed_with_one_of_each::reference, mixed_with_the_other_type::reference] {
        assert_eq!(reference(&[1.0, 2.0]), [2.0, 3.0, 2.0]);
    }
    assert_eq!(mixed_with_the_last_type::reference(&[1.0, 2.0]), [2.0, 3.0, 2.0]);
    assert_eq!((nothing_written(&[1.0, 2.0]), nothing_written::reference(&[1.0, 2.0])), ((3.0, 3.0), (3.0, 3.0)));
    assert_eq!((one_of_two_written(&[1.0, 2.0]), one_of_two_written::reference(&[1.0, 2.0])), ((3.0, 3.0), (3.0, 3.0)));
}

#[test]
fn functions_that_are_passed_have_them_too() {
    let x = [[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(passed(&x), (vec![3.0, 7.0], vec![3.0, 7.0]));
    assert_eq!(passed::reference(&x.map(Vec::from)), (vec![3.0, 7.0], vec![3.0, 7.0]));
    assert_eq!((passed_with_a_size(2), passed_with_a_size::reference(2)), (vec![3.0, 6.0], vec![3.0, 6.0]));
}
