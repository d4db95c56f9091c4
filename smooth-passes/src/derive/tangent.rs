//! Types of tangents: the floats of a type.
//!
//! ```text
//! T(float) = float     T([A; n]) = [T(A); n]     T((Ā)) = (T(A)¯), without the parts that have no float
//! ```
//!
//! A tuple that has one part left is that part.

use crate::mapped::{Mapped, PushAll};
use crate::ty::{Scalar, Type};

/// The type of a tangent, as the user sees it; `None` if there is no float in the type.
pub fn tangent(ty: &Type) -> Option<Type> {
    match ty {
        Type::Scalar(s) | Type::Array(s, _) => s.is_float().then(|| ty.clone()),
        Type::Tuple(ts) => of_parts(ts),
        Type::Records(ts, rank) => Some(listed(&of_parts(ts)?, *rank)),
        Type::Fn(..) => None,
    }
}

fn of_parts(ts: &[Type]) -> Option<Type> {
    let mut parts = ts.iter().filter_map(tangent).collect_vec();
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(Type::Tuple(parts)),
    }
}

/// The way to the tangent of the part at `way`, in a tangent of this type.
pub(super) fn way_to(ty: &Type, way: &[usize]) -> Vec<usize> {
    let (Type::Tuple(ts) | Type::Records(ts, _), [k, rest @ ..]) = (ty, way) else { return vec![] };
    let (mut own, inner) = (Vec::new(), way_to(&ts[*k], rest));
    if ts.iter().filter(|t| tangent(t).is_some()).count() > 1 {
        own.push(ts[..*k].iter().filter(|t| tangent(t).is_some()).count());
    }
    own.push_all(inner);
    own
}

/// The ways to the leaves of a type.
pub(super) fn ways(ty: &Type) -> Vec<Vec<usize>> {
    match ty {
        Type::Tuple(ts) | Type::Records(ts, _) => {
            let of_part = |(k, t): (usize, &Type)| ways(t).into_iter().mapped(|way| [vec![k], way].concat());
            ts.iter().enumerate().flat_map(of_part).collect_vec()
        }
        _ => vec![vec![]],
    }
}

/// Arrays of a type, `rank` levels deep.
pub(super) fn listed(ty: &Type, rank: usize) -> Type {
    (0..rank).fold(ty.clone(), |t, _| Type::list_of(&t).unwrap_or(t))
}

/// A type with another one in the place of each of its floats, of the float's width.
pub(super) fn nested(ty: &Type, of: &Type) -> Type {
    match ty {
        Type::Array(s, rank) => listed(&of_width(of, *s), *rank),
        Type::Tuple(ts) => Type::Tuple(ts.iter().mapped(|t| nested(t, of))),
        Type::Records(ts, rank) => listed(&Type::Tuple(ts.iter().mapped(|t| nested(t, of))), *rank),
        Type::Scalar(s) => of_width(of, *s),
        Type::Fn(..) => of.clone(),
    }
}

/// A type of floats with all of them of this type.
fn of_width(ty: &Type, s: Scalar) -> Type {
    match ty {
        Type::Scalar(_) => Type::Scalar(s),
        Type::Array(_, rank) => Type::Array(s, *rank),
        Type::Tuple(ts) => Type::Tuple(ts.iter().mapped(|t| of_width(t, s))),
        Type::Records(ts, rank) => Type::Records(ts.iter().mapped(|t| of_width(t, s)), *rank),
        Type::Fn(..) => ty.clone(),
    }
}

/// The parts of a result: those of a tuple, or the whole.
pub(super) fn parts(result: &Type) -> Vec<Type> {
    match result {
        Type::Tuple(ts) => ts.clone(),
        t => vec![t.clone()],
    }
}
