//! Dead allocation (Fig. 9).
//!
//! ```text
//! let x{r} = t₁ in t₂   ⟶  t₂     x is not read in t₂
//! alloc P (λr. t)       ⟶  t      r does not occur in t
//! ```
//!
//! Writing has no effect but on the written cells. A value that is never read need not be written, unless it asserts.
//!
//! Peak: never rises, since allocations are removed and none is added.

use crate::dps::{Alias, Alloc, Dest, Fill, Fold, Program, State, Term};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::sorted::Set;

/// Removes dead writes and their storage, innermost first. Uses are counted once; a term that is removed takes its own
/// uses off the counts.
pub(super) fn dead(program: &mut Program) {
    let mut uses = vec![0usize; program.names.count()];
    // A value in shared storage may be read there without a name (`previous`).
    let mut shared = Set::new();
    program.body.each(&mut |t| {
        t.own_uses(&mut |v| uses[v.0 as usize] += 1);
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            let places = blocks.iter().filter_map(|b| Some((b.r, b.placement.dest()?.root())));
            places.for_each(|(r, root)| shared.extend(root.into_iter().chain([r])));
        }
    });
    let callees: Vec<bool> = program.interface.callees.iter().mapped(|c| c.companion.asserts);
    program.body.each_mut(&mut |t| {
        let unused = |v: &VarId| uses[v.0 as usize] == 0;
        let goes = match t {
            Term::Fill(Fill { cells, arrays, write, .. }) => {
                let unread = cells.is_empty() && arrays.iter().all(|(x, r)| unused(x) && !shared.contains(r));
                unread && owns(write, arrays) && !asserts(write, &callees)
            }
            Term::Alloc(Alloc { blocks, .. }) => {
                let (stay, go): (Vec<_>, Vec<_>) = std::mem::take(blocks).into_iter().partition(|b| !unused(&b.r));
                *blocks = stay;
                for b in go {
                    let root = b.placement.dest().and_then(Dest::root);
                    root.into_iter().for_each(|r| uses[r.0 as usize] -= 1);
                }
                blocks.is_empty()
            }
            Term::Alias(Alias { x, .. }) => unused(x),
            _ => false,
        };
        let (Term::Fill(Fill { body, .. }) | Term::Alloc(Alloc { body, .. }) | Term::Alias(Alias { body, .. })) = t
        else {
            return;
        };
        if goes {
            let body = body.take();
            t.each(&mut |t| t.own_uses(&mut |v| uses[v.0 as usize] -= 1));
            *t = body;
        }
    });
}

/// Whether there is an assertion in a term, so that it is kept.
fn asserts(write: &Term, callees: &[bool]) -> bool {
    write.any(&|t| match t {
        Term::Assert(..) => true,
        Term::Call(c) => callees[c.callee],
        _ => false,
    })
}

/// Whether a term writes nothing but the storage of these arrays.
fn owns(write: &Term, arrays: &[(VarId, VarId)]) -> bool {
    let mut inner: Set<VarId> = arrays.iter().map(|(_, r)| *r).collect();
    let mut foreign = false;
    write.each(&mut |t| {
        match t {
            Term::Alloc(Alloc { blocks, .. }) => inner.extend(blocks.iter().map(|b| b.r)),
            Term::Fill(Fill { cells, .. }) => inner.extend(cells.iter().map(|(c, _)| *c)),
            Term::Fold(Fold { states, .. }) => inner.extend(states.iter().flat_map(|s| match s {
                State::Scalar { next, .. } => vec![*next],
                State::Array { first, next, .. } => vec![*first, *next],
            })),
            _ => {}
        }
        foreign |= t.dests().iter().any(|d| match d {
            Dest::Cell(v) | Dest::Storage(v, _) => !inner.contains(v),
        });
    });
    !foreign
}
