//! Terms as lengths of parameters, `&[f64; n + 1]`: what to write instead.

use crate::elaborate::interface::signature::Lengths;
use crate::mapped::Mapped;
use crate::surface::{Expr, ExprKind, TypeExpr, TypeKind, path_key, plain};
use crate::value::Lit;

/// A name or a number, as it is written.
fn shown(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Path(p) => p.get_ident().map(plain),
        ExprKind::Lit(Lit::Int(n, _), _) => Some(n.to_string()),
        _ => None,
    }
}

/// The way out for an array whose length is a term.
pub(crate) fn way_out(t: &TypeExpr, length: &ExprKind, lengths: &Lengths) -> String {
    let known: Vec<String> = lengths.sizes.iter().chain(&lengths.values).map(|(i, _)| plain(i)).collect_vec();
    let free = |name: &&str| !known.iter().any(|k| k == name) && !mentions(length, name);
    let m = ["m", "k", "l", "p", "q", "len"].into_iter().find(free).unwrap_or("length");
    let own = format!("give the length a name of its own, as in `{}`", array(t, m));
    match length {
        ExprKind::Decimal(_) => "write a whole number or a name, as in `&[f64; n]`".into(),
        ExprKind::Tuple(parts) => match parts.iter().map(shown).all_some() {
            Some(names) if !names.is_empty() => format!("write an array of rows, `&{}`", nested(t, &names)),
            _ => own,
        },
        ExprKind::Binary(op, a, b) => match (shown(a), shown(b)) {
            (Some(a), Some(b)) => match named(op, &a, &b) {
                Some((n, _)) if known.contains(&n) => format!("{own}: `{n}` is a size of its own"),
                Some((n, term)) => {
                    format!("{own}, and compute with it in the body, as in `let {n} = {};`", term.replace('_', m))
                }
                None if *op == "*" => format!("write an array of rows, `&{}`, or {own}", nested(t, &[a, b])),
                None => own,
            },
            _ => own,
        },
        ExprKind::Call(f, _) => match &f.kind {
            ExprKind::Path(p) => format!(
                "give the value of a `const fn` a name outside the kernel, as in `const N: usize = {}(…);`, and write `{}`",
                path_key(p),
                array(t, "N")
            ),
            _ => own,
        },
        _ => own,
    }
}

/// The name in a term of a name and a number, and how it follows from the value `_` of the term.
fn named(op: &str, a: &str, b: &str) -> Option<(String, String)> {
    let number = |t: &str| t.parse::<u64>().is_ok();
    let (n, k) = match (number(a), number(b)) {
        (false, true) => (a, b),
        (true, false) if op == "+" || op == "*" => (b, a),
        _ => return None,
    };
    let inverse = match op {
        "+" => "-",
        "-" => "+",
        "*" => "/",
        _ => return None,
    };
    Some((n.to_string(), format!("_ {inverse} {k}")))
}

fn mentions(e: &ExprKind, name: &str) -> bool {
    match e {
        ExprKind::Path(p) => p.is_ident(name),
        ExprKind::Binary(_, a, b) => mentions(&a.kind, name) || mentions(&b.kind, name),
        ExprKind::Tuple(ts) => ts.iter().any(|t| mentions(&t.kind, name)),
        _ => false,
    }
}

/// The type of an array with this length, as a parameter.
fn array(t: &TypeExpr, length: &str) -> String {
    format!("&{}", nested(t, &[length.to_string()]))
}

/// The type of an array with these lengths, outermost first, instead of its own.
fn nested(t: &TypeExpr, lengths: &[String]) -> String {
    let TypeKind::Array(elem, _) = &t.kind else { return "[f64; n]".into() };
    lengths.iter().rev().fold(element(elem), |t, n| format!("[{t}; {n}]"))
}

/// The type of elements, as it is written.
fn element(t: &TypeExpr) -> String {
    match &t.kind {
        TypeKind::Scalar(s) => s.name().to_string(),
        TypeKind::Array(elem, len) => match len.as_ref().and_then(shown) {
            Some(n) => format!("[{}; {n}]", element(elem)),
            None => format!("[{}]", element(elem)),
        },
        TypeKind::Tuple(ts) => format!("({})", ts.iter().map(element).collect_vec().join(", ")),
        TypeKind::Fn(..) => "…".into(),
    }
}
