//! Statements: a list of them is a chain of `let`s, and a statement that leaves the list ends the chain.
//!
//! ```text
//! S⟦let p = e; s̄⟧              = let p = e in S⟦s̄⟧
//! S⟦x = e; s̄⟧                  = let x' = e in S⟦s̄⟧[x ↦ x']
//! S⟦if c {s̄} else {t̄}; ū⟧      = let (x', …) = if c then (S⟦s̄⟧; x, …) else (S⟦t̄⟧; x, …) in S⟦ū⟧    x, … assigned in s̄ or t̄
//! S⟦if c {s̄; continue} t̄⟧      = if c then S⟦s̄⟧ else S⟦t̄⟧
//! S⟦s; t̄⟧                      = let (exit, x', …) = S⟦s⟧ in if exit then (x', …) else S⟦t̄⟧    where s may leave
//! ```
//!
//! A loop handles statements that never leave, and no recursion, since a block may be long.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Mutable, Scope, Version, Want};
use crate::elaborate::flow::assign::Assignment;
use crate::elaborate::flow::chain::{Chain, End, Flow, Let, zero};
use crate::elaborate::flow::effects::{Effects, Target};
use crate::elaborate::flow::lets::broken_names;
use crate::elaborate::flow::probes::settled;
use crate::fsmooth::{Expr, build};
use crate::mapped::Mapped;
use crate::span::Origin;
use crate::surface::{Expr as Surface, ExprKind, Extent, Pattern, Stmt, terms};
use crate::ty::Type;
use std::rc::Rc;

/// The statements around a term: the results that their end has to give.
pub(crate) struct Region<'r> {
    /// The variables whose values it gives.
    pub(crate) outs: Vec<Mutable>,
    /// Whether it has a value as well, before those.
    pub(crate) value: bool,
    /// The type that is wanted of the value.
    pub(crate) want: Option<&'r Type>,
    /// The exit that leads to its end.
    pub(crate) end: Option<Target>,
}

/// The continuation of a term, up to the end of its region.
pub(crate) enum Then<'k> {
    /// Nothing.
    End,
    /// The value is not used, and these statements follow.
    Statements(&'k [Stmt], &'k Surface, &'k Then<'k>),
    /// A pattern is bound to the value.
    Bind(&'k Pattern, &'k Surface, &'k Then<'k>),
    /// The value is assigned.
    Store(&'k Surface, &'k Then<'k>),
    /// The value is that of a block, whose names end.
    Leave(&'k Scope, &'k Then<'k>),
}

impl Then<'_> {
    /// Whether nothing is computed.
    pub(crate) fn is_end(&self) -> bool {
        match self {
            Then::End => true,
            Then::Leave(_, next) => next.is_end(),
            _ => false,
        }
    }

    /// Whether the value of the term is used.
    pub(crate) fn wants_value(&self, region: &Region) -> bool {
        match self {
            Then::End => region.value,
            Then::Leave(_, next) => next.wants_value(region),
            Then::Statements(..) => false,
            Then::Bind(..) | Then::Store(..) => true,
        }
    }
}

/// The maximum number of statements of a block that may leave it: the rest of the block is a term nested in each.
const MOST_EXITS: usize = 200;

impl Cx<'_> {
    /// The effects of a term, if it has any.
    pub(crate) fn effects(&self, e: &Surface) -> Option<Rc<Effects>> {
        self.flow.does.effects.get(&e.id).cloned()
    }

    /// Whether a term may leave the statements around it.
    pub(crate) fn exits(&self, e: &Surface) -> bool {
        self.effects(e).is_some_and(|d| !d.exits.is_empty())
    }

    /// Whether a term panics in any case.
    fn fails(&self, e: &Surface) -> bool {
        self.effects(e).is_some_and(|d| d.fails())
    }

    /// A block or a branch as a value: it assigns nothing outside.
    pub(crate) fn body(&mut self, e: &Surface, want: Want, end: Option<Target>) -> Option<Expr> {
        self.body_behind(e, want, end, None)
    }

    /// [`Self::body`], evaluated after the probes in it, which assign `token`.
    fn body_behind(&mut self, e: &Surface, want: Want, end: Option<Target>, token: Option<Mutable>) -> Option<Expr> {
        let region = Region { outs: token.into_iter().collect_vec(), value: true, want: want.ty, end };
        let flow = self.flow(e, want.scope, &Then::End, &region)?;
        let o = self.origin(crate::elaborate::context::tail(e).at);
        let types = value_types(&flow);
        if let [first, others @ ..] = types.as_slice()
            && let Some(other) = others.iter().find(|t| *t != first)
        {
            self.different_branches(first, other, crate::elaborate::context::tail(e).at);
            return None;
        }
        let ty = types.into_iter().next().unwrap_or(Type::Tuple(vec![]));
        let body = flow.term(&mut |mut values| {
            // A loop that never ends has no value.
            let none = || zero(want.ty.unwrap_or(&ty), o).unwrap_or_else(|| build::tuple(vec![], o));
            let token = token.and_then(|_| values.pop().flatten());
            settled(values.pop().flatten().unwrap_or_else(none), token, o)
        });
        self.typed.types.insert(e.id, body.ty().clone());
        Some(body)
    }

    /// The body of a closure. It assigns only variables that it declares, and `return` leaves only the closure.
    pub(crate) fn closure_body(
        &mut self,
        (closure, captured): (&Surface, usize),
        body: &Surface,
        want: Want,
    ) -> Option<Expr> {
        let captured = std::mem::replace(&mut self.flow.captured, captured);
        let depth = std::mem::take(&mut self.flow.depth);
        let end = Some(Target::Return(closure.id));
        let left = self.leaving(closure.id, want.ty);
        let want = want.with(left.as_ref().or(want.ty));
        let made = if self.runs_probes(body) {
            let o = self.origin(body.at);
            let (scope, token) = self.with_token(want.scope, o);
            self.body_behind(body, Want { ty: want.ty, scope: &scope }, end, Some(token))
        } else if self.effects(body).is_some() {
            self.body(body, want, end)
        } else {
            self.expr(body, want)
        };
        (self.flow.captured, self.flow.depth) = (captured, depth);
        made
    }

    /// A term, and what follows it in its region.
    pub(crate) fn flow(&mut self, e: &Surface, scope: &Scope, then: &Then, region: &Region) -> Option<Flow> {
        match &e.kind {
            ExprKind::Block(stmts, last) => self.sequence((stmts, last), scope, &Then::Leave(scope, then), region),
            ExprKind::Break(_, value) | ExprKind::Return(value) => self.exit(e, value.as_deref(), scope, region),
            ExprKind::Continue(_) => self.exit(e, None, scope, region),
            ExprKind::If(c, a, b) if self.splits(e, [&**a, &**b], then) => {
                let mut chain = Chain::new(scope);
                let c = self.condition(c, &mut chain);
                let (a, b) = (self.flow(a, &chain.scope, then, region), self.flow(b, &chain.scope, then, region));
                let o = self.origin(e.at);
                self.branch(c, [a, b], (e.at, o), region).map(|f| f.after(chain.lets))
            }
            ExprKind::Match(value, arms) if then.is_end() || self.splits(e, arms.iter().map(|a| &a.body), then) => {
                self.match_flow((value, arms, e.at), scope, then, region)
            }
            ExprKind::Assign(_, _, value) if self.exits(value) => {
                self.flow(value, scope, &Then::Store(e, then), region)
            }
            _ if self.exits(e) => self.guarded(e, scope, then, region),
            _ if self.fails(e) => Some(Flow::new(End::Never).after(self.perform(e, false, scope)?.lets)),
            _ => {
                let mut chain = Chain::new(scope);
                let want = if then.is_end() { region.want } else { None };
                let value = if then.wants_value(region) {
                    Some(self.operand(e, want, &mut chain)?)
                } else {
                    chain = self.perform(e, false, scope)?;
                    None
                };
                self.resume(value, &chain.scope, then, region).map(|f| f.after(chain.lets))
            }
        }
    }

    /// Whether the continuation of a branching moves into the branches: only if that does not copy it.
    fn splits<'e>(&self, e: &Surface, branches: impl IntoIterator<Item = &'e Surface>, then: &Then) -> bool {
        let complete = |b: &&Surface| !self.effects(b).is_some_and(|d| d.diverges);
        let tail = then.is_end() && (self.exits(e) || self.effects(e).is_some());
        tail || self.exits(e) && branches.into_iter().filter(complete).count() <= 1
    }

    /// A branching whose branches are given.
    pub(crate) fn branch(
        &mut self,
        c: Option<Expr>,
        [a, b]: [Option<Flow>; 2],
        (at, o): (Extent, Origin),
        region: &Region,
    ) -> Option<Flow> {
        let (c, a, b) = (c?, a?, b?);
        if region.value
            && let (Some(s), Some(t)) = (value_type(&a), value_type(&b))
            && s != t
        {
            self.different_branches(&s, &t, at);
            return None;
        }
        Some(Flow::branch(c, a, b, o))
    }

    /// The statements of a block, and what follows it.
    pub(crate) fn sequence(
        &mut self,
        (stmts, last): (&[Stmt], &Surface),
        scope: &Scope,
        then: &Then,
        region: &Region,
    ) -> Option<Flow> {
        let (mut chain, mut complete) = (Chain::new(scope), true);
        for (k, s) in stmts.iter().enumerate() {
            let (e, pattern) = match s {
                Stmt::Let(p, e) => (e, Some(p)),
                Stmt::Do(e) => (e, None),
                Stmt::Declare(p) => {
                    chain.scope = self.declare(p, &chain.scope);
                    continue;
                }
            };
            if self.exits(e) {
                self.flow.depth += 1;
                if self.flow.depth > MOST_EXITS {
                    let message =
                        "too many statements of one block may leave it\nput some of them into a kernel of their own";
                    self.error(&codes::TOO_LARGE, e.at, message);
                    return None;
                }
                let rest = Then::Statements(&stmts[k + 1..], last, then);
                let bound = pattern.map(|p| Then::Bind(p, e, &rest));
                let flow = self.flow(e, &chain.scope, bound.as_ref().unwrap_or(&rest), region);
                self.flow.depth -= 1;
                return self.behind(chain.lets, flow.filter(|_| complete));
            }
            if self.fails(e) {
                // What follows is never reached.
                let flow = self.flow(e, &chain.scope, &Then::End, region);
                return self.behind(chain.lets, flow.filter(|_| complete));
            }
            let done = match pattern {
                Some(p) => self.let_statement(p, e, &chain.scope),
                None => {
                    // The value of the whole body is missing then.
                    let ends = k + 1 == stmts.len()
                        && matches!(&last.kind, ExprKind::Tuple(ts) if ts.is_empty())
                        && matches!(then, Then::Leave(_, Then::End))
                        && region.end == Some(Target::Return(self.flow.function))
                        && self.interface.result.as_ref().is_some_and(|ty| *ty != Type::Tuple(vec![]));
                    self.perform(e, ends, &chain.scope)
                }
            };
            match done {
                Some(next) => chain.then(next),
                None => {
                    // Go on, to report the errors of later statements too.
                    pattern.into_iter().for_each(|p| broken_names(p, &mut chain.scope));
                    chain.scope = self.spoiled(e, &chain.scope);
                    complete = false;
                }
            }
        }
        let flow = self.flow(last, &chain.scope, then, region);
        self.behind(chain.lets, flow.filter(|_| complete))
    }

    /// A flow after the `let`s of a block. Closures among these are elaborated even if nothing calls them.
    fn behind(&mut self, lets: Vec<Let>, flow: Option<Flow>) -> Option<Flow> {
        let flow = flow?;
        lets.iter().for_each(|b| self.check_unused(b));
        Some(flow.after(lets))
    }

    /// The scope after a statement that was rejected: uses of the variables that it assigns are not reported again.
    fn spoiled(&self, e: &Surface, scope: &Scope) -> Scope {
        let mut scope = scope.clone();
        for i in self.effects(e).iter().flat_map(|d| d.assigned()) {
            if let Some(Binding::Mutable(m)) = scope.lookup(i)
                && scope.version(m).is_none()
            {
                scope = scope.assigned(m, Version::Broken);
            }
        }
        scope
    }

    /// The continuation of a term, applied to its value; `None` if the value is not used.
    pub(crate) fn resume(&mut self, value: Option<Expr>, scope: &Scope, then: &Then, region: &Region) -> Option<Flow> {
        match then {
            Then::End => Some(Flow::new(End::Done(self.results(value, scope, region)?))),
            Then::Leave(outer, next) => self.resume(value, &outer.after(scope), next, region),
            Then::Statements(stmts, last, next) => self.sequence((stmts, last), scope, next, region),
            Then::Bind(p, e, next) => {
                let bound = self.let_bound(p, value?, e, scope)?;
                self.resume(None, &bound.scope, next, region).map(|f| f.after(bound.lets))
            }
            Then::Store(e, next) => {
                let ExprKind::Assign(op, place, of) = &e.kind else { return None };
                let mut chain = Chain::new(scope);
                self.store(&Assignment { op: *op, place, value: of.at, at: e.at }, value, &mut chain)?;
                self.resume(None, &chain.scope, next, region).map(|f| f.after(chain.lets))
            }
        }
    }

    /// The results of a region at its end: its value if it has one, then the variables that it assigns.
    pub(crate) fn results(&self, value: Option<Expr>, scope: &Scope, region: &Region) -> Option<Vec<Option<Expr>>> {
        let value = region.value.then_some(value);
        let mut results: Vec<Option<Expr>> = value.into_iter().collect_vec();
        for m in &region.outs {
            results.push(match scope.version(*m) {
                Some(Version::Value(e)) => Some(e),
                Some(Version::Broken) => return None,
                None => None,
            });
        }
        Some(results)
    }

    /// A term that is evaluated for its effects; `last`: whether it is the last one of its block.
    fn perform(&mut self, e: &Surface, last: bool, scope: &Scope) -> Option<Chain> {
        if self.effects(e).is_none() {
            // Only its errors matter, and the types of its terms.
            let value = self.expr(e, scope.any())?;
            let value = self.value(value, e.at)?;
            if *value.ty() != Type::Tuple(vec![]) && !e.has_probes() {
                self.error(&codes::OUTSIDE, e.at, crate::diag::hints::unused(last));
                return None;
            }
            return Some(Chain::new(scope));
        }
        let (chain, _) = self.join(e, scope, None)?;
        Some(chain)
    }

    /// The value of a term that may assign variables.
    pub(crate) fn operand(&mut self, e: &Surface, want: Option<&Type>, chain: &mut Chain) -> Option<Expr> {
        if self.effects(e).is_none() {
            return self.expr(e, Want { ty: want, scope: &chain.scope });
        }
        let (next, value) = self.join(e, &chain.scope, Some(want))?;
        chain.then(next);
        let Some(value) = value else {
            if self.fails(e) {
                let message = "this panics in any case, inside of an expression\nmake it a statement of its own";
                self.error(&codes::OUTSIDE, e.at, message);
            }
            return None;
        };
        self.typed.types.insert(e.id, value.ty().clone());
        Some(value)
    }

    /// A condition.
    pub(crate) fn condition(&mut self, c: &Surface, chain: &mut Chain) -> Option<Expr> {
        let e = self.operand(c, Some(&Type::BOOL), chain)?;
        if *e.ty() != Type::BOOL {
            let message = format!("a condition must be a `bool`, but this has type {}", e.ty());
            self.helped(&codes::MISMATCH, c.at, message, crate::elaborate::advice::mismatch::condition(c, e.ty()));
            return None;
        }
        Some(e)
    }

    /// `let p;`
    fn declare(&mut self, p: &Pattern, scope: &Scope) -> Scope {
        let mut scope = scope.clone();
        match p {
            Pattern::Name(ident, written, ..) => {
                let ty = written.as_ref().and_then(|t| self.written(t));
                if let Some(i) = ident {
                    let m = self.mutable(&i.to_string(), ty);
                    self.flow.mutables[m.0].zero = written.as_ref().and_then(terms::zero);
                    scope = scope.with(i, Binding::Mutable(m));
                }
            }
            Pattern::Tuple(ps, _) => ps.iter().for_each(|p| scope = self.declare(p, &scope)),
            Pattern::Rest(_) => {}
        }
        scope
    }
}

/// The type of the value of a flow that completes.
pub(crate) fn value_type(f: &Flow) -> Option<Type> {
    value_types(f).into_iter().next()
}

/// The types of the values with which a flow completes: they may differ where an exit has one of them.
pub(crate) fn value_types(f: &Flow) -> Vec<Type> {
    let types = f.ends().into_iter().filter_map(|e| match e {
        End::Done(values) => values.first().and_then(|v| v.as_ref()).map(|e| e.ty().clone()),
        _ => None,
    });
    types.collect_vec()
}
