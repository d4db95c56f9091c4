//! The items of a kernel: the function `f`, the module `f`, and a trait implementation next to them.
//!
//! The loops are in the module, where none of the user's items are in scope. They reach the user's constants and
//! callees through a trait that is implemented next to the function (`bridge`). So the module never needs `super`, which
//! does not name the scope of a kernel inside a function body.

use super::body::{Body, always, cpu, local};
use super::boundary::{Constants, boundary};
use super::check::{Checked, check_of_derivatives};
use super::compiled::FrameAt;
use super::compiled::{Compiled, Items};
use super::entry;
use super::generics::Sizes;
use super::names::Idents;
use super::sections::with_sections;
use super::sizes::at_least;
use super::types::Boundary;
use super::types::arrow;
use super::with_alloc;
use crate::derivative::Mode;
use crate::elaborate::ConstPart;
use crate::fsmooth::{Const, Via};
use crate::loops::{self, Widest};
use crate::mapped::Mapped;
use crate::shape::Param;
use crate::sorted::Set;
use crate::surface::rust::Runtime;
use crate::surface::{path_key, plain};
use crate::ty::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

/// A kernel that is compiled, with the hook of its module.
pub(crate) type Hooked<'a> = (Compiled<'a>, TokenStream);

/// The function, its module and its code; those of its derivatives are in its module, and their code next to its own.
pub(crate) fn items((c, hook): &Hooked<'_>, derivatives: &[(Hooked<'_>, Mode, &[usize])]) -> TokenStream {
    let inner = derivatives.iter().map(|((d, hook), ..)| items_in(d, hook, Some(&c.surface.name), (&quote!(), &[])));
    let (inner, codes): (TokenStream, TokenStream) = inner.unzip();
    let checked = derivatives.iter().mapped(|((compiled, _), mode, of)| Checked { mode: *mode, of, compiled });
    let (own, code) = items_in(c, hook, None, (&inner, &checked));
    quote!(#own #code #codes)
}

/// The function and its module, which has these `inner` items, and the code next to it or to the module that it is in.
fn items_in(
    c: &Compiled<'_>,
    hook: &TokenStream,
    within: Option<&Ident>,
    (inner, derivatives): (&TokenStream, &[Checked<'_>]),
) -> (TokenStream, TokenStream) {
    let krate = c.krate;
    let rt = Runtime::outside(krate);
    let number = |path: &syn::Path| {
        let here =
            c.const_paths.iter().position(|(p, part)| path_key(p) == path_key(path) && *part == ConstPart::VALUE)?;
        let constant = |k: &Const| k.via == Via::Own(here) && k.ty == Type::USIZE;
        Some(format_ident!("C{}", c.program.interface.consts.iter().position(constant)?))
    };
    let (args, result) = boundary(c, &|path| {
        let k = number(path)?;
        Some(quote!(<Kernel as Body>::#k))
    });
    let names = parameter_names(&c.surface.params);
    let i = Items { c, rt: rt.clone(), idents: Idents::new(&c.loops.names), names, args, result };
    let inside = Items {
        rt: Runtime::inside(),
        idents: Idents::new(&c.loops.names),
        names: i.names.clone(),
        args: i.args.clone(),
        result: i.result.clone(),
        ..i
    };
    let (vis, name, attrs) = (&c.surface.vis, &c.surface.name, &allowing(&c.surface.attrs));
    // Lint attributes apply to every item that contains tokens of the user.
    let lints: Vec<_> = attrs.iter().filter(|a| LINTS.iter().any(|l| a.path().is_ident(l))).collect_vec();
    let cfgs: Vec<_> = attrs.iter().filter(|a| a.path().is_ident("cfg")).collect_vec();
    let own = ["inline", "track_caller"].map(|own| {
        let given = attrs.iter().any(|a| a.path().is_ident(own));
        let own = Ident::new(own, Span::mixed_site());
        (!given).then(|| quote!(#[#own]))
    });
    let [inline, track_caller] = own;
    let (code, module, check) = (i.code(), inside.module(&rt), check_of_derivatives(&inside, derivatives));
    let (signature, call) = match within {
        None => i.plain(&|path| Some(quote!(#path))),
        Some(_) => i.plain(&|path| {
            let k = number(path)?;
            Some(quote!(<#name::Kernel as #name::Body>::#k))
        }),
    };
    // The module of a kernel without documentation has none either, so that `missing_docs` still finds it.
    let module_doc = (within.is_some() || attrs.iter().any(|a| a.path().is_ident("doc"))).then(|| i.module_doc());
    let documented = with_sections(attrs, i.sections());
    // With the span of the macro on its first token the item counts as generated, and rustc does not warn that it is
    // unused: callers may use its module only.
    let mut head = quote!(#vis fn).into_iter();
    let mut first = head.next();
    if let Some(t) = &mut first {
        t.set_span(Span::mixed_site().located_at(t.span()));
    }
    let head: TokenStream = first.into_iter().chain(head).collect();
    let plain = i.owning(quote! {
        #documented
        #inline
        #track_caller
        #head #name #signature { #call }
    });
    let beside = quote! {
        #plain

        #(#cfgs)*
        #module_doc
        #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
        // An unrolled loop may have an index that overflows, under a condition that does not hold.
        #[allow(arithmetic_overflow, unconditional_panic)]
        #(#lints)*
        #vis mod #name {
            #module
            #inner
            #check
            #hook
            // Cargo compiles the crate again when a variable changes.
            const _: [#rt::Option<&'static str>; 2] =
                [::core::option_env!("SMOOTH_EXPLAIN"), ::core::option_env!("SMOOTH_CHECKS")];
        }
    };
    let path = within.map_or(quote!(#name), |outer| quote!(#outer::#name));
    let code = quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
        #(#lints)*
        impl #path::Body for #path::Kernel { #code }
    };
    (beside, code)
}

const LINTS: [&str; 4] = ["allow", "warn", "deny", "forbid"];

/// The attributes with `expect` replaced by `allow`: the attribute is on several items, and the lint fires in one.
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

impl Items<'_> {
    /// Items that return owned values. They need the heap for arrays of dynamic size, and for the arena of a frame.
    pub(super) fn owning(&self, items: TokenStream) -> TokenStream {
        let heap = matches!(self.frame_at(), FrameAt::StackIfSmall | FrameAt::Arena) || self.result.is_on_the_heap();
        if heap { with_alloc(self.c.krate, items) } else { items }
    }

    /// The flat parameters that are arguments, with their boundary forms.
    pub(super) fn flat(&self) -> Vec<(&Param, &Boundary)> {
        self.c.kernel.interface.params.iter().zip(self.args.iter().flat_map(Boundary::leaves)).collect_vec()
    }

    /// The contents of the module, where the runtime at `rt` has a short name.
    fn module(&self, rt: &Runtime) -> TokenStream {
        let (c, bridge) = (self.c, self.bridge());
        let docs = self.docs();
        let (queries, family) = (self.queries(&docs), self.family(&docs));
        let body = self.instances();
        let at = Span::mixed_site().located_at(c.surface.name.span());
        let constants = entry::constant_checks(c.kernel, c.companion, &self.idents, &self.hidden(), at);
        quote! {
            #bridge
            use #rt as __rt;
            #constants
            #body
            #queries
            #family
        }
    }

    /// The function that other kernels call: the loops, or the choice of an instance of them.
    fn instances(&self) -> TokenStream {
        let (ret, types) = (arrow(self.scalars()), self.generics(&[], true, None));
        let (params, loops) = (self.abi_params(&self.idents), self.loops(self.c.loops, &self.idents));
        let (cpu, told) = (cpu(), self.c.loops.fast || self.c.loops.parallel.is_some());
        let (names, turbofish, always) = (self.abi_names(), self.turbofish(None), always());
        let (fixed, all) = (self.const_sizes(), self.generics(&[], true, Some(Sizes::All)));
        if !self.c.loops.schedule.clones {
            let baseline = if told { quote!(let #cpu = __rt::Baseline;) } else { quote!() };
            if fixed.is_empty() {
                return quote!(#[inline] #[doc(hidden)] pub unsafe fn body #types(#params) #ret { #baseline #loops });
            }
            return quote! {
                #always
                unsafe fn loops #types(#params) #ret { #baseline #loops }
                #[inline]
                #[doc(hidden)] pub unsafe fn body #types(#params) #ret { __rt::proven!(loops #turbofish(#(#names),*)) }
                #[inline]
                unsafe fn sized #all(#params) #ret { #fixed __rt::proven!(loops #turbofish(#(#names),*)) }
            };
        }
        // A fast kernel's loops know for which instance they are compiled, and so do those that threads share.
        let instance = if told { quote!(, #cpu: impl __rt::Instance) } else { quote!() };
        let (itself, baseline) = if told { (quote!(, #cpu), quote!(, __rt::Baseline)) } else { (quote!(), quote!()) };
        let wide = self.c.wide.iter().zip(["wide", "widest"]);
        let (wide, mut wider): (Vec<_>, Vec<_>) = wide
            .map(|(f, name)| {
                let (idents, name) = (Idents::new(&f.names), format_ident!("{name}"));
                let (params, loops) = (self.abi_params(&idents), self.loops(f, &idents));
                (quote!(#always unsafe fn #name #types(#params #instance) #ret { #loops }), name)
            })
            .unzip();
        let (avx512, avx2) = (wider.pop(), wider.pop());
        let avx512 = avx512.unwrap_or_else(|| format_ident!("loops"));
        let avx2 = avx2.unwrap_or_else(|| avx512.clone());
        let run = |fixed: &TokenStream, wider: &Ident| {
            quote! {
                #cpu.run((#(#names,)*), #always |(#(#names,)*)| { #fixed __rt::proven!(#wider #turbofish(#(#names),* #itself)) })
            }
        };
        let instances = &self.c.loops.schedule.target.instances;
        let enough = at_least(&self.c.loops.schedule.work, instances.enough, &self.idents, &Runtime::inside());
        // The second condition, if there is one, decides on AVX-512.
        let (dispatch, level, enough) = match &self.c.loops.schedule.widest {
            Widest::Always => (quote!(dispatch), quote!(level), enough),
            Widest::Long(row) => {
                let long = at_least(row, instances.long, &self.idents, &Runtime::inside());
                (quote!(dispatch_rows), quote!(level_rows), quote!(#enough, #long))
            }
            Widest::Never => (quote!(dispatch_rows), quote!(level_rows), quote!(#enough, false)),
        };
        // As parameters, and not captured, destinations are known not to alias arguments.
        let chosen = |fixed: &TokenStream| {
            if !told && wide.is_empty() {
                let body = quote!(#fixed __rt::proven!(loops #turbofish(#(#names),*)));
                return quote! { #fixed __rt::#dispatch(#enough, (#(#names,)*), #always |(#(#names,)*)| { #body }) };
            }
            let (avx2, avx512) = (run(fixed, &avx2), run(fixed, &avx512));
            quote! {
                #fixed
                match __rt::#level(#enough) {
                    __rt::Level::Baseline => __rt::proven!(loops #turbofish(#(#names),* #baseline)),
                    __rt::Level::Avx2(#cpu) => #avx2,
                    __rt::Level::Avx512(#cpu) => #avx512,
                }
            }
        };
        let of_any_size = chosen(&quote!());
        let sized = (!fixed.is_empty()).then(|| {
            let chosen = chosen(&fixed);
            quote!(#[inline] unsafe fn sized #all(#params) #ret { #chosen })
        });
        quote! {
            #always
            unsafe fn loops #types(#params #instance) #ret { #loops }
            #(#wide)*
            #[inline]
            #[doc(hidden)] pub unsafe fn body #types(#params) #ret { #of_any_size }
            #sized
        }
    }

    /// The sizes that are const generics, as statements that name them like the parameters of the loops. The module's own
    /// functions call `sized`, which knows them: then counts are constants, as they would be in a function written by hand.
    fn const_sizes(&self) -> TokenStream {
        let generics: Set<String> = self.sizes(Sizes::All).iter().map(Ident::to_string).collect();
        let sizes = self.abi_values().into_iter().filter(|(_, value)| generics.contains(&value.to_string()));
        sizes.map(|(name, value)| quote!(let #name = #value;)).collect()
    }

    /// The callee of the module's own functions: the loops, with their generic arguments.
    pub(super) fn entry(&self) -> TokenStream {
        let (body, sized) = (self.turbofish(None), self.turbofish(Some(Sizes::All)));
        if self.const_sizes().is_empty() { quote!(body #body) } else { quote!(sized #sized) }
    }

    fn loops(&self, f: &loops::Function, idents: &Idents<'_>) -> TokenStream {
        let body = Body { f, idents, rt: &Runtime::inside(), spans: self.c.spans }.function();
        quote!(__rt::proven! {{ #body }})
    }

    /// The types of the arguments with these boundary forms.
    pub(super) fn argument_types(&self, args: &[Boundary], lifetimes: &mut Vec<syn::Lifetime>) -> Vec<TokenStream> {
        let params = args.iter().zip(&self.c.surface.params);
        params.mapped(|(b, p)| if p.in_out { b.in_out(&self.rt, lifetimes) } else { b.argument(&self.rt, lifetimes) })
    }

    /// The signature and body of the function itself, in the user's names. `constant` writes a constant.
    fn plain(&self, constant: &Constants<'_>) -> (TokenStream, TokenStream) {
        let (rt, name) = (&self.rt, &self.c.surface.name);
        let (args, result) = boundary(self.c, constant);
        let (mut lifetimes, idents, open) = (Vec::new(), &self.names, self.open_names());
        let types = self.argument_types(&args, &mut lifetimes);
        let (ret, turbofish) = (result.owned(rt), self.turbofish(Some(Sizes::All)));
        // The user's bounds are repeated, so that the names in them count as used.
        let bounds = &self.c.surface.bounds;
        let generics = match bounds.is_empty() {
            true => self.generics(&lifetimes, true, Some(Sizes::All)),
            false => self.declared(&lifetimes, &|_| quote!(), true, Some(Sizes::All)),
        };
        let signature = quote!(#generics(#(#idents: #types,)* #(#open: ::core::primitive::usize),*) -> #ret);
        let call = quote!(#rt::raised(#name::try_call #turbofish(#(#idents,)* #(#open),*)));
        let signature = self.renamed(signature);
        let bounds = if bounds.is_empty() { quote!() } else { quote!(where #bounds) };
        (quote!(#signature #bounds), self.renamed_call(call))
    }
}

/// The names of the parameters of the public functions. Two of the user's may read the same, where one is a macro's.
fn parameter_names(params: &[crate::surface::Param]) -> Vec<Ident> {
    let mut taken = Set::new();
    let free = |p: &crate::surface::Param| {
        let mut name = local(&plain(&p.name));
        while !taken.insert(name.to_string()) {
            name = local(&format!("{name}_"));
        }
        name
    };
    params.iter().mapped(free)
}
