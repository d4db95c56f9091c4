//! Arguments for an array whose inner sizes are symbolic: all types that convert to a view. The traits have separate names
//! for the sake of their errors.
//!
//! All that converts to a view implements `IntoView`, by one blanket implementation. With `impl Into<View<'_, T, R>>`
//! in the signature a `Vec` of `Vec`s gave a list of the conversions of std; now the message says what to pass
//! instead.
use crate::{Layout, RowMajor, StridedView, View, ViewMut};

/// Arguments for an array of `R` axes: all types that implement `Into<View<'a, T, R, L>>`.
///
/// ```
/// use smooth_runtime::{IntoView, View};
///
/// fn rows<'a>(m: impl IntoView<'a, f64, 2>) -> usize {
///     m.into().shape()[0]
/// }
/// assert_eq!(rows(&[[1.0, 2.0]]), 1);
/// assert_eq!(rows(View::new(&[1.0, 2.0, 3.0, 4.0], [2, 2])), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as a {R}-axis array of `{T}`",
    label = "expected a {R}-axis array of `{T}`",
    note = "a slice or `Vec` of all elements, row by row, is passed as `View::new(&v, [n, k])`: one number for each axis",
    note = "a `Vec` of `Vec`s is copied into an array first: `&Array::from_nested(&v)?`",
    note = "arrays of arrays (`&[[f64; 3]; 2]`, `&Vec<[f64; 3]>`), an `&Array` and a `View` are passed as they are; a \
            column-major parameter takes `View::column_major(&v, [n, k])`"
)]
pub trait IntoView<'a, T: 'a, const R: usize, L: Layout = RowMajor>: Into<View<'a, T, R, L>> {}

#[diagnostic::do_not_recommend]
impl<'a, T: 'a, const R: usize, L: Layout, X: Into<View<'a, T, R, L>>> IntoView<'a, T, R, L> for X {}

/// Arguments for a strided array of `R` axes: all types that implement `Into<StridedView<'a, T, R>>`.
///
/// ```
/// use smooth_runtime::{IntoStridedView, View};
///
/// fn corner<'a>(m: impl IntoStridedView<'a, f64, 2>) -> f64 {
///     m.into()[[0, 0]]
/// }
/// let m = [[1.0, 2.0], [3.0, 4.0]];
/// assert_eq!(corner(&m), 1.0);
/// assert_eq!(corner(View::from(&m).strided().reversed(1)), 2.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as a strided {R}-axis array of `{T}`",
    label = "expected a {R}-axis array of `{T}`",
    note = "a part of a slice or `Vec` is passed as `StridedView::new(&v, offset, shape, strides)`: one number for each axis",
    note = "arrays of arrays (`&[[f64; 3]; 2]`, `&Vec<[f64; 3]>`), an `&Array`, a `View` and a `StridedView` are passed as they \
            are; a slice or `Vec` is an array of one axis"
)]
pub trait IntoStridedView<'a, T: 'a, const R: usize>: Into<StridedView<'a, T, R>> {}

#[diagnostic::do_not_recommend]
impl<'a, T: 'a, const R: usize, X: Into<StridedView<'a, T, R>>> IntoStridedView<'a, T, R> for X {}

/// Destinations of `R` axes: all types that implement `Into<ViewMut<'a, T, R, L>>`.
///
/// ```
/// use smooth_runtime::{IntoViewMut, ViewMut};
///
/// fn clear<'a>(m: impl IntoViewMut<'a, f64, 2>) {
///     m.into().as_mut_slice().fill(0.0);
/// }
/// let mut a = [[1.0, 2.0]];
/// clear(&mut a);
/// assert_eq!(a, [[0.0, 0.0]]);
/// clear(ViewMut::new(&mut [1.0, 2.0, 3.0, 4.0], [2, 2]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as a {R}-axis destination of `{T}`",
    label = "expected a {R}-axis destination of `{T}`",
    note = "a slice or `Vec` for all elements, row by row, is passed as `ViewMut::new(&mut v, [n, k])`: one number for each axis",
    note = "mutable borrows of arrays of arrays (`&mut [[f64; 3]; 2]`) and of an `Array` are passed as they are"
)]
pub trait IntoViewMut<'a, T: 'a, const R: usize, L: Layout = RowMajor>: Into<ViewMut<'a, T, R, L>> {}

#[diagnostic::do_not_recommend]
impl<'a, T: 'a, const R: usize, L: Layout, X: Into<ViewMut<'a, T, R, L>>> IntoViewMut<'a, T, R, L> for X {}
