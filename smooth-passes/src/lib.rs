//! The passes of the compiler of smooth, from F̃ to loops. Users depend on `smooth-dsl`; here any release may change any item.
//!
//! In the order of the flow: [`infer`] (shapes, Fig. 8), [`simplify`] (fusion, Fig. 4), [`derive`](mod@derive) (derivatives), [`share`] (common
//! subexpressions, loop-invariant terms), [`lower`] (Fig. 7), [`storage`] (Fig. 9), [`plan`] (one frame), [`schedule`]
//! (loops).

mod analysis;
pub mod derive;
pub mod infer;
pub mod lower;
pub mod plan;
pub mod schedule;
pub mod share;
pub mod simplify;
pub mod storage;

use smooth_ir::{
    derivative, diag, dps, fsmooth, link, loops, mapped, name, pass, prim, reduction, role, run, shape, sorted, span,
    ty, value,
};
