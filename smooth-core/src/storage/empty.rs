//! Empty allocation (Fig. 9): `alloc ∘ (λr. t) ⟶ t[r ↦ •]`.
//!
//! Storage without elements is marked as being nowhere: it is no part of the frame.
//!
//! Peak: stays, since a block of no elements has no bytes.

use crate::dps::{Alloc, Block, Home, Program, Term};

/// Marks the allocations whose size is 0 for all inputs.
pub(super) fn empty(program: &mut Program) {
    program.body.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            let none = |b: &&mut Block| b.home == Home::Frame && b.shape.iter().any(|c| c.constant() == Some(0));
            for b in blocks.iter_mut().filter(none) {
                b.home = Home::Empty;
            }
        }
    });
}
