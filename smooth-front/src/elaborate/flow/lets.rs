//! T-Let: the statements of a block.

use crate::diag::codes;
use crate::elaborate::context::scope::{Binding, Scope};
use crate::elaborate::context::{Cx, Pending};
use crate::elaborate::flow::chain::{Chain, Let};
use crate::fsmooth::Expr;
use crate::mapped::Mapped;
use crate::surface::{self, Expr as Surface, ExprKind, Pattern};
use crate::ty::Type;
use std::cell::RefCell;
use std::rc::Rc;

impl Cx<'_> {
    /// `let p = e;`, where `e` stays in its block.
    pub(crate) fn let_statement(&mut self, p: &Pattern, e: &Surface, scope: &Scope) -> Option<Chain> {
        match &e.kind {
            ExprKind::Closure(closure) => self.let_closure(p, closure, e, scope),
            ExprKind::Borrow(place) => self.let_borrowed(p, place, scope),
            _ => {
                let written = match p {
                    Pattern::Name(_, Some(t), ..) => self.written(t),
                    _ => None,
                };
                let mut chain = Chain::new(scope);
                let value = self.operand(e, written.as_ref(), &mut chain)?;
                let bound = self.let_bound(p, value, e, &chain.scope)?;
                chain.then(bound);
                Some(chain)
            }
        }
    }

    /// `let p = e;`, where the value of `e` is known.
    pub(crate) fn let_bound(&mut self, p: &Pattern, value: Expr, e: &Surface, scope: &Scope) -> Option<Chain> {
        let value = self.value(value, e.at)?;
        let opened = crate::elaborate::terms::records::opened(p, value.ty());
        let value = self.converted(value, &opened, e);
        if let Pattern::Name(name, Some(t), ..) = p
            && let Some(want) = self.written(t)
            && want != *value.ty()
        {
            let hint = self.way(e, value.ty(), &want);
            self.error(
                &codes::MISMATCH,
                crate::elaborate::context::tail(e).at,
                format!("this value has type {}, but {} is declared as {want}{hint}", value.ty(), declared(name)),
            );
            return None;
        }
        if *value.ty() == Type::Tuple(vec![]) {
            self.error(
                &codes::MISMATCH,
                e.at,
                "this has no value to give a name to\nwrite it as a statement, without `let`",
            );
            return None;
        }
        self.note_computed(p, e, value.ty());
        let (lets, inner) = self.bind_pattern(p, value, scope)?;
        Some(Chain { lets: lets.into_iter().mapped(|(x, e)| Let::Value(x, e)), scope: inner })
    }

    /// `let p = &mut place;`: a name for the place.
    fn let_borrowed(&mut self, p: &Pattern, place: &Surface, scope: &Scope) -> Option<Chain> {
        let mut chain = Chain::new(scope);
        let found = self.place(place, &mut chain)?;
        let Pattern::Name(ident, ..) = p else {
            self.error(
                &codes::OUTSIDE,
                place.at,
                "a mutable reference can only be bound to a name\nbind it to one name, as in `let row = &mut m[i];`",
            );
            return None;
        };
        if let Some(i) = ident {
            chain.scope = chain.scope.with(i, Binding::Part(Rc::new(found)));
        }
        Some(chain)
    }

    fn let_closure(
        &mut self,
        pattern: &Pattern,
        closure: &surface::Closure,
        value: &Surface,
        scope: &Scope,
    ) -> Option<Chain> {
        let Pattern::Name(Some(ident), ..) = pattern else {
            self.error(
                &codes::FUNCTION_VALUE,
                value.at,
                "a closure can only be bound to a name\nbind it to one name, as in `let f = |x: f64| …;`",
            );
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
        Some(Chain { lets: vec![Let::Closure(pending, self.origin(value.at))], scope: inner })
    }

    /// Checks a closure that is never called: possible if the types of its parameters are written, an error otherwise.
    pub(crate) fn check_unused(&mut self, b: &Let) {
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
            // An error in a written type has been reported.
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
pub(crate) fn broken_names(p: &Pattern, scope: &mut Scope) {
    p.names().into_iter().for_each(|i| *scope = scope.with(i, Binding::Broken));
}

/// The name that a `let` declares, for a message.
pub(crate) fn declared(name: &Option<proc_macro2::Ident>) -> String {
    name.as_ref().map_or("the variable".into(), |i| format!("`{}`", crate::surface::plain(i)))
}
