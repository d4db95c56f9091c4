//! Small changes of the tokens of a kernel. Every token keeps its place, or gets that of the one it replaces.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Replacements of a token, in addition to the other tokens of the kernel.
const OTHERS: &[&str] = &[
    "x",
    "n",
    "0",
    "1.0",
    "true",
    ";",
    ",",
    "=",
    "+=",
    "&mut",
    "*",
    "{}",
    "()",
    "[]",
    "break",
    "return",
    "mut",
    "loop {}",
    "_",
    "..",
    "..=",
    "|i|",
    "->",
    "=>",
    ":",
    "::",
    "'a",
    "as",
    "usize",
    "f64",
    "u8",
    "if",
    "else",
    "match",
    "for",
    "in",
    "while",
    "let",
    "fn",
    "impl",
    "unsafe",
    "build",
    "sum",
    "ifold",
    "scan",
    "a[i]",
    "-1",
    "18446744073709551615",
    "99999999999999999999",
    "1e999",
    "\"s\"",
    "'c'",
    "#[cfg(any())]",
    "!",
    "?",
    ".",
    ".len()",
    ".0",
    "%",
    "<<",
    "<",
    "{ let }",
];

/// Random numbers.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// The number of tokens, those in groups included.
fn count(ts: &TokenStream) -> usize {
    ts.clone().into_iter().map(|t| if let TokenTree::Group(g) = t { 1 + count(&g.stream()) } else { 1 }).sum()
}

/// All tokens, those in groups included.
fn all(ts: &TokenStream, out: &mut Vec<TokenTree>) {
    for t in ts.clone() {
        out.push(t.clone());
        if let TokenTree::Group(g) = t {
            all(&g.stream(), out);
        }
    }
}

/// One change at a random token: it is left out, repeated, exchanged with the next one or any other one, replaced, or
/// wrapped; the delimiters of a group are left out or changed.
pub fn changed(ts: &TokenStream, rng: &mut Rng) -> TokenStream {
    let at = rng.below(count(ts));
    let mut tokens = Vec::new();
    all(ts, &mut tokens);
    let other = tokens[rng.below(tokens.len())].clone();
    let (how, first) = (rng.below(18), rng.below(tokens.len()));
    change(ts, &mut { at }, &mut |t, rest| match how {
        0 => vec![],
        1 => vec![t.clone(), t],
        2 => rest.next().into_iter().chain([t]).collect(),
        3 => vec![other.clone()],
        4 | 5 => replaced(&t, OTHERS[rng.below(OTHERS.len())]),
        6 => {
            let inner = TokenStream::from(t.clone());
            vec![delimited([Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket][rng.below(3)], inner, &t)]
        }
        7 => match &t {
            TokenTree::Group(g) => g.stream().into_iter().collect(),
            _ => vec![t.clone(), other.clone()],
        },
        // One of its kind: most of these are still programs.
        9.. => {
            let alike = tokens[first..].iter().chain(&tokens).find(|o| alike(&t, o));
            vec![alike.map_or(t.clone(), |o| o.clone())]
        }
        8 => match &t {
            TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis => {
                vec![delimited(Delimiter::Bracket, g.stream(), &t)]
            }
            TokenTree::Group(g) => vec![delimited(Delimiter::Parenthesis, g.stream(), &t)],
            _ => replaced(&t, OTHERS[rng.below(OTHERS.len())]),
        },
    })
}

/// Whether two tokens may stand in the same places, and are not the same.
fn alike(t: &TokenTree, o: &TokenTree) -> bool {
    let same = match (t, o) {
        (TokenTree::Ident(_), TokenTree::Ident(_)) | (TokenTree::Literal(_), TokenTree::Literal(_)) => true,
        (TokenTree::Punct(t), TokenTree::Punct(o)) => t.spacing() == o.spacing(),
        (TokenTree::Group(t), TokenTree::Group(o)) => t.delimiter() == o.delimiter(),
        _ => false,
    };
    same && t.to_string() != o.to_string()
}

fn delimited(delimiter: Delimiter, inner: TokenStream, at: &TokenTree) -> TokenTree {
    let mut group = Group::new(delimiter, inner);
    group.set_span(at.span());
    group.into()
}

/// The tokens of a text, at the place of a token.
fn replaced(at: &TokenTree, text: &str) -> Vec<TokenTree> {
    fn placed(ts: TokenStream, at: &TokenTree) -> Vec<TokenTree> {
        let place = |t| match t {
            TokenTree::Group(g) => delimited(g.delimiter(), placed(g.stream(), at).into_iter().collect(), at),
            mut t => {
                t.set_span(at.span());
                t
            }
        };
        ts.into_iter().map(place).collect()
    }
    placed(text.parse().expect("tokens"), at)
}

type Rest<'r> = &'r mut dyn Iterator<Item = TokenTree>;

fn change(
    ts: &TokenStream,
    left: &mut usize,
    how: &mut dyn FnMut(TokenTree, Rest<'_>) -> Vec<TokenTree>,
) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut rest = ts.clone().into_iter();
    while let Some(t) = rest.next() {
        let here = *left == 0;
        *left = left.wrapping_sub(1);
        match t {
            t if here => out.extend(how(t, &mut rest)),
            TokenTree::Group(g) => {
                let inner = change(&g.stream(), left, how);
                let mut group = Group::new(g.delimiter(), inner);
                group.set_span(g.span());
                out.push(group.into());
            }
            t => out.push(t),
        }
    }
    out.into_iter().collect()
}
