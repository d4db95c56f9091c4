//! The user's constants as the constants `C0…` of the bridge: as they are, cast, or the parts of an array.

use crate::elaborate::{ConstPart, Numbers};
use crate::mapped::Mapped;
use crate::surface::rust::Runtime;
use crate::ty::{Scalar, Type};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// The Rust type of a constant of the bridge. The elements of an array stay where Rust keeps the user's constant.
pub(super) fn constant_type(t: &Type, rt: &Runtime) -> TokenStream {
    let element = rt.scalar(t.leaf_scalars()[0]);
    if t.is_array() { quote!(&'static [#element]) } else { element.into() }
}

/// The part of the constant at `path` that the kernel takes, as a term of type `ty`. All tokens are at the path: rustc reports
/// a wrong type there.
pub(super) fn value(path: &syn::Path, part: &ConstPart, ty: &Type, rt: &Runtime) -> TokenStream {
    let span = Span::mixed_site().located_at(path.span());
    let numbers = match part {
        ConstPart::Numbers(numbers, _) | ConstPart::Extent(numbers, _) => numbers,
    };
    let (of, part_of_each) = (fields(&numbers.of, span), fields(&numbers.part, span));
    // A method takes arrays, slices and references to either, and gives a slice in a constant, too.
    let slice = quote_spanned!(span=> (&#path #of).split_at(0).1);
    let elements = format_ident!("elements{}", numbers.rank);
    let elements = quote_spanned!(span=> #rt::constant::#elements(#slice));
    let inner = |axis: usize| {
        let extent = format_ident!("extent{}", axis + 1);
        quote_spanned!(span=> #rt::constant::#extent(#rt::constant::parts(#elements, |element| &element #part_of_each)))
    };
    match part {
        ConstPart::Extent(Numbers { rank: 0, .. }, axis) => {
            let extent = format_ident!("extent{axis}");
            quote_spanned!(span=> #rt::constant::#extent(#slice))
        }
        ConstPart::Extent(_, axis) => inner(*axis),
        ConstPart::Numbers(Numbers { rank: 0, .. }, None) => quote_spanned!(span=> #path #of),
        ConstPart::Numbers(Numbers { rank: 0, .. }, Some(to)) => {
            let to = rt.scalar(*to);
            quote_spanned!(span=> #path #of as #to)
        }
        ConstPart::Numbers(_, None) if numbers.part.is_empty() => elements,
        ConstPart::Numbers(_, cast) => {
            let extents: Vec<TokenStream> = (0..numbers.inner).map(inner).collect_vec();
            computed(&elements, (&part_of_each, &extents), (ty.leaf_scalars()[0], *cast), span, rt)
        }
    }
}

/// `.0.1`
fn fields(path: &[usize], span: Span) -> TokenStream {
    let fields = path.iter().map(|k| {
        let mut k = Literal::usize_unsuffixed(*k);
        k.set_span(span);
        quote_spanned!(span=> .#k)
    });
    fields.collect()
}

/// A part of each of the `elements`, which may be an array with these extents, its numbers as they are or cast: a new array in
/// row-major order, computed at compile time.
fn computed(
    elements: &TokenStream,
    (part, extents): (&TokenStream, &[TokenStream]),
    (ty, cast): (Scalar, Option<Scalar>),
    span: Span,
    rt: &Runtime,
) -> TokenStream {
    let (of, ty) = (ty, rt.scalar(ty));
    let zero = if of == Scalar::Bool { quote!(false) } else { quote!(0 as #ty) };
    let cast = cast.map(|_| quote_spanned!(span=> as #ty));
    let len = quote!(#elements.len() #(* #extents)*);
    let indices = (0..extents.len()).map(|axis| {
        let (extent, inner) = (&extents[axis], &extents[axis + 1..]);
        quote_spanned!(span=> [i #(/ #inner)* % #extent])
    });
    // `elements` has names of the user's, and this is not one of them.
    quote_spanned!(span=> {
        const __SMOOTH_COMPUTED: [#ty; #len] = {
            let from = #elements;
            let mut computed = [#zero; #len];
            let mut i = 0;
            while i < computed.len() {
                computed[i] = from[i #(/ #extents)*] #part #(#indices)* #cast;
                i += 1;
            }
            computed
        };
        &__SMOOTH_COMPUTED
    })
}
