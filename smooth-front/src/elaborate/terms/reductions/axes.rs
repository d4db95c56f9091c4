//! Functions of the indices of several axes: `build([h, w], |i, j| e)`, `sum([h, w], |i, j| e)`.

use crate::diag::codes;
use crate::elaborate::advice::counts::{counted, given, plural};
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Scope, Want};
use crate::fsmooth::Expr;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::surface::{self, Closure, Expr as Surface, ExprKind, Extent, Pattern, axes, terms};
use crate::ty::Type;
use proc_macro2::Ident;

/// The term of a reduction, with an index for each count.
pub(crate) struct Terms {
    /// Nothing if an error in one of them has been reported.
    pub(crate) counts: Option<Vec<Expr>>,
    pub(crate) indices: Vec<VarId>,
    pub(crate) body: Expr,
}

impl Terms {
    /// The loops of a nest and its term, made from the inside.
    pub(crate) fn nest(self, each: &mut dyn FnMut(Expr, VarId, Expr) -> Expr) -> Option<Expr> {
        let loops = self.counts?.into_iter().zip(self.indices).rev();
        Some(loops.fold(self.body, |body, (n, i)| each(n, i, body)))
    }
}

impl Cx<'_> {
    /// The counts and the term of a reduction.
    pub(crate) fn terms(&mut self, name: &str, counts: &Surface, f: &Surface, want: Want) -> Option<Terms> {
        self.indices(name, (counts, f))?;
        let counts = axes(counts);
        let terms = counts.iter().mapped(|n| self.count(name, n, want.scope));
        let (indices, body) = self.function_body(f, &vec![Type::USIZE; counts.len()], want)?;
        Some(Terms { counts: terms.into_iter().all_some(), indices, body })
    }

    /// Reports counts that are a tuple, and a closure without one parameter for each count.
    pub(crate) fn indices(&mut self, name: &str, (counts, f): (&Surface, &Surface)) -> Option<()> {
        let closure = match &f.kind {
            ExprKind::Closure(c) if c.of.is_none() => Some(&**c),
            _ => None,
        };
        if let ExprKind::Tuple(parts) = &counts.kind
            && !parts.is_empty()
        {
            let way = usage(name, parts, closure);
            let message = format!("the counts of several axes are an array, but this is a tuple\nwrite `{way}`");
            self.error(&codes::MISMATCH, counts.at, message);
            return None;
        }
        if matches!(&counts.kind, ExprKind::Array(ns) if ns.is_empty()) {
            let way = usage(name, [counts], None).replacen("[]", "n", 1);
            self.error(&codes::MISMATCH, counts.at, format!("`{name}` needs a count\nwrite `{way}`"));
            return None;
        }
        let ns = axes(counts);
        let own = closure.map_or(ns.len(), |c| c.params.len());
        if own == ns.len() {
            return Some(());
        }
        let way = if own < ns.len() {
            format!("write `{}`", usage(name, ns, closure))
        } else {
            // As many counts as there are parameters, so that it compiles.
            let way = usage(name, ns.iter().chain(ns.last().into_iter().cycle()).take(own), closure);
            format!("give a count for each parameter, as in `{way}`, or remove the last parameters")
        };
        let passed = if ns.len() == 1 { "1 index".into() } else { format!("{} indices", ns.len()) };
        let counts = plural(ns.len(), "count");
        let parameters = plural(own, "parameter");
        let message = format!("`{name}` of {counts} passes {passed}, but this closure has {parameters}\n{way}");
        self.error(&codes::CLOSURE_COUNT, f.at, message);
        None
    }

    /// Reports arguments of a built-in function that are not in their places, if it is known which call is meant.
    pub(crate) fn in_places(&mut self, name: &str, args: &[Surface], at: Extent, scope: &Scope) -> Option<()> {
        let Some(way) = self.call_meant(name, args, scope) else { return Some(()) };
        let wanted = surface::arity(name);
        let ident = |e: &Surface| if let ExprKind::Path(p) = &e.kind { p.get_ident().cloned() } else { None };
        let is_array = |e: &Surface| ident(e).is_some_and(|i| self.rank(&i, scope).is_some_and(|rank| rank > 0));
        let message = match args.len() == wanted {
            true if is_array(&args[0]) => format!("`{name}` begins with a count, a `usize`, and this is an array"),
            true if args.len() == 2 && !args.iter().any(|a| matches!(a.kind, ExprKind::Closure(_))) => {
                format!("the last argument of `{name}` is a function of the index")
            }
            true => format!("the arguments of `{name}` are not in their places"),
            false => format!("`{name}` takes {}, but {}", counted(wanted), given(args.len())),
        };
        self.helped(&codes::ARITY, at, &message, &format!("write `{way}`"));
        None
    }

    /// The call of a built-in function that is meant by one with these arguments.
    pub(crate) fn call_meant(&self, name: &str, args: &[Surface], scope: &Scope) -> Option<String> {
        surface::meant(name, args, &|i| self.rank(i, scope)).filter(|_| surface::is_builtin(name))
    }

    /// The number of axes of a variable.
    fn rank(&self, i: &Ident, scope: &Scope) -> Option<usize> {
        let ty = match scope.find(i)? {
            Binding::Var(_, ty) => ty,
            Binding::Mutable(m) => self.flow.type_of(m)?,
            Binding::Part(p) => p.ty.clone(),
            _ => return None,
        };
        if ty.is_array() { Some(ty.rank()) } else { ty.scalar().map(|_| 0) }
    }

    /// Reports the wrong number of arguments of a built-in function.
    pub(crate) fn arity(&mut self, name: &str, wanted: usize, args: &[Surface], at: Extent) -> Option<()> {
        if args.len() == wanted {
            return Some(());
        }
        let way = surface::usage(name).map(|u| format!("\nwrite `{u}`")).unwrap_or_default();
        let message = format!("`{name}` takes {}, but {}{way}", counted(wanted), given(args.len()));
        self.error(&codes::ARITY, at, message);
        None
    }
}

/// A call over these counts as it is written, with the names of the closure's parameters if there is one for each.
fn usage<'s>(name: &str, counts: impl IntoIterator<Item = &'s Surface>, closure: Option<&Closure>) -> String {
    let [sizes, letters] = [["n", "m", "k", "l", "p", "q"], ["i", "j", "k", "l", "p", "q"]];
    let nth = |names: &[&str; 6], k: usize| names.get(k).map_or_else(|| format!("x{k}"), |name| (*name).into());
    let counts: Vec<String> =
        counts.into_iter().enumerate().map(|(k, n)| terms::term(n).unwrap_or_else(|| nth(&sizes, k))).collect_vec();
    let own = closure.map(|c| match c.params.as_slice() {
        [Pattern::Tuple(parts, _)] => parts.iter().mapped(crate::elaborate::context::pattern_name),
        params => params.iter().mapped(crate::elaborate::context::pattern_name),
    });
    let own = own.filter(|names| {
        names.len() == counts.len() && names.iter().all(|n| syn::parse_str::<syn::Ident>(n).is_ok() || n == "_")
    });
    let indices = own.unwrap_or_else(|| (0..counts.len()).map(|k| nth(&letters, k)).collect_vec());
    surface::usage_over(name, &counts, &indices)
}
