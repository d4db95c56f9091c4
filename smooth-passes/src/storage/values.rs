//! The values of numbers and the facts of conditions of DPS-F̃, as polynomials in sizes and indices: for proofs about
//! checks.
//!
//! The value of a number is known modulo 2^w, the width of `usize`, since its operations may wrap; that of an operand of
//! `/`, `min` and their like only where it cannot have wrapped.

use crate::dps::{Dest, Fill, Let, Program, State, Term};
use crate::infer::{has_exact_operands, size_prim};
use crate::mapped::{Both, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::condition::{Condition, Known};
use crate::shape::entry_atoms;
use crate::shape::facts::Facts;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;
use crate::value::Lit;

/// The variables that are numbers of type `usize` or booleans.
fn kinds(p: &Program) -> Map<VarId, Scalar> {
    let mut found = Map::new();
    let mut is = |v: VarId, ty: Scalar| {
        if matches!(ty, Scalar::Usize | Scalar::Bool) {
            found.insert(v, ty);
        }
    };
    for a in entry_atoms(&p.interface.params) {
        if let Atom::Var(v) = a {
            is(v, Scalar::Usize);
        }
    }
    p.body.each(&mut |t| match t {
        Term::Let(Let { x, ty, .. }) => is(*x, *ty),
        Term::Fill(Fill { cells, .. }) => cells.iter().for_each(|(c, ty)| is(*c, *ty)),
        Term::Fold(f) => {
            is(f.index, Scalar::Usize);
            for s in &f.states {
                if let State::Scalar { now, next, ty } = s {
                    is(*now, *ty);
                    is(*next, *ty);
                }
            }
        }
        Term::Build(b) => is(b.index, Scalar::Usize),
        Term::Reduce(r) => is(r.index, Scalar::Usize),
        Term::Reduces(r) => is(r.index, Scalar::Usize),
        Term::Combine(c) => is(c.index, Scalar::Usize),
        _ => {}
    });
    found
}

/// The largest number of loads that have a name in proofs.
const LOADS: usize = 64;

/// The largest number of values that branches may choose from for a proof.
const CASES: usize = 6;

/// The largest number of comparisons that suggest invariants of one loop.
const SEEN: usize = 24;

/// The values and facts of the variables in scope.
#[derive(Clone, Default, Debug)]
pub(super) struct Values {
    kinds: Map<VarId, Scalar>,
    /// The numbers that a term computes, if some of them are states of folds.
    computed: Set<VarId>,
    /// The values of numbers with a name.
    values: Map<VarId, Card>,
    /// The facts of booleans with a name.
    conditions: Map<VarId, Condition>,
    /// Booleans whose value is known.
    truths: Map<VarId, bool>,
    /// Loads that were met, which have names in proofs: an array's elements do not change while it has its name.
    loads: Vec<Term>,
    /// The differences of the numbers that are compared, if a walk looks for them.
    pub(super) seen: Option<Vec<Card>>,
}

impl Values {
    pub(super) fn of(p: &Program) -> Values {
        let (mut computed, mut some) = (Set::new(), false);
        p.body.each(&mut |t| match t {
            Term::Let(Let { x, ty: Scalar::Usize, .. }) => drop(computed.insert(*x)),
            Term::Fill(Fill { cells, .. }) => computed.extend(cells.iter().map(|(c, _)| *c)),
            Term::Fold(f) => {
                let before = computed.len();
                computed.extend(f.scalars(Scalar::Usize).map(|(now, _)| now));
                some |= computed.len() > before;
            }
            _ => {}
        });
        if !some {
            computed.clear();
        }
        Values { kinds: kinds(p), computed, ..Values::default() }
    }

    /// The type of a variable, if it is a number of type `usize` or a boolean.
    pub(super) fn kind(&self, v: VarId) -> Option<Scalar> {
        self.kinds.get(&v).copied()
    }

    fn is_number(&self, v: VarId) -> bool {
        self.kind(v) == Some(Scalar::Usize)
    }

    /// Whether the value of a variable may depend on the states of folds: it is one, or a name for something computed.
    pub(super) fn may_depend_on_states(&self, v: VarId) -> bool {
        self.computed.contains(&v)
    }

    /// The value of a name, if it is known, modulo 2^w.
    pub(super) fn known(&self, v: VarId) -> Option<&Card> {
        self.values.get(&v)
    }

    /// Records the value of a name, and forgets an earlier one: a walk may meet a name several times.
    pub(super) fn bind(&mut self, x: VarId, ty: Scalar, value: &Term, facts: &mut Facts) {
        self.forget(x, facts);
        match ty {
            Scalar::Bool => {
                let says = self.condition(value, facts);
                self.bind_condition(x, says, value);
            }
            Scalar::Usize => match self.value(value, facts) {
                Some(v) => drop(self.values.insert(x, v)),
                None => self.bind_cases(x, value, None, facts),
            },
            _ => {}
        }
    }

    /// Records the facts of a boolean with a name.
    pub(super) fn bind_condition(&mut self, x: VarId, says: Condition, value: &Term) {
        self.conditions.insert(x, says);
        match self.truth(value) {
            Some(b) => drop(self.truths.insert(x, b)),
            None => drop(self.truths.remove(&x)),
        }
    }

    /// Records the value that a term assigns to a cell: one, or one for each branch.
    pub(super) fn bind_cell(&mut self, cell: VarId, ty: Scalar, write: &Term, facts: &mut Facts) {
        self.forget(cell, facts);
        match stored(write, cell) {
            Some(Term::Store(_, value)) => self.bind(cell, ty, value, facts),
            Some(branches) if ty == Scalar::Usize => self.bind_cases(cell, branches, Some(cell), facts),
            _ => {}
        }
    }

    fn bind_cases(&mut self, x: VarId, t: &Term, cell: Option<VarId>, facts: &mut Facts) {
        let mut found = vec![];
        let all = self.cases((t, cell), &Known::default(), &mut found, facts);
        facts.define(x, all.then_some(found));
    }

    /// Forgets the value of a name, and the facts about it.
    pub(super) fn forget(&mut self, x: VarId, facts: &mut Facts) {
        self.values.remove(&x);
        self.conditions.remove(&x);
        self.truths.remove(&x);
        facts.define(x, None);
    }

    /// Takes a boolean for this value.
    pub(super) fn decide(&mut self, x: VarId, value: bool) {
        self.truths.insert(x, value);
    }

    /// The value of a boolean, if it is known.
    pub(super) fn truth(&self, t: &Term) -> Option<bool> {
        match t {
            Term::Lit(Lit::Bool(b)) => Some(*b),
            Term::Var(v) => self.truths.get(v).copied(),
            Term::Prim(Prim::Not, ts, _) => self.truth(&ts[0]).map(|b| !b),
            _ => None,
        }
    }

    /// Collects the values that branches choose from, or assign to a cell, each with the facts where it is the value.
    /// Returns whether all of them are known exactly.
    fn cases(
        &mut self,
        (t, cell): (&Term, Option<VarId>),
        known: &Known,
        found: &mut Vec<(Known, Card)>,
        facts: &mut Facts,
    ) -> bool {
        let assigned = |t| cell.map_or(Some(t), |cell| stored(t, cell));
        match assigned(t) {
            Some(Term::If(c, a, b)) => {
                let says = self.condition(c, facts);
                [(says.holds, a), (says.fails, b)].into_iter().all(|(here, t)| {
                    let outside = facts.enter(&here);
                    let all = self.cases((t, cell), &known.clone().and(here), found, facts);
                    facts.leave(outside);
                    all
                })
            }
            Some(Term::Store(_, value)) => self.cases((value, None), known, found, facts),
            Some(t) if cell.is_none() && found.len() < CASES => {
                let value = self.exact(t, facts);
                let is_known = value.is_some();
                found.push_all(value.map(|v| (known.clone(), v)));
                is_known
            }
            _ => false,
        }
    }

    /// The value of a number modulo 2^w, if it is known or has a name.
    pub(super) fn value(&mut self, t: &Term, facts: &Facts) -> Option<Card> {
        match t {
            Term::Var(v) if self.is_number(*v) => Some(self.values.get(v).cloned().unwrap_or(Card::var(*v))),
            Term::Size(c, _) => Some(self.renamed(c)),
            Term::Lit(Lit::Int(n, Scalar::Usize)) => Some(Card::lit(*n)),
            Term::InRange(t, ..) => self.value(t, facts),
            Term::Fold(f) => self.value(&f.then, facts),
            Term::Let(_) | Term::Alias(_) | Term::Alloc(_) | Term::Fill(_) => self.value(t.scope()?, facts),
            Term::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), ts, _) => {
                let [a, b] = [&ts[0], &ts[1]].both(|t| self.value(t, facts));
                size_prim(*p, &a?, &b?)
            }
            Term::Prim(Prim::Clamp, ts, _) => {
                let [x, low, high] = [&ts[0], &ts[1], &ts[2]].map(|t| self.exact(t, facts));
                Some(Card::op(Op::Min, &Card::op(Op::Max, &x?, &low?), &high?))
            }
            Term::Prim(Prim::StepsThrough, ts, _) => {
                let [n, by] = [&ts[0], &ts[2]].both(|t| self.exact(t, facts));
                size_prim(Prim::Steps, &n?, &by?)
            }
            Term::Prim(p, ts, _) if has_exact_operands(*p) => {
                let [a, b] = [&ts[0], &ts[1]].both(|t| self.exact(t, facts));
                size_prim(*p, &a?, &b?)
            }
            Term::Prim(Prim::Shr, ts, _) => {
                let Term::Lit(by) = &ts[1] else { return None };
                let power = by.as_int().filter(|k| (0..31).contains(k)).map(|k| Card::lit(1 << k))?;
                Some(Card::op(Op::Div, &self.exact(&ts[0], facts)?, &power))
            }
            Term::Load(_) => self.load(t).map(Card::var),
            _ => None,
        }
    }

    /// A size in which names for variables and for constants are replaced.
    pub(super) fn renamed(&self, c: &Card) -> Card {
        let value = |v: &VarId| {
            let value = self.values.get(v)?;
            let is_plain = matches!(value.as_atom(), Some(Atom::Var(_))) || value.constant().is_some_and(|n| n >= 0);
            is_plain.then(|| value.clone())
        };
        if !c.atoms().iter().any(|a| matches!(a, Atom::Var(v) if self.values.contains_key(v))) {
            return c.clone();
        }
        c.subst(&|a| if let Atom::Var(v) = a { value(v) } else { None }.unwrap_or_else(|| Card::atom(a.clone())))
    }

    /// The value of a number that is known not to have wrapped.
    fn exact(&mut self, t: &Term, facts: &Facts) -> Option<Card> {
        match t {
            Term::Size(c, _) => Some(self.renamed(c)),
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

    /// Notes that two numbers are compared, if a walk looks for comparisons.
    pub(super) fn compared(&mut self, a: &Card, b: &Card) {
        if let Some(seen) = &mut self.seen {
            let difference = b.sub(a);
            if seen.len() < SEEN && !seen.contains(&difference) {
                seen.push(difference);
            }
        }
    }

    /// Whether a variable of a proof is one of these, or an element that is read at one of them or from one of them.
    pub(super) fn depends(&self, v: VarId, on: &Set<VarId>) -> bool {
        let named = |c: &Card| c.atoms().iter().any(|a| matches!(a, Atom::Var(v) | Atom::Len(v, _) if on.contains(v)));
        let depends = |t: &Term| match t {
            Term::Var(v) => on.contains(v),
            Term::Size(c, _) | Term::InRange(_, c, _) => named(c),
            t => t.views().iter().any(|w| on.contains(&w.base)),
        };
        let load = self.loads.get((u32::MAX - v.0) as usize);
        on.contains(&v) || load.is_some_and(|t| t.any(&depends))
    }

    /// The facts of a condition.
    pub(super) fn condition(&mut self, t: &Term, facts: &mut Facts) -> Condition {
        match t {
            Term::Var(v) => self.conditions.get(v).cloned().unwrap_or_default(),
            Term::Let(_) | Term::Alias(_) | Term::Alloc(_) | Term::Fill(_) => {
                t.scope().map(|t| self.condition(t, facts)).unwrap_or_default()
            }
            Term::Prim(p @ (Prim::And | Prim::Or), ts, _) => {
                let sign = if *p == Prim::And { |c: Condition| c } else { Condition::negated };
                let first = sign(self.condition(&ts[0], facts));
                let outside = facts.enter(&first.holds);
                let second = sign(self.condition(&ts[1], facts));
                facts.leave(outside);
                sign(first.and(second))
            }
            Term::Prim(Prim::Not, ts, _) => self.condition(&ts[0], facts).negated(),
            Term::Prim(p, ts, _) if ts.len() == 2 => {
                let is_number = |t: &Term| match t {
                    Term::Var(v) => self.is_number(*v),
                    Term::Lit(l) => l.scalar() == Scalar::Usize,
                    t => matches!(t, Term::Size(..)),
                };
                // One side tells the type of both.
                if !ts.iter().any(is_number) {
                    return Condition::default();
                }
                let [a, b] = [&ts[0], &ts[1]].both(|t| self.value(t, facts));
                let Some((a, b)) = a.zip(b) else { return Condition::default() };
                self.compared(&a, &b);
                facts.compare(*p, &a, &b)
            }
            _ => Condition::default(),
        }
    }
}

/// The term that assigns a cell: a store, or the outermost branch with a store on each side.
fn stored(t: &Term, cell: VarId) -> Option<&Term> {
    match t {
        Term::Store(Dest::Cell(v), _) => (*v == cell).then_some(t),
        Term::If(_, a, b) => (stored(a, cell).is_some() && stored(b, cell).is_some()).then_some(t),
        Term::Seq(ts) => ts.iter().find_map(|t| stored(t, cell)),
        Term::Fold(f) => stored(&f.then, cell),
        t => stored(t.scope()?, cell),
    }
}
