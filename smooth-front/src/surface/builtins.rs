//! The built-in functions of the language: their names, and which calls mean them.

use super::{Expr, ExprKind, function_like, plain};
use proc_macro2::Ident;

/// The built-in functions whose names belong to the language.
const RESERVED: &[&str] = &["build", "ifold", "sum", "stop_gradient"];

/// The built-in functions that make one value of many, over one axis or several.
const REDUCTIONS: &[&str] = &["sum", "prod", "min", "max", "any", "all", "count", "argmin", "argmax", "reduce"];

/// The other built-in functions, and how many arguments each takes.
const NAMED: &[(&str, usize)] = &[
    ("prod", 2),
    ("min", 2),
    ("max", 2),
    ("any", 2),
    ("all", 2),
    ("count", 2),
    ("argmin", 2),
    ("argmax", 2),
    ("reduce", 4),
    ("scan", 3),
    ("scan_exclusive", 3),
];

/// The built-in function that a call of a name that is not bound means. A name that is not reserved means one only if
/// the call has the right number of arguments and its last argument is a function: a user's `max(x, y)` stays
/// theirs. `is_function` answers for the names of variables.
pub fn builtin(path: &syn::Path, args: &[Expr], is_function: impl Fn(&Ident) -> Option<bool>) -> Option<String> {
    let name = plain(path.get_ident()?);
    let function = |e: &Expr| match &e.kind {
        ExprKind::Closure(_) => true,
        ExprKind::Path(p) => match p.get_ident().and_then(&is_function) {
            Some(bound) => bound,
            None => function_like(p),
        },
        _ => false,
    };
    let named = || NAMED.contains(&(name.as_str(), args.len())) && args.last().is_some_and(function);
    (is_reserved(path) || named()).then_some(name)
}

/// Whether a path is a name that always means a built-in function.
pub fn is_reserved(path: &syn::Path) -> bool {
    path.get_ident().is_some_and(|i| RESERVED.contains(&plain(i).as_str()))
}

/// The names of the built-in functions.
pub fn builtins() -> impl Iterator<Item = &'static str> {
    RESERVED.iter().copied().chain(NAMED.iter().map(|(name, _)| *name))
}

/// Whether a name is that of a built-in function.
pub fn is_builtin(name: &str) -> bool {
    RESERVED.contains(&name) || NAMED.iter().any(|(own, _)| *own == name)
}

/// The number of arguments of a built-in function.
pub fn arity(name: &str) -> usize {
    let reserved = match name {
        "ifold" => 3,
        "stop_gradient" => 1,
        _ => 2,
    };
    NAMED.iter().find(|(own, _)| *own == name).map_or(reserved, |(_, n)| *n)
}

/// A call of a built-in function as it is written.
pub fn usage(name: &str) -> Option<&'static str> {
    Some(match name {
        "build" => "build(n, |i| …)",
        "ifold" => "ifold(n, start, |state, i| …)",
        "sum" => "sum(n, |i| …)",
        "prod" => "prod(n, |i| …)",
        "min" => "min(n, |i| …)",
        "max" => "max(n, |i| …)",
        "any" => "any(n, |i| …)",
        "all" => "all(n, |i| …)",
        "count" => "count(n, |i| …)",
        "argmin" => "argmin(n, |i| …)",
        "argmax" => "argmax(n, |i| …)",
        "stop_gradient" => "stop_gradient(x)",
        "reduce" => "reduce(n, neutral, |a, b| …, |i| …)",
        "scan" => "scan(n, start, |state, i| …)",
        "scan_exclusive" => "scan_exclusive(n, start, |state, i| …)",
        "swap" => "a.swap(i, j)",
        "fill" => "a.fill(x)",
        "copy_from_slice" => "a.copy_from_slice(&b)",
        _ => return None,
    })
}

/// The counts of a `build` or of a reduction, one for each axis.
pub fn axes(counts: &Expr) -> &[Expr] {
    match &counts.kind {
        ExprKind::Array(ns) if !ns.is_empty() => ns,
        _ => std::slice::from_ref(counts),
    }
}

/// Whether a built-in function takes several axes.
pub fn has_axes(builtin: &str) -> bool {
    builtin == "build" || REDUCTIONS.contains(&builtin)
}

/// A call of a built-in function as it is written, with its counts and indices.
pub fn usage_over(name: &str, counts: &[String], indices: &[String]) -> String {
    let counts = if let [n] = counts { n.clone() } else { format!("[{}]", counts.join(", ")) };
    let usage = usage(name).unwrap_or_default().replacen("(n,", &format!("({counts},"), 1);
    usage.replacen("|i|", &format!("|{}|", indices.join(", ")), 1)
}

/// Whether a method assigns to the array that it is called on.
pub fn assigns_to_its_receiver(method: &Ident) -> bool {
    ["swap", "fill", "copy_from_slice"].iter().any(|name| method == name)
}

/// The number of functions that a built-in function takes, as its last arguments.
pub fn functions(builtin: &str) -> usize {
    match builtin {
        "reduce" => 2,
        "stop_gradient" => 0,
        _ => 1,
    }
}

/// Whether a path cannot lead to a kernel: it is of the standard library, or is an associated function, which has the name
/// of a type before its own, by Rust's naming convention; or a constructor of the prelude.
pub fn never_a_kernel(path: &syn::Path) -> bool {
    let first = path.segments.first().map(|s| &s.ident);
    let of_std = path.segments.len() > 1 && first.is_some_and(|i| i == "std" || i == "core");
    let of_type =
        path.segments.iter().rev().nth(1).is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase));
    of_std || of_type || ["Some", "Ok", "Err"].iter().any(|c| path.is_ident(c))
}
