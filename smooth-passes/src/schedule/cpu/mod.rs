//! The decisions for a CPU: instructions and threads.

pub(super) mod clones;
pub(super) mod threads;
