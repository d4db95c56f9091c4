//! Array programs, written as ordinary Rust functions, that run like hand-written loops.
//!
//! Put [`#[smooth]`](macro@smooth) on a function that builds, maps and sums arrays. It is compiled while your
//! crate is: calls are inlined across functions and crates, intermediate arrays are fused away, the rest is
//! planned into one frame of memory whose exact size is known before the call, and what comes out is plain
//! Rust loops that write into a destination of yours. At run time no heap is needed, nothing is interpreted,
//! and shapes are checked once, at entry.
//!
//! ```
//! use smooth::linalg::{vector_add, vector_norm};
//! use smooth::prelude::*;
//!
//! #[smooth]
//! pub fn dot(a: &[f64; n], b: &[f64; n]) -> f64 {
//!     sum(n, |i| a[i] * b[i])
//! }
//!
//! #[smooth]
//! pub fn mat_vec(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
//!     build(n, |i| dot(&m[i], x)) // a kernel that calls a kernel
//! }
//!
//! #[smooth]
//! pub fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 {
//!     vector_norm(&vector_add(a, b)) // one loop: the sum is never stored
//! }
//!
//! assert_eq!(mat_vec(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], &[1.0, 1.0]), [3.0, 7.0, 11.0]);
//! assert_eq!(norm_of_sum(&[1.0, 2.0], &[2.0, 2.0]), 5.0);
//! ```
//!
//! The sizes `n` and `k` are *symbolic*: names that the arguments give a value, and that must have the same
//! value wherever they recur.
//!
//! # What a kernel gives
//!
//! `#[smooth] pub fn f` makes a function `f` and a module `f`; `use lib::f;` brings both. For the
//! `mat_vec` above:
//!
//! | item | what it is |
//! |---|---|
//! | `f(m, x)` | the convenient call: allocates the result and nothing else |
//! | `f::into(out, m, x, &mut arena)` | destination-passing: writes `out`, takes temporaries from the [`Arena`], never touches the heap |
//! | `f::try_call(m, x)` | the same; shapes that do not fit are a [`ShapeError`] instead of a panic |
//! | `f::try_into(out, m, x, &mut arena)` | `into`; shapes that do not fit and a too small arena are a [`ShapeError`] instead of a panic |
//! | `f::shape([n, k], [k])` | the shape of the result from the shapes of the arguments, without running anything |
//! | `f::scratch([n, k], [k])` | exactly how many bytes `into` takes from the arena |
//! | `f::try_shape(…)`, `f::try_scratch(…)` | the same, with the error instead of a panic |
//! | `f::reference(…)` | the body as plain Rust on nested `Vec`s: slow and obvious, to compare with |
//!
//! ```
//! # use smooth::prelude::*;
//! # #[smooth]
//! # pub fn mat_vec(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
//! #     build(n, |i| sum(k, |j| m[i][j] * x[j]))
//! # }
//! let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
//! let mut arena = Arena::new();
//! let mut out = [0.0; 3];
//! mat_vec::into(&mut out, &m, &[1.0, 2.0], &mut arena);
//! assert_eq!(out, [5.0, 11.0, 17.0]);
//!
//! assert_eq!(mat_vec::shape([3, 2], [2]), [3]);
//! assert_eq!(mat_vec::scratch([3, 2], [2]), 0);
//!
//! let error = mat_vec::try_into(&mut out, &m, &[1.0, 2.0, 3.0], &mut arena).unwrap_err();
//! assert_eq!(error.to_string(), "mat_vec: argument x has length 3, but k = 2 (from argument m)");
//! ```
//!
//! A result that is a number is returned by `into`, which then has no `out`. Several results are several
//! destinations, in order. `shape` and `scratch` take the shape of each array argument and the value of each
//! `usize` argument, and nothing for the others; they are `const fn`, and take nothing at all where every
//! size is static: a number, a constant, a const generic. Of a kernel that is generic over `T:`[`Real`], `f::scratch::<f32>`
//! is another than `f::scratch::<f64>`.
//!
//! At the boundary stand the types that people have anyway:
//!
//! | written | argument | owned result | destination |
//! |---|---|---|---|
//! | `f64`, `u8`, `bool`, … | by value | by value | (returned) |
//! | `&[f64; n]`, `&[f64]` | `&[f64]` | `Vec<f64>` | `&mut [f64]` |
//! | `&[f64; 3]`, `&[[f64; 3]; 4]` | the same | `[f64; 3]`, `[[f64; 3]; 4]` | `&mut [f64; 3]`, … |
//! | `&[[f64; 3]; n]` | `&[[f64; 3]]` | `Vec<[f64; 3]>` | `&mut [[f64; 3]]` |
//! | `&[[f64; k]; n]` and higher ranks | `impl Into<`[`View`]`<'_, f64, 2>>` | [`Array`]`<f64, 2>` | `impl Into<`[`ViewMut`]`<'_, f64, 2>>` |
//! | `(&[f64; n], f64)` | `(&[f64], f64)` | | |
//! | `impl Fn(f64) -> f64` | the same | | |
//!
//! [`View`], [`ViewMut`] and [`Array`] are slices and a vector with a shape, without gaps. std's nested arrays are views
//! as they are, up to rank 6; nested `Vec`s become arrays by [`Array::from_nested`] and `try_from`. They are row-major
//! unless their last type parameter is [`ColumnMajor`].
//!
//! # The language
//!
//! A kernel's body is a functional subset of Rust: `let`, `if`/`else`, closures, calls of kernels, tuples,
//! arithmetic, indexing, slices, and three built-in functions. The [language guide][guide] has all of it, with
//! examples, and what to write instead of what is not in it. [`linalg`] has vectors and matrices, written in
//! the language.
//!
//! ## `build`: an array, element by element
//!
//! `build(n, |i| e)` is `[e(0), …, e(n - 1)]`, and `build([n, m], |i, j| e)` the matrix of `n` rows:
//!
//! ```
//! use smooth::prelude::*;
//!
//! #[smooth]
//! fn reversed(a: &[f64; n]) -> [f64; n] {
//!     build(n, |i| a[n - 1 - i])
//! }
//!
//! #[smooth]
//! fn identity(n: usize) -> [[f64; n]; n] {
//!     build([n, n], |i, j| if i == j { 1.0 } else { 0.0 })
//! }
//!
//! assert_eq!(reversed(&[1.0, 2.0, 3.0]), [3.0, 2.0, 1.0]);
//! assert_eq!(identity(2).as_slice(), [1.0, 0.0, 0.0, 1.0]);
//! ```
//!
//! ## `ifold`: a state, step by step
//!
//! `ifold(n, init, |state, i| e)` starts with `init` and makes `n` steps, for `i` from 0 to `n - 1`, always in this
//! order. The state may be a number, an array, or a tuple of these; its shape stays what it was:
//!
//! ```
//! use smooth::prelude::*;
//!
//! #[smooth]
//! fn horner(coefficients: &[f64; n], x: f64) -> f64 {
//!     ifold(n, 0.0, |value, i| value * x + coefficients[i])
//! }
//!
//! #[smooth]
//! fn smoothed(a: &[f64; n], steps: usize) -> [f64; n] {
//!     ifold(steps, a.clone(), |s, _| build(n, |i| (s[i] + s[(i + 1) % n]) / 2.0))
//! }
//!
//! assert_eq!(horner(&[1.0, 2.0, 3.0], 10.0), 123.0);
//! assert_eq!(smoothed(&[4.0, 0.0], 1), [2.0, 2.0]);
//! ```
//!
//! ## `sum`: many numbers into one
//!
//! `sum(n, |i| e)` adds the `n` values of `e`:
//!
//! ```
//! use smooth::prelude::*;
//!
//! #[smooth]
//! fn mean(a: &[f64; n]) -> f64 {
//!     sum(n, |i| a[i]) / (n as f64)
//! }
//!
//! assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
//! ```
//!
//! ## The meaning of `sum`
//!
//! Additions of floats in another order give other bits, and in source order they cannot use the width of a
//! processor. So `sum` has an order of its own, the same on every machine. Let `m` be `n` rounded down to a
//! multiple of 16.
//!
//! 1. There are 16 *lanes*. Lane `l` adds `e(l)`, `e(16 + l)`, `e(32 + l)`, … below `m`.
//! 2. The lanes are added, first to last.
//! 3. `e(m)`, …, `e(n - 1)` are added to that.
//!
//! Below 16 elements this is source order. An empty sum is 0.0.
//!
//! With `#[smooth(float = "strict")]` the order is source order, always, as it is in `f::reference`: such a kernel
//! gives the reference's bits, with those of the kernels that are joined into it. (One that is too large for that
//! keeps the order that its own attribute says.) An `ifold` is in source order in either mode.
//!
//! ```
//! use smooth::prelude::*;
//!
//! #[smooth]
//! fn lanes(a: &[f64; n]) -> f64 {
//!     sum(n, |i| a[i])
//! }
//!
//! #[smooth(float = "strict")]
//! fn in_order(a: &[f64; n]) -> f64 {
//!     sum(n, |i| a[i])
//! }
//!
//! // 1 is lost beside 1e16, unless it comes when the big ones have cancelled.
//! let mut a = [0.0; 32];
//! (a[0], a[1], a[16]) = (1e16, 1.0, -1e16);
//! assert_eq!(lanes(&a), 1.0); // lane 0: 1e16 - 1e16, lane 1: 1
//! assert_eq!(in_order(&a), 0.0); // (1e16 + 1) - 1e16
//! ```
//!
//! Everything else means what it means in Rust: there is no implicit fused multiply-add, and `sin`, `exp` and
//! the other elementary functions are those of `std`.
//!
//! # Features
//!
//! The library is `no_std`, and kernels run without an allocator: `into`, `try_into`, `shape`, `scratch` and calls between
//! kernels are always there, and so is `f(…)` where the result has no array of open size and `f` takes no scratch.
//! The [language guide][guide] shows how.
//!
//! - `std` (default): `sin`, `exp`, … in kernels, and a thread's own scratch memory behind the convenient call.
//! - `alloc` (in `std`): [`Array`], [`Arena::new`], every `f(…)`, `f::reference`.
//! - `libm`: `sin`, `exp`, … without `std`, from the crate of that name. Where `std` is on, they are std's. Without both,
//!   `sqrt`, `floor` and `powi` are missing as well: what `core` has is arithmetic, `abs`, `min`, `max` and their like.
//! - `serde`: [`Array`] and the views are written as a struct of `shape` and `data`, in row-major order whatever the
//!   layout in memory, and `Array` is read back.
//! - `ndarray-017`, `nalgebra-035`, `faer-024`: values of these libraries are arguments and destinations, without a
//!   copy; [`interop`] has what fits where.
//!
//! [guide]: https://github.com/smooth-rs/smooth/blob/main/docs/language.md
#![no_std]
#![deny(missing_docs)]

extern crate self as smooth;

pub mod linalg;

#[doc(hidden)]
pub use smooth_macros::__link;

/// The items of an expansion that need the heap: all of them with the feature `alloc`, none without. `#[smooth]` cannot
/// know the features, and the user's crate has others.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! __with_alloc {
    ($($items:tt)*) => { $($items)* };
}

#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __with_alloc {
    ($($items:tt)*) => {};
}

/// Compiles a function of the array language.
///
/// ```
/// use smooth::prelude::*;
///
/// #[smooth]
/// pub fn scaled_sum(a: &[f64; n], factor: f64) -> f64 {
///     sum(n, |i| a[i] * factor)
/// }
///
/// assert_eq!(scaled_sum(&[1.0, 2.0], 3.0), 9.0);
/// ```
///
/// The function becomes a *kernel*: the function itself, and a module of the same name with `into`,
/// `try_into`, `shape`, `scratch` and more; [the crate's page](crate#what-a-kernel-gives) says what they do.
///
/// A kernel is a free function without `async`, `const`, `unsafe` or `extern`; it may be generic over `T: Real` and
/// `const N: usize`. Its parameters are numbers, `bool`s, references to arrays of these, tuples of all of them, and functions
/// (`impl Fn(f64) -> f64`); it has a result.
/// Whatever in its body is outside the language is a compile-time error on these very tokens, with a code such
/// as `[S05]` and a way out.
///
/// # Options
///
/// | | |
/// |---|---|
/// | `float = "portable"` | the default: [`sum`](crate#the-meaning-of-sum) runs over sixteen lanes |
/// | `float = "strict"` | `sum` adds in source order, as `f::reference` does |
/// | `passes(name = false, …)` | switches optimisations off, to see what they do; the language guide (`docs/language.md`) lists them. The result stays the same, time and scratch memory change |
/// | `preset = "DF"` | a rung of the paper's ladder: `"D"`, `"DF"`, `"DFB"`, `"DFBS"` (the default) |
/// | `column_major(m, out)` | the parameter `m` and the destination are stored by columns: [`View::column_major`] |
/// | `crate = path` | where the library is, if not at `::smooth`: for a crate that re-exports it |
///
/// ```
/// mod reexported {
///     pub extern crate smooth as arrays;
/// }
/// use reexported::arrays::smooth;
///
/// #[smooth(float = "strict", crate = crate::reexported::arrays)]
/// fn total(a: &[f64; n]) -> f64 {
///     sum(n, |i| a[i])
/// }
///
/// #[smooth(passes(fuse = false), crate = crate::reexported::arrays)]
/// fn total_of_squares(a: &[f64; n]) -> f64 {
///     let squares = build(n, |i| a[i] * a[i]);
///     sum(n, |i| squares[i])
/// }
///
/// # fn main() {
/// assert_eq!(total(&[1.0, 2.0]), 3.0);
/// assert_eq!(total_of_squares(&[1.0, 2.0]), 5.0);
/// assert_ne!(total_of_squares::scratch([2]), 0); // `squares` is an array of its own
/// # }
/// ```
pub use smooth_macros::smooth;

#[cfg(feature = "alloc")]
pub use smooth_runtime::Array;
pub use smooth_runtime::interop;
pub use smooth_runtime::{Arena, ColumnMajor, Layout, Real, RowMajor, ShapeError, View, ViewMut};

/// What a kernel's module needs in scope: `use smooth::prelude::*;`.
pub mod prelude {
    #[cfg(feature = "alloc")]
    pub use crate::Array;
    pub use crate::{Arena, ColumnMajor, Real, RowMajor, ShapeError, View, ViewMut};
    // Not `crate::smooth`, which is this crate's own name too.
    pub use smooth_macros::smooth;
}

/// What expansions refer to. No part of the public interface.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "alloc")]
    pub use smooth_runtime::Array;
    pub use smooth_runtime::private::*;
    pub use smooth_runtime::{Arena, ColumnMajor, Real, RowMajor, ShapeError, View, ViewMut};
}

/// Compiles and runs the examples of the language guide.
#[cfg(doctest)]
#[doc = include_str!("../docs/language.md")]
struct LanguageDoc;
