//! The lengths of constant arrays, which rustc knows and the macro does not:
//!
//! ```text
//! TABLE.len() = 4 required somewhere   ⟹   TABLE.len() ⟶ 4 everywhere, and rustc checks that it is
//! ```
//!
//! A size that equals a constant's length by the rules of Fig. 8 *is* that length. If it is a number, the array has a
//! static size from then on, and the state of a fold may start with it.

use crate::fsmooth::{Kernel, Kind, build};
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::shape::{Check, Companion, Dim, Param, ParamKind, Source};

/// Whether a variable is an extent of a constant array.
pub(super) fn is_length(kernel: &Kernel, c: &Card) -> Option<VarId> {
    let Some(Atom::Var(v)) = c.as_atom() else { return None };
    let constant = |p: &&Param| matches!(p.source, Source::Const(_));
    kernel.interface.params.iter().filter(constant).any(|p| p.dims().contains(&Dim::Param(*v))).then_some(*v)
}

/// Whether two sizes that must be equal decide a length of a constant array, or a `usize` constant is one of them:
/// rustc knows their values, so they are compared at entry.
pub(super) fn decides(kernel: &Kernel, a: &Card, b: &Card) -> bool {
    let known = |c: &Card| is_known(kernel, c);
    let number = |c: &Card| c.constant().is_some_and(|n| n >= 0);
    known(a) && (known(b) || number(b)) || number(a) && known(b)
}

/// Whether a size is one that rustc knows: a `usize` constant, or a length of a constant array.
pub(super) fn is_known(kernel: &Kernel, c: &Card) -> bool {
    is_length(kernel, c).is_some() || is_constant(kernel, c)
}

/// Whether a size is a `usize` constant.
fn is_constant(kernel: &Kernel, c: &Card) -> bool {
    let constant = |p: &Param| matches!((&p.source, &p.kind), (Source::Const(_), ParamKind::Scalar(_)));
    matches!(c.as_atom(), Some(Atom::Var(v)) if kernel.interface.params.iter().any(|p| p.var == *v && constant(p)))
}

/// Replaces the lengths of constant arrays that `companion` requires to be certain numbers, or those of other constants.
/// Returns the checks that require this: the new lengths are correct only where the checks hold.
pub fn settle(kernel: &mut Kernel, companion: &Companion) -> Vec<Check> {
    let mut settled = Vec::new();
    for check in &companion.checks {
        let Check::Equal { left, right, .. } = check else { continue };
        let (length, value) = match (is_length(kernel, left), is_length(kernel, right)) {
            (Some(v), w) if right.constant().is_some() || w.is_some() => (v, right),
            (_, Some(v)) if left.constant().is_some() => (v, left),
            _ => continue,
        };
        if replace(kernel, length, value) {
            settled.push(check.clone());
        }
    }
    settled
}

/// Replaces one length by a number or by a second length.
fn replace(kernel: &mut Kernel, length: VarId, value: &Card) -> bool {
    let number = value.constant().and_then(|n| u64::try_from(n).ok());
    let (dim, other) = match (number, value.as_atom()) {
        (Some(n), _) => (Dim::Lit(n), None),
        (None, Some(Atom::Var(w))) if *w != length => (Dim::Param(*w), Some(*w)),
        _ => return false,
    };
    for p in kernel.interface.params.iter_mut().filter(|p| !p.is_argument()) {
        if let ParamKind::Array(_, dims) = &mut p.kind {
            dims.iter_mut().filter(|d| **d == Dim::Param(length)).for_each(|d| *d = dim.clone());
        }
    }
    kernel.body.each_mut(&mut |e| {
        if *e.kind() == Kind::Var(length) {
            let o = e.origin();
            *e = match (number, other) {
                (Some(n), _) => build::index(n, o),
                (None, Some(w)) => build::var(w, crate::ty::Type::USIZE, o),
                _ => return,
            };
        }
    });
    true
}
