//! The largest value of a size over the loops around it: the capacity of storage whose size depends on loops.
//!
//! ```text
//! ⌈c · a₁ … aₖ⌉ = c · ⌈a₁⌉ … ⌈aₖ⌉      c > 0; a term with c < 0 that varies is at most 0
//! ⌈i⌉           = ⌈N - 1⌉              the index of a loop of N iterations
//! ⌈min a b⌉     = min ⌈a⌉ ⌈b⌉          or the bound that exists
//! ⌈a / b⌉, ⌈a % b⌉                     ⌈a⌉ / b, ⌈b⌉ - 1
//! ⌈1 << i⌉                             (1 << N) / 2         i as above; N - 1 may be negative
//! ```
//!
//! The result is always an upper bound. It is exact where the size is monotonic in each index, as nearly all are.
//!
//! An index is at most its count minus 1, and sizes in practice are monotonic in it, so that one end of its range
//! gives the exact maximum. A size such as `i - 1` may be negative in an iteration that never reaches the array.

use super::card::{Atom, Card, Op};
use super::known::Loops;
use crate::name::VarId;
use crate::sorted::Map;
use std::cell::RefCell;

/// An upper bound of `c` over all iterations of `loops`, in known atoms only; `None` if none can be derived. If a loop
/// has no iterations the bound may be negative, and then stands for 0. `limits` has such bounds for variables that are
/// not tracked.
pub fn upper(c: &Card, loops: &Loops, known: &dyn Fn(&Atom) -> bool, limits: &Map<VarId, Card>) -> Option<Card> {
    UpperBound { known, limits, operand: false, found: &RefCell::default() }.card(c, loops)
}

struct UpperBound<'k> {
    known: &'k dyn Fn(&Atom) -> bool,
    limits: &'k Map<VarId, Card>,
    /// Whether the bound is for an operand of one of the four operations. They are defined for non-negative numbers
    /// only, so no part of the operand may be negative, not even if a loop has no iterations.
    operand: bool,
    /// The bounds of variables found so far, outside of operands that must not be negative (`false`) and in one
    /// (`true`). A count may mention an outer index several times, and so may the count of that index.
    found: &'k RefCell<Map<(VarId, bool), Option<Card>>>,
}

impl UpperBound<'_> {
    fn card(&self, c: &Card, loops: &Loops) -> Option<Card> {
        let mut sum = Card::default();
        for (k, powers) in c.terms() {
            if powers.iter().all(|(a, _)| self.is_known(a)) && !(self.operand && k < 0) {
                let product = |p: Card, (a, power): &(Atom, u32)| times(p, &Card::atom(a.clone()), *power);
                sum = sum.add(&powers.iter().fold(Card::lit(k), product));
            } else if k > 0 {
                let product = |p, (a, power): &(Atom, u32)| Some(times(p, &self.atom(a, loops)?, *power));
                sum = sum.add(&powers.iter().try_fold(Card::lit(k), product)?);
            }
        }
        Some(sum)
    }

    fn atom(&self, a: &Atom, loops: &Loops) -> Option<Card> {
        let of_operand = UpperBound { operand: true, ..*self };
        match a {
            a if self.is_known(a) => Some(Card::atom(a.clone())),
            Atom::Var(v) => {
                let found = self.found.borrow().get(&(*v, self.operand)).cloned();
                found.unwrap_or_else(|| {
                    let most = self.variable(*v, loops);
                    self.found.borrow_mut().insert((*v, self.operand), most.clone());
                    most
                })
            }
            Atom::Op(op, x, y) => {
                let (most, other) = (of_operand.card(x, loops), of_operand.card(y, loops));
                match op {
                    // Where the quotient is evaluated, the divisor is at least 1.
                    Op::Div if y.never_negative() && y.atoms().into_iter().all(|a| self.is_known(a)) => {
                        Some(Card::op(Op::Div, &most?, &Card::op(Op::Max, y, &Card::lit(1))))
                    }
                    Op::Div => most,
                    Op::Rem => other.map(|n| if self.operand { n } else { n.sub(&Card::lit(1)) }).or(most),
                    Op::Min => match (most, other) {
                        (Some(x), Some(y)) => Some(Card::op(Op::Min, &x, &y)),
                        (one, None) | (None, one) => one,
                    },
                    Op::Max => Some(Card::op(Op::Max, &most?, &other?)),
                    Op::Mul => Some(most?.mul(&other?)),
                    // All of them grow with their operands, from 1 on.
                    Op::Log2 => Some(Card::unary(*op, &Card::op(Op::Max, &most?, &Card::lit(1)))),
                    Op::Pow => Some(Card::op(*op, &Card::op(Op::Max, &most?, &Card::lit(1)), &other?)),
                    // The exponent must not be negative, which `exact` may be. So the bound is the power of `larger`,
                    // divided by the power of their difference.
                    Op::Exp2 => {
                        let (larger, exact) = (most?, UpperBound { operand: false, ..*self }.card(x, loops)?);
                        let by = larger.sub(&exact).constant().filter(|by| (0..32).contains(by)).unwrap_or(0);
                        Some(Card::op(Op::Div, &Card::unary(*op, &larger), &Card::lit(1 << by)))
                    }
                    Op::Isqrt | Op::NextPower => Some(Card::unary(*op, &most?)),
                    Op::Fits => Some(Card::op(Op::Min, &most?, &other?)),
                }
            }
            Atom::Len(..) | Atom::Untracked => None,
        }
    }

    fn variable(&self, v: VarId, loops: &Loops) -> Option<Card> {
        match loops.iter().rposition(|(i, _)| *i == v).and_then(|at| Some((at, loops[at].1.as_ref()?))) {
            Some((at, count)) if self.operand => self.card(count, &loops[..at]),
            Some((at, count)) => self.card(&count.sub(&Card::lit(1)), &loops[..at]),
            None => self.card(self.limits.get(&v)?, loops),
        }
    }

    /// Whether an atom is known and has a value for all sizes. An iteration that never runs could have a negative
    /// operand or a divisor 0.
    fn is_known(&self, a: &Atom) -> bool {
        match a {
            Atom::Op(op, x, y) => {
                let divides = matches!(op, Op::Div | Op::Rem) && y.constant().is_none_or(|n| n <= 0);
                let known = |c: &Card| {
                    c.never_negative() && c.terms().flat_map(|(_, powers)| powers).all(|(a, _)| self.is_known(a))
                };
                !divides && !op.is_partial() && known(x) && known(y)
            }
            Atom::Untracked => false,
            a => (self.known)(a),
        }
    }
}

fn times(product: Card, factor: &Card, power: u32) -> Card {
    (0..power).fold(product, |p, _| p.mul(factor))
}

#[cfg(test)]
mod tests {
    use super::super::card::numbers;
    use super::*;

    const N: VarId = VarId(0);
    const M: VarId = VarId(1);
    const I: VarId = VarId(2);
    const J: VarId = VarId(3);

    fn known(a: &Atom) -> bool {
        matches!(a, Atom::Var(N | M))
    }

    #[test]
    fn monotonic_sizes_have_exact_bounds() {
        let [n, m, i, j] = [N, M, I, J].map(Card::var);
        let one = Card::lit(1);
        let loops = [(I, Some(n.clone())), (J, Some(i.add(&one)))];
        let most = |c: &Card| upper(c, &loops, &known, &Map::new());
        assert_eq!(most(&i.add(&one)), Some(n.clone()));
        assert_eq!(most(&n.sub(&i)), Some(n.clone()), "in the first iteration");
        assert_eq!(most(&j.add(&one)), Some(n.clone()), "j <= i <= n - 1");
        assert_eq!(most(&m.mul(&i.add(&one))), Some(n.mul(&m)));
        assert_eq!(most(&n.sub(&m)), Some(n.sub(&m)), "nothing varies");
    }

    #[test]
    fn unbounded_loops_give_no_bound() {
        let [n, i, j] = [N, I, J].map(Card::var);
        let loops = [(I, None), (J, Some(i.clone()))];
        let most = |c: &Card| upper(c, &loops, &known, &Map::new());
        assert_eq!(most(&i), None);
        assert_eq!(most(&j), None);
        assert_eq!(most(&Card::op(Op::Min, &i, &n)), Some(n.clone()));
        assert_eq!(most(&Card::op(Op::Rem, &i, &n)), Some(n.sub(&Card::lit(1))));
        assert_eq!(most(&n.sub(&i)), Some(n));
        assert_eq!(most(&Card::var(VarId(9))), None);
    }

    /// Every bound holds for all small sizes and indices for which nothing panics.
    #[test]
    fn bounds_hold() {
        let mut next = numbers(11);
        let mut bounded = 0;
        for _ in 0..2_000 {
            let counts = [Card::random(&mut next, 2, 2), Card::random(&mut next, 2, 3)];
            let loops = [(I, Some(counts[0].clone())), (J, Some(counts[1].clone()))];
            let c = Card::random(&mut next, 3, 4);
            let Some(most) = upper(&c, &loops, &known, &Map::new()) else { continue };
            bounded += 1;
            assert!(!most.mentions(I) && !most.mentions(J), "{most:?}");
            for case in 0..4usize.pow(4) {
                let values = [case % 4, case / 4 % 4, case / 16 % 4, case / 64].map(|v| v as i128);
                let lookup = |a: &Atom| if let Atom::Var(v) = a { values[v.0 as usize] } else { unreachable!() };
                let runs = |k: usize| counts[k].eval(&lookup).is_some_and(|n| values[k + 2] < n);
                if let Some(size) = c.eval(&lookup).filter(|_| runs(0) && runs(1)) {
                    let most = most.eval(&lookup);
                    assert!(most.is_some_and(|m| m >= size), "{c:?} <= {most:?} in {loops:?} for {values:?}");
                }
                if c.mentions(I) || c.mentions(J) {
                    assert!(most.eval(&lookup).is_some(), "a bound has a value in any case: {most:?} for {values:?}");
                }
            }
        }
        assert!(bounded > 500, "{bounded} bounds");
    }
}
