//! The first number and one step of a named reduction.

use crate::loops::Expr;
use crate::prim::Prim;
use crate::reduction::Monoid;
use crate::schedule::rewrite::remainder::compared;
use crate::shape::card::Card;
use crate::span::Origin;
use crate::ty::Scalar;

/// The accumulator and one more term, combined. An overflow is reported at `origin`.
pub(crate) fn combined(with: Monoid, so_far: Expr, term: Expr, origin: Origin) -> Expr {
    let prim = |p: Prim, a: &Expr, b: &Expr| Expr::Prim(p, vec![a.clone(), b.clone()], origin);
    match with {
        Monoid::Sum => prim(Prim::Add, &so_far, &term),
        Monoid::Prod => prim(Prim::Mul, &so_far, &term),
        Monoid::Min => Expr::If(Box::new([prim(Prim::Lt, &term, &so_far), term, so_far])),
        Monoid::Max => Expr::If(Box::new([prim(Prim::Gt, &term, &so_far), term, so_far])),
    }
}

/// The number from which on a loop of `count` iterations adds the terms of a reduction: the result if there are none, and
/// otherwise the one that leaves the first term as it is.
pub(crate) fn beginning(with: Monoid, s: Scalar, count: &Card) -> Expr {
    let [start, empty] = [with.start(s), with.empty(s)].map(Expr::Lit);
    match count.constant() {
        Some(0) => empty,
        None if start != empty => Expr::If(Box::new([compared(Prim::Eq, count, 0), empty, start])),
        _ => start,
    }
}
