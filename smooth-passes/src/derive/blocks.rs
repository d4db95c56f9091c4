//! `tape(every = m)`: a fold remembers its state every `m` steps. The first step back in a block of `m` steps runs the others before it
//! again, and remembers their states.
//!
//! ```text
//! back s̄ for j < n { R }
//!     ⟶ back (s̄, T) for j < n { let T = if i is the last step of its block then (ifold (i - b·m) (λ(s, T) k. …) (S[b], T)).T else T in R }
//! ```
//!
//! where `i = n - 1 - j`, `b = i / m`, `S` are the states that the fold has remembered, and the state of the step is `T[i - b·m]`.

use super::checkpoints::Checkpoints;
use super::forward::{assembled, leaves};
use super::statements::{Before, Carried, Statement, index};
use crate::fsmooth::{Expr, IFold, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;

/// The number of blocks of so many steps.
pub(super) fn number(steps: &Expr, m: u64) -> Expr {
    build::prim(Prim::DivCeil, vec![steps.clone(), build::index(m, steps.origin)], steps.origin)
}

/// The blocks of `m` steps of a fold, whose step is `f.index`, the step back of the number `j`; its states are in the arrays `of`.
pub(super) fn blocks(f: &IFold, (m, of): (u64, &[VarId]), j: VarId, names: &mut Names) -> Checkpoints {
    let (o, parts) = (f.init.origin, leaves(&f.init));
    let prim = |p, a: Expr, b: Expr| build::prim(p, vec![a, b], o);
    let carried = parts.iter().mapped(|e| {
        let start = build::build(build::index(m, o), names.fresh("place"), e.clone(), o);
        let [now, next, last] = ["kept"; 3].map(|name| names.fresh(name));
        Carried { now, start, next, last }
    });
    let now = carried.iter().mapped(|c| build::var(c.now, c.start.ty.clone(), o));
    let [block, first, own, all, k, run] =
        ["block", "first", "own", "states", "k", "run"].map(|name| names.fresh(name));

    // The states of the block: the first one was remembered.
    let first_of = |k: usize| {
        let all = build::var(of[k], now[k].ty.clone(), o);
        build::get(all, index(block, o), o)
    };
    let put = |all: Expr, at: Expr, value: Expr| build::update(all, vec![at], None, value, o);
    let mut start = (0..parts.len()).mapped(first_of);
    start.push_all(now.iter().enumerate().mapped(|(k, all)| put(all.clone(), build::index(0, o), first_of(k))));
    let start = build::tuple(start, o);
    let part = |k: usize| build::proj(build::var(all, start.ty.clone(), o), k, o);
    let (new, behind) = (names.fresh("new"), prim(Prim::Add, index(k, o), build::index(1, o)));
    let mut out = leaves(&build::var(new, f.init.ty.clone(), o));
    let values = out.clone().into_iter().enumerate();
    out.push_all(values.mapped(|(k, value)| put(part(parts.len() + k), behind.clone(), value)));
    let lets = [
        (f.state, assembled(&f.init.ty, &mut (0..parts.len()).map(part), o)),
        (f.index, prim(Prim::Add, index(first, o), index(k, o))),
        (new, (*f.body).clone()),
    ];
    let step = lets.into_iter().rev().fold(build::tuple(out, o), |e, (x, a)| build::bind(x, a, e, o));
    let fold = build::ifold(index(own, o), start.clone(), (all, k), step, o).renamed(names);
    let both = names.fresh("both");
    let states = (parts.len()..2 * parts.len()).mapped(|k| build::proj(build::var(both, start.ty.clone(), o), k, o));
    let again = build::bind(both, fold, build::tuple(states, o), o);
    let is_last = prim(Prim::Eq, index(own, o), build::index(m - 1, o));
    let is_last = prim(Prim::Or, is_last, prim(Prim::Eq, index(j, o), build::index(0, o)));
    let kept = build::branch(is_last, again, build::tuple(now.clone(), o), o);
    let ty = kept.ty.clone();
    let state = |k: usize| build::proj(build::var(run, ty.clone(), o), k, o);
    let at = |k: usize| build::get(state(k), index(own, o), o);
    let before = vec![
        (block, prim(Prim::Div, index(f.index, o), build::index(m, o))),
        (first, prim(Prim::Mul, index(block, o), build::index(m, o))),
        (own, prim(Prim::Sub, index(f.index, o), index(first, o))),
        (run, kept),
        (f.state, assembled(&f.init.ty, &mut (0..parts.len()).map(at), o)),
    ];
    let behind = carried.iter().enumerate().mapped(|(k, c)| (c.next, state(k)));
    let [before, behind] =
        [before, behind].map(|lets| lets.into_iter().map(|(x, e)| Statement::Before(Before::Let(x, e))).collect());
    Checkpoints { before, behind, carried }
}
