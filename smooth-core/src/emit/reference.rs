//! The entry points of `f::reference`: it takes what `f` takes, and its body works on nested vectors.

use super::body::inner;
use super::compiled::Items;
use super::generics::Sizes;
use super::queries::reversed_if;
use super::types::Boundary;
use crate::mapped::{Mapped, PushAll};
use crate::shape::value_of;
use crate::surface::{self, plain, rust};
use crate::ty::Type;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

/// A parameter of `f::reference`: its type, and the value for the body of the reference.
struct Param {
    ty: TokenStream,
    given: TokenStream,
    place: Place,
}

/// The statements around the body of the reference: those that copy from its parameters, and those that copy back.
#[derive(Default)]
struct Copies {
    before: TokenStream,
    after: TokenStream,
}

/// An argument, or a part of one, as a term.
#[derive(Clone)]
enum Place {
    /// A term that the body gets as it is.
    Same(TokenStream),
    /// An argument that was copied, and its copy.
    Copied(Ident, Ident),
    /// A tuple that was taken apart.
    Parts(Vec<Place>),
}

impl Items<'_> {
    /// `f::reference`, and the function that the references of callers call.
    pub(super) fn references(&self) -> TokenStream {
        let (not_inferable, types) = (self.sizes(Sizes::NotInferable), self.turbofish(None));
        let inner_names: Vec<Ident> = self.size_names(Sizes::NotInferable).into_iter().mapped(rust::size_name);
        let (inside, doc) = (self.reference_signature(true), self.reference_doc());
        let names: Vec<Ident> = self.c.surface.params.iter().mapped(|p| p.name.clone());
        let converts = self.args.iter().any(Boundary::is_converted);
        let for_callers = if inner_names.is_empty() && !converts {
            quote!(
                pub use self::reference as __reference;
            )
        } else {
            quote!(pub fn __reference #inside { <Kernel as Body>::reference #types(#(#names,)* #(#inner_names),*) })
        };
        if !converts {
            let outside = self.reference_signature(false);
            let arrays = self.args.iter().any(|b| b.leaves().iter().any(|b| b.rank() > 0));
            let places = names.iter().mapped(|name| Place::Same(name.to_token_stream()));
            let (tracked, checked) = match arrays {
                true => (quote!(#[track_caller]), self.checked(&places)),
                false => (quote!(), quote!()),
            };
            return quote! {
                #doc
                #tracked
                pub fn reference #outside { #checked <Kernel as Body>::reference #types(#(#names,)* #(#not_inferable),*) }
                #[doc(hidden)]
                #for_callers
            };
        }
        let mut copies = Copies::default();
        let params = self.args.iter().zip(&self.c.surface.params).zip(&self.names);
        let params: Vec<(&Ident, Param)> = params.mapped(|((b, p), name)| (name, self.taken(b, p, name, &mut copies)));
        let checked = self.checked(&params.iter().mapped(|(_, p)| p.place.clone()));
        let declared = params.iter().map(|(name, p)| (*name, &p.ty));
        let declared = declared.map(|(name, ty)| quote!(#name: #ty));
        let given = params.iter().map(|(_, p)| &p.given);
        let (generics, ret) =
            (self.generics(&[], true, Some(Sizes::NotInferable)), self.result.reference_value(&self.rt));
        let (value, Copies { before, after }) = (inner("value"), copies);
        quote! {
            #doc
            #[track_caller]
            pub fn reference #generics(#(#declared),*) -> #ret {
                #before
                #checked
                let #value = <Kernel as Body>::reference #types(#(#given,)* #(#not_inferable),*);
                #after
                #value
            }
            #[doc(hidden)]
            #for_callers
        }
    }

    /// A parameter of `f::reference`. Adds the statements that copy from it, and those that copy back.
    fn taken(&self, b: &Boundary, p: &surface::Param, name: &Ident, copies: &mut Copies) -> Param {
        let rt = &self.rt;
        if let (Boundary::Tuple(bs), true) = (b, b.is_converted()) {
            let leaves: Vec<Ident> = (0..bs.len()).mapped(|k| inner(&format!("{}_{k}", plain(name))));
            let pattern = leaves.iter();
            copies.before.extend(quote!(let (#(#pattern,)*) = #name;));
            let parts: Vec<Param> = bs.iter().zip(&leaves).mapped(|(b, leaf)| self.taken(b, p, leaf, copies));
            let place = Place::Parts(parts.iter().mapped(|p| p.place.clone()));
            let (types, given): (Vec<_>, Vec<_>) = parts.into_iter().map(|p| (p.ty, p.given)).unzip();
            return Param { ty: quote!((#(#types,)*)), given: quote!((#(#given,)*)), place };
        }
        if !b.is_converted() {
            let ty = if p.in_out { b.reference_in_out(rt) } else { b.reference_argument(rt) };
            return Param { ty, given: name.to_token_stream(), place: Place::Same(name.to_token_stream()) };
        }
        let (nested, vectors) = (inner(&format!("{}_nested", plain(name))), b.reference_value(rt));
        let bound = if p.in_out { quote!(NestedMut) } else { quote!(ToNested) };
        let bound = quote!(#rt::nested::#bound<#vectors>);
        let ty = match (b.is_view(), p.in_out) {
            (true, _) => quote!(impl #bound),
            (false, false) => quote!(&(impl #bound + ?::core::marker::Sized)),
            (false, true) => quote!(&mut (impl #bound + ?::core::marker::Sized)),
        };
        if !p.in_out {
            copies.before.extend(quote!(let #nested: #vectors = #rt::nested::ToNested::to_nested(&#name);));
            return Param { ty, given: quote!(&#nested), place: Place::Copied(name.clone(), nested) };
        }
        copies.before.extend(quote! {
            let mut #name = #name;
            let mut #nested: #vectors = #rt::nested::ToNested::to_nested(&#name);
        });
        copies.after.extend(quote!(#rt::nested::NestedMut::assign(&mut #name, #nested);));
        Param { ty, given: quote!(&mut #nested), place: Place::Copied(name.clone(), nested) }
    }

    /// The statement that rejects the arguments that the kernel rejects.
    fn checked(&self, places: &[Place]) -> TokenStream {
        let (rt, open) = (&self.rt, self.open_names());
        // Sizes that are passed apart are no arguments of the reference.
        if !open.is_empty() {
            return TokenStream::new();
        }
        let (mut params, mut lets, mut args) = (self.c.kernel.interface.params.iter(), TokenStream::new(), Vec::new());
        self.args
            .iter()
            .zip(places)
            .for_each(|(b, place)| args.push_all(self.measured(b, place, &mut params, &mut lets)));
        let turbofish = self.turbofish(Some(Sizes::NotInferable));
        quote!(#rt::nested::fits(|| { #lets #rt::Ok(plan #turbofish(#(#args),*)) });)
    }

    /// The arguments of `plan` for a parameter.
    fn measured<'p>(
        &self,
        b: &Boundary,
        place: &Place,
        params: &mut impl Iterator<Item = &'p crate::shape::Param>,
        lets: &mut TokenStream,
    ) -> Vec<TokenStream> {
        let rt = &self.rt;
        if let Boundary::Tuple(bs) = b {
            let part = |k: usize| match place {
                Place::Parts(parts) => parts[k].clone(),
                Place::Same(whole) => {
                    let k = Literal::usize_unsuffixed(k);
                    Place::Same(quote!(#whole.#k))
                }
                Place::Copied(..) => panic!("a tuple is copied part by part"),
            };
            return bs.iter().enumerate().flat_map(|(k, b)| self.measured(b, &part(k), params, lets)).collect_vec();
        }
        let Some(p) = params.next() else { return vec![] };
        let own = match (b, place) {
            (Boundary::Fn(..), _) | (_, Place::Parts(_)) => None,
            (Boundary::Scalar(_), Place::Same(x)) => {
                let counts = p.ty() == Type::USIZE || value_of(&self.c.kernel.interface.params, p).is_some();
                let value = if p.in_out { quote!(*#x) } else { x.clone() };
                counts.then_some(value)
            }
            (_, Place::Same(x)) => Some(quote!([#x.len()])),
            (b, Place::Copied(x, copy)) => {
                let lengths = inner(&format!("{}_lengths", plain(x)));
                let rank = Literal::usize_unsuffixed(b.rank());
                lets.extend(quote!(let #lengths = #rt::nested::lengths::<#rank, _>(&#x, &#copy, __NAME)?;));
                Some(reversed_if(p.column_major, &lengths, b.rank()))
            }
        };
        own.into_iter().collect_vec()
    }
}

impl Boundary {
    /// Whether the reference copies it into nested vectors: it has several axes or strides.
    fn is_converted(&self) -> bool {
        match self {
            Boundary::Tuple(bs) => bs.iter().any(Boundary::is_converted),
            b => b.rank() > 1 || b.is_view(),
        }
    }
}
