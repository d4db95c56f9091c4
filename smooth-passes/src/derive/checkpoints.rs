//! `tape(checkpoints = c)`: a fold remembers `c` of its states, whatever the number of steps is. A step back begins at the last one of
//! them in front of it, and runs the steps from there again.
//!
//! ```text
//! back s̄ for j < n { R }
//!     ⟶ back (s̄, S, P, t) for j < n { let (s, S, P, t, q) = ifold (i - p) (λ(s, S, P, t, q) k. …) (S[t - 1], S, P, t, …) in R }
//! ```
//!
//! where `i = n - 1 - j`; `S` are the states that are remembered, `P` their steps, `t` is their number, `p = P[t - 1]`. The run
//! remembers a state where it comes to the step `q` of the binomial schedule. Of `l` steps and `s` places let `r` be the least number
//! with `l ≤ C(s + r, s)`: the next place is `C(s + r - 1, s)` steps behind. What is before it has `r - 1` runs and `s` places, and what
//! is behind it `r` runs and `s - 1` places. So no step runs more than `r` more times.

use super::forward::{assembled, leaves};
use super::statements::{Before, Block, Carried, Statement, index};
use crate::fsmooth::{Expr, IFold, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::span::Origin;

/// The work of the steps back beside their own.
pub(super) struct Checkpoints {
    /// The statements before a step, which give the state.
    pub(super) before: Block,
    /// The statements behind it.
    pub(super) behind: Block,
    /// The arrays that the steps carry: states, their steps, and the number of these.
    pub(super) carried: Vec<Carried>,
}

/// The `c` checkpoints of a fold, whose step is `f.index`.
pub(super) fn checkpoints(f: &IFold, c: u64, names: &mut Names) -> Checkpoints {
    let (o, parts) = (f.init.origin, leaves(&f.init));
    let mut starts = parts.iter().mapped(|e| build::build(build::index(c, o), names.fresh("place"), e.clone(), o));
    starts.push(build::build(build::index(c, o), names.fresh("place"), build::index(0, o), o));
    starts.push(build::index(1, o));
    let carried = starts.into_iter().mapped(|start| {
        let [now, next, last] = ["kept"; 3].map(|name| names.fresh(name));
        Carried { now, start, next, last }
    });
    let now = carried.iter().mapped(|c| build::var(c.now, c.start.ty.clone(), o));
    let [last, from, end] = ["last", "from", "end"].map(|name| names.fresh(name));
    let top = &now[parts.len() + 1];
    let mut before = vec![
        (last, minus(top.clone(), build::index(1, o))),
        (from, build::get(now[parts.len()].clone(), index(last, o), o)),
        (end, plus(index(f.index, o), build::index(1, o))),
    ];
    let mut start = now[..parts.len()].iter().mapped(|all| build::get(all.clone(), index(last, o), o));
    start.push_all(now.iter().cloned());
    start.push(next(index(from, o), index(end, o), minus(build::index(c, o), index(last, o)), names));
    let start = build::tuple(start, o);
    let (run, all, k) = (names.fresh("run"), names.fresh("states"), names.fresh("k"));
    let i = plus(index(from, o), index(k, o));
    let step = run_step(f, (c, end), (build::var(all, start.ty.clone(), o), i), names);
    let steps = minus(index(f.index, o), index(from, o));
    before.push((run, build::ifold(steps, start.clone(), (all, k), step, o).renamed(names)));
    let part = |k: usize| build::proj(build::var(run, start.ty.clone(), o), k, o);
    before.push((f.state, assembled(&f.init.ty, &mut (0..parts.len()).map(part), o)));

    // The last place is free when its step has been made.
    let (last, from) = (names.fresh("last"), names.fresh("from"));
    let (places, top) = (part(2 * parts.len()), part(2 * parts.len() + 1));
    let mut behind =
        vec![(last, minus(top.clone(), build::index(1, o))), (from, build::get(places, index(last, o), o))];
    behind.extend(carried.iter().enumerate().map(|(k, c)| (c.next, part(parts.len() + k))));
    let is_made = build::prim(Prim::Eq, vec![index(from, o), index(f.index, o)], o);
    behind.last_mut().expect("the number of them").1 = build::branch(is_made, index(last, o), top, o);
    let [before, behind] =
        [before, behind].map(|lets| lets.into_iter().map(|(x, e)| Statement::Before(Before::Let(x, e))).collect());
    Checkpoints { before, behind, carried }
}

/// The step `i` of a run to the step before `end`, which remembers its state if that is the next one.
fn run_step(f: &IFold, (c, end): (u64, VarId), (all, i): (Expr, Expr), names: &mut Names) -> Expr {
    let (o, n) = (f.init.origin, f.init.ty.leaf_count());
    let part = |k: usize| build::proj(all.clone(), k, o);
    let [new, at, stored] = ["new", "at", "stored"].map(|name| names.fresh(name));
    let (top, states) = (part(2 * n + 1), leaves(&build::var(new, f.init.ty.clone(), o)));
    let put = |(k, value): (usize, Expr)| build::update(part(n + k), vec![top.clone()], None, value, o);
    let mut some = states.iter().cloned().chain([index(at, o)]).enumerate().mapped(put);
    some.push(plus(top.clone(), build::index(1, o)));
    some.push(next(index(at, o), index(end, o), minus(build::index(c, o), top.clone()), names));
    let others = build::tuple((n..2 * n + 3).mapped(part), o);
    let is_next = build::prim(Prim::Eq, vec![index(at, o), part(2 * n + 2)], o);
    let rest = build::var(stored, others.ty.clone(), o);
    let lets = [
        (f.state, assembled(&f.init.ty, &mut (0..n).map(part), o)),
        (f.index, i),
        (at, plus(index(f.index, o), build::index(1, o))),
        (new, (*f.body).clone()),
        (stored, build::branch(is_next, build::tuple(some, o), others, o)),
    ];
    let out = states.into_iter().chain((0..n + 3).map(|k| build::proj(rest.clone(), k, o))).collect();
    lets.into_iter().rev().fold(build::tuple(out, o), |e, (x, a)| build::bind(x, a, e, o))
}

/// The step behind `from` whose state is remembered next, of those before `end`, with so many places, that of `from` among them;
/// `end` if there is none.
fn next(from: Expr, end: Expr, places: Expr, names: &mut Names) -> Expr {
    let o = from.origin;
    let [s, l, both, number, i, r, behind] =
        ["places", "length", "both", "number", "i", "r", "behind"].map(|name| names.fresh(name));
    let prim = |p, a, b| build::prim(p, vec![a, b], o);
    // (r, C(s + r, s)), from (0, 1) on.
    let first = build::tuple(vec![build::index(0, o), build::index(1, o)], o);
    let now = build::var(both, first.ty.clone(), o);
    let part = |k: usize| build::proj(now.clone(), k, o);
    let larger = plus(part(0), build::index(1, o));
    let step = prim(Prim::Div, prim(Prim::Mul, part(1), plus(index(s, o), larger.clone())), larger.clone());
    let count = build::ifold(index(l, o), first.clone(), (both, i), build::tuple(vec![larger, step], o), o);
    let count = build::while_holds(count, prim(Prim::Lt, part(1), index(l, o)));
    let found = |k: usize| build::proj(build::var(number, first.ty.clone(), o), k, o);
    // C(s + r - 1, s), but one step at least is behind the next place.
    let fewer = prim(Prim::Div, prim(Prim::Mul, found(1), index(r, o)), plus(index(s, o), index(r, o)));
    let inside = prim(Prim::Min, fewer, minus(index(l, o), build::index(1, o)));
    let lets = [(number, count), (r, found(0)), (behind, inside)];
    let some = lets.into_iter().rev().fold(plus(from.clone(), index(behind, o)), |e, (x, a)| build::bind(x, a, e, o));
    let is_one = |x: VarId| prim(Prim::Lt, index(x, o), build::index(2, o));
    let none = prim(Prim::Or, is_one(s), is_one(l));
    let choice = build::branch(none, end.clone(), some, o);
    build::bind(s, places, build::bind(l, minus(end, from), choice, o), o)
}

fn plus(a: Expr, b: Expr) -> Expr {
    both(Prim::Add, a, b)
}

fn minus(a: Expr, b: Expr) -> Expr {
    both(Prim::Sub, a, b)
}

fn both(p: Prim, a: Expr, b: Expr) -> Expr {
    let o: Origin = a.origin;
    build::prim(p, vec![a, b], o)
}
