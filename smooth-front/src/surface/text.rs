//! Tokens as a person writes them: the text of a signature or of a term, for documentation.

use crate::mapped::Mapped;
use proc_macro2::{Delimiter, LineColumn, Spacing, Span, TokenStream, TokenTree};

/// The maximum number of columns of a signature on one line.
const COLUMNS: usize = 90;

/// The signature of a function as its author wrote it: `fn dot(a: &[f64; n], b: &[f64; n]) -> f64`. A long one has a line
/// for each parameter.
pub fn signature(item: &TokenStream) -> String {
    let is_fn = |t: &TokenTree| matches!(t, TokenTree::Ident(i) if i == "fn");
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().skip_while(|t| !is_fn(t)).collect_vec();
    tokens.pop_if(|t| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace));
    let line = written(&tokens);
    let params =
        tokens.iter().position(|t| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis));
    match (params.map(|k| (k, &tokens[k])), line.chars().count() > COLUMNS) {
        (Some((k, TokenTree::Group(g))), true) => {
            let all: Vec<TokenTree> = g.stream().into_iter().collect_vec();
            let comma = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ',');
            let each = all.split(comma).filter(|p| !p.is_empty()).map(|p| format!("    {},\n", written(p)));
            let rest = written(&tokens[k + 1..]);
            let space = if rest.is_empty() { "" } else { " " };
            format!("{}(\n{}){space}{rest}", written(&tokens[..k]), each.collect::<String>())
        }
        _ => line,
    }
}

/// The text of the tokens from `start` to `end`, if they are in `tokens`.
pub fn term(tokens: &TokenStream, start: Span, end: Span) -> Option<String> {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect_vec();
    let is = |at: LineColumn, end: LineColumn| (at.line, at.column) == (end.line, end.column);
    let first = all.iter().position(|t| is(t.span().start(), start.start()));
    let last = all.iter().rposition(|t| is(t.span().end(), end.end()));
    match (first, last) {
        (Some(first), Some(last)) if first <= last => Some(written(&all[first..=last])),
        _ => all.iter().find_map(|t| if let TokenTree::Group(g) = t { term(&g.stream(), start, end) } else { None }),
    }
}

/// The text of an expression.
pub fn expression(tokens: TokenStream) -> String {
    let all: Vec<TokenTree> = tokens.into_iter().collect_vec();
    spaced(&all, false)
}

/// Tokens of a signature, or of a term without comparisons.
fn written(tokens: &[TokenTree]) -> String {
    spaced(tokens, true)
}

/// Tokens with the usual spaces between them, without attributes. Among `types`, `<` and `>` are brackets; elsewhere only
/// after `::`.
fn spaced(tokens: &[TokenTree], types: bool) -> String {
    let mut out = String::new();
    // Open `<`, whether this is between the bars of a closure, and whether the token before is joined to this one.
    let (mut angles, mut bars, mut continued) = (0usize, false, false);
    // Whether the token before ends an operand, and whether it wants no space after it.
    let (mut operand, mut tight) = (false, true);
    let mut rest = tokens.iter().peekable();
    while let Some(t) = rest.next() {
        let attribute = |g: &&TokenTree| matches!(g, TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket);
        if matches!(t, TokenTree::Punct(p) if p.as_char() == '#') && rest.next_if(attribute).is_some() {
            continue;
        }
        let mut space = !tight;
        match t {
            TokenTree::Group(g) => {
                let inner = spaced(&g.stream().into_iter().collect_vec(), types);
                let (open, close) = match g.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                space &= !operand || g.delimiter() == Delimiter::Brace;
                out += &format!("{}{open}{inner}{close}", if space { " " } else { "" });
                (operand, tight) = (true, false);
            }
            TokenTree::Punct(p) => {
                let c = p.as_char();
                let prefix = !operand && !continued && matches!(c, '&' | '*' | '-' | '!');
                let joined = p.spacing() == Spacing::Joint;
                let opens = c == '<' && (types || out.ends_with("::"));
                let closes = c == '>' && (types || angles > 0);
                (angles, continued) = ((angles + usize::from(opens)).saturating_sub(usize::from(closes)), joined);
                let bar = c == '|' && (bars || !operand && !out.ends_with('|'));
                if bar {
                    out += if space && !bars { " " } else { "" };
                    out.push(c);
                    (bars, operand) = (!bars, false);
                    tight = bars;
                    continue;
                }
                let close = (matches!(c, ',' | ';' | ':' | '.' | '?') || opens || closes) && !out.ends_with('-');
                // The `>` of `->`, and the second `:` of `::`, belong to what is before them.
                space &= !(close || c == '>' && out.ends_with('-'));
                out += if space { " " } else { "" };
                out.push(c);
                let path = c == ':' && (joined || out.ends_with("::"));
                tight = prefix || joined || path || opens || matches!(c, '.' | '\'') || out.ends_with("..=");
                operand = c == '?' || closes && !out.ends_with("->");
            }
            TokenTree::Ident(i) => {
                continued = false;
                let word = i.to_string();
                out += &format!("{}{word}", if space { " " } else { "" });
                operand = !matches!(word.as_str(), "mut" | "in" | "as" | "if" | "else" | "return" | "match" | "where");
                tight = false;
            }
            TokenTree::Literal(l) => {
                out += &format!("{}{l}", if space { " " } else { "" });
                (operand, tight) = (true, false);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) {
        assert_eq!(signature(&format!("pub {text} {{ 0.0 }}").parse().unwrap()), text);
    }

    #[test]
    fn signatures_are_as_written() {
        same("fn dot(a: &[f64; n], b: &[f64; n]) -> f64");
        same("fn f(a: &mut [[(u8, f64); 3]; n - 1], (x, y): (&[f64], f64)) -> ([f64; n + m - 1], f64)");
        same("fn f<T: Real, const N: usize>(g: impl Fn(T, T) -> T, b: &[T; { 2 }]) -> [T; 2 * N]");
        same("fn f<T>(a: &[T; self::K], k: usize) -> [T; (k - 1) / 2] where T: Number");
        same("fn f(a: &mut [f64; -1 + n % 2])");
        let params: String = (0..9).map(|k| format!("    a{k}: &[f64; n],\n")).collect();
        same(&format!("fn f(\n{params}) -> f64"));
        let attributes = "#[inline] fn f(#[allow(unused)] a: f64) -> f64 { a }".parse().unwrap();
        assert_eq!(signature(&attributes), "fn f(a: f64) -> f64");
    }

    #[test]
    fn expressions_have_the_usual_spaces() {
        let texts = [
            "a[i] > 0.0 && !(b < -c.len() as f64)",
            "sum(n, |i| x[i] * 2.0) >= f::<f64, 3>(&a, 1..n) || k == 3 | m",
            "all(n, |i, j| { let y = -a[i]; y != 0.0 }) != (|| true)()",
            "&a[s..e - 1]",
            "if n > 1 { a.0 } else { b.1 }",
            "(1 | 3..=5)",
            "(x as u128 * y as u128 >> 64) as u64",
        ];
        texts.into_iter().for_each(|t| assert_eq!(expression(t.parse().unwrap()), t));
    }

    #[test]
    fn terms_are_found_by_their_first_and_last_token() {
        let tokens: TokenStream = "{ x + (a[at[k].0 - 1] * &b[2..k]) }".parse().unwrap();
        let mut spans = vec![];
        fn each(tokens: TokenStream, spans: &mut Vec<(String, Span)>) {
            for t in tokens {
                spans.push((t.to_string(), t.span()));
                if let TokenTree::Group(g) = t {
                    each(g.stream(), spans);
                }
            }
        }
        each(tokens.clone(), &mut spans);
        let at = |text: &str| spans.iter().find(|(t, _)| t.replace(' ', "") == text).unwrap().1;
        assert_eq!(term(&tokens, at("a"), at("[at[k].0-1]")).unwrap(), "a[at[k].0 - 1]");
        assert_eq!(term(&tokens, at("at"), at("0")).unwrap(), "at[k].0");
        assert_eq!(term(&tokens, at("b"), at("[2..k]")).unwrap(), "b[2..k]");
        assert_eq!(term(&tokens, at("b"), at("x")), None);
    }
}
