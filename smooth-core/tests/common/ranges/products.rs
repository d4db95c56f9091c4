//! The polynomials that a certificate is made of.
//!
//! ```text
//! f ≥ 0,  m a monomial        m · f ≥ 0
//! f ≥ 0,  h ≥ 0               f · h ≥ 0
//! ```
//!
//! A negative term of the goal has to come from a polynomial that has it. That polynomial brings positive terms; those that the
//! goal does not have are taken away by the negative terms of others. So the goal determines which facts matter, nearest first.

use super::symbols::LARGEST;
use super::told::told;
use smooth_core::shape::card::{Atom, Card};
use std::collections::BTreeSet;
use std::ops::Deref;
use std::rc::Rc;

type Powers = Vec<(Atom, u32)>;

/// A polynomial that is at least 0.
#[derive(Debug)]
pub(super) struct Least {
    card: Card,
    /// Its negative terms.
    minus: Vec<Powers>,
    /// The others, with their degrees.
    plus: Vec<(Powers, u32)>,
    /// The operations that occur in it.
    operations: Vec<Atom>,
    /// Its degree.
    highest: u32,
}

/// A fact, shared by all places where it is known.
pub(super) type Fact = Rc<Least>;

impl Deref for Least {
    type Target = Card;

    fn deref(&self) -> &Card {
        &self.card
    }
}

impl Least {
    pub fn new(card: Card) -> Fact {
        let minus = card.terms().filter(|(n, _)| *n < 0).map(|(_, m)| m.to_vec()).collect();
        let highest = card.terms().map(|(_, m)| degree(m)).max().unwrap_or(0);
        let plus = card.terms().filter(|(n, _)| *n > 0).map(|(_, m)| (m.to_vec(), degree(m))).collect();
        let operations = operations(&card);
        Rc::new(Least { card, minus, plus, operations, highest })
    }

    /// The terms that it takes away.
    pub fn minus(&self) -> impl Iterator<Item = &[(Atom, u32)]> {
        self.minus.iter().map(Vec::as_slice)
    }
}

/// The kinds of products.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// By monomials, but for facts that take away only a constant.
    Few,
    /// By facts as well.
    Pairs,
    /// By all monomials.
    All,
}

/// The number of polynomials that a certificate is chosen from.
const COLUMNS: usize = 120;

/// The number of a fact, and the monomial or the number of the other fact that it is multiplied by.
type Key = (usize, Option<Card>, usize);

/// The polynomials that matter for a goal.
pub(super) struct Columns<'a> {
    facts: &'a [Fact],
    kind: Kind,
    /// The highest degree of a polynomial.
    most: u32,
    /// Facts about the operations that occur.
    told: Vec<Fact>,
    asked: BTreeSet<Atom>,
    /// The terms that have to be taken away.
    wanted: Vec<Powers>,
    seen: BTreeSet<Key>,
    /// The polynomials that were found.
    pub found: Vec<Fact>,
    /// Whether there would be more of another kind.
    pub more: bool,
}

impl<'a> Columns<'a> {
    /// The polynomials that matter for a goal; none if one of its terms cannot be taken away.
    pub fn new(goal: &Card, facts: &'a [Fact], kind: Kind) -> Columns<'a> {
        // A fact that takes a term of the goal away may bring a product, which another fact takes away.
        let takes = |f: &&Fact| goal.terms().any(|(n, m)| n < 0 && !m.is_empty() && f.minus().any(|taken| taken == m));
        let most = goal.terms().map(|(_, m)| degree(m)).chain(facts.iter().filter(takes).map(|f| f.highest)).max();
        let most = most.unwrap_or(0).max(1);
        let (told, asked, wanted, seen) = (vec![], BTreeSet::new(), vec![], BTreeSet::new());
        let mut columns = Columns { facts, kind, most, told, asked, wanted, seen, found: vec![], more: false };
        columns.ask(&operations(goal));
        let negative = goal.terms().filter(|(n, m)| *n < 0 && !m.is_empty());
        columns.wanted.extend(negative.map(|(_, m)| m.to_vec()));
        // A polynomial that takes away a product often takes away its factors as well.
        columns.wanted.sort_by_key(|m| std::cmp::Reverse(degree(m)));
        let first = columns.wanted.len();
        if goal.terms().any(|(n, m)| n < 0 && m.is_empty()) {
            columns.wanted.push(vec![]);
        }
        let mut next = 0;
        while next < columns.wanted.len() && columns.found.len() < COLUMNS {
            let (m, before) = (columns.wanted[next].clone(), columns.found.len());
            if goal.mentions(LARGEST) {
                columns.told.extend(at_most_largest(&m));
            }
            columns.take_away(&m);
            let is_taken = || columns.found.iter().any(|c| c.minus.contains(&m));
            if next < first && columns.found.len() == before && !is_taken() {
                break;
            }
            next += 1;
        }
        columns
    }

    /// Adds the polynomials that take a term away.
    fn take_away(&mut self, m: &Powers) {
        let mut k = 0;
        while k < self.facts.len() + self.told.len() {
            let f = self.facts.get(k).unwrap_or_else(|| &self.told[k - self.facts.len()]).clone();
            for n in &f.minus {
                let more = degree(m).saturating_sub(degree(n));
                if f.highest + more > self.most || more == 0 && m != n {
                    continue;
                }
                if more > 0 && n.is_empty() && self.kind != Kind::All {
                    self.more = true;
                    continue;
                }
                if more == 0 {
                    self.add((k, None, usize::MAX), f.clone());
                } else if let Some(q) = quotient(m, n) {
                    self.add_product((k, Some(q.clone()), usize::MAX), &f, &q);
                    if let Some(a) = q.as_atom() {
                        self.by_facts(k, &f, a);
                    }
                }
            }
            k += 1;
        }
    }

    /// Adds products with facts that bound an indeterminate from below.
    fn by_facts(&mut self, k: usize, f: &Fact, a: &Atom) {
        if self.kind != Kind::Pairs {
            self.more = true;
            return;
        }
        let bounds =
            |f: &Fact| f.terms().count() > 1 && f.terms().any(|(n, m)| n > 0 && matches!(m, [(b, 1)] if a == b));
        let all = self.facts.iter().chain(&self.told).enumerate().filter(|(_, f)| bounds(f));
        let all: Vec<(usize, Fact)> = all.map(|(j, g)| (j, g.clone())).collect();
        for (j, g) in all {
            self.add_product((k, None, j), f, &g);
        }
    }

    fn add_product(&mut self, key: Key, f: &Card, g: &Card) {
        if self.found.len() < COLUMNS && !self.seen.contains(&key) {
            let c = f.mul(g);
            if !c.is_untracked() {
                self.add(key, Least::new(c));
            }
        }
    }

    fn add(&mut self, key: Key, c: Fact) {
        // Many facts are known twice.
        if self.found.len() >= COLUMNS || !self.seen.insert(key) || self.found.iter().any(|f| f.card == c.card) {
            return;
        }
        for (m, _) in c.plus.iter().filter(|(_, degree)| *degree <= self.most) {
            if !self.wanted.contains(m) {
                self.wanted.push(m.clone());
            }
        }
        self.ask(&c.operations);
        self.found.push(c);
    }

    /// Adds the facts about operations.
    fn ask(&mut self, operations: &[Atom]) {
        for a in operations {
            if self.asked.insert(a.clone()) {
                let told = told(a, self.facts).into_iter().filter(|c| !c.is_untracked());
                self.told.extend(told.map(Least::new));
            }
        }
    }
}

/// The operations in a polynomial, those inside of others included.
fn operations(c: &Card) -> Vec<Atom> {
    c.atoms().into_iter().filter(|a| matches!(a, Atom::Op(..))).cloned().collect()
}

/// Whatever is a `usize` is at most the largest one.
fn at_most_largest(m: &Powers) -> Option<Fact> {
    let least = match &m[..] {
        [] => Card::lit(u32::MAX.into()),
        [(a @ (Atom::Var(_) | Atom::Len(..)), 1)] if *a != Atom::Var(LARGEST) => Card::atom(a.clone()),
        _ => return None,
    };
    Some(Least::new(Card::var(LARGEST).sub(&least)))
}

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

fn degree(m: &[(Atom, u32)]) -> u32 {
    m.iter().map(|(_, k)| *k).sum()
}
