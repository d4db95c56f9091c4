//! Calls of built-in functions that are written in another way, and the call that is meant, as text.
//!
//! ```text
//! reduce(n, |i| a[i], 0.0, |x, y| x + y)     reduce(n, 0.0, |x, y| x + y, |i| a[i])
//! reduce(n, |x, y| x + y, |i| a[i])          sum(n, |i| a[i])
//! max(h, w, |i, j| m[i][j])                  max([h, w], |i, j| m[i][j])
//! max(|i| a[i]), max(a)                      max(a.len(), |i| a[i])
//! max(x, y)                                  x.max(y)
//! ```

use super::builtins::{functions, has_axes};
use super::{Child, Closure, Expr, ExprKind, Pattern, plain, terms};
use crate::mapped::Mapped;
use crate::value::Lit;
use proc_macro2::Ident;

/// The call that is meant by one of `name` with these arguments; none where they are in their places, or nobody knows.
/// `is_number` knows the variables that are numbers.
pub fn meant(name: &str, args: &[Expr], is_number: &dyn Fn(&Ident) -> bool) -> Option<String> {
    let (closures, values): (Vec<&Expr>, Vec<&Expr>) = args.iter().partition(|a| closure(a).is_some());
    match (&closures[..], &values[..]) {
        ([], [x, y]) if ["min", "max"].contains(&name) => {
            return Some(format!("{}.{name}({})", terms::receiver(x)?, terms::term(y)?));
        }
        ([], [a]) if has_axes(name) && name != "build" && terms::root(a).is_some() => {
            let number = matches!(&a.kind, ExprKind::Path(p) if p.get_ident().is_some_and(is_number));
            let a = terms::receiver(a).filter(|_| !number)?;
            return Some(format!("{name}({a}.len(), |i| {a}[i])"));
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
        [n] => text(n),
        [] => format!("{}.len()", indexed(closure(term)?)?),
        _ if has_axes(name) && counts.len() == axes => format!("[{}]", counts.iter().mapped(|n| text(n)).join(", ")),
        _ => return None,
    };
    let order: Vec<&Expr> = start.into_iter().chain(combine).chain([term]).collect();
    if values.len() == 1 + starts && args[1..].iter().zip(&order).all(|(a, b)| a.id == b.id) {
        return None;
    }
    let others = order.into_iter().mapped(text);
    Some(format!("{name}({counts}, {})", others.join(", ")))
}

fn closure(e: &Expr) -> Option<&Closure> {
    if let ExprKind::Closure(c) = &e.kind { Some(c) } else { None }
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
            let names = c.params.iter().map(terms::parameter).collect::<Option<Vec<_>>>();
            format!("|{}| …", names.map_or("…".into(), |names| names.join(", ")))
        }
        (None, None) => "…".into(),
    }
}
