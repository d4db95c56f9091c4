//! Parameters: names, patterns, and which types are borrowed.

use super::fragments::inner_type;
use super::{Parser, extent, words};
use crate::diag::{codes, hints};
use crate::mapped::{Mapped, PushAll};
use crate::sorted::Set;
use crate::surface::{ExprKind, Param, Pattern, Stmt, TypeKind, key, plain, same_name};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};

/// The attributes that a parameter may have.
const LINTS: [&str; 5] = ["allow", "expect", "warn", "deny", "forbid"];

impl Parser<'_> {
    pub(super) fn param(&mut self, arg: &syn::FnArg) -> Option<Param> {
        let syn::FnArg::Typed(arg) = arg else {
            self.helped(&codes::ITEM, arg, "`self` is not allowed: kernels are free functions", hints::METHOD);
            return None;
        };
        for a in arg.attrs.iter().filter(|a| !LINTS.iter().any(|lint| a.path().is_ident(lint))) {
            let message = "an attribute on a parameter: only lint attributes such as `#[allow(…)]` are supported";
            self.reject(&codes::ATTRIBUTE, a, message);
        }
        let pattern = self.parameter_pattern(&arg.pat)?;
        let before = self.diags.iter().count();
        self.borrows(&arg.ty);
        let (ty, in_out) = match referenced(&arg.ty) {
            Some(t) => (self.ty(t), true),
            None => (self.ty(&arg.ty), false),
        };
        if self.diags.iter().count() > before {
            self.broken.push_all(pattern.names().into_iter().cloned());
        }
        if in_out && let TypeKind::Tuple(_) | TypeKind::Fn(..) = ty.kind {
            let message = "`&mut` of what is neither a number nor an array\neach part of a tuple is a parameter of its own, as in `a: &mut [f64; n], b: &mut f64`";
            self.reject(&codes::PARAM_TYPE, &arg.ty, message);
        }
        if in_out && let (TypeKind::Array(..), Pattern::Name(Some(name), ..)) = (&ty.kind, &pattern) {
            self.references.insert(key(name));
        }
        let pattern = match pattern {
            // Its name is assigned to as the name of a `let mut` is.
            Pattern::Name(name, ty, at, _) => Pattern::Name(name, ty, at, in_out),
            pattern => pattern,
        };
        Some(Param { attrs: arg.attrs.clone(), name: whole(&pattern), pattern, ty, in_out })
    }

    /// Whether an expression is a parameter whose type was rejected, or a part or an element of one.
    pub(super) fn is_broken(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Path(p) => p.path.get_ident().is_some_and(|i| self.broken.iter().any(|b| same_name(b, i))),
            syn::Expr::Field(f) => self.is_broken(&f.base),
            syn::Expr::Index(i) => self.is_broken(&i.expr),
            _ => false,
        }
    }

    /// A name, `_`, or a tuple of these.
    fn parameter_pattern(&mut self, p: &syn::Pat) -> Option<Pattern> {
        let at = extent(p);
        match p {
            syn::Pat::Ident(i) if i.by_ref.is_none() && i.subpat.is_none() => {
                if i.mutability.is_some() {
                    self.mutable.push((i.ident.clone(), at));
                }
                Some(Pattern::Name(Some(i.ident.clone()), None, at, false))
            }
            syn::Pat::Wild(_) => Some(Pattern::Name(None, None, at, false)),
            syn::Pat::Paren(p) => self.parameter_pattern(&p.pat),
            syn::Pat::Tuple(t) if !t.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_))) => {
                let parts = t.elems.iter().mapped(|p| self.parameter_pattern(p));
                Some(Pattern::Tuple(parts.into_iter().all_some()?, at))
            }
            other => {
                let message = "this parameter is neither a name nor a tuple of names\nwrite a name, or names in parentheses, as in `(a, b): (f64, f64)`";
                self.reject(&codes::ITEM, other, message);
                None
            }
        }
    }

    /// `let mut x = x;` for each `mut x` of the parameters, at the start of the body: numbers are passed by value.
    pub(super) fn variables(&mut self, params: &[Param]) -> Vec<Stmt> {
        let mut lets = Vec::new();
        for (name, at) in std::mem::take(&mut self.mutable) {
            let mut parts = params.iter().flat_map(Param::parts);
            let ty = parts.find(|(n, _)| n.is_some_and(|n| same_name(n, &name))).map(|(_, t)| &t.kind);
            if let Some(TypeKind::Array(..) | TypeKind::Fn(..)) = ty {
                let message = format!(
                    "`{name}` is declared `mut`, but it is borrowed, and what it borrows is only read\nremove the `mut`; to change the array, take `&mut [f64; n]`, or change a copy: `let mut b = a.clone();`"
                );
                self.reject(&codes::ARGUMENT_MUTATION, &name, message);
                continue;
            }
            let value = self.node(ExprKind::Path(name.clone().into()), extent(&name));
            lets.push(Stmt::Let(Pattern::Name(Some(name), None, at, true), value));
        }
        lets
    }

    /// Rejects duplicate names, and renames parameters without a user's name so that all names differ.
    pub(super) fn distinct(&mut self, params: &mut [Param]) {
        let (mut keys, mut texts) = (Set::new(), Set::new());
        for name in params.iter().flat_map(|p| p.pattern.names()) {
            if !keys.insert(key(name)) {
                self.reject(
                    &codes::ITEM,
                    name,
                    format!("two parameters are named `{name}`\ngive each parameter a name of its own"),
                );
            }
            texts.insert(plain(name));
        }
        for p in params.iter_mut().filter(|p| !matches!(p.pattern, Pattern::Name(Some(_), ..))) {
            while !texts.insert(plain(&p.name)) {
                p.name = format_ident!("{}_", p.name);
            }
        }
    }

    /// Arrays are passed by one reference, numbers by value: the written type is the Rust type of the parameter.
    fn borrows(&mut self, t: &syn::Type) {
        let shown = |t: &syn::Type| words(t.to_token_stream());
        match inner_type(t) {
            syn::Type::Tuple(ts) => ts.elems.iter().for_each(|t| self.borrows(t)),
            syn::Type::Array(_) | syn::Type::Slice(_) => {
                let message = format!("an array by value: kernels borrow their arrays\nwrite `&{}`", shown(t));
                self.reject(&codes::PARAM_TYPE, t, message);
            }
            syn::Type::Reference(r) => match inner_type(&r.elem) {
                syn::Type::Array(syn::TypeArray { elem, .. }) | syn::Type::Slice(syn::TypeSlice { elem, .. }) => {
                    self.owns(elem);
                }
                syn::Type::Reference(_) => {
                    let message = format!("a reference to a reference\none is enough: write `{}`", shown(&r.elem));
                    self.reject(&codes::PARAM_TYPE, t, message);
                }
                syn::Type::Path(p) if r.mutability.is_none() && self.scalar(&p.path).is_some() => {
                    let message =
                        format!("a number by reference: numbers are passed by value\nwrite `{}`", shown(&r.elem));
                    self.reject(&codes::PARAM_TYPE, t, message);
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// The elements of an array are stored in it, not borrowed.
    fn owns(&mut self, element: &syn::Type) {
        match inner_type(element) {
            syn::Type::Array(syn::TypeArray { elem, .. }) | syn::Type::Slice(syn::TypeSlice { elem, .. }) => {
                self.owns(elem);
            }
            syn::Type::Tuple(ts) => ts.elems.iter().for_each(|t| self.owns(t)),
            syn::Type::Reference(r) => {
                let message = format!(
                    "an array of references: an array stores its elements\nwrite `{}` for the element",
                    words(r.elem.to_token_stream())
                );
                self.reject(&codes::PARAM_TYPE, element, message);
            }
            _ => {}
        }
    }
}

/// The `T` of `&mut T`.
fn referenced(t: &syn::Type) -> Option<&syn::Type> {
    match inner_type(t) {
        syn::Type::Reference(r) => r.mutability.is_some().then_some(&*r.elem),
        _ => None,
    }
}

/// The name of a whole parameter: `a_b` for the pattern `(a, b)`.
fn whole(p: &Pattern) -> Ident {
    if let Pattern::Name(Some(name), ..) = p {
        return name.clone();
    }
    let names: Vec<String> = p.names().into_iter().mapped(plain);
    match names.as_slice() {
        [] => Ident::new("unused", Span::mixed_site()),
        [one] => format_ident!("{one}_", span = Span::mixed_site()),
        names => Ident::new(&names.join("_"), Span::mixed_site()),
    }
}
