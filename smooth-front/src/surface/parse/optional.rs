//! Elements that may not be there, `Option`s in Rust, and what takes them apart: `*a.get(i).unwrap_or(&0.0)`.

use super::chains::is_iterator;
use super::fragments::inner;
use super::{Parser, words};
use crate::diag::codes;
use crate::surface::ExprKind;
use quote::ToTokens;

/// An element of an array that may not be there.
struct Maybe {
    /// The method that looks for it.
    method: String,
    /// The condition under which it is there, and its opposite.
    present: [String; 2],
    /// The element.
    element: String,
}

/// `a.get(i)`, `a.first()`, `a.last()`, and those that are mutable.
fn maybe(e: &syn::Expr) -> Option<Maybe> {
    let syn::Expr::MethodCall(m) = inner(e) else { return None };
    if is_iterator(&m.receiver) {
        return None;
    }
    let (a, method) = (words(m.receiver.to_token_stream()), m.method.to_string());
    let args: Vec<&syn::Expr> = m.args.iter().collect();
    let index = match (method.as_str(), args.as_slice()) {
        ("copied" | "cloned", []) => return maybe(&m.receiver),
        ("get" | "get_mut", [i]) if !matches!(inner(i), syn::Expr::Range(_)) => Some(inner(i)),
        ("first" | "first_mut" | "last" | "last_mut", []) => None,
        _ => return None,
    };
    let (present, at) = match index {
        Some(i) => {
            let text = words(i.to_token_stream());
            // Behind `as usize`, `<` begins generic arguments.
            let compared = if let syn::Expr::Cast(_) = i { format!("({text})") } else { text.clone() };
            ([format!("{compared} < {a}.len()"), format!("{compared} >= {a}.len()")], text)
        }
        None => {
            let at = if method.starts_with("first") { "0".into() } else { format!("{a}.len() - 1") };
            ([format!("!{a}.is_empty()"), format!("{a}.is_empty()")], at)
        }
    };
    Some(Maybe { element: format!("{a}[{at}]"), method, present })
}

/// What to write for an element that is taken out by a method with these arguments.
fn taken(m: &Maybe, by: &str, args: &[&syn::Expr]) -> Option<String> {
    let (Maybe { present: [present, absent], element, .. }, otherwise) = (m, args.first());
    let with = |other: &str| format!("write `(if {present} {{ {element} }} else {{ {other} }})`");
    Some(match (by, otherwise.map(|e| inner(e))) {
        ("unwrap" | "expect" | "unwrap_unchecked", _) => format!("write `{element}`"),
        ("unwrap_or", Some(syn::Expr::Reference(r))) => with(&words(r.expr.to_token_stream())),
        ("unwrap_or", Some(other)) => with(&words(other.to_token_stream())),
        ("unwrap_or_else", Some(syn::Expr::Closure(c))) => {
            with(words(c.body.to_token_stream()).trim_start_matches('&'))
        }
        ("unwrap_or_default", _) => with("0.0") + ", with `0` for integers",
        ("map_or", Some(other)) => {
            with(&words(other.to_token_stream())) + ", with what is made of the element in its place"
        }
        ("is_some", _) => format!("write `({present})`"),
        ("is_none", _) => format!("write `({absent})`"),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Rejects an element that is taken out of an `Option`, or the `*` of one, if this is one.
    pub(super) fn optional(&mut self, e: &syn::Expr) -> Option<ExprKind> {
        let (taker, starred) = match inner(e) {
            syn::Expr::Unary(u) => (inner(&u.expr), true),
            e => (e, false),
        };
        let syn::Expr::MethodCall(m) = taker else { return None };
        let found = maybe(&m.receiver)?;
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let way = taken(&found, &m.method.to_string(), &args)?;
        let star = if starred { ", without the `*`" } else { "" };
        let message = format!("`{}` makes an `Option` in Rust, and a kernel has none", found.method);
        self.helped(&codes::OUTSIDE, e, message, &(way + star));
        Some(ExprKind::Error)
    }
}
