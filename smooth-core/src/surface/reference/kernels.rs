//! Calls of kernels: borrows arrays, destructures tuples, and passes generic arguments on.

use super::Reference;
use super::convert::converted;
use super::places::Early;
use crate::surface::rust::hidden;
use crate::surface::{Expr, ExprKind, bare, path_key};
use crate::ty::Type;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

impl Reference<'_> {
    /// A call of a kernel's reference.
    pub(super) fn kernel(&mut self, path: &syn::Path, args: &[Expr]) -> TokenStream {
        let (mut early, mut after, mut all) = (Early::of(args), TokenStream::new(), Vec::new());
        let name = path_key(path);
        let changed = self.types.changed.iter().find(|(p, _)| *p == name).map_or(&[][..], |(_, c)| c);
        for (k, a) in args.iter().enumerate() {
            if changed.get(k) == Some(&true) {
                match self.types.exprs.get(&a.id).filter(|t| t.has_records()).cloned() {
                    Some(t) => all.push(self.changed_columns(a, &t, k, &mut early, &mut after)),
                    None => all.push(self.changed(a, &mut early)),
                }
                continue;
            }
            if changed.contains(&true) && self.is_copy(a) {
                let (name, a) = (hidden(&format!("copy{k}")), self.owned(a));
                early.lets.extend(quote!(let #name = #a;));
                all.push(quote!(&#name));
                continue;
            }
            let ty = self.types.exprs.get(&a.id).cloned();
            all.push(match ty {
                Some(t) if t.is_fn() && t.has_records() => {
                    let function = self.function(a);
                    self.adapted(&t.stored(), &t, function)
                }
                Some(t) if t.has_records() => {
                    let (name, a) = (hidden(&format!("columns{k}")), self.boundary(a));
                    early.lets.extend(quote!(let #name = #a;));
                    borrowed(&t.stored(), quote!(#name))
                }
                Some(Type::Array(..)) if early.is_ordered() => {
                    let a = self.before(a, &mut early);
                    quote!(&#a)
                }
                Some(Type::Array(..)) => {
                    let a = if self.is_constant(a) { self.owned(a) } else { self.place(a) };
                    quote!(&#a)
                }
                Some(t @ Type::Tuple(_)) => {
                    let (name, a) = (hidden(&format!("pair{k}")), self.owned(a));
                    early.lets.extend(quote!(let #name = #a;));
                    borrowed(&t, quote!(#name))
                }
                Some(t) if !t.is_fn() && early.is_ordered() => self.before(a, &mut early),
                Some(t) if !t.is_fn() => self.owned(a),
                _ => self.function(a),
            });
        }
        let bare = bare(path);
        all.extend(self.sizes_given(path));
        let types = self.types_given(path);
        let call = quote!(#bare::__reference #types(#(#all),*));
        let lets = early.lets;
        if !after.is_empty() {
            return quote!({ #lets let __result = #call; #after __result });
        }
        if lets.is_empty() { call } else { quote!({ #lets #call }) }
    }

    /// An argument that the callee changes.
    fn changed(&mut self, a: &Expr, early: &mut Early) -> TokenStream {
        match &a.kind {
            ExprKind::Path(p) if p.get_ident().is_some_and(|i| self.is_borrow(i)) => quote!(&mut *#p),
            _ => {
                let a = self.target(a, early);
                quote!(&mut #a)
            }
        }
    }

    /// An array of tuples that the callee changes: its columns, which are zipped after the call.
    fn changed_columns(
        &mut self,
        a: &Expr,
        ty: &Type,
        k: usize,
        early: &mut Early,
        after: &mut TokenStream,
    ) -> TokenStream {
        let [place, columns] = ["place", "columns"].map(|n| hidden(&format!("{n}{k}")));
        let target = self.target(a, early);
        let apart = converted(ty, &ty.stored(), quote!(#place), self.rt);
        let whole = converted(&ty.stored(), ty, quote!(#columns), self.rt);
        early.lets.extend(quote!(let #place = &mut #target[..]; let mut #columns = #apart;));
        after.extend(quote!(#place.clone_from_slice(&#whole);));
        borrowed_mut(&ty.stored(), quote!(#columns))
    }

    /// Whether an array is passed as a copy: the callee may change what it is copied from.
    fn is_copy(&self, e: &Expr) -> bool {
        self.types.exprs.get(&e.id).is_some_and(Type::is_array) && self.is_clone(e)
    }

    /// Whether a term is `x.clone()`, or a borrow of that.
    pub(super) fn is_clone(&self, e: &Expr) -> bool {
        self.copies.contains(&e.id) || matches!(&e.kind, ExprKind::Same(a) if self.is_clone(a))
    }

    /// The const arguments that the callee cannot infer, as ordinary arguments.
    fn sizes_given(&self, path: &syn::Path) -> Vec<TokenStream> {
        let key = path_key(path);
        let Some((_, not_inferable)) = self.types.not_inferable.iter().find(|(p, _)| *p == key) else { return vec![] };
        let Some(syn::PathArguments::AngleBracketed(list)) = path.segments.last().map(|s| &s.arguments) else {
            return vec![];
        };
        let sizes: Vec<TokenStream> = list.args.iter().filter_map(|a| self.size_given(a)).collect();
        not_inferable.iter().filter_map(|k| sizes.get(*k).cloned()).collect()
    }

    fn size_given(&self, a: &syn::GenericArgument) -> Option<TokenStream> {
        match a {
            syn::GenericArgument::Type(syn::Type::Path(p)) if self.names_a_type(&p.path) => None,
            syn::GenericArgument::Type(syn::Type::Path(p)) => Some(self.path(&p.path)),
            syn::GenericArgument::Const(syn::Expr::Block(b)) => match b.block.stmts.as_slice() {
                [syn::Stmt::Expr(syn::Expr::Path(p), None)] => Some(self.path(&p.path)),
                _ => None,
            },
            syn::GenericArgument::Const(e) => Some(e.to_token_stream()),
            _ => None,
        }
    }

    fn names_a_type(&self, path: &syn::Path) -> bool {
        self.types.type_params.scalar(path).is_some()
    }

    /// The type arguments of the turbofish.
    fn types_given(&self, path: &syn::Path) -> TokenStream {
        let Some(syn::PathArguments::AngleBracketed(list)) = path.segments.last().map(|s| &s.arguments) else {
            return quote!();
        };
        let types: Vec<TokenStream> = list
            .args
            .iter()
            .filter_map(|a| match a {
                syn::GenericArgument::Type(syn::Type::Path(p)) if self.names_a_type(&p.path) => {
                    let own = self.types.type_params.scalar(&p.path).filter(|s| s.is_open());
                    Some(own.map_or(p.to_token_stream(), |s| self.rt.scalar(s).into()))
                }
                syn::GenericArgument::Type(t @ syn::Type::Infer(_)) => Some(t.to_token_stream()),
                _ => None,
            })
            .collect();
        if types.is_empty() { quote!() } else { quote!(::<#(#types),*>) }
    }
}

/// A value with its arrays borrowed, to be changed.
fn borrowed_mut(t: &Type, place: TokenStream) -> TokenStream {
    let Type::Tuple(ts) = t else { return quote!(&mut #place) };
    let parts = ts.iter().enumerate().map(|(k, t)| {
        let k = Literal::usize_unsuffixed(k);
        borrowed_mut(t, quote!(#place.#k))
    });
    quote!((#(#parts,)*))
}

/// A value with its arrays borrowed.
pub(super) fn borrowed(t: &Type, place: TokenStream) -> TokenStream {
    match t {
        Type::Array(..) => quote!(&#place),
        Type::Tuple(ts) => {
            let parts = ts.iter().enumerate().map(|(k, t)| {
                let k = Literal::usize_unsuffixed(k);
                borrowed(t, quote!(#place.#k))
            });
            quote!((#(#parts,)*))
        }
        _ => place,
    }
}
