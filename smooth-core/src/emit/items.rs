//! The family of a kernel: `f`, `f::into`, `f::try_into`, `f::shape`, `f::scratch`, `f::reference`, and the
//! hook that carries its program to other kernels.
//!
//! The code lives in the module, where none of the user's items can get in its way. What the user's names
//! mean, constants and callees, comes to it through a trait that is implemented beside the function, and so
//! the module never needs `super`, which a function body does not have.

use super::body::{Body, inner, scalar_type};
use super::entry;
use super::generics::{Sizes, fish};
use super::names::Idents;
use super::types::{Bound, Length};
use super::with_alloc;
use crate::dps::{Leaf, Program};
use crate::fsmooth::{Const, Kernel, Via};
use crate::infer::inline_only;
use crate::shape::card::Atom;
use crate::shape::{Companion, Dim, Param, ParamKind, entry_atoms};
use crate::span::Spans;
use crate::surface::{Function, Generic, TypeExpr, function_like, key, path_key, reference};
use crate::ty::{Scalar, Type};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

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
    /// The arguments.
    pub(super) args: Vec<Bound>,
    pub(super) result: Bound,
}

/// The function, its module and its code.
pub(crate) fn items(c: &Compiled<'_>, hook: &TokenStream) -> TokenStream {
    let krate = c.krate;
    let rt = quote!(#krate::__private);
    let (args, result) = boundary(c, &|path| {
        let here = c.const_paths.iter().position(|(p, cast)| path_key(p) == path_key(path) && cast.is_none())?;
        let constant = |k: &Const| k.via == Via::Here(here) && k.ty == Scalar::Usize;
        let k = format_ident!("C{}", c.program.consts.iter().position(constant)?);
        Some(quote!(<Kernel as Body>::#k))
    });
    let i = Items { c, rt, idents: Idents::new(&c.program.names), args, result };
    let (vis, name, attrs) = (&c.surface.vis, &c.surface.name, &allowing(&c.surface.attrs));
    // What is said about lints holds wherever the user's own tokens stand.
    let lints: Vec<_> = attrs.iter().filter(|a| LINTS.iter().any(|l| a.path().is_ident(l))).collect();
    let cfgs: Vec<_> = attrs.iter().filter(|a| a.path().is_ident("cfg")).collect();
    let own = ["inline", "track_caller"].map(|own| {
        let given = attrs.iter().any(|a| a.path().is_ident(own));
        let own = Ident::new(own, Span::mixed_site());
        (!given).then(|| quote!(#[#own]))
    });
    let [inline, track_caller] = own;
    let (code, module) = (i.code(), i.module());
    let (signature, call) = i.plain();
    // An item of ours from its first token on, in a macro as outside of one: who calls it may do so through its module
    // alone, and then Rust thinks that it is never used.
    let mut head = quote!(#vis fn).into_iter();
    let mut first = head.next();
    if let Some(t) = &mut first {
        t.set_span(Span::mixed_site().located_at(t.span()));
    }
    let head: TokenStream = first.into_iter().chain(head).collect();
    let plain = i.owning(quote! {
        #(#attrs)*
        #inline
        #track_caller
        #head #name #signature { #call }
    });
    quote! {
        #plain

        #(#cfgs)*
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
        #(#lints)*
        #vis mod #name { #module #hook }

        #(#cfgs)*
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
        #(#lints)*
        impl #name::Body for #name::Kernel { #code }
    }
}

const LINTS: [&str; 4] = ["allow", "warn", "deny", "forbid"];

/// The attributes with `allow` for `expect`: the lint may come in one of several items.
fn allowing(attrs: &[Attribute]) -> Vec<Attribute> {
    let mut attrs = attrs.to_vec();
    for a in attrs.iter_mut().filter(|a| a.path().is_ident("expect")) {
        let allow = Ident::new("allow", a.path().span());
        if let Meta::List(list) = &mut a.meta {
            list.path = allow.into();
        }
    }
    attrs
}

/// The boundary forms of arguments and result. `constant` says how a constant is written.
fn boundary(c: &Compiled<'_>, constant: &Constants<'_>) -> (Vec<Bound>, Bound) {
    let of = |t: &TypeExpr| Bound::of(t, &|path| length(c.surface, path, constant));
    let mut flags = c.kernel.params.iter().filter(|p| p.is_argument()).map(|p| p.column_major);
    let args = c.surface.params.iter().map(|p| of(&p.ty).turned(&mut flags)).collect();
    (args, of(&c.surface.result).turned(&mut c.companion.column_major.iter().copied()))
}

/// How a constant is written.
type Constants<'a> = dyn Fn(&syn::Path) -> Option<TokenStream> + 'a;

/// What a length that is a path is, if it is static: a const generic, or a constant.
pub(super) fn length(f: &Function, path: &syn::Path, constant: &Constants<'_>) -> Option<Length> {
    if let Some(name) = path.get_ident() {
        if f.const_generics().into_iter().any(|g| key(g) == key(name)) {
            return Some(Length::Generic(reference::const_name(name)));
        }
        if function_like(path) || f.params.iter().any(|p| key(&p.name) == key(name)) {
            return None;
        }
    }
    constant(path).map(Length::Constant)
}

impl Items<'_> {
    fn inline_only(&self) -> bool {
        self.c.kernel.params.iter().any(inline_only)
    }

    /// What returns owned values: it needs the heap for arrays of open size, and for the arena of a frame.
    pub(super) fn owning(&self, items: TokenStream) -> TokenStream {
        let heap = self.inline_only() || self.c.companion.frame.known() != Some(0) || self.result.is_on_the_heap();
        if heap { with_alloc(self.c.krate, items) } else { items }
    }

    /// The flat parameters that are arguments, with their forms.
    pub(super) fn flat(&self) -> Vec<(&Param, &Bound)> {
        self.c.kernel.params.iter().zip(self.args.iter().flat_map(Bound::leaves)).collect()
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
            let generics = self.generics(&[], true, None);
            quote!(unsafe fn #name #generics(#params) #ret;)
        });
        let reference = self.reference_signature(true);
        let reference = with_alloc(self.c.krate, quote!(fn reference #reference;));
        quote!(#(#consts)* #(#calls)* #reference)
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
            let types = callee.types.iter().map(|s| scalar_type(*s)).collect::<Vec<_>>();
            let types = if types.is_empty() { quote!() } else { quote!(::<#(#types),*>) };
            let to = match callee.via {
                Via::Here(n) => {
                    let path = &c.paths[n];
                    quote!(#path::body #types)
                }
                Via::There(n, k) => {
                    let (path, there) = (&c.paths[n], format_ident!("call{k}"));
                    quote!(<#path::Kernel as #path::Body>::#there #types)
                }
            };
            let generics = self.generics(&[], true, None);
            quote!(#[inline] unsafe fn #name #generics(#params) #ret { unsafe { #to(#(#names),*) } })
        });
        let (reference, plain) = (self.reference_signature(true), &c.reference);
        let reference = with_alloc(c.krate, quote!(fn reference #reference { #plain }));
        quote!(#(#consts)* #(#calls)* #reference)
    }

    /// The signature of the reference: inside, the const generics that are not told are parameters at the end.
    fn reference_signature(&self, inside: bool) -> TokenStream {
        let (generics, types) =
            (self.generics(&[], true, (!inside).then_some(Sizes::Untold)), self.reference_types(inside));
        quote!(#generics #types)
    }

    fn reference_types(&self, inside: bool) -> TokenStream {
        let names = self.c.surface.params.iter().map(|p| p.name.clone());
        let types = self.args.iter().map(|b| b.reference_argument(&self.rt));
        let ret = self.result.reference_value(&self.rt);
        let untold = self.size_names(Sizes::Untold).into_iter().filter(|_| inside).map(reference::size_name);
        quote!((#(#names: #types,)* #(#untold: ::core::primitive::usize),*) -> #ret)
    }

    /// The contents of the module.
    fn module(&self) -> TokenStream {
        let (rt, c) = (&self.rt, self.c);
        let items = self.trait_items();
        let names: Vec<Ident> = c.surface.params.iter().map(|p| p.name.clone()).collect();
        let (untold, types) = (self.sizes(Sizes::Untold), self.turbofish(None));
        let inner_names: Vec<Ident> = self.size_names(Sizes::Untold).into_iter().map(reference::size_name).collect();
        let name = c.kernel.name.as_str();
        let (inside, outside) = (self.reference_signature(true), self.reference_signature(false));
        let references = quote! {
            pub fn reference #outside { <Kernel as Body>::reference #types(#(#names,)* #(#untold),*) }
            pub fn __reference #inside { <Kernel as Body>::reference #types(#(#names,)* #(#inner_names),*) }
        };
        let references = with_alloc(c.krate, references);
        let common = quote! {
            pub struct Kernel {}
            pub trait Body { #items }
            pub const __NAME: &::core::primitive::str = #name;
            #references
        };
        if self.inline_only() {
            return common;
        }
        let plan = entry::plan(c.kernel, c.companion, &self.idents, &self.hidden(), &quote!(__rt));
        let (sizes, size_types): (Vec<_>, Vec<_>) =
            entry::size_params(&c.kernel.params, &self.idents).into_iter().unzip();
        let ranks: Vec<_> = c.companion.result.iter().map(|s| Literal::usize_unsuffixed(s.len())).collect();
        let planned = quote!((#([::core::primitive::usize; #ranks],)* ::core::primitive::usize));
        let shape_type = match ranks.as_slice() {
            [one] => quote!([::core::primitive::usize; #one]),
            many => quote!((#([::core::primitive::usize; #many]),*)),
        };
        let last = Literal::usize_unsuffixed(ranks.len());
        let leaves = c.companion.result.iter().zip(&c.companion.column_major).enumerate().map(|(k, (shape, flag))| {
            let k = Literal::usize_unsuffixed(k);
            turned(*flag, &quote!(plan.#k), shape.len())
        });
        let leaves: Vec<TokenStream> = leaves.collect();
        let shape = match leaves.as_slice() {
            [one] => quote!(#one),
            many => quote!((#(#many),*)),
        };
        // Static kernels: no arguments, since there is nothing to say that the const generics do not.
        let (given, passed, told) = match self.fixed() {
            Some(fixed) => (quote!(), quote!(#(#fixed),*), Sizes::All),
            None => {
                let arrays = c.kernel.params.iter().filter(|p| entry::is_sized(p));
                let passed = arrays.zip(&sizes).map(|(p, name)| turned(p.column_major, name, p.dims().len()));
                (quote!(#(#sizes: #size_types),*), quote!(#(#passed),*), Sizes::Untold)
            }
        };
        let given_names: Vec<&Ident> = if told == Sizes::All { vec![] } else { sizes.iter().collect() };
        let (shape_generics, scratch_generics) =
            (self.generics(&[], false, Some(told)), self.generics(&[], true, Some(told)));
        let plan_generics = self.generics(&[], true, Some(Sizes::Untold));
        let each = self.turbofish(Some(Sizes::Untold));
        // The shape is the same for all types.
        let any = self.ordered(true, Some(Sizes::Untold)).into_iter().map(|(kind, name)| match kind {
            Generic::Real(_) => scalar_type(Scalar::F64),
            Generic::Const(_) => name,
        });
        let any = fish(any.collect());
        let (pass_shape, pass_scratch) = (self.passing(false, Some(told)), self.passing(true, Some(told)));
        let family = self.family();
        let short = quote!(__rt);
        let body = Body::new(c.program, &self.idents, &short, c.spans).function();
        let (params, ret) = (self.raw_params(), arrow(self.scalars()));
        let types = self.generics(&[], true, None);
        quote! {
            #common
            use #rt as __rt;
            #[inline]
            pub unsafe fn body #types(#params) #ret { unsafe { #body } }
            #[inline]
            pub const fn plan #plan_generics(#(#sizes: #size_types),*) -> ::core::result::Result<#planned, #rt::ShapeError> { #plan }
            #[inline]
            pub const fn try_shape #shape_generics(#given) -> ::core::result::Result<#shape_type, #rt::ShapeError> {
                match plan #any(#passed) { ::core::result::Result::Ok(plan) => ::core::result::Result::Ok(#shape), ::core::result::Result::Err(e) => ::core::result::Result::Err(e) }
            }
            #[inline]
            #[track_caller]
            pub const fn shape #shape_generics(#given) -> #shape_type {
                match try_shape #pass_shape(#(#given_names),*) { ::core::result::Result::Ok(shape) => shape, ::core::result::Result::Err(e) => e.raise() }
            }
            #[inline]
            pub const fn try_scratch #scratch_generics(#given) -> ::core::result::Result<::core::primitive::usize, #rt::ShapeError> {
                match plan #each(#passed) { ::core::result::Result::Ok(plan) => ::core::result::Result::Ok(plan.#last), ::core::result::Result::Err(e) => ::core::result::Result::Err(e) }
            }
            #[inline]
            #[track_caller]
            pub const fn scratch #scratch_generics(#given) -> ::core::primitive::usize {
                match try_scratch #pass_scratch(#(#given_names),*) { ::core::result::Result::Ok(bytes) => bytes, ::core::result::Result::Err(e) => e.raise() }
            }
            #family
        }
    }

    /// The physical extents of each array argument, if all of them are static and no argument is a `usize`.
    fn fixed(&self) -> Option<Vec<TokenStream>> {
        let sized = self.c.kernel.params.iter().filter(|p| entry::is_sized(p));
        sized.map(|p| self.static_shape(p)).collect()
    }

    fn static_shape(&self, p: &Param) -> Option<TokenStream> {
        let dims = match &p.kind {
            ParamKind::Array(_, dims) => dims.iter().map(|d| self.static_extent(d)).collect::<Option<Vec<_>>>()?,
            _ => return None,
        };
        Some(quote!([#(#dims),*]))
    }

    /// An extent that is a number, a const generic or a constant.
    pub(super) fn static_extent(&self, d: &Dim) -> Option<TokenStream> {
        match d {
            Dim::Lit(n) => {
                let n = Literal::u64_unsuffixed(*n);
                Some(quote!(#n))
            }
            Dim::Param(v) => self.hidden().into_iter().find(|(p, _)| p.var == *v).map(|(_, value)| value),
            Dim::Size(v) => {
                let name = self.c.kernel.names.name(*v);
                let generic = self.c.surface.const_generics().into_iter().find(|g| *g == name)?;
                let generic = reference::const_name(generic);
                Some(quote!(#generic))
            }
            Dim::Anon => None,
        }
    }

    /// The signature and body of the function itself, in the user's names.
    fn plain(&self) -> (TokenStream, TokenStream) {
        let (rt, name) = (&self.rt, &self.c.surface.name);
        let names: Vec<Ident> = self.c.surface.params.iter().map(|p| p.name.clone()).collect();
        let (signature, call) = if self.inline_only() {
            let fish = self.turbofish(Some(Sizes::Untold));
            let (generics, types) =
                (self.declared(&[], &quote!(), true, Some(Sizes::Untold)), self.reference_types(false));
            (quote!(#generics #types), quote!(#name::reference #fish(#(#names),*)))
        } else {
            let (args, result) = boundary(self.c, &|path| Some(quote!(#path)));
            let (mut lifetimes, idents) = (Vec::new(), self.arg_idents());
            let types: Vec<_> = args.iter().map(|b| b.argument(rt, &mut lifetimes)).collect();
            let (ret, fish) = (result.owned(rt), self.turbofish(Some(Sizes::All)));
            let generics = self.declared(&lifetimes, &quote!(), true, Some(Sizes::All));
            (quote!(#generics(#(#idents: #types),*) -> #ret), quote!(#name::call #fish(#(#idents),*)))
        };
        let (signature, bounds) = (self.renamed(signature), &self.c.surface.bounds);
        // The user's own words for the bounds: these names are used.
        let bounds = if bounds.is_empty() { quote!() } else { quote!(where #bounds) };
        (quote!(#signature #bounds), self.renamed(call))
    }
}

/// A shape in the user's order where memory has the reverse, and the other way round.
pub(super) fn turned(reverse: bool, shape: &impl ToTokens, rank: usize) -> TokenStream {
    let at = (0..rank).rev().map(Literal::usize_unsuffixed);
    if reverse { quote!([#(#shape[#at]),*]) } else { quote!(#shape) }
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
