//! Loop reversal: an independent loop that goes through its elements backwards goes through them forwards.
//!
//! ```text
//! for i < n any { s̄ }  ⟶  for i < n any { s̄[n - 1 - i / i] }          all addresses fall with i, or do not depend on it
//! ```
//!
//! So a loop over a reversed range is the same as one over the range itself, for all passes behind. The name that such a range
//! gives its index is the index then, and goes. What reads forwards and writes backwards stays as it is.

use crate::loops::visit::each_block;
use crate::loops::{BufferId, Expr, For, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::schedule::facts::decide::Decide;
use crate::schedule::facts::footprint::Touched;
use crate::schedule::rewrite::copy::renamed;
use crate::shape::card::Card;
use crate::sorted::Map;
use crate::ty::Scalar;

/// Reverses a loop if the addresses of an iteration of it fall with its index.
pub(super) fn forwards(l: &mut For, touched: &Touched, cx: &mut Decide<'_>) {
    let slopes = touched.all().iter().map(|u| u.offset.linear_in(l.index).map(|(slope, _)| slope)).collect_vec();
    let (still, falls) = (|c: &Card| c.constant() == Some(0), |c: &Card| c.terms().all(|(k, _)| k < 0));
    let backwards = slopes.iter().all(|c| c.as_ref().is_some_and(falls)) && !slopes.iter().flatten().all(still);
    // A temporary of an iteration may have a length that depends on the index.
    let depends = |b: &BufferId| cx.f.buffer(*b).len.mentions(l.index);
    if backwards && !l.count.is_untracked() && !touched.opened.iter().any(depends) {
        let at = l.count.sub(&Card::lit(1)).sub(&Card::var(l.index));
        l.body.iter_mut().for_each(|s| put(s, l.index, &at));
        without_names(l, cx);
    }
}

/// Drops the names in a loop that are its index.
fn without_names(l: &mut For, cx: &mut Decide<'_>) {
    let (mut names, count, index) = (Map::new(), cx.card(&l.count), Card::var(l.index));
    let mut look = |cx: &mut Decide<'_>, s: &Stmt| {
        if let Stmt::Let(x, Scalar::Usize, e) = s {
            cx.name(*x, e);
            if cx.integer(e).is_some_and(|c| c == index) {
                names.insert(*x, l.index);
            }
        }
    };
    cx.each_time(l.index, &count, |cx| l.body.iter().for_each(|s| s.walk(&mut |s| look(cx, s))));
    each_block(&mut l.body, &mut |b| b.retain(|s| !matches!(s, Stmt::Let(x, ..) if names.contains_key(x))));
    l.body = renamed(&l.body, names);
}

/// Puts a size in place of an index.
fn put(s: &mut Stmt, index: VarId, at: &Card) {
    s.each_access_mut(&mut |a| a.offset = a.offset.replace(index, at));
    s.each_expr_mut(&mut |e| match e {
        Expr::Var(x) if *x == index => *e = Expr::size(at.clone()),
        Expr::Size(c, _) => *c = c.replace(index, at),
        _ => {}
    });
    s.walk_mut(&mut |s| s.cards_mut().into_iter().for_each(|c| *c = c.replace(index, at)));
}
