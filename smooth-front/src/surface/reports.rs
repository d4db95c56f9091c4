//! The output of probes and the messages of their panics, for the two writers of Rust. All tokens that carry a place have
//! the user's own spans.

use super::probes::{Assert, Claim, Dbg};
use super::rust::{Runtime, called, placed, spanned};
use crate::mapped::Mapped;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// `dbg!` with a value that has `Debug`.
pub fn print(dbg: &Dbg, value: Option<TokenStream>, at: Span, rt: &Runtime) -> TokenStream {
    let place = spanned(quote!(::core::file!(), ::core::line!(), ::core::column!()), at);
    let text = &dbg.text;
    match value {
        Some(value) => quote!(#rt::print_value(#place, #text, &#value);),
        None => quote!(#rt::print_place(#place);),
    }
}

/// A panic, or an assertion that `holds`, with the two sides of a comparison and the arguments of its message. It is std's
/// macro, so that lints see an assertion. The message is spelled out, since std's own would quote other tokens.
pub fn assert(a: &Assert, holds: TokenStream, sides: &[TokenStream], args: Vec<TokenStream>, at: Span) -> TokenStream {
    let message = a.message.as_ref().map(|m| {
        let args = m.args.iter().zip(args).map(|((name, e), value)| {
            // The place at which rustc reports that it cannot be formatted.
            let value = placed(&value, e.at.0);
            name.as_ref().map_or(quote!(#value), |name| quote!(#name = #value))
        });
        let (format, args) = (&m.format, args.collect_vec());
        quote!(::core::format_args!(#format, #(#args),*))
    });
    if let Claim::Never(failing) = &a.claim {
        let name = Ident::new(failing.name(), Span::mixed_site());
        let words = message.map(|message| quote!("{}", #message));
        return called(quote!(::core::#name!), quote!(#words), at);
    }
    let words = match (&a.claim, message) {
        (Claim::Never(_), _) => unreachable!("seen above"),
        (Claim::Holds(..), Some(message)) => quote!("{}", #message),
        (Claim::Holds(_, text), None) => {
            let text = format!("assertion failed: {text}");
            quote!("{}", #text)
        }
        (claim, message) => {
            let op = if matches!(claim, Claim::Equal(..)) { "==" } else { "!=" };
            let head = format!("assertion `left {op} right` failed");
            let sides = quote!(#(#sides),*);
            match message {
                Some(message) => quote!("{}: {}\n  left: {:?}\n right: {:?}", #head, #message, #sides),
                None => quote!("{}\n  left: {:?}\n right: {:?}", #head, #sides),
            }
        }
    };
    let name = if a.debug { quote!(::core::debug_assert!) } else { quote!(::core::assert!) };
    let assertion = called(name, quote!(#holds, #words), at);
    quote!(#assertion;)
}
