//! T-Let: the statements of a block.

use super::scope::{Binding, Scope, Want};
use super::{Cx, Pending};
use crate::diag::codes;
use crate::fsmooth::{Expr, build};
use crate::name::VarId;
use crate::span::Origin;
use crate::surface::{self, Expr as Surface, ExprKind, Stmt};
use crate::ty::Type;
use std::cell::RefCell;
use std::rc::Rc;

/// A binding of a `let`.
enum Let {
    Value(VarId, Expr),
    /// A closure; its first use makes its term.
    Closure(Rc<RefCell<Pending>>, Origin),
}

impl Cx<'_> {
    /// T-Let for the statements of a block, in a loop and not by recursion: a block may be long.
    pub(super) fn t_let(&mut self, stmts: &[Stmt], last: &Surface, want: Want) -> Option<Expr> {
        let mut scope = want.scope.clone();
        let (mut bound, mut failed) = (Vec::new(), false);
        for s in stmts {
            let (pattern, value) = match s {
                Stmt::Let(pattern, value) => (pattern, value),
                Stmt::Do(e) => {
                    failed = self.expr(e, scope.any()).is_none() || failed;
                    continue;
                }
                Stmt::Declare(pattern) => {
                    broken_names(pattern, &mut scope);
                    continue;
                }
            };
            let binding = match &value.kind {
                ExprKind::Closure(closure) => self.let_closure(pattern, closure, value, &scope),
                _ => self.let_value(pattern, value, &scope),
            };
            match binding {
                Some((lets, inner)) => {
                    bound.extend(lets);
                    scope = inner;
                }
                None => {
                    // Go on, to report the errors of later statements too.
                    broken_names(pattern, &mut scope);
                    failed = true;
                }
            }
        }
        let body = self.expr(last, Want { ty: want.ty, scope: &scope });
        if !failed && body.is_some() {
            bound.iter().for_each(|b| self.check_unused(b));
        }
        let body = body.filter(|_| !failed)?;
        Some(bound.into_iter().rev().fold(body, |body, b| match b {
            Let::Value(x, value) => {
                let o = value.origin();
                build::bind(x, value, body, o)
            }
            Let::Closure(pending, o) => {
                let var = pending.borrow().var;
                let made = pending.borrow_mut().done.take();
                match made {
                    Some((lam, _)) => build::bind(var, lam, body, o),
                    None => body,
                }
            }
        }))
    }

    fn let_value(&mut self, pattern: &surface::Pattern, value: &Surface, scope: &Scope) -> Option<(Vec<Let>, Scope)> {
        let written = match pattern {
            surface::Pattern::Name(_, Some(t), ..) => self.written(t),
            _ => None,
        };
        let term = self.expr(value, Want { ty: written.as_ref(), scope })?;
        let term = self.value(term, value.at)?;
        if let (surface::Pattern::Name(_, Some(t), ..), Some(want)) = (pattern, &written)
            && want != term.ty()
        {
            let hint = super::operators::as_float(value, want);
            self.error(
                &codes::MISMATCH,
                t.at,
                format!("declared as {want}, but the value has type {}{hint}", term.ty()),
            );
            return None;
        }
        let (lets, inner) = self.bind_pattern(pattern, term, scope)?;
        Some((lets.into_iter().map(|(x, e)| Let::Value(x, e)).collect(), inner))
    }

    fn let_closure(
        &mut self,
        pattern: &surface::Pattern,
        closure: &surface::Closure,
        value: &Surface,
        scope: &Scope,
    ) -> Option<(Vec<Let>, Scope)> {
        let surface::Pattern::Name(Some(ident), ..) = pattern else {
            self.error(&codes::FUNCTION_VALUE, value.at, "a closure can only be bound to a name");
            return None;
        };
        let var = self.fresh(ident);
        let pending = Pending {
            closure: closure.clone(),
            id: value.id,
            at: value.at,
            scope: scope.clone(),
            var,
            done: None,
            busy: false,
            failed: false,
        };
        let pending = Rc::new(RefCell::new(pending));
        let inner = scope.with(ident, Binding::Closure(pending.clone()));
        Some((vec![Let::Closure(pending, self.origin(value.at))], inner))
    }

    /// Checks a closure that is never called: possible if the types of its parameters are written, an error otherwise.
    fn check_unused(&mut self, b: &Let) {
        let Let::Closure(pending, _) = b else { return };
        if pending.borrow().done.is_some() {
            return;
        }
        let (params, at, var) = {
            let p = pending.borrow();
            (p.closure.params.clone(), p.at, p.var)
        };
        let before = self.diags.iter().count();
        let types: Option<Vec<Type>> = params.iter().map(|p| self.pattern_type(p)).collect();
        match types {
            Some(types) => drop(self.instantiate(pending, &types, at)),
            // A written type that cannot be is reported already.
            None if self.diags.iter().count() > before => {}
            None => {
                let name = self.names.name(var);
                let message =
                    format!("the closure `{name}` is never called, so the types of its parameters are unknown");
                self.error(&codes::FUNCTION_TYPE, at, message);
            }
        }
    }
}

/// Binds the names of a pattern whose value was rejected, so that their uses are not reported again.
pub(super) fn broken_names(p: &surface::Pattern, scope: &mut Scope) {
    p.names().into_iter().for_each(|i| *scope = scope.with(i, Binding::Broken));
}
