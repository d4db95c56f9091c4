//! Extents and slices of fused arrays, and builds that are slices themselves.
//!
//! ```text
//! slice (build n (λi. e)) s t ⟶ build (t - s) (λk. let i = s + k in e)                          proved to be in range
//! slice (build n (λi. e)) s t ⟶ demand s ≤ t ≤ n in build (t - s) (λk. let i = s + k in e)     otherwise
//! build (length a) (λi. a[i]) ⟶ a
//! build n (λi. a[s + i])      ⟶ slice a s (s + n)
//! ```
//!
//! [`crate::simplify::fuse`] has the conditions.

use super::{Inline, Replacement};
use crate::analysis::terms::{extent, offset};
use crate::fsmooth::{Build, Expr, Kind, build};
use crate::mapped::Both;
use crate::name::VarId;
use crate::prim::Prim;
use crate::simplify::fuse::{Fusion, has_extents};
use crate::span::Origin;
use crate::ty::Type;

impl Inline<'_> {
    /// Terms for the extents of an array that is about to be fused away. The first was evaluated where the array was,
    /// those of its rows only if there are rows: they are evaluated where they are used.
    pub(super) fn name_extents(&mut self, x: VarId, array: &Expr) {
        for axis in 0..array.ty.depth() {
            if let Some(n) = extent(array, axis) {
                let n = self.operand(n);
                let n = if axis == 0 { self.named(x, n) } else { n };
                self.extents.insert((x, axis), n);
            }
        }
    }

    /// Whether a sliced array is fused away.
    pub(super) fn is_fused(&self, a: &Expr) -> bool {
        match a.kind() {
            Kind::Get(a, _) => self.is_fused(a),
            Kind::Var(x) => matches!(self.replacements.get(x), Some(Replacement::Raw(_) | Replacement::Build(_))),
            Kind::Build(Build { index: j, .. }) => self.fusions.get(j) == Some(&Fusion::Once),
            _ => false,
        }
    }

    /// Whether slices of an array can be checked without it, if they have to be.
    pub(super) fn may_check(&self, x: VarId, array: &Expr) -> bool {
        !self.checked.contains(&x) || has_extents(array)
    }

    /// `slice a s t ⟶ build (t - s) (λk. a[s + k])`, after a check if `a` is a part of an array that needs one.
    pub(super) fn part(&mut self, a: Expr, s: Expr, t: Expr, o: Origin) -> Expr {
        let k = self.names.fresh("i");
        let [s, t] = [s, t].both(|e| {
            let e = self.operand(e);
            self.named(k, e)
        });
        let (mut root, mut axis) = (&a, 0);
        while let Kind::Get(rows, _) = root.kind() {
            (root, axis) = (rows, axis + 1);
        }
        let len = match root.kind() {
            Kind::Var(x) if self.checked.contains(x) => {
                let len = self.extents.get(&(*x, axis)).cloned();
                Some(len.unwrap_or_else(|| unreachable!("an array whose slices may be checked has extents")))
            }
            _ => None,
        };
        let place = build::prim(Prim::Add, vec![s.clone(), build::var(k, Type::USIZE, o)], o);
        let element = self.scoped(build::get(a, place, o));
        let part = build::build(build::prim(Prim::Sub, vec![t.clone(), s.clone()], o), k, element, o);
        match len {
            Some(len) => build::demand([s, t, len], part, o),
            None => part,
        }
    }
}

/// `build n (λi. a[i]) ⟶ a` or `build n (λi. a[s + i]) ⟶ slice a s (s + n)`.
pub(super) fn part_of(n: Expr, i: VarId, body: Expr, fusion: Fusion, o: Origin) -> Expr {
    let Kind::Get(a, place) = body.kind else { unreachable!("a part of an array") };
    if fusion == Fusion::Whole {
        return *a;
    }
    let (s, t) = match offset(&place, i).flatten() {
        Some(s) => (s.clone(), build::prim(Prim::Add, vec![s.clone(), n], o)),
        None => (build::index(0, o), n),
    };
    build::slice(*a, s, t, o)
}
