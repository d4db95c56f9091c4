//! Small arrays of known length that are read at constant indices become scalars.
//!
//! ```text
//! let x = [a, b] in … x[0] …  ⟶  let x₀ = a in let x₁ = b in … x₀ …
//! let x = if c then [a, b] else [d, e] in … x[1] …
//!                             ⟶  let t = if c then (a, b) else (d, e) in … t.1 …
//! ```
//!
//! Keeps: every element is computed once, as before.

use super::{Inline, Replacement};
use crate::analysis::terms::{constant, trivial};
use crate::analysis::uses::VarUses;
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::sorted::Set;

/// The uses of an array's elements.
#[derive(Clone, Default, Debug)]
pub(super) struct Places {
    /// The constant indices that are read.
    read: Set<usize>,
    /// Whether all uses are such reads.
    pub only: bool,
}

impl Places {
    pub(super) fn of(uses: &VarUses<'_>) -> Self {
        let place = |i: &&Expr| usize::try_from(constant(i)?).ok();
        let read: Vec<usize> = uses.reads.iter().filter_map(|r| r.indices.first().and_then(place)).collect_vec();
        Places { only: read.len() == uses.count, read: read.into_iter().collect() }
    }

    /// Whether an element at a constant index is read.
    pub(super) fn any(&self) -> bool {
        !self.read.is_empty()
    }

    /// Whether element `k` is read.
    pub(super) fn contains(&self, k: usize) -> bool {
        self.read.contains(&k)
    }

    /// Whether all uses read elements of an array of `n` elements.
    pub(super) fn only_within(&self, n: usize) -> bool {
        self.only && self.read.iter().all(|k| *k < n)
    }
}

impl Inline<'_> {
    /// `let x = a` for a small array whose elements are read at constant indices.
    pub(super) fn scalarise(&mut self, x: VarId, a: Expr, places: &Places) {
        let o = a.origin;
        match a.kind {
            Kind::Array(es) => {
                let only = places.only_within(es.len());
                let mut elements = Vec::new();
                let mut rest = Vec::new();
                for (k, e) in es.into_iter().enumerate() {
                    let read = places.contains(k);
                    self.changed |= read && !trivial(&e);
                    let e = if read { self.named(x, e) } else { e };
                    elements.push(read.then(|| e.clone()));
                    rest.push(e);
                }
                self.replacements.insert(x, Replacement::Elements(elements));
                if only {
                    self.changed = true;
                } else {
                    self.lets.push((x, build::array(rest, o)));
                }
            }
            Kind::If(..) if tuple_len(&a).is_some_and(|n| places.only_within(n)) => {
                let tuple = as_tuple(a);
                let n = tuple.ty.leaves().len();
                let t = self.named(x, tuple);
                let parts = (0..n).mapped(|k| Some(build::proj(t.clone(), k, o)));
                self.put(x, Replacement::Elements(parts));
            }
            _ => self.lets.push((x, a)),
        }
    }
}

/// The length of a small array of scalars that is a literal, or selected among literals.
fn tuple_len(e: &Expr) -> Option<usize> {
    match e.kind() {
        Kind::Array(es) if es[0].ty().scalar().is_some() => Some(es.len()),
        Kind::If(_, a, b) => tuple_len(a).filter(|n| tuple_len(b) == Some(*n)),
        Kind::Let(_, _, b) => tuple_len(b),
        _ => None,
    }
}

/// The elements of an array of numbers as a tuple.
fn as_tuple(e: Expr) -> Expr {
    let o = e.origin();
    match e.kind {
        Kind::Array(es) => build::tuple(es, o),
        Kind::If(c, a, b) => build::branch(*c, as_tuple(*a), as_tuple(*b), o),
        Kind::Let(x, a, b) => build::bind(x, *a, as_tuple(*b), o),
        _ => e,
    }
}
