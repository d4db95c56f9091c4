//! The loops as plain Rust on slices: rows one after the other, results and buffers as arguments.
#![allow(clippy::too_many_arguments, clippy::needless_range_loop, reason = "loops as in textbooks")]

mod matrices;
mod sequences;
mod steps;

pub use matrices::*;
pub use sequences::*;
pub use steps::*;
