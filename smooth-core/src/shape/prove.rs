//! Proofs that a size or an index is never negative, given the loops around it.
//!
//! All values are integers. The facts about them:
//!
//! ```text
//! 0 <= i <= n - 1               a loop index and its count; in an iteration n >= 1
//! 0 <= a % b <= b - 1, a        b >= 1, otherwise the program has panicked
//! a / b <= q  ⟺  a <= q·b + b - 1        a / b >= q  ⟺  a >= q·b
//! min a b  is a or b, and at most both   max a b  is a or b, and at least both
//! ```
//!
//! Operands of the four operations are computed without wrapping, so they are at least 0 (docs/design.md, "Removed
//! checks, and why that is sound").

use super::card::{Atom, Card, Op};
use crate::name::VarId;

/// The loops around a term, outermost first: the index and, if it is tracked, the count.
pub type Loops = [(VarId, Option<Card>)];

/// The number of inequalities that a proof may examine before it is abandoned.
const INEQUALITIES: usize = 64;

/// Whether `c >= 0` for all values of the loop indices and all sizes.
///
/// Each loop index, innermost first, and each operation is replaced by the end of its range at which the expression is
/// smallest. The remaining polynomial in sizes is non-negative if its coefficients are, or if they are after a fact is
/// subtracted: the loops run, and the divisors are positive.
pub fn at_least_zero(c: &Card, loops: &Loops) -> bool {
    if c.never_negative() {
        return true;
    }
    let non_negative = loops.iter().filter_map(|(_, n)| n.as_ref()).map(|n| n.sub(&Card::lit(1))).collect();
    Proof { non_negative, inequalities: INEQUALITIES }.holds(c, loops)
}

/// Whether `0 <= i < len`.
pub fn in_range(i: &Card, len: &Card, loops: &Loops) -> bool {
    at_least_zero(i, loops) && at_least_zero(&len.sub(i).sub(&Card::lit(1)), loops)
}

struct Proof {
    /// Sizes that are at least 0.
    non_negative: Vec<Card>,
    /// The number of inequalities that may still be examined.
    inequalities: usize,
}

impl Proof {
    /// Whether `c >= 0` inside `loops`.
    fn holds(&mut self, c: &Card, loops: &Loops) -> bool {
        if self.inequalities == 0 || c.is_untracked() {
            return false;
        }
        self.inequalities -= 1;
        if self.evident(c) {
            return true;
        }
        if let Some(((i, count), outer)) = loops.split_last()
            && let Some((slope, rest)) = c.linear_in(*i)
        {
            let lowest = match count {
                _ if slope.never_negative() => Some(rest),
                Some(n) if negative(&slope) => Some(slope.mul(&n.sub(&Card::lit(1))).add(&rest)),
                _ => None,
            };
            if lowest.is_some_and(|c| self.holds(&c, outer)) {
                return true;
            }
        }
        for a in c.terms().flat_map(|(_, powers)| powers).map(|(a, _)| a) {
            let Atom::Op(op, x, y) = a else { continue };
            let Some((slope, rest)) = c.linear_in_atom(a) else { continue };
            if matches!(op, Op::Div | Op::Rem) {
                let fact = y.sub(&Card::lit(1));
                if !self.non_negative.contains(&fact) {
                    self.non_negative.push(fact);
                }
            }
            if let Some(ways) = at_worst(*op, x, y, &slope, &rest) {
                return ways.iter().any(|all| all.iter().all(|c| self.holds(c, loops)));
            }
        }
        false
    }

    /// `c = f·m + rest` with a fact `f >= 0`, a size `m` (or 1), and `rest` without negative coefficients.
    fn evident(&self, c: &Card) -> bool {
        let sizes = || c.atoms().into_iter().map(|a| Card::atom(a.clone())).chain([Card::lit(1)]);
        c.never_negative() || self.non_negative.iter().any(|f| sizes().any(|m| c.sub(&f.mul(&m)).never_negative()))
    }
}

fn negative(slope: &Card) -> bool {
    Card::default().sub(slope).never_negative()
}

/// Sufficient conditions for `slope · op(a, b) + rest >= 0`: it holds if every size of one of the lists is at least 0.
/// `None` if the sign of the slope is unknown.
fn at_worst(op: Op, a: &Card, b: &Card, slope: &Card, rest: &Card) -> Option<Vec<Vec<Card>>> {
    let at = |end: &Card| slope.mul(end).add(rest);
    let one = Card::lit(1);
    let up = slope.never_negative();
    if !up && !negative(slope) {
        return None;
    }
    Some(match op {
        Op::Rem if up => vec![vec![rest.clone()]],
        Op::Rem => vec![vec![at(&b.sub(&one))], vec![at(a)]],
        Op::Div if up && *slope == one => vec![vec![rest.clone()], vec![a.add(&rest.mul(b))]],
        // b·(a / b) >= a - b + 1
        Op::Div if up => vec![vec![rest.clone()], vec![slope.mul(&a.sub(b).add(&one)).add(&rest.mul(b))]],
        Op::Div if slope.constant() == Some(-1) => vec![vec![rest.mul(b).add(b).sub(&one).sub(a)], vec![at(a)]],
        Op::Div => vec![vec![rest.mul(b).add(&slope.mul(a))], vec![at(a)]],
        Op::Min if up => vec![vec![rest.clone()], vec![at(a), at(b)]],
        Op::Min => vec![vec![at(a)], vec![at(b)]],
        Op::Max if up => vec![vec![rest.clone()], vec![at(a)], vec![at(b)]],
        Op::Max => vec![vec![at(a), at(b)]],
        Op::Mul if up => vec![vec![rest.clone()]],
        Op::Mul => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::card::numbers;
    use super::*;

    #[test]
    fn indices_of_loops_are_in_range() {
        let [n, m, i, j] = [0, 1, 2, 3].map(|k| Card::var(VarId(k)));
        let lit = Card::lit;
        let loops = [(VarId(2), Some(n.clone())), (VarId(3), Some(i.clone()))];
        let inside = |e: &Card| in_range(e, &n, &loops);
        assert!(inside(&i));
        assert!(inside(&j), "j < i < n");
        assert!(inside(&n.sub(&lit(1)).sub(&i)), "reversed");
        assert!(!inside(&i.add(&lit(1))));
        assert!(inside(&i.sub(&j).sub(&lit(1))), "i - j - 1");
        assert!(inside(&i.sub(&lit(1))), "the loop over j runs, so i >= 1");
        assert!(inside(&lit(0)), "the loop runs, so n >= 1");
        assert!(!inside(&lit(1)));
        assert!(at_least_zero(&n.mul(&m).sub(&i.mul(&m)).sub(&m), &loops), "row i of n rows of m");
        assert!(!at_least_zero(&i.mul(&i).sub(&n), &loops));
    }

    #[test]
    fn remainders_and_quotients_are_in_range() {
        let [n, m, i, k] = [0, 1, 2, 3].map(|k| Card::var(VarId(k)));
        let op = |o, a: &Card, b: &Card| Card::op(o, a, b);
        assert!(in_range(&op(Op::Rem, &i.mul(&k), &n), &n, &[]));
        assert!(!in_range(&op(Op::Rem, &i, &m), &n, &[]), "another size");
        assert!(!in_range(&op(Op::Rem, &i, &n).add(&Card::lit(1)), &n, &[]));
        let flat = [(VarId(2), Some(n.mul(&m)))];
        assert!(in_range(&op(Op::Div, &i, &m), &n, &flat), "the row of a flat index");
        assert!(in_range(&op(Op::Rem, &i, &m), &m, &flat), "and the column");
        assert!(!in_range(&op(Op::Div, &i, &n), &n, &flat));
        let half = [(VarId(2), Some(op(Op::Div, &n, &Card::lit(2))))];
        assert!(in_range(&i.mul(&Card::lit(2)).add(&Card::lit(1)), &n, &half), "2 i + 1 for i < n / 2");
        assert!(!in_range(&i.mul(&Card::lit(2)).add(&Card::lit(2)), &n, &half));
        assert!(in_range(&i.add(&op(Op::Div, &n, &Card::lit(2))), &n, &half), "the upper half");
        let [by_2, by_4] = [2, 4].map(|k| op(Op::Div, &n, &Card::lit(k)));
        assert!(at_least_zero(&by_2.sub(&by_4), &[]) && !at_least_zero(&by_4.sub(&by_2), &[]));
        assert!(!in_range(&op(Op::Div, &n, &Card::lit(2)), &n, &[]), "n may be 0");
        let middle = by_2.sub(&by_4);
        assert!(in_range(&i, &middle, &[(VarId(2), Some(middle.clone()))]));
    }

    #[test]
    fn extrema_are_in_range() {
        let [n, m, i, k] = [0, 1, 2, 3].map(|k| Card::var(VarId(k)));
        let op = |o, a: &Card, b: &Card| Card::op(o, a, b);
        let last = n.sub(&Card::lit(1));
        let loops = [(VarId(2), Some(op(Op::Min, &n, &m)))];
        assert!(in_range(&i, &n, &loops) && in_range(&i, &m, &loops));
        assert!(!in_range(&i, &n, &[(VarId(2), Some(op(Op::Max, &n, &m)))]));
        let over = [(VarId(2), Some(n.clone()))];
        assert!(in_range(&op(Op::Min, &i.add(&k), &last), &n, &over), "clamped");
        assert!(!in_range(&op(Op::Max, &i, &k), &n, &over));
        assert!(in_range(&op(Op::Max, &i, &Card::lit(1)).sub(&Card::lit(1)), &n, &over), "the one before, or 0");
        assert!(!at_least_zero(&op(Op::Min, &n, &m).sub(&n), &[]));
    }

    /// A proved inequality holds for all small sizes and indices for which nothing panics.
    #[test]
    fn proved_inequalities_are_true() {
        let mut next = numbers(7);
        let mut proved = 0;
        for _ in 0..5_000 {
            let counts = [Card::random(&mut next, 2, 2), Card::random(&mut next, 2, 3)];
            let loops = [(VarId(2), Some(counts[0].clone())), (VarId(3), Some(counts[1].clone()))];
            let c = Card::random(&mut next, 3, 4);
            if c.never_negative() || !at_least_zero(&c, &loops) {
                continue;
            }
            proved += 1;
            for case in 0..5usize.pow(4) {
                let values = [case % 5, case / 5 % 5, case / 25 % 5, case / 125].map(|v| v as i128);
                let lookup = |a: &Atom| if let Atom::Var(v) = a { values[v.0 as usize] } else { unreachable!() };
                let runs = |k: usize| counts[k].eval(&lookup).is_some_and(|n| values[k + 2] < n);
                if runs(0) && runs(1) {
                    assert!(c.eval(&lookup).is_none_or(|x| x >= 0), "{c:?} in {loops:?} for {values:?}");
                }
            }
        }
        assert!(proved > 300, "{proved} proofs");
    }
}
