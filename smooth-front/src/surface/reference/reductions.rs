//! Named reductions, of a tuple one for each part of it, and scans.

use super::Reference;
use super::statements::literal;
use crate::surface::Expr;
use crate::surface::rust::{operator, placed};
use crate::ty::Type;
use crate::value::Lit;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

impl Reference<'_> {
    /// `sum(n, f)`, `prod(n, f)`, ….
    pub(super) fn reduction(&mut self, name: &str, n: &Expr, f: &Expr, at: Span) -> TokenStream {
        let result = self.result_of(f);
        let (n, f) = (self.owned(n), self.function(f));
        match &result {
            Type::Tuple(_) => {
                // Names of the user's must not be captured.
                let [count, term, i] = ["count", "term", "i"].map(|name| Ident::new(name, Span::mixed_site()));
                let all = components(&result, quote!(), &|ty, path| {
                    self.reduced(name, ty, (quote!(#count), quote!(|#i| #term(#i) #path)), at)
                });
                quote!({ let (#count, #term) = (#n, #f); #all })
            }
            ty => self.reduced(name, ty, (n, f), at),
        }
    }

    /// The reduction of numbers of one type.
    fn reduced(&self, name: &str, ty: &Type, (n, f): (TokenStream, TokenStream), at: Span) -> TokenStream {
        let rt = self.rt;
        let operation = match (name, ty) {
            ("sum", Type::Scalar(s)) if s.is_int() => Some((Lit::Int(0, *s), "+")),
            ("prod", Type::Scalar(s)) if s.is_int() => Some((Lit::Int(1, *s), "*")),
            _ => None,
        };
        // The operator is here, so that an overflow is at the call.
        if let Some((start, op)) = operation {
            let [a, b] = ["a", "b"].map(|name| Ident::new(name, Span::mixed_site()));
            let [x, y] = [&a, &b].map(|x| placed(&quote!(#x), at));
            let (start, op) = (literal(&start.to_string(), at), operator(op, at));
            return quote!(#rt::reference::reduce(#n, #start, |#a, #b| #x #op #y, #f));
        }
        let name = Ident::new(name, Span::mixed_site());
        quote!(#rt::reference::#name(#n, #f))
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

/// A tuple of the same structure, of a term for the type of each number and the path to it.
fn components(t: &Type, path: TokenStream, term: &impl Fn(&Type, TokenStream) -> TokenStream) -> TokenStream {
    let Type::Tuple(ts) = t else { return term(t, path) };
    let parts = ts.iter().enumerate().map(|(k, t)| {
        let k = Literal::usize_unsuffixed(k);
        components(t, quote!(#path.#k), term)
    });
    quote!((#(#parts,)*))
}
