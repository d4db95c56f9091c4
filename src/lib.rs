//! Array programs, written as ordinary Rust functions, that run like hand-written loops.
//!
//! Put [`#[smooth]`](macro@smooth) on a function that builds, maps and sums arrays. It is compiled together with your
//! crate: calls are inlined across functions and crates, intermediate arrays are fused away, and the remaining
//! temporaries are placed in one frame of memory whose exact size is known before the call. The output is plain
//! Rust loops that write into your destination. At run time no heap is needed, nothing is interpreted, and
//! shapes are checked once, at entry.
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
//! The sizes `n` and `k` are *symbolic*: they get their values from the arguments, and a size that occurs more than
//! once must have the same value everywhere.
//!
//! The [guide] leads from `cargo add` to a kernel without a heap, and says what things cost, how to find mistakes, and what is
//! promised. The [cookbook] has what people write in NumPy, ndarray, nalgebra and MATLAB; a tour teaches the [language], the
//! [reference] has every construct, and [errors] every rejection.
//!
//! # The items of a kernel
//!
//! `#[smooth] pub fn f` makes a function `f` and a module `f`; `use lib::f;` brings both. For the
//! `mat_vec` above:
//!
//! | item | what it is |
//! |---|---|
//! | `f(m, x)` | the plain call: allocates the result and nothing else |
//! | `f::into(out, m, x, &mut arena)` | destination-passing: writes `out`, takes temporaries from the [`Arena`], never touches the heap |
//! | `f::try_call(m, x)` | the same, but mismatched shapes are a [`ShapeError`] instead of a panic |
//! | `f::try_into(out, m, x, &mut arena)` | the same as `into`, but mismatched shapes and an arena that is too small are a [`ShapeError`] instead of a panic |
//! | `f::shape([n, k], [k])` | the shape of the result from the shapes of the arguments, without running anything |
//! | `f::scratch([n, k], [k])` | the exact number of bytes that `into` takes from the arena |
//! | `f::try_shape(…)`, `f::try_scratch(…)` | the same, but errors are returned instead of a panic |
//! | `f::reference(…)` | the body as plain Rust: slow and obvious, for tests to compare with. It takes the arguments of `f`, and nested `Vec`s. It works on nested `Vec`s: one without rows has no row length |
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
//! If the result is a number, `into` returns it and has no `out`. Several results have one destination for each array, in
//! order, and the numbers among them are returned, nested as in the result. `shape` and `scratch` take the shape of each array
//! argument and the value of each `usize` argument, and of each other integer on which a size depends, and
//! nothing for the others. They are `const fn`, and take no arguments if every size is static: a number, a
//! constant, a const generic. For a kernel generic over `T:`[`Real`] ([`Number`], [`Scalar`]), the scratch size depends on the type:
//! `f::scratch::<f32>()` and `f::scratch::<f64>()` differ. Where literal sizes or const generics determine its size, a frame
//! of up to 4096 bytes is on the stack, and `f::scratch::<8>()` is 0.
//!
//! The types of arguments, results and destinations are those of std where possible:
//!
//! | written | argument | owned result | destination |
//! |---|---|---|---|
//! | `f64`, `u8`, `bool`, … | by value | by value | (returned) |
//! | `&[f64; n]`, `&[f64]` | `&[f64]` | `Vec<f64>` | `&mut [f64]` |
//! | `&[f64; 3]`, `&[[f64; 3]; 4]` | the same | `[f64; 3]`, `[[f64; 3]; 4]` | `&mut [f64; 3]`, … |
//! | `&[[f64; 3]; n]` | `&[[f64; 3]]`, `&Vec<[f64; 3]>`, `&View`, `&Array`: what has such rows, [`AsRows`]`<[f64; 3]>` | `Vec<[f64; 3]>` | `&mut [[f64; 3]]`, …: [`AsRowsMut`]`<[f64; 3]>` |
//! | `&[[f64; k]; n]` and higher ranks | [`IntoView`]`<'_, f64, 2>`: what converts to a [`View`] | [`Array`]`<f64, 2>` | [`IntoViewMut`]`<'_, f64, 2>` |
//! | any array that `strided` names | [`IntoStridedView`]`<'_, f64, 2>`: what converts to a [`StridedView`] | | |
//! | `(&[f64; n], f64)` | `(&[f64], f64)` | | |
//! | `impl Fn(f64) -> f64` | the same | | |
//! | `impl Fn(&[f64; n]) -> [f64; n]` | `impl FnMut(&[f64], &mut [f64])` | | |
//!
//! [`View`], [`ViewMut`] and [`Array`] are a slice, a mutable slice and a vector with a shape. They are contiguous, and
//! row-major unless their last type parameter is [`ColumnMajor`]. Of a [`StridedView`] any number of elements may lie between
//! neighbours. std's nested arrays convert to views without a copy, up
//! to rank 6; nested `Vec`s convert to arrays by [`Array::from_nested`] and `try_from`. They have elements, `m[(i, j)]` and
//! `m.get((i, j))`, and rows, `m[i]` and `m.rows()`; they equal std's nested arrays, `m == [[1.0, 2.0], [3.0, 4.0]]`, and are printed
//! in columns, `{m:.3}`.
//!
//! # The language
//!
//! A kernel's body is a subset of Rust: `let` and assignments, `if`/`else`, `match`, loops, closures, calls of kernels,
//! tuples, arithmetic, indexing, slices, and built-in functions. A [tour][language] teaches it, and the [reference]
//! describes all of it with examples, and says how to express what the language does not have. [`linalg`], [`statistics`], [`convolution`],
//! [`mod@array`], [`scan`], [`sort`] and [`random`] are a library that is written in the language.
//!
//! ## `build`: an array, element by element
//!
//! `build(n, |i| e)` is `[e(0), …, e(n - 1)]`, and `build([n, m], |i, j| e)` is a matrix of `n` rows:
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
//! `ifold(n, init, |state, i| e)` starts with `init` and applies the function `n` times, for `i` from 0 to `n - 1` in
//! this order. The state is a number, an array, or a tuple of these; its shape never changes:
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
//! `prod`, `min`, `max`, `any`, `all`, `count`, `argmin`, `argmax` and `reduce` are like it. The module [`builtins`] describes
//! all of them.
//!
//! ## The meaning of `sum`
//!
//! Floating-point addition is not associative, so the order of additions determines the bits of a sum, and a sum in
//! source order cannot be vectorised. So `sum` has another order, the same on every machine. Let `m` be `n` rounded down
//! to a multiple of 16.
//!
//! 1. There are 16 *lanes*. Lane `l` adds `e(l)`, `e(16 + l)`, `e(32 + l)`, … below `m`.
//! 2. The lanes are added, first to last.
//! 3. `e(m)`, …, `e(n - 1)` are added to the result.
//!
//! For fewer than 16 elements this is source order. An empty sum is 0.0. The other named reductions of floats have the same
//! order. A sum whose term reads `b[l][j]`, where `l` is the sum's index and `j` that of a `build` or of a `for` around it, is
//! in source order, since adjacent elements belong to different sums. The text of the kernel decides that, and not its callees.
//!
//! The function of `reduce` is associative, but need not be commutative, so that its elements are combined with their neighbours:
//! of 16 elements and more, each of 8 lanes takes the next `n / 8` of them, rounded down; then `init` takes the lanes, first to
//! last, and then the last `n % 8` elements.
//!
//! With `#[smooth(float = "strict")]` the order is always source order, as in `f::reference`: the result of such a
//! kernel equals the reference's bit for bit. Callees that are inlined into it are in source order too; a callee that
//! is too large to be inlined keeps the mode of its own attribute. An `ifold` is in source order in either mode.
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
//! // 1 is lost when it is added to 1e16, but not if it is added after 1e16 and -1e16 have cancelled.
//! let mut a = [0.0; 32];
//! (a[0], a[1], a[16]) = (1e16, 1.0, -1e16);
//! assert_eq!(lanes(&a), 1.0); // lane 0: 1e16 - 1e16, lane 1: 1
//! assert_eq!(in_order(&a), 0.0); // (1e16 + 1) - 1e16
//! ```
//!
//! `sin`, `exp` and the other elementary functions are those of the crate `smooth-math`: at most 2 places from the
//! correctly rounded result, and the same bits on every CPU, in scalar and in vector code, with and without `std`. Where a
//! kernel's text is `strict` they are those of `std`; `f::reference` has the same as `f`. Everything else has its meaning in
//! Rust: there is no implicit fused multiply-add, except in kernels with `#[smooth(float = "fast")]`, whose bits may depend on
//! the CPU. The [reference] says what these may do.
//!
//! # Features
//!
//! The library is `no_std`, and kernels run without an allocator: `into`, `try_into`, `shape`, `scratch` and calls between
//! kernels are always available, and so is `f(…)` if the result has no array of symbolic size and `f` takes no scratch.
//! The [reference] shows how.
//!
//! - `library` (default): the library's kernels, `smooth::linalg` and the others. A crate that calls none of them builds in four
//!   fifths of the time without: `default-features = false, features = ["std"]`.
//! - `std` (default): `sqrt`, `floor`, … in kernels, and one arena per thread for plain calls.
//! - `alloc` (implied by `std`): [`Array`], [`Arena::new`], a `bumpalo::Bump` in an arena's place ([`Scratch`]), every `f(…)`,
//!   `f::reference`.
//! - `libm`: `sqrt`, `floor`, `mul_add`, …, and the elementary functions of strict kernels, from the crate `libm` if
//!   `std` is off. Without both these are missing; arithmetic, `abs`, `min`, `max`, `sin`, `exp` and the like are not.
//! - `serde`: serialises [`Array`] and the views as a struct of `shape` and `data`, which is in row-major order whatever
//!   the layout in memory; deserialises `Array`.
//! - `ndarray-017`, `nalgebra-035`, `faer-024`: values of these libraries are arguments and destinations, without a
//!   copy; see [`interop`].
//!
//! [guide]: crate::guide
//! [cookbook]: crate::guide::cookbook
//! [language]: crate::guide::language
//! [reference]: crate::guide::reference
//! [reference]: crate::guide::reference
//! [errors]: crate::guide::errors
#![no_std]
#![deny(missing_docs)]

#[doc(hidden)]
#[path = "shown.rs"]
pub mod __shown;
pub mod builtins;

#[doc(hidden)]
pub use smooth_macros::__link;
#[doc(hidden)]
pub use smooth_runtime::{__with_alloc, private as __private};

#[cfg(feature = "library")]
#[doc(inline)]
pub use smooth_arrays::{array, convolution, random, scan, sort, statistics};
#[cfg(feature = "library")]
#[doc(inline)]
pub use smooth_linalg::linalg;

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
/// `try_into`, `shape`, `scratch` and more, which [the crate's page](crate#the-items-of-a-kernel) describes.
///
/// A kernel is a free function without `async`, `const`, `unsafe` or `extern`; it may be generic over `T: Real` (or
/// `Number`, `Scalar`) and `const N: usize`. Its parameters are numbers, `bool`s, references to arrays of these, tuples of all of them, and functions
/// (`impl Fn(f64) -> f64`, `impl Fn(&[f64; n]) -> [f64; n]`); it has a result.
/// Anything in its body that is outside the language is a compile-time error at its own tokens, with a code such
/// as `[S05]` and an alternative; [errors](crate::guide::errors) has them all.
///
/// # Options
///
/// | | |
/// |---|---|
/// | `float = "portable"` | the default: [`sum`](crate#the-meaning-of-sum) runs over sixteen lanes |
/// | `float = "strict"` | `sum` adds in source order, as `f::reference` does, and elementary functions are those of `std` |
/// | `float = "fast"` | `a * b + c` is rounded once where the CPU has an instruction for it, so that bits may depend on the CPU |
/// | `passes(name = false, …)` | switches optimisations off, which changes time and scratch memory but not the result; [the reference](crate::guide::reference#optimisation-passes) lists them |
/// | `preset = "DF"` | the passes of one variant in the paper's evaluation: `"D"`, `"DF"`, `"DFB"`, `"DFBS"` (the default) |
/// | `column_major(m, out)` | the parameter `m` and the destination are stored column-major: [`View::column_major`] |
/// | `strided(m)` | the parameter `m` takes views at any strides, without a copy: [`StridedView`] |
/// | `checks = "all"` | every index and slice is checked, also those that are proved to be in range, and [`dbg!` and assertions](crate::guide::reference#dbg-and-assertions) run: slower, with the same results |
/// | `jvp(x)`, `jvp_many(x)`, `vjp(x)`, `vjp_many(x)`, `grad(x)`, `jacobian(x)` | the kernel has [derivatives](crate::guide::derivatives) along `x`, as `f::jvp`, …; without a list along all parameters that have floats |
/// | `derivative(jvp = g)`, `derivative(vjp = g)` | the derivative of the kernel is [the kernel `g`](crate::guide::derivatives#rules-of-ones-own) |
/// | `singular = "ieee"` | derivatives are infinite where their formula is and the function is not, as that of `sqrt` at 0; else they are 0 there |
/// | `tape(every = 16)`, `tape(checkpoints = 8)` | derivatives remember the state of a loop [every 16 steps, or 8 states of it](crate::guide::derivatives#memory-of-loops), and run the steps between them again |
/// | `explain` | prints a report on the compiled kernel: sizes, loops, the checks and copies that remain, memory; `explain = "stages"` prints all stages, too |
/// | `crate = path` | the path of the library if it is not `::smooth`: for a crate that re-exports it. A name that `Cargo.toml` gives it is found there |
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
/// assert_ne!(total_of_squares::scratch([2]), 0); // `squares` is stored
/// # }
/// ```
pub use smooth_macros::smooth;

pub use smooth_runtime::interop;
pub use smooth_runtime::{
    Arena, ArrayIndex, AsRows, AsRowsMut, ColumnMajor, IntoStridedView, IntoView, IntoViewMut, Layout, Number, Real,
    RowMajor, Scalar, Scratch, ShapeError, StridedView, View, ViewMut,
};
#[cfg(feature = "alloc")]
pub use smooth_runtime::{Array, Bump};

/// The items that a module with kernels needs in scope: `use smooth::prelude::*;`.
pub mod prelude {
    #[cfg(feature = "alloc")]
    pub use crate::Array;
    pub use crate::{
        Arena, ColumnMajor, Number, Real, RowMajor, Scalar, ShapeError, StridedView, View, ViewMut, smooth,
    };
}

/// The guide, the cookbook, the language and the errors, as pages of this documentation.
#[cfg(any(doc, doctest))]
pub mod guide;

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
