//! Arguments that a kernel passes to a function of the user: parts of flat arrays, in the types of the boundary.
//!
//! No input makes these functions unsound: they check lengths, and nobody sees memory that is not written.
//!
//! # Measured
//!
//! A destination is zeroed before a function gets it. That costs nothing measurable where the function does some
//! work. For one addition per element (`matrix_map`, 65 536 numbers) a call takes 2.2 times the time of the loop by
//! hand for rows of 2, and 1.4 times for rows of 64. Against the integrator by hand (`rk4` of `docs/reference.md`,
//! 1000 steps, the same closure) it takes 0.75 to 1.0 times as long for 2 to 256 numbers; the reference takes 3.2
//! times as long.
use crate::{Element, Scalar, cells::Cells};
use core::slice;

/// The cells of a destination as values, all zero: a function of the user's may read what it gets, and may return without
/// writing it.
#[inline(always)]
pub fn zeroed<T: Scalar>(r: &mut Cells<T>) -> &mut [T] {
    for cell in r.iter_mut() {
        cell.write(T::default());
    }
    // SAFETY: every cell has just been written (F5).
    unsafe { r.assume_init_mut() }
}

/// Scalars as `len` elements.
///
/// # Panics
/// If there are not as many scalars.
#[inline(always)]
pub fn elements<E: Element>(a: &[E::Scalar], len: usize) -> &[E] {
    assert!(len.checked_mul(E::LEN) == Some(a.len()), "smooth: an array is not as large as its shape");
    // SAFETY: they are the scalars of `len` elements, with their alignment (F3), borrowed for the same lifetime.
    unsafe { slice::from_raw_parts(a.as_ptr().cast(), len) }
}

/// Scalars as `len` elements, to be changed.
///
/// # Panics
/// If there are not as many scalars.
#[inline(always)]
pub fn elements_mut<E: Element>(a: &mut [E::Scalar], len: usize) -> &mut [E] {
    assert!(len.checked_mul(E::LEN) == Some(a.len()), "smooth: an array is not as large as its shape");
    // SAFETY: they are the scalars of `len` elements, with their alignment (F3), borrowed for the same lifetime; an
    // element whose scalars are values is a value, and the other way round.
    unsafe { slice::from_raw_parts_mut(a.as_mut_ptr().cast(), len) }
}

/// Scalars as one element.
///
/// # Panics
/// If there are not as many scalars.
#[inline(always)]
pub fn element<E: Element>(a: &[E::Scalar]) -> &E {
    &elements(a, 1)[0]
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use core::mem::MaybeUninit;
    use std::panic::catch_unwind;

    #[test]
    fn scalars_are_elements() {
        let a = [1, 2, 3, 4, 5, 6];
        assert_eq!(elements::<[i32; 2]>(&a, 3), [[1, 2], [3, 4], [5, 6]]);
        assert_eq!(element::<[[i32; 3]; 2]>(&a), &[[1, 2, 3], [4, 5, 6]]);
        assert_eq!(elements::<[i32; 0]>(&[], 7).len(), 7);
        let mut b = a;
        elements_mut::<[i32; 3]>(&mut b, 2)[1] = [0; 3];
        assert_eq!(b, [1, 2, 3, 0, 0, 0]);
        for (len, of) in [(2, 6), (4, 6), (usize::MAX, 6), (1, 0)] {
            assert!(catch_unwind(|| elements::<[i32; 2]>(&a[..of], len).len()).is_err(), "{len} of {of}");
        }
    }

    #[test]
    fn a_destination_is_zero() {
        let mut cells = [MaybeUninit::<f64>::new(7.0); 3];
        assert_eq!(zeroed(&mut cells), [0.0; 3]);
        let mut cells = [MaybeUninit::<bool>::uninit(); 3];
        assert_eq!(zeroed(&mut cells), [false; 3]);
        assert!(zeroed::<u8>(&mut []).is_empty());
    }
}
