//! What the file around a kernel says about the functions that it calls.
//!
//! rustc resolves the calls, and where it cannot, its own errors come first and speak of modules. So the commonest mistakes
//! are found here before: a function beside the kernel without `#[smooth]`, a name that is nowhere, kernels that call each
//! other. A call is rejected only where the kernel's own module decides it; all others are left to rustc.

use crate::diag::{Diags, codes, hints};
use crate::surface::parse::{extent, readable};
use crate::surface::{Function, path_key, plain};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Item, UseTree};

/// Attributes that leave a function what it is.
const INERT: &[&str] = &[
    "allow",
    "cfg",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "inline",
    "must_use",
    "no_mangle",
    "track_caller",
    "warn",
];

/// Functions of Rust's prelude.
const PRELUDE: &[&str] = &["align_of", "align_of_val", "drop", "size_of", "size_of_val"];

/// Reports the calls of `f`, whose tokens are `item`, that cannot be calls of kernels. `text` is the file that it stands in.
pub fn check(text: &str, f: &Function, item: &TokenStream, callees: &[syn::Path], diags: &mut Diags) {
    let own = plain(&f.name);
    let named: Vec<_> = callees.iter().filter_map(|p| Some((p, plain(&p.segments.last()?.ident)))).collect();
    // Reading the file as Rust costs more than looking for words in it, which is enough for nearly all kernels.
    if named.iter().all(|(_, name)| seems_a_kernel(text, name, &own)) {
        return;
    }
    let tokens = text.parse().ok().filter(|t| readable(t, &mut Diags::new()));
    let (Some(Ok(file)), Ok(kernel)) = (tokens.map(syn::parse2::<syn::File>), syn::parse2::<syn::ItemFn>(item.clone()))
    else {
        return;
    };
    let mut found = Vec::new();
    modules(&file.items, &own, &text_of(&kernel), &mut found);
    let [items] = found[..] else { return };
    for (path, name) in named {
        if let Some(module) = (Module { items }).inner(path) {
            module.check(&own, path, &name, diags);
        }
    }
}

/// The lists of items that contain a function of this name and text.
fn modules<'a>(items: &'a [Item], name: &str, text: &str, found: &mut Vec<&'a [Item]>) {
    for item in items {
        match item {
            Item::Fn(f) if plain(&f.sig.ident) == name && text_of(f) == text => found.push(items),
            Item::Mod(m) => m.content.iter().for_each(|(_, items)| modules(items, name, text, found)),
            _ => {}
        }
    }
}

/// The signature and the body, without blanks.
fn text_of(f: &syn::ItemFn) -> String {
    let mut text = f.sig.to_token_stream().to_string() + &f.block.to_token_stream().to_string();
    text.retain(|c| !c.is_whitespace());
    text
}

/// The items beside the kernel.
struct Module<'a> {
    items: &'a [Item],
}

impl Module<'_> {
    /// The module of a path's end, if it is written in this one.
    fn inner(&self, path: &syn::Path) -> Option<Module<'_>> {
        let mut items = self.items;
        for s in path.segments.iter().take(path.segments.len() - 1).filter(|s| s.ident != "self") {
            let inner = items.iter().find_map(|i| match i {
                Item::Mod(m) if m.ident == s.ident => m.content.as_ref(),
                _ => None,
            });
            items = &inner?.1;
        }
        path.leading_colon.is_none().then_some(Module { items })
    }

    fn check(&self, own: &str, path: &syn::Path, name: &str, diags: &mut Diags) {
        let shown = path_key(path);
        let functions: Vec<_> = self.functions().filter(|f| plain(&f.sig.ident) == name).collect();
        if !functions.is_empty() {
            if functions.iter().any(|f| may_be_a_kernel(f)) {
                if let Some(way) = self.way_back(name, own) {
                    let message = format!("`{own}` calls {way}, which calls `{own}` in turn");
                    diags.error_between(&codes::RECURSION, extent(path), message);
                }
                return;
            }
            let message = format!("`{shown}` is an ordinary function, and kernels call only kernels");
            let help = format!("put `#[smooth]` on `{shown}` too, or write here what it does");
            return diags.helped(&codes::NOT_A_KERNEL, extent(path), message, &help);
        }
        let imported = self.items.iter().filter_map(|i| if let Item::Use(u) = i { Some(&u.tree) } else { None });
        if let Some(from) = imported.clone().find(|t| imports(t, name)) {
            if of_std(from) {
                let message = format!("`{name}` is a function of the standard library, and kernels call only kernels");
                let help = hints::function(name).unwrap_or_else(|| codes::NOT_A_KERNEL.way_out.into());
                diags.helped(&codes::NOT_A_KERNEL, extent(path), message, &help);
            }
            return;
        }
        let open = imported.clone().any(|t| imports_all(t, None)) || self.items.iter().any(|i| may_define(i, name));
        if open || PRELUDE.contains(&name) {
            return;
        }
        let kernels: Vec<String> =
            self.functions().filter(|f| may_be_a_kernel(f)).map(|f| plain(&f.sig.ident)).collect();
        let others = kernels.iter().map(String::as_str).filter(|k| *k != own);
        let near = hints::nearest(name, others).map(|k| format!(": did you mean `{k}`?")).unwrap_or_default();
        let message = format!("no function in scope is called `{shown}`{near}");
        let help =
            "a kernel calls the kernels of its module and those that it imports, as in `use crate::module::kernel;`";
        let help = hints::function(name).unwrap_or(help.into());
        diags.helped(&codes::UNKNOWN_NAME, extent(path), message, &help);
    }

    fn functions(&self) -> impl Iterator<Item = &syn::ItemFn> {
        self.items.iter().filter_map(|i| if let Item::Fn(f) = i { Some(f) } else { None })
    }

    /// The kernels from `name` to one that calls `own`: "`g`", "`g` and that `h`".
    fn way_back(&self, name: &str, own: &str) -> Option<String> {
        let mut seen = BTreeSet::from([name.to_string()]);
        let mut ways = vec![(name.to_string(), format!("`{name}`"))];
        while let Some((at, way)) = ways.pop() {
            let Some(f) = self.functions().find(|f| plain(&f.sig.ident) == at) else { continue };
            let mut called = BTreeSet::new();
            calls(f.block.to_token_stream(), &mut called);
            if called.contains(own) {
                return Some(way);
            }
            for next in called.into_iter().filter(|c| self.functions().any(|f| plain(&f.sig.ident) == *c)) {
                if seen.insert(next.clone()) {
                    let way = format!("{way}, and so `{next}`");
                    ways.push((next, way));
                }
            }
        }
        None
    }
}

/// The names before parentheses, unless they are methods, macros or the end of a path.
fn calls(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let mut before: [Option<TokenTree>; 2] = [None, None];
    for t in tokens {
        if let TokenTree::Group(g) = &t {
            calls(g.stream(), names);
            let [other, Some(TokenTree::Ident(name))] = &before else {
                before = [before[1].take(), Some(t)];
                continue;
            };
            let part = matches!(other, Some(TokenTree::Punct(p)) if matches!(p.as_char(), '.' | ':'));
            if !part && g.delimiter() == proc_macro2::Delimiter::Parenthesis {
                names.insert(plain(name));
            }
        }
        before = [before[1].take(), Some(t)];
    }
}

/// Whether `#[smooth]`, or an attribute that could lead to it, is on a function.
fn may_be_a_kernel(f: &syn::ItemFn) -> bool {
    let inert = |a: &syn::Attribute| {
        let path = a.path();
        path.get_ident().is_some_and(|i| INERT.contains(&i.to_string().as_str()))
            || path.segments.first().is_some_and(|s| s.ident == "clippy" || s.ident == "rustfmt")
    };
    f.attrs.iter().any(|a| !inert(a))
}

/// Whether an item that is no function may bring a function of this name.
fn may_define(item: &Item, name: &str) -> bool {
    match item {
        Item::Macro(m) => m.ident.is_none(),
        Item::Mod(m) => m.ident == name || m.attrs.iter().any(|a| a.path().is_ident("macro_use")),
        Item::Verbatim(_) | Item::ForeignMod(_) => true,
        Item::ExternCrate(e) => e.rename.as_ref().map_or(&e.ident, |(_, i)| i) == name,
        _ => false,
    }
}

/// Whether an import brings this name.
fn imports(tree: &UseTree, name: &str) -> bool {
    match tree {
        UseTree::Path(p) => imports(&p.tree, name),
        UseTree::Name(n) => plain(&n.ident) == name,
        UseTree::Rename(r) => plain(&r.rename) == name,
        UseTree::Glob(_) => false,
        UseTree::Group(g) => g.items.iter().any(|t| imports(t, name)),
    }
}

/// Whether an import brings names that it does not say. A prelude of smooth has no kernels.
fn imports_all(tree: &UseTree, last: Option<&syn::Ident>) -> bool {
    match tree {
        UseTree::Path(p) => imports_all(&p.tree, Some(&p.ident)),
        UseTree::Name(_) | UseTree::Rename(_) => false,
        UseTree::Glob(_) => last.is_none_or(|i| i != "prelude"),
        UseTree::Group(g) => g.items.iter().any(|t| imports_all(t, last)),
    }
}

/// Whether an import is from the standard library.
fn of_std(tree: &UseTree) -> bool {
    matches!(tree, UseTree::Path(p) if p.ident == "std" || p.ident == "core")
}

/// Whether the words of the file let a name pass as a kernel's: a function of this name with `smooth` before it, which does
/// not name `own`; or a name that is imported.
fn seems_a_kernel(text: &str, name: &str, own: &str) -> bool {
    let functions: Vec<usize> = places(text, name).filter(|p| text[..*p].trim_end().ends_with("fn")).collect();
    if functions.is_empty() {
        let imports = || places(text, "use").map(|p| text[p..].split(';').next().unwrap_or_default());
        let all =
            |import: &str| import.contains("::*") && !import.contains("prelude::*") && !import.contains("super::*");
        let names = |import: &str| places(import, name).next().is_some() && !import.starts_with("use std");
        return imports().any(|i| all(i) || names(i));
    }
    functions.into_iter().any(|p| {
        let before = &text[..p];
        let attributes = &before[before.rfind(['}', ';']).unwrap_or(0)..];
        attributes.contains("smooth") && places(body(&text[p..]), own).next().is_none()
    })
}

/// The text up to the brace that closes the first one.
fn body(text: &str) -> &str {
    let mut depth = 0;
    for (k, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return &text[..k],
            '}' => depth -= 1,
            _ => {}
        }
    }
    text
}

/// Where a word stands in a text.
fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let whole = move |k: usize| !part(text[..k].chars().last()) && !part(text[k + word.len()..].chars().next());
    text.match_indices(word).map(|(k, _)| k).filter(move |k| whole(*k))
}
