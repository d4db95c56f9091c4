//! The compiler of the smooth array language. Users depend on `smooth-dsl`; here any release may change any item.
//!
//! Pure: tokens in, tokens out; no IO, no environment, and the same output for the same input. The rooms
//! in the order of the flow: [`surface`] (the user's function), [`elaborate`] (types, Fig. 2),
//! [`fsmooth`] (F̃, Fig. 1), [`link`] (callees), [`infer`] (shapes, Fig. 8), [`simplify`] (fusion,
//! Fig. 4), [`share`] (common subexpressions, loop-invariant terms), [`lower`] (Fig. 7), [`dps`]
//! (DPS-F̃, Fig. 5), [`storage`] (Fig. 9), [`plan`] (one frame), [`schedule`] (loops: [`loops`]), [`emit`] (Rust). [`pipeline`] runs them
//! in this order: read it first. [`mod@explain`] explains a compiled kernel, and the lifetimes in its memory.
//!
//! The rooms are in four crates: the languages in [`smooth_ir`], the front end in [`smooth_front`], the passes in
//! [`smooth_passes`], and here the pipeline with both of its ends. Cargo compiles the front end and the passes in parallel.

pub mod emit;
pub mod expand;
pub mod explain;
pub mod pipeline;

pub use explain::{explain, timeline};
use smooth_front::{derivatives, editor, neighbours};
pub use smooth_front::{elaborate, options, surface};
use smooth_ir::mapped;
pub use smooth_ir::{
    derivative, diag, dps, fsmooth, lex, link, loops, meaning, name, pass, prim, reduction, role, run, shape, sorted,
    span, stack, ty, value,
};
pub use smooth_passes::{derive, infer, lower, plan, schedule, share, simplify, storage};
