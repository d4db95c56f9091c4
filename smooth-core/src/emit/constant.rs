//! The user's constants as the constants `C0…` of the bridge: as they are, cast, or the parts of an array.

use crate::elaborate::ConstPart;
use crate::surface::rust::Runtime;
use crate::ty::{Scalar, Type};
use proc_macro2::TokenStream;
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned;

/// The Rust type of a constant of the bridge. The elements of an array stay where Rust keeps the user's constant.
pub(super) fn constant_type(t: &Type, rt: &Runtime) -> TokenStream {
    let element = rt.scalar(t.leaf_scalars()[0]);
    if t.is_array() { quote::quote!(&'static [#element]) } else { element.into() }
}

/// What the kernel takes of the constant at `path`. All tokens are at the path: rustc reports a wrong type there.
pub(super) fn value(path: &syn::Path, part: ConstPart, rt: &Runtime) -> TokenStream {
    let span = proc_macro2::Span::mixed_site().located_at(path.span());
    // A method takes arrays, slices and references to either, and gives a slice in a constant, too.
    let slice = quote_spanned!(span=> (&#path).split_at(0).1);
    match part {
        ConstPart::Value => quote_spanned!(span=> #path),
        ConstPart::Cast(ty) => {
            let ty = rt.scalar(ty);
            quote_spanned!(span=> #path as #ty)
        }
        ConstPart::Extent(axis) => {
            let extent = format_ident!("extent{axis}");
            quote_spanned!(span=> #rt::constant::#extent(#slice))
        }
        ConstPart::Elements(rank, None) => {
            let elements = format_ident!("elements{rank}");
            quote_spanned!(span=> #rt::constant::#elements(#slice))
        }
        ConstPart::Elements(rank, Some(to)) => cast_elements(value(path, ConstPart::Elements(rank, None), rt), to, rt),
    }
}

/// `elements`, each cast to another type: an array of its own, computed at compile time.
fn cast_elements(elements: TokenStream, to: Scalar, rt: &Runtime) -> TokenStream {
    let to = rt.scalar(to);
    quote::quote!({
        const CAST: [#to; #elements.len()] = {
            let from = #elements;
            let mut cast = [0 as #to; #elements.len()];
            let mut i = 0;
            while i < cast.len() {
                cast[i] = from[i] as #to;
                i += 1;
            }
            cast
        };
        &CAST
    })
}
