//! Accumulations: numbers that a loop combines with a new term in each iteration.
//!
//! ```text
//! for i < n { s̄; x ← x ⊕ e }                           ⊕ one of + · min max
//! for i < n { s̄; var y; y ← x ⊕ e; x ← y }             a name for the next value
//! ```

use crate::loops::{Block, Expr, For, Place, Stmt};
use crate::name::VarId;
use crate::prim::Prim;
use crate::reduction::Monoid;
use crate::sorted::Set;

/// The only thing that the iterations of a loop hand on.
pub(crate) struct Accumulation {
    /// The number.
    pub number: VarId,
    pub with: Monoid,
    /// The statements that compute a term.
    pub body: Block,
    pub term: Expr,
}

impl Accumulation {
    /// The accumulation of a loop that does nothing else.
    pub(crate) fn of(l: &For) -> Option<Accumulation> {
        let (last, before) = l.body.split_last()?;
        let Stmt::Assign(Place::Var(number), value) = last else { return None };
        let (value, body) = match value {
            Expr::Var(next) => {
                let (Stmt::Assign(Place::Var(assigned), value), before) = before.split_last()? else { return None };
                let declared = before.iter().position(|s| matches!(s, Stmt::Var(x, _) if x == next))?;
                let mut body = before.to_vec();
                body.remove(declared);
                if assigned != next || body.iter().any(|s| s.mentions(*next) || s.binds(*next)) {
                    return None;
                }
                (value, body)
            }
            value => (value, before.to_vec()),
        };
        let (with, term) = step(value, *number)?;
        let (mut bound, mut targets, mut writes) = (Set::new(), Set::new(), false);
        for s in &body {
            s.targets(&mut targets);
            s.walk(&mut |s| match s {
                Stmt::Let(x, ..) | Stmt::Var(x, _) => drop(bound.insert(*x)),
                Stmt::For(For { index, .. }) => drop(bound.insert(*index)),
                Stmt::Reduce(r) => bound.extend(r.totals.iter().chain([&r.index])),
                Stmt::Assign(Place::Var(_), _) | Stmt::If(..) | Stmt::Block(_) => {}
                _ => writes = true,
            });
        }
        let own = targets.is_subset(&bound) && !writes && !targets.contains(number);
        let apart = !term.mentions(*number) && !body.iter().any(|s| s.mentions(*number));
        (own && apart).then_some(Accumulation { number: *number, with, body, term })
    }
}

/// The operation and the term, if a value is `x ⊕ e`, or the choice that an extreme is.
fn step(value: &Expr, x: VarId) -> Option<(Monoid, Expr)> {
    let is_x = |e: &Expr| matches!(e, Expr::Var(v) if *v == x);
    match value {
        Expr::Prim(p, es, _) if es.len() == 2 => {
            let with = match p {
                Prim::Add => Monoid::Sum,
                Prim::Mul => Monoid::Prod,
                Prim::Min => Monoid::Min,
                Prim::Max => Monoid::Max,
                _ => return None,
            };
            let term = if is_x(&es[0]) { &es[1] } else { Some(&es[0]).filter(|_| is_x(&es[1]))? };
            Some((with, term.clone()))
        }
        Expr::If(es) => {
            let [Expr::Prim(p, sides, _), chosen, other] = &**es else { return None };
            // `e > x`, as `e` on the left.
            let (term, greater) = match (p, is_x(&sides[0])) {
                (Prim::Gt | Prim::Ge, false) => (&sides[0], true),
                (Prim::Lt | Prim::Le, false) => (&sides[0], false),
                (Prim::Gt | Prim::Ge, true) => (&sides[1], false),
                (Prim::Lt | Prim::Le, true) => (&sides[1], true),
                _ => return None,
            };
            let both = is_x(&sides[0]) != is_x(&sides[1]);
            (both && chosen == term && is_x(other))
                .then(|| (if greater { Monoid::Max } else { Monoid::Min }, term.clone()))
        }
        _ => None,
    }
}
