//! Extremes in lanes: the largest or smallest of neighbours, compared side by side.
//!
//! ```text
//! for i < n { s̄; x ← max x e }
//!   ⟶  let start = x; let some = if n ≥ 32 { n } else { 0 }
//!      total ← max (i < some) { s̄; e }
//!      let best = if total > start { total } else { start }
//!      if some > 0 && start == start && best != 0 { x ← best } else { for i < n { s̄; x ← max x e } }
//! ```
//!
//! Each comparison of the loop waits for the one before. In any order the result is the same number: terms that are not
//! numbers are never larger, and if `x` begins as one, the loop runs as it is. Only zeros are equal and have different bits, so
//! the loop runs for them as well.
//!
//! Needs: terms that cannot panic. Pays: if they are vector instructions of neighbours. A row of 256 takes 0.4 of the time.

use crate::loops::{Block, Expr, For, Function, Order, Place, Reduce, Remark, Stmt, With};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::reduction::Monoid;
use crate::schedule::facts::access::{operations, slope};
use crate::schedule::facts::accumulation::Accumulation;
use crate::schedule::facts::decide::Decide;
use crate::schedule::facts::parts::binders;
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::remainder::compared;
use crate::schedule::rewrite::replaced::{each_replaced, in_body};
use crate::shape::card::Card;
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// The number of terms from which on lanes pay.
const MANY: i128 = 32;

/// Puts all loops in lanes that only compare neighbours.
pub(crate) fn extremes(f: &mut Function, on: &Switches) -> bool {
    let many = on.from(MANY, 1);
    in_body(f, |b, f| {
        let mut cx = Decide::new(f);
        cx.note_all(b);
        each_replaced(b, &mut |s| if let Stmt::For(l) = s { in_lanes(l, &mut cx, many) } else { None })
    })
}

fn in_lanes(l: &For, cx: &mut Decide<'_>, many: i128) -> Option<Block> {
    if l.order == Order::Any || l.count.constant().is_some_and(|n| n < many) {
        return None;
    }
    let Accumulation { number, with, body, term } = Accumulation::of(l)?;
    let lets = body.iter().all(|s| matches!(s, Stmt::Let(..)));
    if !matches!(with, Monoid::Min | Monoid::Max) || !lets || !are_neighbours(l, &body, &term) {
        return None;
    }
    let elem = cx.scalar(&term);
    let plain = |e: &Expr| !e.any(&|e| matches!(e, Expr::Prim(p, ..) if p.may_panic(cx.scalar(e))));
    if !elem.is_float() || !body.iter().flat_map(|s| s.exprs()).chain([&term]).all(plain) {
        return None;
    }
    let f = &mut *cx.f;
    let [start, some, total, best] = ["start", "some", "total", "best"].map(|name| f.names.fresh(name));
    let mut lanes = body.clone();
    let value = f.names.fresh("term");
    lanes.push(Stmt::Let(value, elem, term));
    let inner = copied(f, &[Stmt::For(For { body: lanes, order: Order::Sequential, ..l.clone() })]).pop()?;
    let Stmt::For(For { index, body: mut lanes, .. }) = inner else { return None };
    let Some(Stmt::Let(_, _, term)) = lanes.pop() else { return None };
    let prim = |p: Prim, a: &Expr, b: &Expr| Expr::Prim(p, vec![a.clone(), b.clone()], Origin::default());
    let choice = |c: Expr, a: Expr, b: Expr| Expr::If(Box::new([c, a, b]));
    let [before, all, better] = [start, total, best].map(Expr::Var);
    let many = compared(Prim::Ge, &l.count, many);
    let count = choice(many, Expr::size(l.count.clone()), Expr::size(Card::lit(0)));
    let wins = if with == Monoid::Max { Prim::Gt } else { Prim::Lt };
    let zero = Expr::Lit(Lit::zero(elem));
    let tests =
        [compared(Prim::Gt, &Card::var(some), 0), prim(Prim::Eq, &before, &before), prim(Prim::Ne, &better, &zero)];
    let known = tests.into_iter().reduce(|a, b| prim(Prim::And, &a, &b))?;
    f.schedule.remarks.push(Remark { pass: PassId::Extremes, about: l.index, left: None });
    Some(vec![
        Stmt::Let(start, elem, Expr::Var(number)),
        Stmt::Let(some, Scalar::Usize, count),
        Stmt::Reduce(Reduce {
            index,
            count: Card::var(some),
            elems: vec![elem],
            body: lanes,
            terms: vec![term],
            with: With::Monoid(with),
            totals: vec![total],
        }),
        Stmt::Let(best, elem, choice(prim(wins, &all, &before), all.clone(), before.clone())),
        Stmt::If(known, vec![Stmt::Assign(Place::Var(number), better)], vec![Stmt::For(l.clone())]),
    ])
}

/// Whether all operations are vector instructions, and all elements are neighbours.
fn are_neighbours(l: &For, body: &Block, term: &Expr) -> bool {
    let mut bound: Map<VarId, Scalar> = Map::new();
    body.iter().for_each(|s| binders(s, &mut bound));
    let mut loads = vec![];
    let fits = body.iter().flat_map(|s| s.exprs()).chain([term]).all(|e| operations(e, &[l.index], &mut loads).is_ok());
    let near = |v: Option<Card>| matches!(v.and_then(|c| c.constant()), Some(0 | 1));
    fits && loads.iter().all(|a| near(slope(a, l.index, &bound)))
        && loads.iter().any(|a| slope(a, l.index, &bound).and_then(|c| c.constant()) == Some(1))
}
