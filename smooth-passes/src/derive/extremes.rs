//! Folds whose state is the greatest or the least of the terms so far: they remember the place of it, and no states.

use super::statements::index;
use crate::fsmooth::{Expr, IFold, Kind, build};
use crate::name::Names;
use crate::prim::Prim;

/// A fold whose state is the greatest or the least of the terms so far.
pub(super) struct Extreme {
    /// The terms, with their names.
    pub(super) term: Expr,
    /// The comparison that a term passes which takes the place of the state.
    better: Prim,
}

/// `ifold n (λs i. max s e) e₀`, where `e` does not need the state.
pub(super) fn extreme(f: &IFold) -> Option<Extreme> {
    let (mut lets, mut e) = (Vec::new(), &*f.body);
    while let Kind::Let(x, value, body) = &e.kind {
        lets.push((*x, &**value));
        e = body;
    }
    if f.test.is_some() || f.init.ty.scalar().is_none_or(|s| !s.is_float()) {
        return None;
    }
    let Kind::Var(last) = e.kind else { return None };
    let (x, value) = lets.pop()?;
    let Kind::Prim(p @ (Prim::Max | Prim::Min), args) = &value.kind else { return None };
    let is_state = |e: &Expr| matches!(e.kind, Kind::Var(v) if v == f.state);
    // Of equal ones it is the first argument.
    let (term, state_is_first) = match args.as_slice() {
        [a, b] if is_state(a) => (b, true),
        [a, b] if is_state(b) => (a, false),
        _ => return None,
    };
    let better = match (p, state_is_first) {
        (Prim::Max, true) => Prim::Gt,
        (Prim::Max, false) => Prim::Ge,
        (_, true) => Prim::Lt,
        (_, false) => Prim::Le,
    };
    let o = term.origin;
    let term = lets.into_iter().rev().fold(term.clone(), |e, (x, value)| build::bind(x, value.clone(), e, o));
    (x == last && !term.mentions(f.state)).then_some(Extreme { term, better })
}

/// The value of such a fold, and one more than the place of its term; 0 where it is the start.
pub(super) fn best(f: &IFold, e: &Extreme, names: &mut Names) -> Expr {
    let o = f.body.origin;
    let init = build::tuple(vec![(*f.init).clone(), build::index(0, o)], o);
    let (state, i, term) = (names.fresh("best"), names.again(f.index), names.fresh("term"));
    let mut value = e.term.renamed(names);
    value.replace(f.index, &mut || index(i, o));
    let now = build::var(state, init.ty.clone(), o);
    let (own, so_far) = (build::var(term, value.ty.clone(), o), build::proj(now.clone(), 0, o));
    let test = |p, e: &Expr| build::prim(p, vec![e.clone()], o);
    // NaN is no value if there is another one.
    let is_number = build::prim(Prim::Not, vec![test(Prim::IsNan, &own)], o);
    let first = build::prim(Prim::And, vec![test(Prim::IsNan, &so_far), is_number], o);
    let is_better = build::prim(e.better, vec![own.clone(), so_far], o);
    let is_better = build::prim(Prim::Or, vec![is_better, first], o);
    let place = build::prim(Prim::Add, vec![index(i, o), build::index(1, o)], o);
    let step = build::branch(is_better, build::tuple(vec![own, place], o), now, o);
    build::ifold((*f.count).clone(), init, (state, i), build::bind(term, value, step, o), o)
}
