//! An empty library: `build.rs` writes random programs as kernels, and `tests/kernels.rs` runs them.
