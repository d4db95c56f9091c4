//! The numbers that sizes are made of or bounded by: followed as polynomials, known by a bound, or not known.

use super::errors::UNTRACKED;
use super::{Infer, ValueShape};
use crate::fsmooth::Expr;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Card, Op};
use crate::ty::Type;

impl Infer<'_> {
    /// What a `usize` is at most, also where it cannot be followed.
    fn limit(&self, shp: &ValueShape) -> Option<Card> {
        match shp {
            ValueShape::Scalar(c) => self.facts.upper(c.as_ref()?),
            ValueShape::AtMost(most) => Some(most.clone()),
            _ => None,
        }
    }

    /// S-AddCard, S-MulCard and the other operations on sizes.
    pub(super) fn s_prim(&mut self, p: Prim, e: &Expr) -> ValueShape {
        let shapes: Vec<ValueShape> = e.parts().into_iter().map(|(slot, a)| self.part(slot, a)).collect();
        if *e.ty() != Type::USIZE {
            return ValueShape::Scalar(None);
        }
        let [a, b] = shapes.as_slice() else { return ValueShape::Scalar(None) };
        if let (Some(a), Some(b)) = (a.card(), b.card()) {
            return ValueShape::number(size_prim(p, &a, &b));
        }
        let (x, y) = (self.as_if_named(0, a), self.as_if_named(1, b));
        let most = size_prim(p, &x, &y).and_then(|c| self.facts.upper(&c));
        let followed = |s: &ValueShape| matches!(s, ValueShape::Long | ValueShape::Scalar(Some(_)));
        let unknown = if followed(a) && followed(b) { ValueShape::Long } else { ValueShape::Scalar(None) };
        most.map_or(unknown, ValueShape::AtMost)
    }

    /// The value of a `usize`, of the `k`th of several; a variable where it is not followed, as if a `let` had given it a
    /// name. So a bound does not depend on names, which come and go.
    pub(super) fn as_if_named(&mut self, k: usize, shp: &ValueShape) -> Card {
        if let ValueShape::Scalar(Some(c)) = shp {
            return c.clone();
        }
        let v = VarId(UNTRACKED.0 - 1 - k as u32);
        let most = if let ValueShape::AtMost(most) = shp { Some(most.clone()) } else { None };
        self.facts.limit(v, most);
        Card::var(v)
    }

    /// The shape of either of two values of one shape.
    pub(super) fn either(&self, a: &ValueShape, b: &ValueShape) -> ValueShape {
        match (a, b) {
            (ValueShape::Scalar(Some(x)), ValueShape::Scalar(Some(y))) if x == y => a.clone(),
            (ValueShape::Tuple(xs), ValueShape::Tuple(ys)) => {
                ValueShape::Tuple(xs.iter().zip(ys).map(|(x, y)| self.either(x, y)).collect())
            }
            (ValueShape::Scalar(_) | ValueShape::AtMost(_) | ValueShape::Long, _) => {
                match (self.limit(a), self.limit(b)) {
                    (Some(x), Some(y)) => ValueShape::AtMost(Card::op(Op::Max, &x, &y)),
                    _ => ValueShape::Scalar(None),
                }
            }
            _ => a.clone(),
        }
    }

    /// A shape outside the scope of `x`: what is followed by that name alone has a bound at most.
    pub(super) fn leave(&self, x: VarId, shp: ValueShape) -> ValueShape {
        match shp {
            ValueShape::Scalar(Some(c)) if c.mentions(x) => {
                self.facts.upper(&c).map_or(ValueShape::Scalar(None), ValueShape::AtMost)
            }
            ValueShape::Tuple(ss) => ValueShape::Tuple(ss.into_iter().map(|s| self.leave(x, s)).collect()),
            shp => shp,
        }
    }

    /// Remembers how large an index gets whose count is not followed.
    pub fn limit_index(&mut self, index: VarId, count: &ValueShape) {
        if let Some(most) = self.limit(count) {
            self.facts.limit(index, Some(most.sub(&Card::lit(1))));
        }
    }
}

/// An operation on sizes.
pub(crate) fn size_prim(p: Prim, a: &Card, b: &Card) -> Option<Card> {
    Some(match p {
        Prim::Add => a.add(b),
        Prim::Sub => a.sub(b),
        Prim::Mul => a.mul(b),
        Prim::Div => Card::op(Op::Div, a, b),
        Prim::Rem => Card::op(Op::Rem, a, b),
        Prim::Min => Card::op(Op::Min, a, b),
        Prim::Max => Card::op(Op::Max, a, b),
        _ => return None,
    })
}
