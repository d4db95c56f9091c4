//! ndarray 0.17: arrays and views of 1 to 6 dimensions, in standard or Fortran layout.
use super::{Source, TryView, TryViewMut, from_try, nested, nested_mut};
use crate::{Array, Layout, ShapeError, StridedView, View, ViewMut};
use crate::{AsRows, AsRowsMut, Scalar};
use alloc::vec::Vec;
use ndarray_017::{
    Array as Owned, ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Data, DataMut, Dim, Dimension, IntoDimension, Ix,
    RawData, ShapeBuilder,
};

const SHARED: Source = Source::shared("the ndarray array");
const MUTABLE: Source = Source::mutable("the ndarray array");

/// The shape and the layout `L` as an ndarray shape.
fn shape_of<L: Layout, const R: usize>(shape: [usize; R]) -> ndarray_017::Shape<Dim<[Ix; R]>>
where
    [Ix; R]: IntoDimension<Dim = Dim<[Ix; R]>>,
    Dim<[Ix; R]>: Dimension,
{
    shape.into_dimension().set_f(!L::IS_ROW_MAJOR)
}

/// ndarray's slice of one value per axis as an array.
fn axes<X: Copy + Default, const R: usize>(values: &[X]) -> [X; R] {
    let mut axes = [X::default(); R];
    axes.copy_from_slice(values);
    axes
}

/// These elements with axes ordered such that layout `L` becomes ndarray's standard layout.
fn standard<L: Layout, S: RawData, D: Dimension>(a: ArrayBase<S, D>) -> ArrayBase<S, D> {
    if L::IS_ROW_MAJOR { a } else { a.reversed_axes() }
}

const CHECKED: &str = "the layout has just been checked";

impl<'a, T, const R: usize, L: Layout> TryView<'a, T, R, L> for ArrayView<'a, T, Dim<[Ix; R]>>
where
    Dim<[Ix; R]>: Dimension,
{
    fn try_view(self) -> Result<View<'a, T, R, L>, ShapeError> {
        let shape = axes(self.shape());
        SHARED.check::<L, R>(shape, axes(self.strides()))?;
        View::filled(standard::<L, _, _>(self).to_slice().expect(CHECKED), shape)
    }
}

impl<'a, T, const R: usize, L: Layout> TryView<'a, T, R, L> for &'a ArrayRef<T, Dim<[Ix; R]>>
where
    Dim<[Ix; R]>: Dimension,
{
    fn try_view(self) -> Result<View<'a, T, R, L>, ShapeError> {
        self.view().try_view()
    }
}

impl<'a, T, S: Data<Elem = T>, const R: usize, L: Layout> TryView<'a, T, R, L> for &'a ArrayBase<S, Dim<[Ix; R]>>
where
    Dim<[Ix; R]>: Dimension,
{
    fn try_view(self) -> Result<View<'a, T, R, L>, ShapeError> {
        self.view().try_view()
    }
}

impl<'a, T, const R: usize, L: Layout> TryViewMut<'a, T, R, L> for ArrayViewMut<'a, T, Dim<[Ix; R]>>
where
    Dim<[Ix; R]>: Dimension,
{
    fn try_view_mut(self) -> Result<ViewMut<'a, T, R, L>, ShapeError> {
        let shape = axes(self.shape());
        MUTABLE.check::<L, R>(shape, axes(self.strides()))?;
        ViewMut::filled(standard::<L, _, _>(self).into_slice().expect(CHECKED), shape)
    }
}

impl<'a, T, const R: usize, L: Layout> TryViewMut<'a, T, R, L> for &'a mut ArrayRef<T, Dim<[Ix; R]>>
where
    Dim<[Ix; R]>: Dimension,
{
    fn try_view_mut(self) -> Result<ViewMut<'a, T, R, L>, ShapeError> {
        self.view_mut().try_view_mut()
    }
}

impl<'a, T, S: DataMut<Elem = T>, const R: usize, L: Layout> TryViewMut<'a, T, R, L>
    for &'a mut ArrayBase<S, Dim<[Ix; R]>>
where
    Dim<[Ix; R]>: Dimension,
{
    fn try_view_mut(self) -> Result<ViewMut<'a, T, R, L>, ShapeError> {
        self.view_mut().try_view_mut()
    }
}

from_try! {
    ['a, T, const R: usize, L: Layout] ArrayView<'a, T, Dim<[Ix; R]>> => View<'a, T, R, L>, try_view
        where [Dim<[Ix; R]>: Dimension];
    ['a, T, const R: usize, L: Layout] &'a ArrayRef<T, Dim<[Ix; R]>> => View<'a, T, R, L>, try_view
        where [Dim<[Ix; R]>: Dimension];
    ['a, T, S: Data<Elem = T>, const R: usize, L: Layout] &'a ArrayBase<S, Dim<[Ix; R]>> => View<'a, T, R, L>, try_view
        where [Dim<[Ix; R]>: Dimension];
    ['a, T, const R: usize, L: Layout] ArrayViewMut<'a, T, Dim<[Ix; R]>> => ViewMut<'a, T, R, L>, try_view_mut
        where [Dim<[Ix; R]>: Dimension];
    ['a, T, const R: usize, L: Layout] &'a mut ArrayRef<T, Dim<[Ix; R]>> => ViewMut<'a, T, R, L>, try_view_mut
        where [Dim<[Ix; R]>: Dimension];
    ['a, T, S: DataMut<Elem = T>, const R: usize, L: Layout]
        &'a mut ArrayBase<S, Dim<[Ix; R]>> => ViewMut<'a, T, R, L>, try_view_mut where [Dim<[Ix; R]>: Dimension];
}

/// Arrays of each rank, whose rows are of type `$row`.
macro_rules! rows {
    ($($rank:literal [$($len:ident),*] $row:ty;)*) => {$(
        impl<T: Scalar, $(const $len: usize),*> AsRows<$row> for ArrayRef<T, Dim<[Ix; $rank]>> {
            fn as_rows(&self) -> Result<&[$row], ShapeError> {
                let view: View<'_, T, $rank> = self.try_view()?;
                view.static_rows()
            }
        }

        impl<T: Scalar, $(const $len: usize),*> AsRowsMut<$row> for ArrayRef<T, Dim<[Ix; $rank]>> {
            fn as_rows_mut(&mut self) -> Result<&mut [$row], ShapeError> {
                let view: ViewMut<'_, T, $rank> = self.try_view_mut()?;
                view.static_rows_mut()
            }
        }

        impl<T: Scalar, S: Data<Elem = T>, $(const $len: usize),*> AsRows<$row> for ArrayBase<S, Dim<[Ix; $rank]>> {
            fn as_rows(&self) -> Result<&[$row], ShapeError> {
                (**self).as_rows()
            }
        }

        impl<T: Scalar, S: DataMut<Elem = T>, $(const $len: usize),*> AsRowsMut<$row> for ArrayBase<S, Dim<[Ix; $rank]>> {
            fn as_rows_mut(&mut self) -> Result<&mut [$row], ShapeError> {
                (**self).as_rows_mut()
            }
        }
    )*};
}

rows! {
    2 [B] [T; B];
    3 [B, C] [[T; C]; B];
    4 [B, C, D] [[[T; D]; C]; B];
    5 [B, C, D, E] [[[[T; E]; D]; C]; B];
    6 [B, C, D, E, F] [[[[[T; F]; E]; D]; C]; B];
}

/// Arrays of each rank and their nested vectors.
macro_rules! vectors {
    ($($rank:literal $nested:ty;)*) => {
        nested! { $(
            [] ArrayRef<T, Dim<[Ix; $rank]>>: $rank $nested, |a| a;
            [S: Data<Elem = T>] ArrayBase<S, Dim<[Ix; $rank]>>: $rank $nested, |a| a;
        )* }
        nested_mut! { $(
            [] ArrayRef<T, Dim<[Ix; $rank]>>: $rank $nested, |a, i| a[i];
            [S: DataMut<Elem = T>] ArrayBase<S, Dim<[Ix; $rank]>>: $rank $nested, |a, i| a[i];
        )* }
    };
}

vectors! {
    1 Vec<T>;
    2 Vec<Vec<T>>;
    3 Vec<Vec<Vec<T>>>;
    4 Vec<Vec<Vec<Vec<T>>>>;
    5 Vec<Vec<Vec<Vec<Vec<T>>>>>;
    6 Vec<Vec<Vec<Vec<Vec<Vec<T>>>>>>;
}

/// Of any strides.
///
/// # Panics
/// If an array of the shape would have more than `isize::MAX` bytes: `broadcast` makes such views.
impl<'a, T, const R: usize> From<ArrayView<'a, T, Dim<[Ix; R]>>> for StridedView<'a, T, R>
where
    Dim<[Ix; R]>: Dimension,
{
    #[track_caller]
    fn from(a: ArrayView<'a, T, Dim<[Ix; R]>>) -> Self {
        // SAFETY: by shape and strides the elements are around this address (F7).
        unsafe { super::strided(a.as_ptr(), axes(a.shape()), axes(a.strides())) }
    }
}

/// Of any strides.
///
/// # Panics
/// As for a view.
impl<'a, T, const R: usize> From<&'a ArrayRef<T, Dim<[Ix; R]>>> for StridedView<'a, T, R>
where
    Dim<[Ix; R]>: Dimension,
{
    #[track_caller]
    fn from(a: &'a ArrayRef<T, Dim<[Ix; R]>>) -> Self {
        a.view().into()
    }
}

/// Of any strides.
///
/// # Panics
/// As for a view.
impl<'a, T, S: Data<Elem = T>, const R: usize> From<&'a ArrayBase<S, Dim<[Ix; R]>>> for StridedView<'a, T, R>
where
    Dim<[Ix; R]>: Dimension,
{
    #[track_caller]
    fn from(a: &'a ArrayBase<S, Dim<[Ix; R]>>) -> Self {
        a.view().into()
    }
}

/// A copy, whatever the strides.
impl<T: Clone, S: Data<Elem = T>, const R: usize, L: Layout> From<&ArrayBase<S, Dim<[Ix; R]>>> for Array<T, R, L>
where
    Dim<[Ix; R]>: Dimension,
{
    fn from(a: &ArrayBase<S, Dim<[Ix; R]>>) -> Self {
        Array::of(standard::<L, _, _>(a.view()).iter().cloned().collect(), axes(a.shape()))
    }
}

/// Moves the vector of elements if it is in layout `L`; otherwise moves the elements into a new one in that order.
impl<T, const R: usize, L: Layout> From<Owned<T, Dim<[Ix; R]>>> for Array<T, R, L>
where
    Dim<[Ix; R]>: Dimension,
{
    fn from(a: Owned<T, Dim<[Ix; R]>>) -> Self {
        let (len, shape) = (a.len(), axes(a.shape()));
        let a = standard::<L, _, _>(a);
        if !a.is_standard_layout() {
            return Array::of(a.into_iter().collect(), shape);
        }
        // The vector of a sliced array still has the elements before and after the slice.
        let (mut data, start) = a.into_raw_vec_and_offset();
        let start = start.unwrap_or(0);
        data.truncate(start + len);
        data.drain(..start);
        Array::of(data, shape)
    }
}

const FITS: &str = "as many elements as the shape needs";

/// Moves the vector of elements: row-major is ndarray's standard layout, column-major its Fortran layout.
impl<T, const R: usize, L: Layout> From<Array<T, R, L>> for Owned<T, Dim<[Ix; R]>>
where
    [Ix; R]: IntoDimension<Dim = Dim<[Ix; R]>>,
    Dim<[Ix; R]>: Dimension,
{
    fn from(a: Array<T, R, L>) -> Self {
        Owned::from_shape_vec(shape_of::<L, R>(a.shape), a.data).expect(FITS)
    }
}

impl<'a, T, const R: usize, L: Layout> From<View<'a, T, R, L>> for ArrayView<'a, T, Dim<[Ix; R]>>
where
    [Ix; R]: IntoDimension<Dim = Dim<[Ix; R]>>,
    Dim<[Ix; R]>: Dimension,
{
    fn from(v: View<'a, T, R, L>) -> Self {
        ArrayView::from_shape(shape_of::<L, R>(v.shape), v.data).expect(FITS)
    }
}

impl<'a, T, const R: usize, L: Layout> From<&'a Array<T, R, L>> for ArrayView<'a, T, Dim<[Ix; R]>>
where
    [Ix; R]: IntoDimension<Dim = Dim<[Ix; R]>>,
    Dim<[Ix; R]>: Dimension,
{
    fn from(a: &'a Array<T, R, L>) -> Self {
        a.view().into()
    }
}

impl<'a, T, const R: usize, L: Layout> From<ViewMut<'a, T, R, L>> for ArrayViewMut<'a, T, Dim<[Ix; R]>>
where
    [Ix; R]: IntoDimension<Dim = Dim<[Ix; R]>>,
    Dim<[Ix; R]>: Dimension,
{
    fn from(v: ViewMut<'a, T, R, L>) -> Self {
        ArrayViewMut::from_shape(shape_of::<L, R>(v.shape), v.data).expect(FITS)
    }
}

impl<'a, T, const R: usize, L: Layout> From<&'a mut Array<T, R, L>> for ArrayViewMut<'a, T, Dim<[Ix; R]>>
where
    [Ix; R]: IntoDimension<Dim = Dim<[Ix; R]>>,
    Dim<[Ix; R]>: Dimension,
{
    fn from(a: &'a mut Array<T, R, L>) -> Self {
        a.view_mut().into()
    }
}
