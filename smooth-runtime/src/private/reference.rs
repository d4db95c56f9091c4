//! The functions that `f::reference`, the kernel's body as plain Rust, calls: slow and obvious.
use alloc::{vec, vec::Vec};
use core::ops::Range;

pub use crate::reduce::{max_ordered as max, min_ordered as min, prod_ordered as prod, sum_ordered as sum};

/// `[f(0), …, f(n - 1)]`
pub fn build<T>(n: usize, f: impl Fn(usize) -> T) -> Vec<T> {
    (0..n).map(f).collect()
}

/// `f(… f(f(init, 0), 1) …, n - 1)`
pub fn ifold<S>(n: usize, init: S, f: impl Fn(S, usize) -> S) -> S {
    (0..n).fold(init, f)
}

/// `op(… op(op(init, f(0)), f(1)) …, f(n - 1))`
pub fn reduce<S>(n: usize, init: S, op: impl Fn(S, S) -> S, f: impl Fn(usize) -> S) -> S {
    (0..n).map(f).fold(init, op)
}

/// The states after each of `n` steps.
pub fn scan<S: Clone>(n: usize, init: S, f: impl Fn(S, usize) -> S) -> Vec<S> {
    let mut state = init;
    let step = |i| {
        state = f(state.clone(), i);
        state.clone()
    };
    (0..n).map(step).collect()
}

/// The states before each of `n` steps.
pub fn scan_exclusive<S: Clone>(n: usize, init: S, f: impl Fn(S, usize) -> S) -> Vec<S> {
    let mut state = init;
    let step = |i| {
        let next = f(state.clone(), i);
        core::mem::replace(&mut state, next)
    };
    (0..n).map(step).collect()
}

/// The number of indices for which `f` holds.
pub fn count(n: usize, f: impl Fn(usize) -> bool) -> usize {
    (0..n).filter(|i| f(*i)).count()
}

/// Whether `f` holds anywhere.
pub fn any(n: usize, f: impl Fn(usize) -> bool) -> bool {
    (0..n).any(f)
}

/// Whether `f` holds everywhere.
pub fn all(n: usize, f: impl Fn(usize) -> bool) -> bool {
    (0..n).all(f)
}

/// The index of the first of the smallest numbers; a NaN is not one, unless all are.
///
/// # Panics
/// If there are none.
#[track_caller]
pub fn argmin<T: PartialOrd>(n: usize, f: impl Fn(usize) -> T) -> usize {
    best(n, f, |x, y| x < y)
}

/// The index of the first of the largest numbers; a NaN is not one, unless all are.
///
/// # Panics
/// If there are none.
#[track_caller]
pub fn argmax<T: PartialOrd>(n: usize, f: impl Fn(usize) -> T) -> usize {
    best(n, f, |x, y| x > y)
}

/// The indices along several axes of the first of the smallest numbers, in the order of nested loops.
///
/// # Panics
/// If there are none.
#[track_caller]
pub fn argmin_over<T: PartialOrd, const R: usize>(n: [usize; R], f: impl Fn([usize; R]) -> T) -> [usize; R] {
    place(argmin(n.iter().product(), |k| f(place(k, n))), n)
}

/// The indices along several axes of the first of the largest numbers, in the order of nested loops.
///
/// # Panics
/// If there are none.
#[track_caller]
pub fn argmax_over<T: PartialOrd, const R: usize>(n: [usize; R], f: impl Fn([usize; R]) -> T) -> [usize; R] {
    place(argmax(n.iter().product(), |k| f(place(k, n))), n)
}

/// The indices of the `k`th step of nested loops.
fn place<const R: usize>(mut k: usize, n: [usize; R]) -> [usize; R] {
    let mut at = n;
    for (i, n) in at.iter_mut().zip(n).rev() {
        *i = k % n;
        k /= n;
    }
    at
}

#[track_caller]
#[allow(clippy::eq_op, reason = "a NaN differs from itself")]
fn best<T: PartialOrd>(n: usize, f: impl Fn(usize) -> T, better: impl Fn(&T, &T) -> bool) -> usize {
    let numbers = (0..n).map(f).enumerate().filter(|(_, x)| x == x);
    let first = numbers.reduce(|a, b| if better(&b.1, &a.1) { b } else { a });
    crate::math::one_of(first.map_or(0, |(i, _)| i), n)
}

/// The step of a range, whose own check would name a place in std.
///
/// # Panics
/// If it is 0.
#[track_caller]
#[must_use]
pub fn step(by: usize) -> usize {
    assert!(by != 0, "assertion failed: step != 0");
    by
}

/// `[x, …, x]`, of length `n`.
pub fn fill<T: Clone>(x: T, n: usize) -> Vec<T> {
    vec![x; n]
}

/// `f` of each row of a constant array.
pub fn rows<T, U>(a: &[T], f: impl Fn(&T) -> U) -> Vec<U> {
    a.iter().map(f).collect()
}

/// A copy of `a[range]`.
///
/// # Panics
/// As `a[range]` does.
#[track_caller]
pub fn slice<T: Clone>(a: &[T], range: Range<usize>) -> Vec<T> {
    a[range].to_vec()
}

/// Elements of a `Vec`: a number, or a value that keeps its shape.
pub trait Cell: Clone {
    /// `self = value`.
    ///
    /// # Panics
    /// If the shapes differ.
    fn put(&mut self, value: Self);
}

impl<T: crate::scalar::Scalar> Cell for T {
    fn put(&mut self, value: Self) {
        *self = value;
    }
}

impl<T: Cell> Cell for Vec<T> {
    #[track_caller]
    fn put(&mut self, value: Self) {
        put_each(self, &value);
    }
}

macro_rules! tuples {
    ($($t:ident $k:tt)*) => {
        impl<$($t: Cell),*> Cell for ($($t,)*) {
            #[track_caller]
            fn put(&mut self, value: Self) {
                $(self.$k.put(value.$k);)*
            }
        }
    };
}

tuples!(A 0);
tuples!(A 0 B 1);
tuples!(A 0 B 1 C 2);
tuples!(A 0 B 1 C 2 D 3);
tuples!(A 0 B 1 C 2 D 3 E 4);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);

/// `place = value`, for a row or a plane of an array.
///
/// # Panics
/// If the shapes differ.
#[track_caller]
pub fn put<T: Cell>(place: &mut T, value: T) {
    place.put(value);
}

/// `places.fill(value)`
///
/// # Panics
/// If the shapes differ.
#[track_caller]
pub fn put_all<T: Cell>(places: &mut [T], value: T) {
    places.iter_mut().for_each(|p| p.put(value.clone()));
}

/// `places.copy_from_slice(values)`
///
/// # Panics
/// If the shapes differ.
#[track_caller]
pub fn put_each<T: Cell>(places: &mut [T], values: &[T]) {
    assert_eq!(places.len(), values.len(), "the lengths of source and destination differ");
    places.iter_mut().zip(values).for_each(|(p, v)| p.put(v.clone()));
}

/// A number, or an array or a tuple of such values.
pub trait Constant {
    /// The type with vectors instead of arrays.
    type Value;
    /// The value.
    fn value(&self) -> Self::Value;
}

/// A constant, with vectors instead of arrays.
pub fn constant<C: Constant + ?Sized>(c: &C) -> C::Value {
    c.value()
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Constant for $number {
            type Value = $number;

            fn value(&self) -> $number {
                *self
            }
        }
    )*};
}
numbers! { bool f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl<C: Constant> Constant for [C] {
    type Value = Vec<C::Value>;

    fn value(&self) -> Vec<C::Value> {
        self.iter().map(C::value).collect()
    }
}

impl<C: Constant, const N: usize> Constant for [C; N] {
    type Value = Vec<C::Value>;

    fn value(&self) -> Vec<C::Value> {
        self[..].value()
    }
}

impl<C: Constant + ?Sized> Constant for &C {
    type Value = C::Value;

    fn value(&self) -> C::Value {
        (**self).value()
    }
}

macro_rules! tuples {
    ($([$($part:ident $k:tt),*];)*) => {$(
        impl<$($part: Constant),*> Constant for ($($part,)*) {
            type Value = ($($part::Value,)*);

            fn value(&self) -> Self::Value {
                ($(self.$k.value(),)*)
            }
        }
    )*};
}
tuples! {
    [A 0];
    [A 0, B 1];
    [A 0, B 1, C 2];
    [A 0, B 1, C 2, D 3];
    [A 0, B 1, C 2, D 3, E 4];
    [A 0, B 1, C 2, D 3, E 4, F 5];
    [A 0, B 1, C 2, D 3, E 4, F 5, G 6];
    [A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7];
}
