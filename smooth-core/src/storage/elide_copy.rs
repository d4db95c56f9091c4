//! Copy elision.
//!
//! ```text
//! alloc P (λr. let x{r} = copy r v in t)     ⟶  let x = v in t
//! alloc P (λr. let x{r} = t in copy d x)     ⟶  t[d/r]
//! ```
//!
//! The first is sound because nothing writes what a view reads while the view's name is in scope: arguments and filled
//! storage never change, and a fold's step writes the other buffer. In-out arguments do change, and are left alone. The second is sound because nothing between the two
//! terms reads `d`: a destination has no name until it is full.
//!
//! Peak: never rises, since an allocation goes and none comes.

use crate::dps::{Alias, Alloc, Block, Copy, Dest, Fill, Program, Term, View};
use crate::name::VarId;
use std::collections::BTreeSet;

/// Elides copies, innermost first.
pub(super) fn elide_copy(program: &mut Program) {
    let in_out: BTreeSet<VarId> = program.params.iter().filter(|p| p.in_out).map(|p| p.var).collect();
    program.body.each_mut(&mut |t| {
        if let Some(simpler) = elided(t, &in_out) {
            *t = simpler;
        }
    });
    super::in_out::settle(program);
}

fn elided(t: &mut Term, in_out: &BTreeSet<VarId>) -> Option<Term> {
    let Term::Alloc(Alloc { blocks, body }) = t else { return None };
    let ([Block { r, elem, shape, .. }], Term::Fill(Fill { cells, arrays, write, body })) =
        (blocks.as_slice(), &mut **body)
    else {
        return None;
    };
    let x = match (cells.as_slice(), arrays.as_slice()) {
        ([], [(x, filled)]) if filled == r => *x,
        _ => return None,
    };
    if let Term::Copy(Copy { dest: Dest::Storage(d, path), view, .. }) = &**write
        && d == r
        && path.is_empty()
        && !in_out.contains(&view.base)
    {
        let body = Box::new(body.take());
        return Some(Term::Alias(Alias { x, view: view.clone(), elem: *elem, shape: shape.clone(), body }));
    }
    if let Term::Copy(Copy { dest, view: View { base, steps }, .. }) = &**body
        && *base == x
        && steps.is_empty()
    {
        let mut write = write.take();
        redirect(&mut write, *r, dest);
        return Some(write);
    }
    None
}

/// `t[d/r]`: redirects writes from `r` to `d`.
fn redirect(t: &mut Term, r: VarId, to: &Dest) {
    let Dest::Storage(d, prefix) = to else { return };
    t.each_mut(&mut |t| {
        for dest in t.dests_mut() {
            if let Dest::Storage(s, path) = dest
                && *s == r
            {
                *s = *d;
                path.splice(0..0, prefix.iter().cloned());
            }
        }
    });
}
