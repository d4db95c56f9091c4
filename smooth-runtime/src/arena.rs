//! The memory of temporaries: one block, from which each call takes one frame.
use crate::ShapeError;
use crate::scratch::{Scratch, Sealed};
use core::{fmt, mem::MaybeUninit};
#[cfg(feature = "alloc")]
use {crate::scratch::block, bumpalo::Bump};

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
/// assert_eq!((arena.capacity(), arena.high_water()), (4096, 0));
/// ```
pub struct Arena<'m> {
    memory: Memory<'m>,
    high_water: usize,
}

enum Memory<'m> {
    Fixed(&'m mut [MaybeUninit<u8>]),
    /// A chunk of `capacity` bytes, or none.
    #[cfg(feature = "alloc")]
    Owned {
        chunk: Option<Bump>,
        capacity: usize,
    },
}

#[cfg(feature = "alloc")]
impl Memory<'_> {
    /// A chunk of at least `bytes` bytes.
    fn owned(bytes: usize) -> Option<Self> {
        if bytes == 0 {
            return Some(Memory::Owned { chunk: None, capacity: 0 });
        }
        let chunk = Bump::try_with_capacity(bytes).ok()?;
        let capacity = chunk.chunk_capacity();
        Some(Memory::Owned { chunk: Some(chunk), capacity })
    }
}

#[cfg(feature = "alloc")]
impl Arena<'static> {
    /// An arena that owns its memory, a chunk of `bumpalo`; it allocates none yet.
    ///
    /// A call that needs more than the capacity first replaces the chunk by one of at least twice the
    /// size. The chunk never grows while a kernel runs.
    pub const fn new() -> Self {
        Arena { memory: Memory::Owned { chunk: None, capacity: 0 }, high_water: 0 }
    }

    /// An arena that owns at least `bytes` bytes and grows when a call needs more.
    ///
    /// # Panics
    /// If there is no such memory.
    pub fn with_capacity(bytes: usize) -> Self {
        match Memory::owned(bytes) {
            Some(memory) => Arena { memory, high_water: 0 },
            None => panic!("no memory for an arena of {bytes} bytes"),
        }
    }
}

impl<'m> Arena<'m> {
    /// An arena on `memory`, which never grows. A call of `f` needs `f::scratch(…)` bytes, at any
    /// address.
    pub const fn on(memory: &'m mut [MaybeUninit<u8>]) -> Self {
        Arena { memory: Memory::Fixed(memory), high_water: 0 }
    }

    /// The size of the memory in bytes.
    pub fn capacity(&self) -> usize {
        match &self.memory {
            Memory::Fixed(memory) => memory.len(),
            #[cfg(feature = "alloc")]
            Memory::Owned { capacity, .. } => *capacity,
        }
    }

    /// The largest number of bytes that any one call has taken since the arena was made or [reset](Self::reset).
    pub const fn high_water(&self) -> usize {
        self.high_water
    }

    /// Sets the high-water mark back to 0. The memory is kept for later calls.
    pub const fn reset(&mut self) {
        self.high_water = 0;
    }

    /// Shrinks memory that the arena owns to the [high-water mark](Self::high_water), and to nothing if that is 0. Nothing
    /// changes if the allocator has no smaller block, or if the memory is the caller's.
    ///
    /// ```
    /// # #[cfg(feature = "alloc")]
    /// # {
    /// # use smooth_runtime::Arena;
    /// let mut arena = Arena::with_capacity(1 << 20);
    /// arena.shrink();
    /// assert_eq!(arena.capacity(), 0);
    /// # }
    /// ```
    pub fn shrink(&mut self) {
        #[cfg(feature = "alloc")]
        if let (Memory::Owned { capacity, .. }, Some(smaller)) = (&self.memory, Memory::owned(self.high_water))
            && matches!(smaller, Memory::Owned { capacity: less, .. } if less < *capacity)
        {
            self.memory = smaller;
        }
    }

    /// The frame of one call of `kernel`.
    ///
    /// `bytes` is 0 or a multiple of 64 plus 63. A frame of 0 bytes does not touch the arena. Any other
    /// frame starts 64-aligned (F1) and has exactly `bytes - 63` bytes.
    ///
    /// # Errors
    /// [`ShapeError::ScratchTooSmall`] if the capacity is less than `bytes` and cannot grow.
    #[doc(hidden)]
    #[inline]
    pub fn frame(&mut self, kernel: &'static str, bytes: usize) -> Result<&mut [MaybeUninit<u8>], ShapeError> {
        if bytes == 0 {
            return Ok(&mut []);
        }
        debug_assert_eq!(bytes % ALIGN, ALIGN - 1, "a frame's payload is a multiple of 64 bytes");
        let available = self.capacity();
        let refused = || ShapeError::ScratchTooSmall { kernel, needed: bytes, available };
        if available < bytes {
            self.grow(bytes).ok_or_else(refused)?;
        }
        let memory = match &mut self.memory {
            Memory::Fixed(memory) => &mut **memory,
            #[cfg(feature = "alloc")]
            Memory::Owned { chunk, .. } => {
                let chunk = chunk.as_mut().ok_or_else(refused)?;
                // The last call's frame.
                chunk.reset();
                block(chunk, bytes).ok_or_else(refused)?.into_bump_slice_mut()
            }
        };
        self.high_water = self.high_water.max(bytes);
        Ok(aligned(memory, bytes))
    }

    /// Replaces an owned chunk by one of at least `needed` bytes.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, needed: usize) -> Option<()> {
        match &mut self.memory {
            Memory::Fixed(_) => {
                let _ = needed;
                None
            }
            #[cfg(feature = "alloc")]
            Memory::Owned { capacity, .. } => {
                let twice = capacity.saturating_mul(2);
                self.memory = Memory::owned(needed.max(twice)).or_else(|| Memory::owned(needed))?;
                Some(())
            }
        }
    }
}

/// The frame in a block of at least `bytes` bytes: its part from the first aligned address on.
#[inline]
pub(crate) fn aligned(block: &mut [MaybeUninit<u8>], bytes: usize) -> &mut [MaybeUninit<u8>] {
    let start = block.as_ptr().addr().wrapping_neg() % ALIGN;
    &mut block[start..][..bytes.saturating_sub(ALIGN - 1)]
}

impl Sealed for Arena<'_> {}

impl Scratch for Arena<'_> {
    type Frame<'a>
        = &'a mut [MaybeUninit<u8>]
    where
        Self: 'a;

    #[inline]
    fn frame(&mut self, kernel: &'static str, bytes: usize) -> Result<&mut [MaybeUninit<u8>], ShapeError> {
        self.frame(kernel, bytes)
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
        f.debug_struct("Arena").field("capacity", &self.capacity()).field("high_water", &self.high_water).finish()
    }
}
