//! DPS-F̃ and its plan → Rust. The only writer of Rust, beside the reference.

mod abi;
mod body;
mod bridge;
mod entry;
mod family;
mod generics;
mod items;
mod loops;
mod names;
mod places;
mod queries;
mod sizes;
mod stub;
mod types;

pub(crate) use items::{Compiled, items};
pub(crate) use stub::stub;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Items that need the heap: they exist where the facade has the feature `alloc`, which it knows and a macro cannot.
fn with_alloc(krate: &TokenStream, items: TokenStream) -> TokenStream {
    quote!(#krate::__with_alloc! { #items })
}

/// The hook: hands the exported form of the kernel on to the next hook, or to the caller's compiler.
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
            (@probe) => {};
            ([{ $($next:tt)* } $($rest:tt)*] [$($done:tt)*] $state:tt) => { $($next)* ! { [$($rest)*] [$($done)* { #literal }] $state } };
        }
        #[doc(hidden)]
        #reach use #unique as __smooth_kernel;
    }
}
