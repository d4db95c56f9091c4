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

use crate::diag::codes;
use crate::elaborate::advice::elementwise;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Mutable, Place, Scope, Step, Version};
use crate::elaborate::flow::chain::{Chain, Let};
use crate::elaborate::flow::places::updated;
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::Mapped;
use crate::prim::{Prim, Spelling};
use crate::surface::{Expr as Surface, ExprKind, Extent};
use crate::ty::{Scalar, Type};

/// The syntax of an assignment, `place = value` or `place ⊕= value`.
pub(crate) struct Assignment<'e> {
    pub(crate) op: Option<&'static str>,
    pub(crate) place: &'e Surface,
    /// The extent of the value.
    pub(crate) value: Extent,
    /// The extent of the assignment.
    pub(crate) at: Extent,
}

impl Cx<'_> {
    /// `place = value`, `place ⊕= value`.
    pub(crate) fn assign(
        &mut self,
        (op, place, value): (Option<&'static str>, &Surface, &Surface),
        at: Extent,
        scope: &Scope,
    ) -> Option<Chain> {
        let mut chain = Chain::new(scope);
        let want = self.place_type(place, scope);
        let shift = op.is_some_and(|op| matches!(op, "<<" | ">>"));
        let want = if shift { Some(Type::Scalar(Scalar::U32)) } else { want };
        let term = self.operand(value, want.as_ref(), &mut chain);
        // The place is looked at even where the value was rejected.
        let term = term.and_then(|t| self.value(t, value.at));
        if let (Some(op), Some(Type::Scalar(to)), Some(from), false) =
            (op, &want, term.as_ref().and_then(|t| t.ty().scalar()), shift)
            && from != *to
            && !matches!(term.as_ref().map(Expr::kind), Some(Kind::Lit(_)))
            && let Some(help) = self.assigned_meets(op, (place, *to), (value, from))
        {
            let message = format!(
                "`{op}=` takes numbers of the same type, but got {} and {}",
                Type::Scalar(*to),
                Type::Scalar(from)
            );
            self.helped(&codes::MISMATCH, at, message, &help);
            return None;
        }
        if let (Some(op), Some(ty), Some(t)) = (op, &want, &term)
            && (ty.is_array() || t.ty().is_array())
            && let Some(help) = elementwise::assigned(op, (place, ty), (value, t.ty()))
        {
            let message = format!("`{op}=` takes numbers, but got {ty} and {}", t.ty());
            self.helped(&codes::MISMATCH, at, message, &help);
            return None;
        }
        self.store(&Assignment { op, place, value: value.at, at }, term, &mut chain)?;
        Some(chain)
    }

    /// Writes a value to a place.
    pub(crate) fn store(&mut self, a: &Assignment, value: Option<Expr>, chain: &mut Chain) -> Option<()> {
        match &a.place.kind {
            ExprKind::Wild => value.map(|_| ()),
            ExprKind::Tuple(places) if a.op.is_none() => {
                let parts = self.parts_of(value?, places.len(), a.place.at, &mut chain.lets)?;
                let mut complete = true;
                for (place, part) in places.iter().zip(parts) {
                    complete &= self.store(&Assignment { place, ..*a }, Some(part), chain).is_some();
                }
                complete.then_some(())
            }
            _ => {
                let place = self.place(a.place, chain);
                self.write(a, &place?, value?, chain)
            }
        }
    }

    /// The type of a place, as far as a literal in an assignment to it needs it.
    fn place_type(&mut self, place: &Surface, scope: &Scope) -> Option<Type> {
        match &place.kind {
            ExprKind::Path(p) => match scope.lookup(p.get_ident()?)? {
                Binding::Mutable(m) => self.flow.mutables[m.0].ty.clone(),
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
                let ts: Vec<Type> = ps.iter().map(|p| self.place_type(p, scope)).all_some()?;
                Some(Type::Tuple(ts))
            }
            _ => None,
        }
    }

    /// The parts of a tuple, each computed before the first is assigned.
    fn parts_of(&mut self, value: Expr, wanted: usize, at: Extent, lets: &mut Vec<Let>) -> Option<Vec<Expr>> {
        let Type::Tuple(ts) = value.ty().clone() else {
            let message = format!(
                "the left side is a tuple, but the value has type {}\nassign to one variable, as in `x = …`",
                value.ty()
            );
            self.error(&codes::MISMATCH, at, message);
            return None;
        };
        if ts.len() != wanted {
            let found = crate::elaborate::advice::counts::plural(wanted, "part");
            self.error(&codes::MISMATCH, at, format!("the left side has {found}, but the tuple has {}\nwrite one variable for each part; `_` is for a part that is not needed", ts.len()));
            return None;
        }
        if let Kind::Tuple(parts) = value.kind {
            return Some(parts.into_iter().mapped(|e| self.named("part", e, lets)));
        }
        let o = value.origin();
        let whole = self.named("pair", value, lets);
        Some((0..wanted).map(|k| build::proj(whole.clone(), k, o)).mapped(|e| self.named("part", e, lets)))
    }

    /// Writes a value to a place that is known.
    pub(crate) fn write(&mut self, a: &Assignment, place: &Place, value: Expr, chain: &mut Chain) -> Option<()> {
        let op = a.op.and_then(|op| Prim::find(Spelling::Infix, op));
        let first = place.steps.is_empty() && self.flow.mutables[place.root.0].ty.is_none();
        let Some(op) = op else {
            if !first && *value.ty() != place.ty {
                let hint = if let Kind::Lit(l) = value.kind()
                    && let (Some(n), true) = (l.as_int(), place.ty.scalar().is_some_and(Scalar::is_float))
                {
                    format!("\nwrite `{n}.0`")
                } else {
                    crate::elaborate::advice::mismatch::conversion(value.ty(), &place.ty)
                };
                self.other_type(place, value.ty(), &hint, a.value);
                return None;
            }
            if let Some(Step::Range(..)) = place.steps.last() {
                let message =
                    "a slice is assigned, and it has no size of its own\nwrite `.copy_from_slice(…)` or `.fill(…)`";
                self.error(&codes::STATE, a.place.at, message);
                return None;
            }
            if place.steps.is_empty() {
                self.assign_value(place.root, value, chain);
                return Some(());
            }
            return self.update((place, a.place.at), None, value, chain);
        };
        let old = self.read(place, &chain.scope, a.place.at)?;
        let combined = self.prim(op, vec![old, value.clone()], a.at)?;
        if *combined.ty() != place.ty {
            self.other_type(
                place,
                combined.ty(),
                &crate::elaborate::advice::mismatch::conversion(combined.ty(), &place.ty),
                a.at,
            );
            return None;
        }
        if place.steps.iter().all(|s| matches!(s, Step::Field(_))) {
            return self.update((place, a.place.at), None, combined, chain);
        }
        self.update((place, a.place.at), Some(op), value, chain)
    }

    fn other_type(&mut self, place: &Place, found: &Type, hint: &str, at: Extent) {
        let message = format!("this value has type {found}, but {} is wanted here{hint}", place.ty);
        self.error(&codes::MISMATCH, at, message);
    }

    /// Assigns a variable with another part, or with the old part `⊕` a value.
    fn update(
        &mut self,
        (place, at): (&Place, Extent),
        op: Option<Prim>,
        value: Expr,
        chain: &mut Chain,
    ) -> Option<()> {
        let whole = self.current(place.root, &chain.scope, at)?;
        let o = self.origin(at);
        self.assign_whole(place.root, updated(whole, &place.steps, op, value, o), chain);
        Some(())
    }

    /// Assigns another value, which has the shape of the old one.
    fn assign_value(&mut self, m: Mutable, value: Expr, chain: &mut Chain) {
        let old = match chain.scope.version(m) {
            Some(Version::Value(e)) if let Kind::Var(v) = *e.kind() => Some(v),
            _ => None,
        };
        let Some(old) = old.filter(|_| value.ty().is_array()) else { return self.assign_whole(m, value, chain) };
        let (x, ty, o) = (self.names.fresh(&self.flow.mutables[m.0].name), value.ty().clone(), value.origin());
        chain.lets.push(Let::Value(x, value));
        self.flow.assigned.insert(x, old);
        chain.scope = chain.scope.assigned(m, Version::Value(build::var(x, ty, o)));
    }

    /// Assigns a whole variable.
    pub(crate) fn assign_whole(&mut self, m: Mutable, value: Expr, chain: &mut Chain) {
        let info = &mut self.flow.mutables[m.0];
        info.ty.get_or_insert_with(|| value.ty().clone());
        let name = info.name.clone();
        let value = self.named(&name, value, &mut chain.lets);
        chain.scope = chain.scope.assigned(m, Version::Value(value));
    }
}
