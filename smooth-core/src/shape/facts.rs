//! Facts about sizes and indices at one place of a kernel: the loops around it, and bounds of the numbers that are not
//! tracked. Inference builds them, and the optimiser and lowering ask them.

use super::bound;
use super::card::{Atom, Card};
use super::prove;
use crate::name::VarId;
use crate::role::Role;
use std::collections::{BTreeMap, BTreeSet};

/// A loop index with its count, where the count can be tracked.
pub type Counted = (VarId, Option<Card>);

/// The facts about sizes and indices at one place of a kernel.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    /// The loops around the place, outermost first.
    loops: Vec<Counted>,
    /// Upper bounds of variables that are not tracked.
    limits: BTreeMap<VarId, Card>,
    /// The atoms that an upper bound may mention: during inference everything known at entry, during lowering only what
    /// a caller passes to `scratch`.
    known: BTreeSet<Atom>,
    /// Whether a bound may also mention the length of any array: only a caller's function knows those sizes.
    lengths: bool,
    /// How many conditions decide whether the place is reached.
    conditions: usize,
}

impl Facts {
    /// The facts outside all loops of a kernel, where `known` are the atoms known at entry.
    pub fn new(known: BTreeSet<Atom>, lengths: bool) -> Self {
        Facts { known, lengths, ..Facts::default() }
    }

    /// Moves to a place inside exactly these loops.
    pub fn go_inside(&mut self, loops: Vec<Counted>) {
        self.loops = loops;
    }

    /// The loops around the place, outermost first.
    pub fn loops(&self) -> &[Counted] {
        &self.loops
    }

    /// Enters a loop.
    pub fn enter_loop(&mut self, index: VarId, count: Option<Card>) {
        self.loops.push((index, count));
    }

    /// Leaves the innermost loop.
    pub fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// Enters a part of a term with this role.
    pub fn enter_part(&mut self, role: Role) {
        self.conditions += usize::from(role == Role::Maybe);
    }

    /// Leaves a part of a term with this role.
    pub fn leave_part(&mut self, role: Role) {
        self.conditions -= usize::from(role == Role::Maybe);
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

    /// Forbids these atoms in upper bounds from now on.
    pub fn forget(&mut self, unknown: impl Fn(&Atom) -> bool) {
        self.known.retain(|a| !unknown(a));
    }

    /// Whether an upper bound may mention an atom.
    pub fn knows(&self, a: &Atom) -> bool {
        self.known.contains(a) || (self.lengths && matches!(a, Atom::Len(..)))
    }

    /// Whether `c >= 0` in every iteration of the loops.
    pub fn at_least_zero(&self, c: &Card) -> bool {
        prove::at_least_zero(c, &self.loops)
    }

    /// Whether `0 <= i < len` in every iteration of the loops.
    pub fn in_range(&self, i: &Card, len: &Card) -> bool {
        prove::in_range(i, len, &self.loops)
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
