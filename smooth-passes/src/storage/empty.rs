//! Empty allocation (Fig. 9): `alloc ∘ (λr. t) ⟶ t[r ↦ •]`.
//!
//! Storage without elements is marked as being nowhere: it is not part of the frame.
//!
//! Peak: unchanged, since a block without elements has no bytes.

use crate::dps::{Alloc, Block, Placement, Program, Term};

/// Marks the blocks whose size is 0 for all inputs.
pub(super) fn empty(program: &mut Program) {
    program.body.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            let is_empty =
                |b: &&mut Block| b.placement == Placement::Frame && b.shape.iter().any(|c| c.constant() == Some(0));
            for b in blocks.iter_mut().filter(is_empty) {
                b.placement = Placement::Empty;
            }
        }
    });
}
