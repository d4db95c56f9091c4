//! Values of other libraries as arguments and destinations, each behind a feature named after library and version.
//!
//! | feature | row-major argument | column-major argument | destination | conversion to and from `Array` |
//! |---|---|---|---|---|
//! | `ndarray-017` | `&a`, `a.view()` | `a.t()` | `&mut a`, `a.view_mut()` | moves the elements |
//! | `nalgebra-035` | `&m` of one row or column | `&m`, `&m.columns(…)` | `&mut m` | moves, if column-major |
//! | `faer-024` | `m.transpose()` | `m`, `&m` | `&mut m`, `m.as_mut()` | copies |
//!
//! - ndarray: arrays of 1 to 6 dimensions. Row-major is its standard layout, column-major its Fortran layout.
//! - nalgebra: matrices, static or dynamic, and views whose columns follow each other without gaps. `DMatrix` converts
//!   to and from a column-major [`Array`](crate::Array), `DVector` to and from an `Array` of rank 1.
//! - faer: matrices without padding between columns. A matrix of one row is also a row-major argument.
//!
//! No conversion to [`View`] or [`ViewMut`] copies or transposes. If the elements are not in the layout of the
//! parameter, `From` panics at the caller's line, and [`TryView`] and [`TryViewMut`] return [`ShapeError::Layout`].
//! Then declare the parameter column-major, or pass a copy, `&Array::from(&a)`, which accepts any strides.
//!
//! For a parameter with rows of a static length, `&[[f64; 3]; n]`, matrices whose rows lie side by side are passed by reference,
//! and the length of a row is checked ([`AsRows`](crate::AsRows)). So are slices of nalgebra's points and vectors, `&[Point3<f64>]`
//! and `&Vec<Vector3<f64>>`, without a copy. With this feature an empty literal needs a type there, as in `&[[0.0; 3]; 0]`.
//!
//! A strided parameter takes arrays, matrices and views of all three whatever their strides are, without a copy: they
//! convert to a [`StridedView`].
//!
//! In the other direction `From` converts a view or an array to `ndarray::ArrayView`, `nalgebra::DMatrixView` or
//! `faer::MatRef`, or to their mutable counterparts.
//!
//! A vector is passed as a slice: `a.as_slice().unwrap()` of an `ndarray::Array1`, `v.as_slice()` of a vector of
//! nalgebra, `c.try_as_col_major().unwrap().as_slice()` of a faer column.
//!
//! # ndarray
//!
//! ```
//! # #[cfg(feature = "ndarray-017")] {
//! # use ndarray_017 as ndarray;
//! # use smooth_runtime::{Array, ColumnMajor, StridedView, View, interop::TryView};
//! let a = ndarray::array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
//! let rows: View<'_, f64, 2> = (&a).into(); // as a row-major argument, `f(&a)`
//! let columns: View<'_, f64, 2, ColumnMajor> = a.t().into(); // as a column-major one, `g(a.t())`
//! assert_eq!((rows[[0, 2]], columns[[2, 0]]), (3.0, 3.0));
//!
//! let every_other = a.slice(ndarray::s![.., ..;2]);
//! let view: Result<View<'_, f64, 2>, _> = every_other.try_view();
//! assert_eq!(
//!     view.unwrap_err().to_string(),
//!     "View: the ndarray array is not row-major: its stride along axis 1 is 2, not 1; \
//!      pass a copy, `&Array::from(&a)`"
//! );
//! let strided = StridedView::from(every_other); // as a strided argument, `h(every_other)`
//! assert_eq!((strided.shape(), strided[[1, 1]]), ([2, 2], 6.0));
//! let copy: Array<f64, 2> = Array::from(&every_other);
//! assert_eq!(copy, [[1.0, 3.0], [4.0, 6.0]]);
//!
//! let back: ndarray::Array2<f64> = copy.into(); // as a result: the same vector
//! assert_eq!(back, every_other);
//! # }
//! ```
//!
//! # nalgebra
//!
//! ```
//! # #[cfg(feature = "nalgebra-035")] {
//! # use nalgebra_035 as nalgebra;
//! # use smooth_runtime::{Array, ColumnMajor, View};
//! let m = nalgebra::Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
//! let columns: View<'_, f64, 2, ColumnMajor> = (&m).into(); // as a column-major argument, `g(&m)`
//! assert_eq!((columns.shape(), columns[[0, 2]]), ([2, 3], 3.0));
//! let rows: Array<f64, 2> = Array::from(&m); // a copy is an argument of either layout, `f(&rows)`
//! assert_eq!(rows, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
//!
//! let result = columns.to_column_major();
//! assert_eq!(nalgebra::DMatrix::from(result), m); // as a result: the same vector
//! # }
//! ```
//!
//! # faer
//!
//! ```
//! # #[cfg(feature = "faer-024")] {
//! # use faer_024 as faer;
//! # use smooth_runtime::{Array, ColumnMajor, View, ViewMut};
//! let m = faer::Mat::from_fn(2, 3, |i, j| (3 * i + j) as f64);
//! let rows: Array<f64, 2> = Array::from(&m); // a copy, without faer's padding
//! assert_eq!(rows, [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
//!
//! // faer's algorithms on the memory of an `Array`, which has no padding.
//! let mut a = Array::column_major(vec![0.0; 6], [2, 3]);
//! faer::MatMut::from(&mut a).copy_from(&m);
//! assert_eq!(a.to_row_major(), rows);
//! assert_eq!(faer::MatRef::from(&rows), m);
//! # }
//! ```
use crate::{Layout, ShapeError, StridedView, View, ViewMut, shape};

#[cfg(feature = "faer-024")]
mod faer_024;
#[cfg(feature = "nalgebra-035")]
mod nalgebra_035;
#[cfg(feature = "ndarray-017")]
mod ndarray_017;

/// Types that can be viewed if their elements are contiguous and in the layout `L`.
///
/// If they are known to be, `View::from` is shorter.
pub trait TryView<'a, T, const R: usize, L> {
    /// A view of the same elements.
    ///
    /// # Errors
    /// [`ShapeError::Layout`] if the elements are not contiguous or not in the layout `L`.
    fn try_view(self) -> Result<View<'a, T, R, L>, ShapeError>;
}

/// Types that can be viewed mutably if their elements are contiguous and in the layout `L`.
///
/// If they are known to be, `ViewMut::from` is shorter.
pub trait TryViewMut<'a, T, const R: usize, L> {
    /// A mutable view of the same elements.
    ///
    /// # Errors
    /// [`ShapeError::Layout`] if the elements are not contiguous or not in the layout `L`.
    fn try_view_mut(self) -> Result<ViewMut<'a, T, R, L>, ShapeError>;
}

/// The value to be viewed, for messages.
#[allow(dead_code, reason = "used by some of the features")]
#[derive(Clone, Copy)]
struct Source {
    kernel: &'static str,
    value: &'static str,
    copy: &'static str,
}

#[allow(dead_code, reason = "used by some of the features")]
impl Source {
    const fn shared(value: &'static str) -> Self {
        Source { kernel: "View", value, copy: "pass a copy, `&Array::from(&a)`" }
    }

    const fn mutable(value: &'static str) -> Self {
        Source { kernel: "ViewMut", value, copy: "let an `Array` be the destination and copy from it" }
    }

    /// Checks that the elements are contiguous and in the layout `L`.
    fn check<L: Layout, const R: usize>(self, shape: [usize; R], strides: [isize; R]) -> Result<(), ShapeError> {
        let Some((axis, expected)) = misfit::<L, R>(shape, strides) else { return Ok(()) };
        let Source { kernel, value, copy } = self;
        let (layout, found) = (L::NAME, strides[axis]);
        let swapped = misfit::<L::Reversed, R>(shape, strides).is_none();
        Err(ShapeError::Layout { kernel, value, layout, axis, found, expected, swapped, copy })
    }
}

/// The view of elements that another library describes.
///
/// # Safety
/// It reports this first address, this shape and these strides, for elements that are borrowed for `'a` (F7).
#[allow(dead_code, reason = "used by some of the features")]
#[track_caller]
unsafe fn strided<'a, T, const R: usize>(
    first: *const T,
    shape: [usize; R],
    strides: [isize; R],
) -> StridedView<'a, T, R> {
    // SAFETY: F7.
    match unsafe { StridedView::from_parts(first, shape, strides) } {
        Ok(view) => view,
        Err(error) => error.raise(),
    }
}

/// The innermost axis whose stride is not that of the layout `L`, and the stride of `L`.
fn misfit<L: Layout, const R: usize>(shape: [usize; R], strides: [isize; R]) -> Option<(usize, usize)> {
    if shape.contains(&0) {
        return None;
    }
    let expected = shape::strides::<L, R>(shape);
    let mut axes = (0..R).rev().map(|k| L::axis(R, k));
    let axis = axes.find(|&axis| shape[axis] > 1 && usize::try_from(strides[axis]) != Ok(expected[axis]))?;
    Some((axis, expected[axis]))
}

/// `From`, which panics if `TryView` or `TryViewMut` fails.
#[allow(unused_macros, reason = "used by some of the features")]
macro_rules! from_try {
    ($([$($generics:tt)*] $source:ty => $view:ty, $try:ident $(where [$($bounds:tt)*])?;)*) => {$(
        impl<$($generics)*> From<$source> for $view $(where $($bounds)*)? {
            /// # Panics
            /// If the elements are not contiguous or not in the layout.
            #[track_caller]
            fn from(source: $source) -> Self {
                match source.$try() {
                    Ok(view) => view,
                    Err(error) => error.raise(),
                }
            }
        }
    )*};
}
#[allow(unused_imports, reason = "used by some of the features")]
use from_try;

/// The rows of matrices, where they lie side by side: a view of `a` is `$view`.
#[allow(unused_macros, reason = "used by some of the features")]
macro_rules! rows {
    ($([$($generics:tt)*] $source:ty $(where [$($bounds:tt)*])?, |$a:ident| $view:expr;)*) => {$(
        impl<T: crate::Scalar, const N: usize, $($generics)*> crate::AsRows<[T; N]> for $source $(where $($bounds)*)? {
            fn as_rows(&self) -> Result<&[[T; N]], ShapeError> {
                let $a = self;
                let view: View<'_, T, 2> = $view.try_view()?;
                view.static_rows()
            }
        }
    )*};
}
/// The rows of matrices, to be written.
#[allow(unused_macros, reason = "used by some of the features")]
macro_rules! rows_mut {
    ($([$($generics:tt)*] $source:ty $(where [$($bounds:tt)*])?, |$a:ident| $view:expr;)*) => {$(
        impl<T: crate::Scalar, const N: usize, $($generics)*> crate::AsRowsMut<[T; N]> for $source $(where $($bounds)*)? {
            fn as_rows_mut(&mut self) -> Result<&mut [[T; N]], ShapeError> {
                let $a = self;
                let view: ViewMut<'_, T, 2> = $view.try_view_mut()?;
                view.static_rows_mut()
            }
        }
    )*};
}
/// Implements the reference's arguments: a strided view of `a` is made of `$view`.
#[allow(unused_macros, reason = "used by some of the features")]
macro_rules! nested {
    ($([$($generics:tt)*] $source:ty: $rank:literal $nested:ty, |$a:ident| $view:expr;)*) => {$(
        impl<T: crate::Scalar, $($generics)*> crate::private::nested::ToNested<$nested> for $source {
            fn to_nested(&self) -> $nested {
                let $a = self;
                let view: StridedView<'_, T, $rank> = $view.into();
                crate::private::nested::ToNested::to_nested(&view)
            }

            fn known(&self, lengths: &mut [usize]) {
                let $a = self;
                let view: StridedView<'_, T, $rank> = $view.into();
                crate::private::nested::ToNested::<$nested>::known(&view, lengths);
            }
        }
    )*};
}
/// Implements arguments that the reference changes: the element of `a` at an index is `$place`.
#[allow(unused_macros, reason = "used by some of the features")]
macro_rules! nested_mut {
    ($([$($generics:tt)*] $source:ty: $rank:literal $nested:ty, |$a:ident, $index:ident| $place:expr;)*) => {$(
        impl<T: crate::Scalar, $($generics)*> crate::private::nested::NestedMut<$nested> for $source {
            fn assign(&mut self, value: $nested) {
                let $a = self;
                crate::private::nested::Nested::scatter(value, &mut |$index: [usize; $rank], x| $place = x, [0; $rank], 0);
            }
        }
    )*};
}
#[allow(unused_imports, reason = "used by some of the features")]
use {nested, nested_mut, rows, rows_mut};
