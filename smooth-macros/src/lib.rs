//! The `#[smooth]` attribute: passes tokens to `smooth-core` and back, and does nothing else.

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

/// The crate and the number of this expansion: kernels of different crates, or of one repetition in a macro, may have the
/// same tokens and spans.
fn salt() -> String {
    static EXPANSIONS: AtomicUsize = AtomicUsize::new(0);
    let number = EXPANSIONS.fetch_add(1, Ordering::Relaxed);
    format!("{} {number}", std::env::var("CARGO_CRATE_NAME").unwrap_or_default())
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
