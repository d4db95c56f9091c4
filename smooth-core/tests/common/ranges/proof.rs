//! Certificates that a polynomial is at least 0.
//!
//! ```text
//! c · g  =  Σ μₖ · fₖ + r        c > 0, every f ≥ 0 a fact, every μ a monomial or a fact, no coefficient of r < 0
//! ───────────────────────
//! g ≥ 0
//! ```
//!
//! Every indeterminate is at least 0, so a polynomial without negative coefficients is. The search takes the largest negative
//! term away by a fact that has a divisor of it with a negative coefficient, and goes on with what remains. A minimum, a
//! maximum and a number that is one of several are replaced by each of the values that they may have.

use smooth_core::name::VarId;
use smooth_core::shape::card::{Atom, Card, Op};
use std::collections::{BTreeMap, BTreeSet};

/// One of the values that a number may have: what holds if it has it.
pub(super) type Case = (Vec<Card>, Card);

/// So many steps a certificate has at most.
const STEPS: u32 = 8;

/// So many products are tried for one goal.
const TRIES: u32 = 1_000;

/// So many times a goal is split.
const SPLITS: u32 = 3;

/// Whether a goal follows from facts. `cases` are the numbers that are one of several.
pub(super) fn follows(goal: &Card, facts: &[Card], cases: &BTreeMap<VarId, Vec<Case>>) -> bool {
    goal.never_negative() || split(goal, facts, cases, SPLITS, &mut TRIES.clone())
}

/// The same with little effort: for goals of which most do not follow.
pub(super) fn follows_clearly(goal: &Card, facts: &[Card], cases: &BTreeMap<VarId, Vec<Case>>) -> bool {
    goal.never_negative() || split(goal, facts, cases, 1, &mut (TRIES / 8))
}

fn split(goal: &Card, facts: &[Card], cases: &BTreeMap<VarId, Vec<Case>>, splits: u32, tries: &mut u32) -> bool {
    let mut all = facts.to_vec();
    all.extend(operations(goal, facts));
    all.retain(|f| !f.never_negative() && !f.is_untracked());
    all.sort_by_cached_key(|f| (f.terms().count(), f.clone()));
    all.dedup();
    let most = goal.terms().map(|(_, m)| degree(m)).max().unwrap_or(0);
    // Short certificates first.
    if (1..=STEPS).any(|steps| search(goal, &all, most, steps, &mut (*tries).min(TRIES / 5))) {
        return true;
    }
    *tries = tries.saturating_sub(TRIES / 8);
    if splits == 0 || *tries == 0 {
        return false;
    }
    let all: BTreeSet<&Atom> = std::iter::once(goal).chain(facts).flat_map(Card::atoms).collect();
    all.into_iter().any(|a| {
        let values: Vec<Case> = match a {
            Atom::Op(Op::Min, x, y) => vec![(vec![y.sub(x)], (**x).clone()), (vec![x.sub(y)], (**y).clone())],
            Atom::Op(Op::Max, x, y) => vec![(vec![x.sub(y)], (**x).clone()), (vec![y.sub(x)], (**y).clone())],
            Atom::Var(x) => cases.get(x).cloned().unwrap_or_default(),
            _ => vec![],
        };
        !values.is_empty()
            && values.iter().all(|(when, value)| {
                let with = |c: &Card| replaced(c, a, value);
                let facts: Vec<Card> = facts.iter().chain(when).map(with).collect();
                split(&with(goal), &facts, cases, splits - 1, tries)
            })
    })
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

/// What the operations say that occur: they have been evaluated, so that no divisor is 0.
fn operations(goal: &Card, facts: &[Card]) -> Vec<Card> {
    let all: BTreeSet<&Atom> = std::iter::once(goal).chain(facts).flat_map(Card::atoms).collect();
    let mut told: Vec<Card> = vec![];
    for a in &all {
        let Atom::Op(op, x, y) = a else { continue };
        let (z, x, y) = (Card::atom((*a).clone()), &**x, &**y);
        match op {
            Op::Div => {
                let below = x.sub(&z.mul(y));
                told.push(y.sub(&Card::lit(1)).sub(&below));
                told.push(below);
                // x ≥ c and so x / y ≥ c / y
                if let Some(y) = y.constant().filter(|y| *y > 0) {
                    let least = |f: &Card| Some(-f.sub(x).constant()?).filter(|c| *c >= y);
                    told.extend(facts.iter().filter_map(least).map(|c| z.sub(&Card::lit(c / y))));
                }
            }
            Op::Rem => {
                let whole = x.sub(&z).sub(&Card::op(Op::Div, x, y).mul(y));
                told.extend([y.sub(&Card::lit(1)).sub(&z), x.sub(&z), Card::lit(0).sub(&whole), whole]);
            }
            Op::Min => told.extend([x.sub(&z), y.sub(&z)]),
            Op::Max => told.extend([z.sub(x), z.sub(y)]),
            Op::Mul => {}
        }
    }
    let is_known = |c: Card| facts.contains(&c) || told.contains(&c);
    let decided = all.iter().flat_map(|a| match a {
        Atom::Op(Op::Min, x, y) => {
            let z = Card::atom((*a).clone());
            [(x, y), (y, x)].into_iter().filter(|(x, y)| is_known(y.sub(x))).map(|(x, _)| z.sub(x)).collect()
        }
        _ => vec![],
    });
    let decided: Vec<Card> = decided.collect();
    told.extend(decided);
    told
}

type Powers = [(Atom, u32)];

/// `m / n`, if `n` divides it.
fn quotient(m: &Powers, n: &Powers) -> Option<Card> {
    let power = |of: &Powers, a: &Atom| of.iter().find(|(b, _)| a == b).map_or(0, |(_, k)| *k);
    if n.iter().any(|(a, k)| power(m, a) < *k) {
        return None;
    }
    let mut product = Card::lit(1);
    for (a, k) in m {
        for _ in power(n, a)..*k {
            product = product.mul(&Card::atom(a.clone()));
        }
    }
    Some(product)
}

fn degree(m: &Powers) -> u32 {
    m.iter().map(|(_, k)| *k).sum()
}

/// Finds a certificate without terms of a higher degree than `most`.
fn search(goal: &Card, facts: &[Card], most: u32, steps: u32, tries: &mut u32) -> bool {
    if goal.is_untracked() {
        return false;
    }
    let worst = goal.terms().filter(|(c, _)| *c < 0).max_by_key(|(_, m)| degree(m));
    let Some((c, m)) = worst else { return true };
    if steps == 0 || degree(m) > most {
        return false;
    }
    let mut ways: Vec<(u32, &Card, i128, Card)> = vec![];
    for f in facts {
        let highest = f.terms().map(|(_, n)| degree(n)).max().unwrap_or(0);
        for (d, n) in f.terms().filter(|(d, _)| *d < 0) {
            let more = degree(m).saturating_sub(degree(n));
            if highest + more <= most
                && let Some(q) = quotient(m, n)
            {
                ways.push((more, f, d, q));
            }
        }
    }
    // Facts that have the term itself come first.
    ways.sort_by_key(|(more, ..)| *more);
    for (_, f, d, q) in ways {
        // A fact with this indeterminate bounds it from below.
        let at_least = |g: &&Card| {
            let itself = q.as_atom().and_then(|a| g.terms().find(|(k, p)| *k > 0 && **p == [(a.clone(), 1)]));
            itself.filter(|_| g.terms().count() > 1).map(|(k, _)| ((*g).clone(), k))
        };
        let bounds = facts.iter().filter_map(|g| at_least(&g));
        for (by, k) in std::iter::once((q.clone(), 1)).chain(bounds) {
            if *tries == 0 {
                return false;
            }
            *tries -= 1;
            let rest = goal.mul(&Card::lit(-d * k)).sub(&f.mul(&by).mul(&Card::lit(-c)));
            if search(&rest, facts, most, steps - 1, tries) {
                return true;
            }
        }
    }
    false
}
