//! `build` and `ifold`: a count, and a function that is applied in each iteration.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Scope, Want};
use crate::elaborate::terms::records;
use crate::fsmooth::{Expr, build};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::surface::{Expr as Surface, ExprKind, Extent, axes, has_axes};
use crate::ty::{Scalar, Type};

impl Cx<'_> {
    /// `build(n, |i| e)` and `build([n, m], |i, j| e)`.
    pub(crate) fn call_build(&mut self, args: &[Surface], at: Extent, want: Want) -> Option<Expr> {
        self.arity("build", 2, args, at)?;
        self.indices("build", (&args[0], &args[1]))?;
        let counts = axes(&args[0]);
        let terms: Vec<Option<Expr>> = counts.iter().mapped(|n| self.usize(n, want.scope));
        let mut element = want.ty.cloned();
        for _ in counts {
            element = element.and_then(|t| t.element());
        }
        let made = self.function_body(&args[1], &vec![Type::USIZE; counts.len()], want.with(element.as_ref()));
        let (vars, body) = made?;
        let body = self.element(body, args[1].at)?;
        let terms: Vec<Expr> = terms.into_iter().all_some()?;
        let o = self.origin(at);
        let loops = vars.into_iter().zip(terms).rev();
        Some(loops.fold(body, |body, (i, n)| records::list(n, i, body, o)))
    }

    /// `ifold(n, init, |state, i| e)`.
    pub(crate) fn call_ifold(&mut self, args: &[Surface], at: Extent, want: Want) -> Option<Expr> {
        self.arity("ifold", 3, args, at)?;
        let n = self.count("ifold", &args[0], want.scope);
        // Literals in the initial state take the type that the step function declares.
        let written = match &args[2].kind {
            ExprKind::Closure(c) => c.params.first().and_then(|p| self.pattern_type(p)),
            _ => None,
        };
        let init = self.expr(&args[1], want.with(written.as_ref().or(want.ty)));
        let init = init.and_then(|t| self.value(t, args[1].at));
        let (n, mut init) = (n?, init?);
        if let ExprKind::Closure(c) = &args[2].kind
            && let Some(p) = c.params.first()
        {
            let opened = records::opened(p, init.ty());
            init = self.converted(init, &opened, &args[1]);
        }
        let ty = init.ty().clone();
        let (vars, body) = self.step(&args[2], &ty, want)?;
        let o = self.origin(at);
        Some(build::ifold(n, init, (vars[0], vars[1]), body, o))
    }

    /// The first argument of a built-in function other than `build`: the number of calls of its last argument.
    pub(crate) fn count(&mut self, function: &str, e: &Surface, scope: &Scope) -> Option<Expr> {
        let t = self.expr(e, scope.want(&Type::USIZE))?;
        if t.ty().scalar().is_some_and(Scalar::is_int) {
            return self.as_usize(t, e);
        }
        let message = format!("`{function}` begins with a count, a `usize`, but this has type {}", t.ty());
        let usage = crate::surface::usage(function).unwrap_or_default();
        let help = match (&e.kind, t.ty()) {
            (ExprKind::Path(p), ty) if ty.is_array() => {
                let len = format!("({}.len(),", crate::surface::path_key(p));
                format!("write `{}`", usage.replacen("(n,", &len, 1))
            }
            (ExprKind::Array(_) | ExprKind::Tuple(_), _) if !has_axes(function) => {
                format!("write `{usage}`, and another one in the place of `…` for a second axis")
            }
            (_, ty) if ty.scalar().is_some_and(Scalar::is_float) => {
                format!("write `{usage}`; a float becomes a count with `as`, as in `x as usize`")
            }
            _ => format!("write `{usage}`"),
        };
        self.helped(&codes::MISMATCH, e.at, message, &help);
        None
    }

    /// The step of a fold or a scan: a function of the state and the index to the next state.
    pub(crate) fn step(&mut self, f: &Surface, ty: &Type, want: Want) -> Option<(Vec<VarId>, Expr)> {
        let before = self.diags.iter().count();
        let typed = self.function_body(f, &[ty.clone(), Type::USIZE], want.with(Some(ty)));
        if let Some((_, body)) = &typed
            && body.ty() != ty
        {
            let way = match (ty.scalar(), body.ty().scalar()) {
                (Some(from), Some(to))
                    if from.is_int()
                        && to.is_number()
                        && crate::elaborate::advice::common::common(from, to, None) == to =>
                {
                    format!("\nstart with a value of type {0}, as in `0 as {0}`", body.ty())
                }
                _ => self.way(crate::elaborate::advice::widen::result(f), body.ty(), ty),
            };
            let message = format!("the state starts with type {ty}, but a step returns {}{way}", body.ty());
            self.error(&codes::MISMATCH, f.at, message);
        }
        if self.diags.iter().count() == before {
            return typed;
        }
        if let Some((index, state)) = swapped(f) {
            let help = format!("the state comes first and the index second: write `|{state}, {index}|`");
            self.diags.advise(before, &help);
        }
        None
    }
}

/// The names of a closure's parameters, the first of which is a usual name of an index, and the second is not.
fn swapped(f: &Surface) -> Option<(String, String)> {
    let ExprKind::Closure(c) = &f.kind else { return None };
    let names: Vec<String> = c.params.iter().mapped(crate::elaborate::context::pattern_name);
    let index = |name: &String| ["i", "j", "k", "l", "idx", "index"].contains(&name.as_str());
    matches!(&names[..], [first, second] if index(first) && !index(second))
        .then(|| (names[0].clone(), names[1].clone()))
}
