//! Kernels as one writes them in Rust: variables, loops, assignments.

pub mod dense;
pub mod in_out;
pub mod iteration;
pub mod numbers;
pub mod physics;
pub mod signals;
pub mod sorting;
pub mod stencils;
pub mod tables;
