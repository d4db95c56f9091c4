//! faer 0.24: matrices and views. faer may pad columns for speed, and a `View` must be contiguous. So a padded matrix
//! has to be copied, or its elements stored in an `Array` from the start (`MatMut::from(&mut array)`).
use super::{Source, TryView, TryViewMut, from_try, nested, nested_mut, rows, rows_mut};
use crate::{Array, Layout, ShapeError, StridedView, View, ViewMut, shape};
use alloc::vec::Vec;
use core::slice;
use faer_024::reborrow::{Reborrow, ReborrowMut};
use faer_024::{Mat, MatMut, MatRef, Shape, Stride};

const SHARED: Source = Source::shared("the faer matrix");
const MUTABLE: Source = Source::mutable("the faer matrix");

/// The number of elements. It overflows only for zero-sized elements; the slice is then empty, and the check of the
/// shape fails.
fn len(shape: [usize; 2]) -> usize {
    shape::count(&shape).unwrap_or(0)
}

/// Shape and strides of a `MatRef` or a `MatMut`.
macro_rules! axes {
    ($m:expr) => {
        (
            [$m.nrows().unbound(), $m.ncols().unbound()],
            [$m.row_stride().element_stride(), $m.col_stride().element_stride()],
        )
    };
}

impl<'a, T, Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride, L: Layout> TryView<'a, T, 2, L>
    for MatRef<'a, T, Rows, Cols, RStride, CStride>
{
    fn try_view(self) -> Result<View<'a, T, 2, L>, ShapeError> {
        let (shape, strides) = axes!(self);
        SHARED.check::<L, 2>(shape, strides)?;
        if shape.contains(&0) {
            return View::filled(&[], shape);
        }
        // SAFETY: by shape and strides the elements are contiguous and start at this address (F7).
        View::filled(unsafe { slice::from_raw_parts(self.as_ptr(), len(shape)) }, shape)
    }
}

impl<'a, T, Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride, L: Layout> TryViewMut<'a, T, 2, L>
    for MatMut<'a, T, Rows, Cols, RStride, CStride>
{
    fn try_view_mut(self) -> Result<ViewMut<'a, T, 2, L>, ShapeError> {
        let (shape, strides) = axes!(self);
        MUTABLE.check::<L, 2>(shape, strides)?;
        if shape.contains(&0) {
            return ViewMut::filled(&mut [], shape);
        }
        // SAFETY: by shape and strides the elements are contiguous and start at this address (F7); `self` is the only
        // access to them, and is consumed.
        ViewMut::filled(unsafe { slice::from_raw_parts_mut(self.as_ptr_mut(), len(shape)) }, shape)
    }
}

impl<'a, T, Rows: Shape, Cols: Shape, L: Layout> TryView<'a, T, 2, L> for &'a Mat<T, Rows, Cols> {
    fn try_view(self) -> Result<View<'a, T, 2, L>, ShapeError> {
        self.as_ref().try_view()
    }
}

impl<'a, T, Rows: Shape, Cols: Shape, L: Layout> TryViewMut<'a, T, 2, L> for &'a mut Mat<T, Rows, Cols> {
    fn try_view_mut(self) -> Result<ViewMut<'a, T, 2, L>, ShapeError> {
        self.as_mut().try_view_mut()
    }
}

from_try! {
    ['a, T, Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride, L: Layout]
        MatRef<'a, T, Rows, Cols, RStride, CStride> => View<'a, T, 2, L>, try_view;
    ['a, T, Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride, L: Layout]
        MatMut<'a, T, Rows, Cols, RStride, CStride> => ViewMut<'a, T, 2, L>, try_view_mut;
    ['a, T, Rows: Shape, Cols: Shape, L: Layout] &'a Mat<T, Rows, Cols> => View<'a, T, 2, L>, try_view;
    ['a, T, Rows: Shape, Cols: Shape, L: Layout] &'a mut Mat<T, Rows, Cols> => ViewMut<'a, T, 2, L>, try_view_mut;
}

rows! {
    [Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride] MatRef<'_, T, Rows, Cols, RStride, CStride>, |a| *a;
    [Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride] MatMut<'_, T, Rows, Cols, RStride, CStride>, |a| a.rb();
    [Rows: Shape, Cols: Shape] Mat<T, Rows, Cols>, |a| a;
}
nested! {
    [Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride] MatRef<'_, T, Rows, Cols, RStride, CStride>: 2 Vec<Vec<T>>, |a| *a;
    [Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride] MatMut<'_, T, Rows, Cols, RStride, CStride>: 2 Vec<Vec<T>>, |a| a.rb();
    [Rows: Shape, Cols: Shape] Mat<T, Rows, Cols>: 2 Vec<Vec<T>>, |a| a;
}
nested_mut! {
    [Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride]
        MatMut<'_, T, Rows, Cols, RStride, CStride>: 2 Vec<Vec<T>>, |a, i| *at(a.rb_mut(), i);
    [Rows: Shape, Cols: Shape] Mat<T, Rows, Cols>: 2 Vec<Vec<T>>, |a, i| *at(a.as_mut(), i);
}
rows_mut! {
    [Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride] MatMut<'_, T, Rows, Cols, RStride, CStride>, |a| a.rb_mut();
    [Rows: Shape, Cols: Shape] Mat<T, Rows, Cols>, |a| a;
}

/// The element at an index.
fn at<'a, T, Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride>(
    a: MatMut<'a, T, Rows, Cols, RStride, CStride>,
    [i, j]: [usize; 2],
) -> &'a mut T {
    a.as_dyn_mut().as_dyn_stride_mut().get_mut(i, j)
}

/// Of any strides.
impl<'a, T, Rows: Shape, Cols: Shape, RStride: Stride, CStride: Stride>
    From<MatRef<'a, T, Rows, Cols, RStride, CStride>> for StridedView<'a, T, 2>
{
    fn from(m: MatRef<'a, T, Rows, Cols, RStride, CStride>) -> Self {
        let (shape, strides) = axes!(m);
        // SAFETY: by shape and strides the elements are around this address (F7).
        unsafe { super::strided(m.as_ptr(), shape, strides) }
    }
}

/// Of any strides.
impl<'a, T, Rows: Shape, Cols: Shape> From<&'a Mat<T, Rows, Cols>> for StridedView<'a, T, 2> {
    fn from(m: &'a Mat<T, Rows, Cols>) -> Self {
        m.as_ref().into()
    }
}

/// A copy, whatever the strides.
impl<T: Clone, RStride: Stride, CStride: Stride, L: Layout> From<MatRef<'_, T, usize, usize, RStride, CStride>>
    for Array<T, 2, L>
{
    fn from(m: MatRef<'_, T, usize, usize, RStride, CStride>) -> Self {
        Array::by_index([m.nrows(), m.ncols()], |[i, j]| m[(i, j)].clone())
    }
}

/// A copy.
impl<T: Clone, L: Layout> From<&Mat<T>> for Array<T, 2, L> {
    fn from(m: &Mat<T>) -> Self {
        m.as_ref().into()
    }
}

/// A copy, since faer pads columns.
impl<T: Clone, L: Layout> From<&Array<T, 2, L>> for Mat<T> {
    fn from(a: &Array<T, 2, L>) -> Self {
        let [rows, columns] = a.shape;
        Mat::from_fn(rows, columns, |i, j| a[[i, j]].clone())
    }
}

impl<'a, T, L: Layout> From<View<'a, T, 2, L>> for MatRef<'a, T> {
    fn from(v: View<'a, T, 2, L>) -> Self {
        let [rows, columns] = v.shape;
        if L::IS_ROW_MAJOR {
            MatRef::from_row_major_slice(v.data, rows, columns)
        } else {
            MatRef::from_column_major_slice(v.data, rows, columns)
        }
    }
}

impl<'a, T, L: Layout> From<&'a Array<T, 2, L>> for MatRef<'a, T> {
    fn from(a: &'a Array<T, 2, L>) -> Self {
        a.view().into()
    }
}

impl<'a, T, L: Layout> From<ViewMut<'a, T, 2, L>> for MatMut<'a, T> {
    fn from(v: ViewMut<'a, T, 2, L>) -> Self {
        let [rows, columns] = v.shape;
        if L::IS_ROW_MAJOR {
            MatMut::from_row_major_slice_mut(v.data, rows, columns)
        } else {
            MatMut::from_column_major_slice_mut(v.data, rows, columns)
        }
    }
}

impl<'a, T, L: Layout> From<&'a mut Array<T, 2, L>> for MatMut<'a, T> {
    fn from(a: &'a mut Array<T, 2, L>) -> Self {
        a.view_mut().into()
    }
}
