//! Tokens shared by the two writers of Rust, the reference and `emit`: names of const generics, scalar types, floats.

use crate::ty::{Bound, Scalar};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

/// The name of a user's const generic in generated code. It differs from the user's name: a pattern with the name of a
/// const generic in scope refers to it and binds no variable.
pub(crate) fn const_name(ident: &Ident) -> Ident {
    Ident::new(&format!("__const_{}", super::plain(ident)), Span::mixed_site())
}

/// The name of a const generic inside the reference, where it is a variable.
pub(crate) fn size_name(ident: &Ident) -> Ident {
    Ident::new(&format!("__size_{}", super::plain(ident)), Span::mixed_site())
}

/// A scalar type in Rust, by its absolute path, so that a user's own `f64` does not shadow it; type parameters have
/// names of the compiler's.
pub(crate) fn scalar(s: Scalar) -> TokenStream {
    match s {
        Scalar::Open(..) => Ident::new(&format!("__{}", s.name()), Span::mixed_site()).to_token_stream(),
        _ => {
            let name = Ident::new(s.name(), Span::mixed_site());
            quote!(::core::primitive::#name)
        }
    }
}

/// A float of type `s` in Rust, in parentheses if it is negative.
pub(crate) fn float(x: f64, s: Scalar, rt: &TokenStream) -> TokenStream {
    let ty = scalar(s);
    match s {
        // It has no other literals.
        Scalar::Open(Bound::Scalar, _) => return quote!(#rt::math::unread::<#ty>()),
        // The type may have no negation.
        Scalar::Open(..) => {
            let x = float(x, Scalar::F64, rt);
            return quote!(#rt::math::number::<#ty>(#x));
        }
        _ => {}
    }
    let magnitude = match s {
        _ if !x.is_finite() => {
            let bits = Literal::u64_suffixed(x.to_bits());
            let x = quote!(::core::primitive::f64::from_bits(#bits));
            return if s == Scalar::F64 { x } else { quote!(#rt::math::number::<#ty>(#x)) };
        }
        Scalar::F32 => Literal::f32_suffixed(x.abs() as f32).to_token_stream(),
        _ => Literal::f64_suffixed(x.abs()).to_token_stream(),
    };
    if x.is_sign_negative() { quote!((-#magnitude)) } else { magnitude }
}
