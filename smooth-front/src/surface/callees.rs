//! The functions that a kernel calls by name: the paths whose hooks the first phase of the macro asks.

use super::{
    Arm, Case, Child, Expr, ExprKind, Function, Pattern, Stmt, TypeKind, bare, builtin, function_like, is_reserved,
    key, never_a_kernel, number_function, path_key, size_names,
};
use crate::mapped::{Mapped, PushAll};

/// The paths of everything the function may call by name, each once, in order: paths in call position
/// and lower-case paths as arguments, unless they are parameters, locals or built in.
pub fn callees(f: &Function) -> Vec<syn::Path> {
    let mut bound: BoundNames = f.params.iter().flat_map(|p| p.pattern.names()).map(key).collect();
    bound.extend(f.params.iter().flat_map(|p| size_names(&p.ty)).map(|i| key(&i)));
    bound.extend(f.const_generics().into_iter().map(key));
    bound.push(key(&f.name));
    let functions = f.params.iter().flat_map(|p| p.parts()).filter(|(_, t)| matches!(t.kind, TypeKind::Fn(..)));
    let functions = functions.filter_map(|(name, _)| name.map(key)).collect_vec();
    let mut walk = Walk { bound, functions, found: Vec::new() };
    walk.expr(&f.body);
    walk.found
}

/// The arguments of the first call of a path in a function.
pub fn first_call<'f>(f: &'f Function, path: &syn::Path) -> Option<&'f [Expr]> {
    fn find<'f>(e: &'f Expr, name: &str) -> Option<&'f [Expr]> {
        match &e.kind {
            ExprKind::Call(f, args) if matches!(&f.kind, ExprKind::Path(p) if path_key(p) == name) => Some(args),
            _ => e.children().into_iter().find_map(|c| if let Child::Expr(e) = c { find(e, name) } else { None }),
        }
    }
    find(&f.body, &path_key(path))
}

struct Walk {
    bound: BoundNames,
    /// The names that some `let` binds to a closure, or that are parameters of a function's type.
    functions: Vec<String>,
    found: Vec<syn::Path>,
}

impl Walk {
    fn expr(&mut self, e: &Expr) {
        let depth = self.bound.len();
        if let ExprKind::Block(stmts, _) = &e.kind {
            let closures = stmts.iter().filter_map(|s| match s {
                Stmt::Let(Pattern::Name(Some(i), ..), e) if matches!(e.kind, ExprKind::Closure(_)) => Some(key(i)),
                _ => None,
            });
            self.functions.push_all(closures);
        }
        match &e.kind {
            ExprKind::Call(f, args) => self.call(f, args),
            ExprKind::Match(e, arms) => {
                self.expr(e);
                arms.iter().for_each(|a| self.arm(a));
            }
            _ => e.children().into_iter().for_each(|child| match child {
                Child::Expr(e) => self.expr(e),
                Child::Pattern(p) => self.bound.extend(p.names().into_iter().map(key)),
                Child::Case(c) => self.bound.extend(c.names().into_iter().map(key)),
            }),
        }
        self.bound.truncate(depth);
    }

    /// The names of an arm's patterns are in scope in that arm only.
    fn arm(&mut self, a: &Arm) {
        let depth = self.bound.len();
        a.patterns.iter().flat_map(Case::exprs).for_each(|e| self.expr(e));
        self.bound.extend(a.patterns.iter().take(1).flat_map(Case::names).map(key));
        a.guard.iter().chain([&a.body]).for_each(|e| self.expr(e));
        self.bound.truncate(depth);
    }

    fn call(&mut self, f: &Expr, args: &[Expr]) {
        // A built-in takes functions as its last arguments, a method of a number takes none.
        let mut functions = 0..args.len();
        match &f.kind {
            ExprKind::Path(p) => match self.builtin(p, args) {
                Some(name) => functions = args.len().saturating_sub(super::functions(&name))..args.len(),
                None if number_function(p).is_some() => functions = 0..0,
                None => self.note(p),
            },
            _ => self.expr(f),
        }
        for (k, a) in args.iter().enumerate() {
            match &a.kind {
                ExprKind::Path(p) if functions.contains(&k) && function_like(p) => self.note(p),
                _ => self.expr(a),
            }
        }
    }

    fn note(&mut self, path: &syn::Path) {
        let local = path.get_ident().is_some_and(|i| self.bound.contains(&key(i)));
        let known = self.found.iter().any(|p| path_key(p) == path_key(path));
        if !local && number_function(path).is_none() && !is_reserved(path) && !never_a_kernel(path) && !known {
            self.found.push(bare(path));
        }
    }

    fn builtin(&self, path: &syn::Path, args: &[Expr]) -> Option<String> {
        let is_function = |i: &syn::Ident| self.bound.contains(&key(i)).then(|| self.functions.contains(&key(i)));
        builtin(path, args, is_function)
    }
}

/// The names in scope at one point of a walk, in order of binding.
#[derive(Default)]
pub(crate) struct BoundNames {
    order: Vec<String>,
    times: crate::sorted::Map<String, usize>,
}

impl BoundNames {
    /// Binds a name.
    pub fn push(&mut self, name: String) {
        *self.times.entry(name.clone()).or_insert(0) += 1;
        self.order.push(name);
    }

    /// The number of bindings.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The number of the innermost binding of a name.
    pub fn last(&self, name: &str) -> Option<usize> {
        self.order.iter().rposition(|n| n == name)
    }

    /// Drops all bindings but the first `n`.
    pub fn truncate(&mut self, n: usize) {
        for name in self.order.drain(n..) {
            self.times.entry(name).and_modify(|k| *k -= 1);
        }
    }

    /// Whether a name is bound.
    pub fn contains(&self, name: &str) -> bool {
        self.times.get(name).is_some_and(|k| *k > 0)
    }
}

impl Extend<String> for BoundNames {
    fn extend<I: IntoIterator<Item = String>>(&mut self, names: I) {
        names.into_iter().for_each(|n| self.push(n));
    }
}

impl FromIterator<String> for BoundNames {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let mut bound = BoundNames::default();
        bound.extend(names);
        bound
    }
}
