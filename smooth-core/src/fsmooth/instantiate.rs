//! Type parameters replaced by types: a generic kernel as one of its callers uses it.
//!
//! ```text
//! (Λt̄. e) s̄  ⟶  e[t̄ ↦ s̄]
//! ```
//!
//! Keeps: the term. A literal of a type parameter is rounded when the type is known.

use super::{Callee, Expr, Kind};
use crate::prim::Prim;
use crate::shape::{Companion, Param, ParamKind};
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// A scalar type, with the type parameters replaced.
pub fn scalar(s: Scalar, types: &[Scalar]) -> Scalar {
    match s {
        Scalar::Real(k) => types.get(k as usize).copied().unwrap_or(s),
        s => s,
    }
}

/// A type, with the type parameters replaced.
pub fn ty(t: &Type, types: &[Scalar]) -> Type {
    match t {
        Type::Scalar(s) => Type::Scalar(scalar(*s, types)),
        Type::Array(s, rank) => Type::Array(scalar(*s, types), *rank),
        Type::Tuple(ts) => Type::Tuple(ts.iter().map(|t| ty(t, types)).collect()),
        Type::Records(ts, rank) => Type::Records(ts.iter().map(|t| ty(t, types)).collect(), *rank),
        Type::Fn(ts, r) => Type::Fn(ts.iter().map(|t| ty(t, types)).collect(), Box::new(ty(r, types))),
    }
}

/// An interface, with the type parameters replaced.
pub fn interface(params: &mut [Param], companion: &mut Companion, types: &[Scalar]) {
    for p in params {
        match &mut p.kind {
            ParamKind::Scalar(s) | ParamKind::Array(s, _) => *s = scalar(*s, types),
            ParamKind::Fn(ps, r, _) => {
                ps.iter_mut().for_each(|(t, _)| *t = ty(t, types));
                *r = ty(r, types);
            }
        }
    }
    companion.result_type = ty(&companion.result_type, types);
    companion.frame = companion.frame.retyped(&|s| scalar(s, types));
}

/// An entry of a callee table, with the type parameters of the kernel that has it replaced. What reaches it goes
/// through that kernel, and takes its types.
pub fn callee(c: &mut Callee, types: &[Scalar]) {
    interface(&mut c.params, &mut c.companion, types);
    c.types = types.to_vec();
}

/// A term, with the type parameters replaced.
pub fn term(e: &mut Expr, types: &[Scalar]) {
    e.each_mut(&mut |e| {
        e.ty = ty(&e.ty, types);
        match &mut e.kind {
            Kind::Lit(l @ Lit::Float(..)) => *l = Lit::float(l.as_f64(), scalar(l.scalar(), types)),
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
    });
}
