//! On error: the same signature with a body that is never reached, so that the rest of the user's crate is
//! still checked, and a hook that tells callers to stay silent.

use super::types::Bound;
use crate::surface::Function;
use proc_macro2::TokenStream;
use quote::quote;

/// Stands in for a rejected kernel.
pub(crate) fn stub(f: &Function, hook: &TokenStream, krate: &TokenStream) -> TokenStream {
    let rt = quote!(#krate::__private);
    let (attrs, vis, name) = (&f.attrs, &f.vis, &f.name);
    let names = (0..f.params.len()).map(|k| super::body::local(&format!("argument{k}")));
    let types = f.params.iter().enumerate().map(|(k, p)| Bound::of(&p.ty).argument(&rt, k));
    let lifetimes = f.params.iter().enumerate().filter_map(|(k, p)| Bound::of(&p.ty).lifetime("arg", k));
    let ret = Bound::of(&f.result).owned(&rt);
    quote! {
        #(#attrs)*
        #vis fn #name<#(#lifetimes),*>(#(#names: #types),*) -> #ret { ::core::unimplemented!("this kernel was rejected by the compiler") }
        #[doc(hidden)]
        #[allow(non_snake_case)]
        #vis mod #name { #hook }
    }
}
