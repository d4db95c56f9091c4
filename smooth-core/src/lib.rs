//! The compiler of the smooth array language. Users depend on `smooth-dsl`; here any release may change any item.
//!
//! Pure: tokens in, tokens out; no IO, no environment, and the same output for the same input. The rooms
//! in the order of the flow: [`surface`] (the user's function), [`elaborate`] (types, Fig. 2),
//! [`fsmooth`] (F̃, Fig. 1), [`link`] (callees), [`infer`] (shapes, Fig. 8), [`simplify`] (fusion,
//! Fig. 4), [`share`] (common subexpressions, loop-invariant terms), [`lower`] (Fig. 7), [`dps`]
//! (DPS-F̃, Fig. 5), [`storage`] (Fig. 9), [`plan`] (one frame), [`schedule`] (loops: [`loops`]), [`emit`] (Rust). [`pipeline`] runs them
//! in this order: read it first. [`mod@explain`] says what became of a kernel, and what lives when in its memory.

mod analysis;
pub mod diag;
pub mod dps;
mod editor;
pub mod elaborate;
pub mod emit;
pub mod expand;
pub mod explain;
pub mod fsmooth;
pub mod infer;
pub mod lex;
pub mod link;
pub mod loops;
pub mod lower;
mod mapped;
pub mod meaning;
pub mod name;
mod neighbours;
pub mod options;
pub mod pass;
pub mod pipeline;
pub mod plan;
pub mod prim;
pub mod reduction;
pub mod role;
pub mod run;
pub mod schedule;
pub mod shape;
pub mod share;
pub mod simplify;
pub mod sorted;
pub mod span;
mod stack;
pub mod storage;
pub mod surface;
pub mod ty;
pub mod value;

pub use explain::{explain, timeline};
