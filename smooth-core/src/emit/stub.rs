//! On error: the same signature with a body that is never reached, so that the rest of the user's crate is
//! still checked, and a hook that tells callers to stay silent.

use super::body::scalar_type;
use super::items::length;
use super::types::Bound;
use super::with_alloc;
use crate::surface::reference::const_name;
use crate::surface::{Function, Generic};
use crate::ty::Scalar;
use proc_macro2::TokenStream;
use quote::quote;

/// Stands in for a rejected kernel.
pub(crate) fn stub(f: &Function, hook: &TokenStream, krate: &TokenStream) -> TokenStream {
    let rt = quote!(#krate::__private);
    let (attrs, vis, name) = (&f.attrs, &f.vis, &f.name);
    let names = (0..f.params.len()).map(|k| super::body::local(&format!("argument{k}")));
    let of = |t: &crate::surface::TypeExpr| Bound::of(t, &|path| length(f, path, &|path| Some(quote!(#path))));
    let mut lifetimes = Vec::new();
    let types: Vec<TokenStream> = f.params.iter().map(|p| of(&p.ty).argument(&rt, &mut lifetimes)).collect();
    let result = of(&f.result);
    let ret = result.owned(&rt);
    let mut reals = (0..).map(|k| scalar_type(Scalar::Real(k)));
    let generics = f.generics.iter().map(|g| match g {
        Generic::Real(_) => {
            let name = reals.next();
            quote!(#name: #rt::Real)
        }
        Generic::Const(n) => {
            let n = const_name(n);
            quote!(const #n: ::core::primitive::usize)
        }
    });
    let generics = lifetimes.iter().map(|l| quote!(#l)).chain(generics);
    let plain = quote! {
        #(#attrs)*
        #vis fn #name<#(#generics),*>(#(#names: #types),*) -> #ret { ::core::unimplemented!("this kernel was rejected by the compiler") }
    };
    let plain = if result.is_on_the_heap() { with_alloc(krate, plain) } else { plain };
    quote! {
        #plain
        #[doc(hidden)]
        #vis mod #name { #hook }
    }
}
