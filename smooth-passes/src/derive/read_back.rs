//! Elements that are read where they were written.
//!
//! ```text
//! let b = a with [ī] = e in … b[ī] …   ⟶   let v = e in let b = a with [ī] = v in … v …
//! ```
//!
//! A step back that reads such an element does not need the array, which a loop would have to remember.

use crate::fsmooth::{Expr, Kind, Update, build, take};
use crate::name::{Names, VarId};

/// The body of a kernel without such reads.
pub(super) fn read_back(e: &mut Expr, names: &mut Names) {
    e.each_child_mut(&mut |e| read_back(e, names));
    let o = e.origin;
    let Kind::Let(b, value, body) = &mut e.kind else { return };
    let Kind::Update(Update { indices, op: None, value: own, .. }) = &mut value.kind else { return };
    if !has_element(body, *b, indices) {
        return;
    }
    let v = names.fresh("written");
    let (ty, at) = (own.ty.clone(), indices.clone());
    body.each_mut(&mut |e| {
        if is_element(e, *b, &at) {
            *e = build::var(v, ty.clone(), e.origin);
        }
    });
    let name = build::var(v, ty, o);
    let own = std::mem::replace(&mut **own, name);
    *e = build::bind(v, own, take(e), o);
}

fn has_element(e: &Expr, of: VarId, at: &[Expr]) -> bool {
    is_element(e, of, at) || e.any_child(&mut |e| has_element(e, of, at))
}

/// Whether a term is the element of an array at a place.
fn is_element(e: &Expr, of: VarId, at: &[Expr]) -> bool {
    match (&e.kind, at.split_last()) {
        (Kind::Var(v), None) => *v == of,
        (Kind::Get(a, i), Some((last, first))) => **i == *last && is_element(a, of, first),
        _ => false,
    }
}
