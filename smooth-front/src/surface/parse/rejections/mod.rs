//! The ways out for what is outside the language: how Rust's own spelling is written in a kernel.

pub(super) mod chains;
pub(super) mod foreign;
pub(super) mod lent;
pub(super) mod lost;
pub(super) mod optional;
pub(super) mod ordering;
pub(super) mod texts;
