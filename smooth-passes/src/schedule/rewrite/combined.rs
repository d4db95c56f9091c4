//! One step of a named reduction.

use crate::loops::Expr;
use crate::prim::Prim;
use crate::reduction::Monoid;
use crate::span::Origin;

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
