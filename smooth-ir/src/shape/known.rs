//! Facts at a place, and the loops around it.

use super::Check;
use super::card::{Atom, Card, Op};
use crate::mapped::Mapped;
use crate::name::VarId;

/// A loop index with its count, where the count can be tracked.
pub type Counted = (VarId, Option<Card>);

/// The loops around a term, outermost first: the index and, if it is tracked, the count.
pub type Loops = [Counted];

/// Facts at a place, except for those of its loops.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Known {
    /// Sizes that are at least 0.
    pub(super) at_least_zero: Vec<Card>,
    /// Pairs `(a, b)`: the `usize` value of `a`, which may have wrapped, is less than the integer `b`.
    pub(super) below: Vec<(Card, Card)>,
    /// Pairs of alternatives: at least one of the two holds.
    pub(super) either: Vec<(Known, Known)>,
}

impl Known {
    /// The fact that a size is not negative.
    pub fn at_least_zero(c: Card) -> Known {
        Known::from([c])
    }

    pub(super) fn from(at_least_zero: impl IntoIterator<Item = Card>) -> Known {
        Known { at_least_zero: at_least_zero.into_iter().collect_vec(), ..Known::default() }
    }

    /// The fact that these sizes are not negative.
    pub fn not_negative(cards: impl IntoIterator<Item = Card>) -> Known {
        Known::from(cards)
    }

    /// The facts after an entry check has passed. If a call is under a condition, its caller performs the check there.
    pub fn at_entry(check: &Check) -> Known {
        match check {
            Check::Equal { left, right, .. } => Known::from([left.sub(right), right.sub(left)]),
            Check::Size { size } => Known::from([size.clone()]),
            Check::Slice { start, end, len, .. } => Known::slice(start, end, len),
        }
    }

    /// The facts of a slice that is in range.
    pub fn slice(start: &Card, end: &Card, len: &Card) -> Known {
        let told = [start.clone(), end.sub(start), len.sub(end)];
        Known::from(told.into_iter().filter(|f| !f.never_negative()))
    }

    /// Both.
    pub fn and(mut self, other: Known) -> Known {
        self.at_least_zero.extend(other.at_least_zero);
        self.below.extend(other.below);
        self.either.extend(other.either);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Known::default()
    }
}

/// The maximum number of maxima that are examined in one count.
const MAXIMA: usize = 8;

/// The facts in the body of a loop besides `0 <= k < n`, as inequalities: the loop runs at least once.
///
/// ```text
/// n = max a b - a   ⟹  k < b - a      the range a..b; then a < b, and so on where b is a maximum
/// n = m / s         ⟹  m >= s         steps of s
/// n = … op a b …    ⟹  a, b >= 0      the operands are computed without wrapping
/// ```
pub(super) fn iterating((k, count): &Counted) -> Vec<Card> {
    let mut found = Vec::new();
    let Some(mut n) = count.clone() else { return found };
    for a in n.atoms() {
        let Atom::Op(_, x, y) = a else { continue };
        found.extend([x, y].into_iter().filter(|c| !c.never_negative()).map(|c| (**c).clone()));
    }
    // If `n = m / s`, nothing is said about `k` except that it is 0 in the first iteration: `m - s + 1 > 0`.
    let mut k = Card::var(*k);
    if let Some(Atom::Op(Op::Div, m, s)) = n.as_atom()
        && s.constant().is_none_or(|s| s > 0)
    {
        found.push(m.sub(s));
        (n, k) = (m.sub(s).add(&Card::lit(1)), Card::default());
    }
    let mut below = vec![n];
    while let Some(n) = below.pop().filter(|_| found.len() < MAXIMA) {
        for most in running(&n) {
            found.push(most.sub(&Card::lit(1)).sub(&k));
            below.push(most);
        }
    }
    found
}

/// The numbers that a number of iterations is if there are any: if a maximum in it were the other operand, there would be none.
pub(super) fn running(n: &Card) -> Vec<Card> {
    let extrema = n.terms().filter_map(|(c, powers)| match powers {
        [(max @ Atom::Op(Op::Max, a, b), 1)] if c == 1 => Some((max.clone(), (**a).clone(), (**b).clone())),
        _ => None,
    });
    let mut found = vec![];
    for (max, a, b) in extrema.collect::<Vec<_>>() {
        let rest = n.sub(&Card::atom(max));
        // The other operand may contain maxima.
        let other =
            [(&a, &b), (&b, &a)].into_iter().filter(|(a, _)| Card::default().sub(&a.add(&rest)).never_negative());
        found.extend(other.map(|(_, b)| b.add(&rest)));
    }
    found
}
