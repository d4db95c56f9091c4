//! `argmin` and `argmax`: the place of the first of the best numbers.
//!
//! ```text
//! argmin(n, |i| e)           ifold (λs i. let x = e in if x < s.0 … then (x, i) else s) (∞, 0) n, then .1
//! argmin([n, m], |i, j| e)   ifold (λb i. let r = ifold (λs j. … (x, j) …) (b.0, m) m
//!                                         in if r.1 < m then (r.0, i, r.1) else b) (∞, 0, 0) n, then .1 and .2
//! ```
//!
//! For any number of axes, the state of the loop over the last axis is a number with its index. The loop starts with the best
//! number of the earlier rows and an index out of range, which remains if the row has no better number.

use crate::diag::codes;
use crate::elaborate::advice::mismatch;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::Want;
use crate::elaborate::terms::reductions::axes::Terms;
use crate::fsmooth::{Expr, Monoid, build};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::span::Origin;
use crate::surface::{Expr as Surface, Extent};
use crate::ty::{Scalar, Type};
use crate::value::Lit;

impl Cx<'_> {
    /// `argmin(n, |i| e)` with `<`, `argmax(n, |i| e)` with `>`: a later number has to be better. The state starts with the
    /// worst number, or with NaN for floats: every number is better.
    pub(crate) fn best(&mut self, better: Prim, args: &[Surface], at: Extent, want: Want) -> Option<Expr> {
        let (name, with) = if better == Prim::Lt { ("argmin", Monoid::Min) } else { ("argmax", Monoid::Max) };
        self.arity(name, 2, args, at)?;
        let Terms { counts, indices, body } = self.terms(name, &args[0], &args[1], want.with(Some(&Type::F64)))?;
        let Some(elem) = body.ty().scalar().filter(|s| s.is_number()) else {
            let message = format!(
                "`{name}` compares numbers, but this closure returns {}{}",
                body.ty(),
                mismatch::no_number(body.ty())
            );
            self.error(&codes::MISMATCH, args[1].at, message);
            return None;
        };
        let o = self.origin(at);
        let counts: Vec<(VarId, Expr)> = counts?.into_iter().mapped(|n| (self.names.fresh("count"), n));
        let ns = counts.iter().mapped(|(v, _)| build::var(*v, Type::USIZE, o));
        let worst = if elem.is_float() { Lit::float(f64::NAN, elem) } else { with.start(elem) };
        let zero = || build::index(0, o);
        let found = self.better((better, elem), &indices, body, o);
        let last = self.names.fresh("last");
        let (n, i) = (ns[ns.len() - 1].clone(), indices[indices.len() - 1]);
        let fold = if ns.len() == 1 {
            found.fold(n, build::tuple(vec![build::lit(worst, o), zero()], o), i, o)
        } else {
            let mut ty = vec![Type::USIZE; 1 + ns.len()];
            ty[0] = Type::Scalar(elem);
            let ty = Type::Tuple(ty);
            let [mut best, row] = ["best", "row"].map(|name| self.names.fresh(name));
            let so_far = build::var(best, ty.clone(), o);
            let fold = found.fold(n.clone(), build::tuple(vec![build::proj(so_far.clone(), 0, o), n.clone()], o), i, o);
            let of_row = |k| build::proj(build::var(row, fold.ty().clone(), o), k, o);
            let outer = indices[..ns.len() - 1].iter().map(|i| build::var(*i, Type::USIZE, o));
            let place = [of_row(0)].into_iter().chain(outer).chain([of_row(1)]).collect_vec();
            let is_better = build::prim(Prim::Lt, vec![of_row(1), n], o);
            let mut all = build::bind(row, fold, build::branch(is_better, build::tuple(place, o), so_far, o), o);
            for axis in (0..ns.len() - 1).rev() {
                let outer = self.names.fresh("best");
                let start = match axis {
                    0 => build::tuple(
                        [build::lit(worst, o)].into_iter().chain(ns.iter().map(|_| zero())).collect_vec(),
                        o,
                    ),
                    _ => build::var(outer, ty.clone(), o),
                };
                all = build::ifold(ns[axis].clone(), start, (best, indices[axis]), all, o);
                best = outer;
            }
            all
        };
        let place = build::var(last, fold.ty().clone(), o);
        let mut found: Vec<Expr> = ns
            .into_iter()
            .enumerate()
            .map(|(k, n)| build::prim(Prim::OneOf, vec![build::proj(place.clone(), k + 1, o), n], o))
            .collect_vec();
        let found = if found.len() == 1 { found.remove(0) } else { build::tuple(found, o) };
        let all = build::bind(last, fold, found, o);
        Some(counts.into_iter().rev().fold(all, |body, (v, n)| build::bind(v, n, body, o)))
    }

    /// A step along the last axis: the number there with its index, if it is better than that of the state.
    fn better(&mut self, (better, elem): (Prim, Scalar), indices: &[VarId], body: Expr, o: Origin) -> Step {
        let [x, s] = ["x", "best"].map(|name| self.names.fresh(name));
        let (number, ty) = (Type::Scalar(elem), Type::Tuple(vec![Type::Scalar(elem), Type::USIZE]));
        let (new, state) = (build::var(x, number, o), build::var(s, ty, o));
        let old = build::proj(state.clone(), 0, o);
        let is = |p: Prim, a: &Expr, b: &Expr| build::prim(p, vec![a.clone(), b.clone()], o);
        let mut chosen = is(better, &new, &old);
        // The type may still become an integer or a float, which have different worst literals: the first number is better.
        let unknown = elem.is_open() && !elem.is_float();
        if unknown {
            let firsts = indices.iter().map(|i| is(Prim::Eq, &build::var(*i, Type::USIZE, o), &build::index(0, o)));
            let first = firsts.reduce(|a, b| is(Prim::And, &a, &b)).unwrap_or_else(|| build::lit(Lit::Bool(true), o));
            chosen = build::prim(Prim::Or, vec![first, chosen], o);
        }
        if elem.is_float() || unknown {
            let first = build::prim(Prim::And, vec![is(Prim::Ne, &old, &old), is(Prim::Eq, &new, &new)], o);
            chosen = build::prim(Prim::Or, vec![chosen, first], o);
        }
        let index = build::var(indices[indices.len() - 1], Type::USIZE, o);
        let next = build::branch(chosen, build::tuple(vec![new, index], o), state, o);
        Step { state: s, body: build::bind(x, body, next, o) }
    }
}

/// A step of a fold.
struct Step {
    state: VarId,
    body: Expr,
}

impl Step {
    fn fold(self, n: Expr, init: Expr, index: VarId, o: Origin) -> Expr {
        build::ifold(n, init, (self.state, index), self.body, o)
    }
}
