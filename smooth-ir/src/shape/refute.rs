//! Counterexamples: numbers that satisfy everything that a proof may use, and that falsify a claim.
//!
//! ```text
//! ¬ (known >= 0 ⟹ c >= 0)  ⟸  known[x̄ := n̄] >= 0, c[x̄ := n̄] < 0      for some numbers n̄ >= 0
//! ```
//!
//! Most claims without a proof are false, and a search that fails takes long. A claim with a counterexample has no
//! proof, so fewer searches do not mean fewer proofs. A counterexample often refutes several claims at its place.
//!
//! The numbers are found by a local search: while a condition fails, one of its variables takes the value that
//! satisfies it and falsifies the fewest other conditions.
//!
//! In the library's kernels 8 of 10 of the searches that look for a counterexample find one, and each expansion is
//! the same as without. The numbers are kept for the place.

use super::card::{Atom, Card, Op, eval_op};
use super::known::Loops;
use crate::mapped::Mapped;
use crate::sorted::Set;

/// The maximum number of changes before the search is abandoned.
const CHANGES: usize = 12;

/// The value that all variables begin with.
const FIRST: i128 = 4;

/// The largest value of a variable.
const MOST: i128 = 1 << 20;

/// The values of the atoms that are not operations.
pub(super) struct Counterexample(Vec<(Atom, i128)>);

impl Counterexample {
    /// Numbers for which `known >= 0`, all operations are defined, all `loops` are in an iteration, and `c < 0`.
    pub(super) fn find(c: &Card, loops: &Loops, known: &[Card]) -> Option<Counterexample> {
        let one = Card::lit(1);
        let in_range = |(i, n): &(_, Option<Card>)| Some(n.as_ref()?.sub(&one).sub(&Card::var(*i)));
        let mut conditions = vec![Card::lit(-1).sub(c)];
        conditions.extend(loops.iter().filter_map(in_range));
        conditions.extend_from_slice(known);
        let defined: Vec<Card> = conditions.iter().flat_map(|c| c.atoms()).flat_map(defined).collect_vec();
        conditions.extend(defined);
        if conditions.iter().any(Card::is_untracked) {
            return None;
        }
        conditions.retain(|c| !c.never_negative());
        let mut search = Search::default();
        for c in &conditions.into_iter().collect::<Set<Card>>() {
            search.add(c);
        }
        search.finds().then(|| Counterexample(search.atoms.into_iter().zip(search.values).collect_vec()))
    }

    /// Whether it is a counterexample of `c >= 0` too, given the loops and inequalities that it was found for.
    pub(super) fn refutes(&self, c: &Card) -> bool {
        let value = |a: &Atom| self.0.iter().find(|(b, _)| a == b).map_or(FIRST, |(_, n)| *n);
        c.eval(&value).is_some_and(|n| n < 0)
    }
}

/// The conditions under which an operation has a value: its operands are not negative, and a divisor is positive.
fn defined(a: &Atom) -> Vec<Card> {
    match a {
        Atom::Op(Op::Div | Op::Rem, x, y) => vec![(**x).clone(), y.sub(&Card::lit(1))],
        Atom::Op(Op::Log2, x, _) => vec![x.sub(&Card::lit(1))],
        Atom::Op(_, x, y) => vec![(**x).clone(), (**y).clone()],
        _ => vec![],
    }
}

/// A polynomial over numbered atoms: coefficients, and products of atoms.
type Sum = Vec<(i128, Vec<(usize, u32)>)>;

/// A sum that has to be at least 0.
struct Condition {
    sum: Sum,
    /// The atoms in it that are not operations.
    variables: Vec<usize>,
    fails: bool,
}

#[derive(Default)]
struct Search {
    conditions: Vec<Condition>,
    atoms: Vec<Atom>,
    /// The operation that each atom is, if it is one.
    operations: Vec<Option<(Op, Sum, Sum)>>,
    /// The values of the atoms that are not operations.
    values: Vec<i128>,
    /// The state of the random numbers.
    seed: u64,
}

impl Search {
    fn add(&mut self, c: &Card) {
        let sum = self.sum(c);
        let numbers = c.atoms().into_iter().mapped(|a| self.number(a));
        let variables: Set<usize> = numbers.into_iter().filter(|a| self.operations[*a].is_none()).collect();
        self.conditions.push(Condition { sum, variables: variables.into_iter().collect_vec(), fails: true });
    }

    fn sum(&mut self, c: &Card) -> Sum {
        c.terms().mapped(|(k, powers)| (k, powers.iter().mapped(|(a, power)| (self.number(a), *power))))
    }

    fn number(&mut self, a: &Atom) -> usize {
        if let Some(k) = self.atoms.iter().position(|b| a == b) {
            return k;
        }
        let operation = if let Atom::Op(op, x, y) = a { Some((*op, self.sum(x), self.sum(y))) } else { None };
        self.atoms.push(a.clone());
        self.operations.push(operation);
        self.values.push(FIRST);
        self.atoms.len() - 1
    }

    fn finds(&mut self) -> bool {
        (0..self.conditions.len()).for_each(|k| self.conditions[k].fails = self.fails(k));
        for _ in 0..=CHANGES {
            let failing: Vec<usize> = (0..self.conditions.len()).filter(|k| self.conditions[*k].fails).collect_vec();
            if failing.is_empty() {
                return true;
            }
            self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if !self.change(failing[(self.seed >> 33) as usize % failing.len()]) {
                return false;
            }
        }
        false
    }

    /// Changes the variable of a condition whose change costs least.
    fn change(&mut self, k: usize) -> bool {
        let missing = self.value(&self.conditions[k].sum).map_or(1, i128::saturating_neg);
        let mut best: Option<((u32, i128), usize, i128)> = None;
        for at in 0..self.conditions[k].variables.len() {
            let v = self.conditions[k].variables[at];
            let old = self.values[v];
            for new in [old.saturating_add(missing), old.saturating_sub(missing), 0] {
                if new == old || !(0..=MOST).contains(&new) {
                    continue;
                }
                self.values[v] = new;
                let cost = self.cost(k, v);
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, v, new));
                }
            }
            self.values[v] = old;
        }
        let Some((_, v, new)) = best else { return false };
        self.values[v] = new;
        for k in 0..self.conditions.len() {
            if self.conditions[k].variables.contains(&v) {
                self.conditions[k].fails = self.fails(k);
            }
        }
        true
    }

    /// The badness of the values for condition `k`. If it holds: the number of failing conditions with the variable
    /// `v`.
    fn cost(&self, k: usize, v: usize) -> (u32, i128) {
        match self.value(&self.conditions[k].sum) {
            None => (2, 0),
            Some(n) if n < 0 => (1, n.saturating_neg()),
            Some(_) => {
                let others = (0..self.conditions.len()).filter(|o| self.conditions[*o].variables.contains(&v));
                (0, others.filter(|o| self.fails(*o)).count() as i128)
            }
        }
    }

    fn fails(&self, k: usize) -> bool {
        self.value(&self.conditions[k].sum).is_none_or(|n| n < 0)
    }

    /// The value of a size; `None` if it has none.
    fn value(&self, sum: &Sum) -> Option<i128> {
        let mut total = 0i128;
        for (k, powers) in sum {
            let mut product = *k;
            for (a, power) in powers {
                let value = match &self.operations[*a] {
                    Some((op, x, y)) => eval_op(*op, self.value(x)?, self.value(y)?)?,
                    None => self.values[*a],
                };
                for _ in 0..*power {
                    product = product.checked_mul(value)?;
                }
            }
            total = total.checked_add(product)?;
        }
        Some(total)
    }
}
