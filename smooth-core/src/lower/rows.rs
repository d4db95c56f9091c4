//! Updates of rows, element by element.
//!
//! ```text
//! a with [ī] = v  ⟶  let k̄ = ī in let r = v in ifold n (λ s j. s with [k̄, j] = r[j]) a        r has n elements
//! ```
//!
//! and again for the rows of `r`, where it has any.

use crate::fsmooth::{Expr, Kind, Update, build, take};
use crate::name::Names;
use crate::ty::Type;

/// The same value, by updates of single elements alone.
pub(super) fn by_elements(e: &mut Expr, names: &mut Names) {
    let o = e.origin;
    let Kind::Update(Update { array, indices, value, .. }) = &mut e.kind else { return };
    if !value.ty.is_array() {
        return;
    }
    let (array, indices, value) = (take(array), std::mem::take(indices), take(value));
    let mut lets = Vec::new();
    let mut place = Vec::new();
    for i in indices {
        let k = names.fresh("at");
        place.push(build::var(k, Type::USIZE, o));
        lets.push((k, i));
    }
    let r = names.fresh("row");
    let row = build::var(r, value.ty.clone(), o);
    lets.push((r, value));
    let (s, j) = (names.fresh("state"), names.fresh("j"));
    let state = build::var(s, array.ty.clone(), o);
    let index = build::var(j, Type::USIZE, o);
    let element = build::get(row.clone(), index.clone(), o);
    place.push(index);
    let mut step = build::update(state, place, None, element, o);
    by_elements(&mut step, names);
    let fold = build::ifold(build::len(row, 0, o), array, s, j, step, o);
    *e = lets.into_iter().rev().fold(fold, |body, (x, a)| build::bind(x, a, body, o));
}
