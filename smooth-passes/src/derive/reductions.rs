//! Terms of reductions, and what combines them.

use super::forward::assembled;
use super::statements::index;
use crate::fsmooth::{Combiner, Expr, Reduce, build};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::ty::Type;

/// The terms of a reduction once more.
pub(super) fn again(r: &Reduce, names: &mut Names) -> (Expr, VarId) {
    let at = names.again(r.index);
    let mut body = r.body.renamed(names);
    body.replace(r.index, &mut || index(at, r.body.origin));
    (body, at)
}

/// `a ⊕ b`.
pub(super) fn combined(f: &Combiner, a: Expr, b: Expr, names: &mut Names) -> Expr {
    let o = f.body.origin;
    let [left, right] = [f.left, f.right].map(|v| names.again(v));
    let mut body = f.body.renamed(names);
    for (old, new, ty) in [(f.left, left, &a.ty), (f.right, right, &b.ty)] {
        body.replace(old, &mut || build::var(new, ty.clone(), o));
    }
    build::bind(left, a, build::bind(right, b, body, o), o)
}

/// The element of a type at a place of the arrays of its leaves.
pub(super) fn element(arrays: &[Expr], i: &Expr, ty: &Type) -> Expr {
    let o = i.origin;
    assembled(ty, &mut arrays.iter().map(|a| build::get(a.clone(), i.clone(), o)), o)
}

/// `a - b`, of indices.
pub(super) fn minus(a: Expr, b: Expr) -> Expr {
    let o = a.origin;
    build::prim(Prim::Sub, vec![a, b], o)
}
