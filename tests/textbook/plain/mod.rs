//! The kernels' results in plain Rust, written independently of the kernels.

pub mod dense;
pub mod in_out;
pub mod iteration;
pub mod numbers;
pub mod physics;
pub mod signals;
pub mod sorting;
pub mod stencils;
pub mod tables;
