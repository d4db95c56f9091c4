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

use crate::dps::{Block, Home, Program, State, Term};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::shape::entry_atoms;

/// Hoists out of inner loops first: what comes out of one may go on out of the next.
pub(super) fn hoist(program: &mut Program) {
    let entry = entry_atoms(&program.params);
    walk(&mut program.body, false, &entry);
}

fn walk(t: &mut Term, conditional: bool, entry: &[Atom]) {
    let branches = matches!(t, Term::If(..) | Term::Prim(Prim::And | Prim::Or, ..));
    t.children_mut().into_iter().for_each(|c| walk(c, conditional || branches, entry));

    let checked = |c: &Card| c.atoms().into_iter().all(|a| matches!(a, Atom::Op(..)) || entry.contains(a));
    let product = |c: &Card| c.never_negative() && !c.atoms().iter().any(|a| matches!(a, Atom::Op(..)));
    let anywhere = |b: &Block| b.shape.iter().all(|c| product(c) || (!conditional && checked(c)));
    let mut blocks = Vec::new();
    match t {
        Term::Build { count, index, body }
        | Term::Sum { count, index, body, .. }
        | Term::Sums { count, index, body, .. }
            if !allocates(count) =>
        {
            take(body, &mut vec![*index], &anywhere, &mut blocks)
        }
        Term::Fold { count, index, states, init, step, then }
            if !allocates(count) && !allocates(init) && !allocates(then) =>
        {
            let now = states.iter().filter_map(|s| if let State::Scalar { now, .. } = s { Some(*now) } else { None });
            take(step, &mut now.chain([*index]).collect(), &anywhere, &mut blocks)
        }
        _ => return,
    }
    if !blocks.is_empty() {
        let body = Box::new(std::mem::replace(t, Term::Seq(vec![])));
        *t = Term::Alloc { blocks, body };
    }
}

/// Takes the allocations that nothing takes turns with out of a term, as far as their blocks `may` go and their sizes do
/// without the `bound` variables: those at its head, then those of the only part of it that allocates. Loops, branches
/// and calls keep theirs.
pub(super) fn take(mut t: &mut Term, bound: &mut Vec<VarId>, may: &dyn Fn(&Block) -> bool, taken: &mut Vec<Block>) {
    loop {
        while let Term::Alloc { blocks, body } = t
            && blocks.iter().all(|b| b.home == Home::Frame && may(b) && known(b, bound))
        {
            taken.append(blocks);
            let body = std::mem::replace(&mut **body, Term::Seq(vec![]));
            *t = body;
        }
        match t {
            Term::Alloc { blocks, .. } if blocks.iter().any(|b| b.home == Home::Frame) => return,
            // A call's arguments take turns with its frame.
            Term::Call { .. } | Term::If(..) => return,
            Term::Build { .. } | Term::Sum { .. } | Term::Sums { .. } | Term::Fold { .. } => return,
            Term::Prim(Prim::And | Prim::Or, ..) => return,
            Term::Let(x, ..) | Term::Alias { x, .. } => bound.push(*x),
            Term::Fill { cells, arrays, .. } => {
                bound.extend(cells.iter().map(|(c, _)| *c).chain(arrays.iter().map(|(x, _)| *x)))
            }
            _ => {}
        }
        match allocating(t) {
            Some(only) => t = only,
            None => return,
        }
    }
}

/// The only part of a term that may allocate; `None` if there is none, or several. Of the last part, which is the rest of
/// a chain of `let`s, that it allocates is not asked unless another does: the walk down the chain would look at all that
/// is left of it at each link.
fn allocating(t: &mut Term) -> Option<&mut Term> {
    let mut parts = t.children_mut();
    let last = parts.pop()?;
    let mut others = parts.into_iter().filter(|c| allocates(c));
    match (others.next(), others.next()) {
        (None, _) => Some(last),
        (Some(only), None) if !allocates(last) => Some(only),
        _ => None,
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
        Term::Alloc { blocks, .. } => blocks.iter().any(|b| b.home == Home::Frame),
        Term::Call { .. } => true,
        _ => false,
    })
}
