//! Named reductions, of a tuple one for each part of it, and scans.

use super::Reference;
use super::statements::literal;
use crate::mapped::{Both, Mapped, PushAll};
use crate::surface::rust::{operator, placed};
use crate::surface::{Expr, axes, functions};
use crate::ty::Type;
use crate::value::Lit;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

impl Reference<'_> {
    /// `sum(n, f)`, `prod(n, f)`, …. Several axes are a nest, as it would be written.
    pub(super) fn reduction(&mut self, name: &str, args: &[Expr], at: Span) -> TokenStream {
        let values = args.len() - functions(name);
        let f = &args[args.len() - 1];
        let result = self.result_of(f);
        let mut others: Vec<TokenStream> = args[1..values].iter().map(|v| self.owned(v)).collect_vec();
        others.push_all(args[values..args.len() - 1].iter().map(|f| self.function(f)));
        let counts = axes(&args[0]);
        if let [n] = counts {
            let (n, f) = (self.owned(n), self.function(f));
            return self.along_axis(name, &result, (n, &others, f), at);
        }
        let term = Ident::new("f", Span::mixed_site());
        let named = |prefix: &str, k: usize| Ident::new(&format!("{prefix}{k}"), Span::mixed_site());
        let (ns, is): (Vec<Ident>, Vec<Ident>) = (0..counts.len()).map(|k| (named("n", k), named("i", k))).unzip();
        let given: Vec<Ident> = (0..others.len()).map(|k| named("given", k)).collect_vec();
        let counts = counts.iter().mapped(|n| self.owned(n));
        let (usize, f) = (quote!(::core::primitive::usize), self.function(f));
        let nest = if let "argmin" | "argmax" = name {
            let best = self.helper(&format!("{name}_over"), quote!([#(#ns),*], |[#(#is),*]| #term(#(#is),*)), at);
            quote!({ let [#(#is),*] = #best; (#(#is),*) })
        } else {
            // These arguments are used at each place.
            let values =
                given.iter().enumerate().mapped(|(k, x)| if k + 1 < values { quote!(#x.clone()) } else { quote!(&#x) });
            let outer = if name == "count" { ("sum", counted(&result)) } else { (name, result.clone()) };
            let levels = ns.iter().zip(&is).enumerate().rev();
            levels.fold(quote!(#term(#(#is),*)), |body, (k, (n, i))| {
                let (name, ty) = if k + 1 == ns.len() { (name, &result) } else { (outer.0, &outer.1) };
                self.along_axis(name, ty, (quote!(#n), &values, quote!(|#i: #usize| #body)), at)
            })
        };
        quote!({ #(let #ns: #usize = #counts;)* #(let #given = #others;)* let #term = #f; #nest })
    }

    /// A reduction along one axis, with the arguments besides its count and its term of type `ty`.
    fn along_axis(
        &self,
        name: &str,
        ty: &Type,
        (n, others, f): (TokenStream, &[TokenStream], TokenStream),
        at: Span,
    ) -> TokenStream {
        if !["sum", "prod", "min", "max", "count"].contains(&name) {
            return self.helper(name, quote!(#n, #(#others,)* #f), at);
        }
        match ty {
            Type::Tuple(_) => {
                // Names of the user's must not be captured.
                let [count, term, i] = ["count", "term", "i"].map(|name| Ident::new(name, Span::mixed_site()));
                let all = components(ty, quote!(), &|ty, path| {
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
            let [a, b] = ["a", "b"].both(|name| Ident::new(name, Span::mixed_site()));
            let [x, y] = [&a, &b].both(|x| placed(&quote!(#x), at));
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

/// The type of a count of conditions.
fn counted(t: &Type) -> Type {
    match t {
        Type::Tuple(ts) => Type::Tuple(ts.iter().mapped(counted)),
        _ => Type::USIZE,
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
