//! The facts of conditions about sizes and indices, and names for parts of tuples that are not tracked.
//!
//! Only proofs about indices use conditions: neither acceptance nor a size depends on them.

use super::value_shape::ValueShape;
use super::{Infer, size_prim};
use crate::fsmooth::{Demand, Expr, IFold, Kind, Required, Slot, print};
use crate::mapped::{Both, Mapped};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Card, Op};
use crate::shape::condition::{Condition, Known};
use crate::shape::facts::Facts;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// The highest number of a name for a part of a tuple that has none. Higher numbers stand for values that are unknown
/// otherwise.
const PARTS: u32 = u32::MAX - 1_000;

/// The highest number of a name for the value of a term.
const VALUES: u32 = u32::MAX / 2;

impl Infer<'_> {
    /// The facts in the part of `e` in this slot that follow from a condition of `e`.
    pub(crate) fn known_in(&mut self, e: &Expr, slot: Slot) -> Known {
        match (e.kind(), slot) {
            (Kind::If(c, ..), Slot::Then) => self.says(c).holds,
            (Kind::If(c, ..), Slot::Else) => self.says(c).fails,
            (Kind::Prim(Prim::And, es), Slot::Right) => self.says(&es[0]).holds,
            (Kind::Prim(Prim::Or, es), Slot::Right) => self.says(&es[0]).fails,
            (Kind::IFold(IFold { test: Some(test), .. }), Slot::Body) => self.says(test).holds,
            (Kind::Demand(d), Slot::Checked) => self.says_demand(d),
            (Kind::Demand(Demand { what: Required::Holds(parts), .. }), Slot::Failure) => self.says(&parts[0]).fails,
            _ => Known::default(),
        }
    }

    /// The facts after a check.
    fn says_demand(&mut self, d: &Demand) -> Known {
        match &d.what {
            Required::InOrder(ends) => {
                let ends = ends.each_ref().map(|e| self.shape(e).card());
                let [Some(start), Some(end), Some(len)] = ends else { return Known::default() };
                Known::slice(&start, &end, &len)
            }
            Required::Holds(parts) => self.says(&parts[0]).holds,
            Required::Evaluated(_) => Known::default(),
        }
    }

    /// As [`known_in`](Self::known_in), at a place with these facts.
    pub(crate) fn known_where(&mut self, facts: &Facts, e: &Expr, slot: Slot) -> Known {
        let own = std::mem::replace(&mut self.facts, facts.clone());
        let known = self.known_in(e, slot);
        self.facts = own;
        known
    }

    /// The facts of a condition whose variables have been in scope.
    fn says(&mut self, c: &Expr) -> Condition {
        match c.kind() {
            Kind::Var(v) => self.conditions.get(v).cloned().unwrap_or_default(),
            Kind::Let(_, _, c) => self.says(c),
            Kind::Prim(Prim::Not, es) => self.says(&es[0]).negated(),
            Kind::Prim(Prim::And, es) => {
                let (a, b) = self.both(&es[0], &es[1], |c| c);
                Condition { holds: a.holds.and(b.holds), fails: Known::default() }
            }
            Kind::Prim(Prim::Or, es) => {
                let (a, b) = self.both(&es[0], &es[1], Condition::negated);
                Condition { holds: Known::default(), fails: a.holds.and(b.holds) }
            }
            // `a && b` and `a || b`, written as branches.
            Kind::If(a, yes, no) => match (yes.kind(), no.kind()) {
                (_, Kind::Lit(Lit::Bool(false))) => {
                    let (a, b) = self.both(a, yes, |c| c);
                    Condition { holds: a.holds.and(b.holds), fails: Known::default() }
                }
                (Kind::Lit(Lit::Bool(true)), _) => {
                    let (a, b) = self.both(a, no, Condition::negated);
                    Condition { holds: Known::default(), fails: a.holds.and(b.holds) }
                }
                _ => Condition::default(),
            },
            Kind::Prim(p, es) if es.len() == 2 && *es[0].ty() == Type::USIZE => {
                let (Some(a), Some(b)) = (self.value(&es[0]), self.value(&es[1])) else { return Condition::default() };
                self.facts.compare(*p, &a, &b)
            }
            _ => Condition::default(),
        }
    }

    /// Two conditions, the second where the first one holds.
    fn both(&mut self, a: &Expr, b: &Expr, sign: fn(Condition) -> Condition) -> (Condition, Condition) {
        let a = sign(self.says(a));
        self.enter_known(&a.holds);
        let b = sign(self.says(b));
        self.leave_part(Slot::Right);
        (a, b)
    }

    fn enter_known(&mut self, known: &Known) {
        self.facts.enter_part(Slot::Right.role());
        self.facts.assume(known);
    }

    /// The value of a number, tracked or not: a term that is not a polynomial has a name, and equal terms have one
    /// name. `None` for terms with loops or functions in them, which would be costly to compare.
    pub(crate) fn value(&mut self, e: &Expr) -> Option<Card> {
        if e.count(|e| !is_plain(e)) > 0 {
            return self.shape(e).card();
        }
        Some(self.plain_value(e))
    }

    fn plain_value(&mut self, e: &Expr) -> Card {
        if let Some(c) = self.shape(e).card() {
            return c;
        }
        match e.kind() {
            Kind::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), es) => {
                let [a, b] = [&es[0], &es[1]].both(|e| self.plain_value(e));
                size_prim(*p, &a, &b).unwrap_or_else(|| self.name_of(e))
            }
            Kind::Prim(Prim::Clamp, es) => {
                let [x, low, high] = [&es[0], &es[1], &es[2]].map(|e| self.exact_value(e));
                Card::op(Op::Min, &Card::op(Op::Max, &x, &low), &high)
            }
            Kind::Prim(p, es) if has_exact_operands(*p) => {
                let [a, b] = [&es[0], &es[1]].both(|e| self.exact_value(e));
                size_prim(*p, &a, &b).unwrap_or_else(|| self.name_of(e))
            }
            _ => self.name_of(e),
        }
    }

    /// The value of an operand that is computed without wrapping if it is tracked.
    fn exact_value(&mut self, e: &Expr) -> Card {
        self.shape(e).card().unwrap_or_else(|| self.name_of(e))
    }

    /// A name for the value of a term.
    fn name_of(&mut self, e: &Expr) -> Card {
        let key = print::flat(e, &self.kernel.names);
        let fresh = VarId(VALUES - self.values.len() as u32);
        let name = *self.values.entry(key).or_insert(fresh);
        if let Some(most) = most(e) {
            self.facts.limit(name, Some(Card::lit(most)));
        }
        if matches!(e.kind(), Kind::If(..)) {
            self.bind_number(name, e);
        }
        Card::var(name)
    }

    /// Records the facts of a boolean variable.
    pub(super) fn bind_condition(&mut self, x: VarId, e: &Expr) {
        if self.accepted && *e.ty() == Type::Scalar(Scalar::Bool) {
            let c = self.says(e);
            if c.is_empty() { drop(self.conditions.remove(&x)) } else { drop(self.conditions.insert(x, c)) }
        }
    }

    /// Records the value of a number that is tracked by its name, or the two values that a condition chooses from.
    pub(super) fn bind_number(&mut self, x: VarId, e: &Expr) {
        if !self.accepted {
            return;
        }
        let cases = match e.kind() {
            Kind::If(_, a, b) => {
                [(Slot::Then, a), (Slot::Else, b)].both(|(slot, a)| self.case(e, slot, a)).into_iter().all_some()
            }
            _ => self.exact(e).map(|c| vec![(Known::default(), c)]),
        };
        self.facts.define(x, cases);
    }

    /// The facts in a branch, and its value.
    fn case(&mut self, e: &Expr, slot: Slot, branch: &Expr) -> Option<(Known, Card)> {
        let known = self.known_in(e, slot);
        self.enter_known(&known);
        let value = self.exact(branch);
        self.leave_part(slot);
        Some((known, value?))
    }

    /// The value of a number, if it is known not to have wrapped.
    fn exact(&mut self, e: &Expr) -> Option<Card> {
        self.value(e).filter(|c| self.facts.is_exact(c))
    }

    /// Gives the `k`th leaf of a tuple variable a name.
    pub fn name_part(&mut self, x: VarId, k: usize, name: VarId) {
        self.parts.insert((x, k), name);
    }

    /// The variable that a name for a part of a tuple belongs to; any other variable itself.
    pub fn owner(&self, v: VarId) -> VarId {
        self.owners.get(&v).copied().unwrap_or(v)
    }

    /// The shape of a tuple variable: its numbers that are not tracked get names, since each has one value wherever it
    /// is used.
    pub(super) fn with_names(&mut self, x: VarId, ty: &Type, shp: ValueShape) -> ValueShape {
        if self.accepted && matches!(ty, Type::Tuple(_)) { self.named(x, ty, shp, &mut 0) } else { shp }
    }

    /// Whether a size mentions a variable or a part of it.
    pub fn mentions(&self, c: &Card, x: VarId) -> bool {
        c.mentions(x) || self.parts.range((x, 0)..=(x, usize::MAX)).any(|(_, part)| c.mentions(*part))
    }

    fn named(&mut self, x: VarId, ty: &Type, shp: ValueShape, leaf: &mut usize) -> ValueShape {
        if let (Type::Tuple(ts), ValueShape::Tuple(ss)) = (ty, &shp) {
            let parts = ts.iter().zip(ss.clone()).map(|(t, s)| self.named(x, t, s, leaf));
            return ValueShape::Tuple(parts.collect_vec());
        }
        let k = *leaf;
        *leaf += 1;
        match shp {
            ValueShape::Scalar(None) | ValueShape::TooComplex if *ty == Type::USIZE => {
                let fresh = VarId(PARTS - self.owners.len() as u32);
                let name = *self.parts.entry((x, k)).or_insert(fresh);
                if name == fresh {
                    self.owners.insert(name, x);
                }
                ValueShape::Scalar(Some(Card::var(name)))
            }
            shp => shp,
        }
    }
}

/// Whether a node is arithmetic, a choice or a read.
fn is_plain(e: &Expr) -> bool {
    let number = matches!(e.kind(), Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) | Kind::Prim(..) | Kind::If(..));
    number || matches!(e.kind(), Kind::Len(..) | Kind::Proj(..) | Kind::Get(..))
}

/// The largest value of a number of few values.
pub(super) fn most(e: &Expr) -> Option<i128> {
    let Kind::Prim(p, es) = e.kind() else { return None };
    match (p, es[0].ty()) {
        (Prim::ToUsize, Type::Scalar(s @ (Scalar::U8 | Scalar::U16))) => Some(s.most() as i128),
        (Prim::ToUsize, Type::Scalar(Scalar::Bool)) => Some(1),
        // In the range of every target's `usize`.
        (Prim::BitAnd, &Type::USIZE) => {
            let mask = |e: &Expr| if let Kind::Lit(l) = e.kind() { l.as_int() } else { None };
            es.iter().find_map(mask).filter(|n| *n <= u32::MAX.into())
        }
        _ => None,
    }
}

/// Whether the operands of an operation on `usize` are exact: sizes that no polynomial expresses are known by their
/// operands, as integers.
pub(crate) fn has_exact_operands(p: Prim) -> bool {
    use Prim::{Clamp, Div, DivCeil, DivEuclid, Max, Min, Rem, RemEuclid, SaturatingSub, Steps, StepsThrough, Through};
    let quotient = matches!(p, Div | DivCeil | DivEuclid | Rem | RemEuclid | Steps | StepsThrough);
    quotient || matches!(p, Min | Max | Clamp | SaturatingSub | Through)
}
