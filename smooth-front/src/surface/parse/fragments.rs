//! Fragments of macros by example: rustc puts invisible delimiters around a fragment such as `$t:ty`, so that it stays one
//! operand. Around a path, a literal or a statement they change nothing, but the grammar has no rule for them there.

use crate::mapped::PushAll;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The words that begin what is a statement without a `;`.
const BLOCKS: [&str; 6] = ["for", "while", "loop", "if", "match", "unsafe"];

/// The tokens without invisible delimiters where these change nothing.
pub(crate) fn opened(tokens: TokenStream) -> TokenStream {
    opened_in(tokens, false)
}

/// `statements`: whether they are between braces.
fn opened_in(tokens: TokenStream, statements: bool) -> TokenStream {
    if !has_fragments(&tokens) {
        return tokens;
    }
    let mut trees = tokens.into_iter().peekable();
    let mut found: Vec<TokenTree> = Vec::new();
    while let Some(t) = trees.next() {
        match t {
            TokenTree::Group(g) => {
                let inside = opened_in(g.stream(), g.delimiter() == Delimiter::Brace);
                let begins = statements && found.last().is_none_or(ends_statement);
                if g.delimiter() == Delimiter::None && is_open(&inside, trees.peek(), begins) {
                    found.push_all(inside);
                } else {
                    let mut group = Group::new(g.delimiter(), inside);
                    group.set_span(g.span());
                    found.push(group.into());
                }
            }
            t => found.push(t),
        }
    }
    found.into_iter().collect()
}

/// Whether a statement may begin after it.
fn ends_statement(t: &TokenTree) -> bool {
    is_braces(t) || matches!(t, TokenTree::Punct(p) if p.as_char() == ';')
}

/// Whether tokens before `next` mean the same without delimiters. `begins`: whether a statement begins with them.
fn is_open(tokens: &TokenStream, next: Option<&TokenTree>, begins: bool) -> bool {
    let mark = if let Some(TokenTree::Punct(p)) = next { Some(p.as_char()) } else { None };
    if is_path(tokens) {
        // In `x as $t < y`, a `<` after an open path would begin its generic arguments.
        return mark != Some('<');
    }
    let mut trees = tokens.clone().into_iter();
    let starts = |words: &[&str], t: &TokenTree| matches!(t, TokenTree::Ident(i) if words.iter().any(|w| i == w));
    let Some(first) = trees.next() else { return true };
    let is_block = starts(&BLOCKS, &first) || is_braces(&first) && trees.next().is_none();
    // A value in braces stays an operand unless something begins after it, as in `$block y` and in `$for 'a: loop { … }`. Where a
    // statement begins, Rust ends it after the braces, whatever follows but a method.
    let ends = match next {
        Some(TokenTree::Punct(p)) if begins => !matches!(p.as_char(), '.' | '?'),
        Some(TokenTree::Group(_)) if begins => true,
        Some(TokenTree::Ident(i)) => i != "as",
        Some(TokenTree::Literal(_)) => true,
        Some(TokenTree::Group(g)) => g.delimiter() == Delimiter::None,
        _ => mark == Some('\''),
    };
    starts(&["let"], &first) || is_block && ends
}

fn is_braces(t: &TokenTree) -> bool {
    matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
}

fn has_fragments(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Group(g) => g.delimiter() == Delimiter::None || has_fragments(&g.stream()),
        _ => false,
    })
}

/// Whether tokens are a path or a literal without a sign, and no `x as f64`.
fn is_path(tokens: &TokenStream) -> bool {
    let mut word = false;
    tokens.clone().into_iter().all(|t| {
        let after = std::mem::replace(&mut word, !matches!(t, TokenTree::Punct(_)));
        match t {
            TokenTree::Ident(_) | TokenTree::Literal(_) => !after,
            TokenTree::Punct(p) => p.as_char() == ':',
            TokenTree::Group(_) => false,
        }
    })
}

/// The expression inside of delimiters that only group, visible or not.
pub(super) fn inner(mut e: &syn::Expr) -> &syn::Expr {
    loop {
        e = match e {
            syn::Expr::Paren(p) => &p.expr,
            syn::Expr::Group(g) => &g.expr,
            e => return e,
        }
    }
}

/// The type inside of such delimiters.
pub(super) fn inner_type(mut t: &syn::Type) -> &syn::Type {
    loop {
        t = match t {
            syn::Type::Paren(p) => &p.elem,
            syn::Type::Group(g) => &g.elem,
            t => return t,
        }
    }
}
