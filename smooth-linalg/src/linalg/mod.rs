//! Linear algebra on vectors and matrices of `f32` and `f64`, written in the language itself.
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
//! All of them but [`vector_range()`] are generic over `T:`[`Real`]: `f32` and `f64`. The type follows from the
//! arguments; where no argument has it, a call says it, as in `identity::<f32>(3)` and `vector_add::scratch::<f64>([9], [9])`.
//!
//! # Names
//! - The names of elementwise functions, and of functions that return a part of their argument, begin with the argument's kind:
//!   `vector_…`, `matrix_…`, `quaternion_…`. `rotation_…` makes a rotation matrix.
//! - Operations with a name in mathematics have just that name: [`matvec()`], [`trace()`], [`determinant()`], [`inverse()`],
//!   [`cholesky()`], [`lu()`], [`qr()`], [`solve()`], [`least_squares()`].
//! - A digit at the end is the size that it is written for ([`inverse3()`]), or the number of the norm ([`matrix_norm1()`]).
//! - The names of functions that take a factorization begin with its name: [`lu_solve()`], [`cholesky_solve()`]. Conversions
//!   are `…_from_…`: [`rotation_from_quaternion()`].
//!
//! Those of Fig. 3 of *Destination-passing style for efficient memory management* (Shaikhha, Fitzgibbon, Peyton Jones and
//! Vytiniotis, 2017) have the paper's names in snake case and its order of parameters.
//!
//! | | |
//! |---|---|
//! | new vectors | [`vector_range()`], [`vector_slice()`] |
//! | map | [`vector_map()`], [`vector_map2()`], [`matrix_map()`], [`matrix_map2()`] |
//! | vector → vector | [`vector_add()`], [`vector_sub()`], [`vector_e_mul()`], [`vector_s_mul()`], [`vector_cross()`] |
//! | vector → number | [`vector_sum()`], [`vector_dot()`], [`vector_sq_norm()`], [`vector_norm()`], [`vector_norm1()`], [`vector_norm_inf()`] |
//! | vector → matrix | [`vector_out_prod()`] |
//! | matrix | [`matrix_rows()`], [`matrix_cols()`], [`matrix_add()`], [`matrix_sub()`], [`matrix_s_mul()`], [`matrix_transpose()`], [`identity()`] |
//! | products | [`matrix_mul()`], [`matvec()`], [`vecmat()`] |
//! | matrix → number | [`trace()`], [`determinant()`], [`matrix_norm1()`], [`matrix_norm2()`], [`matrix_norm_inf()`], [`matrix_norm_frobenius()`] |
//! | 2, 3 and 4 rows, in closed form | [`determinant2()`], [`determinant3()`], [`determinant4()`], [`inverse2()`], [`inverse3()`], [`inverse4()`] |
//! | factors | [`cholesky()`], [`lu()`], [`qr()`] |
//! | systems | [`solve()`], [`solve_matrix()`], [`inverse()`], [`least_squares()`]; with a factor [`cholesky_solve()`], [`lu_solve()`] |
//! | triangular systems | [`solve_lower()`], [`solve_upper()`], [`solve_lower_transposed()`], [`solve_upper_transposed()`] |
//! | quaternions `[w, x, y, z]` | [`quaternion_mul()`], [`quaternion_conjugate()`], [`quaternion_normalise()`], [`quaternion_rotate()`], [`quaternion_from_axis_angle()`], [`quaternion_slerp()`] |
//! | rotations in space | [`rotation_x()`], [`rotation_y()`], [`rotation_z()`], [`rotation_from_axis_angle()`], [`rotation_from_vector()`], [`rotation_from_quaternion()`] |
//! | elsewhere | means, variances, extremes, softmax: [`statistics`]; cumulative sums: [`scan`]; sorting: [`sort`]; convolution: [`convolution`]; shapes: [`array`] |
//!
//! # Small matrices
//! All of these are compiled for the sizes that a kernel knows: loops are unrolled, and nothing is stored.
//!
//! ```
//! use smooth::linalg::solve;
//! use smooth::prelude::*;
//!
//! #[smooth]
//! fn solve3(a: &[[f64; 3]; 3], b: &[f64; 3]) -> [f64; 3] {
//!     solve(a, b)
//! }
//!
//! assert_eq!(solve3(&[[2.0, 0.0, 0.0], [0.0, 0.0, 4.0], [0.0, 1.0, 0.0]], &[2.0, 8.0, 5.0]), [1.0, 5.0, 2.0]);
//! ```
//!
//! # Singular matrices
//! No function panics because of the values of elements, and none returns an error. A division by 0 gives an infinity or NaN,
//! which spreads to later results: the result of a system without a solution has elements that are not finite. NaN in an
//! argument leads to NaN in the result.
//!
//! # Arguments
//! A vector is a slice. A matrix is any type that converts to a row-major [`View`] of rank 2:
//! `&[[f64; 3]; 2]`, `&Array<f64, 2>`, or a `View` of any slice. Results are a `Vec` or an [`Array`];
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
//! `try_call`, `try_into`, `try_shape` and `try_scratch` return a [`ShapeError`]:
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
//! [`vector_sum()`] and the functions that use it ([`vector_dot()`], [`vector_norm()`], [`matvec()`], …) add in the order of
//! [`sum`]: sixteen lanes. [`matrix_mul()`] and [`vecmat()`] add in source order. The others are formulas in
//! IEEE 754 arithmetic, or algorithms that their text gives an order. All have the same bits on every machine.
//!
//! [`Real`]: ../../smooth/trait.Real.html
//! [`View`]: ../../smooth/struct.View.html
//! [`Array`]: ../../smooth/struct.Array.html
//! [`ShapeError`]: ../../smooth/enum.ShapeError.html
//! [`sum`]: ../../smooth/index.html#the-meaning-of-sum
//! [`statistics`]: ../../smooth/statistics/index.html
//! [`scan`]: ../../smooth/scan/index.html
//! [`sort`]: ../../smooth/sort/index.html
//! [`convolution`]: ../../smooth/convolution/index.html
//! [`array`]: ../../smooth/array/index.html

mod factor;
mod factoring;
mod matrix;
mod norm;
mod product;
mod quaternion;
mod rotation;
mod rules;
mod small;
mod substitution;
mod system;
mod vector;

pub use factor::*;
pub use matrix::*;
pub use norm::*;
pub use product::*;
pub use quaternion::*;
pub use rotation::*;
pub use small::*;
pub use system::*;
pub use vector::*;
