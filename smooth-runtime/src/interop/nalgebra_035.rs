//! nalgebra 0.35: matrices and views of any storage, column-major.
use super::{Source, TryView, TryViewMut, from_try, nested, nested_mut, rows, rows_mut};
use crate::private::nested::{NestedMut, ToNested};
use crate::{Array, AsRows, AsRowsMut, ColumnMajor, Layout, ShapeError, StridedView, View, ViewMut};
use alloc::vec::Vec;
use core::slice;
use nalgebra_035::{
    DMatrix, DMatrixView, DMatrixViewMut, DVector, Dim, Matrix, OPoint, RawStorage, RawStorageMut, SVector, Scalar,
};

const SHARED: Source = Source::shared("the nalgebra matrix");
const MUTABLE: Source = Source::mutable("the nalgebra matrix");

fn shape<T, R: Dim, C: Dim, S: RawStorage<T, R, C>>(m: &Matrix<T, R, C, S>) -> [usize; 2] {
    m.shape().into()
}

fn strides<T, R: Dim, C: Dim, S: RawStorage<T, R, C>>(m: &Matrix<T, R, C, S>) -> [isize; 2] {
    let (row, column) = m.strides();
    [row, column].map(usize::cast_signed)
}

impl<'a, T, R: Dim, C: Dim, S: RawStorage<T, R, C>, L: Layout> TryView<'a, T, 2, L> for &'a Matrix<T, R, C, S> {
    fn try_view(self) -> Result<View<'a, T, 2, L>, ShapeError> {
        let shape = shape(self);
        SHARED.check::<L, 2>(shape, strides(self))?;
        // SAFETY: by shape and strides the elements are contiguous (F7).
        View::filled(unsafe { self.data.as_slice_unchecked() }, shape)
    }
}

impl<'a, T, R: Dim, C: Dim, S: RawStorageMut<T, R, C>, L: Layout> TryViewMut<'a, T, 2, L>
    for &'a mut Matrix<T, R, C, S>
{
    fn try_view_mut(self) -> Result<ViewMut<'a, T, 2, L>, ShapeError> {
        let shape = shape(self);
        MUTABLE.check::<L, 2>(shape, strides(self))?;
        // SAFETY: by shape and strides the elements are contiguous (F7).
        ViewMut::filled(unsafe { self.data.as_mut_slice_unchecked() }, shape)
    }
}

from_try! {
    ['a, T, R: Dim, C: Dim, S: RawStorage<T, R, C>, L: Layout] &'a Matrix<T, R, C, S> => View<'a, T, 2, L>, try_view;
    ['a, T, R: Dim, C: Dim, S: RawStorageMut<T, R, C>, L: Layout]
        &'a mut Matrix<T, R, C, S> => ViewMut<'a, T, 2, L>, try_view_mut;
}

rows! { [R: Dim, C: Dim, S: RawStorage<T, R, C>] Matrix<T, R, C, S>, |a| a; }
rows_mut! { [R: Dim, C: Dim, S: RawStorageMut<T, R, C>] Matrix<T, R, C, S>, |a| a; }
nested! { [R: Dim, C: Dim, S: RawStorage<T, R, C>] Matrix<T, R, C, S>: 2 Vec<Vec<T>>, |a| a; }
nested_mut! { [R: Dim, C: Dim, S: RawStorageMut<T, R, C>] Matrix<T, R, C, S>: 2 Vec<Vec<T>>, |a, i| a[(i[0], i[1])]; }

/// The numbers of points or vectors, an array of each: these are types whose one field with a size is `[[T; N]; 1]`. Arrays of
/// them are passed as slices, so that a literal `&[]` has the type of the kernel's rows.
macro_rules! points {
    ($($point:ty),*) => {$(
        impl<T: crate::Scalar, const N: usize> AsRows<[T; N]> for [$point] {
            fn as_rows(&self) -> Result<&[[T; N]], ShapeError> {
                const { assert!(size_of::<$point>() == size_of::<[T; N]>() && align_of::<$point>() == align_of::<T>()) };
                // SAFETY: nalgebra lays out a vector of a static size as its storage, which is `repr(transparent)` over
                // `[[T; N]; 1]`: `Matrix` is `repr(C)` with that and a `PhantomData`, `OPoint` is `repr(C)` with a vector alone
                // (F7). Size and alignment, and so the places of all numbers, have just been compared.
                Ok(unsafe { slice::from_raw_parts(self.as_ptr().cast(), self.len()) })
            }
        }

        impl<T: crate::Scalar, const N: usize> AsRowsMut<[T; N]> for [$point] {
            fn as_rows_mut(&mut self) -> Result<&mut [[T; N]], ShapeError> {
                const { assert!(size_of::<$point>() == size_of::<[T; N]>() && align_of::<$point>() == align_of::<T>()) };
                // SAFETY: as above (F7); any numbers are a point.
                Ok(unsafe { slice::from_raw_parts_mut(self.as_mut_ptr().cast(), self.len()) })
            }
        }

        impl<T: crate::Scalar, const N: usize> AsRows<[T; N]> for Vec<$point> {
            fn as_rows(&self) -> Result<&[[T; N]], ShapeError> {
                self[..].as_rows()
            }
        }

        impl<T: crate::Scalar, const N: usize> AsRowsMut<[T; N]> for Vec<$point> {
            fn as_rows_mut(&mut self) -> Result<&mut [[T; N]], ShapeError> {
                self[..].as_rows_mut()
            }
        }
    )*};
}

/// The coordinates, as a row of the reference.
macro_rules! row {
    ($($point:ty;)*) => {$(
        impl<T: crate::Scalar, const N: usize> ToNested<Vec<T>> for $point {
            fn to_nested(&self) -> Vec<T> {
                self.iter().copied().collect()
            }
        }

        impl<T: crate::Scalar, const N: usize> NestedMut<Vec<T>> for $point {
            fn assign(&mut self, value: Vec<T>) {
                self.iter_mut().zip(value).for_each(|(x, value)| *x = value);
            }
        }
    )*};
}

row! { SVector<T, N>; OPoint<T, nalgebra_035::Const<N>>; }
points! { SVector<T, N>, OPoint<T, nalgebra_035::Const<N>> }

/// Of any strides.
impl<'a, T, R: Dim, C: Dim, S: RawStorage<T, R, C>> From<&'a Matrix<T, R, C, S>> for StridedView<'a, T, 2> {
    fn from(m: &'a Matrix<T, R, C, S>) -> Self {
        // SAFETY: by shape and strides the elements start at this address (F7).
        unsafe { super::strided(m.data.ptr(), shape(m), strides(m)) }
    }
}

/// A copy, whatever the strides.
impl<T: Clone, R: Dim, C: Dim, S: RawStorage<T, R, C>, L: Layout> From<&Matrix<T, R, C, S>> for Array<T, 2, L> {
    fn from(m: &Matrix<T, R, C, S>) -> Self {
        Array::by_index(shape(m), |[i, j]| m[(i, j)].clone())
    }
}

/// Moves the vector of elements.
impl<T: Scalar> From<DMatrix<T>> for Array<T, 2, ColumnMajor> {
    fn from(m: DMatrix<T>) -> Self {
        let shape = shape(&m);
        Array::of(m.data.into(), shape)
    }
}

/// Moves the vector of elements.
impl<T: Scalar> From<Array<T, 2, ColumnMajor>> for DMatrix<T> {
    fn from(a: Array<T, 2, ColumnMajor>) -> Self {
        let [rows, columns] = a.shape;
        DMatrix::from_vec(rows, columns, a.data)
    }
}

/// A copy.
impl<T: Scalar, L: Layout> From<&Array<T, 2, L>> for DMatrix<T> {
    fn from(a: &Array<T, 2, L>) -> Self {
        let [rows, columns] = a.shape;
        DMatrix::from_fn(rows, columns, |i, j| a[[i, j]].clone())
    }
}

/// Moves the vector of elements.
impl<T: Scalar + crate::Scalar> From<DVector<T>> for Array<T, 1> {
    fn from(v: DVector<T>) -> Self {
        Array::from(Into::<Vec<T>>::into(v.data))
    }
}

/// Moves the vector of elements.
impl<T: Scalar> From<Array<T, 1>> for DVector<T> {
    fn from(a: Array<T, 1>) -> Self {
        DVector::from_vec(a.data)
    }
}

impl<'a, T: Scalar> From<View<'a, T, 2, ColumnMajor>> for DMatrixView<'a, T> {
    fn from(v: View<'a, T, 2, ColumnMajor>) -> Self {
        let [rows, columns] = v.shape;
        DMatrixView::from_slice(v.data, rows, columns)
    }
}

impl<'a, T: Scalar> From<&'a Array<T, 2, ColumnMajor>> for DMatrixView<'a, T> {
    fn from(a: &'a Array<T, 2, ColumnMajor>) -> Self {
        a.view().into()
    }
}

impl<'a, T: Scalar> From<ViewMut<'a, T, 2, ColumnMajor>> for DMatrixViewMut<'a, T> {
    fn from(v: ViewMut<'a, T, 2, ColumnMajor>) -> Self {
        let [rows, columns] = v.shape;
        DMatrixViewMut::from_slice(v.data, rows, columns)
    }
}

impl<'a, T: Scalar> From<&'a mut Array<T, 2, ColumnMajor>> for DMatrixViewMut<'a, T> {
    fn from(a: &'a mut Array<T, 2, ColumnMajor>) -> Self {
        a.view_mut().into()
    }
}
