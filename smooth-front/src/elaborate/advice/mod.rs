//! The texts for types that do not fit, and conversions that would be lost.

pub(super) mod common;
pub(super) mod counts;
pub(super) mod elementwise;
pub(super) mod mismatch;
pub(super) mod widen;
