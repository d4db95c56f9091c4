//! The facts in comparisons of sizes and indices: inequalities between the integers that they stand for.
//!
//! ```text
//! a < b   ⟹  b - a - 1 >= 0           a <= b  ⟹  b - a >= 0
//! a == b  ⟹  a - b >= 0, b - a >= 0   a != b  ⟹  b - a - 1 >= 0      where b - a >= 0 is known
//! ```
//!
//! A program compares `usize` values, which may have wrapped: the value of `i - 1` is that integer only if `i >= 1` is
//! known. So both sides must be *exact*: their integers are known to be in the range of `usize`. If only the larger
//! side is, the comparison still says that the value of the smaller side, wrapped or not, is below it. That is enough
//! for an index which is that polynomial, and therefore has that value.

use super::card::{Atom, Card, Op};
use super::facts::Facts;
pub use super::known::Known;
use crate::mapped::Mapped;
use crate::prim::Prim;
use crate::sorted::Set;

/// The largest number of inequalities of one side of an alternative.
const SIDE: usize = 4;

/// The facts if a condition holds, and if it fails.
#[derive(Clone, Default, Debug)]
pub struct Condition {
    /// Facts if it holds.
    pub holds: Known,
    /// Facts if it fails.
    pub fails: Known,
}

impl Condition {
    /// The condition `self && then`.
    pub fn and(self, then: Condition) -> Condition {
        let sides = [self.fails.at_least_zero.len(), self.holds.at_least_zero.len() + then.fails.at_least_zero.len()];
        let either = if sides.iter().all(|n| (1..=SIDE).contains(n)) {
            vec![(self.fails, self.holds.clone().and(then.fails))]
        } else {
            vec![]
        };
        Condition { holds: self.holds.and(then.holds), fails: Known { either, ..Known::default() } }
    }

    /// Its negation.
    pub fn negated(self) -> Condition {
        Condition { holds: self.fails, fails: self.holds }
    }

    /// Whether it has no facts.
    pub fn is_empty(&self) -> bool {
        self.holds.is_empty() && self.fails.is_empty()
    }
}

impl Facts {
    /// The facts of the comparison `a p b`; none for other operations.
    pub fn compare(&self, p: Prim, a: &Card, b: &Card) -> Condition {
        match p {
            Prim::Lt => Condition { holds: self.less(a, b), fails: self.at_most(b, a) },
            Prim::Le => self.compare(Prim::Lt, b, a).negated(),
            Prim::Gt => self.compare(Prim::Lt, b, a),
            Prim::Ge => self.compare(Prim::Lt, a, b).negated(),
            Prim::Eq => Condition { holds: self.at_most(a, b).and(self.at_most(b, a)), fails: self.differ(a, b) },
            Prim::Ne => self.compare(Prim::Eq, a, b).negated(),
            _ => Condition::default(),
        }
    }

    /// The fact that `i` is an index of an array of this length.
    pub fn index(&self, i: &Card, len: &Card) -> Known {
        let inequality = self.is_exact(i).then(|| len.sub(i).sub(&Card::lit(1)));
        Known {
            at_least_zero: inequality.into_iter().collect_vec(),
            below: vec![(i.clone(), len.clone())],
            either: vec![],
        }
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
            (false, true) => Known { below: vec![(a.clone(), b.add(&Card::lit(1 - gap)))], ..Known::default() },
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
    /// fits in a `usize`.
    pub fn is_exact(&self, c: &Card) -> bool {
        if let Some(n) = c.constant() {
            // In the range of every target's `usize`.
            return (0..=u32::MAX.into()).contains(&n);
        }
        if let Some(a) = c.as_atom() {
            return is_value(a);
        }
        let most = |n: Card| self.at_least_zero(&n.sub(c));
        !c.is_untracked() && self.at_least_zero(c) && (self.values(c).into_iter().any(most) || self.is_short(c))
    }

    /// Integers that are the values of `usize`s, and may bound `c`: its own atoms, those of inequalities that mention
    /// one of them, the names in the counts of its indices, and the counts of the loops.
    fn values(&self, c: &Card) -> Vec<Card> {
        let atoms = |c: &Card| -> Vec<Atom> {
            let positive = c.terms().filter(|(k, powers)| *k > 0 && powers.len() == 1 && powers[0].1 == 1);
            positive.map(|(_, powers)| powers[0].0.clone()).filter(is_value).collect_vec()
        };
        let mut found: Set<Atom> = atoms(c).into_iter().collect();
        let own: Vec<&Atom> = c.atoms();
        let related = self.assumed().filter(|f| f.atoms().iter().any(|a| own.contains(a)));
        related.for_each(|f| found.extend(atoms(f)));
        let indices = self.loops().iter().filter(|(i, _)| own.contains(&&Atom::Var(*i)));
        let names = |a: &Atom| !matches!(a, Atom::Op(..));
        indices.for_each(|(_, n)| found.extend(n.iter().flat_map(atoms).filter(names)));
        // A larger constant is the count of a loop that only its test ends, on a target with words of 64 bits.
        let counts = self.loops().iter().filter_map(|(_, n)| n.clone());
        let counts = counts.filter(|n| n.constant().is_none_or(|n| n <= u32::MAX.into()));
        found.into_iter().map(Card::atom).chain(counts).collect_vec()
    }
}

/// Whether an atom is the value of a `usize`. The operands of an operation are exact, but a product of them may wrap.
fn is_value(a: &Atom) -> bool {
    !matches!(a, Atom::Op(Op::Mul, ..) | Atom::Untracked)
}

#[cfg(test)]
mod tests {
    use super::super::card::numbers;
    use super::super::known::iterating;
    use super::*;
    use crate::name::VarId;
    use crate::sorted::Set;

    /// The numbers of a machine word of five bits.
    const WORD: i128 = 32;

    /// The values of the variables in a case.
    fn lookup(case: usize) -> impl Fn(&Atom) -> i128 {
        let values = [case % 6, case / 6 % 6, case / 36].map(|k| [0, 1, 2, 3, WORD - 2, WORD - 1][k]);
        move |a| if let Atom::Var(v) = a { values[v.0 as usize] } else { unreachable!() }
    }

    /// The integer that a polynomial stands for; `None` where an operand does not fit in a word, which panics.
    fn integer(c: &Card, case: usize) -> Option<i128> {
        let fits = |c: &Card| c.eval(&lookup(case)).is_some_and(|n| (0..WORD).contains(&n));
        let exact = |a: &&Atom| if let Atom::Op(_, x, y) = a { fits(x) && fits(y) } else { true };
        c.atoms().iter().all(exact).then(|| c.eval(&lookup(case)))?
    }

    /// The facts of a comparison are true of all machine words, which wrap.
    #[test]
    fn comparisons_of_words_say_the_truth() {
        let mut next = numbers(23);
        let mut says = [0; 2];
        for _ in 0..800 {
            let [a, b] = [(); 2].map(|()| Card::random(&mut next, 2, 3));
            let mut facts = Facts::new(Set::new());
            if next(2) == 0 {
                facts.enter_loop(VarId(2), Some(Card::var(VarId(0))));
            }
            let inside = !facts.loops().is_empty();
            let p = [Prim::Lt, Prim::Le, Prim::Gt, Prim::Ge, Prim::Eq, Prim::Ne][next(6)];
            let c = facts.compare(p, &a, &b);
            says[0] += usize::from(!c.holds.at_least_zero.is_empty());
            says[1] += usize::from(!c.holds.below.is_empty());
            for case in 0..216 {
                let at = lookup(case);
                let (Some(x), Some(y)) = (integer(&a, case), integer(&b, case)) else { continue };
                if inside && at(&Atom::Var(VarId(2))) >= at(&Atom::Var(VarId(0))) {
                    continue;
                }
                let (u, v) = (x.rem_euclid(WORD), y.rem_euclid(WORD));
                let holds = match p {
                    Prim::Lt => u < v,
                    Prim::Le => u <= v,
                    Prim::Gt => u > v,
                    Prim::Ge => u >= v,
                    Prim::Eq => u == v,
                    _ => u != v,
                };
                let known = if holds { &c.holds } else { &c.fails };
                for f in &known.at_least_zero {
                    assert!(integer(f, case).is_some_and(|n| n >= 0), "{a:?} {p:?} {b:?} is {holds}: {f:?} for {case}");
                }
                for (i, n) in &known.below {
                    let below = integer(i, case).zip(integer(n, case)).is_some_and(|(i, n)| i.rem_euclid(WORD) < n);
                    assert!(below, "{a:?} {p:?} {b:?} is {holds}: {i:?} is not below {n:?} for {case}");
                }
            }
        }
        assert!(says[0] > 80 && says[1] > 25, "{says:?}");
    }

    /// The facts of an iteration are true in each iteration.
    #[test]
    fn iterations_say_the_truth() {
        let mut next = numbers(29);
        let mut says = 0;
        for _ in 0..1_000 {
            let [a, b] = [(); 2].map(|()| Card::random(&mut next, 1, 2));
            let range = Card::op(Op::Max, &b, &a).sub(&if next(4) == 0 { b.clone() } else { a.clone() });
            let step = Card::lit(1 + next(3) as i128);
            let up = range.add(&step).sub(&Card::lit(1));
            let count = if next(2) == 0 { range } else { Card::op(Op::Div, &up, &step) };
            let found = iterating(&(VarId(2), Some(count.clone())));
            says += usize::from(!found.is_empty());
            for case in 0..216 {
                if integer(&count, case).is_some_and(|n| lookup(case)(&Atom::Var(VarId(2))) < n) {
                    let fine = found.iter().all(|f| integer(f, case).is_some_and(|n| n >= 0));
                    assert!(fine, "{count:?}: {found:?} for {case}");
                }
            }
        }
        assert!(says > 300, "{says}");
    }
}
