//! Places that are written, and the names that borrow one.

use super::Reference;
use super::constants::mixed;
use crate::mapped::Mapped;
use crate::surface::rust::{hidden, indexed};
use crate::surface::{Expr, ExprKind, Items, Pattern, Source, TypeExpr, TypeKind, key};
use crate::ty::Type;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

/// The evaluations before a place is borrowed.
pub(super) struct Early {
    pub(super) lets: TokenStream,
    /// Whether one of the parts assigns what another may read, so that the order matters.
    ordered: bool,
}

impl Early {
    /// No evaluations yet, for a term with these parts.
    pub(super) fn of<'e>(parts: impl IntoIterator<Item = &'e Expr>) -> Early {
        // A callee assigns its arguments after all of them are evaluated.
        let inside = |e: &'e Expr| if let ExprKind::Borrow(a) = &e.kind { a } else { e };
        Early { lets: TokenStream::new(), ordered: parts.into_iter().any(|e| inside(e).assigns()) }
    }

    pub(super) fn is_ordered(&self) -> bool {
        self.ordered
    }
}

/// The place of an expression, for tokens of the compiler's: rustc's errors are shown there.
pub(super) fn at(e: &Expr) -> Span {
    Span::mixed_site().located_at(e.at.0)
}

impl Reference<'_> {
    /// Ends the scopes of all bindings but the first `depth`.
    pub(super) fn leave(&mut self, depth: usize) {
        self.bound.truncate(depth);
        self.borrows.retain(|(_, at)| *at < depth);
    }

    /// Whether a name is bound to a borrow that Rust has to dereference explicitly.
    pub(super) fn is_borrow(&self, name: &Ident) -> bool {
        if self.borrows.is_empty() {
            return false;
        }
        let name = key(name);
        self.borrows.iter().rev().find(|(n, _)| *n == name).is_some_and(|(_, at)| self.bound.last(&name) == Some(*at))
    }

    /// The pattern of a loop's items: names of elements that are written are borrows.
    pub(super) fn bind_item(&mut self, p: &Pattern, items: &Items) -> TokenStream {
        let written = |s: &Option<&Source>| matches!(s, Some(Source::Elements { mutable: true, .. }));
        let parts = items.parts(p).into_iter().filter(|(_, source)| written(source));
        let borrowed: Vec<String> = parts.flat_map(|(p, _)| p.names()).mapped(key);
        let from = self.bound.len();
        let pattern = self.bind(p);
        let bound = borrowed.into_iter().filter_map(|n| self.bound.last(&n).map(|at| (n, at)));
        self.borrows.extend(bound.filter(|(_, at)| *at >= from));
        pattern
    }

    /// `let row = &mut a[i];`: a name for a place.
    pub(super) fn alias(&mut self, p: &Pattern, place: &Expr, at: Span) -> TokenStream {
        let mut early = Early::of([place]);
        let target = self.target(place, &mut early);
        let (from, lets) = (self.bound.len(), early.lets);
        let pattern = self.bind(p);
        self.borrows.extend(p.names().into_iter().map(key).zip(from..));
        quote_spanned!(at=> #lets let #pattern = &mut #target;)
    }

    /// A place that is written. Its indices are evaluated before: vectors, unlike arrays, are borrowed as a whole.
    pub(super) fn target(&mut self, e: &Expr, early: &mut Early) -> TokenStream {
        let is_place = match &e.kind {
            ExprKind::Same(_) => !self.copies.contains(&e.id),
            kind => {
                matches!(kind, ExprKind::Borrow(_) | ExprKind::Index(..) | ExprKind::Slice(..) | ExprKind::Field(..))
            }
        };
        match &e.kind {
            ExprKind::Path(_) => self.place(e),
            _ if early.ordered && !is_place => self.before(e, early),
            ExprKind::Same(a) | ExprKind::Borrow(a) => self.target(a, early),
            ExprKind::Index(a, i) => {
                let a = self.target(a, early);
                let i = self.before(i, early);
                indexed(&a, i, e.at.0)
            }
            ExprKind::Slice(a, s, t) => {
                let a = self.target(a, early);
                let s = s.as_ref().map(|s| self.before(s, early));
                let t = t.as_ref().map(|t| self.before(t, early));
                quote_spanned!(at(e)=> #a[#s..#t])
            }
            ExprKind::Field(a, k) => {
                let (a, k) = (self.target(a, early), Literal::usize_unsuffixed(*k));
                quote_spanned!(at(e)=> #a.#k)
            }
            _ => self.place(e),
        }
    }

    /// A value that is computed before a place is borrowed.
    pub(super) fn before(&mut self, e: &Expr, early: &mut Early) -> TokenStream {
        let value = self.owned(e);
        if matches!(e.kind, ExprKind::Lit(..)) || !early.ordered && matches!(e.kind, ExprKind::Path(_)) {
            return value;
        }
        self.fresh += 1;
        let name = hidden(&format!("before{}", self.fresh));
        early.lets.extend(quote!(let #name = #value;));
        quote!(#name)
    }

    /// An array to iterate over, or a part of one: without a copy, as it is written.
    pub(super) fn region(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Same(a) | ExprKind::Borrow(a) => self.region(a),
            // A copy, after its indices.
            _ if e.assigns() => self.owned(e),
            ExprKind::Slice(a, s, t) => {
                let a = self.region(a);
                let (s, t) = (s.as_ref().map(|s| self.owned(s)), t.as_ref().map(|t| self.owned(t)));
                quote_spanned!(at(e)=> #a[#s..#t])
            }
            // The rows of a constant become vectors.
            _ if self.is_constant(e) && (self.ty(e).rank() > 1 || mixed(self.ty(e))) => self.owned(e),
            _ => self.place(e),
        }
    }

    /// Writes a value to one place. An array keeps its shape, which a `Vec` would not enforce.
    pub(super) fn store_one(&mut self, place: &Expr, ty: &Type, value: TokenStream, at: Span) -> TokenStream {
        let (rt, mut early) = (self.rt, Early::of([place]));
        if is_variable(place) && !self.writes_through(place) {
            let target = self.target(place, &mut early);
            return quote_spanned!(at=> #target = #value);
        }
        let (target, name, lets) = (self.target(place, &mut early), hidden("value"), early.lets);
        let store = match ty {
            Type::Scalar(_) => quote_spanned!(at=> #target = #name;),
            _ => quote_spanned!(at=> #rt::reference::put(&mut #target, #name);),
        };
        quote_spanned!(at=> { let #name = #value; #lets #store })
    }

    /// Whether a variable is a borrow of an element.
    fn writes_through(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Path(p) => p.get_ident().is_some_and(|i| self.is_borrow(i)),
            ExprKind::Same(a) | ExprKind::Field(a, _) => self.writes_through(a),
            _ => false,
        }
    }

    /// The methods that change an array.
    pub(super) fn change(&mut self, a: &Expr, method: &str, args: &[Expr], at: Span) -> Option<TokenStream> {
        let (rt, mut early) = (self.rt, Early::of(args.iter().chain([a])));
        let call = match (method, args) {
            ("swap", [i, j]) => {
                let a = self.target(a, &mut early);
                let (i, j) = (self.before(i, &mut early), self.before(j, &mut early));
                quote_spanned!(at=> #a.swap(#i, #j);)
            }
            ("fill", [x]) => {
                let a = self.target(a, &mut early);
                let x = self.before(x, &mut early);
                quote_spanned!(at=> #rt::reference::put_all(&mut #a[..], #x);)
            }
            ("copy_from_slice", [b]) => {
                let a = self.target(a, &mut early);
                let b = self.region(b);
                quote_spanned!(at=> #rt::reference::put_each(&mut #a[..], &#b[..]);)
            }
            _ => return None,
        };
        let lets = early.lets;
        Some(quote_spanned!(at=> { #lets #call }))
    }

    /// A written type without its sizes.
    pub(super) fn written(&self, t: &TypeExpr) -> TokenStream {
        let rt = self.rt;
        match &t.kind {
            TypeKind::Scalar(s) => self.rust_type(&Type::Scalar(*s)),
            TypeKind::Array(element, _) => {
                let element = self.written(element);
                quote!(#rt::Vec<#element>)
            }
            TypeKind::Tuple(ts) => {
                let ts = ts.iter().map(|t| self.written(t));
                quote!((#(#ts,)*))
            }
            TypeKind::Fn(..) => quote!(_),
        }
    }

    /// `if c { a } else { b }`, the second part if it is written.
    pub(super) fn branch(&mut self, c: &Expr, a: &Expr, b: &Expr) -> TokenStream {
        let (c, a) = (self.owned(c), self.owned(a));
        if is_unit(b) {
            return quote!(if #c { #a });
        }
        let b = self.owned(b);
        quote!(if #c { #a } else { #b })
    }
}

/// Whether a place is a variable, or a part of one that is not an element.
fn is_variable(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Path(_) => true,
        ExprKind::Same(a) | ExprKind::Field(a, _) => is_variable(a),
        _ => false,
    }
}

/// Whether an expression is `()`.
pub(super) fn is_unit(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Tuple(parts) if parts.is_empty())
}
