//! The memory of temporaries: one block, from which each call takes one frame.
use crate::ShapeError;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::{fmt, mem::MaybeUninit};

/// Every buffer of a frame is aligned to this many bytes: the size of a cache line and of the widest
/// vector register.
pub const ALIGN: usize = 64;

/// The memory that kernels take their temporaries from.
///
/// A call takes one frame of exactly `f::scratch(…)` bytes before it runs and releases it when it
/// returns or unwinds. A kernel whose scratch is 0 does not touch the arena. No data is kept between
/// calls, so one arena serves any number of kernels, one after the other.
///
/// ```
/// # use core::mem::MaybeUninit;
/// # use smooth_runtime::Arena;
/// let mut buffer = [MaybeUninit::uninit(); 4096];
/// let arena = Arena::on(&mut buffer);
/// assert_eq!((arena.capacity(), arena.peak()), (4096, 0));
/// ```
pub struct Arena<'m> {
    memory: Memory<'m>,
    peak: usize,
}

enum Memory<'m> {
    Fixed(&'m mut [MaybeUninit<u8>]),
    /// Its length is always 0: frames are taken from the spare capacity.
    #[cfg(feature = "alloc")]
    Owned(Vec<u8>),
}

#[cfg(feature = "alloc")]
impl Arena<'static> {
    /// An arena that owns its memory; it allocates none yet.
    ///
    /// A call that needs more than the capacity first replaces the block by one of at least twice the
    /// size. The block never grows while a kernel runs.
    pub const fn new() -> Self {
        Arena { memory: Memory::Owned(Vec::new()), peak: 0 }
    }

    /// An arena that owns at least `bytes` bytes and grows when a call needs more.
    ///
    /// # Panics
    /// If `bytes` is more than `isize::MAX`.
    pub fn with_capacity(bytes: usize) -> Self {
        Arena { memory: Memory::Owned(Vec::with_capacity(bytes)), peak: 0 }
    }
}

impl<'m> Arena<'m> {
    /// An arena on `memory`, which never grows. A call of `f` needs `f::scratch(…)` bytes, at any
    /// address.
    pub const fn on(memory: &'m mut [MaybeUninit<u8>]) -> Self {
        Arena { memory: Memory::Fixed(memory), peak: 0 }
    }

    /// The size of the memory in bytes.
    pub fn capacity(&self) -> usize {
        match &self.memory {
            Memory::Fixed(memory) => memory.len(),
            #[cfg(feature = "alloc")]
            Memory::Owned(memory) => memory.capacity(),
        }
    }

    /// The largest number of bytes that any one call has taken.
    pub const fn peak(&self) -> usize {
        self.peak
    }

    /// The frame of one call of `kernel`.
    ///
    /// `bytes` is 0 or a multiple of 64 plus 63. A frame of 0 bytes does not touch the arena. Any other
    /// frame starts 64-aligned (F1) and has exactly `bytes - 63` bytes.
    ///
    /// # Errors
    /// [`ShapeError::Scratch`] if the capacity is less than `bytes` and cannot grow.
    #[doc(hidden)]
    #[inline]
    pub fn frame(&mut self, kernel: &'static str, bytes: usize) -> Result<&mut [MaybeUninit<u8>], ShapeError> {
        if bytes == 0 {
            return Ok(&mut []);
        }
        debug_assert_eq!(bytes % ALIGN, ALIGN - 1, "a frame's payload is a multiple of 64 bytes");
        if self.capacity() < bytes {
            self.grow(kernel, bytes)?;
        }
        self.peak = self.peak.max(bytes);
        let memory = match &mut self.memory {
            Memory::Fixed(memory) => &mut **memory,
            #[cfg(feature = "alloc")]
            Memory::Owned(memory) => memory.spare_capacity_mut(),
        };
        let start = memory.as_ptr().addr().wrapping_neg() % ALIGN;
        Ok(&mut memory[start..][..bytes.saturating_sub(ALIGN - 1)])
    }

    /// Replaces an owned block by one of at least `needed` bytes.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, kernel: &'static str, needed: usize) -> Result<(), ShapeError> {
        let available = self.capacity();
        match &mut self.memory {
            Memory::Fixed(_) => Err(ShapeError::Scratch { kernel, needed, available }),
            #[cfg(feature = "alloc")]
            Memory::Owned(memory) => {
                let mut larger = Vec::new();
                larger.try_reserve_exact(needed.max(available.saturating_mul(2))).map_err(|_| ShapeError::Scratch {
                    kernel,
                    needed,
                    available,
                })?;
                *memory = larger;
                Ok(())
            }
        }
    }
}

#[cfg(feature = "alloc")]
impl Default for Arena<'static> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Arena<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena").field("capacity", &self.capacity()).field("peak", &self.peak).finish()
    }
}
