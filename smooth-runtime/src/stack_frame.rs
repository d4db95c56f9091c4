//! The frame of a call that is small and of a size known to rustc: on the stack.
use core::mem::MaybeUninit;

/// A frame of at most this many bytes is on the stack if its size is known where the kernel is compiled for its const
/// generics. A larger one would cost a stack probe.
pub const SMALL: usize = 4096;

/// The memory of such a frame. Its first byte is 64-aligned (F1).
#[repr(C, align(64))]
pub struct StackFrame([MaybeUninit<u8>; SMALL]);

impl StackFrame {
    /// Memory with any contents.
    #[inline]
    #[expect(clippy::new_without_default, reason = "generated code alone makes one")]
    pub const fn new() -> Self {
        StackFrame([MaybeUninit::uninit(); SMALL])
    }

    /// The frame.
    #[inline]
    pub const fn bytes(&mut self) -> &mut [MaybeUninit<u8>] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::ALIGN;

    #[test]
    fn it_is_a_frame() {
        let mut frame = StackFrame::new();
        assert_eq!((align_of::<StackFrame>(), SMALL % ALIGN), (ALIGN, 0));
        assert_eq!(frame.bytes().as_ptr().addr() % ALIGN, 0);
        assert_eq!(frame.bytes().len(), SMALL);
    }
}
