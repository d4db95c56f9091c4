//! T-Let: the statements of a block, and the patterns that they bind.

use crate::diag::codes;
use crate::elaborate::advice::counts::plural;
use crate::elaborate::advice::mismatch;
use crate::elaborate::context::scope::{Binding, Pending, Scope, Version};
use crate::elaborate::context::{Bindings, Cx, pattern_name};
use crate::elaborate::flow::chain::{Chain, Let};
use crate::elaborate::flow::stand_ins::note_let;
use crate::elaborate::terms::reductions::{leaf_paths, project};
use crate::fsmooth::{Declared, Expr, Kind, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::surface::{self, Expr as Surface, ExprKind, Pattern, TypeKind};
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
                note_let(self, p, e, scope)?;
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
        let types: Option<Vec<Type>> = params.iter().map(|p| self.pattern_type(p)).all_some();
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

    /// Binds a pattern to a value: the `let`s for it, and the scope after them.
    pub(crate) fn bind_pattern(&mut self, p: &Pattern, value: Expr, scope: &Scope) -> Option<Bindings> {
        let o = value.origin();
        let x = self.names.fresh(&pattern_name(p));
        let (parts, inner) = self.destructure(p, build::var(x, value.ty().clone(), o), scope)?;
        let columns = self.ascribe_columns(p, x, value.ty(), scope);
        Some((std::iter::once((x, value)).chain(columns).chain(parts).collect(), inner))
    }

    /// The variables that a pattern binds to the parts of `value`, which is a variable.
    pub(crate) fn destructure(&mut self, p: &Pattern, value: Expr, scope: &Scope) -> Option<Bindings> {
        match p {
            Pattern::Name(name, written, ..) => {
                if let Some(t) = written {
                    let want = self.written(t)?;
                    if want != *value.ty() {
                        self.error(
                            &codes::MISMATCH,
                            t.at,
                            format!(
                                "{} is declared as {want}, but the value has type {}{}",
                                declared(name),
                                value.ty(),
                                mismatch::conversion(value.ty(), &want)
                            ),
                        );
                    }
                }
                if !matches!(value.kind(), Kind::Var(_)) {
                    let x = self.names.fresh(&pattern_name(p));
                    let named = build::var(x, value.ty().clone(), value.origin());
                    return Some((vec![(x, value)], self.bound(p, named, scope)));
                }
                Some((vec![], self.bound(p, value, scope)))
            }
            Pattern::Tuple(ps, at) => {
                let Type::Tuple(ts) = value.ty().clone() else {
                    self.error(&codes::MISMATCH, *at, mismatch::no_tuple(value.ty(), ps));
                    return None;
                };
                let Some(ps) = Pattern::of_parts(ps, ts.len()) else {
                    self.error(
                        &codes::MISMATCH,
                        *at,
                        format!("this pattern has {}, but the tuple has {}\nwrite one name for each part; `_` is for a part that is not needed", plural(ps.len(), "part"), ts.len()),
                    );
                    return None;
                };
                let (mut lets, mut scope) = (Vec::new(), scope.clone());
                for (k, p) in ps.iter().enumerate() {
                    let part = build::proj(value.clone(), k, value.origin());
                    let x = self.names.fresh(&pattern_name(p));
                    let variable = build::var(x, ts[k].clone(), value.origin());
                    lets.push((x, part));
                    let (more, inner) = self.destructure(p, variable, &scope)?;
                    lets.push_all(self.ascribe_columns(p, x, &ts[k], &scope));
                    lets.push_all(more);
                    scope = inner;
                }
                Some((lets, scope))
            }
            Pattern::Rest(_) => Some((vec![], scope.clone())),
        }
    }

    /// The scope with the name of a pattern, for a variable.
    pub(crate) fn bound(&mut self, p: &Pattern, value: Expr, scope: &Scope) -> Scope {
        let Pattern::Name(Some(i), _, _, mutable) = p else { return scope.clone() };
        if *mutable {
            let m = self.mutable(&i.to_string(), Some(value.ty().clone()));
            return scope.with(i, Binding::Mutable(m)).assigned(m, Version::Value(value));
        }
        let Kind::Var(v) = *value.kind() else { return scope.clone() };
        scope.with(i, Binding::Var(v, value.ty().clone()))
    }

    /// Records the written shape of a `let`. A tuple or an array of tuples is stored as several arrays with separate shapes;
    /// the result are names for these.
    pub(crate) fn ascribe_columns(&mut self, p: &Pattern, x: VarId, ty: &Type, scope: &Scope) -> Vec<(VarId, Expr)> {
        let Pattern::Name(_, Some(t), ..) = p else { return vec![] };
        let (columns, ty) = (t.columns(), ty.stored());
        if !matches!(ty, Type::Tuple(_)) {
            self.ascribe(p, x, scope);
            return vec![];
        }
        let (o, mut lets) = (self.origin(t.at), Vec::new());
        let mut paths = Vec::new();
        leaf_paths(&ty, &mut vec![], &mut paths);
        for path in paths {
            let column = path.iter().try_fold(&columns, |t, k| match &t.kind {
                TypeKind::Tuple(ts) => ts.get(*k),
                _ => None,
            });
            if let Some(shape) = column.and_then(|t| self.written_shape(t, scope)).filter(|s| !s.is_empty()) {
                let part = self.names.again(x);
                self.typed.ascriptions.insert(part, (shape, o, Declared::Type));
                lets.push((part, project(build::var(x, ty.clone(), o), &path)));
            }
        }
        lets
    }

    /// Records the written shape of a `let`.
    pub(crate) fn ascribe(&mut self, p: &Pattern, x: VarId, scope: &Scope) {
        if let Pattern::Name(_, Some(t), ..) = p {
            let o = self.origin(t.at);
            if let Some(shape) = self.written_shape(t, scope) {
                self.typed.ascriptions.insert(x, (shape, o, Declared::Type));
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
