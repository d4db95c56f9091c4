//! Elements that may be missing, `Option`s in Rust, and the methods that take them apart: `*a.get(i).unwrap_or(&0.0)`.

use super::chains::is_iterator;
use super::fragments::inner;
use super::{Parser, words};
use crate::diag::codes;
use crate::surface::ExprKind;
use quote::ToTokens;

/// An element of an array that may be missing.
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
            // After `as usize`, `<` begins generic arguments.
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

/// The way out for a method with these arguments that takes out an element.
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

/// The pattern in `Some(p)`.
fn some(p: &syn::Pat) -> Option<String> {
    match p {
        syn::Pat::TupleStruct(t) if t.path.segments.last()?.ident == "Some" && t.elems.len() == 1 => {
            Some(words(t.elems[0].to_token_stream()).trim_start_matches('&').to_string())
        }
        _ => None,
    }
}

/// The way out for `if let Some(x) = a.get(i)` and `while let Some(x) = v.pop()`.
fn asked(p: &syn::Pat, e: &syn::Expr) -> Option<String> {
    let x = some(p)?;
    if let syn::Expr::MethodCall(m) = inner(e)
        && m.method == "pop"
        && m.args.is_empty()
    {
        let v = words(m.receiver.to_token_stream());
        return Some(format!(
            "an array keeps its length: count its elements in a variable, `while count > 0 {{ count -= 1; let {x} = {v}[count]; … }}`"
        ));
    }
    let Maybe { present: [present, _], element, .. } = maybe(e)?;
    Some(format!("write `if {present} {{ let {x} = {element}; … }}`"))
}

impl Parser<'_> {
    /// Rejects `let` as a condition.
    pub(super) fn let_condition(&mut self, l: &syn::ExprLet) -> ExprKind {
        let message = "`let` as a condition is outside the language";
        if let Some(help) = asked(&l.pat, &l.expr) {
            self.helped(&codes::OUTSIDE, l, message, &help);
            return ExprKind::Error;
        }
        // The call that makes the `Option` has a separate way out.
        let before = self.diags.iter().count();
        if some(&l.pat).is_some()
            && matches!(self.expr(&l.expr).kind, ExprKind::Error)
            && self.diags.iter().count() > before
        {
            return ExprKind::Error;
        }
        let help = "compare numbers, as in `x > 0.0`, or write a `match`, or `matches!(x, 1..=3)` for one pattern";
        self.helped(&codes::OUTSIDE, l, message, help);
        ExprKind::Error
    }

    /// Rejects `let Some(x) = a.get(i) else { … };`, if this is one.
    pub(super) fn let_else(&mut self, l: &syn::Local) -> bool {
        let Some(init) = &l.init else { return false };
        let (Some((_, otherwise)), Some(x)) = (&init.diverge, some(&l.pat)) else { return false };
        let Some(Maybe { present: [_, absent], element, .. }) = maybe(&init.expr) else { return false };
        let otherwise = crate::surface::text::expression(otherwise.to_token_stream());
        let help = format!("write `if {absent} {otherwise} let {x} = {element};`");
        self.helped(&codes::OUTSIDE, l, "`let … else` is outside the language", &help);
        true
    }

    /// Rejects a `match` on an element that may not be there, if this is one.
    pub(super) fn matched_option(&mut self, m: &syn::ExprMatch) -> Option<ExprKind> {
        let Maybe { present: [present, _], element, method } = maybe(&m.expr)?;
        let x = m.arms.iter().find_map(|a| some(&a.pat)).unwrap_or_else(|| "x".into());
        let message = format!("`{method}` makes an `Option` in Rust, and a kernel has none");
        let help = format!("write `if {present} {{ let {x} = {element}; … }} else {{ … }}`");
        self.helped(&codes::OUTSIDE, &m.expr, message, &help);
        Some(ExprKind::Error)
    }

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
