//! Nothing but a place for its test: `build.rs` writes random programs as kernels, `tests/kernels.rs` runs them.
