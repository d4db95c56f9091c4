//! Tokens shared by the two writers of Rust, the reference and `emit`: names of const generics, scalar types, floats, and
//! tokens at the user's places.

use crate::mapped::{Both, Mapped, PushAll};
use crate::ty::{Bound, Scalar};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// The words that are not identifiers, in any edition.
const KEYWORDS: &[&str] = &[
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Whether a word is not an identifier.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// The name of a user's const generic in generated code. It differs from the user's name: a pattern with the name of a
/// const generic in scope refers to it and binds no variable.
pub fn const_name(ident: &Ident) -> Ident {
    Ident::new(&format!("__const_{}", super::plain(ident)), Span::mixed_site())
}

/// The name of a const generic inside the reference, where it is a variable.
pub fn size_name(ident: &Ident) -> Ident {
    Ident::new(&format!("__size_{}", super::plain(ident)), Span::mixed_site())
}

/// A name in the reference that the user's code cannot see, and that no item in the user's scope has: a pattern of one name is
/// that constant, where there is one.
pub fn hidden(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

/// Tokens that are written in many places: a path, a type. They are copied one by one; a stream in a stream would be several
/// calls of rustc.
#[derive(Clone)]
pub struct Tokens(Vec<TokenTree>);

impl Tokens {
    /// The tokens of a stream.
    pub fn of(tokens: TokenStream) -> Tokens {
        Tokens(tokens.into_iter().collect_vec())
    }
}

impl ToTokens for Tokens {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().cloned());
    }
}

impl From<Tokens> for TokenStream {
    fn from(tokens: Tokens) -> TokenStream {
        tokens.0.into_iter().collect()
    }
}

/// An operator of Rust. Built and not parsed, which takes many times as long.
pub fn operator(op: &str, span: Span) -> Tokens {
    let last = op.len() - 1;
    let punct = |(k, c)| {
        let mut punct = Punct::new(c, if k < last { Spacing::Joint } else { Spacing::Alone });
        punct.set_span(span);
        TokenTree::Punct(punct)
    };
    Tokens(op.char_indices().mapped(punct))
}

/// The run-time library as generated code names it, by where that stands.
#[derive(Clone)]
pub struct Runtime {
    path: Tokens,
    inside: bool,
}

impl Runtime {
    /// From the user's scope, where anything may be shadowed: paths are absolute.
    pub fn outside(facade: &TokenStream) -> Runtime {
        Runtime { path: Tokens::of(quote!(#facade::__private)), inside: false }
    }

    /// From a kernel's module, where no item of the user's is in scope: paths are short.
    pub fn inside() -> Runtime {
        Runtime { path: Tokens::of(quote!(__rt)), inside: true }
    }

    /// A scalar type; type parameters have names of the compiler's.
    pub fn scalar(&self, s: Scalar) -> Tokens {
        if let Scalar::Open(..) = s {
            return Tokens(vec![ident(&format!("__{}", s.name()))]);
        }
        if self.inside { Tokens(vec![ident(s.name())]) } else { scalar(s) }
    }

    /// `usize`.
    pub fn usize(&self) -> Tokens {
        self.scalar(Scalar::Usize)
    }
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.path.to_tokens(tokens);
    }
}

fn ident(name: &str) -> TokenTree {
    TokenTree::Ident(Ident::new(name, Span::mixed_site()))
}

/// A scalar type by its absolute path, so that a user's own `f64` does not shadow it.
fn scalar(s: Scalar) -> Tokens {
    let mut path = Vec::with_capacity(9);
    for name in ["core", "primitive", s.name()] {
        path.push_all([Spacing::Joint, Spacing::Alone].both(|spacing| TokenTree::Punct(Punct::new(':', spacing))));
        path.push(ident(name));
    }
    Tokens(path)
}

/// A float of type `s` in Rust, in parentheses if it is negative.
pub fn float(x: f64, s: Scalar, rt: &Runtime) -> TokenStream {
    let ty = rt.scalar(s);
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
            let double = rt.scalar(Scalar::F64);
            let x = quote!(#double::from_bits(#bits));
            return if s == Scalar::F64 { x } else { quote!(#rt::math::number::<#ty>(#x)) };
        }
        Scalar::F32 => Literal::f32_suffixed(x.abs() as f32).to_token_stream(),
        _ => Literal::f64_suffixed(x.abs()).to_token_stream(),
    };
    if x.is_sign_negative() { quote!((-#magnitude)) } else { magnitude }
}

/// These tokens, all with one span.
pub fn spanned(tokens: TokenStream, span: Span) -> TokenStream {
    let at = |mut t: TokenTree| {
        t.set_span(span);
        t
    };
    tokens.into_iter().map(at).collect()
}

/// A call of a function of the run-time library that panics at the user's line. Every token of it needs the user's own
/// span: a single token of the macro's would move the location to the attribute.
pub fn called(path: TokenStream, args: TokenStream, span: Span) -> TokenStream {
    let path = spanned(path, span);
    let mut group = Group::new(Delimiter::Parenthesis, args);
    group.set_span(span);
    quote!(#path #group)
}

/// An operand between parentheses with the user's own span. rustc takes the location of an overflow from the spans of the
/// operands, and a variable has the macro's hygiene, and with it the location of the attribute.
pub fn placed(operand: &TokenStream, span: Span) -> TokenStream {
    let mut trees = operand.clone().into_iter();
    let mut group = match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(g)), None) if g.delimiter() == Delimiter::Parenthesis => g,
        _ => Group::new(Delimiter::Parenthesis, operand.clone()),
    };
    group.set_span(span);
    TokenTree::Group(group).into()
}

/// `a[i]`, which panics at the user's line.
pub fn indexed(a: &TokenStream, i: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(Delimiter::Bracket, i);
    group.set_span(span);
    let a = placed(a, span);
    quote!(#a #group)
}
