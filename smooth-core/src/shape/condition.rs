//! What comparisons of sizes and indices say: inequalities between the integers that they stand for.
//!
//! ```text
//! a < b   ⟹  b - a - 1 >= 0           a <= b  ⟹  b - a >= 0
//! a == b  ⟹  a - b >= 0, b - a >= 0   a != b  ⟹  b - a - 1 >= 0      where b - a >= 0 is known
//! ```
//!
//! A program compares `usize` values, which may have wrapped: the value of `i - 1` is that integer only if `i >= 1` is
//! known. So both sides must be *exact*: their integers are known to be in the range of `usize`. If only the larger side
//! is, the comparison still says that the value of the smaller side, wrapped or not, is below it; that is enough for an
//! index which is the same polynomial, and so the same value.

use super::Check;
use super::card::{Atom, Card, Op};
use super::facts::Facts;
use crate::prim::Prim;

/// What is known at a place besides its loops.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Known {
    /// Sizes that are at least 0.
    pub(super) at_least_zero: Vec<Card>,
    /// Pairs `(a, b)`: the `usize` value of `a`, which may have wrapped, is less than the integer `b`.
    pub(super) below: Vec<(Card, Card)>,
}

impl Known {
    fn from(at_least_zero: impl IntoIterator<Item = Card>) -> Known {
        Known { at_least_zero: at_least_zero.into_iter().collect(), below: vec![] }
    }

    /// What an entry check says. Others than equalities are not performed where a call is under a condition.
    pub fn at_entry(check: &Check) -> Known {
        match check {
            Check::Equal { left, right, .. } => Known::from([left.sub(right), right.sub(left)]),
            Check::Size { .. } | Check::Slice { .. } => Known::default(),
        }
    }

    /// The ends of a slice that exists, as integers.
    pub fn slice(start: &Card, end: &Card, len: &Card) -> Known {
        Known::from([end.sub(start), len.sub(end)])
    }

    /// Both.
    pub fn and(mut self, other: Known) -> Known {
        self.at_least_zero.extend(other.at_least_zero);
        self.below.extend(other.below);
        self
    }

    fn is_empty(&self) -> bool {
        self.at_least_zero.is_empty() && self.below.is_empty()
    }
}

/// What is known where a condition holds, and where it fails.
#[derive(Clone, Default, Debug)]
pub struct Condition {
    /// Where it holds.
    pub holds: Known,
    /// Where it fails.
    pub fails: Known,
}

impl Condition {
    /// Its negation.
    pub fn not(self) -> Condition {
        Condition { holds: self.fails, fails: self.holds }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.holds.is_empty() && self.fails.is_empty()
    }
}

impl Facts {
    /// What the comparison `a p b` says; nothing for other operations.
    pub fn compare(&self, p: Prim, a: &Card, b: &Card) -> Condition {
        match p {
            Prim::Lt => Condition { holds: self.less(a, b), fails: self.at_most(b, a) },
            Prim::Le => self.compare(Prim::Lt, b, a).not(),
            Prim::Gt => self.compare(Prim::Lt, b, a),
            Prim::Ge => self.compare(Prim::Lt, a, b).not(),
            Prim::Eq => Condition { holds: self.at_most(a, b).and(self.at_most(b, a)), fails: self.differ(a, b) },
            Prim::Ne => self.compare(Prim::Eq, a, b).not(),
            _ => Condition::default(),
        }
    }

    /// An index of an array of that length, which exists.
    pub fn index(&self, i: &Card, len: &Card) -> Known {
        let inequality = self.is_exact(i).then(|| len.sub(i).sub(&Card::lit(1)));
        Known { at_least_zero: inequality.into_iter().collect(), below: vec![(i.clone(), len.clone())] }
    }

    /// `a < b`.
    fn less(&self, a: &Card, b: &Card) -> Known {
        self.at_most_less(a, b, 1)
    }

    /// `a <= b`.
    fn at_most(&self, a: &Card, b: &Card) -> Known {
        self.at_most_less(a, b, 0)
    }

    /// `a <= b - gap`.
    fn at_most_less(&self, a: &Card, b: &Card, gap: i128) -> Known {
        match (self.is_exact(a), self.is_exact(b)) {
            (_, false) => Known::default(),
            (true, true) => Known::from([b.sub(a).sub(&Card::lit(gap))]),
            (false, true) => Known { at_least_zero: vec![], below: vec![(a.clone(), b.add(&Card::lit(1 - gap)))] },
        }
    }

    /// `a != b`.
    fn differ(&self, a: &Card, b: &Card) -> Known {
        if !self.is_exact(a) || !self.is_exact(b) {
            return Known::default();
        }
        let apart = |d: Card| self.at_least_zero(&d).then(|| d.sub(&Card::lit(1)));
        Known::from([a.sub(b), b.sub(a)].into_iter().filter_map(apart))
    }

    /// Whether a `usize` computed as this polynomial is this integer: it is not negative, and at most some integer that
    /// is the value of a `usize`.
    pub fn is_exact(&self, c: &Card) -> bool {
        if let Some(n) = c.constant() {
            // In the range of every target's `usize`.
            return (0..=u32::MAX.into()).contains(&n);
        }
        if let Some(a) = c.as_atom() {
            return is_value(a);
        }
        !c.is_untracked() && self.at_least_zero(c) && self.values(c).iter().any(|n| self.at_least_zero(&n.sub(c)))
    }

    /// Integers that are the values of `usize`s, and may bound `c`: its own atoms, those of inequalities that mention
    /// one of them, and the counts of the loops.
    fn values(&self, c: &Card) -> Vec<Card> {
        let atoms = |c: &Card| -> Vec<Atom> {
            let positive = c.terms().filter(|(k, powers)| *k > 0 && powers.len() == 1 && powers[0].1 == 1);
            positive.map(|(_, powers)| powers[0].0.clone()).filter(is_value).collect()
        };
        let mut found = atoms(c);
        let own: Vec<&Atom> = c.atoms();
        let related = self.assumed().filter(|f| f.atoms().iter().any(|a| own.contains(a)));
        related.for_each(|f| found.extend(atoms(f)));
        found.sort();
        found.dedup();
        let counts = self.loops().iter().filter_map(|(_, n)| n.clone());
        found.into_iter().map(Card::atom).chain(counts).collect()
    }
}

/// Whether an atom is the value of a `usize`. The operands of an operation are exact, but a product of them may wrap.
fn is_value(a: &Atom) -> bool {
    !matches!(a, Atom::Op(Op::Mul, ..) | Atom::Untracked)
}
