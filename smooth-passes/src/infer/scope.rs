//! Variables that come into scope, and the tracking of their values.

use super::errors::unknown;
use super::value_shape::{ValueShape, forget_values};
use super::{Infer, Why, result};
use crate::fsmooth::{Expr, Kind};
use crate::name::VarId;
use crate::shape::card::Card;
use crate::ty::{Scalar, Type};

impl Infer<'_> {
    /// Binds the shape of a `let`. A `usize` whose value is not tracked is tracked by its name, since it has one value
    /// at every use.
    pub fn bind_let(&mut self, x: VarId, e: &Expr, shp: ValueShape) {
        let shp = match shp {
            ValueShape::Scalar(None) | ValueShape::AtMost(_) | ValueShape::TooComplex if *e.ty() == Type::USIZE => {
                let why = match e.kind() {
                    _ if matches!(shp, ValueShape::TooComplex) => Why::TooComplex,
                    Kind::If(..) => Why::Condition,
                    _ => self.source(e),
                };
                self.why.insert(x, why);
                if let ValueShape::AtMost(most) = shp {
                    self.facts.limit(x, Some(most));
                }
                self.bind_number(x, e);
                ValueShape::Scalar(Some(Card::var(x)))
            }
            shp => self.with_names(x, e.ty(), shp),
        };
        if !self.accepted && e.ty().scalar().is_some_and(|s| s.is_number() && s != Scalar::Usize) {
            let source = self.source(e);
            self.why.insert(x, source);
        }
        self.bind_condition(x, e);
        if let Some(known) = self.signed(e).filter(|s| s.says_something()) {
            self.signed.insert(x, known);
        }
        let mut shp = shp;
        if let Some((written, at, what)) = self.ascriptions.get(&x).cloned() {
            let before = self.faults.len();
            self.ascribe(&shp, &written, at, what.as_deref());
            // The elements of a pattern that has too many are reported with it.
            if what.is_none() && self.faults.len() > before {
                shp = shp.each_array(&ValueShape::Scalar(None), &mut |mut shape| {
                    shape.iter_mut().take(1).for_each(|first| *first = unknown());
                    shape
                });
            }
        }
        let shp = match self.assigned.get(&x).and_then(|old| self.env.get(old)).cloned() {
            // Where they differ, that is reported once.
            Some(old) if !self.same_variable(x, &old.extents(), &shp.extents(), result(e)) => old,
            _ => shp,
        };
        self.env.insert(x, shp);
    }

    /// Brings the state of a fold into scope: it has the initial shape, but its numbers change.
    pub fn bind_state(&mut self, state: VarId, ty: &Type, init: &ValueShape) {
        self.why.insert(state, Why::Data);
        let shp = match init {
            ValueShape::Scalar(Some(_)) if *ty == Type::USIZE => ValueShape::Scalar(Some(Card::var(state))),
            ValueShape::Scalar(_) if self.accepted && *ty == Type::USIZE => ValueShape::Scalar(Some(Card::var(state))),
            other => self.with_names(state, ty, forget_values(other)),
        };
        self.env.insert(state, shp);
    }
}
