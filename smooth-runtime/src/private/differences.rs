//! Central differences: the reference of a derivative. They know nothing of its rules.
use crate::shape::indices;
use crate::{Array, Layout, Real, RowMajor, Scalar, View};
use alloc::vec::Vec;

/// The floats of a value, in order.
pub trait Floats {
    /// The error of a difference that is not surprising, for values about 1.
    const ERROR: f64;

    /// Hands each of them to `to`.
    fn read(&self, to: &mut dyn FnMut(f64));
    /// Replaces each of them.
    fn write(&mut self, from: &mut dyn FnMut() -> f64);
}

impl<T: Real> Floats for T {
    const ERROR: f64 = if size_of::<T>() < 8 { 1e-2 } else { 1e-5 };

    fn read(&self, to: &mut dyn FnMut(f64)) {
        to(self.to_f64());
    }

    fn write(&mut self, from: &mut dyn FnMut() -> f64) {
        *self = T::from_f64(from());
    }
}

impl<T: Floats> Floats for [T] {
    const ERROR: f64 = T::ERROR;

    fn read(&self, to: &mut dyn FnMut(f64)) {
        self.iter().for_each(|x| x.read(to));
    }

    fn write(&mut self, from: &mut dyn FnMut() -> f64) {
        self.iter_mut().for_each(|x| x.write(from));
    }
}

impl<T: Floats> Floats for Vec<T> {
    const ERROR: f64 = T::ERROR;

    fn read(&self, to: &mut dyn FnMut(f64)) {
        self[..].read(to);
    }

    fn write(&mut self, from: &mut dyn FnMut() -> f64) {
        self[..].write(from);
    }
}

impl<T: Floats, const N: usize> Floats for [T; N] {
    const ERROR: f64 = T::ERROR;

    fn read(&self, to: &mut dyn FnMut(f64)) {
        self[..].read(to);
    }

    fn write(&mut self, from: &mut dyn FnMut() -> f64) {
        self[..].write(from);
    }
}

impl<T: Floats, const R: usize, L: Layout> Floats for Array<T, R, L> {
    const ERROR: f64 = T::ERROR;

    fn read(&self, to: &mut dyn FnMut(f64)) {
        indices::<RowMajor, R>(self.shape(), self.len()).for_each(|at| self[at].read(to));
    }

    fn write(&mut self, from: &mut dyn FnMut() -> f64) {
        indices::<RowMajor, R>(self.shape(), self.len()).for_each(|at| self[at].write(from));
    }
}

/// An array of the elements of a view.
pub fn held<T: Clone, const R: usize, L: Layout>(view: &View<'_, T, R, L>) -> Array<T, R, L> {
    Array::of(view.as_slice().to_vec(), view.shape())
}

/// An array of zeros.
pub fn zeros<T: Scalar, const R: usize, L: Layout>(shape: [usize; R]) -> Array<T, R, L> {
    Array::by_index(shape, |_| T::default())
}

/// Numbers between -1 and 1 that follow from the seed; zeros for the seed 0.
pub fn scatter(x: &mut (impl Floats + ?Sized), seed: usize) {
    let mut state = seed as u64;
    x.write(&mut || {
        // An additive sequence, mixed by a product.
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(seed as u64);
        if seed == 0 { 0.0 } else { (state >> 33) as f64 / f64::from(1u32 << 30) - 1.0 }
    });
}

/// Compares the derivative of a kernel with that of differences, and names it. Differences of
/// differences, for a derivative of `order` 2, are a hundred times as inexact.
///
/// # Panics
/// If they differ by more than differences are inexact. Where these give no number, nothing is compared.
#[track_caller]
pub fn agree<F: Floats + ?Sized>(
    (kernel, mode, name): (&str, &str, &str),
    order: i32,
    found: &F,
    expected: &(impl Floats + ?Sized),
) {
    let (found, expected) = (floats(found), floats(expected));
    let size = expected.iter().map(|x| x.abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
    let error = F::ERROR * 100_f64.powi(order - 1);
    let is_near = |x: f64, y: f64| (x - y).abs() <= error * (1.0 + size);
    let wrong = |(x, y): (&f64, &f64)| y.is_finite() && !is_near(*x, *y);
    let wrong = found.iter().zip(&expected).position(wrong);
    assert!(
        found.len() == expected.len(),
        "{kernel}::{mode}: {name} has {} numbers, and should have {}",
        found.len(),
        expected.len()
    );
    if let Some(k) = wrong {
        panic!(
            "{kernel}::{mode}: {name} is not the derivative: differences of the reference give {} for its number {k}, and not {}",
            expected[k], found[k]
        );
    }
}

/// A copy of a value.
pub fn copy<T: Clone>(x: &T) -> T {
    x.clone()
}

/// A value for each element.
pub fn each<T, U>(all: &[T], one: impl FnMut(&T) -> U) -> Vec<U> {
    all.iter().map(one).collect()
}

/// Adds `step` times `by` to `x`.
pub fn shift(x: &mut (impl Floats + ?Sized), by: &(impl Floats + ?Sized), step: f64) {
    let (from, by) = (floats(x), floats(by));
    let mut moved = from.into_iter().zip(by).map(|(x, by)| x + step * by);
    x.write(&mut || moved.next().unwrap_or(f64::NAN));
}

/// Adds `step` to the float of `x` with this number.
pub fn nudge(x: &mut (impl Floats + ?Sized), number: usize, step: f64) {
    let mut moved = floats(x).into_iter().enumerate().map(|(k, x)| if k == number { x + step } else { x });
    x.write(&mut || moved.next().unwrap_or(f64::NAN));
}

/// The number of floats.
pub fn count(x: &(impl Floats + ?Sized)) -> usize {
    floats(x).len()
}

/// Writes a part of a Jacobian: for each of `count` numbers of a value, from the `first` on, its derivative in each column.
pub fn fill(part: &mut (impl Floats + ?Sized), columns: &[Vec<f64>], first: usize, count: usize) {
    let mut all = (first..first + count).flat_map(|k| columns.iter().map(move |column| column[k]));
    part.write(&mut || all.next().unwrap_or(f64::NAN));
}

/// Writes a cotangent: for each column of a Jacobian, its numbers times the cotangents of the results.
pub fn against(part: &mut (impl Floats + ?Sized), columns: &[Vec<f64>], cotangents: &[f64]) {
    let by = |column: &Vec<f64>| column.iter().zip(cotangents).filter(|(_, b)| **b != 0.0).map(|(a, b)| a * b).sum();
    let mut all = columns.iter().map(by);
    part.write(&mut || all.next().unwrap_or(f64::NAN));
}

fn floats(x: &(impl Floats + ?Sized)) -> Vec<f64> {
    let mut all = Vec::new();
    x.read(&mut |x| all.push(x));
    all
}

/// The largest step along a direction: each number changes by about 2⁻⁶ of itself, or of a thousandth of the largest one; of a
/// number beyond 1, by 2⁻⁶ of its cube root.
#[derive(Debug, Default)]
pub struct Step {
    /// Each number, and its change.
    moves: Vec<(f64, f64)>,
}

impl Step {
    /// Of no number.
    #[must_use]
    pub fn new() -> Step {
        Step::default()
    }

    /// With the numbers of `x`, which change by `by`.
    #[must_use]
    pub fn with(mut self, x: &(impl Floats + ?Sized), by: &(impl Floats + ?Sized)) -> Step {
        self.moves.extend(floats(x).into_iter().zip(floats(by)));
        self
    }

    /// With a number of `x`, which changes by 1.
    #[must_use]
    pub fn with_one(mut self, x: &(impl Floats + ?Sized), number: usize) -> Step {
        self.moves.extend(floats(x).into_iter().enumerate().map(|(k, x)| (x, if k == number { 1.0 } else { 0.0 })));
        self
    }

    fn largest(&self) -> f64 {
        let size = |x: f64| if x < 0.0 { -x } else { x };
        let most = self.moves.iter().fold(0.0, |m: f64, (x, _)| m.max(size(*x)));
        let least = if most == 0.0 { 1.0 } else { most } / 1024.0;
        let moving = self.moves.iter().filter(|(_, by)| *by != 0.0 && by.is_finite());
        let scale = |x: f64| if x > 1.0 { smooth_math::cbrt(x) } else { x };
        let step = moving.map(|(x, by)| scale(size(*x).max(least)) / size(*by)).fold(f64::INFINITY, f64::min);
        if step.is_finite() { step / 64.0 } else { 1.0 }
    }
}

/// A function of a step, which hands out floats.
pub type Run<'r> = dyn FnMut(f64, &mut dyn FnMut(f64)) + 'r;

/// The derivative of the floats that `run` hands out, which depend on a step: Richardson's extrapolation of the central
/// differences of three steps.
pub fn along(step: &Step, run: &mut Run<'_>) -> impl FnMut() -> f64 + use<> {
    let mut all = column(step, run).into_iter();
    move || all.next().unwrap_or(f64::NAN)
}

/// [`along`], as a vector.
pub fn column(step: &Step, run: &mut Run<'_>) -> Vec<f64> {
    let largest = step.largest();
    let mut central = |h: f64| -> Vec<f64> {
        let mut at = |h: f64| {
            let mut all = Vec::new();
            run(h, &mut |x| all.push(x));
            all
        };
        let (above, below) = (at(h), at(-h));
        above.into_iter().zip(below).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    let [wide, middle, narrow] = [largest, largest / 2.0, largest / 4.0].map(&mut central);
    let better = |wide: f64, narrow: f64, order: f64| narrow + (narrow - wide) / (order - 1.0);
    let all = wide.into_iter().zip(middle).zip(narrow);
    all.map(|((a, b), c)| better(better(a, b, 4.0), better(b, c, 4.0), 16.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_nine_digits() {
        for (x, by) in [(1.3, 1.0), (0.2, -3.0), (40.0, 1e3), (0.0, 1.0), (1e-3, 1e-3)] {
            let step = Step::new().with(&x, &by);
            let mut next = along(&step, &mut |h, to| {
                let mut moved = x;
                shift(&mut moved, &by, h);
                to(f64::sin(moved));
                to(moved * moved * moved);
            });
            for exact in [f64::cos(x) * by, 3.0 * x * x * by] {
                let found = next();
                let error = (found - exact).abs() / exact.abs().max(by.abs() * 1e-3);
                assert!(error < 1e-9, "at {x} along {by}: {found}, not {exact}");
            }
        }
    }

    #[test]
    fn floats_are_read_and_written_in_order() {
        let mut x = alloc::vec![alloc::vec![1.0f32, 2.0], alloc::vec![3.0]];
        shift(&mut x[..], &alloc::vec![1.0, 10.0, 100.0][..], 0.5);
        assert_eq!(x, [alloc::vec![1.5f32, 7.0], alloc::vec![53.0]]);
    }
}
