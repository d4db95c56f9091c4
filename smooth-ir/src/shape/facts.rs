//! Facts about sizes and indices at one place of a kernel: the loops around it, and bounds of the numbers that are not
//! tracked. Inference builds them, and the optimiser and lowering ask them.

use super::bound;
use super::card::{Atom, Card};
pub use super::known::Counted;
use super::known::{Known, iterating, running};
use super::prove;
use super::{Check, Param, ParamKind};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::role::Role;
use crate::sorted::{Map, Set};

/// The facts about sizes and indices at one place of a kernel.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    /// The loops around the place, outermost first.
    loops: Vec<Counted>,
    /// Facts that hold in the body of each loop because the loop runs at least once.
    iterating: Vec<Vec<Card>>,
    /// Upper bounds of variables that are not tracked.
    limits: Map<VarId, Card>,
    /// The values of variables that are not tracked: one value, or one for each branch, each with the facts of its
    /// branch.
    cases: Map<VarId, Vec<(Known, Card)>>,
    /// The atoms that an upper bound may mention: during inference all that are known at entry, during lowering those
    /// that a caller passes to `scratch`.
    known: Set<Atom>,
    /// The lengths of arrays that exist.
    lengths: Vec<Length>,
    /// The number of conditions that decide whether the place is reached.
    conditions: usize,
    /// The facts from conditions and earlier checks.
    assumed: Known,
    /// The number of these facts that hold outside each part around the place.
    outside: Vec<Mark>,
}

/// A length of an array that exists. The array has elements if this length and those of the other axes are at least 1.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Length {
    length: Card,
    /// The lengths of the other axes that differ from it.
    beside: Vec<Card>,
}

/// The maximum number of inequalities that are used at one place, the innermost ones. More would cost time and prove
/// little.
const KNOWN: usize = 24;

/// The maximum number of factors of a size in a check that becomes a fact.
const FACTORS: u64 = 24;

/// The maximum number of variables that are replaced by their values, one after the other, in one proof.
const SPLITS: usize = 2;

/// The number of inequalities, of values and of alternatives that are known at a place.
pub type Mark = (usize, usize, usize);

/// The maximum number of alternatives that a proof examines, the innermost ones.
const ALTERNATIVES: usize = 2;

impl Facts {
    /// The facts outside all loops of a kernel, where `known` are the atoms known at entry.
    pub fn new(known: Set<Atom>) -> Self {
        Facts { known, ..Facts::default() }
    }

    /// Adds the lengths of arguments.
    pub fn know_lengths(&mut self, params: &[Param]) {
        for p in params {
            let ParamKind::Array(_, dims) = &p.kind else { continue };
            let all = (0..dims.len()).mapped(|axis| p.extent(axis));
            for length in all.iter().filter(|n| n.constant().is_none()) {
                let beside = all.iter().filter(|n| *n != length).cloned().collect_vec();
                let length = Length { length: length.clone(), beside };
                if !self.lengths.contains(&length) {
                    self.lengths.push(length);
                }
            }
        }
    }

    /// Whether a size is at most `2 n + 1` or `n + i32::MAX` for a length `n` of an array that has elements if `n >= 1`: no
    /// array has more than `isize::MAX` bytes, so that these are `usize`s.
    pub(super) fn is_short(&self, c: &Card) -> bool {
        let one = Card::lit(1);
        self.lengths.iter().any(|Length { length, beside }| {
            let most = [length.mul(&Card::lit(2)).add(&one), length.add(&Card::lit(i32::MAX.into()))];
            most.iter().any(|most| self.at_least_zero(&most.sub(c)))
                && beside.iter().all(|n| self.at_least_zero(&n.sub(&one)))
        })
    }

    /// Moves to a place inside exactly these loops.
    pub fn go_inside(&mut self, loops: Vec<Counted>) {
        self.iterating = loops.iter().mapped(iterating);
        self.loops = loops;
    }

    /// The loops around the place, outermost first.
    pub fn loops(&self) -> &[Counted] {
        &self.loops
    }

    /// Enters a loop.
    pub fn enter_loop(&mut self, index: VarId, count: Option<Card>) {
        self.loops.push((index, count));
        self.iterating.push_all(self.loops.last().map(iterating));
    }

    /// Enters an iteration of a loop: where the count is the length of a range, its end is not before its start.
    ///
    /// ```text
    /// for i < max a b - b { s̄ }     ⟹  i < a - b in s̄
    /// ```
    pub fn enter_iteration(&mut self, index: VarId, count: Option<Card>) {
        self.iterating.push(iterating(&(index, count.clone())));
        let running = |mut n: Card| {
            while let [less] = running(&n).as_slice() {
                n = less.clone();
            }
            n
        };
        self.loops.push((index, count.map(running)));
    }

    /// Leaves the innermost loop.
    pub fn leave_loop(&mut self) {
        self.loops.pop();
        self.iterating.pop();
    }

    /// Enters a part of a term with this role.
    pub fn enter_part(&mut self, role: Role) {
        self.conditions += usize::from(role == Role::Maybe);
        self.outside.push(self.mark());
    }

    /// Leaves a part of a term with this role, and forgets the facts of that part.
    pub fn leave_part(&mut self, role: Role) {
        self.conditions -= usize::from(role == Role::Maybe);
        let outside = self.outside.pop().unwrap_or_default();
        self.leave(outside);
    }

    fn mark(&self) -> Mark {
        (self.assumed.at_least_zero.len(), self.assumed.below.len(), self.assumed.either.len())
    }

    /// Adds facts until [`leave`](Facts::leave), which needs the mark that this returns.
    pub fn enter(&mut self, known: &Known) -> Mark {
        let outside = self.mark();
        self.assume(known);
        outside
    }

    /// Removes and returns the facts that were added since the mark.
    pub fn leave(&mut self, (inequalities, values, alternatives): Mark) -> Known {
        Known {
            at_least_zero: self.assumed.at_least_zero.split_off(inequalities),
            below: self.assumed.below.split_off(values),
            either: self.assumed.either.split_off(alternatives),
        }
    }

    /// Adds facts until the part around the place is left.
    pub fn assume(&mut self, known: &Known) {
        // What says nothing would only make proofs longer.
        let says = |f: &&Card| !f.is_untracked() && !f.never_negative() && !prove::is_range(f);
        self.assumed.at_least_zero.push_all(known.at_least_zero.iter().filter(says).cloned());
        self.assumed.below.push_all(known.below.iter().cloned());
        self.assumed.either.push_all(known.either.iter().cloned());
    }

    /// Adds the facts of checks that have been passed: the first `KNOWN` of them, without those of large sizes, which
    /// prove little.
    pub fn assume_checks(&mut self, checks: &[Check]) {
        let small = |c: &&Check| c.cards().into_iter().all(|c| c.factors() <= FACTORS);
        checks.iter().filter(small).take(KNOWN).for_each(|c| self.assume(&Known::at_entry(c)));
    }

    /// Removes the facts about some variables. A mark from before this call must not be used after it.
    pub fn forget_known(&mut self, about: impl Fn(VarId) -> bool) {
        let other = |c: &Card| !c.atoms().iter().any(|a| matches!(a, Atom::Var(v) if about(*v)));
        let Known { at_least_zero, below, either } = &mut self.assumed;
        at_least_zero.retain(other);
        below.retain(|(a, b)| other(a) && other(b));
        either.retain(|(a, b)| a.at_least_zero.iter().chain(&b.at_least_zero).all(other));
    }

    /// The inequalities that are known.
    pub fn assumed(&self) -> impl Iterator<Item = &Card> {
        self.assumed.at_least_zero.iter()
    }

    /// Whether a condition decides whether the place is reached.
    pub fn is_conditional(&self) -> bool {
        self.conditions > 0
    }

    /// Sets the upper bound of a variable that is not tracked, or removes it.
    pub fn limit(&mut self, v: VarId, most: Option<Card>) {
        match most {
            Some(most) => drop(self.limits.insert(v, most)),
            None => drop(self.limits.remove(&v)),
        }
    }

    /// Sets the values that a variable may have, all of them, if they are known.
    pub fn define(&mut self, v: VarId, cases: Option<Vec<(Known, Card)>>) {
        match cases {
            Some(cases) => drop(self.cases.insert(v, cases)),
            None => drop(self.cases.remove(&v)),
        }
    }

    /// Forbids these atoms in upper bounds from now on.
    pub fn forget(&mut self, unknown: impl Fn(&Atom) -> bool) {
        self.known.retain(|a| !unknown(a));
    }

    /// Whether an upper bound may mention an atom.
    pub fn knows(&self, a: &Atom) -> bool {
        self.known.contains(a)
    }

    /// Whether `c >= 0` in every iteration of the loops.
    pub fn at_least_zero(&self, c: &Card) -> bool {
        if c.never_negative() {
            return true;
        }
        let assumed = &self.assumed.at_least_zero;
        self.follows(c, &assumed[assumed.len().saturating_sub(KNOWN)..], SPLITS)
    }

    /// Whether `c >= 0` follows from these inequalities. If the loops do not decide it, it is proved for each value
    /// that a variable in it may have.
    fn follows(&self, c: &Card, known: &[Card], splits: usize) -> bool {
        let variables: Set<VarId> =
            c.atoms().into_iter().filter_map(|a| if let Atom::Var(v) = a { Some(*v) } else { None }).collect();
        let limits = variables.iter().filter_map(|v| Some(self.limits.get(v)?.sub(&Card::var(*v))));
        // The proof replaces an index by an end of its range in `c`, and not in the facts about the index.
        let bounds = self.loops.iter().filter(|(k, _)| known.iter().any(|f| f.mentions(*k)));
        let bounds = bounds.filter_map(|(k, n)| Some(n.as_ref()?.sub(&Card::lit(1)).sub(&Card::var(*k))));
        let iterating = self.iterating.iter().flatten().cloned();
        let limited: Vec<Card> = bounds.chain(known.iter().cloned()).chain(iterating).chain(limits).collect_vec();
        let in_case = |v: &VarId, (case, value): &(Known, Card)| {
            let equal = [value.sub(&Card::var(*v)), Card::var(*v).sub(value)];
            let known: Vec<Card> = known.iter().chain(&case.at_least_zero).chain(&equal).cloned().collect_vec();
            self.follows(&c.replace(*v, value), &known, splits - 1)
        };
        let in_cases = |v: &VarId| self.cases.get(v).is_some_and(|cases| cases.iter().all(|case| in_case(v, case)));
        let on_side = |side: &Known| {
            let known: Vec<Card> = known.iter().chain(&side.at_least_zero).cloned().collect_vec();
            self.follows(c, &known, 0)
        };
        let mut alternatives = self.assumed.either.iter().rev().take(ALTERNATIVES);
        prove::at_least_zero(c, &self.loops, &limited)
            || (splits > 0 && variables.iter().any(in_cases))
            || (splits == SPLITS && alternatives.any(|(a, b)| on_side(a) && on_side(b)))
    }

    /// Whether `0 <= i < len` in every iteration of the loops.
    pub fn in_range(&self, i: &Card, len: &Card) -> bool {
        self.counts(i, len) || self.at_least_zero(i) && self.at_least_zero(&len.sub(i).sub(&Card::lit(1)))
    }

    /// Whether `i` is the index of a loop of `len` iterations: a fast path for the claim of most proofs.
    fn counts(&self, i: &Card, len: &Card) -> bool {
        let Some(Atom::Var(i)) = i.as_atom() else { return false };
        self.loops.iter().any(|(index, count)| index == i && count.as_ref() == Some(len))
    }

    /// Whether the `usize` value of `i` is less than `len`: `i` is in range as an integer, or this very value, which
    /// may have wrapped, is known to be less.
    pub fn is_index(&self, i: &Card, len: &Card) -> bool {
        let value = |(j, n): &(Card, Card)| i == j && self.at_least_zero(&len.sub(n));
        self.in_range(i, len) || self.assumed.below.iter().any(value)
    }

    /// Whether an index that is known to be one may be computed as part of an address: its terms are in range as well.
    pub fn has_terms_in_range(&self, i: &Card, len: &Card) -> bool {
        i.may_wrap() || self.in_range(i, len)
    }

    /// Whether `0 <= start <= end <= len` in every iteration of the loops.
    pub fn holds_slice(&self, start: &Card, end: &Card, len: &Card) -> bool {
        self.at_least_zero(start) && self.at_least_zero(&end.sub(start)) && self.at_least_zero(&len.sub(end))
    }

    /// An upper bound of a size over all iterations of the loops, in known atoms only.
    pub fn upper(&self, c: &Card) -> Option<Card> {
        // Sizes of known atoms were checked at entry, unless a condition decides: they are their own bounds.
        let fixed = c.atoms().into_iter().all(|a| matches!(a, Atom::Op(..)) || self.knows(a)) && !c.is_untracked();
        if fixed && !self.is_conditional() {
            return Some(c.clone());
        }
        bound::upper(c, &self.loops, &|a| self.knows(a), &self.limits)
    }
}
