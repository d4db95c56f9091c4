//! Dead allocation (Fig. 9).
//!
//! ```text
//! let x = t₁{r} in t₂   ⟶  t₂     x is not read in t₂
//! alloc P (λr. t)       ⟶  t      r does not occur in t
//! ```
//!
//! Writing has no effect but on the written cells. A value that is never read need not be written.
//!
//! Peak: never rises, since allocations go and none come.

use crate::dps::{Alias, Alloc, Dest, Fill, Fold, Program, State, Term};
use crate::name::VarId;
use std::collections::BTreeSet;

/// Removes dead writes and their storage, innermost first. Uses are counted once; a term that is removed takes its own
/// uses off the counts.
pub(super) fn dead(program: &mut Program) {
    let mut uses = vec![0usize; program.names.count()];
    // A value in shared storage may be read there without a name (`previous`).
    let mut shared = BTreeSet::new();
    program.body.each(&mut |t| {
        t.own_uses(&mut |v| uses[v.0 as usize] += 1);
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            let places = blocks.iter().filter_map(|b| Some((b.r, b.placement.dest()?.root())));
            places.for_each(|(r, root)| shared.extend(root.into_iter().chain([r])));
        }
    });
    program.body.each_mut(&mut |t| {
        let unused = |v: &VarId| uses[v.0 as usize] == 0;
        let goes = match t {
            Term::Fill(Fill { cells, arrays, write, .. }) => {
                cells.is_empty() && arrays.iter().all(|(x, r)| unused(x) && !shared.contains(r)) && owns(write, arrays)
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

/// Whether a term writes nothing but the storage of these arrays.
fn owns(write: &Term, arrays: &[(VarId, VarId)]) -> bool {
    let mut inner: BTreeSet<VarId> = arrays.iter().map(|(_, r)| *r).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dps::{Block, Placement};
    use crate::shape::card::Card;
    use crate::ty::Scalar;
    use crate::value::Lit;

    fn program(body: Term) -> Program {
        let mut names = crate::name::Names::default();
        for _ in 0..8 {
            names.fresh("v");
        }
        Program {
            name: "p".into(),
            names,
            reals: 0,
            params: vec![],
            callees: vec![],
            consts: vec![],
            result_type: crate::ty::Type::F64,
            results: vec![],
            body,
        }
    }

    fn alloc(r: u32, write: Term, body: Term) -> Term {
        let arrays = vec![(VarId(r + 1), VarId(r))];
        let fill = Term::Fill(Fill { cells: vec![], arrays, write: Box::new(write), body: Box::new(body) });
        let (shape, capacity) = (vec![Card::lit(1)], Card::lit(1));
        Term::alloc(Block { r: VarId(r), elem: Scalar::F64, shape, capacity, placement: Placement::Frame }, fill)
    }

    fn store(r: u32) -> Term {
        Term::Store(Dest::Storage(VarId(r), vec![Term::Size(Card::lit(0))]), Box::new(Term::Lit(Lit::f64(1.0))))
    }

    #[test]
    fn unread_storage_goes() {
        let one = Term::Lit(Lit::f64(1.0));
        let mut p = program(alloc(0, store(0), one.clone()));
        dead(&mut p);
        assert_eq!(p.body, one);
    }

    #[test]
    fn a_write_that_also_fills_other_storage_stays() {
        let body = alloc(0, Term::Seq(vec![store(0), store(5)]), Term::Lit(Lit::f64(1.0)));
        let mut p = program(body.clone());
        dead(&mut p);
        assert_eq!(p.body, body);
    }
}
