//! Arrays of tuples: an array of tuples is the tuple of its columns.
//!
//! ```text
//! [(a, b), (c, d)]  =  ([a, c], [b, d])
//! (x, y)[i]         =  (x[i], y[i])
//! slice (x, y) s t  =  (slice x s t, slice y s t)
//! length (x, y)     =  length x
//! (x, y) with [i] = (a, b)  =  (x with [i] = a, y with [i] = b)
//! ```

use super::{Expr, Kind, Update, build, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::span::Origin;
use crate::ty::Type;

/// `[ē]`, where the elements may be tuples.
pub fn literal(es: Vec<Expr>, names: &mut Names, o: Origin) -> Expr {
    if !matches!(es[0].ty, Type::Tuple(_)) {
        return build::array(es, o);
    }
    let (mut lets, mut parts) = (Vec::new(), Vec::new());
    for e in es {
        parts.push(named(e, names, "element", &mut lets));
    }
    let columns = columns(&parts, o);
    land(lets, columns)
}

/// The columns of an array with these elements, which are names of tuples or of parts of them.
fn columns(es: &[Expr], o: Origin) -> Expr {
    let Type::Tuple(ts) = &es[0].ty else { return build::array(es.to_vec(), o) };
    let column = |k: usize| columns(&es.iter().mapped(|e| part(e, k, o)), o);
    build::tuple((0..ts.len()).mapped(column), o)
}

/// An element, a slice or the length of a tuple of arrays, in terms of the arrays. Returns whether `e` was one.
pub fn spread(e: &mut Expr, names: &mut Names) -> bool {
    let o = e.origin;
    let mut lets = Vec::new();
    let spread = match &mut e.kind {
        Kind::Get(a, i) if matches!(a.ty, Type::Tuple(_)) => {
            let a = named(take(a), names, "array", &mut lets);
            let i = named(take(i), names, "i", &mut lets);
            of_columns(&a, o, &|a| build::get(a, i.clone(), o))
        }
        Kind::Slice(a, s, t) if matches!(a.ty, Type::Tuple(_)) => {
            let a = named(take(a), names, "array", &mut lets);
            let s = named(take(s), names, "start", &mut lets);
            let t = named(take(t), names, "end", &mut lets);
            of_columns(&a, o, &|a| build::slice(a, s.clone(), t.clone(), o))
        }
        Kind::Len(a, axis) if matches!(a.ty, Type::Tuple(_)) => {
            let (axis, mut a) = (*axis, named(take(a), names, "array", &mut lets));
            while matches!(a.ty, Type::Tuple(_)) {
                a = part(&a, 0, o);
            }
            build::len(a, axis, o)
        }
        _ => return false,
    };
    *e = land(lets, spread);
    true
}

/// An update of a tuple of arrays, in terms of the arrays. Its value gets a name first, since it may read them.
pub fn spread_update(e: &mut Expr, names: &mut Names) {
    let o = e.origin;
    let Kind::Update(Update { array, indices, value, .. }) = &mut e.kind else { return };
    if !matches!(array.ty, Type::Tuple(_)) {
        return;
    }
    let mut lets = Vec::new();
    let a = named(take(array), names, "array", &mut lets);
    let indices: Vec<Expr> = indices.iter_mut().mapped(|i| named(take(i), names, "i", &mut lets));
    let v = named(take(value), names, "value", &mut lets);
    let updated = updates(&a, &indices, &v, o);
    *e = land(lets, updated);
}

fn updates(a: &Expr, indices: &[Expr], v: &Expr, o: Origin) -> Expr {
    match &a.ty {
        Type::Tuple(ts) => {
            let column = |k: usize| updates(&part(a, k, o), indices, &part(v, k, o), o);
            build::tuple((0..ts.len()).mapped(column), o)
        }
        _ => build::update(a.clone(), indices.to_vec(), None, v.clone(), o),
    }
}

fn of_columns(a: &Expr, o: Origin, f: &dyn Fn(Expr) -> Expr) -> Expr {
    match &a.ty {
        Type::Tuple(ts) => build::tuple((0..ts.len()).mapped(|k| of_columns(&part(a, k, o), o, f)), o),
        _ => f(a.clone()),
    }
}

/// `e.k`, where `e` is a name or a tuple of names.
fn part(e: &Expr, k: usize, o: Origin) -> Expr {
    match &e.kind {
        Kind::Tuple(es) => es[k].clone(),
        _ => build::proj(e.clone(), k, o),
    }
}

/// A term that may be repeated: a name, or a tuple of names. Every other part of `e` gets a name in `lets`.
fn named(e: Expr, names: &mut Names, hint: &str, lets: &mut Vec<(VarId, Expr)>) -> Expr {
    let is_name = |mut e: &Expr| {
        while let Kind::Proj(a, _) = &e.kind {
            e = a;
        }
        matches!(e.kind, Kind::Var(_) | Kind::Lit(_))
    };
    match e.kind {
        Kind::Tuple(es) => build::tuple(es.into_iter().mapped(|e| named(e, names, hint, lets)), e.origin),
        _ if is_name(&e) => e,
        _ => {
            let (x, ty, o) = (names.fresh(hint), e.ty.clone(), e.origin);
            lets.push((x, e));
            build::var(x, ty, o)
        }
    }
}

fn land(lets: Vec<(VarId, Expr)>, e: Expr) -> Expr {
    lets.into_iter().rev().fold(e, |body, (x, a)| {
        let o = a.origin;
        build::bind(x, a, body, o)
    })
}
