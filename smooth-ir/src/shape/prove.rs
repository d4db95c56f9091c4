//! Proofs that a size or an index is never negative, given the loops around it.
//!
//! All values are integers. The facts about them:
//!
//! ```text
//! 0 <= i <= n - 1               a loop index and its count; in an iteration n >= 1
//! 0 <= a % b <= b - 1, a        b >= 1, otherwise the program has panicked
//! a / b <= q  ⟺  a <= q·b + b - 1        a / b >= q  ⟺  a >= q·b
//! min a b  is a or b, and at most both   max a b  is a or b, and at least both
//! 1 <= 1 << a     isqrt a <= a     ilog2 a <= a - 1, 63     a, 1 <= next_power_of_two a <= 2 a + 1
//! ```
//!
//! Operands of the four operations are computed without wrapping, so they are at least 0 (docs/design.md, "Removed
//! checks, and why that is sound").
//!
//! Conditions and earlier checks give inequalities `f >= 0` that hold at the place itself. A proof subtracts multiples
//! of them:
//!
//! ```text
//! c >= 0  ⟸  p·c - q·f >= 0      f >= 0, with p > 0 and q >= 0 so that a negative term of c cancels
//! ```

use super::card::{Atom, Card, Op};
use super::hash::hash;
use super::known::Counted;
pub use super::known::Loops;
use super::refute::Counterexample;
use crate::mapped::Mapped;
use crate::sorted::{Map, Set};
use std::cell::RefCell;

/// The maximum number of inequalities that a proof examines before it is abandoned. The second number is for claims
/// that the first search neither proves nor refutes by a counterexample.
const INEQUALITIES: [usize; 2] = [8, 64];

/// The maximum number of counterexamples that are kept for one place.
const KEPT: usize = 4;

/// The maximum number of known inequalities that a proof uses one after the other: first one, for any negative term,
/// then several, each for the first negative term that one of them removes, since a sum has no order.
const DEPTHS: [usize; 2] = [1, 4];

/// Whether `c >= 0` for all values of the loop indices and all sizes.
///
/// Each loop index, innermost first, and each operation is replaced by the end of its range at which the expression is
/// smallest. The remaining polynomial in sizes is non-negative if its coefficients are, or if they are after a fact is
/// subtracted: the loops run, and the divisors are positive.
///
/// `known` are inequalities `f >= 0` that hold at the place. They are used only where the loops alone prove nothing.
pub fn at_least_zero(c: &Card, loops: &Loops, known: &[Card]) -> bool {
    if c.never_negative() {
        return true;
    }
    let place = hash(&(loops, known));
    let question = hash(&(c, place));
    if ABANDONED.with_borrow(|all| all.contains(&question)) {
        return false;
    }
    if PROVED.with_borrow(|all| all.get(&question).is_some_and(|claim| claim.is(c, loops, known))) {
        return true;
    }
    let proved = !refuted_before(c, place) && prove(c, place, loops, known);
    if proved {
        let claim = Claim { c: c.clone(), loops: loops.to_vec(), known: known.to_vec() };
        PROVED.with_borrow_mut(|all| all.insert(question, claim));
    } else {
        ABANDONED.with_borrow_mut(|all| all.insert(question));
    }
    proved
}

/// A claim about a size at a place.
struct Claim {
    c: Card,
    loops: Vec<Counted>,
    known: Vec<Card>,
}

impl Claim {
    fn is(&self, c: &Card, loops: &Loops, known: &[Card]) -> bool {
        self.c == *c && self.loops == loops && self.known == known
    }
}

thread_local! {
    /// The claims that were proved, by their hashes. A different claim with the same hash is not proved by them.
    static PROVED: RefCell<Map<u64, Claim>> = const { RefCell::new(Map::new()) };
    /// The hashes of claims that were not proved. Each pass asks about most of them again, and a search that fails
    /// takes long. If a claim that holds had the hash of one of these, an unnecessary check would stay.
    static ABANDONED: RefCell<Set<u64>> = const { RefCell::new(Set::new()) };
    /// The latest counterexamples at each place, by the hash of its loops and facts. If two places had one hash, an
    /// unnecessary check would stay.
    static FOUND: RefCell<Map<u64, Vec<Counterexample>>> = const { RefCell::new(Map::new()) };
}

/// Forgets all claims, so that no kernel depends on those that were compiled before it.
pub fn forget() {
    PROVED.take();
    ABANDONED.take();
    FOUND.take();
}

/// Whether a counterexample of an earlier claim at the place refutes `c >= 0`.
fn refuted_before(c: &Card, place: u64) -> bool {
    FOUND.with_borrow(|all| all.get(&place).is_some_and(|found| found.iter().any(|f| f.refutes(c))))
}

fn prove(c: &Card, place: u64, loops: &Loops, known: &[Card]) -> bool {
    let [few, many] = INEQUALITIES;
    match search(c, loops, known, few) {
        Search::Ended => false,
        Search::Proved => true,
        Search::Abandoned => match Counterexample::find(c, loops, known) {
            None => search(c, loops, known, many) == Search::Proved,
            Some(counterexample) => {
                FOUND.with_borrow_mut(|all| {
                    let found = all.entry(place).or_default();
                    found.truncate(KEPT - 1);
                    found.insert(0, counterexample);
                });
                false
            }
        },
    }
}

/// The outcome of a search for a proof.
#[derive(PartialEq)]
enum Search {
    Proved,
    /// There is no proof of this form.
    Ended,
    /// There may be one.
    Abandoned,
}

/// Looks for a proof that examines at most this number of inequalities.
fn search(c: &Card, loops: &Loops, known: &[Card], inequalities: usize) -> Search {
    let non_negative: Vec<Card> = loops.iter().filter_map(|(_, n)| n.as_ref()).mapped(|n| n.sub(&Card::lit(1)));
    let mut proof =
        Proof { non_negative, known: &[], depth: 0, every_term: true, operations_first: false, inequalities };
    let mut abandoned = false;
    let mut holds = |proof: &mut Proof<'_>| {
        proof.inequalities = inequalities;
        let proved = proof.holds(c, loops);
        abandoned |= proof.inequalities == 0;
        proved
    };
    let proved = holds(&mut proof)
        || (!known.is_empty()
            && (DEPTHS.into_iter().any(|depth| {
                (proof.known, proof.depth, proof.every_term) = (known, depth, depth == 1);
                holds(&mut proof)
            }) || {
                proof.operations_first = true;
                let has_operation = |c: &Card| c.atoms().iter().any(|a| matches!(a, Atom::Op(..)));
                has_operation(c) && holds(&mut proof)
            }));
    match (proved, abandoned) {
        (true, _) => Search::Proved,
        (false, true) => Search::Abandoned,
        (false, false) => Search::Ended,
    }
}

struct Proof<'f> {
    /// Sizes that are at least 0.
    non_negative: Vec<Card>,
    /// Inequalities that hold at the place: each is at least 0.
    known: &'f [Card],
    /// The number of inequalities that may still be used one after the other.
    depth: usize,
    /// Whether each may remove any negative term.
    every_term: bool,
    /// Whether operations are replaced before the inequalities are used.
    operations_first: bool,
    /// The number of inequalities that may still be examined.
    inequalities: usize,
}

impl Proof<'_> {
    /// Whether `c >= 0` inside `loops`.
    fn holds(&mut self, c: &Card, loops: &Loops) -> bool {
        if self.inequalities == 0 || c.is_untracked() {
            return false;
        }
        self.inequalities -= 1;
        if self.evident(c) {
            return true;
        }
        if self.operations_first {
            self.without_operation(c, loops) || self.follows(c, loops) || self.at_an_end(c, loops)
        } else {
            self.follows(c, loops) || self.at_an_end(c, loops) || self.without_operation(c, loops)
        }
    }

    /// Whether `c >= 0` holds at the end of the innermost index's range at which it is smallest.
    fn at_an_end(&mut self, c: &Card, loops: &Loops) -> bool {
        let Some(((i, count), outer)) = loops.split_last() else { return false };
        let Some((slope, rest)) = c.linear_in(*i) else { return false };
        let lowest = match count {
            _ if self.evident(&slope) => Some(rest),
            Some(n) if self.evident(&Card::default().sub(&slope)) => Some(slope.mul(&n.sub(&Card::lit(1))).add(&rest)),
            _ => None,
        };
        lowest.is_some_and(|c| self.holds(&c, outer))
    }

    /// Whether `c >= 0` holds at the end of an operation's range at which it is smallest.
    fn without_operation(&mut self, c: &Card, loops: &Loops) -> bool {
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

    /// Whether `c >= 0` follows from a known inequality `f` and the rest, a combination `p·c - q·f`. The innermost
    /// inequalities are tried first.
    fn follows(&mut self, c: &Card, loops: &Loops) -> bool {
        if self.depth == 0 {
            return false;
        }
        self.depth -= 1;
        let (known, mut proved) = (self.known, false);
        for term in c.negatives() {
            let mut rests = known.iter().rev().flat_map(|f| c.without_negative_of(&term, f)).peekable();
            let some = rests.peek().is_some();
            // Rests are computed only while they may be examined: most of the time of a failing proof is spent on them.
            while !proved && self.inequalities > 0 {
                let Some(rest) = rests.next() else { break };
                proved = self.holds(&rest, loops);
            }
            if proved || self.inequalities == 0 || (some && !self.every_term) {
                break;
            }
        }
        self.depth += 1;
        proved
    }

    /// `c = f·m + rest` with a fact `f >= 0`, a product `m` of sizes, and `rest` without negative coefficients; or
    /// `c = max a b - a + rest`.
    fn evident(&self, c: &Card) -> bool {
        c.never_negative() || self.non_negative.iter().any(|f| c.is_at_least_multiple_of(f)) || is_range(c)
    }
}

/// Whether a size is the length of a range, or more.
pub(super) fn is_range(c: &Card) -> bool {
    c.terms().any(|(k, powers)| match powers {
        [(max @ Atom::Op(Op::Max, a, b), 1)] if k >= 1 => {
            let rest = c.sub(&Card::atom(max.clone()));
            rest.add(a).never_negative() || rest.add(b).never_negative()
        }
        _ => false,
    })
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
        Op::Exp2 if up => vec![vec![at(&one)]],
        // A root is no more than its square, and a logarithm less; a power of two is less than twice the number.
        Op::Isqrt if !up => vec![vec![at(a)]],
        Op::Log2 if !up => vec![vec![at(&a.sub(&one))], vec![at(&Card::lit(63))]],
        Op::NextPower if up => vec![vec![at(a)], vec![at(&one)]],
        Op::NextPower => vec![vec![at(&a.add(a).add(&one))]],
        Op::Fits if !up => vec![vec![at(b)]],
        _ if up => vec![vec![rest.clone()]],
        Op::Mul | Op::Exp2 | Op::Pow | Op::Isqrt | Op::Log2 | Op::Fits => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::card::numbers;
    use super::super::facts::Facts;
    use super::*;
    use crate::name::VarId;

    fn in_range(i: &Card, len: &Card, loops: &Loops, known: &[Card]) -> bool {
        at_least_zero(i, loops, known) && at_least_zero(&len.sub(i).sub(&Card::lit(1)), loops, known)
    }

    #[test]
    fn indices_of_loops_are_in_range() {
        let [n, m, i, j, k] = [0, 1, 2, 3, 4].map(|k| Card::var(VarId(k)));
        let lit = Card::lit;
        let loops = [(VarId(2), Some(n.clone())), (VarId(3), Some(i.clone()))];
        let inside = |e: &Card| in_range(e, &n, &loops, &[]);
        assert!(inside(&i));
        assert!(inside(&j), "j < i < n");
        assert!(inside(&n.sub(&lit(1)).sub(&i)), "reversed");
        assert!(!inside(&i.add(&lit(1))));
        assert!(inside(&i.sub(&j).sub(&lit(1))), "i - j - 1");
        assert!(inside(&i.sub(&lit(1))), "the loop over j runs, so i >= 1");
        assert!(inside(&lit(0)), "the loop runs, so n >= 1");
        assert!(!inside(&lit(1)));
        assert!(at_least_zero(&n.mul(&m).sub(&i.mul(&m)).sub(&m), &loops, &[]), "row i of n rows of m");
        assert!(!at_least_zero(&i.mul(&i).sub(&n), &loops, &[]));
        let (rows, columns) = (n.sub(&m), n.add(&lit(1)).sub(&k));
        let loops = [(VarId(2), Some(rows.clone())), (VarId(3), Some(columns.clone()))];
        let at = i.mul(&columns).add(&j);
        assert!(in_range(&at, &rows.mul(&columns), &loops, &[]), "row i of n - m rows of n + 1 - k");
        assert!(!in_range(&at.add(&lit(1)), &rows.mul(&columns), &loops, &[]));
    }

    #[test]
    fn remainders_and_quotients_are_in_range() {
        let [n, m, i, k] = [0, 1, 2, 3].map(|k| Card::var(VarId(k)));
        let op = |o, a: &Card, b: &Card| Card::op(o, a, b);
        assert!(in_range(&op(Op::Rem, &i.mul(&k), &n), &n, &[], &[]));
        assert!(!in_range(&op(Op::Rem, &i, &m), &n, &[], &[]), "another size");
        assert!(!in_range(&op(Op::Rem, &i, &n).add(&Card::lit(1)), &n, &[], &[]));
        let flat = [(VarId(2), Some(n.mul(&m)))];
        assert!(in_range(&op(Op::Div, &i, &m), &n, &flat, &[]), "the row of a flat index");
        assert!(in_range(&op(Op::Rem, &i, &m), &m, &flat, &[]), "and the column");
        assert!(!in_range(&op(Op::Div, &i, &n), &n, &flat, &[]));
        let half = [(VarId(2), Some(op(Op::Div, &n, &Card::lit(2))))];
        assert!(in_range(&i.mul(&Card::lit(2)).add(&Card::lit(1)), &n, &half, &[]), "2 i + 1 for i < n / 2");
        assert!(!in_range(&i.mul(&Card::lit(2)).add(&Card::lit(2)), &n, &half, &[]));
        assert!(in_range(&i.add(&op(Op::Div, &n, &Card::lit(2))), &n, &half, &[]), "the upper half");
        let [by_2, by_4] = [2, 4].map(|k| op(Op::Div, &n, &Card::lit(k)));
        assert!(at_least_zero(&by_2.sub(&by_4), &[], &[]) && !at_least_zero(&by_4.sub(&by_2), &[], &[]));
        assert!(!in_range(&op(Op::Div, &n, &Card::lit(2)), &n, &[], &[]), "n may be 0");
        let middle = by_2.sub(&by_4);
        assert!(in_range(&i, &middle, &[(VarId(2), Some(middle.clone()))], &[]));
    }

    #[test]
    fn extrema_are_in_range() {
        let [n, m, i, k] = [0, 1, 2, 3].map(|k| Card::var(VarId(k)));
        let op = |o, a: &Card, b: &Card| Card::op(o, a, b);
        let last = n.sub(&Card::lit(1));
        let loops = [(VarId(2), Some(op(Op::Min, &n, &m)))];
        assert!(in_range(&i, &n, &loops, &[]) && in_range(&i, &m, &loops, &[]));
        assert!(!in_range(&i, &n, &[(VarId(2), Some(op(Op::Max, &n, &m)))], &[]));
        let over = [(VarId(2), Some(n.clone()))];
        assert!(in_range(&op(Op::Min, &i.add(&k), &last), &n, &over, &[]), "clamped");
        assert!(!in_range(&op(Op::Max, &i, &k), &n, &over, &[]));
        assert!(in_range(&op(Op::Max, &i, &Card::lit(1)).sub(&Card::lit(1)), &n, &over, &[]), "the one before, or 0");
        assert!(!at_least_zero(&op(Op::Min, &n, &m).sub(&n), &[], &[]));
    }

    #[test]
    fn known_inequalities_prove_more() {
        let [n, m, i, j] = [0, 1, 2, 3].map(|k| Card::var(VarId(k)));
        let (lit, op) = (Card::lit, |o, a: &Card, b: &Card| Card::op(o, a, b));
        let over = [(VarId(2), Some(n.clone()))];
        let less = |a: &Card, b: &Card| b.sub(a).sub(&lit(1));
        assert!(in_range(&i.sub(&lit(1)), &n, &over, &[i.sub(&lit(1))]), "i >= 1");
        assert!(!in_range(&i.sub(&lit(2)), &n, &over, &[i.sub(&lit(1))]));
        assert!(in_range(&i.add(&lit(1)), &n, &over, &[less(&i.add(&lit(1)), &n)]));
        assert!(!in_range(&i.add(&lit(2)), &n, &over, &[less(&i.add(&lit(1)), &n)]));
        assert!(in_range(&j, &n, &over, &[less(&j, &i)]), "j < i < n");
        assert!(!in_range(&j, &n, &over, &[less(&j, &i.add(&lit(2)))]));
        let equal = |a: &Card, b: &Card| [a.sub(b), b.sub(a)];
        assert!(in_range(&i, &m, &over, &equal(&n, &m)) && !in_range(&i, &m, &over, &[n.sub(&m)]));
        let half = less(&j, &op(Op::Div, &n, &lit(2)));
        assert!(in_range(&j.add(&j).add(&lit(1)), &n, &[], std::slice::from_ref(&half)), "j < n / 2");
        assert!(!in_range(&j.add(&j).add(&lit(2)), &n, &[], &[half]));
        let row = [less(&j, &n), less(&i, &m)];
        assert!(in_range(&j.mul(&m).add(&i), &n.mul(&m), &[], &row), "element i of row j");
        assert!(!in_range(&j.mul(&m).add(&i), &n.mul(&m), &[], &[less(&j, &n), m.sub(&i)]));
    }

    #[test]
    fn loops_over_ranges_have_iterations() {
        let [n, k, a, s] = [0, 2, 3, 1].map(|k| Card::var(VarId(k)));
        let (lit, op) = (Card::lit, |o, a: &Card, b: &Card| Card::op(o, a, b));
        let inside = |count: Card, i: &Card, len: &Card| {
            let mut facts = Facts::new(Default::default());
            facts.enter_loop(VarId(2), Some(count));
            facts.in_range(i, len)
        };
        let range = |from: &Card, to: &Card| op(Op::Max, to, from).sub(from);
        let last = n.sub(&lit(1));
        assert!(inside(range(&lit(1), &last), &k.add(&lit(2)), &n), "i + 1 for i in 1..n - 1");
        assert!(!inside(range(&lit(1), &n), &k.add(&lit(2)), &n));
        assert!(inside(range(&a, &n), &a.add(&k), &n) && !inside(range(&a, &n), &a.add(&k).add(&lit(1)), &n));
        assert!(inside(range(&a, &n), &a, &n), "a < n, since there is an iteration");
        let steps = |from: &Card| op(Op::Div, &range(from, &n).add(&lit(1)), &lit(2));
        let at = |from: &Card| from.add(&k.mul(&lit(2)));
        assert!(inside(steps(&lit(1)), &at(&lit(1)), &n), "(1..n).step_by(2)");
        assert!(!inside(steps(&lit(1)), &at(&lit(2)), &n));
        let by = op(Op::Div, &range(&lit(0), &n).add(&s).sub(&lit(1)), &s);
        assert!(inside(by, &k.mul(&s), &n), "(0..n).step_by(s)");
    }

    /// The values of two sizes and two indices.
    type Model = [i128; 4];

    fn value(m: Model) -> impl Fn(&Atom) -> i128 {
        move |a| if let Atom::Var(v) = a { m[v.0 as usize] } else { unreachable!() }
    }

    /// The small values for which both loops run and the known inequalities hold.
    fn models(counts: &[Card; 2], known: &[Card]) -> impl Iterator<Item = Model> {
        let all = (0..5usize.pow(4)).map(|k| [k % 5, k / 5 % 5, k / 25 % 5, k / 125].map(|v| v as i128));
        all.filter(|m| {
            let runs = |k: usize| counts[k].eval(&value(*m)).is_some_and(|n| m[k + 2] < n);
            runs(0) && runs(1) && known.iter().all(|f| f.eval(&value(*m)).is_some_and(|f| f >= 0))
        })
    }

    /// A claim with a counterexample has no proof, and most claims that fail for small numbers have a counterexample.
    #[test]
    fn what_is_refuted_is_not_proved() {
        let mut next = numbers(31);
        let (mut refuted, mut wrong) = (0, 0);
        for _ in 0..1_500 {
            let counts = [Card::random(&mut next, 2, 2), Card::random(&mut next, 2, 3)];
            let loops = [(VarId(2), Some(counts[0].clone())), (VarId(3), Some(counts[1].clone()))];
            let known: Vec<Card> = (0..next(4)).mapped(|_| Card::random(&mut next, 2, 4));
            let claims = [(); 2].map(|()| Card::random(&mut next, 3, 4));
            for c in &claims {
                wrong += usize::from(models(&counts, &known).any(|m| c.eval(&value(m)).is_some_and(|n| n < 0)));
                let Some(found) = Counterexample::find(c, &loops, &known) else { continue };
                assert!(found.refutes(c), "{c:?} in {loops:?} where {known:?}");
                refuted += 1;
                for c in claims.iter().filter(|c| found.refutes(c)) {
                    assert!(search(c, &loops, &known, 64) != Search::Proved, "{c:?} in {loops:?} where {known:?}");
                }
            }
        }
        assert!(refuted * 4 > wrong * 3, "{refuted} of {wrong}");
    }

    /// A proved inequality holds for all small sizes and indices for which nothing panics.
    #[test]
    fn proved_inequalities_are_true() {
        let mut next = numbers(7);
        let (mut proved, mut by_known) = (0, 0);
        for k in 0..8_000 {
            let random = |depth, vars| {
                if k % 2 == 0 { Card::random(&mut next, depth, vars) } else { Card::computed(&mut next, depth, vars) }
            };
            let mut random = random;
            let counts = [random(2, 2), random(2, 3)];
            let loops = [(VarId(2), Some(counts[0].clone())), (VarId(3), Some(counts[1].clone()))];
            let known: Vec<Card> = (0..random(1, 1).constant().unwrap_or(2) % 4).map(|_| random(2, 4)).collect_vec();
            let near = known.first().filter(|f| f.factors() % 2 == 0).map(|f| f.add(&random(1, 4)));
            let c = near.unwrap_or_else(|| random(3, 4));
            if c.never_negative() || !at_least_zero(&c, &loops, &known) {
                continue;
            }
            proved += 1;
            by_known += usize::from(!at_least_zero(&c, &loops, &[]));
            for m in models(&counts, &known) {
                let holds = c.eval(&value(m)).is_none_or(|x| x >= 0);
                assert!(holds, "{c:?} in {loops:?} where {known:?} for {m:?}");
            }
        }
        assert!(proved > 300 && by_known > 100, "{proved} proofs, {by_known} from known inequalities");
    }

    #[test]
    fn lengths_of_ranges_are_sizes() {
        let [n, k, i, j] = [0, 1, 2, 3].map(|k| Card::var(VarId(k)));
        let end = Card::op(Op::Min, &k.add(&Card::lit(8)), &n);
        for start in [&k, &end] {
            let length = Card::op(Op::Max, &n, start).sub(start);
            assert!(at_least_zero(&length, &[], &[]) && !at_least_zero(&length.sub(&Card::lit(1)), &[], &[]));
            // In an iteration, the end is not before the start.
            let mut facts = Facts::default();
            facts.enter_iteration(VarId(2), Some(length.clone()));
            facts.enter_iteration(VarId(3), Some(length.clone()));
            let at = start.add(&i).mul(&n).add(start).add(&j);
            assert!(facts.in_range(&at, &n.mul(&n)) && !facts.in_range(&at.add(&Card::lit(1)), &n.mul(&n)));
            let mut outside = Facts::default();
            outside.enter_iteration(VarId(2), Some(length.add(&Card::lit(1))));
            assert!(!outside.in_range(&start.add(&i), &n), "from the start to one behind the end");
        }
    }
}
