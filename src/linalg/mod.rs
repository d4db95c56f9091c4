//! Linear algebra on `f64` vectors and matrices, written in the language itself.
//!
//! Every function is a kernel: it can be called by itself (`vector_add(&a, &b)`), it has the items of every kernel
//! (`vector_add::into`, `::try_into`, `::shape`, `::scratch`, `::reference`), and inside another kernel it fuses
//! with the code around it. This norm of a sum is one loop and stores no array:
//!
//! ```
//! use smooth::linalg::{vector_add, vector_norm};
//! use smooth::prelude::*;
//!
//! #[smooth]
//! fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 {
//!     vector_norm(&vector_add(a, b))
//! }
//!
//! assert_eq!(norm_of_sum(&[1.0, 2.0], &[2.0, 2.0]), 5.0);
//! assert_eq!(norm_of_sum::scratch([1000], [1000]), 0);
//! ```
//!
//! The functions are those of Fig. 3 of *Destination-passing style for efficient memory management*
//! (Shaikhha, Fitzgibbon, Peyton Jones and Vytiniotis, 2017), with the paper's names in snake case and its order
//! of parameters, and [`vector_sub()`], [`vector_cross()`] and [`vector_sq_norm()`], which its bundle adjustment
//! (Fig. 13) needs.
//!
//! | | |
//! |---|---|
//! | new vectors | [`vector_range()`], [`vector_slice()`] |
//! | map | [`vector_map()`], [`vector_map2()`], [`matrix_map()`], [`matrix_map2()`] |
//! | vector → vector | [`vector_add()`], [`vector_sub()`], [`vector_e_mul()`], [`vector_s_mul()`], [`vector_cross()`] |
//! | vector → number | [`vector_sum()`], [`vector_dot()`], [`vector_sq_norm()`], [`vector_norm()`] |
//! | vector → matrix | [`vector_out_prod()`] |
//! | matrix | [`matrix_rows()`], [`matrix_cols()`], [`matrix_add()`], [`matrix_transpose()`], [`matrix_mul()`] |
//!
//! # Arguments
//! A vector is a slice of `f64`. A matrix is any type that converts to a row-major [`View`](crate::View) of rank 2:
//! `&[[f64; 3]; 2]`, `&Array<f64, 2>`, or a `View` of any slice. Results are a `Vec` or an [`Array`](crate::Array);
//! `into` writes them to a destination instead:
//!
//! ```
//! use smooth::linalg::matrix_transpose;
//! use smooth::{Arena, View, ViewMut};
//!
//! let numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
//! let mut out = [0.0; 6];
//! matrix_transpose::into(ViewMut::new(&mut out, [3, 2]), View::new(&numbers, [2, 3]), &mut Arena::new());
//! assert_eq!(out, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
//! ```
//!
//! # Shapes and panics
//! In a signature, a size that occurs twice is one size: `a: &[f64; n], b: &[f64; n]` are vectors of the same
//! length. Sizes are checked once, at entry. If they differ, the call and `into` panic at the caller's line, and
//! `try_call`, `try_into`, `try_shape` and `try_scratch` return a [`ShapeError`](crate::ShapeError):
//!
//! ```
//! use smooth::linalg::vector_add;
//!
//! let error = vector_add::try_shape([3], [4]).unwrap_err();
//! assert_eq!(error.to_string(), "vector_add: argument b has length 4, but n = 3 (from argument a)");
//! ```
//!
//! `into` also panics, and `try_into` returns an error, if the shape of the destination differs from that of the
//! result or if the arena is too small. Any other reason to panic is in the function's documentation.
//!
//! Vectors and matrices may be empty. Only `f::reference`, which works on nested `Vec`s, cannot know the number of
//! columns of a matrix without rows and takes it to be 0.
//!
//! # Floats
//! [`vector_sum()`] and the functions that use it ([`vector_dot()`], [`vector_norm()`], [`matrix_mul()`], …) add in the order
//! of [`sum`](crate#the-meaning-of-sum): sixteen lanes, the same bits on every machine. All other functions are
//! element-wise, and each element has the bits of its formula in IEEE 754 arithmetic.

mod matrix;
mod vector;

pub use matrix::*;
pub use vector::*;
