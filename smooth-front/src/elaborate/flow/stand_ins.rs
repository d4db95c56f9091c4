//! Names that stand for a value where Rust, or the reader, means a place: `let b = a;` of a mutable reference, `let row = m[i];`,
//! `for x in a.iter()`, and sizes. What is assigned to them changes nothing else, so their ways out are other ones.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Scope};
use crate::surface::{Expr as Surface, ExprKind, For, Pattern, Source, path_key, plain, terms};
use crate::ty::Type;
use proc_macro2::Ident;

/// Looks at `let p = e;`: rejects a changeable copy of a mutable reference, which Rust moves, so that a change of `b` in
/// `let mut b = a;` is one of `a`. Notes the other names that stand for values of places.
pub(crate) fn note_let(cx: &mut Cx, p: &Pattern, e: &Surface, scope: &Scope) -> Option<()> {
    let (b, mutable) = match (p, &e.kind) {
        (Pattern::Tuple(ps, _), ExprKind::Tuple(es)) if ps.len() == es.len() => {
            let mut complete = true;
            for (p, e) in ps.iter().zip(es) {
                complete &= note_let(cx, p, e, scope).is_some();
            }
            return complete.then_some(());
        }
        (Pattern::Name(Some(i), _, _, mutable), _) => (plain(i), *mutable),
        (p, _) => {
            p.names().into_iter().for_each(|i| note_value(cx, i, None));
            return Some(());
        }
    };
    let behind =
        if let ExprKind::Path(p) = &e.kind { p.get_ident().and_then(|i| reference_to(cx, i, scope)) } else { None };
    let way = match (behind, terms::root(inner(e)), terms::term(inner(e))) {
        (Some(ty), Some(a), _) if mutable => {
            let copy = if ty.is_array() { format!("{a}.clone()") } else { format!("*{a}") };
            let message = format!("`{a}` is a mutable reference, and `{b}` would be a copy of what is behind it");
            let help = format!(
                "write `let {b} = &mut *{a};` to change `{a}` through `{b}`, and `let mut {b} = {copy};` for a copy"
            );
            cx.helped(&codes::STATE, e.at, message, &help);
            return None;
        }
        (Some(_), Some(a), _) => {
            Some(format!("write `let {b} = &mut *{a};`: without `&mut` it stands for the value behind `{a}`"))
        }
        (_, Some(a), Some(place)) if is_part(inner(e)) && can_change(inner(e), scope) => {
            let place = place.trim_start_matches('&');
            Some(format!(
                "write `let {b} = &mut {place};` to change `{a}` itself, and declare it as `mut {b}` to change a copy"
            ))
        }
        _ => None,
    };
    p.names().into_iter().for_each(|i| note_value(cx, i, way.clone()));
    Some(())
}

/// Notes the elements of a loop over an array that can be changed.
pub(crate) fn note_items(cx: &mut Cx, f: &For, scope: &Scope) {
    for (p, source) in f.items.parts(&f.pattern) {
        let way = match source {
            Some(Source::Elements { array, mutable: false }) => way_to_items(cx, array, scope),
            _ => None,
        };
        p.names().into_iter().for_each(|i| note_value(cx, i, way.clone()));
    }
}

fn way_to_items(cx: &Cx, array: &Surface, scope: &Scope) -> Option<String> {
    let a = terms::receiver(array)?;
    if let ExprKind::Path(p) = &array.kind
        && let Some(way) = way_to_assign(cx, &path_key(p))
    {
        return Some(way);
    }
    let way = format!("loop over `{a}.iter_mut()` to change the elements of `{a}`; declared as `mut`, it is a copy");
    can_change(array, scope).then_some(way)
}

/// Notes the way out where a name is assigned.
pub(crate) fn note_value(cx: &mut Cx, i: &Ident, way: Option<String>) {
    let name = plain(i);
    if way.is_some() || cx.flow.stand_ins.iter().any(|(own, _)| *own == name) {
        cx.flow.stand_ins.push((name, way));
    }
}

/// The way out where this name is assigned, if it stands for the value of a place.
pub(crate) fn way_to_assign(cx: &Cx, name: &str) -> Option<String> {
    cx.flow.stand_ins.iter().rev().find(|(own, _)| own == name)?.1.clone()
}

/// The type of what is behind a name, if it is a mutable reference.
fn reference_to(cx: &Cx, i: &Ident, scope: &Scope) -> Option<Type> {
    match scope.lookup(i)? {
        Binding::Mutable(m) if cx.flow.mutables[m.0].lent => cx.flow.type_of(m),
        Binding::Part(p) => Some(p.ty.clone()),
        _ => None,
    }
}

/// Whether a place is a part of a variable that is assigned.
fn can_change(place: &Surface, scope: &Scope) -> bool {
    match &place.kind {
        ExprKind::Path(p) => {
            let found = p.get_ident().and_then(|i| scope.lookup(i));
            matches!(found, Some(Binding::Mutable(_) | Binding::Part(_)))
        }
        ExprKind::Index(a, _) | ExprKind::Slice(a, ..) | ExprKind::Field(a, _) | ExprKind::Same(a) => {
            can_change(a, scope)
        }
        _ => false,
    }
}

/// A term without `&`, `*` and `.clone()`.
fn inner(e: &Surface) -> &Surface {
    if let ExprKind::Same(a) = &e.kind { inner(a) } else { e }
}

fn is_part(e: &Surface) -> bool {
    matches!(e.kind, ExprKind::Index(..) | ExprKind::Slice(..))
}
