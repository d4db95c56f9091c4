//! Allocation merging (Fig. 9).
//!
//! ```text
//! alloc P (λr. alloc Q (λs. t))                    ⟶   alloc P + Q (λr s. t)
//! alloc P (λr. let x = t₁{r} in alloc Q (λs. t₂))  ⟶   alloc P + Q (λr s. let x = t₁{r} in t₂)
//! ```
//!
//! One allocation of several blocks is one step of the stack, and one system call where there is none.
//!
//! Peak: never rises. The second form needs that `t₁` allocates nothing ([`super::hoist::pass`]).

use super::hoist::take;
use crate::dps::{Alloc, Home, Program, Term};

/// Merges from the outside in, so that the first allocation takes in all that it can.
pub(super) fn merge(program: &mut Program) {
    walk(&mut program.body);
}

fn walk(t: &mut Term) {
    if let Term::Alloc(Alloc { blocks, body }) = t
        && blocks.iter().any(|b| b.home == Home::Frame)
    {
        take(body, &mut vec![], &|_| true, blocks);
    }
    t.children_mut().for_each(walk);
}
