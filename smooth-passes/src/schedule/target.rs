//! The machines that loops are scheduled for.

/// The bytes of a register that every CPU has.
pub(crate) const NARROW: i128 = 16;

/// The bytes of a register of AVX2.
pub(crate) const WIDE: i128 = 32;

/// The bytes of a register of AVX-512, which has twice as many registers.
pub(crate) const WIDEST: i128 = 64;
