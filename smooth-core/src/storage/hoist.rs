//! Allocation hoisting (Fig. 9).
//!
//! ```text
//! build n (λi. alloc P (λr. t))   ⟶   alloc P (λr. build n (λi. t))        i does not occur in P
//! ```
//!
//! and the same for `sum` and `ifold`, and through what stands before the allocation in the loop's body.
//!
//! What stands under a condition (an `if`, the second operand of `&&` and `||`) stays there. Out of a loop goes a block
//! whose size was checked at entry, as it is where no condition is around, or is a sum of products: where no round would
//! have come to it, another size may be none.
//!
//! Peak: never rises. Blocks that take turns in the body would live together outside of it; so a block is hoisted
//! only if what it passes on its way allocates nothing, and nor do the loop's count, first state and last value.
//! What is left of a body's allocations then takes turns with nothing that was hoisted.

use crate::dps::{Alloc, Block, Home, Program, Term};
use crate::name::VarId;
use crate::role::Role;
use crate::shape::card::{Atom, Card};
use crate::shape::entry_atoms;

/// Hoists out of inner loops first: what comes out of one may go on out of the next.
pub(super) fn hoist(program: &mut Program) {
    let entry = entry_atoms(&program.params);
    walk(&mut program.body, false, &entry);
}

fn walk(t: &mut Term, conditional: bool, entry: &[Atom]) {
    t.parts_mut().into_iter().for_each(|(role, part)| walk(part, conditional || role == Role::Maybe, entry));

    let checked = |c: &Card| c.atoms().into_iter().all(|a| matches!(a, Atom::Op(..)) || entry.contains(a));
    let product = |c: &Card| c.never_negative() && !c.atoms().iter().any(|a| matches!(a, Atom::Op(..)));
    let anywhere = |b: &Block| b.shape.iter().all(|c| product(c) || (!conditional && checked(c)));
    let (mut bound, mut blocks) = (t.binders(), Vec::new());
    let (bodies, others): (Vec<_>, Vec<_>) = t.parts_mut().into_iter().partition(|(role, _)| *role == Role::Often);
    if others.iter().any(|(_, part)| allocates(part)) {
        return;
    }
    bodies.into_iter().for_each(|(_, body)| take(body, &mut bound, &anywhere, &mut blocks));
    if !blocks.is_empty() {
        let body = Box::new(t.take());
        *t = Term::Alloc(Alloc { blocks, body });
    }
}

/// Takes the allocations that nothing takes turns with out of a term, as far as their blocks `may` go and their sizes do
/// without the `bound` variables: those at its head, then those of the only part of it that allocates. Loops, branches
/// and calls keep theirs.
pub(super) fn take(mut t: &mut Term, bound: &mut Vec<VarId>, may: &dyn Fn(&Block) -> bool, taken: &mut Vec<Block>) {
    loop {
        while let Term::Alloc(Alloc { blocks, body }) = t
            && blocks.iter().all(|b| b.home == Home::Frame && may(b) && known(b, bound))
        {
            taken.append(blocks);
            *t = body.take();
        }
        let own_blocks = matches!(t, Term::Alloc(a) if a.blocks.iter().any(|b| b.home == Home::Frame));
        // A call's arguments take turns with its frame.
        if own_blocks || matches!(t, Term::Call(_)) || t.parts().iter().any(|(role, _)| *role != Role::Once) {
            return;
        }
        bound.extend(t.binders());
        let mut allocating = t.children_mut().filter(|c| allocates(c));
        match (allocating.next(), allocating.next()) {
            (Some(only), None) => t = only,
            _ => return,
        }
    }
}

/// Whether the size of a block is known without these variables.
fn known(b: &Block, bound: &[VarId]) -> bool {
    let mut atoms = b.shape.iter().flat_map(|c| c.atoms());
    !atoms.any(|a| matches!(a, Atom::Var(v) | Atom::Len(v, _) if bound.contains(v)))
}

/// Whether a term takes room in the frame, itself or in a kernel that it calls.
fn allocates(t: &Term) -> bool {
    t.any(&|t| match t {
        Term::Alloc(Alloc { blocks, .. }) => blocks.iter().any(|b| b.home == Home::Frame),
        Term::Call(_) => true,
        _ => false,
    })
}
