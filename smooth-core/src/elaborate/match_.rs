//! `match`: a chain of conditions on the parts of the value.
//!
//! ```text
//! match e { p if g => a, … , q => b }  = let x = e in if x ∈ p && g then a else … b
//! x ∈ _      = true            x ∈ n        = (x == n)
//! x ∈ a..=b  = a <= x && x <= b             x ∈ p | q = x ∈ p || x ∈ q
//! (x, y) ∈ (p, q) = x ∈ p && y ∈ q
//! ```
//!
//! The last arm has no condition: that the arms cover every value is checked by rustc in the reference.

use super::Cx;
use super::control::bind_needed;
use super::flow::{Chain, Flow, Let};
use super::scope::{Binding, Scope, Want};
use super::statements::{Region, Then};
use crate::diag::codes;
use crate::fsmooth::{Expr, Kind, build};
use crate::prim::Prim;
use crate::surface::{Arm, Case, Expr as Surface, ExprKind, Extent};
use crate::ty::Type;
use crate::value::Lit;
use proc_macro2::Ident;

/// The value of a `match`, in parts that have names.
#[derive(Clone)]
enum Subject {
    One(Expr),
    Parts(Vec<Subject>),
}

impl Cx<'_> {
    pub(super) fn match_flow(
        &mut self,
        value: &Surface,
        arms: &[Arm],
        at: Extent,
        scope: &Scope,
        then: &Then,
        region: &Region,
    ) -> Option<Flow> {
        let mut chain = Chain::new(scope);
        let subject = self.subject(value, &mut chain);
        let mut flows = Vec::new();
        let mut ty: Option<Type> = None;
        let mut earlier: Vec<Expr> = Vec::new();
        for arm in arms {
            let (c, bound, inner) = self.arm(arm, subject.as_ref(), value.at, &earlier, &mut chain);
            let always = || build::lit(Lit::Bool(true), self.origin(value.at));
            earlier.extend(c.clone().map(|c| c.unwrap_or_else(always)));
            let want = region.want.or(ty.as_ref()).cloned();
            let region = Region { outs: region.outs.clone(), want: want.as_ref(), ..*region };
            let leave = Then::Leave(&chain.scope, then);
            let flow = self.flow(&arm.body, &inner, &leave, &region);
            ty = ty.or_else(|| flow.as_ref().and_then(super::statements::value_type));
            flows.push(c.zip(flow.map(|f| f.after(bound))));
        }
        subject?;
        let flows: Vec<(Option<Expr>, Flow)> = flows.into_iter().collect::<Option<_>>()?;
        let o = self.origin(at);
        let mut rest: Option<Flow> = None;
        for (c, flow) in flows.into_iter().rev() {
            rest = Some(match (rest, c) {
                (Some(rest), Some(c)) => self.branch(Some(c), Some(flow), Some(rest), (at, o), region)?,
                _ => flow,
            });
        }
        if rest.is_none() {
            self.error(
                &codes::OUTSIDE,
                at,
                "a `match` without arms\nwrite an arm for each case, and `_ => …` for the rest",
            );
        }
        rest.map(|f| f.after(chain.lets))
    }

    fn subject(&mut self, e: &Surface, chain: &mut Chain) -> Option<Subject> {
        match &e.kind {
            ExprKind::Same(a) => self.subject(a, chain),
            ExprKind::Tuple(es) => {
                let parts: Vec<_> = es.iter().map(|e| self.subject(e, chain)).collect();
                Some(Subject::Parts(parts.into_iter().collect::<Option<_>>()?))
            }
            _ => {
                let value = self.operand(e, None, chain)?;
                let value = self.value(value, e.at)?;
                Some(self.in_parts(value, &mut chain.lets))
            }
        }
    }

    fn in_parts(&mut self, value: Expr, lets: &mut Vec<Let>) -> Subject {
        let (x, ty, o) = (self.names.fresh("value"), value.ty().clone(), value.origin());
        let named = if let Kind::Var(_) = value.kind() {
            value
        } else {
            lets.push(Let::Value(x, value));
            build::var(x, ty.clone(), o)
        };
        match ty {
            Type::Tuple(ts) => {
                let parts = (0..ts.len()).map(|k| self.in_parts(build::proj(named.clone(), k, o), lets));
                Subject::Parts(parts.collect())
            }
            _ => Subject::One(named),
        }
    }

    /// The condition of an arm, and the names of its body. A condition is `None` where it always holds. A guard with probes is
    /// evaluated at the end of `chain`, if none of the `earlier` conditions holds.
    fn arm(
        &mut self,
        arm: &Arm,
        subject: Option<&Subject>,
        at: Extent,
        earlier: &[Expr],
        chain: &mut Chain,
    ) -> (Option<Option<Expr>>, Vec<Let>, Scope) {
        let scope = &chain.scope.clone();
        let names: Vec<Ident> = arm.patterns.first().map_or(vec![], Case::names).into_iter().cloned().collect();
        let broken = |mut scope: Scope| {
            names.iter().for_each(|i| scope = scope.with(i, Binding::Broken));
            scope
        };
        let Some(subject) = subject else { return (None, vec![], broken(scope.clone())) };
        let mut tests = Vec::new();
        for p in &arm.patterns {
            let mut bound = Vec::new();
            let Some(test) = self.case(p, subject, at, scope, &mut bound) else {
                return (None, vec![], broken(scope.clone()));
            };
            tests.push((test, bound));
        }
        let (mut inner, mut lets) = (scope.clone(), Vec::new());
        for i in &names {
            let mut value: Option<Expr> = None;
            for (test, bound) in tests.iter().rev() {
                let Some((_, e)) = bound.iter().rev().find(|(j, _)| crate::surface::same_name(i, j)) else { continue };
                value = Some(match (value, test) {
                    (Some(rest), Some(c)) if rest != *e => build::branch(c.clone(), e.clone(), rest, e.origin()),
                    _ => e.clone(),
                });
            }
            let Some(value) = value else { continue };
            let value = self.named(&i.to_string(), value, &mut lets);
            if let Kind::Var(v) = *value.kind() {
                inner = inner.with(i, Binding::Var(v, value.ty().clone()));
            }
        }
        let any = tests.into_iter().map(|(t, _)| t).reduce(|a, b| either(a?, b?));
        let mut test = any.flatten();
        if let Some(guard) = &arm.guard {
            let probes = self.only_probes(guard);
            if self.effects(guard).is_some() && !probes {
                let message = "a guard that assigns or exits: it only decides, and what follows belongs into the arm";
                self.error(&codes::OUTSIDE, guard.at, message);
                return (None, lets, inner);
            }
            let mut behind = Chain::new(&inner);
            let g = if probes {
                self.operand(guard, Some(&Type::BOOL), &mut behind)
            } else {
                self.expr(guard, Want { ty: Some(&Type::BOOL), scope: &inner })
            };
            let Some(g) = g else { return (None, lets, inner) };
            if *g.ty() != Type::BOOL {
                let message = format!("a condition must be a `bool`, but this has type {}", g.ty());
                self.helped(&codes::MISMATCH, guard.at, message, "compare it, as in `x != 0.0`");
                return (None, lets, inner);
            }
            // What the guard binds, the arm binds again.
            let (renamed, next) = self.rebound(&names, &lets, &inner);
            let before = std::mem::replace(&mut lets, renamed);
            inner = next;
            test = Some(if probes {
                let reached = earlier.iter().map(negated).chain(test).reduce(both);
                behind.lets = [before, behind.lets].concat();
                let (holds, after) = self.guard_with_probes(reached, g, behind, chain, inner);
                inner = after;
                holds
            } else {
                let g = bind_needed(before, g);
                if let Some(t) = test { both(t, g) } else { g }
            });
        }
        (Some(test), lets, inner)
    }

    /// The same names, for other variables.
    fn rebound(&mut self, names: &[Ident], lets: &[Let], scope: &Scope) -> (Vec<Let>, Scope) {
        let (mut out, mut inner) = (Vec::new(), scope.clone());
        for l in lets {
            let Let::Value(x, e) = l else { continue };
            let y = self.names.fresh("value");
            out.push(Let::Value(y, e.clone()));
            for i in names {
                if let Some(Binding::Var(v, ty)) = inner.find(i)
                    && v == *x
                {
                    inner = inner.with(i, Binding::Var(y, ty));
                }
            }
        }
        (out, inner)
    }

    /// Whether a value matches a pattern; adds the names that the pattern binds.
    fn case(
        &mut self,
        p: &Case,
        subject: &Subject,
        at: Extent,
        scope: &Scope,
        bound: &mut Vec<(Ident, Expr)>,
    ) -> Option<Option<Expr>> {
        match (p, subject) {
            (Case::Any | Case::Rest, _) => Some(None),
            (Case::Bind(i, inner), _) => {
                bound.push((i.clone(), self.whole(subject, at)));
                inner.as_ref().map_or(Some(None), |p| self.case(p, subject, at, scope, bound))
            }
            (Case::Either(ps), _) => {
                let tests: Vec<Option<Expr>> =
                    ps.iter().map(|p| self.case(p, subject, at, scope, bound)).collect::<Option<_>>()?;
                Some(tests.into_iter().reduce(|a, b| either(a?, b?)).flatten())
            }
            (Case::Tuple(ps), Subject::Parts(parts)) if let Some(ps) = Case::of_parts(ps, parts.len()) => {
                let mut all = None;
                for (p, part) in ps.iter().zip(parts) {
                    let test = self.case(p, part, at, scope, bound)?;
                    all = match (all, test) {
                        (Some(a), Some(b)) => Some(both(a, b)),
                        (a, b) => a.or(b),
                    };
                }
                Some(all)
            }
            (Case::Value(e), Subject::One(x)) => {
                let n = self.expr(e, scope.want(x.ty()))?;
                if let Kind::Lit(Lit::Bool(wanted)) = n.kind()
                    && *x.ty() == Type::BOOL
                {
                    return Some(Some(if *wanted { x.clone() } else { self.prim(Prim::Not, vec![x.clone()], e.at)? }));
                }
                Some(Some(self.prim(Prim::Eq, vec![x.clone(), n], e.at)?))
            }
            (Case::Range(a, b, inclusive), Subject::One(x)) => {
                let mut tests = Vec::new();
                for (end, op) in [(a, Prim::Ge), (b, if *inclusive { Prim::Le } else { Prim::Lt })] {
                    let Some(end) = end else { continue };
                    let n = self.expr(end, scope.want(x.ty()))?;
                    tests.push(self.prim(op, vec![x.clone(), n], end.at)?);
                }
                Some(tests.into_iter().reduce(both))
            }
            (Case::Tuple(ps), _) => {
                let found = super::calls::plural(ps.len(), "part");
                self.error(&codes::MISMATCH, at, format!("a pattern with {found} does not fit this value\nwrite one pattern for each part of the value; `_` fits any part"));
                None
            }
            (Case::Value(_) | Case::Range(..), Subject::Parts(_)) => {
                self.error(
                    &codes::MISMATCH,
                    at,
                    "a tuple is matched against a number\nmatch the parts, as in `(0, 1) => …`",
                );
                None
            }
        }
    }

    /// The value of a subject.
    fn whole(&mut self, subject: &Subject, at: Extent) -> Expr {
        match subject {
            Subject::One(e) => e.clone(),
            Subject::Parts(parts) => {
                let parts = parts.iter().map(|p| self.whole(p, at)).collect();
                let o = self.origin(at);
                build::tuple(parts, o)
            }
        }
    }
}

fn both(a: Expr, b: Expr) -> Expr {
    let o = a.origin();
    build::prim(Prim::And, vec![a, b], o)
}

fn either(a: Expr, b: Expr) -> Option<Expr> {
    let o = a.origin();
    Some(build::prim(Prim::Or, vec![a, b], o))
}

fn negated(e: &Expr) -> Expr {
    build::prim(Prim::Not, vec![e.clone()], e.origin())
}
