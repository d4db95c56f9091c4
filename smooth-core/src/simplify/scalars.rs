//! Small arrays of known length that are read at constant places become scalars.
//!
//! ```text
//! let x = [a, b] in … x[0] …  ⟶  let x₀ = a in let x₁ = b in … x₀ …
//! let x = if c then [a, b] else [d, e] in … x[1] …
//!                             ⟶  let t = if c then (a, b) else (d, e) in let x₀ = t.0 in …
//! ```
//!
//! Keeps: every element is computed once, as before.

use super::inline::Parts;
use super::rules::constant;
use crate::fsmooth::{Expr, Kind, build};
use crate::name::{Names, VarId};
use crate::ty::Type;

/// `let x = array in body` in scalars, or the parts back.
pub(super) fn scalarise(x: VarId, array: Expr, body: Expr, names: &mut Names) -> Result<Expr, Parts> {
    let literal = match array.kind() {
        Kind::Array(es) => es.iter().any(|e| !trivial(e)),
        Kind::If(..) => tuple_len(&array).is_some() && only_constant_gets(x, &body),
        _ => false,
    };
    if !literal {
        return Err(Box::new((array, body)));
    }
    let o = array.origin();
    let elements: Vec<Type>;
    let mut lets: Vec<(VarId, Expr)> = Vec::new();
    let parts: Vec<Expr> = match array.kind {
        Kind::Array(es) => es,
        _ => {
            let tuple = as_tuple(array);
            elements = tuple.ty().leaves();
            let t = names.again(x);
            let variable = build::var(t, tuple.ty().clone(), o);
            lets.push((t, tuple));
            (0..elements.len()).map(|k| build::proj(variable.clone(), k, o)).collect()
        }
    };
    let variables: Vec<Expr> = parts
        .into_iter()
        .map(|e| {
            let y = names.again(x);
            let variable = build::var(y, e.ty().clone(), o);
            lets.push((y, e));
            variable
        })
        .collect();
    let mut body = body;
    replace_gets(&mut body, x, &variables);
    if body.mentions(x) {
        body = build::bind(x, build::array(variables, o), body, o);
    }
    Ok(lets.into_iter().rev().fold(body, |b, (y, e)| build::bind(y, e, b, o)))
}

/// A term that costs nothing to repeat; a row of an array is a name for a part of it.
pub(super) fn trivial(e: &Expr) -> bool {
    match e.kind() {
        Kind::Get(a, i) if e.ty().is_array() => trivial(a) && trivial(i),
        Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) => true,
        Kind::Proj(a, _) | Kind::Len(a, _) => matches!(a.kind(), Kind::Var(_)),
        _ => false,
    }
}

/// The length of a small array of scalars that is chosen by conditions among literals.
fn tuple_len(e: &Expr) -> Option<usize> {
    match e.kind() {
        Kind::Array(es) if es[0].ty().scalar().is_some() => Some(es.len()),
        Kind::If(_, a, b) => tuple_len(a).filter(|n| tuple_len(b) == Some(*n)),
        Kind::Let(_, _, b) => tuple_len(b),
        _ => None,
    }
}

fn as_tuple(e: Expr) -> Expr {
    let o = e.origin();
    match e.kind {
        Kind::Array(es) => build::tuple(es, o),
        Kind::If(c, a, b) => build::branch(*c, as_tuple(*a), as_tuple(*b), o),
        Kind::Let(x, a, b) => build::bind(x, *a, as_tuple(*b), o),
        _ => e,
    }
}

/// Whether `x` occurs as `x[k]` with constant `k` alone.
fn only_constant_gets(x: VarId, body: &Expr) -> bool {
    let is_x = |e: &Expr| matches!(e.kind(), Kind::Var(v) if *v == x);
    let all = body.count(is_x);
    let gets = body.count(|e| matches!(e.kind(), Kind::Get(a, i) if is_x(a) && constant(i).is_some()));
    all == gets
}

/// `x[k] ⟶ e_k` for constant `k`, where the elements are trivial.
pub(super) fn replace_gets(body: &mut Expr, x: VarId, elements: &[Expr]) {
    body.each_mut(&mut |e| {
        let Kind::Get(a, i) = e.kind() else { return };
        if matches!(a.kind(), Kind::Var(v) if *v == x)
            && let Some(k) = constant(i)
            && let Some(element) = usize::try_from(k).ok().and_then(|k| elements.get(k))
        {
            *e = element.clone();
        }
    });
}
