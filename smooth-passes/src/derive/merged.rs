//! `sweeps`: the sums of one loop that need the same dear terms are one sum of tuples, the value among them.
//!
//! ```text
//! let y = sum n (λi. let t̄ = ē in b) … for i < n { let t̄ = ē in x̄ += e ; z̄ += e′ }
//!   ⟶ let s = sum n (λi. let t̄ = ē in (b, e, e′)) in let y = s.0 … x̄ += s.1 ; z̄ += s.2
//! ```
//!
//! So nothing is kept for an iteration, if all are floats of one width. What is added to arrays needs the terms in loops of its own, and these have a tape.

use super::accumulate::Rules;
use super::beside::{Beside, beside};
use super::forward::{assembled, leaves};
use super::statements::{Before, Block, Statement, added, before_needed, is_dear, only, pruned};
use crate::fsmooth::{Combine, Expr, Monoid, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::sorted::Set;

/// The block with one sum in the place of the loop at this place and of the value beside it; `live` are the terms behind it.
pub(super) fn merged(rules: &mut Rules<'_>, block: &Block, at: usize, live: &[Expr]) -> Option<Block> {
    let Statement::For(n, i, body) = &block[at] else { return None };
    let slices = added(body).iter().mapped(|x| (*x, pruned(only(body, &|y| y == *x))));
    let (numbers, arrays): (Vec<_>, Vec<_>) = slices.into_iter().partition(|(x, _)| rules.is_number(*x));
    let value = beside(block, at, live).filter(|b| is_sum(block, b));
    let mut readers = numbers.iter().mapped(|(_, s)| dear(s));
    readers.push_all(value.iter().map(|b| dear(&b.lets.iter().cloned().map(Statement::Before).collect_vec())));
    let is_shared = |x: &VarId| readers.iter().filter(|names| names.contains(x)).count() > 1;
    let shared: Set<VarId> = readers.iter().flat_map(|names| names.iter().copied()).filter(is_shared).collect();
    // What is on a tape anyway is read from there.
    if shared.is_empty() || arrays.iter().any(|(_, s)| dear(s).iter().any(|x| shared.contains(x))) {
        return None;
    }
    let (n, i, o) = (n.clone(), *i, n.origin);
    let named = |s: &Statement| if let Statement::Before(b) = s { Some(b.clone()) } else { None };
    let lets = value.as_ref().map_or(vec![], |b| b.own(body));
    let lets: Vec<Before> = body.iter().filter_map(named).chain(lets).collect();
    let mut terms = value.iter().flat_map(|b| leaves(&b.value)).collect_vec();
    let own = terms.len();
    for (x, s) in &numbers {
        let adds: Block = s.iter().filter(|s| named(s).is_none()).cloned().collect();
        terms.push(rules.number(*x, &adds)?);
    }
    if terms.windows(2).any(|pair| pair[0].ty != pair[1].ty) {
        return None;
    }
    let order = value.as_ref().and_then(|b| b.reduction(block)).map_or(rules.how.order, |r| r.order);
    let term = before_needed(lets, build::tuple(terms, o));
    let all = build::reduce(Combine::Named(Monoid::Sum), order, (n.clone(), i), term, o).renamed(rules.names);
    let (name, ty) = (rules.names.fresh("sums"), all.ty.clone());
    rules.lengths.add(name, &all);
    let part = |k: usize| build::proj(build::var(name, ty.clone(), o), k, o);
    let mut out = vec![Statement::Before(Before::Let(name, all))];
    let mut before = block[..at].to_vec();
    if let Some(b) = &value {
        let y = assembled(&b.value.ty, &mut (0..own).map(part), o);
        before = b.around(block, at, y, &mut out);
    }
    out.push_all(numbers.iter().enumerate().map(|(k, (x, _))| Statement::Add(*x, vec![], part(own + k))));
    if !arrays.is_empty() {
        let rest = pruned(only(body, &|x| arrays.iter().any(|(y, _)| x == *y)));
        out.push(Statement::For(n, i, rest));
    }
    Some(before.into_iter().chain(out).chain(block[at + 1..].iter().cloned()).collect())
}

/// Whether a value is a sum.
fn is_sum(block: &[Statement], value: &Beside) -> bool {
    value.reduction(block).is_some_and(|r| matches!(r.with, Combine::Named(Monoid::Sum)))
}

/// The names of the dear terms of a loop.
fn dear(block: &[Statement]) -> Set<VarId> {
    let one = |s: &Statement| match s {
        Statement::Before(Before::Let(x, e)) if is_dear(e) => Some(*x),
        _ => None,
    };
    block.iter().filter_map(one).collect()
}
