//! Calls of kernels: borrows arrays, destructures tuples, and passes generic arguments on.

use super::convert::converted;
use super::places::Early;
use super::{Generics, Reference};
use crate::mapped::{Both, Mapped, PushAll};
use crate::surface::rust::hidden;
use crate::surface::turbofish::{self, Turbofish};
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
                    Some(t) => all.push(self.changed_columns((a, &t), k, &mut early, &mut after)),
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
        let (callee, sizes) = self.callee(path);
        all.push_all(sizes);
        let call = quote!(#callee(#(#all),*));
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
        (a, ty): (&Expr, &Type),
        k: usize,
        early: &mut Early,
        after: &mut TokenStream,
    ) -> TokenStream {
        let [place, columns] = ["place", "columns"].both(|n| hidden(&format!("{n}{k}")));
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

    /// The path of a callee's reference with the types that are written, and the sizes that it cannot infer: they are its
    /// last arguments.
    pub(super) fn callee(&self, path: &syn::Path) -> (TokenStream, Vec<TokenStream>) {
        let (bare, key) = (bare(path), path_key(path));
        let generics = self.types.generics.iter().find(|(p, _)| *p == key).map(|(_, g)| g);
        let Some(Generics { are_types, not_inferable }) = generics else { return (quote!(#bare::__reference), vec![]) };
        let Turbofish { types, sizes } = Turbofish::of(path, are_types, self.types.type_params);
        let types = types.into_iter().map(|t| t.map_or(quote!(_), |s| self.rt.scalar(s).to_token_stream()));
        let types: Vec<TokenStream> = types.collect_vec();
        let types = if types.is_empty() { quote!() } else { quote!(::<#(#types),*>) };
        let sizes = not_inferable.iter().filter_map(|k| turbofish::size((*sizes.get(*k)?)?));
        let sizes = sizes.map(|e| match &e {
            syn::Expr::Path(p) => self.path(&p.path),
            e => e.to_token_stream(),
        });
        (quote!(#bare::__reference #types), sizes.collect_vec())
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
