//! The bridge from a kernel's module to the user's scope: a trait that is declared in the module and implemented next to the
//! function. Generated code reaches constants, callees and the reference through it.

use super::compiled::Items;
use super::constant::{self, constant_type};
use super::generics::Sizes;
use super::with_alloc;
use crate::fsmooth::{Callee, Via};
use crate::mapped::Mapped;
use crate::surface::rust;
use crate::ty::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

impl Items<'_> {
    /// The module's side: the trait, and the entry points of the reference.
    pub(super) fn bridge(&self) -> TokenStream {
        let c = self.c;
        let items = self.trait_items();
        let name = c.kernel.interface.name.as_str();
        let references = with_alloc(c.krate, self.references());
        quote! {
            #[doc(hidden)]
            pub struct Kernel {}
            #[doc(hidden)]
            pub trait Body { #items }
            #[doc(hidden)]
            pub const __NAME: &str = #name;
            #references
        }
    }

    /// The callees that are kernels, with their numbers.
    fn called_kernels(&self) -> impl Iterator<Item = (usize, &Callee)> {
        self.c
            .program
            .interface
            .callees
            .iter()
            .enumerate()
            .filter(|(_, c)| !matches!(c.via, Via::Argument(_) | Via::Mark))
    }

    /// The type parameters of a forwarded call: a rule is one of floats, also where the kernel is one of any numbers.
    fn generics_of_call(&self, callee: &Callee) -> TokenStream {
        let rt = &self.rt;
        let declared = self.c.kernel.interface.types.iter().zip(0..).mapped(|(own, k)| {
            let given = callee.types.iter().find_map(|t| match t {
                Scalar::Open(b, j) if *j == k => Some(*b),
                _ => None,
            });
            let b = given.unwrap_or(*own);
            let (name, bound) = (rt.scalar(Scalar::Open(b, k)), Ident::new(b.name(), Span::mixed_site()));
            quote!(#name: #rt::#bound)
        });
        if declared.is_empty() { quote!() } else { quote!(<#(#declared),*>) }
    }

    /// The items of the trait.
    fn trait_items(&self) -> TokenStream {
        let consts = self.c.program.interface.consts.iter().enumerate().map(|(k, c)| {
            let (name, ty) = (format_ident!("C{k}"), constant_type(&c.ty, &self.rt));
            quote!(const #name: #ty;)
        });
        let calls = self.called_kernels().map(|(k, callee)| {
            let (params, _, ret) = self.forwarded(k);
            let name = format_ident!("call{k}");
            let generics = self.generics_of_call(callee);
            quote!(unsafe fn #name #generics(#params) #ret;)
        });
        let reference = self.reference_signature(true);
        let reference = with_alloc(self.c.krate, quote!(fn reference #reference;));
        quote!(#(#consts)* #(#calls)* #reference)
    }

    /// The items of its implementation, in the user's scope.
    pub(super) fn code(&self) -> TokenStream {
        let (c, rt) = (self.c, &self.rt);
        let consts = c.program.interface.consts.iter().enumerate().map(|(k, item)| {
            let (name, ty) = (format_ident!("C{k}"), constant_type(&item.ty, rt));
            let value = match item.via {
                Via::Own(n) => {
                    let (path, part) = &c.const_paths[n];
                    constant::value(path, part, &item.ty, &self.rt)
                }
                Via::Callee(n, j) => {
                    let (path, name) = (&c.paths[n], format_ident!("C{j}"));
                    quote!(<#path::Kernel as #path::Body>::#name)
                }
                Via::Argument(_) | Via::Probe(_) | Via::Mark => unreachable!("none is a constant"),
            };
            quote!(const #name: #ty = #value;)
        });
        let calls = self.called_kernels().map(|(k, callee)| {
            let ((params, names, ret), name) = (self.forwarded(k), format_ident!("call{k}"));
            let types = callee.types.iter().mapped(|s| rt.scalar(*s));
            let types = if types.is_empty() { quote!() } else { quote!(::<#(#types),*>) };
            let generics = self.generics_of_call(callee);
            let to = match callee.via {
                Via::Probe(n) => {
                    let probe = self.probe(&c.probes[n], &callee.params, &names);
                    return quote!(#[cold] unsafe fn #name #generics(#params) #ret { #probe });
                }
                Via::Own(n) => {
                    let path = &c.paths[n];
                    quote!(#path::body #types)
                }
                Via::Callee(n, k) => {
                    let (path, name) = (&c.paths[n], format_ident!("call{k}"));
                    quote!(<#path::Kernel as #path::Body>::#name #types)
                }
                Via::Argument(_) | Via::Mark => unreachable!("neither is a kernel"),
            };
            quote!(#[inline] unsafe fn #name #generics(#params) #ret { #rt::proven!(#to(#(#names),*)) })
        });
        let (reference, plain) = (self.reference_signature(true), &c.reference);
        let reference = with_alloc(c.krate, quote!(fn reference #reference { #plain }));
        quote!(#(#consts)* #(#calls)* #reference)
    }

    /// The signature of the reference. `inside` the trait, the const generics that cannot be inferred are parameters at
    /// the end.
    pub(super) fn reference_signature(&self, inside: bool) -> TokenStream {
        let (generics, types) =
            (self.generics(&[], true, (!inside).then_some(Sizes::NotInferable)), self.reference_types(inside));
        quote!(#generics #types)
    }

    pub(super) fn reference_types(&self, inside: bool) -> TokenStream {
        let names = self.c.surface.params.iter().map(|p| p.name.clone());
        let params = self.args.iter().zip(&self.c.surface.params);
        let types =
            params.map(|(b, p)| if p.in_out { b.reference_in_out(&self.rt) } else { b.reference_argument(&self.rt) });
        let ret = self.result.reference_value(&self.rt);
        let not_inferable = self.size_names(Sizes::NotInferable).into_iter().filter(|_| inside).map(rust::size_name);
        let usize = self.rt.usize();
        quote!((#(#names: #types,)* #(#not_inferable: #usize),*) -> #ret)
    }
}
