//! Allocation hoisting (Fig. 9): loop-invariant allocations leave the loop.
//!
//! ```text
//! build n (λi. alloc P (λr. t))   ⟶   alloc P (λr. build n (λi. t))        i does not occur in P
//! ```
//!
//! and likewise for `sum` and `ifold`, and through the bindings in front of the allocation in the loop's body.
//!
//! An allocation under a condition (in a branch, or in the right operand of `&&` and `||`) stays under it. A block
//! leaves a loop only if its size is valid even when no iteration would have reached it: the size was checked at entry
//! (true of unconditional allocations), or it is a sum of products and cannot be negative.
//!
//! Peak: never rises. Two blocks of one body that are not live at the same time would be so outside of it. A block is
//! therefore hoisted only past terms that allocate nothing, and out of loops whose other parts allocate nothing. The
//! allocations that remain in the body are not live at the same time as the hoisted ones.
//!
//! An allocation in the frame costs only an addition, so a smaller peak is worth more than fewer allocations. (In F̃,
//! `cse` and `invariant` may raise the peak: an array that is computed once is live from its first use to its last.)

use crate::dps::{Alloc, Block, Placement, Program, Term};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::role::Role;
use crate::shape::card::{Atom, Card};
use crate::shape::entry_atoms;

/// Hoists out of inner loops first: a block that leaves one loop may go on to leave the next.
pub(super) fn hoist(program: &mut Program) {
    let entry = entry_atoms(&program.interface.params);
    walk(&mut program.body, false, &entry);
}

fn walk(t: &mut Term, conditional: bool, entry: &[Atom]) {
    t.parts_mut().into_iter().for_each(|(role, part)| walk(part, conditional || role == Role::Maybe, entry));

    let checked = |c: &Card| c.atoms().into_iter().all(|a| matches!(a, Atom::Op(..)) || entry.contains(a));
    let product = |c: &Card| c.never_negative() && !c.atoms().iter().any(|a| matches!(a, Atom::Op(..)));
    let anywhere = |b: &Block| b.shape.iter().all(|c| product(c) || (!conditional && checked(c)));
    let (mut bound, mut blocks) = (t.binders(), Vec::new());
    let (bodies, others): (Vec<_>, Vec<_>) = t.parts_mut().into_iter().partition(|(role, _)| *role == Role::Often);
    if bodies.is_empty() || others.iter().any(|(_, part)| allocates(part)) {
        return;
    }
    bodies.into_iter().for_each(|(_, body)| take_blocks(body, &mut bound, &anywhere, &mut blocks));
    if !blocks.is_empty() {
        let body = Box::new(t.take());
        *t = Term::Alloc(Alloc { blocks, body });
    }
}

/// Moves allocations out of a term into `taken`: those at its head, then those of its only part that allocates, and so
/// on. A block is taken if it `may` be, and its size does not depend on the `bound` variables. Loops, branches and
/// calls keep theirs.
pub(super) fn take_blocks(
    mut t: &mut Term,
    bound: &mut Vec<VarId>,
    may: &dyn Fn(&Block) -> bool,
    taken: &mut Vec<Block>,
) {
    loop {
        while let Term::Alloc(Alloc { blocks, body }) = t
            && blocks.iter().all(|b| b.placement == Placement::Frame && may(b) && is_known(b, bound))
        {
            taken.append(blocks);
            *t = body.take();
        }
        let own_blocks = matches!(t, Term::Alloc(a) if a.blocks.iter().any(|b| b.placement == Placement::Frame));
        // The arguments of a call are not live at the same time as its frame.
        if own_blocks || matches!(t, Term::Call(_)) || t.parts().iter().any(|(role, _)| *role != Role::Once) {
            return;
        }
        bound.push_all(t.binders());
        match allocating(t) {
            Some(only) => t = only,
            None => return,
        }
    }
}

/// The only part of a term that may allocate; `None` if there is none, or several. The last part, which is the rest of
/// a chain of `let`s, is searched only if a different part allocates: otherwise the walk down the chain would be
/// quadratic.
fn allocating(t: &mut Term) -> Option<&mut Term> {
    let mut parts: Vec<&mut Term> = t.children_mut().collect_vec();
    let last = parts.pop()?;
    let mut others = parts.into_iter().filter(|c| allocates(c));
    match (others.next(), others.next()) {
        (None, _) => Some(last),
        (Some(only), None) if !allocates(last) => Some(only),
        _ => None,
    }
}

/// Whether the size of a block does not depend on these variables.
fn is_known(b: &Block, bound: &[VarId]) -> bool {
    let mut atoms = b.shape.iter().flat_map(|c| c.atoms());
    !atoms.any(|a| matches!(a, Atom::Var(v) | Atom::Len(v, _) if bound.contains(v)))
}

/// Whether a term takes bytes of the frame, itself or in a kernel that it calls.
fn allocates(t: &Term) -> bool {
    t.any(&|t| match t {
        Term::Alloc(Alloc { blocks, .. }) => blocks.iter().any(|b| b.placement == Placement::Frame),
        Term::Call(_) => true,
        _ => false,
    })
}
