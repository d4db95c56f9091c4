//! Derivatives as users meet them.

#[path = "../heap/mod.rs"]
mod heap;
#[path = "../poison/mod.rs"]
mod poison;

mod check;
mod forward;
mod library;
mod loops;
mod memory;
mod numbers;
mod programs;
mod reverse;
mod rules;
mod second;
mod stencils;
mod strips;
mod tapes;
