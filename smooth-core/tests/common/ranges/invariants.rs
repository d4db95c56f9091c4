//! Bounds of numbers that loops change.
//!
//! ```text
//! g[0/i, x̄₀/x̄] before the loop        g, 0 ≤ i < n ⊢ s̄ ⊣ g[i + 1/i, x̄'/x̄]
//! ─────────────────────────────────────────────────────────────────────────
//! for i < n { s̄ }: g wherever an iteration begins, and g[n/i] after it
//! ```
//!
//! Bounds are guessed: lengths and sizes, the value before the loop, the loop's index, other numbers that it changes. All
//! guesses that hold before the loop are assumed, and those that an iteration does not keep are dropped until all are kept.
//! After a loop that may end early, those hold that hold at each exit. Nothing is guessed where iterations have no order.

use super::Walk;
use super::numbers::Known;
use smooth_core::name::VarId;
use smooth_core::shape::card::{Atom, Card};
use std::collections::{BTreeMap, BTreeSet};

/// A loop.
pub(super) struct Loop<'a> {
    pub index: VarId,
    pub count: Card,
    /// The variables that it binds or assigns.
    pub changed: &'a BTreeSet<VarId>,
    /// Whether its iterations run from the first to the last one.
    pub in_order: bool,
}

/// The variables that a loop changes: the symbol of each where an iteration begins.
type Heads = BTreeMap<VarId, VarId>;

impl<'f> Walk<'f> {
    pub(super) fn each_time(&mut self, l: &Loop, body: impl Fn(&mut Self)) {
        self.known.usizes.insert(l.index);
        l.changed.iter().for_each(|x| drop(self.known.says.remove(x)));
        let changes = |x: &&VarId| self.known.variables.contains(x);
        let heads: Heads = l.changed.iter().filter(changes).map(|x| (*x, self.known.symbols.fresh(*x))).collect();
        let outside = self.known.clone();
        let exits = std::mem::take(&mut self.exits);
        let at_first = |x: VarId| if x == l.index { Some(Card::lit(0)) } else { outside.value_of(x, &heads) };
        let mut guesses = if l.in_order { self.guesses(l, &heads) } else { vec![] };
        guesses.retain(|g| outside.clearly(&with(g, &at_first)));
        self.keep(l, &heads, &outside, &mut guesses, body);
        let exits = std::mem::replace(&mut self.exits, exits);
        self.known = outside;
        self.behind(l, &heads, &guesses, &exits);
    }

    /// Drops the guesses that an iteration does not keep. The last walk through the loop is the one in which all are kept.
    fn keep(
        &mut self,
        l: &Loop,
        heads: &Heads,
        outside: &Known<'f>,
        guesses: &mut Vec<Card>,
        body: impl Fn(&mut Self),
    ) {
        let last = l.count.sub(&Card::lit(1));
        let next = Card::var(l.index).add(&Card::lit(1));
        let (accesses, found) = (self.accesses, self.found.len());
        loop {
            (self.accesses, self.known) = (accesses, outside.clone());
            self.found.truncate(found);
            self.exits.clear();
            heads.iter().for_each(|(x, head)| self.known.assign(*x, Some(Card::var(*head))));
            [last.sub(&Card::var(l.index)), last.clone()].into_iter().for_each(|c| self.known.learn(c));
            guesses.iter().for_each(|g| self.known.learn(g.clone()));
            body(self);
            let before = guesses.len();
            let at_last = |x: VarId| if x == l.index { Some(next.clone()) } else { self.known.value_of(x, heads) };
            guesses.retain(|g| self.known.clearly(&with(g, &at_last)));
            if guesses.len() == before {
                return;
            }
        }
    }

    /// Learns the invariants that hold after a loop.
    fn behind(&mut self, l: &Loop, heads: &Heads, guesses: &[Card], exits: &[Known<'f>]) {
        let at = if exits.is_empty() { l.count.clone() } else { self.known.fresh(l.index) };
        self.known.learn(l.count.sub(&at));
        heads.keys().for_each(|x| self.known.assign(*x, None));
        for g in guesses {
            let holds = |exit: &Known| exit.clearly(&with(g, &|x| exit.value_of(x, heads)));
            if exits.iter().all(holds) {
                let value = |x| if x == l.index { Some(at.clone()) } else { self.known.value_of(x, heads) };
                self.known.learn(with(g, &value));
            }
        }
    }

    /// The candidates for invariants.
    fn guesses(&self, l: &Loop, heads: &Heads) -> Vec<Card> {
        let lengths = self.f.buffers.iter().map(|b| self.known.card(&b.len));
        let sizes = self.f.interface.params.iter().flat_map(|p| (0..p.dims().len()).map(|axis| p.extent(axis)));
        let linear = |c: &Card| c.terms().all(|(_, m)| m.iter().map(|(_, power)| power).sum::<u32>() <= 1);
        // A length that has not been evaluated may have none.
        let most: BTreeSet<Card> = lengths.chain(sizes).filter(|c| c.is_total() && linear(c)).collect();
        let (mut guesses, i, one) = (BTreeSet::new(), Card::var(l.index), Card::lit(1));
        let numbers: Vec<(Card, Card)> = heads
            .iter()
            .filter(|(x, _)| self.known.usizes.contains(x))
            .map(|(x, head)| (Card::var(*head), self.known.card(&Card::var(*x))))
            .collect();
        for (x, x0) in &numbers {
            guesses.extend(most.iter().flat_map(|n| [n.sub(x), n.sub(x).sub(&one)]));
            guesses.extend([x0.sub(x), x.sub(x0), x.sub(&one)]);
            guesses.extend([x0.add(&i).sub(x), x.sub(x0).sub(&i), x0.sub(&i).sub(x), x.add(&i).sub(x0)]);
            guesses.extend([i.sub(x), i.add(&one).sub(x), x.sub(&i)]);
            for (y, y0) in numbers.iter().filter(|(y, _)| y != x) {
                let both = x.add(y).sub(x0).sub(y0).sub(&i);
                guesses.extend([y.sub(x), y.sub(x).sub(&one), Card::lit(0).sub(&both), both]);
            }
        }
        guesses.into_iter().filter(|g| !g.never_negative()).collect()
    }
}

/// A polynomial with values for symbols.
fn with(c: &Card, value: &dyn Fn(VarId) -> Option<Card>) -> Card {
    c.subst(&|a| match a {
        Atom::Var(x) => value(*x).unwrap_or_else(|| Card::atom(a.clone())),
        a => Card::atom(a.clone()),
    })
}

impl Known<'_> {
    /// The value of the variable that the symbol stands for.
    fn value_of(&self, symbol: VarId, heads: &Heads) -> Option<Card> {
        heads.iter().find(|(_, head)| **head == symbol).map(|(x, _)| self.card(&Card::var(*x)))
    }
}
