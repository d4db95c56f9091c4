//! Type parameters and const generics in generated code: their declarations, their use as arguments, their names.

use super::compiled::Items;
use crate::mapped::Mapped;
use crate::shape::{Param, Source, value_of};
use crate::sorted::Map;
use crate::surface::{Generic, rust};
use crate::ty::{Bound, Scalar};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::Lifetime;

/// The const generics of a function of the module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes {
    /// All: they occur in the types of its parameters.
    All,
    /// Those that cannot be inferred from the arguments.
    NotInferable,
}

impl Items<'_> {
    /// The const generics of a function of the module.
    pub(super) fn sizes(&self, which: Sizes) -> Vec<Ident> {
        self.size_names(which).into_iter().mapped(rust::const_name)
    }

    /// The const generics of a function of the module, with the user's names.
    pub(super) fn size_names(&self, which: Sizes) -> Vec<&Ident> {
        let not_inferable = |k: usize| self.c.kernel.interface.params.iter().any(|p| p.source == Source::Generic(k));
        let all = self.c.surface.const_generics().into_iter().enumerate();
        all.filter(|(k, _)| which == Sizes::All || not_inferable(*k)).mapped(|(_, i)| i)
    }

    /// The type parameters, with their names in generated code.
    pub(super) fn types(&self) -> Vec<TokenStream> {
        Scalar::params(&self.c.kernel.interface.types).mapped(|s| self.rt.scalar(s).into())
    }

    /// `<'a, T: Real, const N: usize>`.
    pub(super) fn generics(&self, lifetimes: &[Lifetime], types: bool, sizes: Option<Sizes>) -> TokenStream {
        let rt = &self.rt;
        let bound = |b: Bound| {
            let name = Ident::new(b.name(), Span::mixed_site());
            quote!(: #rt::#name)
        };
        self.declared(lifetimes, &bound, types, sizes)
    }

    /// [`Self::generics`] with a given bound on the types.
    pub(super) fn declared(
        &self,
        lifetimes: &[Lifetime],
        bound: &dyn Fn(Bound) -> TokenStream,
        types: bool,
        sizes: Option<Sizes>,
    ) -> TokenStream {
        let usize = self.rt.usize();
        let declared = self.ordered(types, sizes).into_iter().map(|(kind, name)| match kind {
            Generic::Type(_, b) => {
                let bound = bound(*b);
                quote!(#name #bound)
            }
            Generic::Const(_) => quote!(const #name: #usize),
        });
        let all: Vec<TokenStream> = lifetimes.iter().map(|l| quote!(#l)).chain(declared).collect_vec();
        if all.is_empty() { quote!() } else { quote!(<#(#all),*>) }
    }

    /// The type parameters and const generics of a function of the module, in the user's order.
    pub(super) fn ordered(&self, types: bool, sizes: Option<Sizes>) -> Vec<(&Generic, TokenStream)> {
        let mut declared = self.types().into_iter();
        let sizes = sizes.map(|which| self.size_names(which)).unwrap_or_default();
        let name = |g: &Generic| match g {
            Generic::Type(..) => declared.next().filter(|_| types),
            Generic::Const(i) => sizes.contains(&i).then(|| rust::const_name(i).to_token_stream()),
        };
        let names = self.c.surface.generics.iter().mapped(name);
        self.c.surface.generics.iter().zip(names).filter_map(|(g, name)| Some((g, name?))).collect_vec()
    }

    /// `::<T, N>`: the generic arguments for a function of the module.
    pub(super) fn turbofish(&self, sizes: Option<Sizes>) -> TokenStream {
        self.passing(true, sizes)
    }

    /// `::<T, N>`, with or without the types.
    pub(super) fn passing(&self, types: bool, sizes: Option<Sizes>) -> TokenStream {
        turbofish(self.ordered(types, sizes).into_iter().mapped(|(_, name)| name))
    }

    /// The hidden parameters and their values, in a function that has the const generics that cannot be inferred.
    pub(super) fn hidden(&self) -> Vec<(&Param, TokenStream)> {
        let value = |p: &Param| match &p.source {
            Source::Argument(_) => None,
            Source::Value(_) => {
                let of = self
                    .c
                    .kernel
                    .interface
                    .params
                    .iter()
                    .find(|of| value_of(&self.c.kernel.interface.params, of) == Some(p))?;
                let name = self.flat_ident(of);
                Some(quote!((#name as usize)))
            }
            Source::Const(k) => {
                let k = format_ident!("C{k}");
                Some(quote!(<Kernel as Body>::#k))
            }
            Source::Generic(k) => {
                let name = rust::const_name(self.c.surface.const_generics()[*k]);
                Some(quote!(#name))
            }
        };
        self.c.kernel.interface.params.iter().filter_map(|p| Some((p, value(p)?))).collect_vec()
    }

    /// These tokens with the user's names for generics.
    pub(super) fn renamed(&self, tokens: TokenStream) -> TokenStream {
        self.replaced(tokens, &Ident::to_token_stream)
    }

    /// The tokens of a call with the user's names for generics. A const argument may also be the name of a type or a trait:
    /// without braces it would be that.
    pub(super) fn renamed_call(&self, tokens: TokenStream) -> TokenStream {
        self.replaced(tokens, &|size| quote!({ #size }))
    }

    fn replaced(&self, tokens: TokenStream, size: &dyn Fn(&Ident) -> TokenStream) -> TokenStream {
        let types = self.types().into_iter().zip(self.c.surface.type_names());
        let types = types.map(|(inner, name)| (inner.to_string(), name.to_token_stream()));
        let sizes = self.c.surface.const_generics().into_iter();
        let sizes = sizes.map(|name| (rust::const_name(name).to_string(), size(name)));
        replaced(tokens, &types.chain(sizes).collect())
    }
}

/// These tokens with identifiers replaced.
fn replaced(tokens: TokenStream, by: &Map<String, TokenStream>) -> TokenStream {
    if by.is_empty() {
        return tokens;
    }
    let one = |t| match t {
        TokenTree::Ident(i) => by.get(&i.to_string()).cloned().unwrap_or_else(|| i.into_token_stream()),
        TokenTree::Group(g) => TokenTree::Group(Group::new(g.delimiter(), replaced(g.stream(), by))).into(),
        t => t.into(),
    };
    tokens.into_iter().flat_map(one).collect()
}

/// `::<a, b>`, or nothing.
pub(super) fn turbofish(all: Vec<TokenStream>) -> TokenStream {
    if all.is_empty() { quote!() } else { quote!(::<#(#all),*>) }
}
