//! The ways out for `.fold(init, f)` and `.reduce(f)`.

use super::closures::{combines, parameter};
use super::ends::Ended;
use super::{atom, text};
use crate::mapped::Both;

/// A fold is a reduction where its function is one of those that have a name, and otherwise an `ifold`.
pub(super) fn fold(e: &Ended, init: &syn::Expr, f: &syn::Expr) -> Option<String> {
    let start = text(init);
    if let Some(with) = combines(f) {
        let value = e.reduced(with, &e.item);
        return Some(e.help(&match with {
            _ if is_neutral(with, &start) => value,
            "sum" => format!("({} + {value})", atom(&start)),
            "prod" => format!("({} * {value})", atom(&start)),
            _ => format!("{value}.{with}({start})"),
        }));
    }
    if !e.run.outer.is_empty() {
        return None;
    }
    let state = parameter(f, 0).unwrap_or_else(|| "state".into());
    let next = if e.run.filtered { format!("if … {{ … }} else {{ {state} }}") } else { "…".into() };
    Some(e.help(&format!("ifold({}, {start}, |{state}, {}| {next})", e.run.count, e.i)))
}

/// Whether a value changes nothing in a reduction.
fn is_neutral(with: &str, value: &str) -> bool {
    let number = value.trim_end_matches("f64").trim_end_matches("f32").trim_end_matches('_').parse::<f64>();
    match with {
        "sum" => number == Ok(0.0),
        "prod" => number == Ok(1.0),
        "min" => value.ends_with("::INFINITY") || value.ends_with("::MAX"),
        _ => value.ends_with("::NEG_INFINITY") || value.ends_with("::MIN"),
    }
}

/// A function without a neutral value begins with the first item.
pub(super) fn reduce(e: &Ended, f: &syn::Expr) -> Option<String> {
    match combines(f) {
        Some(with @ ("min" | "max")) => Some(e.extreme(with, &e.item)),
        Some(with) => Some(e.help(&e.reduced(with, &e.item))),
        None if e.run.outer.is_empty() && !e.run.filtered => {
            let params = [0, 1].both(|k| parameter(f, k).unwrap_or_else(|| ["a", "b"][k].into()));
            let (first, next) = ((e.run.item)("0"), (e.run.item)(&format!("{} + 1", e.i)));
            let n = atom(&e.run.count);
            Some(format!(
                "write `ifold({n} - 1, {first}, |{}, {}| …)`, where `{}` is `{next}`",
                params[0], e.i, params[1]
            ))
        }
        None => None,
    }
}
