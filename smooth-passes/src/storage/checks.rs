//! Redundant checks: an index that was checked is in range from there on.
//!
//! ```text
//! x[?i < n] ; … y[?i < n]          ⟶   x[?i < n] ; … y[i]
//! if i < n then x[?i < n] else t   ⟶   if i < n then x[i] else t
//! ```
//!
//! Elements that loops keep become numbers on the way (`promote.rs`), since both need the facts at a loop.
//!
//! A walk in the order of evaluation with the facts at each place: conditions, the tests of folds, checks that were
//! passed, and the entry checks. It comes after all other passes, since they may remove a check that a proof relied on.

use super::drop_checks::{self, Remaining, Verdict};
use super::promote::promote;
use super::values::Values;
use crate::dps::{Alias, Arg, Build, Call, Combine, Copy, Fill, Fold, Let, Program, Reduce, Reduces, Step, Term, View};
use crate::mapped::{Both, Mapped};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::shape::condition::{Condition, Known};
use crate::shape::facts::Facts;
use crate::shape::{Check, Shape};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;

/// Drops the checks that follow from the facts at their place. `entry` are the checks that were passed before the
/// program runs; `promote` says whether elements become numbers.
pub(super) fn checks(p: &mut Program, entry: &[Check], promote: bool) {
    while promote && promoted(p, entry) {}
    let verdict = decide(p, entry);
    drop_checks::proved(p, &verdict);
}

/// Promotes elements of the outermost folds to numbers. Returns whether there are any.
fn promoted(p: &mut Program, entry: &[Check]) -> bool {
    let mut walk = Walk::new(p, entry, false);
    walk.names = Some(p.names.clone());
    walk.term(&p.body);
    let (mut folds, names) = (walk.promoted, walk.names);
    if folds.is_empty() {
        return false;
    }
    p.names = names.unwrap_or_default();
    p.body.each_mut(&mut |t| {
        if let Term::Fold(f) = t
            && let Some(new) = folds.remove(&std::ptr::from_ref(&*f))
        {
            *f = new;
        }
    });
    true
}

/// The checks that a program keeps, each with the reason.
pub fn remaining(p: &Program, entry: &[Check]) -> Vec<Remaining> {
    decide(p, entry).remaining
}

/// Decides about checks. The walk looks for invariants only if a check about the state of a fold remains.
fn decide(p: &Program, entry: &[Check]) -> Verdict {
    let walked = |by_induction| {
        let mut walk = Walk::new(p, entry, by_induction);
        walk.term(&p.body);
        walk.verdict
    };
    let verdict = walked(false);
    if verdict.about_states { walked(true) } else { verdict }
}

/// The purpose of a walk over a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// To decide about its checks.
    Decide,
    /// To collect the comparisons of the program.
    Look,
    /// To derive the facts at its end.
    Prove,
}

/// An index or a range along an axis, and an index along that axis that should not be in it.
pub(super) struct Apart {
    pub(super) start: Term,
    /// The end of a range.
    pub(super) end: Option<Term>,
    pub(super) row: Term,
}

pub(super) struct Walk<'p> {
    pub(super) facts: Facts,
    pub(super) values: Values,
    verdict: Verdict,
    pub(super) aim: Aim,
    /// Whether it looks for invariants of folds.
    pub(super) by_induction: bool,
    /// The number of proofs about the states of a loop that may still be tried.
    pub(super) budget: usize,
    /// The program, for its names.
    pub(super) p: &'p Program,
    /// The names of the program and of the numbers that elements become, if they do.
    names: Option<Names>,
    /// The folds whose elements become numbers, by their addresses.
    promoted: Map<*const Fold, Fold>,
    /// The rows that reads should not touch, and the reads that are proved not to.
    pub(super) asked: Map<*const View, Vec<Apart>>,
    pub(super) are_apart: Set<*const View>,
}

impl<'p> Walk<'p> {
    pub(super) fn new(p: &'p Program, entry: &[Check], by_induction: bool) -> Walk<'p> {
        let mut walk = Walk {
            facts: Facts::new(Set::new()),
            values: Values::of(p),
            verdict: Verdict::default(),
            aim: Aim::Decide,
            by_induction,
            budget: 0,
            p,
            names: None,
            promoted: Map::new(),
            asked: Map::new(),
            are_apart: Set::new(),
        };
        walk.facts.assume_checks(entry);
        walk.facts.know_lengths(&p.interface.params);
        walk
    }

    pub(super) fn term(&mut self, t: &'p Term) {
        match t {
            Term::Let(Let { x, ty, value, body }) => {
                self.bind(*x, *ty, value);
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
                self.fold(f);
                self.term(&f.then);
            }
            Term::Fill(Fill { cells, write, body, .. }) => {
                self.term(write);
                for (cell, ty) in cells {
                    self.values.bind_cell(*cell, *ty, write, &mut self.facts);
                }
                self.term(body);
            }
            Term::Alias(Alias { view, body, .. }) => {
                self.view(view);
                self.term(body);
            }
            Term::Load(view) => self.view(view),
            Term::Copy(Copy { dest, view, .. }) => {
                self.in_any_order(dest.operands());
                self.view(view);
            }
            Term::Call(Call { dests, args, .. }) => {
                let mut known = Known::default();
                for d in dests {
                    known = known.and(self.apart(|cx| cx.in_any_order(d.operands())));
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
                    self.verdict.terms.insert(std::ptr::from_ref(t));
                }
            }
            Term::Demand(ends, origin) => {
                self.in_any_order(ends.iter().collect_vec());
                let ends = ends.iter().mapped(|t| self.exact(t));
                if let [start, end, len] = ends.as_slice()
                    && self.is_slice(start.as_ref(), end.as_ref(), len.as_ref(), *origin)
                {
                    self.verdict.terms.insert(std::ptr::from_ref(t));
                }
            }
            Term::Assert(parts, origin) => {
                let [condition, failure] = &**parts;
                let says = self.condition(condition);
                self.under(&says.fails, |cx| cx.term(failure));
                self.facts.assume(&says.holds);
                if self.aim == Aim::Decide {
                    self.verdict.remaining.push(Remaining { origin: *origin, reason: "it is asserted".into() });
                }
            }
            // Their parts are evaluated in order.
            Term::Prim(..) | Term::Seq(_) | Term::Alloc(_) => t.each_child(&mut |t| self.term(t)),
            t => self.in_any_order(t.children().collect_vec()),
        }
    }

    /// Walks the value of a name, and records it.
    pub(super) fn bind(&mut self, x: VarId, ty: Scalar, value: &'p Term) {
        if ty == Scalar::Bool {
            let says = self.condition(value);
            self.values.bind_condition(x, says, value);
        } else {
            self.term(value);
            self.values.bind(x, ty, value, &mut self.facts);
        }
    }

    /// Whether elements of a fold's states become numbers.
    fn promote(&mut self, f: &'p Fold) -> bool {
        let Some(names) = &mut self.names else { return false };
        let (facts, values) = (&self.facts, &mut self.values);
        let mut in_range = |place: &[Term], shape: &Shape| {
            place.iter().zip(shape).all(|(i, n)| values.value(i, facts).is_some_and(|i| facts.is_index(&i, n)))
        };
        let new = promote(f, names, &mut in_range);
        let is_new = new.is_some();
        self.promoted.extend(new.map(|new| (std::ptr::from_ref(f), new)));
        is_new
    }

    /// Walks a condition. Returns its facts, and those of the checks in its right operand, which hold if that was
    /// evaluated.
    pub(super) fn condition(&mut self, t: &'p Term) -> Condition {
        match t {
            Term::Prim(p @ (Prim::And | Prim::Or), ts, _) => {
                let sign = if *p == Prim::And { |c: Condition| c } else { Condition::negated };
                let first = sign(self.condition(&ts[0]));
                let outside = self.facts.enter(&first.holds);
                let start = self.facts.enter(&Known::default());
                let mut second = sign(self.condition(&ts[1]));
                // The facts of the checks in it hold too.
                second.holds = self.facts.leave(start).and(second.holds);
                self.facts.leave(outside);
                sign(first.and(second))
            }
            Term::Prim(Prim::Not, ts, _) => self.condition(&ts[0]).negated(),
            t => {
                self.spend();
                self.term(t);
                self.values.condition(t, &mut self.facts)
            }
        }
    }

    /// Takes one step of the budget.
    pub(super) fn spend(&mut self) {
        self.budget = self.budget.saturating_sub(1);
    }

    /// Walks a part under a condition.
    pub(super) fn under(&mut self, known: &Known, f: impl FnOnce(&mut Self)) {
        let outside = self.facts.enter(known);
        f(self);
        self.facts.leave(outside);
    }

    /// Walks a fold without the term that follows it, where its invariants hold.
    pub(super) fn fold(&mut self, f: &'p Fold) {
        if self.promote(f) {
            return;
        }
        self.term(&f.count);
        // Before the initial states are walked: facts at the end of a loop in them do not hold inside of it, and the
        // proofs walk through it again.
        let known = self.invariants(f);
        self.term(&f.init);
        self.each_time(f.index, &f.count, |cx| {
            cx.facts.assume(&known.inside);
            if let Some(test) = &f.test {
                let says = cx.condition(test);
                cx.facts.assume(&says.holds);
            }
            cx.term(&f.step);
        });
        self.facts.assume(&known.after);
    }

    /// Walks the parts of a loop that every iteration evaluates. Their facts do not hold after the loop.
    fn each_time(&mut self, index: VarId, count: &Term, f: impl FnOnce(&mut Self)) {
        if self.aim == Aim::Prove {
            return;
        }
        let count = self.exact(count);
        self.facts.enter_loop(index, count);
        self.under(&Known::default(), f);
        self.facts.leave_loop();
    }

    /// Walks a part. Returns its facts, and does not add them.
    fn apart(&mut self, f: impl FnOnce(&mut Self)) -> Known {
        let outside = self.facts.enter(&Known::default());
        f(self);
        self.facts.leave(outside)
    }

    /// Walks parts that are all evaluated, in any order, so that none may rely on the facts of a different one.
    fn in_any_order(&mut self, ts: Vec<&'p Term>) {
        let known = ts.into_iter().map(|t| self.apart(|cx| cx.term(t))).fold(Known::default(), Known::and);
        self.facts.assume(&known);
    }

    pub(super) fn view(&mut self, v: &'p View) {
        let known = v.steps.iter().map(|s| self.apart(|cx| cx.step(s))).fold(Known::default(), Known::and);
        self.facts.assume(&known);
        if let Some(asked) = self.asked.remove(&std::ptr::from_ref(v))
            && asked.iter().any(|a| self.is_apart(a))
        {
            self.are_apart.insert(std::ptr::from_ref(v));
        }
    }

    fn step(&mut self, s: &'p Step) {
        self.in_any_order(s.operands());
        match s {
            Step::At { index, check, origin } => {
                if check.as_ref().is_some_and(|len| self.is_proved(index, len, *origin)) {
                    self.verdict.steps.insert(std::ptr::from_ref(s));
                }
            }
            Step::Range { start, end, check: Some(len), origin } => {
                let [start, end] = [start, end].both(|t| self.exact(t));
                if self.is_slice(start.as_ref(), end.as_ref(), Some(len), *origin) {
                    self.verdict.steps.insert(std::ptr::from_ref(s));
                }
            }
            Step::Range { .. } => {}
        }
    }

    /// A number that cannot have wrapped.
    pub(super) fn exact(&mut self, t: &Term) -> Option<Card> {
        self.values.value(t, &self.facts).filter(|c| self.facts.is_exact(c) || matches!(t, Term::Size(..)))
    }

    /// Whether the ends of a slice are in order and in range. If not, its check remains, and they are from here on.
    fn is_slice(&mut self, start: Option<&Card>, end: Option<&Card>, len: Option<&Card>, origin: Origin) -> bool {
        let len = len.map(|n| self.values.renamed(n));
        let decides = self.aim == Aim::Decide;
        if let (Some(start), Some(end), Some(len)) = (start, end, &len) {
            if decides && self.facts.holds_slice(start, end, len) {
                return true;
            }
            self.facts.assume(&Known::slice(start, end, len));
        }
        let zero = |c: Option<&Card>| c.and_then(Card::constant) == Some(0);
        // The token of probes, which is not a slice.
        let is_token = zero(start) && zero(len.as_ref());
        if !decides || is_token {
            return false;
        }
        self.verdict.about_states = true;
        if let (Some(0), Some(0), Some(n)) = (start.and_then(Card::constant), end.and_then(Card::constant), &len) {
            let reason = format!("the size `{}` may be negative", self.show(n));
            self.verdict.remaining.push(Remaining { origin, reason });
            return false;
        }
        let elements = len.map_or(String::new(), |n| format!(" of {} elements", self.show(&n)));
        let reason = format!("the ends of this slice{elements} are not known to be in order and in range");
        self.verdict.remaining.push(Remaining { origin, reason });
        false
    }

    /// Whether an index is in range. If not, its check remains, and it is in range from here on.
    fn is_proved(&mut self, i: &'p Term, len: &Card, origin: Origin) -> bool {
        let len = &self.values.renamed(len);
        let value = self.values.value(i, &self.facts);
        if self.aim == Aim::Decide {
            if self.is_index(i, len) {
                let terms_too = |c: &Card| self.facts.has_terms_in_range(c, len) && !self.has_wrapped_name(i);
                if !matches!(i, Term::Var(_) | Term::Size(..)) && !value.as_ref().is_some_and(terms_too) {
                    self.verdict.named.insert(std::ptr::from_ref(i));
                }
                return true;
            }
            self.verdict.about_states |= self.is_about_states(value.as_ref());
            let reason = self.reason(value.as_ref(), len);
            self.verdict.remaining.push(Remaining { origin, reason });
        }
        self.spend();
        if let Some(i) = value {
            self.values.compared(&i, len);
            let known = self.facts.index(&i, len);
            self.facts.assume(&known);
        }
        false
    }

    /// Whether a term has a name for a number that may have wrapped: an address has the name, and not its value.
    fn has_wrapped_name(&self, t: &Term) -> bool {
        let may_wrap = |v: VarId| self.values.known(v).is_some_and(|c| !self.facts.is_exact(c));
        t.any(&|t| matches!(t, Term::Var(v) if may_wrap(*v)))
    }

    /// Whether an index is proved to be in range: one that conditions choose, in each branch.
    fn is_index(&mut self, i: &Term, len: &Card) -> bool {
        if let Term::If(c, a, b) = i {
            let says = self.values.condition(c, &mut self.facts);
            return [(says.holds, a), (says.fails, b)].into_iter().all(|(known, t)| {
                let outside = self.facts.enter(&known);
                let proved = self.is_index(t, len);
                self.facts.leave(outside);
                proved
            });
        }
        self.values.value(i, &self.facts).is_some_and(|i| self.facts.is_index(&i, len))
    }

    /// Whether a number, or the count of a loop around it, may depend on the state of a fold.
    fn is_about_states(&self, value: Option<&Card>) -> bool {
        let state = |a: &&Atom| matches!(a, Atom::Var(v) if self.values.may_depend_on_states(*v));
        let depends = |c: &Card| c.atoms().iter().any(state);
        value.is_none_or(depends) || self.facts.loops().iter().any(|(_, n)| n.as_ref().is_some_and(depends))
    }

    /// The reason why an index is not proved to be in range.
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

    /// Whether a variable is the name of an element of an array.
    fn is_element(&self, v: VarId) -> bool {
        v.0 as usize >= self.p.names.count()
    }
}

/// The name of an element of an array in messages.
const ELEMENT: &str = "an element";
