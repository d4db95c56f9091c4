//! The `#[smooth]` attribute: passes tokens to `smooth-core` and back, and writes the explanations of kernels.

mod explain;
mod manifest;
mod place;

use explain::Rustc;
use proc_macro::TokenStream;
use smooth_core::expand::Host;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Compiles a function of the smooth array language. The crate `smooth` documents it.
#[proc_macro_attribute]
pub fn smooth(args: TokenStream, item: TokenStream) -> TokenStream {
    guarded(|| smooth_core::expand::attribute(args.into(), item.into(), &Rustc).into())
}

/// The second phase of `#[smooth]`: called by the expansion, never by hand.
#[doc(hidden)]
#[proc_macro]
pub fn __link(state: TokenStream) -> TokenStream {
    guarded(|| {
        let attribute = place::of_attribute(&state);
        let code: TokenStream = smooth_core::expand::linked(state.into(), &Rustc).into();
        // An editor has no lines and columns.
        let moved = |at| if Rustc.edits() { code } else { place::moved(code, at) };
        attribute.map_or_else(TokenStream::new, moved)
    })
}

/// Turns a panic, which is a bug of the compiler, into an error with the panic's message.
fn guarded(run: impl FnOnce() -> TokenStream) -> TokenStream {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let text = format!(
            "this is a bug in smooth, not in your code: please report it with the function under `#[smooth]`\n{message}"
        );
        format!("::core::compile_error!{{{text:?}}}").parse().unwrap_or_default()
    })
}
