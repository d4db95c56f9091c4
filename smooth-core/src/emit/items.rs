//! The family of a kernel: `f`, `f::into`, `f::try_into`, `f::shape`, `f::scratch`, `f::reference`, and the
//! hook that carries its program to other kernels.
//!
//! The code lives in the module, where none of the user's items can get in its way. What the user's names
//! mean, constants and callees, comes to it through a trait that is implemented beside the function, and so
//! the module never needs `super`, which a function body does not have.

use super::body::{Body, inner, scalar_type};
use super::entry;
use super::names::Idents;
use super::types::Bound;
use crate::dps::{Leaf, Program};
use crate::fsmooth::{Kernel, Via};
use crate::infer::inline_only;
use crate::shape::card::Atom;
use crate::shape::{Companion, Dim, Param, ParamKind, entry_atoms};
use crate::span::Spans;
use crate::surface::Function;
use crate::ty::{Scalar, Type};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// Everything that is known about a compiled kernel.
pub(crate) struct Compiled<'a> {
    pub surface: &'a Function,
    pub kernel: &'a Kernel,
    pub program: &'a Program,
    pub companion: &'a Companion,
    pub spans: &'a Spans,
    /// The callees' paths as written.
    pub paths: &'a [syn::Path],
    /// The constants' paths as written, with the cast they stand in.
    pub const_paths: &'a [(syn::Path, Option<Scalar>)],
    /// The reference's body.
    pub reference: TokenStream,
    /// The path of the facade.
    pub krate: &'a TokenStream,
}

pub(super) struct Items<'a> {
    pub(super) c: &'a Compiled<'a>,
    pub(super) rt: TokenStream,
    pub(super) idents: Idents<'a>,
    pub(super) params: Vec<Bound>,
    pub(super) result: Bound,
}

/// The function, its module and its code.
pub(crate) fn items(c: &Compiled<'_>, hook: &TokenStream) -> TokenStream {
    let krate = c.krate;
    let i = Items {
        c,
        rt: quote!(#krate::__private),
        idents: Idents::new(&c.program.names),
        params: c.surface.params.iter().map(|p| Bound::of(&p.ty)).collect(),
        result: Bound::of(&c.surface.result),
    };
    let (vis, name, attrs) = (&c.surface.vis, &c.surface.name, &c.surface.attrs);
    let cfgs: Vec<_> = attrs.iter().filter(|a| a.path().is_ident("cfg")).collect();
    let (code, module) = (i.code(), i.module());
    let (signature, call) = i.plain();
    quote! {
        #(#attrs)*
        #[inline]
        #[track_caller]
        #vis fn #name #signature { #call }

        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_snake_case, clippy::all, clippy::pedantic)]
        #vis mod #name { #module #hook }

        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_snake_case, clippy::all, clippy::pedantic)]
        impl #name::Body for #name::Kernel { #code }
    }
}

impl Items<'_> {
    fn inline_only(&self) -> bool {
        self.c.kernel.params.iter().any(inline_only)
    }

    /// The types of the scalars of the result.
    pub(super) fn scalars(&self) -> Vec<TokenStream> {
        let leaves = self.c.program.results.iter();
        leaves
            .filter_map(|l| match l {
                Leaf::Value(s) | Leaf::Cell(_, s) => Some(scalar_type(*s)),
                Leaf::Storage(..) => None,
            })
            .collect()
    }

    /// The sizes that the body takes beside the arguments.
    pub(super) fn raw_atoms(params: &[Param]) -> Vec<Atom> {
        let values: Vec<_> = params.iter().filter(|p| p.ty() == Type::USIZE).map(|p| p.var).collect();
        entry_atoms(params).into_iter().filter(|a| !matches!(a, Atom::Var(v) if values.contains(v))).collect()
    }

    /// The parameters of the body: destinations, flat arguments, sizes, frame.
    fn raw_params(&self) -> TokenStream {
        let rt = &self.rt;
        let mut out = TokenStream::new();
        for l in &self.c.program.results {
            if let Leaf::Storage(r, s, _) = l {
                let (r, s) = (self.idents.var(*r), scalar_type(*s));
                out.extend(quote!(#r: &mut #rt::Cells<#s>,));
            }
        }
        for p in &self.c.kernel.params {
            let (v, ty) = (self.idents.var(p.var), raw_type(p));
            out.extend(quote!(#v: #ty,));
        }
        for a in Self::raw_atoms(&self.c.kernel.params) {
            let a = self.idents.atom(&a);
            out.extend(quote!(#a: ::core::primitive::usize,));
        }
        let frame = inner("frame");
        quote!(#out #frame: &mut [::core::mem::MaybeUninit<::core::primitive::u8>])
    }

    /// The signature with which another kernel calls a callee of ours.
    fn forwarded(&self, k: usize) -> (TokenStream, Vec<Ident>, TokenStream) {
        let callee = &self.c.program.callees[k];
        let rt = &self.rt;
        let (mut params, mut names) = (TokenStream::new(), Vec::new());
        let mut push = |ty: TokenStream| {
            let name = inner(&names.len().to_string());
            params.extend(quote!(#name: #ty,));
            names.push(name);
        };
        let mut scalars = Vec::new();
        for t in callee.companion.result_type.leaves() {
            match t {
                Type::Array(s, _) => {
                    let s = scalar_type(s);
                    push(quote!(&mut #rt::Cells<#s>));
                }
                t => scalars.extend(t.scalar().map(scalar_type)),
            }
        }
        callee.params.iter().for_each(|p| push(raw_type(p)));
        Self::raw_atoms(&callee.params).iter().for_each(|_| push(quote!(::core::primitive::usize)));
        push(quote!(&mut [::core::mem::MaybeUninit<::core::primitive::u8>]));
        (params, names, arrow(scalars))
    }

    /// The trait between module and code.
    fn trait_items(&self) -> TokenStream {
        let consts = self.c.program.consts.iter().enumerate().map(|(k, c)| {
            let (name, ty) = (format_ident!("C{k}"), scalar_type(c.ty));
            quote!(const #name: #ty;)
        });
        let calls = (0..self.c.program.callees.len()).map(|k| {
            let (params, _, ret) = self.forwarded(k);
            let name = format_ident!("call{k}");
            quote!(unsafe fn #name(#params) #ret;)
        });
        let reference = self.reference_signature();
        quote!(#(#consts)* #(#calls)* fn reference #reference;)
    }

    /// The code: the trait's implementation, in the user's scope.
    fn code(&self) -> TokenStream {
        let c = self.c;
        let consts = c.program.consts.iter().enumerate().map(|(k, item)| {
            let (name, ty) = (format_ident!("C{k}"), scalar_type(item.ty));
            let value = match item.via {
                Via::Here(n) => {
                    let (path, cast) = &c.const_paths[n];
                    match cast.map(scalar_type) {
                        Some(ty) => quote!(#path as #ty),
                        None => quote!(#path),
                    }
                }
                Via::There(n, j) => {
                    let (path, there) = (&c.paths[n], format_ident!("C{j}"));
                    quote!(<#path::Kernel as #path::Body>::#there)
                }
            };
            quote!(const #name: #ty = #value;)
        });
        let calls = c.program.callees.iter().enumerate().map(|(k, callee)| {
            let ((params, names, ret), name) = (self.forwarded(k), format_ident!("call{k}"));
            let to = match callee.via {
                Via::Here(n) => {
                    let path = &c.paths[n];
                    quote!(#path::body)
                }
                Via::There(n, k) => {
                    let (path, there) = (&c.paths[n], format_ident!("call{k}"));
                    quote!(<#path::Kernel as #path::Body>::#there)
                }
            };
            quote!(#[inline] unsafe fn #name(#params) #ret { unsafe { #to(#(#names),*) } })
        });
        let (reference, plain) = (self.reference_signature(), &c.reference);
        quote!(#(#consts)* #(#calls)* fn reference #reference { #plain })
    }

    fn reference_signature(&self) -> TokenStream {
        let names = self.c.surface.params.iter().map(|p| p.name.clone());
        let types = self.params.iter().map(|b| b.reference_argument(&self.rt));
        let ret = self.result.reference_value(&self.rt);
        quote!((#(#names: #types),*) -> #ret)
    }

    /// The contents of the module.
    fn module(&self) -> TokenStream {
        let (rt, c) = (&self.rt, self.c);
        let items = self.trait_items();
        let reference = self.reference_signature();
        let names: Vec<Ident> = c.surface.params.iter().map(|p| p.name.clone()).collect();
        let name = c.kernel.name.as_str();
        let common = quote! {
            pub struct Kernel;
            pub trait Body { #items }
            pub const NAME: &::core::primitive::str = #name;
            pub fn reference #reference { <Kernel as Body>::reference(#(#names),*) }
        };
        if self.inline_only() {
            return common;
        }
        let plan = entry::plan(c.kernel, c.companion, &self.idents, &quote!(__rt));
        let (sizes, size_types): (Vec<_>, Vec<_>) =
            entry::size_params(&c.kernel.params, &self.idents).into_iter().unzip();
        let ranks: Vec<_> = c.companion.result.iter().map(|s| Literal::usize_unsuffixed(s.len())).collect();
        let planned = quote!((#([::core::primitive::usize; #ranks],)* ::core::primitive::usize));
        let shape_type = match ranks.as_slice() {
            [one] => quote!([::core::primitive::usize; #one]),
            many => quote!((#([::core::primitive::usize; #many]),*)),
        };
        let at: Vec<_> = (0..ranks.len()).map(Literal::usize_unsuffixed).collect();
        let last = Literal::usize_unsuffixed(ranks.len());
        let shape = match at.as_slice() {
            [one] => quote!(plan.#one),
            many => quote!((#(plan.#many),*)),
        };
        // Static kernels: no arguments, since there is nothing to say.
        let (given, passed) = if entry::is_static(&c.kernel.params) {
            let fixed = c.kernel.params.iter().filter(|p| p.ty().is_array()).map(|p| {
                let dims = p.dims().iter().map(|d| {
                    if let Dim::Lit(n) = d { Literal::u64_unsuffixed(*n) } else { Literal::u64_unsuffixed(0) }
                });
                quote!([#(#dims),*])
            });
            (quote!(), quote!(#(#fixed),*))
        } else {
            (quote!(#(#sizes: #size_types),*), quote!(#(#sizes),*))
        };
        let family = self.family();
        let short = quote!(__rt);
        let body = Body::new(c.program, &self.idents, &short, c.spans).function();
        let (params, ret) = (self.raw_params(), arrow(self.scalars()));
        quote! {
            #common
            use #rt as __rt;
            #[inline]
            pub unsafe fn body(#params) #ret { unsafe { #body } }
            #[inline]
            pub const fn plan(#(#sizes: #size_types),*) -> ::core::result::Result<#planned, #rt::ShapeError> { #plan }
            #[inline]
            pub const fn try_shape(#given) -> ::core::result::Result<#shape_type, #rt::ShapeError> {
                match plan(#passed) { ::core::result::Result::Ok(plan) => ::core::result::Result::Ok(#shape), ::core::result::Result::Err(e) => ::core::result::Result::Err(e) }
            }
            #[inline]
            #[track_caller]
            pub const fn shape(#given) -> #shape_type {
                match plan(#passed) { ::core::result::Result::Ok(plan) => #shape, ::core::result::Result::Err(e) => e.raise() }
            }
            #[inline]
            pub const fn try_scratch(#given) -> ::core::result::Result<::core::primitive::usize, #rt::ShapeError> {
                match plan(#passed) { ::core::result::Result::Ok(plan) => ::core::result::Result::Ok(plan.#last), ::core::result::Result::Err(e) => ::core::result::Result::Err(e) }
            }
            #[inline]
            #[track_caller]
            pub const fn scratch(#given) -> ::core::primitive::usize {
                match plan(#passed) { ::core::result::Result::Ok(plan) => plan.#last, ::core::result::Result::Err(e) => e.raise() }
            }
            #family
        }
    }

    /// The signature and body of the function itself.
    fn plain(&self) -> (TokenStream, TokenStream) {
        let (rt, name) = (&self.rt, &self.c.surface.name);
        if self.inline_only() {
            let names: Vec<Ident> = self.c.surface.params.iter().map(|p| p.name.clone()).collect();
            let signature = self.reference_signature();
            return (signature, quote!(#name::reference(#(#names),*)));
        }
        let args = self.arg_idents();
        let types = self.params.iter().enumerate().map(|(k, b)| b.argument(rt, k));
        let lifetimes = self.params.iter().enumerate().filter_map(|(k, b)| b.lifetime("arg", k));
        let ret = self.result.owned(rt);
        (quote!(<#(#lifetimes),*>(#(#args: #types),*) -> #ret), quote!(#name::call(#(#args),*)))
    }
}

/// `T`, `(T, U)` or `()`.
pub(super) fn tuple(types: Vec<TokenStream>) -> TokenStream {
    match types.as_slice() {
        [one] => quote!(#one),
        many => quote!((#(#many),*)),
    }
}

/// `-> T`, or nothing where nothing is returned.
pub(super) fn arrow(types: Vec<TokenStream>) -> TokenStream {
    if types.is_empty() {
        return quote!();
    }
    let ret = tuple(types);
    quote!(-> #ret)
}

/// The type of a parameter of a body.
fn raw_type(p: &Param) -> TokenStream {
    match &p.kind {
        ParamKind::Scalar(s) => scalar_type(*s),
        ParamKind::Array(s, _) => {
            let s = scalar_type(*s);
            quote!(&[#s])
        }
        ParamKind::Fn(ps, r, _) => {
            let ps = ps.iter().filter_map(|(t, _)| t.scalar()).map(scalar_type);
            let r = scalar_type(r.scalar().unwrap_or(Scalar::F64));
            quote!(&impl ::core::ops::Fn(#(#ps),*) -> #r)
        }
    }
}
