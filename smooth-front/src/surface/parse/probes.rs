//! Macros: `matches!`, `dbg!`, the assertions, and `panic!` and its like are part of the language. They are parsed from their
//! tokens.

use super::fragments::inner;
use super::rejections::foreign::argument;
use super::{Parser, extent};
use crate::diag::{codes, hints};
use crate::mapped::Mapped;
use crate::surface::probes::{Assert, Claim, Dbg, Failing, Message};
use crate::surface::{Expr, ExprKind, path_key, text};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::Token;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;

/// `e` or `name = e`.
struct Arg {
    name: Option<Ident>,
    value: syn::Expr,
}

impl Parse for Arg {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let is_named = input.peek(Ident::peek_any) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if is_named { Some(input.call(Ident::parse_any)?) } else { None };
        if is_named {
            input.parse::<Token![=]>()?;
        }
        Ok(Arg { name, value: input.parse()? })
    }
}

/// The name of std's macro that a macro is: by its name alone, or by its path in std or core.
fn std_macro(m: &syn::Macro) -> Option<String> {
    let names: Vec<String> = m.path.segments.iter().mapped(|s| s.ident.to_string());
    match names.as_slice() {
        [name] => Some(name.clone()),
        [krate, name] if krate == "std" || krate == "core" => Some(name.clone()),
        _ => None,
    }
}

impl Parser<'_> {
    /// A macro as an expression or as a statement.
    pub(super) fn macro_expr(&mut self, m: &syn::Macro) -> ExprKind {
        if is_matches(m) {
            return self.matches(m);
        }
        let name = std_macro(m).unwrap_or_default();
        let (debug, assertion) = match name.strip_prefix("debug_") {
            Some(rest) => (true, rest),
            None => (false, name.as_str()),
        };
        let sides = match assertion {
            "dbg" if !debug => return self.dbg(m),
            "assert" => 1,
            "assert_eq" | "assert_ne" => 2,
            name if !debug && Failing::of(name).is_some() => 0,
            _ => {
                self.macro_call(m);
                return ExprKind::Error;
            }
        };
        self.assertion(m, assertion, debug, sides)
    }

    /// `dbg!(a, b)` is `(dbg!(a), dbg!(b))`.
    fn dbg(&mut self, m: &syn::Macro) -> ExprKind {
        let values = match m.parse_body_with(Punctuated::<syn::Expr, Token![,]>::parse_terminated) {
            Ok(values) => values,
            Err(e) => return self.malformed(m, "dbg", &e),
        };
        let mut each: Vec<ExprKind> = values.iter().mapped(|e| {
            let text = text::expression(e.to_token_stream());
            ExprKind::Dbg(Box::new(Dbg { value: Some(self.expr(e)), text }))
        });
        match each.len() {
            0 => ExprKind::Dbg(Box::new(Dbg { value: None, text: String::new() })),
            1 => each.swap_remove(0),
            _ => ExprKind::Tuple(each.into_iter().mapped(|kind| self.node(kind, extent(m)))),
        }
    }

    fn assertion(&mut self, m: &syn::Macro, name: &str, debug: bool, sides: usize) -> ExprKind {
        let args = match m.parse_body_with(Punctuated::<Arg, Token![,]>::parse_terminated) {
            Ok(args) => args,
            Err(e) => return self.malformed(m, name, &e),
        };
        let args: Vec<Arg> = args.into_iter().collect_vec();
        let Some((claimed, rest)) =
            args.split_at_checked(sides).filter(|(claimed, _)| claimed.iter().all(|a| a.name.is_none()))
        else {
            let takes = if sides == 1 { "a condition" } else { "two values" };
            let message =
                format!("`{}{name}!` takes {takes}, and possibly a message", if debug { "debug_" } else { "" });
            self.helped(&codes::OUTSIDE, m, message, form(name));
            return ExprKind::Error;
        };
        if let [Arg { name: None, value }] = claimed
            && let Some((text, holds)) = described(value)
        {
            let (shown, holds) = (text.to_token_stream(), text::expression(holds.to_token_stream()));
            let help = format!("write `{}!({holds}, {shown})`", if debug { "debug_assert" } else { "assert" });
            self.helped(&codes::OUTSIDE, text, "a text is not a condition: it is the second argument", &help);
            return ExprKind::Error;
        }
        let mut claimed: Vec<(Expr, String)> =
            claimed.iter().mapped(|a| (self.expr(&a.value), text::expression(a.value.to_token_stream())));
        let message = match rest.split_first() {
            None => None,
            Some((format, args)) => match self.message(format, args) {
                Some(message) => Some(message),
                None => return ExprKind::Error,
            },
        };
        let last = claimed.pop();
        let claim = match (claimed.pop(), last, name) {
            (_, None, name) => Claim::Never(Failing::of(name).unwrap_or(Failing::Panic)),
            (None, Some((holds, text)), _) => Claim::Holds(holds, text),
            (Some((first, _)), Some((last, _)), "assert_eq") => Claim::Equal(first, last),
            (Some((first, _)), Some((last, _)), _) => Claim::Differ(first, last),
        };
        ExprKind::Assert(Box::new(Assert { claim, debug, message }))
    }

    /// A format string and its arguments.
    fn message(&mut self, format: &Arg, args: &[Arg]) -> Option<Message> {
        let mut text = &format.value;
        // The argument of a macro that wrote the kernel.
        while let syn::Expr::Group(g) = text {
            text = &g.expr;
        }
        let literal = match (text, &format.name) {
            (syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }), None) => text,
            (e, _) => {
                let help = "write the message as in `assert!(x > 0.0, \"x is {x}\")`";
                self.helped(&codes::OUTSIDE, e, "the message of an assertion is a string literal", help);
                return None;
            }
        };
        let mut all: Vec<(Option<Ident>, Expr)> = args.iter().mapped(|a| (a.name.clone(), self.expr(&a.value)));
        for name in captured(&literal.value()) {
            if args.iter().any(|a| a.name.as_ref().is_some_and(|own| *own == name)) {
                continue;
            }
            // rustc reports words that are not names.
            let Ok(mut ident) = syn::parse_str::<Ident>(&name) else { continue };
            ident.set_span(literal.span());
            let value = self.node(ExprKind::Path(ident.clone().into()), (literal.span(), literal.span()));
            all.push((Some(ident), value));
        }
        Some(Message { format: literal.token(), args: all })
    }

    /// A macro of the language whose tokens cannot be read.
    fn malformed(&mut self, m: &syn::Macro, name: &str, e: &syn::Error) -> ExprKind {
        // An error at the end has the place of the attribute.
        let nowhere = format!("{:?}", e.span()) == format!("{:?}", Span::call_site());
        let at = if nowhere { extent(m) } else { (e.span(), e.span()) };
        self.diags.helped(&codes::OUTSIDE, at, format!("`{name}!` cannot be read: {e}"), form(name));
        ExprKind::Error
    }

    /// Rejects a macro that is not part of the language.
    fn macro_call(&mut self, m: &syn::Macro) {
        let name = path_key(&m.path);
        let message =
            format!("the macro `{name}!` inside a kernel: macros are not expanded before the kernel is compiled");
        let args = m.parse_body_with(Punctuated::<syn::Expr, Token![,]>::parse_terminated).unwrap_or_default();
        let args = args.iter().mapped(argument);
        let last = name.rsplit("::").next().unwrap_or_default();
        let help = hints::macro_(last, &text::expression(m.tokens.clone()), &args);
        self.helped(&codes::OUTSIDE, m, message, &help);
    }
}

/// The text and the condition of `condition && "text"`.
fn described(e: &syn::Expr) -> Option<(&syn::Expr, &syn::Expr)> {
    let syn::Expr::Binary(b) = inner(e) else { return None };
    let is_text = |e: &syn::Expr| matches!(inner(e), syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Str(_)));
    match b.op {
        syn::BinOp::And(_) | syn::BinOp::Or(_) if is_text(&b.right) => Some((&b.right, &b.left)),
        syn::BinOp::And(_) | syn::BinOp::Or(_) if is_text(&b.left) => Some((&b.left, &b.right)),
        _ => None,
    }
}

/// The way out for a probe that is not well formed.
fn form(name: &str) -> &'static str {
    match name {
        "dbg" => "write `dbg!(x)`",
        name if Failing::of(name).is_some() => "write the message as in `panic!(\"x is {x}\")`",
        "assert" => "write `assert!(x > 0.0)` or `assert!(x > 0.0, \"x is {x}\")`",
        "assert_eq" => "write `assert_eq!(x, y)` or `assert_eq!(x, y, \"in row {i}\")`",
        _ => "write `assert_ne!(x, y)` or `assert_ne!(x, y, \"in row {i}\")`",
    }
}

/// The names in a format string: of arguments, `{x}`, and of widths and precisions, `{:w$.p$}`.
fn captured(format: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names: Vec<String> = Vec::new();
    let mut note = |name: &str| {
        if name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !names.iter().any(|n| n == name) {
            names.push(name.to_string());
        }
    };
    let text = format.replace("{{", "");
    for place in text.split('{').skip(1) {
        let place = place.split('}').next().unwrap_or_default();
        let (name, spec) = place.split_once(':').unwrap_or((place, ""));
        note(name.trim());
        for before in spec.split('$').rev().skip(1) {
            let start =
                before.rfind(|c| !is_word(c)).map_or(0, |k| k + before[k..].chars().next().map_or(0, char::len_utf8));
            note(&before[start..]);
        }
    }
    names
}

/// Whether a macro is std's `matches!`.
pub(super) fn is_matches(m: &syn::Macro) -> bool {
    let names: Vec<String> = m.path.segments.iter().mapped(|s| s.ident.to_string());
    let names: Vec<&str> = names.iter().mapped(String::as_str);
    matches!(names.as_slice(), ["matches"] | ["std" | "core", "matches"])
}

#[cfg(test)]
mod tests {
    use super::captured;

    #[test]
    fn format_strings_name_their_arguments() {
        assert_eq!(captured("{x} of {:?}, {{y}} {0} {n:>w$.p$} {x:?} {_k:1$}"), ["x", "n", "p", "w", "_k"]);
        assert_eq!(captured("no { name {"), ["name"]);
        assert_eq!(captured("}{ä:é$}"), ["ä", "é"]);
    }
}
