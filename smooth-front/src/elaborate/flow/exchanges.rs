//! Ways out for exchanges that are written as methods that kernels do not have.

use crate::mapped::Mapped;
use crate::surface::{Expr as Surface, ExprKind, terms};

/// The loop that `a.swap_with_slice(&mut b)` means.
pub(crate) fn of_slices(a: &Surface, args: &[Surface]) -> String {
    let way = if let [b] = args { element_by_element(a, b) } else { None };
    way.unwrap_or_else(|| "for i in 0..a.len() { (a[i], b[i]) = (b[i], a[i]); }".into())
}

/// The exchange of two places, `(a, b) = (b, a)`.
pub(crate) fn of_places(a: &Surface, b: &Surface) -> Option<String> {
    let [a, b] = [place(a)?, place(b)?];
    Some(format!("({a}, {b}) = ({b}, {a})"))
}

/// The exchange that `m.swap((i, j), (k, l))` means.
pub(crate) fn of_tuples(m: &Surface, indices: [&Surface; 2]) -> Option<String> {
    let m = terms::receiver(m)?;
    let [a, b] = indices.map(|i| match &i.kind {
        ExprKind::Tuple(parts) | ExprKind::Array(parts) if parts.len() > 1 => {
            let parts = parts.iter().map(terms::term).all_some()?;
            Some(format!("{m}{}", parts.into_iter().mapped(|i| format!("[{i}]")).concat()))
        }
        _ => None,
    });
    let (a, b) = (a?, b?);
    Some(format!("({a}, {b}) = ({b}, {a})"))
}

/// The text of a place, without `&mut`.
fn place(e: &Surface) -> Option<String> {
    match &e.kind {
        ExprKind::Borrow(a) | ExprKind::Same(a) => place(a),
        _ => terms::root(e).and_then(|_| terms::receiver(e)),
    }
}

/// The exchange of two arrays or slices in a loop.
fn element_by_element(a: &Surface, b: &Surface) -> Option<String> {
    let (length, x) = slice(a)?;
    let (_, y) = slice(b)?;
    Some(format!("for i in 0..{length} {{ ({x}, {y}) = ({y}, {x}); }}"))
}

/// The length of an array or a slice, and its element `i`.
fn slice(e: &Surface) -> Option<(String, String)> {
    match &e.kind {
        ExprKind::Borrow(a) | ExprKind::Same(a) => slice(a),
        ExprKind::Slice(a, start, end) => {
            let a = place(a)?;
            let end = end.as_ref().map_or(Some(format!("{a}.len()")), |e| terms::in_place(e, "-"))?;
            match start.as_ref().filter(|s| terms::term(s).is_none_or(|s| s != "0")) {
                Some(s) => {
                    let (first, from) = (terms::in_place(s, "+")?, terms::receiver(s)?);
                    Some((format!("{end} - {from}"), format!("{a}[{first} + i]")))
                }
                None => Some((end, format!("{a}[i]"))),
            }
        }
        _ => {
            let a = place(e)?;
            Some((format!("{a}.len()"), format!("{a}[i]")))
        }
    }
}
