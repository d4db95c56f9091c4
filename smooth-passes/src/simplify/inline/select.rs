//! Selects: an array that a condition chooses is read in place.
//!
//! ```text
//! (if c then a else b)[i]            ⟶  if c then a[i] else b[i]
//! let x = if c then y else z in b    ⟶  let t = c in b[if t then y else z/x]
//! let x = if c then (y, e) else (z, f) in b
//!                                    ⟶  let t = c in b[(if t then y else z, if t then e else f)/x]
//! ```
//!
//! The second rule needs that `y` and `z` exist already and that only single elements of `x` are read; the third that
//! a component is an array.
//!
//! Keeps: a branch is evaluated where it was, or less of it. Gains: no copy of the chosen array.

use super::{Inline, PendingIndices, Replacement, indexed};
use crate::analysis::cost::is_cheap_number;
use crate::analysis::terms::{has_binders, trivial};
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::span::Origin;
use crate::ty::Type;

/// Indices up to this size are copied into both branches.
const INDEX: usize = 16;

impl Inline<'_> {
    /// `(if c then yes else no)[ī]`
    pub(super) fn choice(&mut self, [c, yes, no]: [Expr; 3], mut pending: PendingIndices, o: Origin) -> Expr {
        let c = self.operand(c);
        for p in &mut pending {
            if p.i.size() > INDEX || has_binders(&p.i) {
                let k = self.names.fresh("i");
                let i = std::mem::replace(&mut p.i, build::var(k, Type::USIZE, p.origin));
                self.lets.push((k, i));
            }
        }
        self.changed = true;
        let yes = indexed(self.scoped(yes), pending.clone());
        let no = indexed(self.scoped(no), pending);
        build::branch(c, yes, no, o)
    }

    /// `let x = if c then y else z`, which is a choice ([`is_choice`]).
    pub(super) fn choose(&mut self, x: VarId, a: Expr) {
        let (o, Kind::If(c, yes, no)) = (a.origin, a.kind) else { unreachable!("a choice") };
        let c = self.named(x, *c);
        self.put(x, Replacement::Is(build::branch(c, *yes, *no, o)));
    }
}

impl Inline<'_> {
    /// `let x = if c then (ē) else (f̄)`, which is a choice of tuples ([`is_choice_of_tuples`]).
    pub(super) fn choose_parts(&mut self, x: VarId, a: Expr) {
        let (o, Kind::If(c, yes, no)) = (a.origin, a.kind) else { unreachable!("a choice") };
        let (Kind::Tuple(yes), Kind::Tuple(no)) = (yes.kind, no.kind) else { unreachable!("of tuples") };
        let c = self.named(x, *c);
        let parts = yes.into_iter().zip(no).mapped(|(y, n)| self.named(x, build::branch(c.clone(), y, n, o)));
        self.put(x, Replacement::Is(build::tuple(parts, o)));
    }
}

/// Whether a term selects among tuples that contain arrays.
pub(super) fn is_choice_of_tuples(e: &Expr) -> bool {
    let is_tuple = |e: &Expr| matches!(e.kind(), Kind::Tuple(_));
    let arrays = || e.ty().leaves().iter().any(|t| t.is_array());
    matches!(e.kind(), Kind::If(_, a, b) if is_tuple(a) && is_tuple(b)) && arrays()
}

/// Whether a term selects among arrays that exist already.
pub(super) fn is_choice(e: &Expr) -> bool {
    matches!(e.kind(), Kind::If(_, a, b) if e.ty().is_array() && is_there(a) && is_there(b))
}

fn is_there(e: &Expr) -> bool {
    match e.kind() {
        Kind::If(c, a, b) => is_cheap_number(c) && is_there(a) && is_there(b),
        _ => trivial(e),
    }
}
