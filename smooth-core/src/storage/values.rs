//! What numbers and conditions of DPS-F̃ are, as polynomials in sizes and indices: for proofs about checks.
//!
//! The value of a number is known modulo 2^w, the width of `usize`, since its operations may wrap; that of an operand of
//! `/`, `min` and their like only where it cannot have wrapped.

use crate::dps::{Alias, Fill, Let, Program, State, Term};
use crate::infer::{has_exact_operands, size_prim};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::condition::{Condition, Known};
use crate::shape::entry_atoms;
use crate::shape::facts::Facts;
use crate::ty::Scalar;
use crate::value::Lit;
use std::collections::{BTreeMap, BTreeSet};

/// The variables that are numbers of type `usize`.
pub(super) fn numbers(p: &Program) -> BTreeSet<VarId> {
    let mut found: BTreeSet<VarId> =
        entry_atoms(&p.params).into_iter().filter_map(|a| if let Atom::Var(v) = a { Some(v) } else { None }).collect();
    p.body.each(&mut |t| match t {
        Term::Let(Let { x, ty: Scalar::Usize, .. }) => drop(found.insert(*x)),
        Term::Fill(Fill { cells, .. }) => {
            found.extend(cells.iter().filter(|(_, ty)| *ty == Scalar::Usize).map(|(c, _)| *c));
        }
        Term::Fold(f) => {
            found.insert(f.index);
            found.extend(f.states.iter().filter_map(|s| match s {
                State::Scalar { now, ty: Scalar::Usize, .. } => Some(*now),
                _ => None,
            }));
        }
        Term::Build(b) => drop(found.insert(b.index)),
        Term::Reduce(r) => drop(found.insert(r.index)),
        Term::Reduces(r) => drop(found.insert(r.index)),
        Term::Combine(c) => drop(found.insert(c.index)),
        _ => {}
    });
    found
}

/// The largest number of loads that have a name in proofs.
const LOADS: usize = 64;

/// What is known about the variables in scope.
#[derive(Debug)]
pub(super) struct Values {
    numbers: BTreeSet<VarId>,
    /// The values of numbers with a name.
    values: BTreeMap<VarId, Card>,
    /// What booleans with a name say.
    conditions: BTreeMap<VarId, Condition>,
    /// Loads that were met, which have names in proofs: an array's elements do not change while it has its name.
    loads: Vec<Term>,
}

impl Values {
    pub(super) fn of(p: &Program) -> Values {
        Values { numbers: numbers(p), values: BTreeMap::new(), conditions: BTreeMap::new(), loads: vec![] }
    }

    /// Records the value of a name.
    pub(super) fn bind(&mut self, x: VarId, ty: Scalar, value: &Term, facts: &mut Facts) {
        if ty != Scalar::Usize {
            return;
        }
        if let Some(v) = self.value(value, facts) {
            self.values.insert(x, v);
        } else if let Term::If(c, a, b) = value {
            let c = self.condition(c, facts);
            let cases = [(c.holds, a), (c.fails, b)].map(|(known, t)| self.case(known, t, facts));
            facts.define(x, cases.into_iter().collect());
        }
    }

    /// Records what a boolean with a name says.
    pub(super) fn bind_condition(&mut self, x: VarId, says: Condition) {
        self.conditions.insert(x, says);
    }

    fn case(&mut self, known: Known, t: &Term, facts: &mut Facts) -> Option<(Known, Card)> {
        let outside = facts.enter(&known);
        let value = self.exact(t, facts);
        facts.leave(outside);
        Some((known, value?))
    }

    /// The value of a number modulo 2^w, if it is known or has a name.
    pub(super) fn value(&mut self, t: &Term, facts: &Facts) -> Option<Card> {
        match t {
            Term::Var(v) if self.numbers.contains(v) => Some(self.values.get(v).cloned().unwrap_or(Card::var(*v))),
            Term::Size(c, _) => Some(c.clone()),
            Term::Lit(Lit::Int(n, Scalar::Usize)) => Some(Card::lit(*n)),
            Term::InRange(t, ..) => self.value(t, facts),
            Term::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), ts, _) => {
                let [a, b] = [&ts[0], &ts[1]].map(|t| self.value(t, facts));
                size_prim(*p, &a?, &b?)
            }
            Term::Prim(Prim::Clamp, ts, _) => {
                let [x, low, high] = [&ts[0], &ts[1], &ts[2]].map(|t| self.exact(t, facts));
                Some(Card::op(Op::Min, &Card::op(Op::Max, &x?, &low?), &high?))
            }
            Term::Prim(p, ts, _) if has_exact_operands(*p) => {
                let [a, b] = [&ts[0], &ts[1]].map(|t| self.exact(t, facts));
                size_prim(*p, &a?, &b?)
            }
            Term::Load(_) => self.load(t).map(Card::var),
            _ => None,
        }
    }

    /// The value of a number that is known not to have wrapped.
    fn exact(&mut self, t: &Term, facts: &Facts) -> Option<Card> {
        match t {
            Term::Size(c, _) => Some(c.clone()),
            t => self.value(t, facts).filter(|c| facts.is_exact(c)),
        }
    }

    /// The name of a load in proofs: a number that no variable has.
    fn load(&mut self, t: &Term) -> Option<VarId> {
        let k = self.loads.iter().position(|l| l == t).or_else(|| {
            self.loads.push(t.clone());
            (self.loads.len() <= LOADS).then(|| self.loads.len() - 1)
        })?;
        Some(VarId(u32::MAX - k as u32))
    }

    /// What a condition says.
    pub(super) fn condition(&mut self, t: &Term, facts: &mut Facts) -> Condition {
        match t {
            Term::Var(v) => self.conditions.get(v).cloned().unwrap_or_default(),
            Term::Let(Let { body, .. }) | Term::Alias(Alias { body, .. }) => self.condition(body, facts),
            Term::Prim(p @ (Prim::And | Prim::Or), ts, _) => {
                let sign = if *p == Prim::And { |c: Condition| c } else { Condition::negated };
                let a = sign(self.condition(&ts[0], facts)).holds;
                let outside = facts.enter(&a);
                let b = sign(self.condition(&ts[1], facts)).holds;
                facts.leave(outside);
                sign(Condition { holds: a.and(b), fails: Known::default() })
            }
            Term::Prim(Prim::Not, ts, _) => self.condition(&ts[0], facts).negated(),
            Term::Prim(p, ts, _) if ts.len() == 2 => {
                let is_number = |t: &Term| match t {
                    Term::Var(v) => self.numbers.contains(v),
                    Term::Lit(l) => l.scalar() == Scalar::Usize,
                    t => matches!(t, Term::Size(..)),
                };
                // One side tells the type of both.
                if !ts.iter().any(is_number) {
                    return Condition::default();
                }
                let [a, b] = [&ts[0], &ts[1]].map(|t| self.value(t, facts));
                a.zip(b).map(|(a, b)| facts.compare(*p, &a, &b)).unwrap_or_default()
            }
            _ => Condition::default(),
        }
    }
}
