//! Guesses at invariants of a fold: inequalities between its numbers, its index and values that do not change.
//!
//! | guess | from |
//! |---|---|
//! | `s >= s₀`, `s <= s₀` | each number and its initial value |
//! | `c[s/s₀] >= 0` | the facts about the initial value |
//! | `±d + {1, 0, -1} >= 0` | each difference `d` of numbers that the fold compares, indices and lengths among them |
//! | `s <= max(n, 1) - 1` | a number that starts at 0 and is compared with `n` |
//! | `t - s >= t₀ - s₀` | two numbers whose distance never shrinks |
//! | `s₀ + a·k <= s <= s₀ + b·k` | a number that grows by `a` to `b` in an iteration |
//! | `Σ cₛ·(s - s₀) + c·k = 0` | sums that do not change on any path |
//!
//! Soundness does not depend on a guess being right. But a guess must have one meaning in all iterations: it mentions
//! no variable of the body, no element at such an index, and no operation that may not have been evaluated.

use super::affine;
use super::checks::{Aim, Walk};
use crate::dps::{Fold, Term};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::condition::Known;
use crate::sorted::Set;

/// A fold whose states are examined.
pub(super) struct Examined<'p> {
    pub fold: &'p Fold,
    pub count: Option<Card>,
    /// The numbers in its state, each with its next value.
    pub states: Vec<(VarId, VarId)>,
    /// The booleans in it that its test begins with: `while !flag && …`. No iteration takes place if one is up.
    pub flags: Vec<(VarId, VarId)>,
}

/// The largest number of guesses for one loop.
const GUESSES: usize = 64;

/// The maximum number of states that are compared with each other.
const STATES: usize = 8;

pub(super) fn of<'p>(walk: &mut Walk<'p>, x: &Examined<'p>) -> Vec<Card> {
    walk.aim = Aim::Look;
    let mut starts = vec![];
    walk.paths(&x.fold.init, &mut |cx| starts.push(cx.values_of(x)));
    walk.values.seen = Some(vec![]);
    let mut ends = vec![];
    walk.iteration(x, &Known::default(), &mut |cx| ends.push(cx.likely_values_of(x)));
    let compared = walk.values.seen.take().unwrap_or_default();
    let Some(start) = starts.into_iter().next() else { return vec![] };
    let own = bound(x);
    let mut found = Guesses { walk, x, own, found: vec![] };
    found.initial(&start);
    found.known_at_start(&start);
    found.compared(&compared);
    found.below_a_length(&start, &compared);
    found.growing(&start, &ends);
    found.found
}

impl<'p> Walk<'p> {
    /// The values of the next states at the end of a path, if nothing wraps.
    fn likely_values_of(&mut self, x: &Examined<'p>) -> Vec<Card> {
        let value =
            |(_, next): &(VarId, VarId)| self.values.value(&Term::Var(*next), &self.facts).unwrap_or(Card::var(*next));
        x.states.iter().mapped(value)
    }
}

struct Guesses<'w, 'p> {
    walk: &'w mut Walk<'p>,
    x: &'w Examined<'p>,
    /// The variables that the fold binds.
    own: Set<VarId>,
    found: Vec<Card>,
}

impl Guesses<'_, '_> {
    fn states(&self) -> Vec<VarId> {
        self.x.states.iter().map(|(now, _)| *now).take(STATES).collect_vec()
    }

    fn initial(&mut self, start: &[Card]) {
        for (s, start) in self.states().into_iter().zip(start) {
            let grown = Card::var(s).sub(start);
            self.add(grown.clone());
            self.add(Card::default().sub(&grown));
        }
    }

    /// Guesses that facts about the initial value of a state hold for the state.
    fn known_at_start(&mut self, start: &[Card]) {
        let known: Vec<Card> = self.walk.facts.assumed().cloned().collect_vec();
        for (s, start) in self.states().into_iter().zip(start) {
            if let Some(Atom::Var(v)) = start.as_atom() {
                known.iter().filter(|f| f.mentions(*v)).for_each(|f| self.add(f.replace(*v, &Card::var(s))));
            }
        }
    }

    /// Guesses from compared differences, also with a state instead of the variable of an inner loop or of the body.
    fn compared(&mut self, differences: &[Card]) {
        for d in differences {
            for d in [vec![d.clone()], self.renamed(d)].concat() {
                for d in [d.clone(), Card::default().sub(&d)] {
                    for k in [1, 0, -1] {
                        self.add(d.add(&Card::lit(k)));
                    }
                }
            }
        }
    }

    /// Guesses `s ≤ max(n, 1) - 1` for states `s` that start at 0, and for each length `n` that differs from `s` by a
    /// compared difference and a constant.
    fn below_a_length(&mut self, start: &[Card], differences: &[Card]) {
        let zeros: Vec<Card> =
            self.states().into_iter().zip(start).filter(|(_, s)| s.constant() == Some(0)).mapped(|(s, _)| Card::var(s));
        for d in differences {
            for s in &zeros {
                for n in [s.add(d), s.sub(d)] {
                    let n = n.sub(&Card::lit(n.terms().find(|(_, powers)| powers.is_empty()).map_or(0, |(k, _)| k)));
                    if n.as_atom().is_some() && !n.atoms().iter().any(|a| matches!(a, Atom::Op(..))) {
                        self.add(Card::op(Op::Max, &n, &Card::lit(1)).sub(&Card::lit(1)).sub(s));
                    }
                }
            }
        }
    }

    fn renamed(&self, d: &Card) -> Vec<Card> {
        let inner = |a: &&Atom| matches!(a, Atom::Var(v) if self.own.contains(v) && self.may_change(*v).is_none());
        let inner: Set<&Atom> = d.atoms().into_iter().filter(inner).collect();
        match inner.into_iter().collect_vec().as_slice() {
            [Atom::Var(v)] => self.states().into_iter().mapped(|s| d.replace(*v, &Card::var(s))),
            _ => vec![],
        }
    }

    /// Guesses from the growth of the states on each path.
    fn growing(&mut self, start: &[Card], ends: &[Vec<Card>]) {
        let states = self.states();
        let growth = |s: usize| -> Option<Vec<i128>> {
            ends.iter().map(|end| end[s].sub(&Card::var(states[s])).constant()).collect()
        };
        let growths: Vec<Option<Vec<i128>>> = (0..states.len()).mapped(growth);
        let grown = |s: usize| Card::var(states[s]).sub(&start[s]);
        for s in 0..states.len() {
            for t in (0..states.len()).filter(|t| *t != s) {
                match (&growths[s], &growths[t]) {
                    (Some(a), Some(b)) if a.iter().zip(b).all(|(a, b)| a <= b) => self.add(grown(t).sub(&grown(s))),
                    (Some(_), Some(_)) => {}
                    _ => self.add(Card::var(states[t]).sub(&Card::var(states[s]))),
                }
            }
        }
        let index = self.x.count.as_ref().map(|_| Card::var(self.x.fold.index));
        if let Some(k) = &index {
            for (s, growth) in growths.iter().enumerate() {
                let Some(growth) = growth else { continue };
                let (Some(least), Some(most)) = (growth.iter().min(), growth.iter().max()) else { continue };
                self.add(k.mul(&Card::lit(*most)).sub(&grown(s)));
                self.add(grown(s).sub(&k.mul(&Card::lit(*least))));
            }
        }
        let known: Vec<usize> = (0..states.len()).filter(|s| growths[*s].is_some()).collect_vec();
        let rows: Vec<Vec<i128>> = (0..ends.len()).mapped(|path| {
            let own = known.iter().filter_map(|s| Some(growths[*s].as_ref()?[path]));
            own.chain(index.iter().map(|_| 1)).collect_vec()
        });
        for sum in affine::unchanged(&rows) {
            let parts = known.iter().map(|s| grown(*s)).chain(index.clone());
            let sum = parts.zip(&sum).fold(Card::default(), |sum, (part, c)| sum.add(&part.mul(&Card::lit(*c))));
            self.add(Card::default().sub(&sum));
            self.add(sum);
        }
    }

    fn add(&mut self, c: Card) {
        let about = c.atoms().iter().any(|a| matches!(a, Atom::Var(v) if self.x.states.iter().any(|(s, _)| s == v)));
        let fixed = || c.atoms().into_iter().all(|a| self.is_fixed(a));
        if about && !c.never_negative() && self.found.len() < GUESSES && !self.found.contains(&c) && fixed() {
            self.found.push(c);
        }
    }

    /// Whether an atom is a state or the index, or has one value in all iterations.
    fn is_fixed(&self, a: &Atom) -> bool {
        // An operation that is never evaluated may have no value. On these operands it always has one.
        let plain = |c: &Card| match c.as_atom() {
            Some(Atom::Var(v)) => !self.walk.values.depends(*v, &self.own),
            Some(Atom::Len(..)) => true,
            _ => c.constant().is_some_and(|n| (0..=u32::MAX.into()).contains(&n)),
        };
        match a {
            Atom::Var(v) => self.may_change(*v).is_some() || !self.walk.values.depends(*v, &self.own),
            Atom::Len(v, _) => !self.own.contains(v),
            Atom::Op(Op::Min | Op::Max, a, b) => plain(a) && plain(b),
            Atom::Op(Op::Div | Op::Rem, a, b) => plain(a) && b.constant().is_some_and(|n| n > 0) && plain(b),
            Atom::Op(..) | Atom::Untracked => false,
        }
    }

    /// The state or the index that a variable is.
    fn may_change(&self, v: VarId) -> Option<VarId> {
        let mut own = self.x.states.iter().map(|(now, _)| *now).chain([self.x.fold.index]);
        own.find(|w| *w == v)
    }
}

/// The variables that a fold binds.
pub(super) fn bound(x: &Examined<'_>) -> Set<VarId> {
    let f = x.fold;
    let mut own = Set::from([f.index]);
    for s in &f.states {
        own.extend(s.binders());
    }
    [Some(&*f.init), f.test.as_deref(), Some(&*f.step)]
        .into_iter()
        .flatten()
        .for_each(|t| t.each(&mut |t| own.extend(t.binders())));
    own
}
