//! The nesting depth of a text, found in its tokens: Rust's parser recurses over them, and would overflow rustc's stack.
//!
//! depth of a token = delimiters around it + constructs that begin before it in their group and contain it
//!
//! The constructs are those that end where their last part ends: prefix operators, closures, assignments, `return` and `break`,
//! arguments of generics, results of function types, patterns of names. Operators between two operands do not nest: Rust's
//! parser reads `a + b + c` in a loop. Where a token alone does not say which of the two it is, the larger depth counts.

use crate::mapped::Mapped;
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

/// Words that are not operands: an operand starts after them.
const WORDS: &[&str] = &[
    "as", "async", "box", "break", "const", "dyn", "else", "extern", "fn", "for", "if", "impl", "in", "let", "match",
    "move", "mut", "raw", "ref", "return", "static", "unsafe", "where", "while", "yield",
];

/// Words that start a construct up to the end of the expression.
const OPENING: &[&str] = &["break", "let", "return", "yield"];

/// Words that a type follows.
const BEFORE_TYPES: &[&str] = &["as", "dyn", "fn", "impl", "where"];

/// The depth of `<` and `->`: Rust's parser takes as much of the stack for one of them as for this number of other constructs.
const ANGLE: usize = 4;

/// The position of a reader in a group.
#[derive(Default)]
struct Place {
    /// Prefix operators since the last operand.
    prefixes: usize,
    /// Constructs that last until the end of the expression.
    open: usize,
    /// `<` without their `>`.
    angles: usize,
    /// Whether the last token ends an operand.
    operand: bool,
    /// Whether `<` starts arguments of generics.
    types: bool,
    /// Whether this is between the bars of a closure.
    bars: bool,
}

impl Place {
    fn depth(&self) -> usize {
        self.prefixes + self.open + ANGLE * self.angles
    }

    /// After `;`, and after `,` between expressions.
    fn end(&mut self) {
        *self = Place::default();
    }

    fn word(&mut self, word: &str, label: bool) {
        self.open += usize::from(OPENING.contains(&word));
        self.types |= BEFORE_TYPES.contains(&word);
        // A lifetime is next to an operand.
        if !label {
            self.operand = !WORDS.contains(&word);
            self.prefixes = if self.operand { 0 } else { self.prefixes };
        }
    }

    /// A punctuation mark, and those that are joined to it before and after.
    fn mark(&mut self, before: [Option<char>; 2], mark: char, after: Option<char>) {
        let operand = std::mem::replace(&mut self.operand, false);
        match (before[1], mark) {
            (_, ';') => self.end(),
            (_, ',') if self.angles == 0 && !self.bars => self.end(),
            (Some('-'), '>') => {
                self.open += ANGLE;
                self.types = true;
            }
            (Some('='), '>') => {}
            (_, '>') => {
                self.angles = self.angles.saturating_sub(1);
                self.operand = true;
            }
            (last, '<') if self.types || self.angles > 0 || !operand || last == Some(':') => self.angles += 1,
            (None, ':') if after != Some(':') => self.types = true,
            // `a <<= b`, but not `a <= b`.
            (Some('<' | '>'), '=') if before[0] != before[1] => {}
            (Some('=' | '!' | '.'), '=') => {}
            (_, '=') if !matches!(after, Some('=' | '>')) => {
                self.open += 1;
                self.types &= self.angles > 0;
            }
            (_, '|') if self.bars => {
                self.bars = false;
                self.types &= self.angles > 0;
            }
            (_, '|') if !operand => {
                self.bars = true;
                self.open += 1;
            }
            (_, '@') => self.open += 1,
            (_, '!' | '-' | '*' | '&' | '.') if !operand => self.prefixes += 1,
            (_, '?') => self.operand = operand,
            _ => {}
        }
    }
}

/// The first token within more than `depth` others.
pub(crate) fn beyond(tokens: &TokenStream, depth: usize) -> Option<Span> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect_vec();
    let mark = |k: Option<usize>| match k.and_then(|k| tokens.get(k)) {
        Some(TokenTree::Punct(p)) => Some((p.as_char(), p.spacing() == Spacing::Joint)),
        _ => None,
    };
    let joined = |k: Option<usize>| mark(k).and_then(|(c, joint)| joint.then_some(c));
    let mut place = Place::default();
    for (k, token) in tokens.iter().enumerate() {
        let last = k.checked_sub(1);
        match token {
            TokenTree::Group(g) => {
                let inside = place.depth() + 1;
                let left = depth.checked_sub(inside);
                let found = left.map_or(Some(g.span()), |left| beyond(&g.stream(), left));
                if found.is_some() {
                    return found;
                }
                // The body of a loop or of a condition, which ends what is compared before it.
                let argument = matches!(mark(last), Some(('<' | ',' | '=', _)));
                if g.delimiter() == Delimiter::Brace && !argument {
                    (place.angles, place.types) = (0, false);
                }
                (place.operand, place.prefixes) = (true, 0);
            }
            TokenTree::Ident(i) => place.word(&i.to_string(), joined(last) == Some('\'')),
            TokenTree::Literal(_) => (place.operand, place.prefixes) = (true, 0),
            TokenTree::Punct(p) => {
                let after = (p.spacing() == Spacing::Joint).then(|| mark(Some(k + 1))).flatten().map(|(c, _)| c);
                place.mark([joined(k.checked_sub(2)), joined(last)], p.as_char(), after);
            }
        }
        if place.depth() > depth {
            return Some(token.span());
        }
    }
    None
}
