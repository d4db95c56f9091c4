//! The calls of a kernel that cannot be calls of kernels, as its module and the files around it say.

use super::files::import_path;
use super::{Files, Module, PRELUDE, imports, is_named, may_be_a_kernel, may_define, of_std, type_named};
use crate::diag::{Diags, codes, hints};
use crate::mapped::Mapped;
use crate::prim::Prim;
use crate::surface::parse::extent;
use crate::surface::{
    Child, Expr, ExprKind, Function, Pattern, Stmt, TypeKind, builtins, callees, first_call, function_like, is_builtin,
    meant, path_key, plain, terms, usage,
};
use syn::{Item, UseTree};

/// A kernel, its module, the items of its file, and the files around that.
pub(super) struct Around<'a> {
    pub(super) module: Module<'a>,
    pub(super) file: &'a [Item],
    pub(super) files: Option<&'a Files<'a>>,
    /// The kernel whose calls these are.
    pub(super) kernel: &'a Function,
}

impl Around<'_> {
    /// Reports a call of `name` by `path` from the kernel `own`, if it cannot be one of a kernel.
    pub(super) fn check(&self, own: &str, path: &syn::Path, name: &str, diags: &mut Diags) {
        if let Some(module) = self.module.inner(path) {
            let beside = std::ptr::eq(module.items, self.module.items);
            return self.check_in(&module, beside.then_some(own), (path, name), diags);
        }
        let segments: Vec<String> = path.segments.iter().mapped(|s| plain(&s.ident));
        if path.leading_colon.is_none()
            && let Some(items) = self.elsewhere(&segments[..segments.len() - 1])
        {
            return self.check_in(&Module { items: &items, inline: true }, None, (path, name), diags);
        }
        self.no_module(path, &segments, diags);
    }

    /// Reports the first module of a path, if there is none of this name.
    fn no_module(&self, path: &syn::Path, segments: &[String], diags: &mut Diags) {
        let root = || self.files?.items_of_root(self.file);
        let (at, items) = match segments {
            [first, _, _, ..] if first == "self" => (1, None),
            [first, _, _, ..] if first == "crate" => match root() {
                Some(items) => (1, Some(items)),
                None => return,
            },
            [first, _, ..] if self.files.is_some_and(|f| f.is_no_crate(self.file, first)) => (0, None),
            _ => return,
        };
        let module = match &items {
            Some(items) => Module { items, inline: false },
            None => Module { items: self.module.items, inline: self.module.inline },
        };
        let name = segments[at].as_str();
        // Types and the path's own words are others' to explain.
        if path.leading_colon.is_some()
            || ["crate", "self", "super"].contains(&name)
            || name.starts_with(char::is_uppercase)
            || !module.says_all()
            || module.items.iter().any(|i| is_named(i, name))
        {
            return;
        }
        let modules =
            module.items.iter().filter_map(|i| if let Item::Mod(m) = i { Some(plain(&m.ident)) } else { None });
        let modules: Vec<String> = modules.collect();
        let shown = segments[..=at].join("::");
        let near = hints::nearest(name, modules.iter().map(String::as_str));
        let function = hints::function(&segments[segments.len() - 1], &self.arguments(path));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if at == 0
                && let Some(way) = function =>
            {
                way
            }
            None if at == 0
                && root().is_some_and(|r| r.iter().any(|i| matches!(i, Item::Mod(m) if m.ident == name))) =>
            {
                format!("write `crate::{}`, or import the module, as in `use crate::{name};`", path_key(path))
            }
            None if at == 1 => format!("declare the module there, as in `mod {name};`, or correct the path"),
            None => format!(
                "declare the module, `mod {name};`, or import it, as in `use crate::{name};`; another crate has to be in Cargo.toml"
            ),
        };
        let message = format!("no module in scope is called `{shown}`");
        let ident = &path.segments[at].ident;
        diags.helped(&codes::UNKNOWN_NAME, extent(ident), message, &help);
    }

    /// The items of a module of another file, or of an inline module that is reached from the root.
    fn elsewhere(&self, path: &[String]) -> Option<Vec<Item>> {
        let relative = path.first().is_some_and(|first| first != "crate");
        // The files of the modules of an inline module are elsewhere.
        if relative && !std::ptr::eq(self.module.items, self.file) {
            return None;
        }
        Some(self.files?.module(self.file, path)?.items)
    }

    /// Reports the call, if this module decides it. `own` is the kernel that calls, if it stands here.
    fn check_in(&self, module: &Module, own: Option<&str>, (path, name): (&syn::Path, &str), diags: &mut Diags) {
        let shown = path_key(path);
        let functions: Vec<_> = module.functions().filter(|f| plain(&f.sig.ident) == name).collect();
        if !functions.is_empty() {
            if functions.iter().any(|f| may_be_a_kernel(f)) {
                if let Some((own, way)) = own.and_then(|own| Some((own, module.way_back(name, own)?))) {
                    if callees(self.kernel).iter().any(|p| path_key(p) == shown) {
                        let message = format!("`{own}` calls {way}, which calls `{own}` in turn");
                        diags.error_between(&codes::RECURSION, extent(path), message);
                    } else {
                        let message = format!("`{own}` has the rule {way}, which calls `{own}`");
                        let help = "a rule cannot call its kernel: put what both compute into a kernel of its own, and call that one in both";
                        diags.helped(&codes::RECURSION, extent(path), message, help);
                    }
                } else if own.is_none()
                    && !["crate", "super"].iter().any(|w| path.segments[0].ident == *w)
                    && functions.iter().all(|f| matches!(f.vis, syn::Visibility::Inherited))
                {
                    let message = format!("the kernel `{shown}` is private to its module");
                    let help = format!("write `pub(crate) fn {name}`, or `pub fn {name}`, there");
                    diags.helped(&codes::UNKNOWN_NAME, extent(path), message, &help);
                }
                return;
            }
            return ordinary(path, diags);
        }
        if let Some(from) = module.imported().find(|t| imports(t, name)) {
            if of_std(from) {
                let message = format!("`{name}` is a function of the standard library, and kernels call only kernels");
                let help = hints::function(name, &self.arguments(path))
                    .unwrap_or_else(|| "write what it does with the functions and methods of the language".into());
                diags.helped(&codes::NOT_A_KERNEL, extent(path), message, &help);
            } else if own.is_some() && self.imports_a_function(from, name) {
                ordinary(path, diags);
            }
            return;
        }
        if !module.says_all() || module.items.iter().any(|i| may_define(i, name)) || PRELUDE.contains(&name) {
            return;
        }
        let kernel = own.and_then(|_| self.files?.kernel(self.file, self.module.items, name));
        if let Some(kernel) = kernel {
            let message = format!("`{name}` is a kernel of another module, and is not imported here");
            let help = format!("write `use {kernel};` above this kernel, or call it as `{kernel}`");
            return diags.helped(&codes::UNKNOWN_NAME, extent(path), message, &help);
        }
        if let Some(usage) = usage(name).filter(|_| is_builtin(name)) {
            let message = format!("the built-in function `{name}` does not take these arguments");
            let parts = self.kernel.params.iter().flat_map(|p| p.parts());
            let numbers: Vec<_> =
                parts.filter(|(_, t)| matches!(t.kind, TypeKind::Scalar(_))).filter_map(|p| p.0).collect();
            let meant = first_call(self.kernel, path)
                .and_then(|args| meant(name, args, &|i| numbers.contains(&i).then_some(0)));
            let help = meant.map(|call| format!("write `{call}`")).or_else(|| hints::function(name, &[]));
            let help = help.unwrap_or_else(|| format!("write `{usage}`"));
            return diags.helped(&codes::ARITY, extent(path), message, &help);
        }
        if path.get_ident().is_some() && calls_itself(&self.kernel.body, name) {
            let message = format!("the closure `{name}` calls itself");
            let help = "in Rust, too, the name of a closure is in scope only behind its `let`: write a loop, `for` or `while`, or `ifold(n, init, |state, i| …)`";
            return diags.helped(&codes::RECURSION, extent(path), message, help);
        }
        let kernels: Vec<String> = module.functions().filter(|f| may_be_a_kernel(f)).mapped(|f| plain(&f.sig.ident));
        let others = kernels.iter().map(String::as_str).filter(|k| Some(*k) != own);
        let (near, help) = instead((name, &self.arguments(path)), others);
        let near = near.map(|k| format!(": did you mean `{k}`?")).unwrap_or_default();
        let message = match module.certain().find_map(|i| type_named(i, name)) {
            Some(what) => format!("`{shown}` is {what} and not a kernel"),
            None => format!("no function in scope is called `{shown}`{near}"),
        };
        diags.helped(&codes::UNKNOWN_NAME, extent(path), message, &help);
    }

    /// The arguments of the first call of a path.
    fn arguments(&self, path: &syn::Path) -> Vec<Option<String>> {
        first_call(self.kernel, path).map_or_else(Vec::new, terms::operands)
    }

    /// Whether an import next to the kernel imports a function that is not a kernel.
    fn imports_a_function(&self, from: &UseTree, name: &str) -> bool {
        let Some(path) = import_path(from, name) else { return false };
        let Some((last, path)) = path.split_last() else { return false };
        let Some(items) = self.elsewhere(path) else { return false };
        let module = Module { items: &items, inline: true };
        let mut functions = module.functions().filter(|f| plain(&f.sig.ident) == *last).peekable();
        functions.peek().is_some() && functions.all(|f| !may_be_a_kernel(f))
    }
}

/// Whether a `let` in `e` binds `name` to a closure that calls `name`.
fn calls_itself(e: &Expr, name: &str) -> bool {
    let is = |p: &syn::Path| p.get_ident().is_some_and(|i| plain(i) == name);
    let calls = |e: &Expr| any(e, &mut |e| matches!(&e.kind, ExprKind::Path(p) if is(p)));
    any(e, &mut |e| {
        let ExprKind::Block(stmts, _) = &e.kind else { return false };
        stmts.iter().any(|s| match s {
            Stmt::Let(Pattern::Name(Some(i), ..), e) => {
                plain(i) == name && matches!(&e.kind, ExprKind::Closure(c) if calls(&c.body))
            }
            _ => false,
        })
    })
}

/// Whether something holds of `e` or of a term in it.
fn any(e: &Expr, f: &mut impl FnMut(&Expr) -> bool) -> bool {
    f(e) || e.children().into_iter().any(|c| matches!(c, Child::Expr(e) if any(e, f)))
}

/// The kernel or built-in function with the name nearest to `name`, which is not in scope; and the way out.
fn instead<'a>(
    (name, args): (&str, &[Option<String>]),
    kernels: impl Iterator<Item = &'a str>,
) -> (Option<String>, String) {
    if let Some(way) = hints::function(name, args) {
        return (None, way);
    }
    if !function_like(&syn::Ident::new(name, proc_macro2::Span::call_site()).into()) {
        return (
            None,
            "a kernel has no structs and no enums: write a tuple, as in `(x, y)`, and a number for an enum".into(),
        );
    }
    let near = hints::nearest(name, kernels.chain(builtins().map(|b| -> &'a str { b }))).map(String::from);
    let way = match &near {
        Some(near) if let Some(usage) = usage(near) => Some(format!("write `{usage}`")),
        Some(_) => None,
        None => hints::nearest(name, Prim::methods()).and_then(hints::method),
    };
    let all = "a kernel calls the kernels of its module and those that it imports, as in `use crate::module::kernel;`";
    (near, way.unwrap_or(all.into()))
}

/// Reports a call of a function that is not a kernel.
fn ordinary(path: &syn::Path, diags: &mut Diags) {
    let shown = path_key(path);
    let message = format!("`{shown}` is an ordinary function, and kernels call only kernels");
    let help = format!("put `#[smooth]` on `{shown}` too, or write here what it does");
    diags.helped(&codes::NOT_A_KERNEL, extent(path), message, &help);
}
