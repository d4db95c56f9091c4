//! L̃ → Rust. The only writer of Rust apart from the reference.

mod abi;
mod body;
mod boundary;
mod bridge;
mod check;
mod compiled;
mod constant;
mod differences;
mod doc;
mod entry;
mod exprs;
mod family;
mod functions;
mod generics;
mod items;
mod names;
mod places;
mod probes;
mod queries;
mod reductions;
mod reference;
mod sections;
mod sizes;
mod stub;
mod threads;
mod types;

pub(crate) use compiled::Compiled;
pub(crate) use differences::reference as differences;
pub(crate) use items::{Hooked, items};
pub(crate) use stub::{apart, stub};

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Wraps items that need the heap in a macro of the facade. The facade knows whether its feature `alloc` is on; a proc
/// macro cannot.
fn with_alloc(krate: &TokenStream, items: TokenStream) -> TokenStream {
    quote!(#krate::__with_alloc! { #items })
}

/// The hook: adds the kernel's export to a list, and passes the list to the next hook or to the caller's compiler.
pub(crate) fn hook(name: &Ident, public: bool, export: &str, salt: &str) -> TokenStream {
    let mut h = DefaultHasher::new();
    (format!("{:?}", name.span()), export, salt).hash(&mut h);
    let plain = name.to_string();
    let unique = format_ident!("__smooth_{}_{:016x}", plain.strip_prefix("r#").unwrap_or(&plain), h.finish());
    let macro_export = public.then(|| quote!(#[macro_export]));
    let reach = if public { quote!(pub) } else { quote!(pub(crate)) };
    let literal = Literal::string(export);
    quote! {
        #[doc(hidden)]
        #macro_export
        macro_rules! #unique {
            (@kernel $($of:tt)*) => { impl $($of)* { const KERNEL: bool = true; } };
            ([{ $($next:tt)* } $($rest:tt)*] [$($done:tt)*] $state:tt) => { $($next)* ! { [$($rest)*] [$($done)* { #literal }] $state } };
        }
        #[doc(hidden)]
        #reach use #unique as __smooth_kernel;
    }
}
