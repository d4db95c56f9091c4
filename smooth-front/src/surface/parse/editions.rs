//! Words that became keywords after the edition of the user's crate: rustc passes them on as names, and syn reads keywords.

use crate::mapped::PushAll;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// Those since the edition 2018. (`gen`, of 2024, is read as a name.)
const WORDS: [&str; 4] = ["async", "await", "dyn", "try"];

/// The keyword at which, or after which, reading a function ended.
pub(super) fn later_keyword(item: &TokenStream, end: Span) -> Option<Ident> {
    let (mut tokens, end) = (Vec::new(), format!("{end:?}"));
    flat(item.clone(), &mut tokens);
    let at = tokens.iter().position(|(span, _)| format!("{span:?}") == end)?;
    let word = |k: usize| tokens[k].1.clone().filter(|i| WORDS.contains(&i.to_string().as_str()));
    word(at).or_else(|| word(at.checked_sub(1)?))
}

/// The places of all tokens in their order, and the words among them.
fn flat(tokens: TokenStream, out: &mut Vec<(Span, Option<Ident>)>) {
    for t in tokens {
        match t {
            TokenTree::Group(g) => {
                let seen = g.delimiter() != Delimiter::None;
                out.push_all(seen.then(|| (g.span_open(), None)));
                flat(g.stream(), out);
                out.push_all(seen.then(|| (g.span_close(), None)));
            }
            TokenTree::Ident(i) => out.push((i.span(), Some(i))),
            t => out.push((t.span(), None)),
        }
    }
}
