//! In-out arrays, which are in their destination when the program begins.
//!
//! ```text
//! copy s y   ⟶   already_there s y        y is in r, and s is placed at its beginning
//! ```
//!
//! `lower` copies each in-out array before the body. A pass that places the copy in the array's own storage ends with
//! this rule. No pass places a different array there before the array is copied: until then it is live.

use crate::dps::{Alloc, Copy, Dest, Program, Term};
use crate::name::VarId;
use crate::sorted::Map;

/// Removes the copies to where the array is.
pub(super) fn settle(program: &mut Program) {
    let given: Map<VarId, VarId> =
        program.interface.params.iter().filter_map(|p| Some((p.var, program.storage_of(p.var)?))).collect();
    if given.is_empty() {
        return;
    }
    let mut inside: Map<VarId, VarId> = Map::new();
    program.body.each(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks {
                if let Some(Dest::Storage(r, path)) = b.placement.dest()
                    && path.is_empty()
                {
                    inside.insert(b.r, *r);
                }
            }
        }
    });
    let root = |r: VarId| std::iter::successors(Some(r), |r| inside.get(r).copied()).last();
    program.body.each_mut(&mut |t| {
        let Term::Copy(Copy { dest: Dest::Storage(s, path), view, .. }) = t else { return };
        if path.is_empty() && view.steps.is_empty() && given.get(&view.base).is_some_and(|r| root(*s) == Some(*r)) {
            *t = Term::AlreadyThere(Dest::Storage(*s, vec![]), view.base);
        }
    });
}

/// Whether a term is the copy of an in-out array.
pub(super) fn is_copy_of(t: &Term, given: VarId) -> bool {
    matches!(t, Term::Copy(Copy { view, .. }) if view.base == given && view.steps.is_empty())
}
