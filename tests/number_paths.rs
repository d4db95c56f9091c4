//! Functions and constants of numbers by the paths that Rust gives them, in kernels of one type and of several.

use smooth::prelude::*;

#[smooth]
fn by_type(a: f64, b: f64) -> [f64; 6] {
    [f64::max(a, b), f64::sqrt(a), f64::powi(b, 2), f64::from(3), f64::hypot(3.0, b), f64::abs(-2.0)]
}

#[smooth]
fn of_std(k: usize, n: usize) -> (usize, usize, usize, i32) {
    (std::cmp::min(k, n), core::cmp::max(k, n), usize::min(k, 2), i32::pow(k as i32, 2))
}

#[smooth]
fn constants() -> [f64; 6] {
    [std::f64::consts::PI, core::f64::consts::E, f64::EPSILON, f64::MAX, f64::INFINITY, usize::MAX as f64]
}

#[smooth]
fn generic<T: Real>(x: T, y: T) -> [T; 5] {
    [T::max(x, y), T::sqrt(4.0), T::from(2.5) * x, T::from(3), T::mul_add(x, y, 1.0)]
}

#[smooth]
fn limits<T: Real>(x: T) -> [T; 6] {
    [T::NEG_INFINITY.max(x), T::INFINITY, T::EPSILON, T::MAX, T::MIN, T::MIN_POSITIVE]
}

#[smooth]
fn ends<T: Number>(a: &[T; n]) -> (T, T) {
    let (mut least, mut largest) = (T::MAX, T::MIN);
    for x in a {
        least = least.min(*x);
        largest = largest.max(*x);
    }
    (least, largest)
}

#[smooth]
fn largest<T: Real>(a: &[T; n]) -> T {
    ifold(n, T::NEG_INFINITY, |m, i| T::max(m, a[i]))
}

#[smooth]
fn relative<T: Real>(a: &[T; n]) -> [T; n] {
    build(n, |i| a[i] + T::EPSILON * a[i] + T::NAN.min(0.0))
}

#[smooth]
fn calls_generic(a: &[f32; n], b: &[f64; n]) -> (f32, f64) {
    (sum(n, |i| limits(a[i])[2]), sum(n, |i| limits(b[i])[2]))
}

#[smooth]
fn map(a: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] {
    build(n, |i| f(a[i]))
}

/// Functions of numbers as arguments of kernels and of built-ins, and bound to names.
#[smooth]
fn passed(a: &[f64; n], k: &[usize; m]) -> ([f64; n], f64, usize, [f64; m], [f64; n]) {
    let above = f64::max;
    let root = <f64>::sqrt;
    let largest = reduce(n, f64::NEG_INFINITY, f64::max, |i| a[i]);
    let least = reduce(m, usize::MAX, std::cmp::min, |i| k[i]);
    (map(a, f64::abs), largest, least, build(m, f64::from), build(n, |i| root(above(a[i], 0.0))))
}

#[smooth]
fn passed_open<T: Real>(a: &[T; n], x: T) -> (T, [T; n]) {
    let power = T::powi;
    (reduce(n, T::INFINITY, T::min, |i| a[i]), build(n, |i| power(a[i] + x, 2)))
}

const FLAG: bool = true;
const STEP: u8 = 200;

/// Conversions by Rust's `From`, also of `bool`s, which are 0 or 1.
#[smooth]
fn integers(a: &[u8; n], x: &[f64; n]) -> ([u64; n], [usize; n], usize, i32, usize, f64) {
    let wide = usize::from;
    let above = count(n, |i| x[i] > 0.5) + sum(n, |i| (x[i] > 0.5) as usize);
    let signs = sum(n, |i| i32::from(x[i] > 0.5) - (x[i] < 0.5) as i32);
    let all = build(n, |i| u64::from(a[i]) * u64::from(3u32) + u64::from(7));
    let constants = usize::from(FLAG) + usize::from(STEP) + FLAG as usize;
    (all, build(n, |i| wide(a[i])), above, signs, constants, sum(n, |i| f64::from(x[i] > 0.5) * x[i]) + f64::from(STEP))
}

#[test]
fn integers_are_converted_without_loss() {
    let (a, x) = ([1, 255], [0.2, 0.7]);
    let expected = (vec![10, 772], vec![1, 255], 2, 0, 202, 200.7);
    assert_eq!(integers::reference(&a, &x), expected);
    let (all, wide, above, signs, constants, float) = integers(&a, &x);
    assert_eq!((all.to_vec(), wide.to_vec(), above, signs, constants, float), expected);
}

#[test]
fn functions_of_a_type_are_functions() {
    let (a, k) = ([1.0, -4.0, 9.0], [7, 3]);
    let expected = (vec![1.0, 4.0, 9.0], 9.0, 3, vec![0.0, 1.0], vec![1.0, 0.0, 3.0]);
    assert_eq!(passed::reference(&a, &k), expected);
    let (abs, largest, least, indices, roots) = passed(&a, &k);
    assert_eq!((abs.to_vec(), largest, least, indices.to_vec(), roots.to_vec()), expected);
    let (least, squares) = passed_open(&[2.0f32, -1.0], 1.0);
    assert_eq!((least, squares.to_vec()), (-1.0, vec![9.0, 0.0]));
    assert_eq!(passed_open::reference(&[2.0f64, -1.0], 1.0), (-1.0, vec![9.0, 0.0]));
}

#[test]
fn functions_of_a_type_are_its_methods() {
    let (a, b) = (2.0f64, -1.5f64);
    let expected = [f64::max(a, b), a.sqrt(), b * b, 3.0, 3.0f64.hypot(b), 2.0];
    assert_eq!(by_type(a, b), expected);
    assert_eq!(by_type::reference(a, b), expected);
    assert_eq!(of_std(3, 5), (3, 5, 2, 9));
    assert_eq!(of_std::reference(3, 5), (3, 5, 2, 9));
}

#[test]
fn constants_have_the_bits_of_std() {
    let expected =
        [std::f64::consts::PI, std::f64::consts::E, f64::EPSILON, f64::MAX, f64::INFINITY, usize::MAX as f64];
    assert_eq!(constants(), expected);
    assert_eq!(constants::reference(), expected);
}

#[test]
fn type_parameters_have_the_functions_of_their_type() {
    assert_eq!(generic(1.5f32, 4.0), [4.0, 2.0, 3.75, 3.0, 7.0]);
    assert_eq!(generic::reference(1.5f64, 4.0), [4.0, 2.0, 3.75, 3.0, 7.0]);
    let single = [1.0, f32::INFINITY, f32::EPSILON, f32::MAX, f32::MIN, f32::MIN_POSITIVE];
    let double = [1.0, f64::INFINITY, f64::EPSILON, f64::MAX, f64::MIN, f64::MIN_POSITIVE];
    assert_eq!((limits(1.0f32), limits(1.0f64)), (single, double));
    assert_eq!((limits::reference(1.0f32), limits::reference(1.0f64)), (single.to_vec(), double.to_vec()));
    assert_eq!(largest(&[-3.0f32, -2.0]), -2.0);
    assert_eq!(largest::<f64>(&[]), f64::NEG_INFINITY);
    assert_eq!(relative(&[1.0f32]), [1.0 + f32::EPSILON]);
    assert_eq!(relative::reference(&[1.0f64]), [1.0 + f64::EPSILON]);
    assert_eq!(calls_generic(&[0.0; 2], &[0.0; 2]), (2.0 * f32::EPSILON, 2.0 * f64::EPSILON));
    macro_rules! ends_of {
        ($($ty:ident)*) => {$({
            assert_eq!(ends::<$ty>(&[]), ($ty::MAX, $ty::MIN));
            assert_eq!(ends::reference::<$ty>(&[]), ($ty::MAX, $ty::MIN));
            assert_eq!(ends(&[3 as $ty, 5 as $ty]), (3 as $ty, 5 as $ty));
        })*};
    }
    ends_of!(f32 f64 usize i8 i16 i32 i64 u8 u16 u32 u64);
}
