//! Named reductions, of a tuple one for each part of it, and scans.

use super::Reference;
use crate::surface::Expr;
use crate::ty::Type;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

impl Reference<'_> {
    /// `sum(n, f)`, `prod(n, f)`, ….
    pub(super) fn reduction(&mut self, name: &str, n: &Expr, f: &Expr) -> TokenStream {
        let result = self.result_of(f);
        let (n, f, name) = (self.owned(n), self.function(f), Ident::new(name, Span::mixed_site()));
        let rt = self.rt;
        match &result {
            Type::Tuple(_) => {
                // Names of the user's must not be captured.
                let [count, term, i] = ["count", "term", "i"].map(|name| Ident::new(name, Span::mixed_site()));
                let all =
                    components(&result, quote!(), &|path| quote!(#rt::reference::#name(#count, |#i| #term(#i) #path)));
                quote!({ let (#count, #term) = (#n, #f); #all })
            }
            _ => quote!(#rt::reference::#name(#n, #f)),
        }
    }

    /// `scan(n, init, f)`.
    pub(super) fn scan(&mut self, name: &str, n: &Expr, init: &Expr, f: &Expr) -> TokenStream {
        let (rt, name) = (self.rt, Ident::new(name, Span::mixed_site()));
        let (n, init, f) = (self.owned(n), self.owned(init), self.function(f));
        quote!(#rt::reference::#name(#n, #init, #f))
    }

    /// The type of a function's result.
    fn result_of(&self, f: &Expr) -> Type {
        match self.types.exprs.get(&f.id) {
            Some(Type::Fn(_, r)) => (**r).clone(),
            Some(t) => t.clone(),
            None => Type::F64,
        }
    }
}

/// A tuple of the same structure, of a term for the path to each number.
fn components(t: &Type, path: TokenStream, term: &impl Fn(TokenStream) -> TokenStream) -> TokenStream {
    let Type::Tuple(ts) = t else { return term(path) };
    let parts = ts.iter().enumerate().map(|(k, t)| {
        let k = Literal::usize_unsuffixed(k);
        components(t, quote!(#path.#k), term)
    });
    quote!((#(#parts,)*))
}
