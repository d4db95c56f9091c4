//! Arguments of `f::reference` for an array of more than one axis: those of `f`, and nested vectors. The body of the
//! reference works on nested vectors.
use crate::{Array, Layout, Scalar, StridedView, View, ViewMut};
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
    /// Hands out each number with its index. The first `axis` indices are known.
    fn scatter<const R: usize>(self, put: &mut impl FnMut([usize; R], Self::Item), index: [usize; R], axis: usize);
}

impl<T: Scalar> Nested for T {
    type Item = T;

    fn gather<const R: usize>(view: &StridedView<'_, T, R>, index: [usize; R], _: usize) -> T {
        view[index]
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
        }

        impl<T: Scalar, L: Layout> ToNested<$nested> for View<'_, T, $rank, L> {
            fn to_nested(&self) -> $nested {
                ToNested::to_nested(&self.strided())
            }
        }

        impl<T: Scalar, L: Layout> ToNested<$nested> for ViewMut<'_, T, $rank, L> {
            fn to_nested(&self) -> $nested {
                ToNested::to_nested(&self.as_view().strided())
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
