//! `match`: a chain of conditions on the parts of the value.
//!
//! ```text
//! match e { p if g => a, … , q => b }  = let x = e in if x ∈ p && g then a else … b
//! x ∈ _      = true            x ∈ n        = (x == n)
//! x ∈ a..=b  = a <= x && x <= b             x ∈ p | q = x ∈ p || x ∈ q
//! (x, y) ∈ (p, q) = x ∈ p && y ∈ q
//! ```
//!
//! The last arm has no condition: the arms cover every value (`match_/exhaustive.rs`).

mod exhaustive;

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Scope, Want};
use crate::elaborate::flow::chain::{Chain, Flow, Let};
use crate::elaborate::flow::control::bind_needed;
use crate::elaborate::flow::statements::{Region, Then};
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::{Mapped, PushAll};
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

/// The maximum number of alternatives of a pattern, its `|` expanded.
const WAYS: usize = 64;

/// One way to match a pattern: the condition, unless it always holds, and the values of the pattern's names.
#[derive(Clone, Default)]
struct Way {
    test: Option<Expr>,
    bound: Vec<(Ident, Expr)>,
}

impl Way {
    fn and(&self, other: &Way) -> Way {
        let test = match (self.test.clone(), other.test.clone()) {
            (Some(a), Some(b)) => Some(both(a, b)),
            (a, b) => a.or(b),
        };
        Way { test, bound: [&self.bound[..], &other.bound].concat() }
    }

    fn value(&self, name: &Ident) -> Option<Expr> {
        let named = |(i, _): &&(Ident, Expr)| crate::surface::same_name(i, name);
        self.bound.iter().find(named).map(|(_, e)| e.clone())
    }
}

impl Cx<'_> {
    pub(crate) fn match_flow(
        &mut self,
        (value, arms, at): (&Surface, &[Arm], Extent),
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
            let (c, bound, inner) = self.arm(arm, (subject.as_ref(), value.at), &earlier, &mut chain);
            let always = || build::lit(Lit::Bool(true), self.origin(value.at));
            earlier.push_all(c.clone().map(|c| c.unwrap_or_else(always)));
            let want = region.want.or(ty.as_ref()).cloned();
            let region = Region { outs: region.outs.clone(), want: want.as_ref(), ..*region };
            let leave = Then::Leave(&chain.scope, then);
            let flow = self.flow(&arm.body, &inner, &leave, &region);
            ty = ty.or_else(|| flow.as_ref().and_then(crate::elaborate::flow::statements::value_type));
            flows.push(c.zip(flow.map(|f| f.after(bound))));
        }
        let ty = self.whole(&subject?, value.at).ty().clone();
        let flows: Vec<(Option<Expr>, Flow)> = flows.into_iter().all_some()?;
        if !arms.is_empty() {
            self.covers_all(arms, &ty, value)?;
        }
        let o = self.origin(at);
        let mut rest: Option<Flow> = None;
        for (c, flow) in flows.into_iter().rev() {
            rest = Some(match (rest, c) {
                (Some(rest), Some(c)) => self.branch(Some(c), [Some(flow), Some(rest)], (at, o), region)?,
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
                let parts = es.iter().mapped(|e| self.subject(e, chain));
                Some(Subject::Parts(parts.into_iter().all_some()?))
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
                Subject::Parts(parts.collect_vec())
            }
            _ => Subject::One(named),
        }
    }

    /// The condition of an arm, and the names of its body. A condition is `None` where it always holds.
    ///
    /// ```text
    /// p | q if g => e      c = p ∧ g[p] ∨ q ∧ g[q]      e with the values of p if p ∧ g[p], else of q
    /// ```
    ///
    /// A guard with probes is evaluated at the end of `chain`, if none of the `earlier` conditions holds.
    fn arm(
        &mut self,
        arm: &Arm,
        (subject, at): (Option<&Subject>, Extent),
        earlier: &[Expr],
        chain: &mut Chain,
    ) -> (Option<Option<Expr>>, Vec<Let>, Scope) {
        let mut names: Vec<Ident> = Vec::new();
        for i in arm.patterns.iter().flat_map(Case::names) {
            if !names.iter().any(|j| crate::surface::same_name(i, j)) {
                names.push(i.clone());
            }
        }
        let ways = subject.and_then(|s| self.either(&arm.patterns, s, at, &chain.scope.clone()));
        let Some(ways) = ways.filter(|ways| self.bind_the_same(ways)) else {
            let broken = |scope: Scope, i| scope.with(i, Binding::Broken);
            return (None, vec![], names.iter().fold(chain.scope.clone(), broken));
        };
        let (mut conditions, mut earlier) = (Vec::new(), earlier.to_vec());
        for way in &ways {
            let c = match &arm.guard {
                Some(guard) => self.arm_guard(guard, (way, &names), &earlier, chain).map(Some),
                None => Some(way.test.clone()),
            };
            earlier.push_all(c.iter().flatten().cloned());
            conditions.push(c);
        }
        let value = |i: &Ident| {
            ways.iter().zip(&conditions).rev().fold(None, |rest: Option<Expr>, (way, c)| {
                let e = way.value(i)?;
                Some(match (rest, c) {
                    (Some(rest), Some(Some(c))) if rest != e => build::branch(c.clone(), e.clone(), rest, e.origin()),
                    _ => e,
                })
            })
        };
        let values: Vec<Option<Expr>> = names.iter().mapped(value);
        let (lets, inner) = self.names_for(&names, values, &chain.scope.clone());
        let conditions: Option<Vec<Option<Expr>>> = conditions.into_iter().all_some();
        (conditions.map(|cs| any(&cs)), lets, inner)
    }

    /// Whether all alternatives of a pattern bind one set of names, to values of the same types.
    fn bind_the_same(&mut self, ways: &[Way]) -> bool {
        let mut rejected: Vec<&Ident> = Vec::new();
        for (i, e) in ways.iter().flat_map(|w| &w.bound) {
            if rejected.iter().any(|j| crate::surface::same_name(i, j)) {
                continue;
            }
            let others = ways.iter().map(|w| w.value(i)).find(|v| v.as_ref().is_none_or(|v| v.ty() != e.ty()));
            let message = match others {
                None => continue,
                Some(None) => {
                    format!("`{i}` is a name in one of the patterns, and not in all\nbind it in each of them")
                }
                Some(Some(other)) => format!(
                    "`{i}` has type {} in one of the patterns, and {} in another\nbind it to values of one type",
                    e.ty(),
                    other.ty()
                ),
            };
            self.error(&codes::MISMATCH, (i.span(), i.span()), message);
            rejected.push(i);
        }
        rejected.is_empty()
    }

    /// The names of a pattern for these values.
    fn names_for(&mut self, names: &[Ident], values: Vec<Option<Expr>>, scope: &Scope) -> (Vec<Let>, Scope) {
        let (mut inner, mut lets) = (scope.clone(), Vec::new());
        for (i, value) in names.iter().zip(values) {
            let Some(value) = value else { continue };
            let value = self.named(&i.to_string(), value, &mut lets);
            if let Kind::Var(v) = *value.kind() {
                inner = inner.with(i, Binding::Var(v, value.ty().clone()));
            }
        }
        (lets, inner)
    }

    /// Whether a value matches in this way, and the guard holds then.
    fn arm_guard(
        &mut self,
        guard: &Surface,
        (way, names): (&Way, &[Ident]),
        earlier: &[Expr],
        chain: &mut Chain,
    ) -> Option<Expr> {
        let probes = self.only_probes(guard);
        if self.effects(guard).is_some() && !probes {
            let message = "a guard only decides, but this one assigns or leaves\ndo that in the arm";
            self.error(&codes::OUTSIDE, guard.at, message);
            return None;
        }
        let values = names.iter().mapped(|i| way.value(i));
        let (lets, scope) = self.names_for(names, values, &chain.scope.clone());
        let mut behind = Chain { lets, scope };
        let g = if probes {
            self.operand(guard, Some(&Type::BOOL), &mut behind)?
        } else {
            self.expr(guard, Want { ty: Some(&Type::BOOL), scope: &behind.scope })?
        };
        if *g.ty() != Type::BOOL {
            let message = format!("a condition must be a `bool`, but this has type {}", g.ty());
            self.helped(
                &codes::MISMATCH,
                guard.at,
                message,
                crate::elaborate::advice::mismatch::condition(guard, g.ty()),
            );
            return None;
        }
        if probes {
            let reached = earlier.iter().map(negated).chain(way.test.clone()).reduce(both);
            return Some(self.guard_with_probes(reached, g, behind, chain));
        }
        let g = bind_needed(behind.lets, g);
        Some(if let Some(t) = way.test.clone() { both(t, g) } else { g })
    }

    /// The ways in which a value matches one of several patterns, in their order.
    fn either(&mut self, ps: &[Case], subject: &Subject, at: Extent, scope: &Scope) -> Option<Vec<Way>> {
        let ways: Vec<Vec<Way>> = ps.iter().map(|p| self.case(p, subject, at, scope)).all_some()?;
        let ways = ways.concat();
        if ways.iter().any(|w| !w.bound.is_empty()) {
            return self.not_too_many(ways, at);
        }
        // Without names it does not matter which one it is.
        let tests: Vec<Option<Expr>> = ways.into_iter().mapped(|w| w.test);
        let test = any(&tests);
        Some(vec![Way { test, bound: vec![] }])
    }

    /// Rejects a pattern with too many alternatives that bind names: each is a term.
    fn not_too_many(&mut self, ways: Vec<Way>, at: Extent) -> Option<Vec<Way>> {
        if ways.len() > WAYS {
            let message = format!(
                "a pattern of this `match` has more than {WAYS} combinations of alternatives that bind names\n\
                 write an arm for each alternative, or bind the parts to names and compare them in a guard"
            );
            self.error(&codes::TOO_LARGE, at, message);
            return None;
        }
        Some(ways)
    }

    /// The ways in which a value matches a pattern, in their order.
    fn case(&mut self, p: &Case, subject: &Subject, at: Extent, scope: &Scope) -> Option<Vec<Way>> {
        let one = |test| Some(vec![Way { test, bound: vec![] }]);
        match (p, subject) {
            (Case::Any | Case::Rest, _) => one(None),
            (Case::Bind(i, inner), _) => {
                let whole = self.whole(subject, at);
                let mut ways = match inner {
                    Some(p) => self.case(p, subject, at, scope)?,
                    None => vec![Way::default()],
                };
                ways.iter_mut().for_each(|w| w.bound.push((i.clone(), whole.clone())));
                Some(ways)
            }
            (Case::Either(ps), _) => self.either(ps, subject, at, scope),
            (Case::Tuple(ps), Subject::Parts(parts)) if let Some(ps) = Case::of_parts(ps, parts.len()) => {
                let mut all = vec![Way::default()];
                for (p, part) in ps.iter().zip(parts) {
                    let ways = self.case(p, part, at, scope)?;
                    all = all.iter().flat_map(|a| ways.iter().map(|b| a.and(b))).collect_vec();
                    all = self.not_too_many(all, at)?;
                }
                Some(all)
            }
            (Case::Value(e), Subject::One(x)) => {
                let n = self.expr(e, scope.want(x.ty()))?;
                self.same_as_value(&n, x, e)?;
                if let Kind::Lit(Lit::Bool(wanted)) = n.kind()
                    && *x.ty() == Type::BOOL
                {
                    return one(Some(if *wanted { x.clone() } else { self.prim(Prim::Not, vec![x.clone()], e.at)? }));
                }
                one(Some(self.prim(Prim::Eq, vec![x.clone(), n], e.at)?))
            }
            (Case::Range(a, b, inclusive), Subject::One(x)) => {
                let mut tests = Vec::new();
                for (end, op) in [(a, Prim::Ge), (b, if *inclusive { Prim::Le } else { Prim::Lt })] {
                    let Some(end) = end else { continue };
                    let n = self.expr(end, scope.want(x.ty()))?;
                    self.same_as_value(&n, x, end)?;
                    tests.push(self.prim(op, vec![x.clone(), n], end.at)?);
                }
                one(tests.into_iter().reduce(both))
            }
            (Case::Tuple(ps), _) => {
                let found = crate::elaborate::advice::counts::plural(ps.len(), "part");
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

    /// A constant in a pattern has the type of the value.
    fn same_as_value(&mut self, n: &Expr, value: &Expr, at: &Surface) -> Option<()> {
        if n.ty() == value.ty() {
            return Some(());
        }
        let literal = crate::elaborate::advice::mismatch::as_float(at, value.ty());
        let hint = if literal.is_empty() { "\nwrite a pattern of the type of the value" } else { &literal };
        let message = format!("this pattern has type {}, but the value has type {}{hint}", n.ty(), value.ty());
        self.error(&codes::MISMATCH, at.at, message);
        None
    }

    /// The value of a subject.
    fn whole(&mut self, subject: &Subject, at: Extent) -> Expr {
        match subject {
            Subject::One(e) => e.clone(),
            Subject::Parts(parts) => {
                let parts = parts.iter().mapped(|p| self.whole(p, at));
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

/// The disjunction of the conditions, evaluated from the first to the last. The term is balanced.
fn any(conditions: &[Option<Expr>]) -> Option<Expr> {
    match conditions {
        [] => None,
        [one] => one.clone(),
        all => {
            let (a, b) = all.split_at(all.len() / 2);
            let (a, b) = (any(a)?, any(b)?);
            let o = a.origin();
            Some(build::prim(Prim::Or, vec![a, b], o))
        }
    }
}

fn negated(e: &Expr) -> Expr {
    build::prim(Prim::Not, vec![e.clone()], e.origin())
}
