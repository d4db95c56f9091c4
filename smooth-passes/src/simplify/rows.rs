//! Updates of rows, element by element.
//!
//! ```text
//! a with [ī] = v  ⟶  let k̄ = ī in let r = v in ifold n (λ s j. s with [k̄, j] = r[j]) a        r has n elements
//! a with [ī] = build n (λj. e)
//!                 ⟶  let k̄ = ī in ifold n (λ s j. s with [k̄, j] = e[s/a]) a
//! ```
//!
//! and again for the rows of `r`, if it has any. The second needs no row: `e` reads `a` under `j` as last index only,
//! and such an element is written in iteration `j` or not at all.

use crate::analysis::terms::trivial;
use crate::fsmooth::{Build, Callee, Expr, Kernel, Kind, Update, build, take};
use crate::name::{Names, VarId};
use crate::ty::Type;

/// Writes every row by its elements. Returns whether there was one.
pub(crate) fn apply(kernel: &mut Kernel) -> bool {
    let (names, callees, mut any) = (&mut kernel.names, &kernel.interface.callees, false);
    kernel.body.each_mut(&mut |e| any |= by_elements(e, names, callees));
    any
}

fn by_elements(e: &mut Expr, names: &mut Names, callees: &[Callee]) -> bool {
    let o = e.origin;
    let Kind::Update(Update { array, indices, value, .. }) = &mut e.kind else { return false };
    if !value.ty.is_array() || changed_row(array, indices, value, callees).is_some() {
        return false;
    }
    let (array, indices, value) = (take(array), std::mem::take(indices), take(value));
    let (mut lets, mut place) = (Vec::new(), Vec::new());
    for i in indices {
        let k = names.fresh("at");
        place.push(build::var(k, Type::USIZE, o));
        lets.push((k, i));
    }
    let (s, j) = (names.fresh("state"), names.fresh("j"));
    let (state, index) = (build::var(s, array.ty.clone(), o), build::var(j, Type::USIZE, o));
    place.push(index.clone());
    let (count, element) = match pointwise(&array, &value, s, j) {
        Some(parts) => parts,
        None => {
            let r = names.fresh("row");
            let row = build::var(r, value.ty.clone(), o);
            lets.push((r, value));
            (build::len(row.clone(), 0, o), build::get(row, index, o))
        }
    };
    let mut step = build::update(state, place, None, element, o);
    by_elements(&mut step, names, callees);
    let fold = build::ifold(count, array, (s, j), step, o);
    *e = lets.into_iter().rev().fold(fold, |body, (x, a)| build::bind(x, a, body, o));
    true
}

/// `a with [ī] = k … a[ī] …`: the argument that is the row, which the callee changes in place. `None` if a second
/// argument is a part of the array.
pub(crate) fn changed_row(array: &Expr, indices: &[Expr], value: &Expr, callees: &[Callee]) -> Option<usize> {
    let (Kind::Var(a), Kind::Call(callee, args)) = (array.kind(), value.kind()) else { return None };
    let is_row = |e: &Expr| {
        let mut base = e;
        for i in indices.iter().rev() {
            match base.kind() {
                Kind::Get(of, j) if **j == *i => base = of,
                _ => return false,
            }
        }
        base == array
    };
    let mut parts = args.iter().enumerate().filter(|(_, e)| e.ty.is_array() && e.mentions(*a));
    let (k, row) = parts.next()?;
    (parts.next().is_none() && callees[*callee].params[k].in_out && is_row(row)).then_some(k)
}

/// A row's length and its element `j`, computed from the state `s` instead of the array. `None` if it reads elements of
/// the array other than those at `j`.
fn pointwise(array: &Expr, row: &Expr, s: VarId, j: VarId) -> Option<(Expr, Expr)> {
    let Kind::Var(a) = array.kind() else { return None };
    let o = row.origin;
    let (count, mut element) = match row.kind() {
        _ if row.ty.rank() > 1 => return None,
        Kind::Build(Build { count, index, body }) if !count.mentions(*a) => {
            let mut element = (**body).clone();
            element.replace(*index, &mut || build::var(j, Type::USIZE, o));
            ((**count).clone(), element)
        }
        Kind::Get(of, i) if trivial(i) && matches!(of.kind(), Kind::Var(v) if v == a) => {
            (build::len(row.clone(), 0, o), build::get(row.clone(), build::var(j, Type::USIZE, o), o))
        }
        _ => return None,
    };
    let reads_at_j = only_at(&element, *a, array.ty.rank(), j);
    reads_at_j.then(|| {
        let ty = array.ty.clone();
        element.replace(*a, &mut || build::var(s, ty.clone(), o));
        (count, element)
    })
}

/// Whether a term reads nothing of `a` but single elements whose last index is `j`.
fn only_at(e: &Expr, a: VarId, rank: usize, j: VarId) -> bool {
    let (mut base, mut indices) = (e, Vec::new());
    while let Kind::Get(of, i) = base.kind() {
        indices.push(&**i);
        base = of;
    }
    match base.kind() {
        Kind::Var(v) if *v == a => {
            let last = indices.first().is_some_and(|i| matches!(i.kind(), Kind::Var(v) if *v == j));
            last && indices.len() == rank && indices.iter().all(|i| !i.mentions(a))
        }
        _ => e.all_children(&mut |c| only_at(c, a, rank, j)),
    }
}
