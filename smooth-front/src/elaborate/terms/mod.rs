//! Terms without statements.

pub(super) mod arrays;
pub(super) mod calls;
pub(super) mod elements;
pub(super) mod exprs;
pub(super) mod kernels;
pub(super) mod loops;
pub(super) mod operators;
pub(super) mod orders;
pub(super) mod records;
pub(super) mod reductions;
pub(super) mod scans;
pub(super) mod tables;
