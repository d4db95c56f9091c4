//! The elements of a strided array as bodies see them.
use core::marker::PhantomData;

/// The address of the first element, and the distance of neighbours along each axis, in elements. The extents are passed
/// separately.
pub struct Strided<'a, T, const R: usize> {
    first: *const T,
    strides: [isize; R],
    elements: PhantomData<&'a [T]>,
}

// SAFETY: it gives shared access to elements that are borrowed, as `&[T]` does, and nothing else (F9).
unsafe impl<T: Sync, const R: usize> Send for Strided<'_, T, R> {}

// SAFETY: as above (F9).
unsafe impl<T: Sync, const R: usize> Sync for Strided<'_, T, R> {}

impl<T, const R: usize> Clone for Strided<'_, T, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const R: usize> Copy for Strided<'_, T, R> {}

impl<'a, T, const R: usize> Strided<'a, T, R> {
    /// The elements of a slice from the first one on, with strides in two's complement.
    #[inline(always)]
    pub fn of(data: &'a [T], strides: [usize; R]) -> Self {
        Self::from(data.as_ptr(), strides.map(usize::cast_signed))
    }

    /// An address is not an access: nothing is read before [`at`](Self::at).
    #[inline(always)]
    pub(crate) fn from(first: *const T, strides: [isize; R]) -> Self {
        Strided { first, strides, elements: PhantomData }
    }

    /// The strides, in two's complement: generated code computes with sizes.
    #[inline(always)]
    pub fn strides(self) -> [usize; R] {
        self.strides.map(isize::cast_unsigned)
    }

    /// The part that begins at an offset, with other strides.
    #[inline(always)]
    pub fn part<const P: usize>(self, offset: usize, strides: [usize; P]) -> Strided<'a, T, P> {
        Strided::from(self.first.wrapping_offset(offset.cast_signed()), strides.map(usize::cast_signed))
    }

    /// The element at an offset: the sum of the products of indices and strides.
    ///
    /// # Safety
    /// Each index is less than the extent along its axis (F4), of a view that satisfies F9.
    #[inline(always)]
    pub unsafe fn at(self, offset: usize) -> T
    where
        T: Copy,
    {
        // SAFETY: F4 and F9.
        unsafe { *self.first.offset(offset.cast_signed()) }
    }

    pub(crate) fn first(self) -> *const T {
        self.first
    }

    pub(crate) fn signed_strides(self) -> [isize; R] {
        self.strides
    }
}
