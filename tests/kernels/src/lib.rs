//! Kernels that the tests use from another crate.
