//! Bounds of numbers that loops change.
//!
//! ```text
//! g[0/i] before the loop        g, 0 ≤ i < n ⊢ s̄ ⊣ g[i + 1/i]
//! ─────────────────────────────────────────────────────────────
//! for i < n { s̄ }: g wherever an iteration begins
//! ```
//!
//! Which bounds there may be is guessed: lengths and sizes, the loop's index, other numbers that it changes. All that hold before
//! the loop are assumed, and those that an iteration does not keep are dropped until all are kept.

use super::Walk;
use super::numbers::Known;
use smooth_core::name::VarId;
use smooth_core::shape::card::Card;
use std::collections::BTreeSet;

/// What holds in a loop and behind it.
#[derive(Default)]
pub(super) struct Invariants {
    /// Where an iteration begins.
    pub always: Vec<Card>,
    /// Behind the loop, wherever it was left.
    pub after: Vec<Card>,
}

/// How far a walk has come.
pub(super) struct Now {
    known: Known,
    accesses: usize,
    /// The number of accesses that are not proved.
    pub found: usize,
}

impl Walk<'_> {
    pub(super) fn now(&self) -> Now {
        Now { known: self.known.clone(), accesses: self.accesses, found: self.found.len() }
    }

    /// Forgets what was seen since then.
    pub(super) fn back_to(&mut self, then: Now) {
        (self.known, self.accesses) = (then.known, then.accesses);
        self.found.truncate(then.found);
    }

    /// The goals about these numbers.
    pub(super) fn wanted(&self, changed: &BTreeSet<VarId>) -> Vec<Card> {
        self.goals.iter().filter(|g| changed.iter().any(|x| g.mentions(*x))).cloned().collect()
    }

    /// The loop is left here if these facts hold.
    pub(super) fn leave(&mut self, facts: &[Card]) {
        let mut then = self.known.clone();
        then.facts.extend(facts.iter().cloned());
        self.left.retain(|g| then.clearly(g));
    }

    pub(super) fn invariants(
        &mut self,
        index: VarId,
        range: &[Card],
        changed: &BTreeSet<VarId>,
        body: &impl Fn(&mut Self),
    ) -> Invariants {
        let before = |w: &Self, g: &Card| w.known.clearly(&g.replace(index, &Card::lit(0)));
        let mut always = self.guesses(index, changed);
        always.retain(|g| before(self, g));
        if always.is_empty() {
            return Invariants::default();
        }
        let next = Card::var(index).add(&Card::lit(1));
        loop {
            let before = self.now();
            let goals = std::mem::replace(&mut self.goals, always.clone());
            self.goals.extend(goals.iter().cloned());
            let left = std::mem::replace(&mut self.left, always.clone());
            changed.iter().for_each(|x| self.known.forget(*x));
            self.known.facts.extend(range.iter().chain(&always).cloned());
            body(self);
            let kept: Vec<Card> =
                always.iter().filter(|g| self.known.clearly(&g.replace(index, &next))).cloned().collect();
            let mut after = std::mem::replace(&mut self.left, left);
            self.goals = goals;
            self.back_to(before);
            if kept.len() == always.len() {
                after.retain(|g| !g.mentions(index));
                return Invariants { always, after };
            }
            always = kept;
        }
    }

    /// The sizes and indices among what a loop changes.
    pub(super) fn numbers(&self, changed: &BTreeSet<VarId>) -> Vec<VarId> {
        let number = |x: &VarId| self.known.assigned.contains(x) && self.known.usizes.contains(x);
        changed.iter().copied().filter(number).collect()
    }

    /// What may be an invariant: in the proof of a loop around only what is wanted there.
    fn guesses(&self, index: VarId, changed: &BTreeSet<VarId>) -> Vec<Card> {
        let numbers = self.numbers(changed);
        let lengths = self.f.buffers.iter().map(|b| self.known.card(&b.len));
        let sizes = self.f.params.iter().flat_map(|p| (0..p.dims().len()).map(|axis| p.extent(axis)));
        let linear = |c: &Card| c.terms().all(|(_, m)| m.iter().map(|(_, power)| power).sum::<u32>() <= 1);
        let most: BTreeSet<Card> = lengths.chain(sizes).filter(|c| !c.is_untracked() && linear(c)).collect();
        let mut guesses = self.wanted(changed);
        if !self.goals.is_empty() {
            return guesses;
        }
        for x in &numbers {
            let (x, i, one) = (Card::var(*x), Card::var(index), Card::lit(1));
            for n in &most {
                guesses.extend([n.sub(&x), n.sub(&x).sub(&one)]);
            }
            guesses.extend([i.sub(&x), i.add(&one).sub(&x), x.sub(&i), x.sub(&one)]);
            guesses.extend(numbers.iter().map(|y| Card::var(*y).sub(&x)));
        }
        guesses.retain(|g| !g.never_negative());
        guesses.sort();
        guesses.dedup();
        guesses
    }
}
