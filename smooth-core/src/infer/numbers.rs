//! The numbers that sizes are made of or bounded by: followed as polynomials, known by a bound, or not known.

use super::errors::UNTRACKED;
use super::{Infer, Shp};
use crate::fsmooth::Expr;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Card, Op};
use crate::ty::Type;

impl Infer<'_> {
    /// What a `usize` is at most, also where it cannot be followed.
    fn limit(&self, shp: &Shp) -> Option<Card> {
        match shp {
            Shp::Scalar(c) => self.facts.upper(c.as_ref()?),
            Shp::AtMost(most) => Some(most.clone()),
            _ => None,
        }
    }

    /// S-AddCard, S-MulCard and the other operations on sizes.
    pub(super) fn s_prim(&mut self, p: Prim, e: &Expr) -> Shp {
        let shapes: Vec<Shp> = e.parts().into_iter().map(|(slot, a)| self.part(slot, a)).collect();
        if *e.ty() != Type::USIZE {
            return Shp::Scalar(None);
        }
        let [a, b] = shapes.as_slice() else { return Shp::Scalar(None) };
        if let (Some(a), Some(b)) = (a.card(), b.card()) {
            return Shp::number(size_prim(p, &a, &b));
        }
        let (x, y) = (self.as_if_named(0, a), self.as_if_named(1, b));
        let most = size_prim(p, &x, &y).and_then(|c| self.facts.upper(&c));
        let followed = |s: &Shp| matches!(s, Shp::Long | Shp::Scalar(Some(_)));
        let unknown = if followed(a) && followed(b) { Shp::Long } else { Shp::Scalar(None) };
        most.map_or(unknown, Shp::AtMost)
    }

    /// The value of a `usize`, of the `k`th of several; a variable where it is not followed, as if a `let` had given it a
    /// name. So a bound does not depend on names, which come and go.
    pub(super) fn as_if_named(&mut self, k: usize, shp: &Shp) -> Card {
        if let Shp::Scalar(Some(c)) = shp {
            return c.clone();
        }
        let v = VarId(UNTRACKED.0 - 1 - k as u32);
        let most = if let Shp::AtMost(most) = shp { Some(most.clone()) } else { None };
        self.facts.limit(v, most);
        Card::var(v)
    }

    /// The shape of either of two values of one shape.
    pub(super) fn either(&self, a: &Shp, b: &Shp) -> Shp {
        match (a, b) {
            (Shp::Scalar(Some(x)), Shp::Scalar(Some(y))) if x == y => a.clone(),
            (Shp::Tuple(xs), Shp::Tuple(ys)) => Shp::Tuple(xs.iter().zip(ys).map(|(x, y)| self.either(x, y)).collect()),
            (Shp::Scalar(_) | Shp::AtMost(_) | Shp::Long, _) => match (self.limit(a), self.limit(b)) {
                (Some(x), Some(y)) => Shp::AtMost(Card::op(Op::Max, &x, &y)),
                _ => Shp::Scalar(None),
            },
            _ => a.clone(),
        }
    }

    /// A shape outside the scope of `x`: what is followed by that name alone has a bound at most.
    pub(super) fn leave(&self, x: VarId, shp: Shp) -> Shp {
        match shp {
            Shp::Scalar(Some(c)) if c.mentions(x) => self.facts.upper(&c).map_or(Shp::Scalar(None), Shp::AtMost),
            Shp::Tuple(ss) => Shp::Tuple(ss.into_iter().map(|s| self.leave(x, s)).collect()),
            shp => shp,
        }
    }

    /// Remembers how large an index gets whose count is not followed.
    pub fn limit_index(&mut self, index: VarId, count: &Shp) {
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
