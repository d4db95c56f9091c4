//! Allocation merging (Fig. 9).
//!
//! ```text
//! alloc P (λr. alloc Q (λs. t))                    ⟶   alloc P + Q (λr s. t)
//! alloc P (λr. let x{r} = t₁ in alloc Q (λs. t₂))  ⟶   alloc P + Q (λr s. let x{r} = t₁ in t₂)
//! ```
//!
//! One allocation of several blocks moves the stack pointer once; without a stack it is one system call.
//!
//! Peak: never rises. The second form requires that `t₁` allocates nothing ([`super::hoist::take_blocks`]).

use super::hoist::take_blocks;
use crate::dps::{Alloc, Placement, Program, Term};

/// Merges from the outside in, so that the outermost allocation takes in as many blocks as possible.
pub(super) fn merge(program: &mut Program) {
    walk(&mut program.body);
}

fn walk(t: &mut Term) {
    if let Term::Alloc(Alloc { blocks, body }) = t
        && blocks.iter().any(|b| b.placement == Placement::Frame)
    {
        take_blocks(body, &mut vec![], &|_| true, blocks);
    }
    t.children_mut().for_each(walk);
}
