//! Properties of terms that follow from their syntax alone.

use crate::fsmooth::{Build, Expr, IFold, Kind, build};
use crate::name::VarId;
use crate::prim::Prim;
use crate::ty::Type;

/// The value of an integer literal; `None` for other terms.
pub(crate) fn constant(e: &Expr) -> Option<i128> {
    match e.kind() {
        Kind::Lit(l) => l.as_int(),
        _ => None,
    }
}

/// Whether a term costs nothing to repeat; a row of an array is a name for a part of it.
pub(crate) fn trivial(e: &Expr) -> bool {
    match e.kind() {
        Kind::Get(a, i) if e.ty().is_array() => trivial(a) && trivial(i),
        Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) => true,
        Kind::Proj(a, _) | Kind::Len(a, _) => matches!(a.kind(), Kind::Var(_)),
        _ => false,
    }
}

/// Whether a term only names a part of an array: a copy of it would be a copy of the array.
pub(crate) fn is_part(e: &Expr) -> bool {
    let part = matches!(e.kind(), Kind::Get(..) | Kind::Slice(..) | Kind::Var(_) | Kind::Proj(..));
    part && !matches!(e.ty(), Type::Scalar(_))
}

/// Whether a term binds variables, which a copy would have to rename.
pub(crate) fn has_binders(e: &Expr) -> bool {
    e.count(|t| !t.binders().is_empty()) > 0
}

/// The variable that a term is, or is a row of.
pub(crate) fn base(e: &Expr) -> Option<VarId> {
    match e.kind() {
        Kind::Var(v) => Some(*v),
        Kind::Get(a, _) => base(a),
        _ => None,
    }
}

/// `s` where a term is `i`, `s + i` or `i + s`, and `s` is small and free of `i`.
pub(crate) fn offset(e: &Expr, i: VarId) -> Option<Option<&Expr>> {
    let is_i = |e: &Expr| matches!(e.kind(), Kind::Var(v) if *v == i);
    match e.kind() {
        _ if is_i(e) => Some(None),
        Kind::Prim(Prim::Add, args) => {
            let s = args.iter().position(is_i).map(|k| &args[1 - k])?;
            (trivial(s) && !s.mentions(i)).then_some(Some(s))
        }
        _ => None,
    }
}

/// The extent of an array along an axis, as a term that does not compute the array.
pub(crate) fn extent(a: &Expr, axis: usize) -> Option<Expr> {
    let o = a.origin();
    match a.kind() {
        Kind::Var(_) => Some(build::len(a.clone(), axis, o)),
        Kind::Build(Build { count, .. }) if axis == 0 => Some((**count).clone()),
        Kind::Build(Build { index, body, .. }) => extent(body, axis - 1).filter(|n| !n.mentions(*index)),
        Kind::Array(es) if axis == 0 => Some(build::index(es.len() as u64, o)),
        Kind::Array(es) => extent(&es[0], axis - 1),
        Kind::Slice(_, s, t) if axis == 0 => Some(build::prim(Prim::Sub, vec![(**t).clone(), (**s).clone()], o)),
        Kind::Slice(a, ..) => extent(a, axis),
        Kind::Get(a, _) => extent(a, axis + 1),
        Kind::If(_, a, _) => extent(a, axis),
        Kind::IFold(IFold { init, .. }) => extent(init, axis),
        Kind::Let(x, _, b) => extent(b, axis).filter(|n| !n.mentions(*x)),
        Kind::Tuple(es) => extent(es.first()?, axis),
        Kind::Proj(t, k) => extent(component(t, *k)?, axis),
        _ => None,
    }
    // The term is copied, and a copied binder would be bound twice.
    .filter(|n| !has_binders(n))
}

/// A term of the shape that a component of a tuple has.
fn component(t: &Expr, k: usize) -> Option<&Expr> {
    match t.kind() {
        Kind::Tuple(es) => es.get(k),
        Kind::If(_, a, _) => component(a, k),
        Kind::IFold(IFold { init, .. }) => component(init, k),
        _ => None,
    }
}
