//! Type parameters and const generics: how generated code declares them, passes them on, and calls them.

use super::body::scalar_type;
use super::items::Items;
use crate::shape::{Param, Source};
use crate::surface::{Generic, rust};
use crate::ty::Scalar;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeMap;
use syn::Lifetime;

/// Which const generics a function of the module has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes {
    /// All: they stand in the types of its parameters.
    All,
    /// Those that no argument tells.
    NotInferable,
}

impl Items<'_> {
    /// The const generics of a function of the module.
    pub(super) fn sizes(&self, which: Sizes) -> Vec<Ident> {
        self.size_names(which).into_iter().map(rust::const_name).collect()
    }

    /// The same as the user calls them.
    pub(super) fn size_names(&self, which: Sizes) -> Vec<&Ident> {
        let untold = |k: usize| self.c.kernel.params.iter().any(|p| p.source == Source::Generic(k));
        let all = self.c.surface.const_generics().into_iter().enumerate();
        all.filter(|(k, _)| which == Sizes::All || untold(*k)).map(|(_, i)| i).collect()
    }

    /// The type parameters, as generated code calls them.
    pub(super) fn types(&self) -> Vec<TokenStream> {
        (0..self.c.kernel.reals).map(|k| scalar_type(Scalar::Real(k as u8))).collect()
    }

    /// `<'a, T: Real, const N: usize>`.
    pub(super) fn generics(&self, lifetimes: &[Lifetime], types: bool, sizes: Option<Sizes>) -> TokenStream {
        let rt = &self.rt;
        self.declared(lifetimes, &quote!(: #rt::Real), types, sizes)
    }

    /// The same with another bound of types.
    pub(super) fn declared(
        &self,
        lifetimes: &[Lifetime],
        bound: &TokenStream,
        types: bool,
        sizes: Option<Sizes>,
    ) -> TokenStream {
        let declared = self.ordered(types, sizes).into_iter().map(|(kind, name)| match kind {
            Generic::Real(_) => quote!(#name #bound),
            Generic::Const(_) => quote!(const #name: ::core::primitive::usize),
        });
        let all: Vec<TokenStream> = lifetimes.iter().map(|l| quote!(#l)).chain(declared).collect();
        if all.is_empty() { quote!() } else { quote!(<#(#all),*>) }
    }

    /// The type parameters and const generics of a function of the module, in the user's order.
    pub(super) fn ordered(&self, types: bool, sizes: Option<Sizes>) -> Vec<(&Generic, TokenStream)> {
        let mut reals = self.types().into_iter();
        let sizes = sizes.map(|which| self.size_names(which)).unwrap_or_default();
        let name = |g: &Generic| match g {
            Generic::Real(_) => reals.next().filter(|_| types),
            Generic::Const(i) => sizes.contains(&i).then(|| rust::const_name(i).to_token_stream()),
        };
        let names: Vec<_> = self.c.surface.generics.iter().map(name).collect();
        self.c.surface.generics.iter().zip(names).filter_map(|(g, name)| Some((g, name?))).collect()
    }

    /// `::<T, N>`, of a function of the module with these.
    pub(super) fn turbofish(&self, sizes: Option<Sizes>) -> TokenStream {
        self.passing(true, sizes)
    }

    pub(super) fn passing(&self, types: bool, sizes: Option<Sizes>) -> TokenStream {
        turbofish(self.ordered(types, sizes).into_iter().map(|(_, name)| name).collect())
    }

    /// The values of the parameters that are no arguments, in a function with the const generics that are not told.
    pub(super) fn hidden(&self) -> Vec<(&Param, TokenStream)> {
        let value = |p: &Param| match p.source {
            Source::Argument(_) => None,
            Source::Const(k) => {
                let k = format_ident!("C{k}");
                Some(quote!(<Kernel as Body>::#k))
            }
            Source::Generic(k) => {
                let name = rust::const_name(self.c.surface.const_generics()[k]);
                Some(quote!(#name))
            }
        };
        self.c.kernel.params.iter().filter_map(|p| Some((p, value(p)?))).collect()
    }

    /// With the generics called as the user calls them.
    pub(super) fn renamed(&self, tokens: TokenStream) -> TokenStream {
        let types = self.types().into_iter().map(|t| t.to_string()).zip(self.c.surface.reals());
        let sizes = self.c.surface.const_generics();
        let names = types.chain(sizes.into_iter().map(|i| (rust::const_name(i).to_string(), i)));
        renamed(tokens, &names.collect())
    }
}

/// The same tokens with other names for some.
fn renamed(tokens: TokenStream, names: &BTreeMap<String, &Ident>) -> TokenStream {
    if names.is_empty() {
        return tokens;
    }
    let one = |t| match t {
        TokenTree::Ident(i) => TokenTree::Ident(names.get(&i.to_string()).map_or(i, |i| (*i).clone())),
        TokenTree::Group(g) => TokenTree::Group(Group::new(g.delimiter(), renamed(g.stream(), names))),
        t => t,
    };
    tokens.into_iter().map(one).collect()
}

/// `::<a, b>`, or nothing.
pub(super) fn turbofish(all: Vec<TokenStream>) -> TokenStream {
    if all.is_empty() { quote!() } else { quote!(::<#(#all),*>) }
}
