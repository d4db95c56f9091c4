//! Checks of a kernel against the source file around it: the functions that it calls, and its types.
//!
//! rustc resolves the calls. Where it cannot, its errors come first and speak of modules. So the most common mistakes are
//! found here: a function of the file without `#[smooth]`, an undeclared name, kernels that call each other. A call is
//! rejected only where the kernel's own module decides it; all others are left to rustc.

mod calls;
mod files;
mod types;
mod words;

use crate::mapped::Mapped;
pub use files::Files;
pub use types::say_types;

use crate::diag::{Diags, codes, hints};
use crate::sorted::Set;
use crate::surface::parse::{extent, parse, readable};
use crate::surface::{Expr, ExprKind, Function, TypeExpr, TypeKind, callees, function_like, length_names, plain};
use calls::Around;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Item, UseTree};
use words::{follows, is_behind, is_elsewhere, places, seems_a_kernel, seems_a_method, seems_imported};

/// Attributes that do not change an item. `cfg` is not among them: it may remove the item.
const INERT: &[&str] = &[
    "allow",
    "cold",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "forbid",
    "inline",
    "must_use",
    "no_mangle",
    "path",
    "repr",
    "test",
    "track_caller",
    "warn",
];

/// Functions of Rust's prelude.
const PRELUDE: &[&str] = &["align_of", "align_of_val", "drop", "size_of", "size_of_val"];

/// Checks `f`, whose tokens are `item`, against the source file around it, `text`, and the files around that. Reports calls
/// of functions that are not kernels, upper-case sizes that are not constants, methods, and a module with the kernel's name.
/// Returns whether a stub may be emitted; not for the last two.
pub fn check(
    (text, files): (&str, Option<&Files>),
    f: &mut Function,
    item: &TokenStream,
    callees: &[syn::Path],
    diags: &mut Diags,
) -> bool {
    let own = plain(&f.name);
    let upper = upper_case_sizes(f);
    let named: Vec<_> = callees.iter().filter_map(|p| Some((p, plain(&p.segments.last()?.ident)))).collect_vec();
    // Reading the file as Rust costs more than looking for words in it, which is enough for nearly all kernels.
    let here = |name: &str| seems_a_kernel(text, name, &own) && !is_elsewhere(text, name, &own);
    let calls = named.iter().all(|(path, name)| {
        let module = path.segments.first().filter(|_| path.segments.len() > 1).map(|s| plain(&s.ident));
        let known = module.is_none_or(|m| follows(text, "mod", &m) || seems_imported(text, &m));
        known && here(name) && !files.is_some_and(|f| f.doubt(text, name))
    });
    let own_places: Vec<usize> = places(text, &own).collect_vec();
    let alone = ["mod", "struct"].iter().all(|word| !own_places.iter().any(|p| is_behind(text, *p, word)));
    let sizes = upper.iter().all(|i| follows(text, "const", &plain(i)) || seems_imported(text, &plain(i)));
    if calls && alone && sizes && !seems_a_method(text, &own_places) {
        return true;
    }
    let tokens = text.parse().ok().filter(|t| readable(t, &mut Diags::new()));
    let (Some(Ok(file)), Ok(kernel)) = (tokens.map(syn::parse2::<syn::File>), syn::parse2::<syn::ItemFn>(item.clone()))
    else {
        return true;
    };
    let own_text = text_of(&kernel.sig, &kernel.block);
    let (mut found, mut methods) = (Vec::new(), 0);
    modules(&file.items, &own, &own_text, &mut found, &mut methods);
    if found.is_empty() && methods > 0 {
        // Its `self` has been reported.
        let by_itself = |(head, _): (&str, &str)| places(head, "self").next().is_none();
        if item.to_string().split_once('{').is_none_or(by_itself) {
            let message = format!("`{own}` is an associated function: kernels are free functions");
            diags.helped(&codes::ITEM, extent(&f.name), message, hints::METHOD);
        }
        return false;
    }
    let ([items], 0) = (&found[..], methods) else { return true };
    let around = Module { items, inline: !std::ptr::eq(*items, &*file.items) };
    if let Some(what) = around.certain().find_map(|i| type_named(i, &own)) {
        let message = format!("{what} beside the kernel is called `{own}`, too");
        let help = format!("rename one of them: a kernel has a module of its own name, with `{own}::into`");
        diags.helped(&codes::ITEM, extent(&f.name), message, &help);
        return false;
    }
    for size in upper.iter().filter(|i| !around.may_have_constant(&plain(i))) {
        let message = format!("nothing in scope is called `{size}`");
        let lower = size.to_string().to_lowercase();
        let help = format!(
            "write `{lower}` for a size that the argument gives; upper case is for a `const` and for `<const {size}: usize>`"
        );
        diags.helped(&codes::UNKNOWN_NAME, extent(size), message, &help);
        f.params.iter_mut().map(|p| &mut p.ty).chain([&mut f.result]).for_each(|t| open(t, size));
    }
    let around = Around { module: around, file: &file.items, files, kernel: f };
    for (path, name) in named {
        around.check(&own, path, &name, diags);
    }
    true
}

/// The upper-case names of lengths in parameters that are not const generics.
fn upper_case_sizes(f: &Function) -> Vec<Ident> {
    let generics = f.const_generics();
    let mut found: Vec<Ident> = Vec::new();
    for i in f.params.iter().flat_map(|p| length_names(&p.ty)) {
        let known = generics.iter().any(|g| **g == i) || found.contains(&i);
        if !known && !function_like(&i.clone().into()) {
            found.push(i);
        }
    }
    found
}

/// Removes a length from a type.
fn open(t: &mut TypeExpr, size: &Ident) {
    match &mut t.kind {
        TypeKind::Array(elem, len) => {
            let is_size = |e: &Expr| matches!(&e.kind, ExprKind::Path(p) if p.is_ident(size));
            if len.as_ref().is_some_and(is_size) {
                *len = None;
            }
            open(elem, size);
        }
        TypeKind::Tuple(ts) => ts.iter_mut().for_each(|t| open(t, size)),
        TypeKind::Scalar(_) | TypeKind::Fn(..) => {}
    }
}

/// The lists of items that contain a function of this name and text, and the number of methods that are like it.
fn modules<'a>(items: &'a [Item], name: &str, text: &str, found: &mut Vec<&'a [Item]>, methods: &mut usize) {
    let same = |sig: &syn::Signature, body: &syn::Block| plain(&sig.ident) == name && text_of(sig, body) == text;
    for item in items {
        match item {
            Item::Fn(f) if same(&f.sig, &f.block) => found.push(items),
            // Inside of a function only methods count.
            Item::Fn(f) => {
                for s in &f.block.stmts {
                    if let syn::Stmt::Item(inner) = s {
                        modules(std::slice::from_ref(inner), name, text, &mut Vec::new(), methods);
                    }
                }
            }
            Item::Mod(m) => m.content.iter().for_each(|(_, items)| modules(items, name, text, found, methods)),
            Item::Impl(i) => {
                let like = |m: &&syn::ImplItem| matches!(m, syn::ImplItem::Fn(f) if same(&f.sig, &f.block));
                *methods += i.items.iter().filter(like).count();
            }
            Item::Trait(t) => {
                let like = |m: &&syn::TraitItem| matches!(m, syn::TraitItem::Fn(f) if f.default.as_ref().is_some_and(|b| same(&f.sig, b)));
                *methods += t.items.iter().filter(like).count();
            }
            _ => {}
        }
    }
}

/// The kind of an item, as messages call it, if it declares `name` as a type or a module.
fn type_named(item: &Item, name: &str) -> Option<&'static str> {
    let (ident, what) = match item {
        Item::Mod(m) => (&m.ident, "a module"),
        Item::Struct(s) => (&s.ident, "a struct"),
        Item::Enum(e) => (&e.ident, "an enum"),
        Item::Trait(t) => (&t.ident, "a trait"),
        Item::Type(t) => (&t.ident, "a type"),
        _ => return None,
    };
    (plain(ident) == name).then_some(what)
}

/// The signature and the body, without blanks.
fn text_of(sig: &syn::Signature, body: &syn::Block) -> String {
    let mut text = sig.to_token_stream().to_string() + &body.to_token_stream().to_string();
    text.retain(|c| !c.is_whitespace());
    text
}

/// The items of the module that the kernel is in.
struct Module<'a> {
    items: &'a [Item],
    /// Whether they are in the braces of a `mod`.
    inline: bool,
}

impl<'a> Module<'a> {
    /// The items that no attribute can remove or change.
    fn certain(&self) -> impl Iterator<Item = &'a Item> + use<'a> {
        self.items.iter().filter(|i| attributes(i).iter().all(inert))
    }

    /// The module of a path's end, if it is written in this one.
    fn inner(&self, path: &syn::Path) -> Option<Module<'a>> {
        let mut items = self.items;
        for s in path.segments.iter().take(path.segments.len() - 1).filter(|s| s.ident != "self") {
            let inner = Module { items, inline: true }.certain().find_map(|i| match i {
                Item::Mod(m) if m.ident == s.ident => m.content.as_ref(),
                _ => None,
            });
            items = &inner?.1;
        }
        path.leading_colon
            .is_none()
            .then_some(Module { items, inline: self.inline || !std::ptr::eq(items, self.items) })
    }

    /// Whether a constant of this name can be in scope.
    fn may_have_constant(&self, name: &str) -> bool {
        self.items.iter().any(|i| match i {
            Item::Const(c) => c.ident == name,
            Item::Static(s) => s.ident == name,
            Item::Use(u) => imports(&u.tree, name),
            other => may_define(other, name),
        }) || !self.says_all()
    }

    fn imported(&self) -> impl Iterator<Item = &UseTree> {
        self.items.iter().filter_map(|i| if let Item::Use(u) = i { Some(&u.tree) } else { None })
    }

    /// Whether these items name everything in scope. A file without the imports that it needs from smooth may be included by
    /// another file, whose names it has; an inline module has only its own names.
    fn says_all(&self) -> bool {
        let of_smooth = |t: &UseTree| matches!(t, UseTree::Path(p) if p.ident == "smooth");
        (self.inline || self.imported().any(of_smooth)) && !self.imported().any(|t| imports_all(t, &mut vec![]))
    }

    fn functions(&self) -> impl Iterator<Item = &syn::ItemFn> {
        self.items.iter().filter_map(|i| if let Item::Fn(f) = i { Some(f) } else { None })
    }

    /// The kernels from `name` to one that calls `own`: "`g`", "`g` and that `h`".
    fn way_back(&self, name: &str, own: &str) -> Option<String> {
        let mut seen = Set::from([name.to_string()]);
        let mut ways = vec![(name.to_string(), format!("`{name}`"))];
        while let Some((at, way)) = ways.pop() {
            let Some(f) = self.functions().find(|f| plain(&f.sig.ident) == at) else { continue };
            let called = calls(f);
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

/// The functions of its module that a kernel calls, if nothing can remove it.
fn calls(f: &syn::ItemFn) -> Set<String> {
    let certain = f.attrs.iter().all(|a| inert(a) || is_smooth(a));
    let kernel = if certain { parse(f.to_token_stream(), &mut Diags::new()) } else { None };
    let callees = kernel.iter().flat_map(callees);
    callees.filter_map(|p| p.get_ident().map(plain)).collect()
}

fn inert(a: &syn::Attribute) -> bool {
    let path = a.path();
    path.get_ident().is_some_and(|i| INERT.contains(&i.to_string().as_str()))
        || path.segments.first().is_some_and(|s| s.ident == "clippy" || s.ident == "rustfmt")
}

fn is_smooth(a: &syn::Attribute) -> bool {
    a.path().segments.last().is_some_and(|s| s.ident == "smooth")
}

/// Whether `#[smooth]`, or an attribute that could lead to it, is on a function.
fn may_be_a_kernel(f: &syn::ItemFn) -> bool {
    !f.attrs.iter().all(inert)
}

/// The attributes of an item; none for an item without a name, or of an unknown kind.
fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Const(syn::ItemConst { attrs, .. })
        | Item::Enum(syn::ItemEnum { attrs, .. })
        | Item::Fn(syn::ItemFn { attrs, .. })
        | Item::Impl(syn::ItemImpl { attrs, .. })
        | Item::Mod(syn::ItemMod { attrs, .. })
        | Item::Static(syn::ItemStatic { attrs, .. })
        | Item::Struct(syn::ItemStruct { attrs, .. })
        | Item::Trait(syn::ItemTrait { attrs, .. })
        | Item::Type(syn::ItemType { attrs, .. })
        | Item::Union(syn::ItemUnion { attrs, .. })
        | Item::Use(syn::ItemUse { attrs, .. }) => attrs,
        _ => &[],
    }
}

/// Whether an item may bring a function of this name, or a constant: by a macro, or by an attribute, which `cfg` is not.
fn may_define(item: &Item, name: &str) -> bool {
    let known = |a: &syn::Attribute| inert(a) || is_smooth(a) || a.path().is_ident("cfg");
    if !attributes(item).iter().all(known) {
        return true;
    }
    match item {
        Item::Macro(m) => m.ident.is_none(),
        Item::Mod(m) => m.ident == name || m.attrs.iter().any(|a| a.path().is_ident("macro_use")),
        Item::Verbatim(_) | Item::ForeignMod(_) => true,
        Item::ExternCrate(e) => e.rename.as_ref().map_or(&e.ident, |(_, i)| i) == name,
        _ => false,
    }
}

/// Whether an item has this name, or may bring a module that has it.
fn is_named(item: &Item, name: &str) -> bool {
    match item {
        Item::Fn(f) => f.sig.ident == name,
        Item::Union(u) => u.ident == name,
        Item::TraitAlias(t) => t.ident == name,
        Item::Use(u) if imports(&u.tree, name) => true,
        other => may_define(other, name) || type_named(other, name).is_some(),
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

/// Whether an import brings names that it does not spell out. The prelude of smooth has no kernels.
fn imports_all(tree: &UseTree, path: &mut Vec<String>) -> bool {
    match tree {
        UseTree::Path(p) => {
            path.push(p.ident.to_string());
            let all = imports_all(&p.tree, path);
            path.pop();
            all
        }
        UseTree::Name(_) | UseTree::Rename(_) => false,
        UseTree::Glob(_) => path[..] != ["smooth", "prelude"],
        UseTree::Group(g) => g.items.iter().any(|t| imports_all(t, path)),
    }
}

/// Whether an import is from the standard library.
fn of_std(tree: &UseTree) -> bool {
    matches!(tree, UseTree::Path(p) if p.ident == "std" || p.ident == "core")
}
