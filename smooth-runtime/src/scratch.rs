//! Memory for a kernel's temporaries: an arena of ours, or the user's own `Bump`.
use crate::ShapeError;
use core::{mem::MaybeUninit, ops::DerefMut};
#[cfg(feature = "alloc")]
use {
    crate::arena::{ALIGN, aligned},
    bumpalo::{Bump, collections::Vec},
    core::ops::Deref,
};

/// Only this crate implements [`Scratch`].
pub trait Sealed {}

/// The last parameter of `f::into` and `f::try_into`: an [`Arena`](crate::Arena), or with the feature `alloc` a
/// [`bumpalo::Bump`](https://docs.rs/bumpalo/3). The temporaries of a call live in it and are given back at the end of the
/// call, also where it unwinds.
///
/// A `Bump` grows if the call needs more than it has, up to its allocation limit.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the temporaries of a kernel",
    label = "expected `Arena` or `bumpalo::Bump`",
    note = "pass `&mut arena` where `arena` is a `smooth::Arena`, or a `bumpalo::Bump` of version 3 with the feature `alloc`"
)]
pub trait Scratch: Sealed {
    /// The bytes of one call. They are given back where it is dropped.
    #[doc(hidden)]
    type Frame<'a>: DerefMut<Target = [MaybeUninit<u8>]>
    where
        Self: 'a;

    /// The frame of one call of `kernel`, as [`Arena::frame`](crate::Arena::frame).
    #[doc(hidden)]
    fn frame(&mut self, kernel: &'static str, bytes: usize) -> Result<Self::Frame<'_>, ShapeError>;
}

/// `bytes` bytes of a `Bump`, or none if it cannot grow. Dropped, they are given back.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn block(bump: &Bump, bytes: usize) -> Option<Vec<'_, MaybeUninit<u8>>> {
    let mut block = Vec::new_in(bump);
    if bytes > 0 {
        block.try_reserve_exact(bytes).ok()?;
        // SAFETY: F2, the capacity is at least `bytes`, and `MaybeUninit<u8>` accepts any bytes.
        unsafe { block.set_len(bytes) };
    }
    Some(block)
}

/// The frame of a call in a user's `Bump`.
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub struct BumpFrame<'a> {
    block: Vec<'a, MaybeUninit<u8>>,
}

#[cfg(feature = "alloc")]
impl Deref for BumpFrame<'_> {
    type Target = [MaybeUninit<u8>];

    fn deref(&self) -> &[MaybeUninit<u8>] {
        let start = self.block.as_ptr().addr().wrapping_neg() % ALIGN;
        if self.block.is_empty() { &[] } else { &self.block[start..][..self.block.len() - (ALIGN - 1)] }
    }
}

#[cfg(feature = "alloc")]
impl DerefMut for BumpFrame<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [MaybeUninit<u8>] {
        let bytes = self.block.len();
        if bytes == 0 { &mut [] } else { aligned(&mut self.block, bytes) }
    }
}

#[cfg(feature = "alloc")]
impl Sealed for Bump {}

#[cfg(feature = "alloc")]
impl Scratch for Bump {
    type Frame<'a> = BumpFrame<'a>;

    #[inline]
    fn frame(&mut self, kernel: &'static str, bytes: usize) -> Result<BumpFrame<'_>, ShapeError> {
        match block(self, bytes) {
            Some(block) => Ok(BumpFrame { block }),
            None => Err(ShapeError::ScratchTooSmall { kernel, needed: bytes, available: self.chunk_capacity() }),
        }
    }
}
