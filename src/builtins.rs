//! The built-in functions of kernels, for documentation and editors.
//!
//! A kernel calls them by these names without an import: the compiler knows them. Outside of a kernel they have no meaning,
//! and a call does not compile. Nothing imports these items, the [`prelude`](crate::prelude) included, so they take no name
//! from your own functions.
//!
//! `build`, `ifold`, `sum` and `stop_gradient` always mean these functions. The other names mean them where the number of arguments is right
//! and the last one is a function; otherwise they are your own kernels'. A parameter or a variable of the same name goes
//! first.
//!
//! | | |
//! |---|---|
//! | arrays | [`build`], [`scan`], [`scan_exclusive`] |
//! | numbers | [`sum`], [`prod`], [`min`], [`max`], [`argmin`], [`argmax`], [`reduce`] |
//! | conditions | [`any`], [`all`], [`count`] |
//! | any state | [`ifold`] |
//! | derivatives | [`stop_gradient`] |
//!
//! Besides, there are Rust's own `for`, `while`, `loop`, `let mut`, and the methods of numbers and slices.
#![expect(unused_variables, reason = "the names of parameters are documentation")]

/// Nothing implements it: outside of a kernel the built-in functions have no meaning.
#[diagnostic::on_unimplemented(
    message = "a built-in function of kernels is called outside of a kernel",
    label = "in this call",
    note = "it works only in a function with `#[smooth]`: put `#[smooth]` on the function around it, or use std's iterators"
)]
pub trait InsideKernel {}

/// The size of an array that [`build`] makes: a number, or an array of numbers for arrays of arrays.
pub trait Extents<F, A> {}

impl<F: Fn(usize) -> T, T, const N: usize> Extents<F, [T; N]> for usize {}
impl<F: Fn(usize, usize) -> T, T, const N: usize, const M: usize> Extents<F, [[T; M]; N]> for [usize; 2] {}
impl<F: Fn(usize, usize, usize) -> T, T, const N: usize, const M: usize, const K: usize> Extents<F, [[[T; K]; M]; N]>
    for [usize; 3]
{
}

/// The counts of a reduction: a number, or an array of numbers for several axes.
pub trait Axes<F, T> {
    /// The position of an element: an index, or a tuple of indices.
    type Place;
}

impl<F: Fn(usize) -> T, T> Axes<F, T> for usize {
    type Place = usize;
}
impl<F: Fn(usize, usize) -> T, T> Axes<F, T> for [usize; 2] {
    type Place = (usize, usize);
}
impl<F: Fn(usize, usize, usize) -> T, T> Axes<F, T> for [usize; 3] {
    type Place = (usize, usize, usize);
}

/// A call that is not compiled as a part of a kernel.
fn outside() -> ! {
    unreachable!("nothing implements `InsideKernel`")
}

/// An array, element by element: `build(n, |i| e)` is `[e(0), …, e(n - 1)]`.
///
/// `build([n, m], |i, j| e)` is a matrix of `n` rows. If an element is an array, the result is an array of arrays; if it
/// is a tuple, an array of tuples or a tuple of arrays. Nothing is stored where the elements are used once: a `sum` over the
/// result runs in the same loop.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn reversed(a: &[f64; n]) -> [f64; n] {
///     build(n, |i| a[n - 1 - i])
/// }
///
/// #[smooth]
/// fn identity(n: usize) -> [[f64; n]; n] {
///     build([n, n], |i, j| if i == j { 1.0 } else { 0.0 })
/// }
///
/// assert_eq!(reversed(&[1.0, 2.0, 3.0]), [3.0, 2.0, 1.0]);
/// assert_eq!(identity(2).as_slice(), [1.0, 0.0, 0.0, 1.0]);
/// ```
pub fn build<S: Extents<F, A>, F: InsideKernel, A>(size: S, element: F) -> A {
    outside()
}

/// A state, step by step: starts with `init` and applies `step` for `i` from 0 to `n - 1`, in this order.
///
/// The state is a number, an array, or a tuple of these; its shape never changes. An array is changed in place where its
/// old value is not needed.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn horner(coefficients: &[f64; n], x: f64) -> f64 {
///     ifold(n, 0.0, |value, i| value * x + coefficients[i])
/// }
///
/// assert_eq!(horner(&[1.0, 2.0, 3.0], 10.0), 123.0);
/// ```
pub fn ifold<S>(n: usize, init: S, step: impl Fn(S, usize) -> S + InsideKernel) -> S {
    outside()
}

/// The sum of `n` numbers: `e(0) + … + e(n - 1)`, or 0.
///
/// `sum([n, m], |i, j| e)` is the sum over a matrix, `sum(n, |i| sum(m, |j| e))`; all the functions that make one value of many
/// take several axes so.
///
/// Floats are added in 16 lanes, with the same bits on every machine ([the order](crate#the-meaning-of-sum)); under
/// `#[smooth(float = "strict")]` in source order. Of a tuple each part is added as if it were alone.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn variance(a: &[f64; n]) -> f64 {
///     let (total, squares) = sum(n, |i| (a[i], a[i] * a[i]));
///     squares / n as f64 - (total / n as f64).powi(2)
/// }
///
/// assert_eq!(variance(&[1.0, 3.0]), 1.0);
/// ```
pub fn sum<N: Axes<F, T>, F: InsideKernel, T>(n: N, term: F) -> T {
    outside()
}

/// The product of `n` numbers, or 1; in the order of [`sum`].
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn factorial(n: usize) -> f64 {
///     prod(n, |i| (i + 1) as f64)
/// }
///
/// assert_eq!(factorial(4), 24.0);
/// ```
pub fn prod<N: Axes<F, T>, F: InsideKernel, T>(n: N, factor: F) -> T {
    outside()
}

/// The smallest of `n` numbers; for none of them +∞, or the largest integer.
///
/// NaN is ignored, as by `f64::min`.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn range(a: &[f64; n]) -> f64 {
///     max(n, |i| a[i]) - min(n, |i| a[i])
/// }
///
/// assert_eq!(range(&[3.0, f64::NAN, 1.0]), 2.0);
/// ```
pub fn min<N: Axes<F, T>, F: InsideKernel, T>(n: N, value: F) -> T {
    outside()
}

/// The largest of `n` numbers; for none of them -∞, or the smallest integer.
///
/// NaN is ignored, as by `f64::max`. [`min`] has an example.
pub fn max<N: Axes<F, T>, F: InsideKernel, T>(n: N, value: F) -> T {
    outside()
}

/// The index of the first of the smallest numbers.
///
/// Over several axes it is a tuple of indices, `let (i, j) = argmin([h, w], |i, j| m[i][j]);`: the first in the order of rows.
///
/// A NaN is chosen only if all are NaN: the index is 0 then.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn nearest(a: &[f64; n], x: f64) -> usize {
///     argmin(n, |i| (a[i] - x).abs())
/// }
///
/// assert_eq!(nearest(&[0.0, 2.0, 5.0], 3.0), 1);
/// ```
///
/// # Panics
/// If there are no numbers.
pub fn argmin<N: Axes<F, T>, F: InsideKernel, T>(n: N, value: F) -> N::Place {
    outside()
}

/// The index of the first of the largest numbers.
///
/// A NaN is chosen only if all are NaN: the index is 0 then. [`argmin`] has an example.
///
/// # Panics
/// If there are no numbers.
pub fn argmax<N: Axes<F, T>, F: InsideKernel, T>(n: N, value: F) -> N::Place {
    outside()
}

/// Whether a condition holds for some `i` below `n`. Stops at the first one.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn contains(a: &[i64; n], x: i64) -> bool {
///     any(n, |i| a[i] == x)
/// }
///
/// assert!(contains(&[1, 2], 2) && !contains(&[], 2));
/// ```
pub fn any<N: Axes<F, bool>, F: InsideKernel>(n: N, condition: F) -> bool {
    outside()
}

/// Whether a condition holds for all `i` below `n`. Stops at the first one for which it does not.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn is_sorted(a: &[i64; n]) -> bool {
///     all(n.max(1) - 1, |i| a[i] <= a[i + 1])
/// }
///
/// assert!(is_sorted(&[1, 3, 3]) && !is_sorted(&[2, 1]));
/// ```
pub fn all<N: Axes<F, bool>, F: InsideKernel>(n: N, condition: F) -> bool {
    outside()
}

/// The number of `i` below `n` for which a condition holds.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn zeros(a: &[f64; n]) -> usize {
///     count(n, |i| a[i] == 0.0)
/// }
///
/// assert_eq!(zeros(&[1.0, 0.0, -0.0]), 2);
/// ```
pub fn count<N: Axes<F, bool>, F: InsideKernel>(n: N, condition: F) -> usize {
    outside()
}

/// `n` values, combined by a function that is associative and for which `init` is neutral.
///
/// The function need not be commutative: values are combined with their neighbours
/// ([the order](crate#the-meaning-of-sum)). The function of a named reduction, as `|a, b| a + b` or `f64::max`, has the order
/// of [`sum`]. `init` may be combined once or often.
///
/// ```
/// use smooth::prelude::*;
///
/// /// The maps x → a x + b, one after the other.
/// #[smooth]
/// fn composed(maps: &[(f64, f64); n]) -> (f64, f64) {
///     reduce(n, (1.0, 0.0), |(a, b), (c, d)| (c * a, c * b + d), |i| maps[i])
/// }
///
/// #[smooth]
/// fn product_modulo(a: &[u64; n], prime: u64) -> u64 {
///     reduce(n, 1, |x, y| x * y % prime, |i| a[i] % prime)
/// }
///
/// assert_eq!(composed((&[2.0, 3.0], &[1.0, 0.0])), (6.0, 3.0));
/// assert_eq!(product_modulo(&[10, 20, 30], 7), 6000 % 7);
/// ```
pub fn reduce<N: Axes<F, T>, F: InsideKernel, T>(
    n: N,
    init: T,
    combine: impl Fn(T, T) -> T + InsideKernel,
    value: F,
) -> T {
    outside()
}

/// All states of a fold, each after its step: `n` of them, computed in source order.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn running_total(a: &[f64; n]) -> [f64; n] {
///     scan(n, 0.0, |s, i| s + a[i])
/// }
///
/// assert_eq!(running_total(&[1.0, 2.0, 3.0]), [1.0, 3.0, 6.0]);
/// ```
pub fn scan<S, const N: usize>(n: usize, init: S, step: impl Fn(S, usize) -> S + InsideKernel) -> [S; N] {
    outside()
}

/// All states of a fold, each before its step: `n` of them, and `init` is the first.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// fn starts(lengths: &[usize; n]) -> [usize; n] {
///     scan_exclusive(n, 0, |s, i| s + lengths[i])
/// }
///
/// assert_eq!(starts(&[3, 1, 4]), [0, 3, 4]);
/// ```
pub fn scan_exclusive<S, const N: usize>(n: usize, init: S, step: impl Fn(S, usize) -> S + InsideKernel) -> [S; N] {
    outside()
}

/// The value of its argument, which [derivatives](crate::guide::derivatives) take for a constant: a number, an array or a tuple.
///
/// ```
/// use smooth::prelude::*;
///
/// /// Squares, each divided by what it is now: of the right size, and with the slope of a square.
/// #[smooth(grad)]
/// fn scaled(x: &[f64; n]) -> f64 {
///     sum(n, |i| x[i] * x[i] / stop_gradient(x[i]))
/// }
///
/// assert_eq!(scaled(&[2.0, 3.0]), 5.0);
/// assert_eq!(scaled::grad(&[2.0, 3.0]), [2.0, 2.0]);
/// ```
pub fn stop_gradient<T>(value: T) -> T
where
    T: InsideKernel,
{
    outside()
}
