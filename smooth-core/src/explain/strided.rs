//! Copies of strided arguments for callees. They are loops that store each element, so that no pass takes them for aliases.

use crate::dps::{Alias, Alloc, Build, Dest, Fill, Program, Step, Term, View};
use crate::name::VarId;
use crate::shape::Shape;
use crate::sorted::Map;
use crate::span::Origin;

/// For each copy the strided parameter, the shape of the copied part, and the term that needs it.
pub(super) fn strided_copies(p: &Program) -> Vec<(VarId, Shape, Origin)> {
    let mut roots: Map<VarId, VarId> =
        p.interface.params.iter().filter(|q| q.strided).map(|q| (q.var, q.var)).collect();
    let (mut shapes, mut found) = (Map::new(), vec![]);
    p.body.each(&mut |t| match t {
        Term::Alias(Alias { x, view, .. }) => {
            if let Some(root) = roots.get(&view.base).copied() {
                roots.insert(*x, root);
            }
        }
        Term::Alloc(Alloc { blocks, .. }) => shapes.extend(blocks.iter().map(|b| (b.r, &b.shape))),
        _ => {}
    });
    p.body.each(&mut |t| {
        if let Term::Fill(Fill { write, arrays, .. }) = t
            && let [(_, r)] = arrays.as_slice()
            && let Some((base, origin)) = source(write, *r)
            && let (Some(root), Some(shape)) = (roots.get(&base), shapes.get(r))
        {
            found.push((*root, (*shape).clone(), origin));
        }
    });
    found
}

/// The array that a nest of loops copies, each element to its own indices.
fn source(write: &Term, r: VarId) -> Option<(VarId, Origin)> {
    let (mut t, mut indices) = (write, vec![]);
    while let Term::Build(Build { index, body, .. }) = t {
        indices.push(Term::Var(*index));
        t = body;
    }
    let Term::Store(Dest::Storage(to, at), value) = t else { return None };
    let Term::Load(View { base, steps }) = &**value else { return None };
    let index = |s: &Step| if let Step::At { index, .. } = s { Some(index.clone()) } else { None };
    let read: Option<Vec<Term>> = steps.iter().map(index).collect();
    let Some(Step::At { origin, .. }) = steps.last() else { return None };
    (*to == r && *at == indices && read? == indices).then_some((*base, *origin))
}
