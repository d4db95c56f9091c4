//! Sections added to the documentation that a user wrote.
//!
//! A section goes to the end. If the user has one with its heading, it goes to the end of that one, so that no heading
//! occurs twice.

use super::doc::doc;
use crate::mapped::Mapped;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, Lit, Meta};

/// The attributes of an item, with sections of documentation: their headings and texts.
pub(super) fn with_sections(attrs: &[Attribute], sections: Vec<(&'static str, String)>) -> TokenStream {
    let mut pieces: Vec<Piece> = attrs.iter().mapped(|a| Piece { attr: a.to_token_stream(), text: text(a) });
    let mut end = String::new();
    for (heading, body) in sections {
        match section_end(&pieces, heading) {
            Some((k, line)) => split(&mut pieces, k, line, &body),
            None => end += &format!("\n# {heading}\n\n{body}"),
        }
    }
    let attrs = pieces.into_iter().map(|p| p.attr);
    let end = (!end.is_empty()).then(|| doc(&indented(&end)));
    quote!(#(#attrs)* #end)
}

/// An attribute, and its text if it is documentation.
struct Piece {
    attr: TokenStream,
    text: Option<String>,
}

impl Piece {
    fn doc(text: String) -> Piece {
        Piece { attr: doc(&text), text: Some(text) }
    }
}

fn text(a: &Attribute) -> Option<String> {
    let Meta::NameValue(m) = &a.meta else { return None };
    match &m.value {
        Expr::Lit(l) if a.path().is_ident("doc") => match &l.lit {
            Lit::Str(s) => Some(s.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The text indented as after `///`.
fn indented(text: &str) -> String {
    text.lines().map(|l| format!(" {l}\n")).collect()
}

/// The piece and its line before which the section with this heading ends.
fn section_end(pieces: &[Piece], heading: &str) -> Option<(usize, usize)> {
    let (mut fence, mut inside) = (false, false);
    for (k, p) in pieces.iter().enumerate() {
        for (n, line) in p.text.iter().flat_map(|t| t.lines()).enumerate() {
            let line = line.trim();
            fence ^= line.starts_with("```") || line.starts_with("~~~");
            if fence {
                continue;
            }
            if inside && line.starts_with("# ") {
                return Some((k, n));
            }
            inside |= line.strip_prefix("# ").is_some_and(|title| title.trim() == heading);
        }
    }
    inside.then_some((pieces.len(), 0))
}

/// Puts a text before a line of a piece.
fn split(pieces: &mut Vec<Piece>, k: usize, line: usize, body: &str) {
    let ours = Piece::doc(indented(&format!("\n{body}")));
    let lines: Vec<String> =
        pieces.get(k).and_then(|p| p.text.as_ref()).map_or(vec![], |t| t.lines().mapped(String::from));
    if line == 0 {
        pieces.insert(k, ours);
        return;
    }
    let (before, after) = lines.split_at(line);
    pieces.splice(k..=k, [Piece::doc(before.join("\n")), ours, Piece::doc(after.join("\n"))]);
}
