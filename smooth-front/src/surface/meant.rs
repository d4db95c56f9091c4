//! Calls of built-in functions that are written in another way, and the call that is meant, as text.
//!
//! ```text
//! reduce(n, |i| a[i], 0.0, |x, y| x + y)     reduce(n, 0.0, |x, y| x + y, |i| a[i])
//! reduce(n, |x, y| x + y, |i| a[i])          sum(n, |i| a[i])
//! max(h, w, |i, j| m[i][j])                  max([h, w], |i, j| m[i][j])
//! max(|i| a[i]), max(a)                      max(a.len(), |i| a[i])
//! max(x, y)                                  x.max(y)
//! build(a, |x| x * 2.0)                      build(a.len(), |i| a[i] * 2.0)
//! build(n, a[i] * 2.0)                       build(n, |i| a[i] * 2.0)
//! ```

use super::builtins::{functions, has_axes};
use super::{Child, Closure, Expr, ExprKind, Pattern, plain, terms};
use crate::diag::hints::about;
use crate::mapped::Mapped;
use crate::value::Lit;
use proc_macro2::Ident;

/// The call that is meant by one of `name` with these arguments; none where they are in their places, or nobody knows.
/// `rank` knows the axes of variables: a number has none.
pub fn meant(name: &str, args: &[Expr], rank: &dyn Fn(&Ident) -> Option<usize>) -> Option<String> {
    let of = |e: &Expr| if let ExprKind::Path(p) = &e.kind { p.get_ident().and_then(rank) } else { None };
    let is_array = |e: &&Expr| of(e).is_some_and(|rank| rank > 0);
    let (closures, values): (Vec<&Expr>, Vec<&Expr>) = args.iter().partition(|a| closure(a).is_some());
    match (&closures[..], &values[..]) {
        ([], [x, y]) if ["min", "max"].contains(&name) => {
            return Some(format!("{}.{name}({})", terms::receiver(x)?, terms::term(y)?));
        }
        ([], [a]) if has_axes(name) && name != "build" && terms::root(a).is_some() => {
            let a = terms::receiver(a).filter(|_| of(a) != Some(0))?;
            return Some(format!("{name}({a}.len(), |i| {a}[i])"));
        }
        // The function of the index is written as its value.
        ([], [n, e]) if functions(name) == 1 && has_axes(name) && !is_array(n) => {
            let value = match (&e.kind, of(e)) {
                (ExprKind::Path(_), None) | (ExprKind::Error, _) => return None,
                (_, Some(1)) => format!("|i| {}[i]", terms::term(e)?),
                _ => format!("|{}| {}", unknown(e, rank).unwrap_or_else(|| "_".into()), terms::term(e)?),
            };
            return Some(format!("{name}({}, {value})", terms::term(n)?));
        }
        _ if closures.len() != functions(name) => return None,
        _ => {}
    }
    let (combine, term) = match closures[..] {
        [f, g] if is_term(f, g) => (Some(g), f),
        [f, g] => (Some(f), g),
        [f] => (None, f),
        _ => return None,
    };
    let axes = closure(term)?.params.len();
    let starts = usize::from(["reduce", "ifold", "scan", "scan_exclusive"].contains(&name));
    let (counts, start) = match values[..] {
        // A neutral value is missing: that of a function that has a name is known.
        [n] if name == "reduce" && !is_no_count(n) => {
            return Some(format!("{}({}, {})", monoid(closure(combine?)?)?, text(n), text(term)));
        }
        [start, n] if starts == 1 && is_no_count(start) && !is_no_count(n) => (vec![n], Some(start)),
        [ref counts @ .., start] if starts == 1 => (counts.to_vec(), Some(start)),
        ref counts => (counts.to_vec(), None),
    };
    let counts = match counts[..] {
        [a] if is_array(&a) => {
            let a = text(a);
            let c = closure(term)?;
            let f = if indexed(c).is_some() { text(term) } else { of_elements(c, &a) };
            let others = start.into_iter().chain(combine).mapped(|e| text(e) + ", ").concat();
            return Some(format!("{name}({a}.len(), {others}{f})"));
        }
        [n] => text(n),
        [] => format!("{}.len()", indexed(closure(term)?)?),
        _ if has_axes(name) && counts.len() == axes => format!("[{}]", counts.iter().mapped(|n| text(n)).join(", ")),
        _ => return None,
    };
    let order: Vec<&Expr> = start.into_iter().chain(combine).chain([term]).collect_vec();
    if values.len() == 1 + starts && args[1..].iter().zip(&order).all(|(a, b)| a.id == b.id) {
        return None;
    }
    let others = order.into_iter().mapped(text);
    Some(format!("{name}({counts}, {})", others.join(", ")))
}

fn closure(e: &Expr) -> Option<&Closure> {
    if let ExprKind::Closure(c) = &e.kind { Some(c) } else { None }
}

/// The variable of a term that has no value: the index.
fn unknown(e: &Expr, rank: &dyn Fn(&Ident) -> Option<usize>) -> Option<String> {
    match &e.kind {
        ExprKind::Path(p) => {
            let own = p.get_ident().filter(|i| ["i", "j", "k"].contains(&plain(i).as_str()) && rank(i).is_none());
            own.map(plain)
        }
        _ => e.children().into_iter().find_map(|c| if let Child::Expr(e) = c { unknown(e, rank) } else { None }),
    }
}

/// A closure over the elements of `a` as one over its indices.
fn of_elements(c: &Closure, a: &str) -> String {
    let mut names: Vec<String> = c.params.iter().mapped(|p| terms::parameter(p).unwrap_or_else(|| "_".into()));
    let index = if names.iter().any(|n| n == "i") { "j" } else { "i" };
    let element = names.pop().unwrap_or_default();
    let body = terms::term(&c.body).map(|body| format!("`{body}`"));
    let body = body.and_then(|body| about(&body, &[(&element, &format!("{a}[{index}]"))]));
    names.push(index.into());
    format!("|{}| {}", names.join(", "), body.as_deref().unwrap_or("…").trim_matches('`'))
}

/// Whether the first of two functions of a `reduce` is that of the index.
fn is_term(f: &Expr, g: &Expr) -> bool {
    let [Some(f), Some(g)] = [closure(f), closure(g)] else { return false };
    match (f.params.len(), g.params.len()) {
        (2, 2) => indexed(f).is_some() && indexed(g).is_none(),
        (_, own) => own == 2,
    }
}

/// Whether a value cannot be a count.
fn is_no_count(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Decimal(_) | ExprKind::Tuple(_) | ExprKind::Repeat(..) | ExprKind::Unary("neg", _) => true,
        ExprKind::Lit(l, _) => !matches!(l, Lit::Int(..)),
        _ => false,
    }
}

/// The array that a closure reads at its first parameter.
fn indexed(c: &Closure) -> Option<String> {
    fn find(e: &Expr, i: &str) -> Option<String> {
        let is_index = |k: &Expr| matches!(&k.kind, ExprKind::Path(p) if p.get_ident().is_some_and(|k| plain(k) == i));
        match &e.kind {
            ExprKind::Index(a, k) if is_index(k) && terms::root(a).is_some() => terms::receiver(a),
            _ => e.children().into_iter().find_map(|c| if let Child::Expr(e) = c { find(e, i) } else { None }),
        }
    }
    let Some(Pattern::Name(Some(i), ..)) = c.params.first() else { return None };
    find(&c.body, &plain(i))
}

/// The reduction that a function of two values has a name for.
fn monoid(c: &Closure) -> Option<&'static str> {
    if let Some(f) = &c.of {
        return ["min", "max"].into_iter().find(|m| f.rsplit("::").next() == Some(m));
    }
    let [Pattern::Name(Some(x), ..), Pattern::Name(Some(y), ..)] = &c.params[..] else { return None };
    let both = |a: &Expr, b: &Expr| {
        let [a, b] = [terms::term(a), terms::term(b)];
        let own = [Some(plain(x)), Some(plain(y))];
        own == [a.clone(), b.clone()] || own == [b, a]
    };
    match &c.body.kind {
        ExprKind::Binary("+", a, b) if both(a, b) => Some("sum"),
        ExprKind::Binary("*", a, b) if both(a, b) => Some("prod"),
        ExprKind::Method(a, m, args) if args.len() == 1 && both(a, &args[0]) => {
            ["min", "max"].into_iter().find(|own| m == own)
        }
        _ => None,
    }
}

/// An argument as it is written, as far as its text is known.
fn text(e: &Expr) -> String {
    match (terms::term(e), closure(e)) {
        (Some(text), _) => text,
        (None, Some(Closure { of: Some(f), .. })) => f.clone(),
        (None, Some(c)) => {
            let names = c.params.iter().map(terms::parameter).all_some();
            format!("|{}| …", names.map_or("…".into(), |names| names.join(", ")))
        }
        (None, None) => "…".into(),
    }
}
