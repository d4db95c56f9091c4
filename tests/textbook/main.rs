//! Some eighty well-known loops, written under `#[smooth]` as one writes them in Rust, against plain Rust: the same bits,
//! nothing from the heap, and only the memory that the program names.
#![deny(warnings)]
#![allow(clippy::needless_range_loop, clippy::float_cmp, reason = "loops as in textbooks")]

mod agree;
mod kernels;
mod plain;

mod dense;
mod in_out;
mod iteration;
mod numbers;
mod physics;
mod signals;
mod sorting;
mod stencils;
mod tables;

#[path = "../heap/mod.rs"]
mod heap;
#[path = "../poison/mod.rs"]
mod poison;
