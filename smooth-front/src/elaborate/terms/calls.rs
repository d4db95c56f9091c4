//! T-App and T-Abs: calls of built-ins, closures and kernels; functions as arguments.

use crate::diag::codes;
use crate::elaborate::advice::counts::{counted, given, plural};
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Pending, Scope, Want};
use crate::elaborate::terms::records;
use crate::fsmooth::{Callee, Expr, build, marks};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::{Prim, Spelling};
use crate::surface::{self, Closure, Expr as Surface, ExprKind, Extent, Pattern};
use crate::ty::{Scalar, Type};
use std::cell::RefCell;
use std::rc::Rc;

/// The message for a closure that is called with the wrong number of arguments.
fn wrong_count(c: &Closure, arguments: usize) -> String {
    let own = c.params.len();
    let way = if own > arguments {
        "\nremove the last parameters: `sum` passes an index, `build([n, k], …)` one for each size, and `ifold` the state and the index; a state with parts is a tuple, as in `|(s, t), i|`"
    } else {
        ""
    };
    let passed = counted(arguments);
    format!("this closure has {}, but it is called with {passed}{way}", plural(own, "parameter"))
}

/// The message for a function of numbers, `f64::max`, that is called with arguments of the wrong types or the wrong number
/// of them.
fn wrong_arguments(f: &str, own: &[Option<Type>], passed: &[Type]) -> String {
    let names = ["x", "y", "z"];
    let example = own.iter().enumerate().mapped(|(k, t)| match (t, passed.get(k)) {
        (Some(t), Some(p)) if t != p => format!("{} as {t}", names[k]),
        (_, Some(_)) => names[k].into(),
        (Some(t), None) if t.scalar().is_some_and(Scalar::is_float) => "1.0".into(),
        (_, None) => "1".into(),
    });
    let shown = |ts: &[Type]| format!("({})", ts.iter().mapped(Type::to_string).join(", "));
    let takes = own.iter().cloned().collect::<Option<Vec<_>>>().map_or_else(|| counted(own.len()), |ts| shown(&ts));
    let way = match names.get(..passed.len()) {
        Some(names) if passed.iter().all(|p| p.scalar().is_some()) => {
            let (names, example) = (names.join(", "), example.join(", "));
            format!("\nwrite a closure that calls it with what it takes, as in `|{names}| {f}({example})`")
        }
        _ => "\nwrite a closure that calls it with what it takes".into(),
    };
    format!("`{f}` takes {takes}, but it is called with {}{way}", shown(passed))
}

impl Cx<'_> {
    /// T-App.
    pub(crate) fn call(&mut self, f: &Surface, args: &[Surface], at: Extent, want: Want) -> Option<Expr> {
        let scope = want.scope;
        if matches!(f.kind, ExprKind::Error) {
            return None;
        }
        let ExprKind::Path(path) = &f.kind else {
            self.error(
                &codes::NOT_A_FUNCTION,
                f.at,
                "only a function with a name can be called\nbind it with `let` first, as in `let f = |x: f64| x + 1.0;`",
            );
            return None;
        };
        let ident = path.get_ident();
        match ident.and_then(|i| scope.find(i)) {
            Some(Binding::Var(v, Type::Fn(params, r))) => {
                let args = self.arguments(&params, args, at, scope)?;
                let o = self.origin(at);
                return Some(build::app(build::var(v, Type::Fn(params, r), o), args, o));
            }
            Some(Binding::Var(_, ty)) => {
                let name = surface::path_key(path);
                self.not_a_function(
                    &name,
                    f.at,
                    format!(
                        "`{name}` has type {ty} and is not a function{}",
                        crate::elaborate::advice::mismatch::not_called(&name, &ty)
                    ),
                );
                return None;
            }
            Some(Binding::Closure(pending)) => return self.call_closure(&pending, args, at, scope),
            Some(Binding::Mutable(_) | Binding::Part(_)) => {
                let name = surface::path_key(path);
                self.not_a_function(&name, f.at, format!("`{name}` is a variable and not a function"));
                return None;
            }
            Some(Binding::Broken) => {
                args.iter()
                    .filter(|a| !matches!(a.kind, ExprKind::Closure(_)))
                    .for_each(|a| drop(self.expr(a, scope.any())));
                return None;
            }
            None => {}
        }
        if let Some((ty, name)) = surface::number_function(path) {
            let Some((first, rest)) = args.split_first() else {
                let constant = Prim::find(Spelling::Method, &name).is_none() && name != "from";
                if let Some(message) = surface::consts::no_constant(path).filter(|_| constant) {
                    self.error(&codes::UNKNOWN_NAME, at, message);
                    return None;
                }
                self.error(&codes::ARITY, at, format!("`{}` is called without arguments", surface::path_key(path)));
                return None;
            };
            if name == "from" {
                return self
                    .arity(&surface::path_key(path), 1, args, at)
                    .and_then(|()| self.t_from(first, ty, at, scope));
            }
            let t = match Prim::find(Spelling::Method, &name) {
                Some(_) => self.argument(&Type::Scalar(ty), first, scope),
                None => self.expr(first, scope.want(&Type::Scalar(ty))),
            };
            return self.float_method(t, (&name, f.at), rest, (at, scope));
        }
        let is_function = |i: &proc_macro2::Ident| {
            scope.find(i).map(|b| match b {
                Binding::Closure(_) => true,
                Binding::Var(_, ty) => ty.is_fn(),
                Binding::Mutable(_) | Binding::Part(_) | Binding::Broken => false,
            })
        };
        let builtin = surface::builtin(path, args, is_function);
        if let Some(name) = &builtin {
            self.in_places(name, args, at, scope)?;
        }
        match builtin.as_deref() {
            Some("build") => self.call_build(args, at, want),
            Some("ifold") => self.call_ifold(args, at, want),
            Some("stop_gradient") => self.call_stop(args, at, want),
            Some(name @ ("scan" | "scan_exclusive")) => self.call_scan(name, args, at, want),
            Some(name) => self.call_reduction(name, args, at, want),
            None if self.is_itself(path) => {
                self.error(&codes::RECURSION, at, format!("`{}` calls itself", self.interface.own_name));
                None
            }
            None => self.call_kernel(path, args, at, scope),
        }
    }

    /// `stop_gradient(e)`.
    fn call_stop(&mut self, args: &[Surface], at: Extent, want: Want) -> Option<Expr> {
        self.arity("stop_gradient", 1, args, at)?;
        let a = self.expr(&args[0], want)?;
        let a = self.value(a, args[0].at)?;
        let (o, ty) = (self.origin(at), a.ty().clone());
        let mark = marks::enter(Callee::STOP, &mut self.interface.callees);
        Some(records::retyped(build::marked(mark, records::as_stored(a), vec![], o), &ty))
    }

    fn not_a_function(&mut self, name: &str, at: Extent, message: String) {
        if !surface::is_builtin(name) {
            return self.error(&codes::NOT_A_FUNCTION, at, message);
        }
        let help = format!("the variable `{name}` hides the built-in function: give it another name");
        let message = message.lines().next().unwrap_or_default();
        self.helped(&codes::NOT_A_FUNCTION, at, message, &help);
    }

    /// Arguments, functions among them, checked against parameter types.
    fn arguments(&mut self, params: &[Type], args: &[Surface], at: Extent, scope: &Scope) -> Option<Vec<Expr>> {
        if params.len() != args.len() {
            self.error(
                &codes::ARITY,
                at,
                format!("this function takes {}, but {}", counted(params.len()), given(args.len())),
            );
            return None;
        }
        let terms: Vec<Option<Expr>> = params.iter().zip(args).mapped(|(p, a)| self.argument(p, a, scope));
        terms.into_iter().collect()
    }

    pub(crate) fn argument(&mut self, param: &Type, a: &Surface, scope: &Scope) -> Option<Expr> {
        if let Type::Fn(params, r) = param {
            let f = self.function(a, params, scope.want(r))?;
            if f.ty() != param {
                self.error(
                    &codes::MISMATCH,
                    a.at,
                    format!("this function has type {}, but the parameter has type {param}\nreturn what the parameter returns: a closure can convert, as in `|x| f(x) as f64`", f.ty()),
                );
                return None;
            }
            self.typed.types.insert(a.id, param.clone());
            return Some(f);
        }
        let t = self.expr(a, scope.want(param))?;
        let t = self.value(t, a.at)?;
        if t.ty() != param {
            self.wrong_argument(a, t.ty(), &param.to_string(), param);
            return None;
        }
        Some(t)
    }

    /// Reports an argument whose type is not the parameter's.
    pub(crate) fn wrong_argument(&mut self, a: &Surface, ty: &Type, shown: &str, param: &Type) {
        // A type parameter of the callee has no name here.
        let closed = crate::elaborate::advice::mismatch::closed(param, shown);
        let hint = crate::elaborate::advice::mismatch::argument(a, ty, param, &closed);
        let message = format!("this argument has type {ty}, but the parameter has type {shown}{hint}");
        self.error(&codes::MISMATCH, a.at, message);
    }

    /// T-Abs: a function where one is expected whose types of parameters are known.
    pub(crate) fn function(&mut self, a: &Surface, params: &[Type], want: Want) -> Option<Expr> {
        match &a.kind {
            ExprKind::Closure(_) => {
                let (vars, body) = self.function_body(a, params, want)?;
                let o = self.origin(a.at);
                let params = vars.into_iter().zip(params.iter().cloned()).collect();
                Some(build::lam(params, body, o))
            }
            ExprKind::Same(inner) => self.function(inner, params, want),
            ExprKind::Path(p) => {
                match p.get_ident().and_then(|i| want.scope.find(i)) {
                    Some(Binding::Closure(pending)) => {
                        let (v, ty) = self.instantiate(&pending, params, a.at)?;
                        self.typed.types.insert(a.id, ty.clone());
                        let o = self.origin(a.at);
                        return Some(build::var(v, ty, o));
                    }
                    Some(Binding::Var(v, ty)) if ty.is_fn() => {
                        self.typed.types.insert(a.id, ty.clone());
                        let o = self.origin(a.at);
                        return Some(build::var(v, ty, o));
                    }
                    Some(Binding::Var(_, ty)) => {
                        self.error(
                            &codes::MISMATCH,
                            a.at,
                            format!("a function is expected here, but this has type {ty}\nwrite a closure, as in `|i| a[i]` for an array and `|_| x` for a number"),
                        );
                        return None;
                    }
                    Some(Binding::Mutable(_) | Binding::Part(_)) => {
                        self.error(
                            &codes::MISMATCH,
                            a.at,
                            "a function is expected here, but this is a variable\nwrite a closure, as in `|_| x`",
                        );
                        return None;
                    }
                    Some(Binding::Broken) => return None,
                    None => {}
                }
                self.eta(p, params, a, want.scope)
            }
            ExprKind::Error => None,
            _ => {
                self.error(
                    &codes::MISMATCH,
                    a.at,
                    "a closure or the name of a kernel is expected here\nwrite a closure, as in `|x| x * x`",
                );
                None
            }
        }
    }

    /// Whether a path names the kernel that is compiled, `f` or `self::f`.
    fn is_itself(&self, path: &syn::Path) -> bool {
        let mut names = path.segments.iter().map(|s| &s.ident);
        let first = names.next().filter(|i| *i != "self").or_else(|| names.next());
        names.next().is_none() && first.is_some_and(|i| surface::plain(i) == self.interface.own_name)
    }

    /// A kernel's name as a function: `λx̄. k x̄`.
    fn eta(&mut self, path: &syn::Path, params: &[Type], a: &Surface, scope: &Scope) -> Option<Expr> {
        if self.is_itself(path) {
            self.error(&codes::RECURSION, a.at, format!("`{}` calls itself", self.interface.own_name));
            return None;
        }
        let k = self.interface.linked.iter().position(|(p, _)| surface::path_key(p) == surface::path_key(path));
        let Some(k) = k else {
            self.error(&codes::UNKNOWN_NAME, a.at, format!("nothing in scope is called `{}`", surface::path_key(path)));
            return None;
        };
        let export = &self.interface.linked[k].1;
        if export.poisoned() {
            return None;
        }
        let wanted = export.argument_types();
        let (mut types, consts) = self.turbofish(path, k, a.at, scope)?;
        let fits = wanted.len() == params.len()
            && wanted.iter().zip(params).all(|(w, p)| crate::elaborate::terms::kernels::unify(w, p, &mut types));
        let types: Option<Vec<Scalar>> = types.into_iter().collect();
        let Some(types) = types.filter(|_| fits) else {
            let shown = |ts: Vec<String>| ts.join(", ");
            let message = format!(
                "a function of ({}) is expected here, but `{}` takes ({})\nwrite a closure that calls it with the arguments that it takes, as in `|x| f(x, 1.0)`",
                shown(params.iter().mapped(Type::to_string)),
                surface::path_key(path),
                shown(wanted.iter().mapped(crate::elaborate::terms::kernels::of_bounds))
            );
            self.error(&codes::MISMATCH, a.at, message);
            return None;
        };
        if self.interface.linked[k].1.changed().contains(&true) {
            let message = format!(
                "`{}` changes an argument, so it cannot be passed as a function\ncall it in a loop",
                surface::path_key(path)
            );
            self.error(&codes::FUNCTION_VALUE, a.at, message);
            return None;
        }
        let o = self.origin(a.at);
        let vars: Vec<VarId> = params.iter().mapped(|_| self.names.fresh("x"));
        let args = vars.iter().zip(params).mapped(|(v, t)| build::var(*v, t.clone(), o));
        let body = self.apply_kernel((k, &types), args, &consts, a.at)?;
        let lam = build::lam(vars.into_iter().zip(params.iter().cloned()).collect(), body, o);
        self.typed.types.insert(a.id, lam.ty().clone());
        Some(lam)
    }

    /// The parameters and body of a function argument: those of the closure, or an application of the function to fresh
    /// variables.
    pub(crate) fn function_body(&mut self, a: &Surface, params: &[Type], want: Want) -> Option<(Vec<VarId>, Expr)> {
        let ExprKind::Closure(c) = &a.kind else {
            let f = self.function(a, params, want)?;
            let o = f.origin();
            let vars: Vec<VarId> = params.iter().mapped(|_| self.names.fresh("i"));
            let args = vars.iter().zip(params).mapped(|(v, t)| build::var(*v, t.clone(), o));
            return Some((vars, build::app(f, args, o)));
        };
        if let Some(f) = &c.of {
            let name = f.rsplit("::").next().unwrap_or(f);
            if Prim::find(Spelling::Method, name).is_none() && !["from", "sin_cos"].contains(&name) {
                let ty = c.params.first().and_then(|p| self.pattern_type(p));
                self.no_method(ty.as_ref(), (name, a.at), want.scope);
                return None;
            }
            let own = c.params.iter().mapped(|p| self.pattern_type(p));
            let fits = |(t, p): (&Option<Type>, &Type)| t.as_ref().is_none_or(|t| t == p);
            if own.len() != params.len() || !own.iter().zip(params).all(fits) {
                let code = if own.len() == params.len() { &codes::MISMATCH } else { &codes::CLOSURE_COUNT };
                self.error(code, a.at, wrong_arguments(f, &own, params));
                return None;
            }
        }
        if c.params.len() != params.len() {
            self.error(&codes::CLOSURE_COUNT, a.at, wrong_count(c, params.len()));
            return None;
        }
        let vars: Vec<VarId> =
            c.params.iter().mapped(|p| self.names.fresh(&crate::elaborate::context::pattern_name(p)));
        let o = self.origin(a.at);
        let captured = self.flow.declared();
        let (mut inner, mut lets) = (want.scope.clone(), Vec::new());
        for ((p, v), t) in c.params.iter().zip(&vars).zip(params) {
            let (more, next) = self.destructure(p, build::var(*v, t.clone(), o), &inner)?;
            self.ascribe(p, *v, want.scope);
            lets.push_all(more);
            inner = next;
        }
        self.typed.closures.insert(a.id, params.to_vec());
        let mut body = self.closure_body((a, captured), &c.body, Want { ty: want.ty, scope: &inner })?;
        body = self.value(body, c.body.at)?;
        for (x, part) in lets.into_iter().rev() {
            body = build::bind(x, part, body, o);
        }
        Some((vars, body))
    }

    /// The written type of a pattern, if all of it is written.
    pub(crate) fn pattern_type(&mut self, p: &Pattern) -> Option<Type> {
        match p {
            Pattern::Name(_, Some(t), ..) => self.written(t),
            Pattern::Name(_, None, ..) | Pattern::Rest(_) => None,
            Pattern::Tuple(ps, at) => {
                let ts: Vec<Type> = ps.iter().map(|p| self.pattern_type(p)).collect::<Option<_>>()?;
                self.few_parts(&ts, *at)?;
                Some(Type::Tuple(ts))
            }
        }
    }

    /// The variable of a `let`-bound closure. Its first use gives its parameters their types and makes its term.
    pub(crate) fn instantiate(
        &mut self,
        pending: &Rc<RefCell<Pending>>,
        params: &[Type],
        at: Extent,
    ) -> Option<(VarId, Type)> {
        let (var, done, busy, failed) = {
            let p = pending.borrow();
            (p.var, p.done.as_ref().map(|(_, t)| t.clone()), p.busy, p.failed)
        };
        // Its errors have been reported. Typing it again at each use would double them.
        if failed {
            return None;
        }
        if busy {
            self.error(&codes::RECURSION, at, "this closure calls itself");
            return None;
        }
        if let Some(ty) = done {
            let Type::Fn(had, _) = &ty else { return None };
            if had.len() != params.len() {
                let message = wrong_count(&pending.borrow().closure, params.len());
                self.error(&codes::CLOSURE_COUNT, at, message);
                return None;
            }
            if had != params {
                self.error(
                    &codes::MISMATCH,
                    at,
                    "a closure has a single type, but this use has other parameter types than its first use\nwrite a closure for each type, or a kernel that is generic over `T: Real`",
                );
                return None;
            }
            return Some((var, ty));
        }
        pending.borrow_mut().busy = true;
        let (closure, id, scope) = {
            let p = pending.borrow();
            (p.closure.clone(), p.id, p.scope.clone())
        };
        let surface = Surface { kind: ExprKind::Closure(Box::new(closure.clone())), at: closure.body.at, id };
        let made = self.function_body(&surface, params, scope.any());
        pending.borrow_mut().busy = false;
        pending.borrow_mut().failed = made.is_none();
        let (vars, body) = made?;
        let o = self.origin(closure.body.at);
        let lam = build::lam(vars.into_iter().zip(params.iter().cloned()).collect(), body, o);
        let ty = lam.ty().clone();
        pending.borrow_mut().done = Some((lam, ty.clone()));
        Some((var, ty))
    }

    fn call_closure(
        &mut self,
        pending: &Rc<RefCell<Pending>>,
        args: &[Surface],
        at: Extent,
        scope: &Scope,
    ) -> Option<Expr> {
        let written: Vec<Option<Type>> = {
            let patterns = pending.borrow().closure.params.clone();
            if patterns.len() != args.len() {
                self.error(
                    &codes::ARITY,
                    at,
                    format!("this closure takes {}, but {}", counted(patterns.len()), given(args.len())),
                );
                return None;
            }
            patterns.iter().mapped(|p| self.pattern_type(p))
        };
        let known = pending.borrow().done.as_ref().map(|(_, t)| t.clone());
        let hints: Vec<Option<Type>> = match known {
            Some(Type::Fn(ps, _)) => ps.into_iter().mapped(Some),
            _ => written,
        };
        let terms: Vec<Option<Expr>> = args
            .iter()
            .zip(&hints)
            .mapped(|(a, h)| self.expr(a, Want { ty: h.as_ref(), scope }).and_then(|t| self.value(t, a.at)));
        let terms: Vec<Expr> = terms.into_iter().collect::<Option<_>>()?;
        let types: Vec<Type> = terms.iter().mapped(|t| t.ty().clone());
        for ((t, want), a) in terms.iter().zip(&hints).zip(args) {
            if let Some(want) = want
                && want != t.ty()
            {
                self.wrong_argument(a, t.ty(), &want.to_string(), want);
                return None;
            }
        }
        let (v, ty) = self.instantiate(pending, &types, at)?;
        let o = self.origin(at);
        Some(build::app(build::var(v, ty, o), terms, o))
    }
}
