//! Assignment: a new value of a part of a variable is a new value of the whole variable.
//!
//! ```text
//! x = e            let x' = e
//! x.k ⊕= e         let x' = (x.0, …, x.k ⊕ e, …)
//! x[i][j] ⊕= e     let x' = x with [i, j] ⊕= e
//! (p, q) = e       let (a, b) = e; p = a; q = b
//! ```
//!
//! As in Rust the value is computed before the indices of the place.

use super::Cx;
use super::flow::Let;
use super::places::{Done, Place, Step, updated};
use super::scope::{Binding, Mutable, Scope, Version};
use crate::diag::codes;
use crate::fsmooth::{Expr, Kind, build};
use crate::prim::{Prim, Spelling};
use crate::surface::{Expr as Surface, ExprKind, Extent};
use crate::ty::{Scalar, Type};

impl Cx<'_> {
    /// `place = value`, `place ⊕= value`.
    pub(super) fn assign(
        &mut self,
        op: Option<&'static str>,
        place: &Surface,
        value: &Surface,
        at: Extent,
        scope: &Scope,
    ) -> Option<Done> {
        let (mut lets, mut scope) = (Vec::new(), scope.clone());
        let want = self.place_type(place, &scope);
        let shift = op.is_some_and(|op| matches!(op, "<<" | ">>"));
        let want = if shift { Some(Type::Scalar(Scalar::U32)) } else { want };
        let term = self.operand(value, want.as_ref(), &mut lets, &mut scope);
        // The place is looked at even where the value was rejected.
        let term = term.and_then(|t| self.value(t, value.at));
        self.store(op, place, term, value.at, at, lets, scope)
    }

    /// Writes a value to a place.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn store(
        &mut self,
        op: Option<&'static str>,
        place: &Surface,
        value: Option<Expr>,
        value_at: Extent,
        at: Extent,
        mut lets: Vec<Let>,
        mut scope: Scope,
    ) -> Option<Done> {
        match &place.kind {
            ExprKind::Wild => {
                value?;
                Some((lets, scope))
            }
            ExprKind::Tuple(places) if op.is_none() => {
                let value = value?;
                let parts = self.parts_of(value, places.len(), place.at, &mut lets)?;
                let mut complete = true;
                for (p, part) in places.iter().zip(parts) {
                    match self.store(None, p, Some(part), value_at, at, vec![], scope.clone()) {
                        Some((more, next)) => {
                            lets.extend(more);
                            scope = next;
                        }
                        None => complete = false,
                    }
                }
                complete.then_some((lets, scope))
            }
            _ => {
                let p = self.place(place, &scope, &mut lets);
                let (p, value) = (p?, value?);
                let scope = self.write(&p, op, value, (place, value_at, at), &scope, &mut lets)?;
                Some((lets, scope))
            }
        }
    }

    /// The type of a place, as far as a literal in an assignment to it needs it.
    fn place_type(&mut self, place: &Surface, scope: &Scope) -> Option<Type> {
        match &place.kind {
            ExprKind::Path(p) => match scope.lookup(p.get_ident()?)? {
                Binding::Mutable(m) => self.mutables[m.0].ty.clone(),
                Binding::Part(p) => Some(p.ty.clone()),
                Binding::Var(_, t) => Some(t),
                _ => None,
            },
            ExprKind::Field(a, k) => match self.place_type(a, scope)? {
                Type::Tuple(ts) => ts.get(*k).cloned(),
                _ => None,
            },
            ExprKind::Index(a, _) => self.place_type(a, scope)?.element(),
            ExprKind::Slice(a, ..) | ExprKind::Same(a) | ExprKind::Borrow(a) => self.place_type(a, scope),
            ExprKind::Tuple(ps) => {
                let ts: Vec<Type> = ps.iter().map(|p| self.place_type(p, scope)).collect::<Option<_>>()?;
                Some(Type::Tuple(ts))
            }
            _ => None,
        }
    }

    /// The parts of a tuple, each computed before the first is assigned.
    fn parts_of(&mut self, value: Expr, wanted: usize, at: Extent, lets: &mut Vec<Let>) -> Option<Vec<Expr>> {
        let Type::Tuple(ts) = value.ty().clone() else {
            let message = format!("a tuple of places for a value of type {}", value.ty());
            self.error(&codes::MISMATCH, at, message);
            return None;
        };
        if ts.len() != wanted {
            let found = super::calls::plural(wanted, "place");
            self.error(&codes::MISMATCH, at, format!("{found} for a tuple with {}", ts.len()));
            return None;
        }
        if let Kind::Tuple(parts) = value.kind {
            return Some(parts.into_iter().map(|e| self.named("part", e, lets)).collect());
        }
        let o = value.origin();
        let whole = self.named("pair", value, lets);
        Some((0..wanted).map(|k| build::proj(whole.clone(), k, o)).map(|e| self.named("part", e, lets)).collect())
    }

    /// The scope after a write to a place.
    pub(super) fn write(
        &mut self,
        place: &Place,
        op: Option<&'static str>,
        value: Expr,
        (target, value_at, at): (&Surface, Extent, Extent),
        scope: &Scope,
        lets: &mut Vec<Let>,
    ) -> Option<Scope> {
        let op = op.and_then(|op| Prim::find(Spelling::Infix, op));
        let root = &self.mutables[place.root.0];
        let first = place.steps.is_empty() && root.ty.is_none();
        let Some(op) = op else {
            if !first && *value.ty() != place.ty {
                let hint = if let Kind::Lit(l) = value.kind()
                    && let (Some(n), true) = (l.as_int(), place.ty.scalar().is_some_and(Scalar::is_float))
                {
                    format!(": write `{n}.0`")
                } else {
                    String::new()
                };
                let message = format!("a place of type {} is assigned a value of type {}{hint}", place.ty, value.ty());
                self.error(&codes::MISMATCH, value_at, message);
                return None;
            }
            if let Some(Step::Range(..)) = place.steps.last() {
                let message = "a slice has no size of its own: write `.copy_from_slice(…)` or `.fill(…)`";
                self.error(&codes::STATE, target.at, message);
                return None;
            }
            if place.steps.is_empty() {
                return self.assign_value(place.root, value, scope, lets);
            }
            let whole = self.current(place.root, scope, target.at)?;
            let o = self.origin(target.at);
            let whole = updated(whole, &place.steps, None, value, o);
            return self.assign_whole(place.root, whole, scope, lets);
        };
        let old = self.read(place, scope, target.at)?;
        let combined = self.prim(op, vec![old, value.clone()], at)?;
        if *combined.ty() != place.ty {
            let message = format!("a place of type {} is assigned a value of type {}", place.ty, combined.ty());
            self.error(&codes::MISMATCH, at, message);
            return None;
        }
        let whole = self.current(place.root, scope, target.at)?;
        let o = self.origin(target.at);
        let element = place.steps.iter().any(|s| !matches!(s, Step::Field(_)));
        let whole = if element {
            updated(whole, &place.steps, Some(op), value, o)
        } else {
            updated(whole, &place.steps, None, combined, o)
        };
        self.assign_whole(place.root, whole, scope, lets)
    }

    /// The scope after an assignment of another value, which has the shape of the old one.
    fn assign_value(&mut self, m: Mutable, value: Expr, scope: &Scope, lets: &mut Vec<Let>) -> Option<Scope> {
        let old = match scope.version(m) {
            Some(Version::Value(e)) if let Kind::Var(v) = *e.kind() => Some(v),
            _ => None,
        };
        let Some(old) = old.filter(|_| value.ty().is_array()) else { return self.assign_whole(m, value, scope, lets) };
        let (x, ty, o) = (self.names.fresh(&self.mutables[m.0].name), value.ty().clone(), value.origin());
        lets.push(Let::Value(x, value));
        self.assigned.insert(x, old);
        Some(scope.assigned(m, Version::Value(build::var(x, ty, o))))
    }

    /// The scope after an assignment to a whole variable.
    pub(super) fn assign_whole(
        &mut self,
        m: Mutable,
        value: Expr,
        scope: &Scope,
        lets: &mut Vec<Let>,
    ) -> Option<Scope> {
        let info = &mut self.mutables[m.0];
        info.ty.get_or_insert_with(|| value.ty().clone());
        let name = info.name.clone();
        let value = self.named(&name, value, lets);
        Some(scope.assigned(m, Version::Value(value)))
    }
}
