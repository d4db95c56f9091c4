//! Copy elision.
//!
//! ```text
//! alloc P (λr. let x{r} = copy r v in t)     ⟶  let x = v in t
//! alloc P (λr. let x{r} = t in copy d x)     ⟶  t[d/r]
//! ```
//!
//! The first is sound because nothing writes the elements that a view reads while the view's name is in scope:
//! arguments and filled storage never change, and a fold's step writes its second buffer. In-out arguments do change,
//! and are left alone. A part of an array that is copied as a whole in `t` keeps its copy: if that array is updated
//! there, a row is copied and not all of it (`coalesce` decides). The second is sound because nothing between the two
//! terms reads `d`: a destination has no name until it is full.
//!
//! Peak: never rises, since an allocation is removed and none is added.

use crate::dps::{Alias, Alloc, Block, Copy, Dest, Fill, Program, Term, View};
use crate::mapped::{Both, Mapped};
use crate::name::VarId;
use crate::shape::Param;

/// Elides copies, innermost first.
pub(super) fn elide_copy(program: &mut Program) {
    let (in_out, constant): (Vec<&Param>, Vec<&Param>) = program.interface.params.iter().partition(|p| p.in_out);
    let [in_out, constant] = [in_out, constant].both(|ps| ps.into_iter().mapped(|p| p.var));
    program.body.each_mut(&mut |t| {
        if let Some(simpler) = elided(t, &in_out, &constant) {
            *t = simpler;
        }
    });
    super::in_out::settle(program);
}

fn elided(t: &mut Term, in_out: &[VarId], constant: &[VarId]) -> Option<Term> {
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
        if !constant.contains(&view.base) && !view.steps.is_empty() && is_copied(body, view.base) {
            return None;
        }
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

/// Whether a term copies all of `x`.
fn is_copied(t: &Term, x: VarId) -> bool {
    t.any(&|t| matches!(t, Term::Copy(Copy { view, .. }) if view.base == x && view.steps.is_empty()))
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
