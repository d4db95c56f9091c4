//! Arguments of `f::reference` for an array of more than one axis: those of `f`, and nested vectors. The body of the
//! reference works on nested vectors.
use crate::{Array, Layout, Scalar, ShapeError, StridedView, View, ViewMut};
use alloc::{boxed::Box, rc::Rc, vec::Vec};
use core::cell::{Ref, RefMut};

/// Types that can be copied into nested vectors of the type `V`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to the reference as `{V}`",
    label = "expected an array that can be copied into `{V}`",
    note = "the reference takes what the kernel takes, and nested `Vec`s; a slice or `Vec` of all elements, row by row, is passed as \
            `View::new(&v, [n, k])`: one number for each axis"
)]
pub trait ToNested<V> {
    /// The copy.
    fn to_nested(&self) -> V;

    /// Writes the lengths along the axes that an array without elements has, too.
    fn known(&self, _lengths: &mut [usize]) {}
}

/// A length that nobody knows: there is no row that has it.
const UNKNOWN: usize = usize::MAX;

/// The lengths of an argument of the reference.
///
/// # Errors
/// The error for rows that differ in length; none where there is no row that has a length.
pub fn lengths<const R: usize, V: Nested>(
    argument: &(impl ToNested<V> + ?Sized),
    copy: &V,
    kernel: &'static str,
) -> Result<[usize; R], Option<ShapeError>> {
    let mut lengths = [UNKNOWN; R];
    argument.known(&mut lengths);
    copy.measure(&mut lengths, (0, 0), kernel)?;
    if lengths.contains(&UNKNOWN) { Err(None) } else { Ok(lengths) }
}

/// Checks the arguments of the reference as the kernel does, where all of their lengths are known.
///
/// # Panics
/// If the kernel takes no arrays of these lengths.
#[track_caller]
pub fn fits<P>(plan: impl FnOnce() -> Result<Result<P, ShapeError>, Option<ShapeError>>) {
    if let Ok(Err(e)) | Err(Some(e)) = plan() {
        e.raise();
    }
}

/// Types that can be overwritten from nested vectors of the type `V`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to the reference as `&mut {V}`",
    label = "expected an array that can be changed as `{V}`",
    note = "the reference takes what the kernel takes, and mutable borrows of nested `Vec`s"
)]
pub trait NestedMut<V>: ToNested<V> {
    /// Overwrites the elements.
    fn assign(&mut self, value: V);
}

impl<T: Scalar> ToNested<T> for T {
    fn to_nested(&self) -> T {
        *self
    }
}

impl<T: Scalar> NestedMut<T> for T {
    fn assign(&mut self, value: T) {
        *self = value;
    }
}

macro_rules! slices {
    ($([$($generics:tt)*] $source:ty;)*) => {$(
        impl<V, R: ToNested<V>, $($generics)*> ToNested<Vec<V>> for $source {
            fn to_nested(&self) -> Vec<V> {
                self.iter().map(R::to_nested).collect()
            }

            fn known(&self, lengths: &mut [usize]) {
                if let Some((row, (_, inner))) = self.first().zip(lengths.split_first_mut()) {
                    row.known(inner);
                }
            }
        }

        impl<V, R: NestedMut<V>, $($generics)*> NestedMut<Vec<V>> for $source {
            fn assign(&mut self, value: Vec<V>) {
                self.iter_mut().zip(value).for_each(|(row, value)| row.assign(value));
            }
        }
    )*};
}
slices! { [] [R]; [const N: usize] [R; N]; [] Vec<R>; }

macro_rules! pointers {
    ($($source:ty $(, $mutable:ident)?;)*) => {$(
        impl<V, M: ToNested<Vec<V>> + ?Sized> ToNested<Vec<V>> for $source {
            fn to_nested(&self) -> Vec<V> {
                (**self).to_nested()
            }

            fn known(&self, lengths: &mut [usize]) {
                (**self).known(lengths);
            }
        }

        $(impl<V, M: $mutable<Vec<V>> + ?Sized> NestedMut<Vec<V>> for $source {
            fn assign(&mut self, value: Vec<V>) {
                (**self).assign(value);
            }
        })?
    )*};
}
pointers! { &M; &mut M, NestedMut; Box<M>, NestedMut; Rc<M>; Ref<'_, M>; RefMut<'_, M>, NestedMut; }
#[cfg(target_has_atomic = "ptr")]
pointers! { alloc::sync::Arc<M>; }
#[cfg(feature = "std")]
pointers! {
    std::sync::MutexGuard<'_, M>, NestedMut;
    std::sync::RwLockReadGuard<'_, M>;
    std::sync::RwLockWriteGuard<'_, M>, NestedMut;
}

#[cfg(feature = "std")]
impl<V, M: ToNested<Vec<V>>> ToNested<Vec<V>> for std::sync::LazyLock<M> {
    fn to_nested(&self) -> Vec<V> {
        (**self).to_nested()
    }
}

impl<V, R: ToNested<V> + Clone> ToNested<Vec<V>> for alloc::borrow::Cow<'_, [R]> {
    fn to_nested(&self) -> Vec<V> {
        (**self).to_nested()
    }
}

/// A number, or vectors of such values.
pub trait Nested {
    /// The numbers.
    type Item: Scalar;
    /// The part of a view with the first `axis` indices of `index`.
    fn gather<const R: usize>(view: &StridedView<'_, Self::Item, R>, index: [usize; R], axis: usize) -> Self;
    /// Completes the lengths along the axes, and compares rows with them. `at` is the plane and the row.
    ///
    /// # Errors
    /// [`ShapeError::Ragged`].
    fn measure(&self, lengths: &mut [usize], at: (usize, usize), kernel: &'static str) -> Result<(), ShapeError>;
    /// Hands out each number with its index. The first `axis` indices are known.
    fn scatter<const R: usize>(self, put: &mut impl FnMut([usize; R], Self::Item), index: [usize; R], axis: usize);
}

impl<T: Scalar> Nested for T {
    type Item = T;

    fn gather<const R: usize>(view: &StridedView<'_, T, R>, index: [usize; R], _: usize) -> T {
        view[index]
    }

    fn measure(&self, _: &mut [usize], _: (usize, usize), _: &'static str) -> Result<(), ShapeError> {
        Ok(())
    }

    fn scatter<const R: usize>(self, put: &mut impl FnMut([usize; R], T), index: [usize; R], _: usize) {
        put(index, self);
    }
}

impl<V: Nested> Nested for Vec<V> {
    type Item = V::Item;

    fn gather<const R: usize>(view: &StridedView<'_, V::Item, R>, mut index: [usize; R], axis: usize) -> Vec<V> {
        let part = |i| {
            index[axis] = i;
            V::gather(view, index, axis + 1)
        };
        (0..view.shape()[axis]).map(part).collect()
    }

    fn measure(&self, lengths: &mut [usize], at: (usize, usize), kernel: &'static str) -> Result<(), ShapeError> {
        let Some((length, inner)) = lengths.split_first_mut() else { return Ok(()) };
        let (found, expected) = (self.len(), *length);
        if expected != UNKNOWN && found != expected {
            let plane = if at.0 > 0 { Some(at.0) } else { None };
            return Err(ShapeError::Ragged { kernel, plane, row: at.1, found, expected });
        }
        *length = found;
        self.iter().enumerate().try_for_each(|(row, part)| part.measure(inner, (at.1, row), kernel))
    }

    fn scatter<const R: usize>(self, put: &mut impl FnMut([usize; R], V::Item), mut index: [usize; R], axis: usize) {
        for (i, part) in self.into_iter().enumerate() {
            index[axis] = i;
            part.scatter(put, index, axis + 1);
        }
    }
}

/// Views of each rank and their nested vectors.
macro_rules! views {
    ($($rank:literal $nested:ty;)*) => {$(
        impl<T: Scalar> ToNested<$nested> for StridedView<'_, T, $rank> {
            fn to_nested(&self) -> $nested {
                Nested::gather(self, [0; $rank], 0)
            }

            fn known(&self, lengths: &mut [usize]) {
                lengths.copy_from_slice(&self.shape());
            }
        }

        impl<T: Scalar, L: Layout> ToNested<$nested> for View<'_, T, $rank, L> {
            fn to_nested(&self) -> $nested {
                ToNested::to_nested(&self.strided())
            }

            fn known(&self, lengths: &mut [usize]) {
                lengths.copy_from_slice(&self.shape());
            }
        }

        impl<T: Scalar, L: Layout> ToNested<$nested> for ViewMut<'_, T, $rank, L> {
            fn to_nested(&self) -> $nested {
                ToNested::to_nested(&self.as_view().strided())
            }

            fn known(&self, lengths: &mut [usize]) {
                lengths.copy_from_slice(&self.shape());
            }
        }

        impl<T: Scalar, L: Layout> NestedMut<$nested> for ViewMut<'_, T, $rank, L> {
            fn assign(&mut self, value: $nested) {
                value.scatter(&mut |index, x| self[index] = x, [0; $rank], 0);
            }
        }

        impl<T: Scalar, L: Layout> ToNested<$nested> for Array<T, $rank, L> {
            fn to_nested(&self) -> $nested {
                ToNested::to_nested(&self.view().strided())
            }

            fn known(&self, lengths: &mut [usize]) {
                lengths.copy_from_slice(&self.shape());
            }
        }

        impl<T: Scalar, L: Layout> NestedMut<$nested> for Array<T, $rank, L> {
            fn assign(&mut self, value: $nested) {
                self.view_mut().assign(value);
            }
        }
    )*};
}
views! {
    1 Vec<T>;
    2 Vec<Vec<T>>;
    3 Vec<Vec<Vec<T>>>;
    4 Vec<Vec<Vec<Vec<T>>>>;
    5 Vec<Vec<Vec<Vec<Vec<T>>>>>;
    6 Vec<Vec<Vec<Vec<Vec<Vec<T>>>>>>;
}
