//! Short sums: a version of a nest for sums of few terms, which have source order.
//!
//! ```text
//! for i < n any { … x ← sum (l < k) { s̄; e } … }
//!   ⟶  if k < 32
//!        for i < n any { … var x; x ← -0.0; for l < k { s̄; x ← x + e }; if k = 0 { x ← 0 } … }
//!      else for i < n any { … x ← sum (l < k) { s̄; e } … }
//! ```
//!
//! Each of 16 lanes has at most one term then, and the lanes are added first to last. So a sum is a loop like any other, which
//! blocks put outside of independent iterations: filters with few taps, products with few terms.
//!
//! Pays: if the loops become tiles or blocks, and the sums in lanes do not. Costs: the code of the nest once more.

use crate::loops::{Block, Expr, For, Function, Order, Place, Reduce, Remark, Stmt, With};
use crate::mapped::Mapped;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::reduction::FEW;
use crate::schedule::facts::decide::Decide;
use crate::schedule::order::gain::{Gain, gain};
use crate::schedule::order::version::{is_known, is_small, version};
use crate::schedule::rewrite::combined::{beginning, combined};
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::remainder::compared;
use crate::schedule::rewrite::replaced::each_replaced_inner_first;
use crate::span::Origin;

/// Two versions of a nest, by the lengths of its sums.
pub(super) fn versions(cx: &mut Decide<'_>, on: &Switches, l: &For) -> Option<Block> {
    let (mut counts, nest) = (vec![], Stmt::For(l.clone()));
    nest.walk(&mut |s| {
        if let Stmt::Reduce(r) = s
            && is_short(r)
            && !counts.contains(&r.count)
        {
            counts.push(r.count.clone());
        }
    });
    let known = counts.iter().all(|c| is_known(cx, c));
    if !on.has(PassId::ShortSums) || counts.is_empty() || !known || !is_small(&nest) {
        return None;
    }
    let f = &mut *cx.f;
    let (names, buffers) = (f.names.clone(), f.buffers.len());
    let mut few = copied(f, std::slice::from_ref(&nest));
    each_replaced_inner_first(&mut few, &mut |s| match s {
        Stmt::Reduce(r) if is_short(r) => Some(folded(f, r.clone())),
        _ => None,
    });
    let made = |gain: Gain| (gain.0, gain.1);
    if made(gain(f, on, &few)) <= made(gain(f, on, std::slice::from_ref(&nest))) {
        f.names = names;
        f.buffers.truncate(buffers);
        return None;
    }
    f.schedule.remarks.push(Remark { pass: PassId::ShortSums, about: l.index, left: None });
    Some(version(counts.mapped(|c| compared(Prim::Lt, &c, FEW)), few, vec![nest]))
}

/// Whether a reduction of floats has lanes, and a length that is not static.
fn is_short(r: &Reduce) -> bool {
    matches!(r.with, With::Monoid(_)) && r.count.constant().is_none() && r.elems.iter().all(|s| s.is_float())
}

/// The loop that adds the terms of a reduction one after the other.
fn folded(f: &mut Function, r: Reduce) -> Block {
    let Reduce { index, count, elems, mut body, terms, with: With::Monoid(with), totals } = r else { return vec![] };
    let mut out = vec![];
    for ((x, s), e) in totals.iter().zip(&elems).zip(terms) {
        out.push(Stmt::Var(*x, *s));
        out.push(Stmt::Assign(Place::Var(*x), beginning(with, *s, &count)));
        let t = f.names.fresh("term");
        body.push(Stmt::Let(t, *s, e));
        body.push(Stmt::Assign(Place::Var(*x), combined(with, Expr::Var(*x), Expr::Var(t), Origin::default())));
    }
    out.push(Stmt::For(For { index, count, order: Order::Sequential, body }));
    out
}
