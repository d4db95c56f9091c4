//! Invariants of folds: facts about the numbers in a state before and after each iteration.
//!
//! ```text
//! facts ⊢ c[s₀/s, 0/k]                          at the start
//! facts, c̄, test, p ⊢ c[s'/s, k + 1/k]          on each path p through the step, for each c in c̄
//! ─────────────────────────────────────
//! c̄ holds in every iteration, and after the last
//! ```
//!
//! The inequalities `c >= 0` are guessed (`guesses.rs`). Those that cannot be proved are dropped, and the rest are
//! tried again without them, until all that are left follow from each other. Nothing is known about a number that may
//! have wrapped.
//!
//! A loop that ends by a flag keeps its index in range only while the flag is down. An inequality that fails when the
//! flag goes up still holds *inside*, in each iteration that takes place.
//!
//! A guess mentions only the states, the index and values that are the same in all iterations, and no operation that
//! the program may not have evaluated. On a path a value replaces the one that an earlier walk recorded for the name.
//! `a || b` is two cases, each with the facts that it gives.

use super::checks::{Aim, Walk};
use super::guesses::{self, Examined};
use crate::dps::{Fold, Term};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::shape::condition::Known;
use crate::ty::Scalar;

/// The maximum number of proofs and comparisons for one loop, those inside it included.
const PROOFS: usize = 300;

/// The maximum number of times that the remaining inequalities are tried again.
const ITERATIONS: usize = 10;

/// The facts about the states of a fold.
#[derive(Default)]
pub(super) struct Invariants {
    /// At the start of each iteration that takes place.
    pub inside: Known,
    /// After the fold.
    pub after: Known,
}

/// An inequality `c >= 0` about the states and the index.
#[derive(Clone, PartialEq, Eq)]
struct Candidate {
    c: Card,
    /// Whether it is to hold at the end too, and not only in each iteration that takes place.
    always: bool,
}

impl<'p> Walk<'p> {
    /// The facts about the states of a fold whose initial states have not been walked yet.
    pub(super) fn invariants(&mut self, fold: &'p Fold) -> Invariants {
        let states = fold.scalars(Scalar::Usize).collect_vec();
        if !self.by_induction || self.aim == Aim::Look || states.is_empty() {
            return Invariants::default();
        }
        if self.aim == Aim::Decide {
            self.budget = PROOFS;
        }
        if self.budget == 0 {
            return Invariants::default();
        }
        // The count of a loop that only its test ends is not a bound.
        let count = self.exact(&fold.count).filter(|n| n.constant().is_none_or(|n| n <= u32::MAX.into()));
        let flags = flags(fold);
        let examined = Examined { fold, count, states, flags };
        let (facts, values, aim) = (self.facts.clone(), self.values.clone(), self.aim);
        // A walk that visited the fold before left facts about its end.
        let own = guesses::bound(&examined);
        self.facts.forget_known(|v| self.values.depends(v, &own));
        let proved = self.examine(&examined);
        (self.facts, self.values, self.aim) = (facts, values, aim);
        proved
    }

    fn examine(&mut self, x: &Examined<'p>) -> Invariants {
        let guessed = guesses::of(self, x);
        let mut left: Vec<Candidate> = guessed.into_iter().mapped(|c| Candidate { c, always: true });
        self.aim = Aim::Prove;
        self.paths(&x.fold.init, &mut |cx| {
            let states = cx.values_of(x);
            let start = |c: &Card| at(c, x, &states, &Card::default());
            left = cx.that_hold(std::mem::take(&mut left), x, &start);
        });
        for _ in 0..ITERATIONS {
            if left.is_empty() {
                break;
            }
            let before = left.clone();
            let known = Known::not_negative(strongest(before.iter()));
            self.iteration(x, &known, &mut |cx| {
                let states = cx.values_of(x);
                let next = Card::var(x.fold.index).add(&Card::lit(1));
                let after = |c: &Card| at(c, x, &states, &next);
                left = cx.that_hold(std::mem::take(&mut left), x, &after);
            });
            if left == before {
                return conclusions(x, &left);
            }
        }
        Invariants::default()
    }

    /// Walks along the paths of an iteration that begins with the facts `known`.
    pub(super) fn iteration(&mut self, x: &Examined<'p>, known: &Known, end: &mut dyn FnMut(&mut Self)) {
        self.facts.enter_loop(x.fold.index, x.count.clone());
        self.under(known, |cx| {
            if let Some(test) = &x.fold.test {
                let says = cx.condition(test);
                cx.facts.assume(&says.holds);
            }
            x.flags.iter().for_each(|(now, _)| cx.values.decide(*now, false));
            cx.paths(&x.fold.step, end);
        });
        self.facts.leave_loop();
    }

    /// The values that the next states have at the end of a path, each as an integer.
    pub(super) fn values_of(&mut self, x: &Examined<'p>) -> Vec<Card> {
        let value = |(_, next): &(VarId, VarId)| {
            let value = self.values.value(&Term::Var(*next), &self.facts);
            value.filter(|c| self.facts.is_exact(c)).unwrap_or(Card::var(*next))
        };
        x.states.iter().mapped(value)
    }

    /// The inequalities that hold at the end of a path, where `at` gives their meaning. An inequality that fails there
    /// is kept for the iterations that take place, if it holds in the next one.
    fn that_hold(&mut self, left: Vec<Candidate>, x: &Examined<'p>, at: &dyn Fn(&Card) -> Card) -> Vec<Candidate> {
        let mut kept = Vec::new();
        for l in left {
            let c = at(&l.c);
            if l.always && self.proves(&c) {
                kept.push(l);
            } else if self.holds_inside(&c, x, at) {
                kept.push(Candidate { always: false, ..l });
            }
        }
        kept
    }

    /// Whether an inequality holds if a further iteration takes place.
    fn holds_inside(&mut self, c: &Card, x: &Examined<'p>, at: &dyn Fn(&Card) -> Card) -> bool {
        if x.flags.is_empty() && x.count.is_none() {
            return false;
        }
        let mut known = Known::not_negative([]);
        if let Some(n) = &x.count {
            let index = at(&Card::var(x.fold.index));
            known = known.and(Known::not_negative([n.sub(&index).sub(&Card::lit(1))]));
        }
        for (_, next) in &x.flags {
            if self.values.truth(&Term::Var(*next)) == Some(true) {
                return true;
            }
            known = known.and(self.values.condition(&Term::Var(*next), &mut self.facts).fails);
        }
        let outside = self.facts.enter(&known);
        let proved = self.proves(c);
        self.facts.leave(outside);
        proved
    }

    fn proves(&mut self, c: &Card) -> bool {
        self.spend();
        self.budget > 0 && self.facts.at_least_zero(c)
    }
}

/// An inequality with these values for the states and the index.
fn at(c: &Card, x: &Examined<'_>, states: &[Card], index: &Card) -> Card {
    c.subst(&|a| match a {
        Atom::Var(v) if *v == x.fold.index => index.clone(),
        Atom::Var(v) => match x.states.iter().position(|(now, _)| now == v) {
            Some(k) => states[k].clone(),
            None => Card::var(*v),
        },
        a => Card::atom(a.clone()),
    })
}

/// The facts that follow from the remaining inequalities. After the fold its index is at most the count, and equals the
/// count if there is no test.
fn conclusions(x: &Examined<'_>, left: &[Candidate]) -> Invariants {
    let after = strongest(left.iter().filter(|l| l.always)).into_iter().filter_map(|c| {
        let Some((slope, rest)) = c.linear_in(x.fold.index) else { return (!c.mentions(x.fold.index)).then_some(c) };
        let grows = slope.never_negative() || x.fold.test.is_none();
        if slope == Card::default() {
            Some(rest)
        } else {
            Some(slope.mul(x.count.as_ref().filter(|_| grows)?).add(&rest))
        }
    });
    Invariants { inside: Known::not_negative(strongest(left.iter())), after: Known::not_negative(after.collect_vec()) }
}

/// The strongest inequalities: of those that differ by a number, the one that implies the rest.
fn strongest<'c>(left: impl Iterator<Item = &'c Candidate>) -> Vec<Card> {
    let mut found: Vec<Card> = vec![];
    for Candidate { c, .. } in left {
        match found.iter_mut().find_map(|f| Some((c.sub(f).constant()?, f))) {
            Some((more, f)) if more < 0 => *f = c.clone(),
            Some(_) => {}
            None => found.push(c.clone()),
        }
    }
    found
}

/// The booleans in the state of a fold whose negations its test begins with.
fn flags(f: &Fold) -> Vec<(VarId, VarId)> {
    fn conjuncts<'t>(t: &'t Term, found: &mut Vec<&'t Term>) {
        match t {
            Term::Prim(Prim::And, ts, _) => ts.iter().for_each(|t| conjuncts(t, found)),
            t => found.push(t),
        }
    }
    let mut found = vec![];
    f.test.iter().for_each(|t| conjuncts(t, &mut found));
    let booleans: Vec<_> = f.scalars(Scalar::Bool).collect_vec();
    let flag = |t: &Term| match t {
        Term::Prim(Prim::Not, ts, _) => booleans.iter().find(|(now, _)| ts[0] == Term::Var(*now)).copied(),
        _ => None,
    };
    found.into_iter().map_while(flag).collect_vec()
}
