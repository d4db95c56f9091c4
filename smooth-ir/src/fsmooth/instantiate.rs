//! Type parameters replaced by types: a generic kernel as one of its callers uses it.
//!
//! ```text
//! (Λt̄. e) s̄  ⟶  e[t̄ ↦ s̄]
//! ```
//!
//! Keeps: the term. A literal of a type parameter is an `f64` that is cast when the type is known.

use super::{Callee, Combine, Combiner, Expr, Kind, Order, build, take};
use crate::mapped::Mapped;
use crate::prim::Prim;
use crate::shape::{Companion, Param, ParamKind};
use crate::ty::{Scalar, Type};

/// A scalar type, with the type parameters replaced.
pub fn scalar(s: Scalar, types: &[Scalar]) -> Scalar {
    match s {
        Scalar::Open(_, k) => types.get(k as usize).copied().unwrap_or(s),
        s => s,
    }
}

/// A type, with the type parameters replaced.
pub fn ty(t: &Type, types: &[Scalar]) -> Type {
    match t {
        Type::Scalar(s) => Type::Scalar(scalar(*s, types)),
        Type::Array(s, rank) => Type::Array(scalar(*s, types), *rank),
        Type::Tuple(ts) => Type::Tuple(ts.iter().mapped(|t| ty(t, types))),
        Type::Records(ts, rank) => Type::Records(ts.iter().mapped(|t| ty(t, types)), *rank),
        Type::Fn(ts, r) => Type::Fn(ts.iter().mapped(|t| ty(t, types)), Box::new(ty(r, types))),
    }
}

/// An interface, with the type parameters replaced.
pub fn interface(params: &mut [Param], companion: &mut Companion, types: &[Scalar]) {
    each_param(params, types);
    companion.result_type = ty(&companion.result_type, types);
    companion.frame = companion.frame.retyped(&|s| scalar(s, types));
}

fn each_param(params: &mut [Param], types: &[Scalar]) {
    for p in params {
        match &mut p.kind {
            ParamKind::Scalar(s) | ParamKind::Array(s, _) => *s = scalar(*s, types),
            ParamKind::Fn(s) => {
                each_param(&mut s.params, types);
                s.result_type = ty(&s.result_type, types);
            }
        }
    }
}

/// Replaces the type parameters of the kernel that has this entry in its table of callees. If the callee is reached
/// through that kernel, it takes its types.
pub fn callee(c: &mut Callee, types: &[Scalar]) {
    interface(&mut c.params, &mut c.companion, types);
    c.types = types.to_vec();
}

/// A term, with the type parameters replaced.
pub fn term(e: &mut Expr, types: &[Scalar]) {
    e.each_mut(&mut |e| {
        e.ty = ty(&e.ty, types);
        match &mut e.kind {
            Kind::Lit(l) if l.scalar().is_open() => *l = l.cast(scalar(l.scalar(), types)),
            Kind::Lam(params, _) => params.iter_mut().for_each(|(_, t)| *t = ty(t, types)),
            Kind::Prim(p, _) => {
                if let Some(to) = p.target().map(|to| scalar(to, types))
                    && let Some(cast) = Prim::cast(to)
                {
                    *p = cast;
                }
            }
            _ => {}
        }
        // As if it had been written for these types: integers are combined in source order.
        let ints = |t: &Type| t.leaves().iter().all(|t| t.scalar().is_some_and(Scalar::is_int));
        if matches!(&e.kind, Kind::Reduce(r) if r.order == Order::Lanes) && ints(&e.ty) {
            in_source_order(e);
        }
    });
}

/// Makes a reduction one in source order.
pub fn in_source_order(e: &mut Expr) {
    let Kind::Reduce(r) = &mut e.kind else { return };
    match &mut r.with {
        Combine::Named(_) => r.order = Order::Source,
        Combine::Function(f) => {
            let (count, body) = (take(&mut r.count), take(&mut r.body));
            let (init, combined) = (take(&mut f.init), take(&mut f.body));
            let with = Combiner { init, left: f.left, right: f.right, body: combined };
            *e = build::reduce_in_order(with, count, r.index, body, e.origin);
        }
    }
}
