//! `strips`: a loop that adds at places out of order, of dear terms, in strips of 64 iterations; its value is computed beside.
//!
//! ```text
//! let y = sum n (λi. b) … for i < n { s }
//!   ⟶ let (x̄′, T) = ifold (n / 64) (λ(x̄, T) g. accum (x̄, T) { V⟦s ; T[i] += b⟧ }) (0, -0)
//!      let (x̄″, T′) = ifold (n % 64) (λ(x̄, T) r. accum (x̄, T) { s ; T[i] += b }) (x̄′, T)         i = 64 (n / 64) + r
//!      let y = sum n (λi. T′[i]) … x̄ += x̄″
//! ```
//!
//! The order of additions to a cell: the sum of 64 terms, strip after strip, then what is left, one by one. Nothing is kept but the
//! terms of the value, so that it has the bits of the kernel's.

use super::accumulate::{InPart, Rules};
use super::beside::beside;
use super::form::STRIP;
use super::forward::{assembled, leaves};
use super::merged::merged;
use super::statements::{Back, Before, Block, Shape, Statement, added, each, index, is_dear, only, pruned};
use super::strips::strip;
use crate::fsmooth::{Expr, Kind, Order, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::sorted::{Map, Set};
use crate::value::Lit;

/// The loops of a block in strips, where they have them; `live` are the terms behind it.
pub(super) fn strips(rules: &mut Rules<'_>, block: Block, live: &[Expr]) -> Block {
    let mut block = block;
    let mut at = 0;
    while at < block.len() {
        if let Some(new) = mined(rules, &block, at, live).or_else(|| merged(rules, &block, at, live)) {
            let behind = block.len() - at;
            block = new;
            at = block.len() - behind;
        }
        at += 1;
    }
    block
}

/// The block with the strips of the loop at this place.
fn mined(rules: &mut Rules<'_>, block: &Block, at: usize, live: &[Expr]) -> Option<Block> {
    let Statement::For(count, i, body) = &block[at] else { return None };
    if !pays(rules, count, *i, body) {
        return None;
    }
    let (i, o, n) = (*i, count.origin, count.clone());
    let length = rules.how.strips.unwrap_or(STRIP);
    let length = || build::index(length, o);
    let beside = beside(block, at, live);
    let (mut body, mut terms, mut given) = (body.clone(), Vec::new(), Map::new());
    if let Some(b) = &beside {
        body.push_all(b.own(&body).into_iter().map(Statement::Before));
        for leaf in leaves(&b.value) {
            let of = rules.names.fresh("terms");
            let shape = Shape { extents: vec![n.clone()], scalar: leaf.scalar(), origin: o };
            // -0 + x = x.
            let none = build::lit(Lit::float(-0.0, leaf.scalar()), o);
            let whole = build::build(n.clone(), rules.names.fresh("i"), none, o);
            given.insert(of, InPart { at: vec![], axes: vec![], whole });
            rules.declare(of, shape);
            body.push(Statement::Add(of, vec![index(i, o)], leaf));
            terms.push(of);
        }
    }
    let g = rules.names.fresh("strip");
    let begin = build::prim(Prim::Mul, vec![length(), index(g, o)], o);
    let strip = strip(&body, (i, &begin), rules.how, (rules.names, &rules.lengths))?;
    rules.lengths.add_block(&strip);
    let strips = build::prim(Prim::Div, vec![n.clone(), length()], o);
    let back =
        |count: Expr, index: VarId, body: Block| Back { of: index, count, index, carried: vec![], body, when: None };
    let (mut out, all) = rules.threaded(back(strips.clone(), g, strip), &given);
    let r = rules.names.fresh("rest");
    let first = build::prim(Prim::Mul, vec![length(), strips], o);
    let place = build::prim(Prim::Add, vec![first, index(r, o)], o);
    body.insert(0, Statement::Before(Before::Let(i, place)));
    let rest = build::prim(Prim::Rem, vec![n.clone(), length()], o);
    let (rest, all) = rules.threaded(back(rest, r, body), &all.into_iter().collect());
    out.push_all(rest);
    let (own, all): (Vec<_>, Vec<_>) = all.into_iter().partition(|(x, _)| terms.contains(x));
    let mut before = block[..at].to_vec();
    if let Some(b) = &beside {
        let r = b.reduction(block)?;
        let parts = terms.iter().mapped(|of| {
            let (_, part) = own.iter().find(|(x, _)| x == of)?;
            Some(build::get(part.whole.clone(), index(i, o), o))
        });
        let body = assembled(&b.value.ty, &mut parts.all_some()?.into_iter(), o);
        let value = build::reduce(r.with.clone(), r.order, (n.clone(), i), body, o).renamed(rules.names);
        before = b.around(block, at, value, &mut out);
    }
    rules.add_carried(all, &n, &mut out);
    Some(before.into_iter().chain(out).chain(block[at + 1..].iter().cloned()).collect())
}

/// Whether strips of a loop pay: it has dear terms, and adds at places out of order or would keep a matrix of each iteration.
fn pays(rules: &mut Rules<'_>, count: &Expr, i: VarId, body: &[Statement]) -> bool {
    if rules.how.strips.is_some() {
        return rules.lengths.is_size(count);
    }
    let few = |n: &Expr| (0..2 * STRIP).any(|k| *n == build::index(k, n.origin));
    let short = rules.lengths.term(count).is_none_or(|n| few(&n));
    let mut dear = false;
    each(body, &mut |s| dear |= matches!(s, Statement::Before(Before::Let(_, e)) if is_dear(e)));
    if rules.how.order != Order::Lanes || short || !dear || !rules.lengths.is_size(count) {
        return false;
    }
    let all = added(body);
    let adds = |x: VarId| pruned(only(&[Statement::For(count.clone(), i, body.to_vec())], &|y| y == x));
    all.iter()
        .map(|x| (*x, adds(*x)))
        .any(|(x, own)| !has_own_rows(&own, i) && (has_matrices(&own, i) || rules.is_scattered(x, &own)))
}

/// Whether a loop over `i` has a dear matrix of each iteration, of which the additions are taken apart.
fn has_matrices(block: &[Statement], i: VarId) -> bool {
    let mut varying: Set<VarId> = [i].into_iter().collect();
    let mut found = false;
    each(block, &mut |s| {
        if let Statement::Before(Before::Let(x, e)) = s
            && e.free().iter().any(|v| varying.contains(v))
        {
            varying.insert(*x);
            found |= e.ty.rank() >= 2 && is_dear(e);
        }
    });
    found
}

/// Whether each iteration of a loop over `i` adds to a row of its own.
fn has_own_rows(block: &[Statement], i: VarId) -> bool {
    let mut own = true;
    each(block, &mut |s| {
        if let Statement::Add(_, at, _) = s {
            own &= at.first().is_some_and(|at| matches!(at.kind, Kind::Var(v) if v == i));
        }
    });
    own
}
