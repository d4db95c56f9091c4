//! The values of names of type `usize`, as polynomials.

use crate::infer::{has_exact_operands, size_prim};
use crate::loops::Expr;
use crate::mapped::Both;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::shape::facts::Facts;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;
use crate::value::Lit;

/// The value of an expression of type `usize`.
pub(crate) fn number(e: &Expr, values: &Map<VarId, Card>) -> Option<Card> {
    match e {
        Expr::Var(v) => Some(values.get(v).cloned().unwrap_or(Card::var(*v))),
        Expr::Size(c, _) => Some(named(c, values)),
        Expr::Lit(Lit::Int(n, Scalar::Usize)) => Some(Card::lit(*n)),
        Expr::Prim(p, es, _) if has_exact_operands(*p) && es.iter().all(|e| matches!(e, Expr::Size(..))) => {
            let [a, b] = [&es[0], &es[1]].both(|e| number(e, values));
            size_prim(*p, &a?, &b?)
        }
        _ => None,
    }
}

/// The value of a name of type `usize`, which may be a difference that is not negative.
pub(super) fn value(e: &Expr, values: &Map<VarId, Card>, facts: &Facts) -> Option<Card> {
    if let Expr::Prim(Prim::Sub, es, _) = e {
        let [a, b] = [&es[0], &es[1]].both(|e| value(e, values, facts));
        return Some(a?.sub(&b?)).filter(|c| facts.at_least_zero(c));
    }
    number(e, values)
}

/// Whether a polynomial mentions one of some variables.
pub(crate) fn mentions(c: &Card, some: &Set<VarId>) -> bool {
    c.atoms().iter().any(|a| matches!(a, Atom::Var(v) | Atom::Len(v, _) if some.contains(v)))
}

/// A size with values in place of names.
pub(super) fn named(c: &Card, values: &Map<VarId, Card>) -> Card {
    if !c.atoms().iter().any(|a| matches!(a, Atom::Var(v) if values.contains_key(v))) {
        return c.clone();
    }
    c.subst(&|a| match a {
        Atom::Var(v) if values.contains_key(v) => values[v].clone(),
        a => Card::atom(a.clone()),
    })
}
