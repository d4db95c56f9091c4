//! Empty allocation (Fig. 9): `alloc ∘ (λr. t) ⟶ t[r ↦ •]`.
//!
//! Storage without elements is marked as being nowhere: it is no part of the frame.

use crate::dps::{Home, Program, Term};

/// Marks the allocations whose size is 0 for all inputs.
pub(super) fn empty(program: &mut Program) {
    program.body.each_mut(&mut |t| {
        if let Term::Alloc { blocks, .. } = t {
            for b in blocks.iter_mut().filter(|b| b.shape.iter().any(|c| c.constant() == Some(0))) {
                b.home = Home::Empty;
            }
        }
    });
}
