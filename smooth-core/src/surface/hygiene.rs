//! Names by Rust's hygiene: two identifiers are one variable if they read the same and come from the same macro expansion.
//!
//! ```text
//! key x = the text of x            if the function's own text says that the expansions cannot matter: all of it comes from one
//!         that, and the expansion  otherwise
//! ```
//!
//! `proc_macro2` shows the expansion in the debug text of a span only, for which rustc is asked each time. Most functions are
//! written in one place, and a kernel of thirty lines looks names up a thousand times.

use super::plain;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::cell::Cell;

thread_local! {
    /// Whether the texts of the names tell the variables of this thread's function apart: a thread expands one at a time.
    static BY_TEXT: Cell<bool> = const { Cell::new(false) };
}

/// Begins a function with these tokens. The compiler's own names begin with `__`, but for those that it gives to parameters
/// with patterns.
pub(super) fn begin(item: &TokenStream, signature: &syn::Signature) {
    let is_name = |p: &syn::FnArg| matches!(p, syn::FnArg::Typed(p) if matches!(&*p.pat, syn::Pat::Ident(_)));
    BY_TEXT.set(signature.inputs.iter().all(is_name) && are_alike(item.clone(), &mut None));
}

/// Whether all names come from one expansion, `of` the one that was found first, and none could be the compiler's.
fn are_alike(tokens: TokenStream, of: &mut Option<String>) -> bool {
    tokens.into_iter().all(|t| match t {
        TokenTree::Ident(i) => {
            let expansion = expansion(&i);
            !i.to_string().starts_with("__") && *of.get_or_insert_with(|| expansion.clone()) == expansion
        }
        TokenTree::Group(g) => are_alike(g.stream(), of),
        _ => true,
    })
}

/// The text of the expansion that an identifier comes from; empty outside of rustc.
fn expansion(ident: &Ident) -> String {
    let debug = format!("{:?}", ident.span());
    match debug.split_once(' ') {
        Some((context, _)) if context.starts_with('#') => context.to_string(),
        _ => String::new(),
    }
}

/// What two identifiers have in common if they are one variable.
pub fn key(ident: &Ident) -> String {
    let name = plain(ident);
    if BY_TEXT.get() { name } else { name + &expansion(ident) }
}

/// Whether two identifiers are one variable. Most differ as texts, which costs less to see than their keys.
pub fn same_name(a: &Ident, b: &Ident) -> bool {
    plain(a) == plain(b) && key(a) == key(b)
}
