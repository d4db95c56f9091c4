//! The stub of a rejected kernel: the same signature with a body that never runs, so that rustc still checks the rest
//! of the user's crate, and a hook that exports the rejection, so that callers report no further errors.

use super::boundary::length;
use super::types::Boundary;
use super::with_alloc;
use crate::mapped::Mapped;
use crate::options::Options;
use crate::surface::rust::Runtime;
use crate::surface::rust::const_name;
use crate::surface::{Function, Generic, function_like, key, length_names, open_count};
use crate::ty::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The items of a rejected kernel.
pub(crate) fn stub(f: &Function, hook: &TokenStream, options: &Options) -> TokenStream {
    let krate = &options.krate;
    let rt = Runtime::outside(krate);
    let (attrs, vis, name) = (&f.attrs, &f.vis, &f.name);
    let names = (0..f.params.len()).map(|k| super::body::local(&format!("argument{k}")));
    let of = |t: &crate::surface::TypeExpr| Boundary::of(t, &|path| length(f, path, &|path| Some(quote!(#path))));
    let mut lifetimes = Vec::new();
    let mut layouts = options.layouts.arguments(f).into_iter();
    let arguments = f.params.iter().map(|p| of(&p.ty).with_layouts(&mut layouts));
    let typed = |(b, p): (Boundary, &crate::surface::Param)| {
        if p.in_out { b.in_out(&rt, &mut lifetimes) } else { b.argument(&rt, &mut lifetimes) }
    };
    let types: Vec<TokenStream> = arguments.zip(&f.params).mapped(typed);
    let sizes = (0..open_count(f)).map(|k| super::body::local(&format!("size{k}")));
    let result = of(&f.result).with_layouts(&mut options.layouts.results(f).into_iter());
    let ret = result.owned(&rt);
    let bounds = f.type_params().bounds();
    let mut open = Scalar::params(&bounds);
    let generics = f.generics.iter().map(|g| match g {
        Generic::Type(_, bound) => {
            let (name, bound) = (open.next().map(|s| rt.scalar(s)), Ident::new(bound.name(), Span::mixed_site()));
            quote!(#name: #rt::#bound)
        }
        Generic::Const(n) => {
            let n = const_name(n);
            quote!(const #n: ::core::primitive::usize)
        }
    });
    let generics = lifetimes.iter().map(|l| quote!(#l)).chain(generics);
    let plain = quote! {
        #(#attrs)*
        #vis fn #name<#(#generics),*>(#(#names: #types,)* #(#sizes: ::core::primitive::usize),*) -> #ret { ::core::unimplemented!("this kernel was rejected by the compiler") }
    };
    let plain = if result.is_on_the_heap() { with_alloc(krate, plain) } else { plain };
    quote! {
        #plain
        #[doc(hidden)]
        #vis mod #name { #hook }
    }
}

/// A function for a stub in a module, where the user's constants are not in scope: those in the types of its arguments are const
/// generics.
pub(crate) fn apart(f: &Function) -> Function {
    let mut f = f.clone();
    for name in f.params.iter().flat_map(|p| length_names(&p.ty)).collect_vec() {
        let known = f.const_generics().into_iter().any(|g| key(g) == key(&name));
        if !known && !f.binds(&name) && !function_like(&name.clone().into()) {
            f.generics.push(Generic::Const(name));
        }
    }
    f
}
