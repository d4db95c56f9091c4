//! Elements that may be missing, `Option`s in Rust, and the methods that take them apart: `*a.get(i).unwrap_or(&0.0)`.

use super::super::fragments::inner;
use super::super::{Parser, words};
use super::chains::is_iterator;
use crate::diag::codes;
use crate::mapped::{Both, Mapped};
use crate::surface::ExprKind;
use crate::surface::text::expression;
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
    let args: Vec<&syn::Expr> = m.args.iter().collect_vec();
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

/// Whether a pattern asks for what is there, or is not: `Some(x)`, `None`, `Ok(x)`, `Err(_)`.
fn asks(p: &syn::Pat) -> bool {
    let last = match p {
        syn::Pat::TupleStruct(t) => t.path.segments.last().map(|s| &s.ident),
        syn::Pat::Ident(i) => Some(&i.ident),
        _ => None,
    };
    last.is_some_and(|name| ["Some", "None", "Ok", "Err"].iter().any(|n| name == n))
}

/// Whether a method makes an `Option` or an `Ordering` of numbers: a method that kernels do not have, whose way out depends on
/// their types.
fn of_numbers(e: &syn::Expr) -> bool {
    let syn::Expr::MethodCall(m) = inner(e) else { return false };
    let name = m.method.to_string();
    name.starts_with("checked_") || ["partial_cmp", "cmp", "total_cmp"].contains(&name.as_str())
}

/// The demand of a pattern of an array on the array `a`, the case in which it is not met, and the `let`s of its names.
fn elements(p: &syn::Pat, a: &syn::Expr) -> Option<([String; 2], String)> {
    let a = words(if let syn::Expr::Reference(r) = inner(a) { &*r.expr } else { a }.to_token_stream());
    let syn::Pat::Slice(s) = (if let syn::Pat::Reference(r) = p { &*r.pat } else { p }) else { return None };
    let is_rest = |p: &syn::Pat| match p {
        syn::Pat::Ident(i) => i.subpat.as_ref().is_some_and(|(_, p)| matches!(**p, syn::Pat::Rest(_))),
        p => matches!(p, syn::Pat::Rest(_)),
    };
    let (all, rest) = (s.elems.len(), s.elems.iter().position(is_rest));
    let mut lets = String::new();
    for (k, p) in s.elems.iter().enumerate() {
        let behind = all - k;
        let element = match rest {
            Some(r) if k == r && behind == 1 => format!("&{a}[{k}..]"),
            Some(r) if k == r => format!("&{a}[{k}..{a}.len() - {}]", behind - 1),
            Some(r) if k > r => format!("{a}[{a}.len() - {behind}]"),
            _ => format!("{a}[{k}]"),
        };
        match p {
            syn::Pat::Ident(i) => lets += &format!("let {} = {element}; ", i.ident),
            syn::Pat::Wild(_) | syn::Pat::Rest(_) => {}
            _ => return None,
        }
    }
    let conditions = match rest {
        None if all == 0 => [format!("{a}.is_empty()"), format!("!{a}.is_empty()")],
        None => [format!("{a}.len() == {all}"), format!("{a}.len() != {all}")],
        Some(_) => [format!("{a}.len() >= {}", all - 1), format!("{a}.len() < {}", all - 1)],
    };
    Some((conditions, lets))
}

/// The way out for `if let Some(x) = a.get(i)` and `while let Some(x) = v.pop()`.
fn asked(p: &syn::Pat, e: &syn::Expr) -> Option<String> {
    if let Some(([present, _], lets)) = elements(p, e) {
        return Some(format!("write `if {present} {{ {lets}… }}`"));
    }
    let [shown, value] = [p.to_token_stream(), e.to_token_stream()].both(expression);
    match p {
        syn::Pat::Lit(_) | syn::Pat::Range(_) | syn::Pat::Or(_) | syn::Pat::Path(_) => {
            return Some(format!("write `matches!({value}, {shown})`"));
        }
        syn::Pat::Ident(i) if let Some((_, p)) = &i.subpat => {
            return Some(format!("write `matches!({value}, {})`", expression(p.to_token_stream())));
        }
        syn::Pat::Tuple(_) | syn::Pat::Wild(_) => {
            return Some(format!("write `let {shown} = {value};` before: this pattern matches every value"));
        }
        _ => {}
    }
    let x = some(p)?;
    if let syn::Expr::MethodCall(m) = inner(e)
        && m.args.is_empty()
    {
        let v = words(m.receiver.to_token_stream());
        let ends = x.strip_prefix('(').and_then(|x| x.strip_suffix(')')).and_then(|x| x.split_once(','));
        match (m.method.to_string().as_str(), ends) {
            ("pop", _) => {
                return Some(format!(
                    "an array keeps its length: count its elements in a variable, `while count > 0 {{ count -= 1; let {x} = {v}[count]; … }}`"
                ));
            }
            ("split_first", Some((x, rest))) => {
                return Some(format!("write `if !{v}.is_empty() {{ let {x} = {v}[0]; let{rest} = &{v}[1..]; … }}`"));
            }
            ("split_last", Some((x, rest))) => {
                let last = format!("{v}.len() - 1");
                return Some(format!(
                    "write `if !{v}.is_empty() {{ let {x} = {v}[{last}]; let{rest} = &{v}[..{last}]; … }}`"
                ));
            }
            _ => {}
        }
    }
    let Maybe { present: [present, _], element, .. } = maybe(e)?;
    Some(format!("write `if {present} {{ let {x} = {element}; … }}`"))
}

impl Parser<'_> {
    /// Rejects `let` as a condition. A method of numbers is left to what knows their types.
    pub(in crate::surface::parse) fn let_condition(&mut self, l: &syn::ExprLet) -> ExprKind {
        if self.is_broken(&l.expr) {
            return ExprKind::Error;
        }
        if asks(&l.pat) && of_numbers(&l.expr) {
            return self.expr(&l.expr).kind;
        }
        let message = "`let` as a condition is outside the language";
        if let Some(help) = asked(&l.pat, &l.expr).or_else(|| self.next(&l.pat, &l.expr)) {
            self.helped(&codes::OUTSIDE, l, message, &help);
            return ExprKind::Error;
        }
        // The call that makes the `Option` has a separate way out.
        let before = self.diags.iter().count();
        if asks(&l.pat) && matches!(self.expr(&l.expr).kind, ExprKind::Error) && self.diags.iter().count() > before {
            return ExprKind::Error;
        }
        let help = "compare numbers, as in `x > 0.0`, or write a `match`, or `matches!(x, 1..=3)` for one pattern";
        self.helped(&codes::OUTSIDE, l, message, help);
        ExprKind::Error
    }

    /// A chain of conditions that begins with a `let` which is left to what knows the types: its names have no values behind it.
    pub(in crate::surface::parse) fn chained(&mut self, b: &syn::ExprBinary) -> Option<ExprKind> {
        match (&b.op, inner(&b.left)) {
            (syn::BinOp::And(_), syn::Expr::Let(l)) if of_numbers(&l.expr) => Some(self.let_condition(l)),
            _ => None,
        }
    }

    /// The way out for `while let Some(x) = items.next()`: the loop over what the name stands for.
    fn next(&self, p: &syn::Pat, e: &syn::Expr) -> Option<String> {
        let (x, syn::Expr::MethodCall(m)) = (some(p)?, inner(e)) else { return None };
        let name = words(m.receiver.to_token_stream());
        let (_, items) = self.iterators.iter().rev().find(|(own, _)| m.method == "next" && *own == name)?;
        Some(format!("write `for {x} in {items} {{ … }}`, and leave out `{name}`"))
    }

    /// Rejects `let Some(x) = a.get(i) else { … };`, if this is one: the value of its names.
    pub(in crate::surface::parse) fn let_else(&mut self, l: &syn::Local) -> Option<ExprKind> {
        let init = l.init.as_ref()?;
        let (_, otherwise) = init.diverge.as_ref()?;
        if asks(&l.pat) && of_numbers(&init.expr) {
            return Some(self.expr(&init.expr).kind);
        }
        let (absent, lets) = match elements(&l.pat, &init.expr) {
            Some(([_, absent], lets)) => (absent, lets.trim_end().to_string()),
            None => {
                let Maybe { present: [_, absent], element, .. } = maybe(&init.expr)?;
                (absent, format!("let {} = {element};", some(&l.pat)?))
            }
        };
        let otherwise = expression(otherwise.to_token_stream());
        let help = format!("write `if {absent} {otherwise} {lets}`");
        self.helped(&codes::OUTSIDE, l, "`let … else` is outside the language", &help);
        Some(ExprKind::Error)
    }

    /// Rejects a `match` on an element that may not be there, on the elements of an array, or on an order, if this is one.
    pub(in crate::surface::parse) fn matched_option(&mut self, m: &syn::ExprMatch) -> Option<ExprKind> {
        if self.is_broken(&m.expr) {
            return Some(ExprKind::Error);
        }
        if let Some(help) = super::ordering::by_order(m) {
            self.helped(&codes::OUTSIDE, &m.expr, "an `Ordering` is not a value of a kernel", &help);
            return Some(ExprKind::Error);
        }
        if m.arms.iter().any(|a| asks(&a.pat)) && maybe(&m.expr).is_none() {
            // The call that makes the `Option` has a separate way out.
            let before = self.diags.iter().count();
            let kind = self.expr(&m.expr).kind;
            if of_numbers(&m.expr) || matches!(kind, ExprKind::Error) && self.diags.iter().count() > before {
                return Some(kind);
            }
        }
        let ends = |p: &syn::Pat| matches!(p, syn::Pat::Slice(_) | syn::Pat::Wild(_) | syn::Pat::Ident(_));
        if matches!(m.arms.first(), Some(a) if matches!(a.pat, syn::Pat::Slice(_)))
            && m.arms.iter().all(|a| ends(&a.pat))
        {
            let last = m.arms.len() - 1;
            let arms = m.arms.iter().enumerate().map(|(k, a)| match elements(&a.pat, &m.expr) {
                Some(([present, _], lets)) if k < last => format!("if {present} {{ {lets}… }}"),
                Some((_, lets)) => format!("{{ {lets}… }}"),
                None => "{ … }".into(),
            });
            let help = format!("write `{}`", arms.collect::<Vec<_>>().join(" else "));
            self.helped(&codes::OUTSIDE, &m.expr, "a `match` on an array is outside the language", &help);
            return Some(ExprKind::Error);
        }
        let Maybe { present: [present, _], element, method } = maybe(&m.expr)?;
        let x = m.arms.iter().find_map(|a| some(&a.pat)).unwrap_or_else(|| "x".into());
        let message = format!("`{method}` makes an `Option` in Rust, and a kernel has none");
        let help = format!("write `if {present} {{ let {x} = {element}; … }} else {{ … }}`");
        self.helped(&codes::OUTSIDE, &m.expr, message, &help);
        Some(ExprKind::Error)
    }

    /// Rejects an element that is taken out of an `Option`, or the `*` of one, if this is one.
    pub(in crate::surface::parse) fn optional(&mut self, e: &syn::Expr) -> Option<ExprKind> {
        let (taker, starred) = match inner(e) {
            syn::Expr::Unary(u) => (inner(&u.expr), true),
            e => (e, false),
        };
        let syn::Expr::MethodCall(m) = taker else { return None };
        let found = maybe(&m.receiver)?;
        let args: Vec<&syn::Expr> = m.args.iter().collect_vec();
        let way = taken(&found, &m.method.to_string(), &args)?;
        let star = if starred { ", without the `*`" } else { "" };
        let message = format!("`{}` makes an `Option` in Rust, and a kernel has none", found.method);
        self.helped(&codes::OUTSIDE, e, message, &(way + star));
        Some(ExprKind::Error)
    }
}
