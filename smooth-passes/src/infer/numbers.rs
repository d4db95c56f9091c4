//! Shapes of numbers, which sizes consist of: a `usize` is tracked as a polynomial, has an upper bound, or is unknown.

use super::conditions::most;
use super::errors::UNTRACKED;
use super::{Infer, ValueShape};
use crate::diag::codes;
use crate::fsmooth::{Expr, Kind};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Card, Op};
use crate::ty::{Scalar, Type};

/// The bounds of a signed number.
#[derive(Clone)]
pub(super) struct Signed {
    /// Whether it may be less than 0.
    below_zero: bool,
    /// An upper bound, if the number is not negative.
    most: Option<Card>,
}

impl Signed {
    pub(super) fn says_something(&self) -> bool {
        !self.below_zero || self.most.is_some()
    }
}

impl Infer<'_> {
    /// An upper bound of a `usize`, tracked or not.
    fn limit(&self, shp: &ValueShape) -> Option<Card> {
        match shp {
            ValueShape::Scalar(c) => self.facts.upper(c.as_ref()?),
            ValueShape::AtMost(most) => Some(most.clone()),
            _ => None,
        }
    }

    /// S-AddCard, S-MulCard and the other operations on sizes.
    pub(super) fn s_prim(&mut self, p: Prim, e: &Expr) -> ValueShape {
        let shapes: Vec<ValueShape> = e.parts().into_iter().mapped(|(slot, a)| self.part(e, slot, a));
        let to = e.ty().scalar().filter(|s| s.is_count());
        let cards: Option<Vec<Card>> = to.and_then(|_| shapes.iter().map(ValueShape::card).all_some());
        if let (Some(to), Some(cards)) = (to, cards)
            && let Some(c) = computed(p, &cards, e.parts()[0].1.ty().scalar(), to)
        {
            return ValueShape::number(Some(c));
        }
        if *e.ty() != Type::USIZE {
            return ValueShape::Scalar(None);
        }
        if let Some(most) = most(e) {
            return ValueShape::AtMost(Card::lit(most));
        }
        if let (Prim::ToUsize, [a]) = (p, e.parts().as_slice())
            && let Some(Signed { below_zero: false, most: Some(most) }) = self.signed(a.1)
        {
            return ValueShape::AtMost(most);
        }
        if let (Prim::Clamp, [x, low, high]) = (p, shapes.as_slice()) {
            // It panics unless `low <= high`, so it is not a polynomial.
            let least = self.operation(Prim::Max, x, low);
            let least = self.operation(Prim::Min, &least, high);
            return self.limit(&least).map_or(ValueShape::Scalar(None), ValueShape::AtMost);
        }
        if let (Prim::StepsThrough, [n, _, by]) = (p, shapes.as_slice()) {
            // The position of the last one matters only where there are more than a `usize` counts.
            return self.operation(Prim::Steps, n, by);
        }
        let [a, b] = shapes.as_slice() else { return ValueShape::Scalar(None) };
        if p == Prim::Within {
            return self.s_within(a, b, e);
        }
        self.operation(p, a, b)
    }

    /// The bounds of a signed number that is wide enough for every length.
    ///
    /// ```text
    /// s = n as isize - k   ⟹   s <= n - k where s >= 0          a wrapped difference is negative
    /// s = clamp x low high, low >= 0   ⟹   0 <= s <= high       it panics unless low <= high
    /// ```
    pub(super) fn signed(&mut self, e: &Expr) -> Option<Signed> {
        let wide = [Scalar::I64, Scalar::Isize, Scalar::I128].map(Type::Scalar);
        if !wide.contains(e.ty()) {
            return None;
        }
        let unknown = Signed { below_zero: true, most: None };
        if let Kind::Var(v) = e.kind() {
            return Some(self.signed.get(v).cloned().unwrap_or(unknown));
        }
        let Kind::Prim(p, es) = e.kind() else {
            let number = if let Kind::Lit(l) = e.kind() { l.as_int() } else { None };
            let most = number.filter(|n| (0..=i32::MAX.into()).contains(n)).map(Card::lit);
            return Some(Signed { below_zero: most.is_none(), most });
        };
        Some(match (p, es.as_slice()) {
            (Prim::ToI64 | Prim::ToIsize | Prim::ToI128, [n]) if *n.ty() == Type::USIZE => {
                Signed { below_zero: true, most: self.shape(n).card().filter(|n| n.as_atom().is_some()) }
            }
            (Prim::Sub, [a, k]) => {
                let k = self.signed(k)?.most.filter(|k| k.constant().is_some());
                Signed { below_zero: true, most: self.signed(a)?.most.zip(k).map(|(a, k)| a.sub(&k)) }
            }
            (Prim::Min, [a, b]) => {
                let (a, b) = (self.signed(a)?, self.signed(b)?);
                Signed { below_zero: a.below_zero || b.below_zero, most: b.most.or(a.most) }
            }
            (Prim::Max, [a, b]) => {
                let (a, b) = (self.signed(a)?, self.signed(b)?);
                // The operands of an operation are at least 0.
                let less = |c: &Card| c.terms().filter(|(k, m)| *k < 0 && m.is_empty()).map(|(k, _)| -k).sum::<i128>();
                let larger = |(a, b): (Card, Card)| {
                    let by = Card::lit(less(&a).max(less(&b)));
                    Card::op(Op::Max, &a.add(&by), &b.add(&by)).sub(&by)
                };
                let most = a.most.zip(b.most).map(larger);
                Signed { below_zero: a.below_zero && b.below_zero, most }
            }
            (Prim::Clamp, [_, low, high]) => {
                Signed { below_zero: self.signed(low)?.below_zero, most: self.signed(high)?.most }
            }
            _ => unknown,
        })
    }

    /// `a`, which panics unless `a <= b`: where that is proved it is the number `a`, and so is a constant, which may
    /// be a part of a size. Otherwise it is not a polynomial.
    fn s_within(&mut self, a: &ValueShape, b: &ValueShape, e: &Expr) -> ValueShape {
        if let (Some(x), Some(n)) = (a.card(), b.card()) {
            if self.facts.holds_slice(&x, &n, &n) {
                return a.clone();
            }
            if let (Some(x), Some(n)) = (x.constant(), n.constant()) {
                let message = format!(
                    "a range or a copy is larger than its slice: {x} > {n}\nthe end of a range is at most the length of its array; both sides of a copy have one length"
                );
                self.fault(&codes::OUT_OF_RANGE, e.origin(), message);
            } else if x.constant().is_some() {
                return a.clone();
            }
        }
        let least = self.operation(Prim::Min, a, b);
        self.limit(&least).map_or(ValueShape::Scalar(None), ValueShape::AtMost)
    }

    /// An operation on two numbers.
    fn operation(&mut self, p: Prim, a: &ValueShape, b: &ValueShape) -> ValueShape {
        if let (Some(a), Some(b)) = (a.card(), b.card()) {
            return ValueShape::number(size_prim(p, &a, &b));
        }
        let (x, y) = (self.as_if_named(0, a), self.as_if_named(1, b));
        let most = size_prim(p, &x, &y).and_then(|c| self.facts.upper(&c));
        let from_sizes = |s: &ValueShape| matches!(s, ValueShape::TooComplex | ValueShape::Scalar(Some(_)));
        let unknown = if from_sizes(a) && from_sizes(b) { ValueShape::TooComplex } else { ValueShape::Scalar(None) };
        most.map_or(unknown, ValueShape::AtMost)
    }

    /// The value of a `usize`, the `k`th of several. If it is not tracked, the value is a variable, as if a `let` had
    /// given it a name: passes add and remove names, and a bound must not depend on them.
    pub(super) fn as_if_named(&mut self, k: usize, shp: &ValueShape) -> Card {
        if let ValueShape::Scalar(Some(c)) = shp {
            return c.clone();
        }
        let v = VarId(UNTRACKED.0 - 1 - k as u32);
        let most = if let ValueShape::AtMost(most) = shp { Some(most.clone()) } else { None };
        self.facts.limit(v, most);
        Card::var(v)
    }

    /// The shape of a value that is one of two, whose shapes agree except in their numbers.
    pub(super) fn either(&self, a: &ValueShape, b: &ValueShape) -> ValueShape {
        match (a, b) {
            (ValueShape::Scalar(Some(x)), ValueShape::Scalar(Some(y))) if x == y => a.clone(),
            (ValueShape::Tuple(xs), ValueShape::Tuple(ys)) => {
                ValueShape::Tuple(xs.iter().zip(ys).mapped(|(x, y)| self.either(x, y)))
            }
            (ValueShape::Scalar(_) | ValueShape::AtMost(_) | ValueShape::TooComplex, _) => {
                match (self.limit(a), self.limit(b)) {
                    (Some(x), Some(y)) => ValueShape::AtMost(Card::op(Op::Max, &x, &y)),
                    _ => ValueShape::Scalar(None),
                }
            }
            _ => a.clone(),
        }
    }

    /// A shape outside the scope of `x`. A number in terms of `x` is no longer tracked, but may have an upper bound.
    pub(super) fn leave(&self, x: VarId, shp: ValueShape) -> ValueShape {
        match shp {
            ValueShape::Scalar(Some(c)) if self.mentions(&c, x) => {
                self.facts.upper(&c).map_or(ValueShape::Scalar(None), ValueShape::AtMost)
            }
            ValueShape::Tuple(ss) => ValueShape::Tuple(ss.into_iter().mapped(|s| self.leave(x, s))),
            shp => shp,
        }
    }

    /// Records the largest value of an index whose count is not tracked.
    pub fn limit_index(&mut self, index: VarId, count: &ValueShape) {
        if let Some(most) = self.limit(count) {
            self.facts.limit(index, Some(most.sub(&Card::lit(1))));
        }
    }
}

/// The largest exponent for which a power is a product.
const FACTORS: i128 = 8;

/// An operation on numbers that are tracked, of the type `from` the first one, besides those that a bound has as well
/// ([`size_prim`]); `None` if there is none. The result has the type `to`.
///
/// ```text
/// a << k = a · 2^k     a >> k = a / 2^k     where k is less than the number of bits
/// ```
///
/// A number of a type other than `usize` may be too large for a size; then it is not tracked.
fn computed(p: Prim, args: &[Card], from: Option<Scalar>, to: Scalar) -> Option<Card> {
    let from = from?;
    let bits = Card::lit(8 * i128::from(to.bytes()) - 1);
    let of_bits = |k: &Card| match k.constant() {
        Some(k) if k < 0 || k > bits.constant()? => None,
        Some(k) if k < 32 => Some(Card::lit(1 << k)),
        _ if to == Scalar::Usize => Some(Card::unary(Op::Exp2, k)),
        _ => Some(Card::unary(Op::Exp2, &fits(k, &bits))),
    };
    let own = |c: Card| if to == Scalar::Usize { c } else { fits(&c, &Card::lit(to.most() as i128)) };
    Some(match (p, args) {
        (p, [a]) if p.target().is_some() => {
            let larger = from.is_count() && from.bytes() > to.bytes() || from == Scalar::Usize && to != Scalar::U64;
            match from {
                s if !s.is_count() => return None,
                _ if larger && to != Scalar::Usize => own(a.clone()),
                _ => a.clone(),
            }
        }
        (Prim::Isqrt, [a]) => Card::unary(Op::Isqrt, a),
        (Prim::Ilog2, [a]) if from.is_count() => Card::unary(Op::Log2, a),
        (Prim::NextPowerOfTwo, [a]) => own(Card::unary(Op::NextPower, a)),
        (Prim::Shl, [a, k]) => own(a.mul(&of_bits(k)?)),
        (Prim::Shr, [a, k]) => Card::op(Op::Div, a, &of_bits(k)?),
        (Prim::Pow, [a, k]) => own(match k.constant() {
            Some(k) if (0..=FACTORS).contains(&k) => (0..k).fold(Card::lit(1), |product, _| product.mul(a)),
            _ => Card::op(Op::Pow, a, k),
        }),
        (Prim::NextMultipleOf, [a, b]) => own(Card::op(Op::Div, &a.add(b).sub(&Card::lit(1)), b).mul(b)),
        (Prim::AbsDiff, [a, b]) if from.is_count() => Card::op(Op::Max, a, b).sub(&Card::op(Op::Min, a, b)),
        (Prim::Add | Prim::Sub | Prim::Mul, [a, b]) if to != Scalar::Usize => own(size_prim(p, a, b)?),
        (Prim::SaturatingSub | Prim::Div | Prim::Rem | Prim::DivCeil | Prim::Min | Prim::Max, [a, b])
            if to != Scalar::Usize =>
        {
            size_prim(p, a, b)?
        }
        _ => return None,
    })
}

/// `a`, a number of a type in which the largest one is `most`.
fn fits(a: &Card, most: &Card) -> Card {
    match (a.constant(), a.as_atom()) {
        (Some(n), _) if n >= 0 && most.constant().is_some_and(|most| n <= most) => a.clone(),
        _ => Card::op(Op::Fits, a, most),
    }
}

/// Whether the operands that are tracked are exact integers, in an operation that only tracked numbers have.
pub(crate) fn takes_exact_sizes(p: Prim) -> bool {
    let rounds = matches!(p, Prim::NextPowerOfTwo | Prim::NextMultipleOf);
    rounds || matches!(p, Prim::Shr | Prim::Isqrt | Prim::Ilog2 | Prim::AbsDiff)
}

/// Whether the result is the exact integer if it is tracked. A number that is rounded up may be too large for a
/// `usize`.
pub(crate) fn gives_exact_size(p: Prim) -> bool {
    matches!(p, Prim::NextPowerOfTwo | Prim::NextMultipleOf)
}

/// An operation on sizes; `None` if sizes do not have it.
pub(crate) fn size_prim(p: Prim, a: &Card, b: &Card) -> Option<Card> {
    Some(match p {
        Prim::Add => a.add(b),
        Prim::Sub => a.sub(b),
        Prim::SaturatingSub => Card::op(Op::Max, a, b).sub(b),
        Prim::Mul => a.mul(b),
        Prim::Div | Prim::DivEuclid => Card::op(Op::Div, a, b),
        // For `n = 0` Rust panics in `0..=n - 1`, which has `n` iterations otherwise: the difference must not vanish.
        Prim::Through => Card::op(Op::Max, &Card::op(Op::Max, b, &Card::lit(0)).add(&Card::lit(1)), a).sub(a),
        Prim::DivCeil | Prim::Steps => Card::op(Op::Div, &a.add(b).sub(&Card::lit(1)), b),
        Prim::Rem | Prim::RemEuclid => Card::op(Op::Rem, a, b),
        Prim::Min => Card::op(Op::Min, a, b),
        Prim::Max => Card::op(Op::Max, a, b),
        _ => return None,
    })
}
