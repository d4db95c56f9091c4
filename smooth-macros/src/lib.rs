//! The `#[smooth]` attribute: tokens to `smooth-core` and back. Nothing else happens here.

use proc_macro::TokenStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Compiles a function of the smooth array language. The crate `smooth` documents it.
#[proc_macro_attribute]
pub fn smooth(args: TokenStream, item: TokenStream) -> TokenStream {
    guarded(|| smooth_core::expand::attribute(args.into(), item.into(), &salt()).into())
}

/// The second phase of `#[smooth]`: called by the expansion, never by hand.
#[doc(hidden)]
#[proc_macro]
pub fn __link(state: TokenStream) -> TokenStream {
    guarded(|| smooth_core::expand::linked(state.into(), &salt()).into())
}

/// Tells kernels of different crates apart, and those of one crate that come out of one repetition of a macro: they
/// may have the same tokens at the same place.
fn salt() -> String {
    static EXPANSIONS: AtomicUsize = AtomicUsize::new(0);
    let number = EXPANSIONS.fetch_add(1, Ordering::Relaxed);
    format!("{} {number}", std::env::var("CARGO_CRATE_NAME").unwrap_or_default())
}

/// A bug of the compiler becomes an error that says so, with what it knows.
fn guarded(run: impl FnOnce() -> TokenStream) -> TokenStream {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let what = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let text = format!(
            "this is a bug in smooth, not in your code: please report it with the function under `#[smooth]`\n{what}"
        );
        format!("::core::compile_error!{{{text:?}}}").parse().unwrap_or_default()
    })
}
