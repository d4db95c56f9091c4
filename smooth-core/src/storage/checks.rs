//! Checks that repeat others: an index that was checked is in range from there on.
//!
//! ```text
//! x[?i < n] ; … y[?i < n]          ⟶   x[?i < n] ; … y[i]
//! if i < n then x[?i < n] else t   ⟶   if i < n then x[i] else t
//! ```
//!
//! Elements that loops keep become numbers on the way (`promote.rs`), since both need the facts at a loop.
//!
//! A walk in the order of evaluation with the facts at each place: conditions, the tests of folds, checks that were passed,
//! and the entry checks. It comes after all other passes, since they may remove a check that another one relied on.

use super::promote::promote;
use super::values::Values;
use crate::dps::{Alias, Arg, Build, Call, Combine, Copy, Fill, Fold, Let, Program, Reduce, Reduces, Step, Term, View};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::shape::condition::{Condition, Known};
use crate::shape::facts::Facts;
use crate::shape::{Check, Shape};
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;
use std::collections::BTreeSet;

/// A check that remains.
#[derive(Clone, Debug)]
pub struct Remaining {
    /// The user's index or slice expression.
    pub origin: Origin,
    /// What is checked, and why it is not proved.
    pub reason: String,
}

/// Drops the checks that follow from what is known where they are; returns the others. `entry` are the checks that were
/// passed before the program runs.
pub(super) fn checks(p: &mut Program, entry: &[Check], promote: bool) -> Vec<Remaining> {
    let mut walk = Walk {
        facts: Facts::new(BTreeSet::new(), false),
        values: Values::of(p),
        remaining: vec![],
        p: &p.clone(),
        names: promote.then(|| p.names.clone()),
    };
    entry.iter().for_each(|c| walk.facts.assume(&Known::at_entry(c)));
    walk.term(&mut p.body);
    if let Some(names) = walk.names {
        p.names = names;
    }
    walk.remaining
}

struct Walk<'p> {
    facts: Facts,
    values: Values,
    remaining: Vec<Remaining>,
    /// For the names.
    p: &'p Program,
    /// The names of the program and of the numbers that elements become, if they do.
    names: Option<Names>,
}

impl Walk<'_> {
    fn term(&mut self, t: &mut Term) {
        match t {
            Term::Let(Let { value, body, .. }) if matches!(**value, Term::Demand(..)) => {
                self.term(value);
                if matches!(**value, Term::Lit(_)) {
                    *t = body.take();
                    return self.term(t);
                }
                self.term(body);
            }
            Term::Let(Let { x, ty, value, body }) => {
                if *ty == Scalar::Bool {
                    let says = self.condition(value);
                    self.values.bind_condition(*x, says);
                } else {
                    self.term(value);
                    self.values.bind(*x, *ty, value, &mut self.facts);
                }
                self.term(body);
            }
            Term::If(c, a, b) => {
                let says = self.condition(c);
                self.under(&says.holds, |cx| cx.term(a));
                self.under(&says.fails, |cx| cx.term(b));
            }
            Term::Prim(Prim::And | Prim::Or, ..) => drop(self.condition(t)),
            Term::Reduce(Reduce { count, index, body, .. })
            | Term::Reduces(Reduces { count, index, body, .. })
            | Term::Build(Build { count, index, body }) => {
                self.term(count);
                self.each_time(*index, count, |cx| cx.term(body));
            }
            Term::Combine(Combine { count, index, init, combine, body, .. }) => {
                self.term(count);
                self.term(init);
                self.each_time(*index, count, |cx| cx.term(combine));
                self.each_time(*index, count, |cx| cx.term(body));
            }
            Term::Fold(f) => {
                self.promote(f);
                let Fold { count, index, test, init, step, then, .. } = f;
                self.term(count);
                self.term(init);
                self.each_time(*index, count, |cx| {
                    if let Some(test) = test {
                        let says = cx.condition(test);
                        cx.facts.assume(&says.holds);
                    }
                    cx.term(step);
                });
                self.term(then);
            }
            Term::Fill(Fill { write, body, .. }) => {
                self.term(write);
                self.term(body);
            }
            Term::Alias(Alias { view, body, .. }) => {
                self.view(view);
                self.term(body);
            }
            Term::Load(view) => self.view(view),
            Term::Copy(Copy { dest, view, .. }) => {
                self.in_any_order(dest.operands_mut());
                self.view(view);
            }
            Term::Call(Call { dests, args, .. }) => {
                let mut known = Known::default();
                for d in dests {
                    known = known.and(self.apart(|cx| cx.in_any_order(d.operands_mut())));
                }
                for a in args {
                    known = known.and(self.apart(|cx| match a {
                        Arg::Scalar(t) => cx.term(t),
                        Arg::View(v, _) => cx.view(v),
                        Arg::There(_) => {}
                    }));
                }
                self.facts.assume(&known);
            }
            Term::InRange(i, len, origin) => {
                self.term(i);
                if self.is_proved(i, len, *origin) {
                    *t = i.take();
                }
            }
            Term::Demand(ends, origin) => {
                self.in_any_order(ends.iter_mut().collect());
                let ends: Vec<_> = ends.iter().map(|t| self.exact(t)).collect();
                if let [start, end, len] = ends.as_slice()
                    && self.is_slice(start.as_ref(), end.as_ref(), len.as_ref(), *origin)
                {
                    *t = Term::Lit(Lit::Bool(true));
                }
            }
            // Their parts are evaluated in order.
            Term::Prim(..) | Term::Seq(_) | Term::Alloc(_) => t.children_mut().for_each(|t| self.term(t)),
            t => self.in_any_order(t.children_mut().collect()),
        }
    }

    /// Makes numbers of elements of a fold's states.
    fn promote(&mut self, f: &mut Fold) {
        let Some(names) = &mut self.names else { return };
        let (facts, values) = (&self.facts, &mut self.values);
        let mut in_range = |place: &[Term], shape: &Shape| {
            place.iter().zip(shape).all(|(i, n)| values.value(i, facts).is_some_and(|i| facts.is_index(&i, n)))
        };
        promote(f, names, &mut in_range);
    }

    /// Walks a condition; returns what it says, and what the checks in its right operand establish where that was
    /// evaluated.
    fn condition(&mut self, t: &mut Term) -> Condition {
        match t {
            Term::Prim(p @ (Prim::And | Prim::Or), ts, _) => {
                let sign = if *p == Prim::And { |c: Condition| c } else { Condition::negated };
                let a = sign(self.condition(&mut ts[0])).holds;
                let outside = self.facts.enter(&a);
                let b = sign(self.condition(&mut ts[1])).holds;
                let holds = self.facts.leave(outside).and(b);
                sign(Condition { holds, fails: Known::default() })
            }
            Term::Prim(Prim::Not, ts, _) => self.condition(&mut ts[0]).negated(),
            t => {
                self.term(t);
                self.values.condition(t, &mut self.facts)
            }
        }
    }

    /// Walks a part under a condition.
    fn under(&mut self, known: &Known, f: impl FnOnce(&mut Self)) {
        let outside = self.facts.enter(known);
        f(self);
        self.facts.leave(outside);
    }

    /// Walks the parts of a loop that every iteration evaluates.
    fn each_time(&mut self, index: VarId, count: &Term, f: impl FnOnce(&mut Self)) {
        let count =
            self.values.value(count, &self.facts).filter(|n| self.facts.is_exact(n) || matches!(count, Term::Size(..)));
        self.facts.enter_loop(index, count);
        self.under(&Known::default(), f);
        self.facts.leave_loop();
    }

    /// Walks a part; returns what it established, which is not known yet.
    fn apart(&mut self, f: impl FnOnce(&mut Self)) -> Known {
        let outside = self.facts.enter(&Known::default());
        f(self);
        self.facts.leave(outside)
    }

    /// Walks parts that are all evaluated, none of which may rely on another.
    fn in_any_order(&mut self, ts: Vec<&mut Term>) {
        let known = ts.into_iter().map(|t| self.apart(|cx| cx.term(t))).fold(Known::default(), Known::and);
        self.facts.assume(&known);
    }

    fn view(&mut self, v: &mut View) {
        let known = v.steps.iter_mut().map(|s| self.apart(|cx| cx.step(s))).fold(Known::default(), Known::and);
        self.facts.assume(&known);
    }

    fn step(&mut self, s: &mut Step) {
        self.in_any_order(s.operands_mut());
        match s {
            Step::At { index, check, origin } => {
                if check.as_ref().is_some_and(|len| self.is_proved(index, len, *origin)) {
                    *check = None;
                }
            }
            Step::Range { start, end, check: check @ Some(_), origin } => {
                let Some(len) = check.clone() else { return };
                let [start, end] = [start, end].map(|t| self.exact(t));
                if self.is_slice(start.as_ref(), end.as_ref(), Some(&len), *origin) {
                    *check = None;
                }
            }
            Step::Range { .. } => {}
        }
    }

    /// A number that cannot have wrapped.
    fn exact(&mut self, t: &Term) -> Option<Card> {
        self.values.value(t, &self.facts).filter(|c| self.facts.is_exact(c) || matches!(t, Term::Size(..)))
    }

    /// Whether the ends of a slice are in order and in range. If not, its check remains, and they are from here on.
    fn is_slice(&mut self, start: Option<&Card>, end: Option<&Card>, len: Option<&Card>, origin: Origin) -> bool {
        if let (Some(start), Some(end), Some(len)) = (start, end, len) {
            if self.facts.holds_slice(start, end, len) {
                return true;
            }
            self.facts.assume(&Known::slice(start, end, len));
        }
        if let (Some(0), Some(0), Some(n)) = (start.and_then(Card::constant), end.and_then(Card::constant), len) {
            let reason = format!("the size `{}` may be negative", self.show(n));
            self.remaining.push(Remaining { origin, reason });
            return false;
        }
        let elements = len.map_or(String::new(), |n| format!(" of {} elements", self.show(n)));
        let reason = format!("the ends of this slice{elements} are not known to be in order and in range");
        self.remaining.push(Remaining { origin, reason });
        false
    }

    /// Whether an index is in range. If not, its check remains, and it is in range from here on.
    fn is_proved(&mut self, i: &Term, len: &Card, origin: Origin) -> bool {
        let value = self.values.value(i, &self.facts);
        if value.as_ref().is_some_and(|i| self.facts.is_index(i, len)) {
            return true;
        }
        let reason = self.reason(value.as_ref(), len);
        self.remaining.push(Remaining { origin, reason });
        if let Some(i) = value {
            let known = self.facts.index(&i, len);
            self.facts.assume(&known);
        }
        false
    }

    /// Why an index is not proved to be in range.
    fn reason(&self, i: Option<&Card>, len: &Card) -> String {
        let n = self.show(len);
        let Some(i) = i else { return format!("the index depends on data, for a length of `{n}`") };
        let index = match i.as_atom() {
            Some(Atom::Var(v)) if self.is_element(*v) => ELEMENT.to_string(),
            _ => format!("`{}`", self.show(i)),
        };
        let rest = len.sub(i);
        if !self.facts.at_least_zero(i) {
            format!("{index} may be negative, for a length of `{n}`")
        } else if self.facts.at_least_zero(&rest) {
            format!("{index} may be `{n}`, the length")
        } else {
            format!("{index} is not known to be below the length `{n}`")
        }
    }

    fn show(&self, c: &Card) -> String {
        c.show(&|a| match a {
            Atom::Var(v) if self.is_element(*v) => ELEMENT.into(),
            Atom::Var(v) => self.p.names.name(*v).to_string(),
            Atom::Len(v, axis) => format!("{}{}.len()", self.p.names.name(*v), "[0]".repeat(*axis as usize)),
            Atom::Op(..) | Atom::Untracked => "…".into(),
        })
    }

    /// Whether a variable stands for an element of an array.
    fn is_element(&self, v: VarId) -> bool {
        v.0 as usize >= self.p.names.count()
    }
}

/// How an element of an array is called.
const ELEMENT: &str = "an element";

/// The checks that a program keeps, each with the reason.
pub fn remaining(p: &Program, entry: &[Check]) -> Vec<Remaining> {
    checks(&mut p.clone(), entry, false)
}
