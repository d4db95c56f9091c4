//! Arguments for an array whose inner sizes are static: all types that have such rows.
//!
//! A parameter is `&(impl AsRows<[T; 3]> + ?Sized)`. Through the reference a mutable borrow is lent and not moved, and a
//! kernel is still a function of a reference of any lifetime.
//!
//! Rust reborrows a `&mut [[f64; 3]]` where it sees a reference, and would move it into an `impl`.
//! `impl Fn(&[[f64; 3]])` asks for a function of any lifetime. A view is passed as `&view` for it, and rustc says so.
//! Literals have the kernel's types, and `as_chunks` its length, since there is one implementation for each form of
//! slice. That is also the limit: with the feature `nalgebra-035` a slice and a `Vec` have two, so that `&Vec::new()`
//! needs a type there, and arrays of points are passed as `&p[..]`. Types that Rust would dereference have
//! implementations (`Box`, `Rc`, `Arc`, `Cow`, guards, `LazyLock`); of other pointers borrow `&x[..]`.
use crate::{Scalar, ShapeError, View, ViewMut, functions};
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, rc::Rc, vec::Vec};
use core::cell::{Ref, RefMut};

/// Types that have rows of type `E`, an array: a parameter `&[[f64; 3]; n]` takes every `AsRows<[f64; 3]>`.
///
/// These are slices, arrays and vectors of arrays, [`View`] and `Array`, whose row length is checked, and with their features
/// the matrices of other libraries and slices of nalgebra's points and vectors. A type of points can implement it.
///
/// ```
/// use smooth_runtime::{AsRows, View};
///
/// fn count(points: &(impl AsRows<[f64; 2]> + ?Sized)) -> usize {
///     points.as_rows().unwrap().len()
/// }
/// assert_eq!(count(&[[1.0, 2.0]]), 1);
/// assert_eq!(count(&View::new(&[1.0, 2.0, 3.0, 4.0], [2, 2])), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no rows of type `{E}`",
    label = "expected rows of type `{E}`",
    note = "a slice or `Vec` of all numbers, row after row, is passed as `v.as_chunks().0`, which leaves out what is not a whole row, or \
            with a check as `&View::new(&v, [n, k])`: one number for each axis",
    note = "a `Vec` of `Vec`s is copied into an array first: `&Array::from_nested(&v)?`; for pointers of other types borrow what \
            they point to: `&x[..]`",
    note = "slices, arrays and `Vec`s of such arrays, an `&Array` and a `&View` are passed as they are, and matrices of ndarray, \
            nalgebra and faer, and slices of nalgebra's points and vectors with the feature for that library"
)]
pub trait AsRows<E> {
    /// The rows.
    ///
    /// # Errors
    /// [`ShapeError::Mismatch`] if the rows have another shape, or [`ShapeError::Layout`] if they do not lie side by side.
    fn as_rows(&self) -> Result<&[E], ShapeError>;
}

/// Types whose rows of type `E` can be written: arguments for a destination `[[f64; 3]; n]` and for `&mut [[f64; 3]; n]`.
///
/// See [`AsRows`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no rows of type `{E}` to be written",
    label = "expected rows of type `{E}`",
    note = "a slice or `Vec` for all numbers, row after row, is passed as `v.as_chunks_mut().0`, or as `&mut ViewMut::new(&mut v, [n, \
            k])`: one number for each axis",
    note = "mutable borrows of slices, arrays and `Vec`s of such arrays, of an `Array` and of a `ViewMut` are passed as they are"
)]
pub trait AsRowsMut<E> {
    /// The rows.
    ///
    /// # Errors
    /// [`ShapeError::Mismatch`] if the rows have another shape, or [`ShapeError::Layout`] if they do not lie side by side.
    fn as_rows_mut(&mut self) -> Result<&mut [E], ShapeError>;
}

/// The names in errors of conversions outside of a kernel's call.
const KIND: &str = "AsRows";
const ITSELF: &str = "self";

/// Whether an array has rows of this shape: its axes except for the first one.
pub(crate) fn check(found: &[usize], row: &[usize]) -> Result<(), ShapeError> {
    for (axis, (&found, &expected)) in found.iter().zip(row).enumerate() {
        if found != expected {
            let (axis, rank) = (axis + 1, row.len() + 1);
            let (kernel, argument) = (KIND, ITSELF);
            return Err(ShapeError::Mismatch { kernel, argument, axis, rank, found, size: "", expected, from: "" });
        }
    }
    Ok(())
}

/// The rows of an argument.
///
/// # Errors
/// Those of [`AsRows`], with the names of the kernel and the argument.
#[inline(always)]
pub fn rows<'a, E>(
    a: &'a (impl AsRows<E> + ?Sized),
    kernel: &'static str,
    argument: &'static str,
) -> Result<&'a [E], ShapeError> {
    match a.as_rows() {
        Ok(rows) => Ok(rows),
        Err(e) => Err(of_argument(e, kernel, argument)),
    }
}

/// The rows of an in-out argument.
///
/// # Errors
/// Those of [`AsRowsMut`], with the names of the kernel and the argument.
#[inline(always)]
pub fn rows_mut<'a, E>(
    a: &'a mut (impl AsRowsMut<E> + ?Sized),
    kernel: &'static str,
    argument: &'static str,
) -> Result<&'a mut [E], ShapeError> {
    match a.as_rows_mut() {
        Ok(rows) => Ok(rows),
        Err(e) => Err(of_argument(e, kernel, argument)),
    }
}

/// The rows of a destination.
///
/// # Errors
/// Those of [`AsRowsMut`], with the names of the kernel and the destination.
#[inline(always)]
pub fn rows_out<'a, E>(
    a: &'a mut (impl AsRowsMut<E> + ?Sized),
    kernel: &'static str,
    destination: &'static str,
) -> Result<&'a mut [E], ShapeError> {
    match a.as_rows_mut() {
        Ok(rows) => Ok(rows),
        Err(e) => Err(of_destination(e, kernel, destination)),
    }
}

#[cold]
fn of_argument(e: ShapeError, kernel: &'static str, argument: &'static str) -> ShapeError {
    match e {
        ShapeError::Mismatch { axis, rank, found, size, expected, from, .. } => {
            ShapeError::Mismatch { kernel, argument, axis, rank, found, size, expected, from }
        }
        e => e,
    }
}

#[cold]
fn of_destination(e: ShapeError, kernel: &'static str, destination: &'static str) -> ShapeError {
    match e {
        ShapeError::Mismatch { axis, rank, found, expected, .. } => {
            ShapeError::Destination { kernel, destination, axis, rank, found, expected }
        }
        e => e,
    }
}

/// Implements the traits for slices of rows.
macro_rules! slices {
    ($([$($generics:tt)*] $source:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<E, $($generics)*> AsRows<E> for $source {
            #[inline(always)]
            fn as_rows(&self) -> Result<&[E], ShapeError> {
                Ok(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<E, $($generics)*> AsRowsMut<E> for $source {
            #[inline(always)]
            fn as_rows_mut(&mut self) -> Result<&mut [E], ShapeError> {
                Ok(self)
            }
        }
    )*};
}

slices! { [] [E]; [const N: usize] [E; N]; }
#[cfg(feature = "alloc")]
slices! { [] Vec<E>; }

/// Implements the traits for pointers to a value with rows. A method's receiver would be dereferenced without this, but an
/// argument of a type that is not known yet is not.
macro_rules! pointers {
    ($($source:ty $(, $mutable:ident)?;)*) => {$(
        impl<E, M: AsRows<E> + ?Sized> AsRows<E> for $source {
            #[inline(always)]
            fn as_rows(&self) -> Result<&[E], ShapeError> {
                (**self).as_rows()
            }
        }

        $(impl<E, M: $mutable<E> + ?Sized> AsRowsMut<E> for $source {
            #[inline(always)]
            fn as_rows_mut(&mut self) -> Result<&mut [E], ShapeError> {
                (**self).as_rows_mut()
            }
        })?
    )*};
}

pointers! { &M; &mut M, AsRowsMut; Ref<'_, M>; RefMut<'_, M>, AsRowsMut; }
#[cfg(feature = "alloc")]
pointers! { Box<M>, AsRowsMut; Rc<M>; }
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pointers! { alloc::sync::Arc<M>; }
#[cfg(feature = "std")]
pointers! {
    std::sync::MutexGuard<'_, M>, AsRowsMut;
    std::sync::RwLockReadGuard<'_, M>;
    std::sync::RwLockWriteGuard<'_, M>, AsRowsMut;
}

#[cfg(feature = "std")]
impl<E, M: AsRows<E>> AsRows<E> for std::sync::LazyLock<M> {
    fn as_rows(&self) -> Result<&[E], ShapeError> {
        (**self).as_rows()
    }
}

#[cfg(feature = "alloc")]
impl<E: Clone> AsRows<E> for alloc::borrow::Cow<'_, [E]> {
    fn as_rows(&self) -> Result<&[E], ShapeError> {
        Ok(self)
    }
}

/// Views of each rank, whose rows are of type `$row`.
macro_rules! views {
    ($($rank:literal [$($len:ident),*] $row:ty;)*) => {$(
        impl<T: Scalar, $(const $len: usize),*> AsRows<$row> for View<'_, T, $rank> {
            fn as_rows(&self) -> Result<&[$row], ShapeError> {
                (*self).static_rows()
            }
        }

        impl<T: Scalar, $(const $len: usize),*> AsRows<$row> for ViewMut<'_, T, $rank> {
            fn as_rows(&self) -> Result<&[$row], ShapeError> {
                self.as_view().static_rows()
            }
        }

        impl<T: Scalar, $(const $len: usize),*> AsRowsMut<$row> for ViewMut<'_, T, $rank> {
            fn as_rows_mut(&mut self) -> Result<&mut [$row], ShapeError> {
                self.reborrow().static_rows_mut()
            }
        }

        #[cfg(feature = "alloc")]
        impl<T: Scalar, $(const $len: usize),*> AsRows<$row> for crate::Array<T, $rank> {
            fn as_rows(&self) -> Result<&[$row], ShapeError> {
                self.view().static_rows()
            }
        }

        #[cfg(feature = "alloc")]
        impl<T: Scalar, $(const $len: usize),*> AsRowsMut<$row> for crate::Array<T, $rank> {
            fn as_rows_mut(&mut self) -> Result<&mut [$row], ShapeError> {
                self.view_mut().static_rows_mut()
            }
        }

        impl<'a, T: Scalar> View<'a, T, $rank> {
            /// The rows, if they have this shape.
            pub(crate) fn static_rows<$(const $len: usize),*>(self) -> Result<&'a [$row], ShapeError> {
                check(&self.shape[1..], &[$($len),*])?;
                Ok(functions::elements::<$row>(self.data, self.shape[0]))
            }
        }

        impl<'a, T: Scalar> ViewMut<'a, T, $rank> {
            /// The rows, if they have this shape.
            pub(crate) fn static_rows_mut<$(const $len: usize),*>(self) -> Result<&'a mut [$row], ShapeError> {
                check(&self.shape[1..], &[$($len),*])?;
                Ok(functions::elements_mut::<$row>(self.data, self.shape[0]))
            }
        }
    )*};
}

views! {
    2 [B] [T; B];
    3 [B, C] [[T; C]; B];
    4 [B, C, D] [[[T; D]; C]; B];
    5 [B, C, D, E] [[[[T; E]; D]; C]; B];
    6 [B, C, D, E, F] [[[[[T; F]; E]; D]; C]; B];
}
