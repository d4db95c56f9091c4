//! Proofs that a polynomial is at least 0.
//!
//! ```text
//! c · g  =  Σ λₖ · fₖ + r        c > 0, every λ ≥ 0, every f ≥ 0, no coefficient of r < 0
//! ───────────────────────
//! g ≥ 0
//! ```
//!
//! Every indeterminate is at least 0, so a polynomial without negative coefficients is. The candidates for `f` are in
//! `ranges/products.rs`, and linear programming finds the weights, monomial by monomial (`ranges/simplex.rs`). The certificate
//! that is found is computed again, so that nothing depends on the search.
//!
//! A minimum, a maximum and a number that is one of several are replaced by each of the values that they may have. If all are
//! replaced in a case and it is not proved, the proof fails: no choice is taken back.

use super::products::{Columns, Fact, Kind, Least};
use super::simplex::weights;
use smooth_core::name::VarId;
use smooth_core::shape::card::{Atom, Card, Op};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// One of the values that a number may have, and what holds if it has it.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub when: Vec<Fact>,
    pub value: Card,
}

/// The numbers that are one of several.
pub(super) type Cases = BTreeMap<VarId, Rc<Vec<Case>>>;

/// An integer goal `g` is proved as `PARTS · g + PARTS - 1 ≥ 0`, which says that it is more than -1.
const PARTS: i128 = 4096;

/// The effort for a proof.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    kinds: &'static [Kind],
    /// The number of times that a goal is split.
    splits: u32,
}

/// For goals that have to follow.
pub(super) const MUCH: Effort = Effort { kinds: &[Kind::Few, Kind::Pairs, Kind::All], splits: 8 };

/// For guesses. Most of them do not follow.
pub(super) const LITTLE: Effort = Effort { kinds: &[Kind::Few], splits: 4 };

/// Whether a goal follows from facts.
pub(super) fn follows(goal: &Card, facts: &[Fact], cases: &Cases, effort: Effort) -> bool {
    goal.never_negative() || !goal.is_untracked() && split(goal, facts, cases, effort, &[])
}

fn split(goal: &Card, facts: &[Fact], cases: &Cases, effort: Effort, before: &[Fact]) -> bool {
    let touched = match certificate(goal, facts, effort) {
        Ok(()) => return true,
        Err(touched) => touched,
    };
    // An impossible case needs no proof.
    let never = |f: &Fact| certificate(&Card::lit(-1).sub(f), facts, effort).is_ok();
    let found = touched.into_iter().find_map(|a| Some((values(&a, cases)?, a)));
    let Some((values, a)) = found.filter(|_| effort.splits > 0) else {
        return undivided(goal).is_some_and(|g| certificate(&g, facts, effort).is_ok()) || before.iter().any(never);
    };
    values.iter().all(|Case { when, value }| {
        let with = |f: &Fact| if occurs(&a, f) { Least::new(replaced(f, &a, value)) } else { f.clone() };
        let mut all: Vec<Fact> = facts.iter().map(with).collect();
        let when: Vec<Fact> = when.iter().map(with).collect();
        let goal = replaced(goal, &a, value);
        let never = |f: &Fact| certificate(&Card::lit(-1).sub(f), &all, effort).is_ok();
        if goal.never_negative() || when.iter().take(2).any(never) {
            return true;
        }
        let before: Vec<Fact> = before.iter().map(with).chain(when.iter().take(2).cloned()).collect();
        all.extend(when);
        let effort = Effort { splits: effort.splits - 1, ..effort };
        split(&goal, &all, cases, effort, &before)
    })
}

/// ```text
/// c ≥ x / y   ⟺   c · y + y - 1 ≥ x        y > 0
/// ```
fn undivided(goal: &Card) -> Option<Card> {
    goal.terms().find_map(|(n, m)| match m {
        [(z @ Atom::Op(Op::Div, x, y), 1)] if n == -1 && y.constant().is_none() => {
            let c = goal.add(&Card::atom(z.clone()));
            Some(c.mul(y).add(y).sub(&Card::lit(1)).sub(x))
        }
        _ => None,
    })
}

/// Whether an indeterminate occurs in a polynomial.
fn occurs(a: &Atom, c: &Card) -> bool {
    let inside = |b: &Atom| matches!(b, Atom::Op(_, x, y) if occurs(a, x) || occurs(a, y));
    c.terms().any(|(_, m)| m.iter().any(|(b, _)| a == b || inside(b)))
}

/// The values that an indeterminate may have, if they are known.
fn values(a: &Atom, cases: &Cases) -> Option<Vec<Case>> {
    let case =
        |less: &Card, more: Card, value: &Card| Case { when: vec![Least::new(more.sub(less))], value: value.clone() };
    let before = |c: &Card| c.sub(&Card::lit(1));
    match a {
        Atom::Op(Op::Min, x, y) => Some(vec![case(x, (**y).clone(), x), case(y, before(x), y)]),
        Atom::Op(Op::Max, x, y) => Some(vec![case(y, (**x).clone(), x), case(x, before(y), y)]),
        Atom::Var(x) => cases.get(x).map(|all| all.to_vec()),
        _ => None,
    }
}

/// A polynomial with a value for one of its indeterminates.
fn replaced(c: &Card, a: &Atom, value: &Card) -> Card {
    let mut sum = Card::default();
    for (n, powers) in c.terms() {
        let mut product = Card::lit(n);
        for (b, power) in powers {
            let factor = match b {
                b if b == a => value.clone(),
                Atom::Op(op, x, y) => Card::op(*op, &replaced(x, a, value), &replaced(y, a, value)),
                b => Card::atom(b.clone()),
            };
            for _ in 0..*power {
                product = product.mul(&factor);
            }
        }
        sum = sum.add(&product);
    }
    sum
}

/// Finds a certificate, or the indeterminates that it would be about: those of the goal first.
fn certificate(goal: &Card, facts: &[Fact], effort: Effort) -> Result<(), Vec<Atom>> {
    if goal.never_negative() {
        return Ok(());
    }
    let mut touched = vec![];
    for kind in effort.kinds {
        let columns = Columns::new(goal, facts, *kind);
        if proves(goal, &columns.found) {
            return Ok(());
        }
        touched =
            std::iter::once(goal).chain(columns.found.iter().map(|c| &***c)).flat_map(Card::atoms).cloned().collect();
        if !columns.more {
            break;
        }
    }
    Err(touched)
}

/// The polynomials that a certificate may use: each of their positive terms is one of the goal's, or can be taken away.
fn usable(goal: &Card, columns: &[Fact]) -> Vec<Fact> {
    let mut all: Vec<Fact> = columns.to_vec();
    loop {
        let given = |m: &[(Atom, u32)]| goal.terms().any(|(n, g)| n > 0 && g == m);
        let taken: BTreeSet<&[(Atom, u32)]> = all.iter().flat_map(|c| c.minus()).collect();
        let usable = |c: &&Fact| c.terms().all(|(n, m)| n < 0 || taken.contains(m) || given(m));
        let fewer: Vec<Fact> = all.iter().filter(usable).cloned().collect();
        if fewer.len() == all.len() {
            return all;
        }
        all = fewer;
    }
}

/// Whether weights of these polynomials make a certificate. The goal is an integer: it is at least 0 if it is more than -1.
fn proves(goal: &Card, columns: &[Fact]) -> bool {
    let goal = &goal.mul(&Card::lit(PARTS)).add(&Card::lit(PARTS - 1));
    let columns = &usable(goal, columns);
    let mut rows = BTreeMap::new();
    let zero = (0, vec![0; columns.len()]);
    for (n, m) in goal.terms() {
        rows.entry(m).or_insert_with(|| zero.clone()).0 = n;
    }
    for (k, c) in columns.iter().enumerate() {
        for (n, m) in c.terms() {
            rows.entry(m).or_insert_with(|| zero.clone()).1[k] = n;
        }
    }
    let (most, rows): (Vec<i128>, Vec<Vec<i128>>) = rows.into_values().unzip();
    let Some((by, weights)) = weights(rows, &most) else { return false };
    let used = columns.iter().zip(&weights).filter(|(_, n)| **n != 0);
    let rest = used.fold(goal.mul(&Card::lit(by)), |rest, (c, n)| rest.sub(&c.mul(&Card::lit(*n))));
    by > 0 && weights.iter().all(|n| *n >= 0) && rest.never_negative()
}
