//! Speculation: a loop that an index seldom skips runs always.
//!
//! ```text
//! if i = j { s̄; p ← a } else { t̄; p ← b }
//!   ⟶  t̄; p ← b; if i = j { s̄; p ← a }                        in a version of the nest for at least 8 iterations of i
//! var x; if c { s̄; x ← a } else { t̄; x ← b }; p ← e
//!   ⟶  if c { s̄; let x = a; p ← e } else { t̄; let x = b; p ← e }                                                before
//! ```
//!
//! The same holds for `i ≠ j`, for any equation between sizes of which one index is the solution, and for what follows from one.
//! The condition keeps a table of sums from being a tile: with it, each iteration goes its own way.
//!
//! Needs: `t̄` has a loop, writes nothing else, and cannot panic; what it reads is in range and written without the condition,
//! and the loops around write nothing of it. `s̄`, `a` and the condition do not read `p`. So the value of `p` is what it was,
//! and no bit changes.
//!
//! Pays: if more tiles or blocks come of it. That is tried. Costs: one run of `t̄` for each time that the loop over the index
//! runs, an eighth of them at most; the code of the nest once more.

use crate::loops::visit::Part;
use crate::loops::{Block, BufferId, Expr, Function, Left, Memory, Order, Place, Reduce, Remark, Stmt, With};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::schedule::facts::footprint::Touched;
use crate::schedule::facts::total::is_total;
use crate::schedule::facts::walk::WithFacts;
use crate::schedule::facts::written_prefix::{Front, assigned};
use crate::schedule::order::gain::gain;
use crate::schedule::order::interchange::interchange;
use crate::schedule::order::version::{is_known, is_small, version};
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::remainder::compared;
use crate::schedule::rewrite::replaced::in_body;
use crate::schedule::rewrite::trial::attempt;
use crate::shape::card::Card;
use crate::sorted::Set;

/// The number of iterations from which on one more does not matter.
const SELDOM: i128 = 8;

/// Runs loops that an index seldom skips always, if it pays.
pub(crate) fn speculate(f: &mut Function, on: &Switches) -> bool {
    in_body(f, |b, f| {
        if !b.iter().any(has_choice) {
            return false;
        }
        let mut changing = Set::new();
        b.iter().for_each(|s| assigned(s, &mut changing));
        let mut walk = Speculate {
            cx: Decide::new(f),
            on,
            changing: &changing,
            independent: vec![],
            full: Set::new(),
            written: Set::new(),
            counts: vec![],
            chosen: None,
            changed: false,
        };
        walk.block(b);
        walk.changed
    })
}

/// The number of tiles and of blocks that come of a nest.
fn made(f: &mut Function, on: &Switches, b: &[Stmt]) -> (usize, usize) {
    let mut made = (0, 0);
    let _: Result<(), Left> = attempt(f, |f| {
        let before = std::mem::replace(&mut f.body, b.to_vec());
        if on.has(PassId::Interchange) {
            interchange(f, on);
        }
        let b = std::mem::replace(&mut f.body, before);
        let gain = gain(f, on, &b);
        made = (gain.0, gain.1);
        Err(None)
    });
    made
}

/// Whether there is a condition with a loop in a statement.
fn has_choice(s: &Stmt) -> bool {
    s.any(&|s| matches!(s, Stmt::If(_, a, b) if has_loop(a) || has_loop(b)))
}

struct Speculate<'f> {
    /// The function, with the facts at the place.
    cx: Decide<'f>,
    on: &'f Switches,
    /// The variables that are assigned.
    changing: &'f Set<VarId>,
    /// The indices of the surrounding independent loops, and their counts.
    independent: Vec<(VarId, Card)>,
    /// Arrays whose elements are all written before the statement that is walked.
    full: Set<BufferId>,
    /// The buffers that loops around write, and may not have written yet.
    written: Set<BufferId>,
    /// The counts of the loops that are around or have run.
    counts: Vec<Card>,
    /// Loops whose conditions are changed in the nest that is walked, and the counts that have to be large for them.
    chosen: Option<Vec<(VarId, Vec<Card>)>>,
    changed: bool,
}

impl<'f> WithFacts<'f> for Speculate<'f> {
    fn cx(&mut self) -> &mut Decide<'f> {
        &mut self.cx
    }

    fn block(&mut self, b: &mut Block) {
        let before = self.counts.len();
        if self.chosen.is_some() {
            sink(self.cx.f, b);
        }
        for s in std::mem::take(b) {
            self.cx.meet(&s);
            if let Stmt::For(l) = &s {
                self.counts.push(l.count.clone());
            }
            if !has_choice(&s) {
                b.push(s);
                continue;
            }
            let outside = (self.full.clone(), self.written.clone());
            for buffer in self.full_before(b, &s) {
                self.full.insert(buffer);
                self.written.remove(&buffer);
            }
            match &s {
                Stmt::For(_) if self.chosen.is_none() => {
                    let new = self.versions(&s);
                    b.push_all(new.unwrap_or_else(|| vec![s]));
                }
                _ => {
                    let new = self.rewritten(s);
                    b.push_all(new);
                }
            }
            (self.full, self.written) = outside;
        }
        self.counts.truncate(before);
    }
}

/// Puts the statement that takes a chosen number into both arms of the choice.
fn sink(f: &mut Function, b: &mut Block) {
    let mut at = 0;
    while at + 2 < b.len() {
        let last = |arm: &Block, x: VarId| match arm.split_last() {
            Some((Stmt::Assign(Place::Var(y), _), before)) => {
                *y == x && !before.iter().any(|s| s.mentions(x) || s.binds(x))
            }
            _ => false,
        };
        let (Stmt::Var(x, elem), Stmt::If(c, first, second), Stmt::Assign(Place::Element(p), e)) =
            (&b[at], &b[at + 1], &b[at + 2])
        else {
            at += 1;
            continue;
        };
        let (x, elem) = (*x, *elem);
        let ends = last(first, x) && last(second, x) && !b[at + 3..].iter().any(|s| s.mentions(x) || s.binds(x));
        if !has_choice(&b[at + 1]) || !ends || c.mentions(x) || p.offset.mentions(x) {
            at += 1;
            continue;
        }
        let arms = [first.clone(), second.clone()].map(|mut arm| {
            if let Some(Stmt::Assign(_, value)) = arm.pop() {
                arm.push(Stmt::Let(x, elem, value));
            }
            arm.push(Stmt::Assign(Place::Element(p.clone()), e.clone()));
            copied(f, &arm)
        });
        let [first, second] = arms;
        let new = Stmt::If(c.clone(), first, second);
        b.splice(at..at + 3, [new]);
    }
}

impl Speculate<'_> {
    /// The arrays that a statement reads and those before it write.
    fn full_before(&self, before: &Block, s: &Stmt) -> Vec<BufferId> {
        let is_full = |b: &BufferId| {
            let buffer = self.cx.f.buffer(*b);
            let mut front = Front::new(*b, buffer.len.clone(), self.changing, &self.cx.facts, &self.cx.env.values);
            front.again_from(Card::lit(0));
            let followed = buffer.memory != Memory::Turn && before.iter().all(|s| front.stmt(s).is_ok());
            followed && front.is_at_the_end()
        };
        let mut used = Set::new();
        s.each_part_inside(&mut |p| {
            if let Part::Access(a, _) = p {
                used.insert(a.buffer);
            }
        });
        s.walk(&mut |s| s.exprs().into_iter().for_each(|e| reads(e, &mut used)));
        used.into_iter().filter(is_full).collect_vec()
    }

    /// A nest with loops that run always, and without, by the counts of the indices that skip them, if it pays.
    fn versions(&mut self, s: &Stmt) -> Option<Block> {
        if !is_small(s) {
            return None;
        }
        let (names, buffers, env) = (self.cx.f.names.clone(), self.cx.f.buffers.len(), self.cx.env.clone());
        self.chosen = Some(vec![]);
        let new = self.rewritten(s.clone());
        let chosen = self.chosen.take().filter(|all| !all.is_empty());
        let old = std::slice::from_ref(s);
        let better = chosen.filter(|_| made(self.cx.f, self.on, &new) > made(self.cx.f, self.on, old));
        let Some(chosen) = better else {
            (self.cx.f.names, self.cx.env) = (names, env);
            self.cx.f.buffers.truncate(buffers);
            return None;
        };
        self.changed = true;
        let mut counts: Vec<Card> = vec![];
        for (about, many) in chosen {
            self.cx.f.schedule.remarks.push(Remark { pass: PassId::Speculate, about, left: None });
            counts.extend(many.into_iter().filter(|c| c.constant().is_none()));
        }
        counts.dedup();
        let old = copied(self.cx.f, old);
        Some(version(counts.mapped(|c| compared(Prim::Ge, &c, self.many())), new, old))
    }

    /// The number of iterations that an index needs.
    fn many(&self) -> i128 {
        self.on.from(SELDOM, 1)
    }

    /// A statement whose conditions are rewritten.
    fn rewritten(&mut self, mut s: Stmt) -> Block {
        let around = self.independent.len();
        if let Stmt::For(l) = &s {
            self.written.extend(Touched::of_iteration(l, &mut self.cx).written());
            if l.order == Order::Any {
                let count = self.cx.card(&l.count);
                self.independent.push((l.index, count));
            }
        }
        self.blocks(&mut s);
        self.independent.truncate(around);
        match s {
            Stmt::If(c, first, second) => {
                let always = self.always(&c, &first, &second);
                always.unwrap_or_else(|| vec![Stmt::If(c, first, second)])
            }
            s => vec![s],
        }
    }

    /// A condition whose usual arm runs always, if it may.
    fn always(&mut self, c: &Expr, first: &Block, second: &Block) -> Option<Block> {
        let about = self.independent.last()?.0;
        let (when, counts) = match self.seldom(c, true) {
            Some(counts) => (true, counts),
            None => (false, self.seldom(c, false)?),
        };
        let (seldom, usually) = if when { (first, second) } else { (second, first) };
        if !self.may_run_first(usually, c, seldom) {
            return None;
        }
        let arms = if when { (seldom.clone(), vec![]) } else { (vec![], seldom.clone()) };
        let mut out = usually.clone();
        out.push(Stmt::If(c.clone(), arms.0, arms.1));
        self.chosen.as_mut()?.push((about, counts));
        Some(out)
    }

    /// Whether the usual arm may run before the condition and the other arm.
    fn may_run_first(&mut self, usually: &Block, c: &Expr, seldom: &Block) -> bool {
        let Some((Stmt::Assign(place, a), names)) = seldom.split_last() else { return false };
        let reads = names.iter().any(|s| uses(s, place)) || may_read(a, place) || may_read(c, place);
        let mut own = Set::new();
        let declares = &mut |p: Part<'_>| {
            if let Part::Binds(x) = p {
                own.insert(*x);
            }
        };
        usually.iter().for_each(|s| s.each_part_inside(declares));
        let starts = !reads && has_loop(usually) && self.starts(usually, place);
        starts && self.may_run(usually, &Usual { place, own: &own })
    }

    /// The counts of the independent loops whose indices decide a condition, if it seldom has a value: for at most one
    /// iteration of a loop, or a few.
    fn seldom(&mut self, c: &Expr, when: bool) -> Option<Vec<Card>> {
        let Expr::Prim(p, es, _) = c else { return None };
        match (p, when) {
            (Prim::Not, _) => self.seldom(&es[0], !when),
            (Prim::And | Prim::BitAnd, true) | (Prim::Or | Prim::BitOr, false) => {
                es.iter().find_map(|e| self.seldom(e, when))
            }
            (Prim::And | Prim::BitAnd, false) | (Prim::Or | Prim::BitOr, true) => {
                let all: Vec<Vec<Card>> = es.iter().map(|e| self.seldom(e, when)).collect::<Option<_>>()?;
                Some(all.concat())
            }
            (Prim::Eq, true) | (Prim::Ne, false) => {
                let difference = self.cx.integer(&es[0])?.sub(&self.cx.integer(&es[1])?);
                let (count, many) = (self.solved(&difference)?, self.many());
                let is_large = count.constant().map_or_else(|| is_known(&self.cx, &count), |n| n >= many);
                is_large.then(|| vec![count])
            }
            _ => None,
        }
    }

    /// The count of an independent loop for at most one index of which a difference is 0.
    fn solved(&self, difference: &Card) -> Option<Card> {
        let slope = |v: &VarId| Some(difference.linear_in(*v)?.0.constant()? != 0);
        self.independent.iter().rev().find(|(v, _)| slope(v) == Some(true)).map(|(_, count)| count.clone())
    }

    /// Whether the place is written, or is before it is read.
    fn starts(&self, b: &Block, place: &Place) -> bool {
        let Place::Element(a) = place else { return true };
        let first = b.iter().find(|s| s.uses(a.buffer));
        let is_start = |s: &Stmt| matches!(s, Stmt::Assign(p, e) if p == place && !may_read(e, place));
        match self.cx.f.buffer(a.buffer).memory {
            Memory::InOut => true,
            Memory::Turn => false,
            _ => self.full.contains(&a.buffer) || first.is_some_and(is_start),
        }
    }

    /// Whether statements may run where they are not needed.
    fn may_run(&mut self, b: &Block, to: &Usual<'_>) -> bool {
        b.iter().all(|s| {
            let free = self.is_free(s, to);
            self.cx.meet(s);
            free
        })
    }

    fn is_free(&mut self, s: &Stmt, to: &Usual<'_>) -> bool {
        match s {
            Stmt::Var(..) => true,
            Stmt::Let(_, _, e) => self.may_compute(e, to.place),
            Stmt::Assign(p, e) => {
                let own = matches!(p, Place::Var(x) if to.own.contains(x));
                (own || p == to.place) && self.may_compute(e, to.place)
            }
            Stmt::If(c, a, b) => {
                let says = self.cx.condition(c);
                self.may_compute(c, to.place)
                    && self.under(&says.holds, |w| w.may_run(a, to))
                    && self.under(&says.fails, |w| w.may_run(b, to))
            }
            Stmt::For(l) => {
                let runs = self.is_count(&l.count) && !l.body.iter().any(Stmt::may_end_loop);
                runs && self.inside(l.index, &l.count, |w| w.may_run(&l.body, to))
            }
            Stmt::Reduce(Reduce { index, count, body, terms, with: With::Monoid(_) | With::Products, .. }) => {
                let free = |w: &mut Self| w.may_run(body, to) && terms.iter().all(|e| w.may_compute(e, to.place));
                self.is_count(count) && self.inside(*index, count, free)
            }
            _ => false,
        }
    }

    /// Whether a count of iterations is computed without an overflow.
    fn is_count(&mut self, count: &Card) -> bool {
        let value = self.cx.card(count);
        self.counts.contains(count) || self.cx.facts.is_exact(&value)
    }

    /// Whether an expression may be computed where it is not needed. It may read the place that the statements write.
    fn may_compute(&mut self, e: &Expr, place: &Place) -> bool {
        if let Expr::Load(a) = e {
            if matches!(place, Place::Element(p) if p == a) {
                return true;
            }
            if self.written.contains(&a.buffer) {
                return false;
            }
        }
        is_total(&mut self.cx, e, &self.full) && e.operands().iter().all(|e| self.may_compute(e, place))
    }
}

/// The effects that the usual arm may have.
struct Usual<'s> {
    /// The place that it computes.
    place: &'s Place,
    /// The numbers that it declares.
    own: &'s Set<VarId>,
}

/// Collects the buffers that an expression reads.
fn reads(e: &Expr, found: &mut Set<BufferId>) {
    if let Expr::Load(a) = e {
        found.insert(a.buffer);
    }
    e.operands().iter().for_each(|e| reads(e, found));
}

/// Whether a statement may read or write a place.
fn uses(s: &Stmt, place: &Place) -> bool {
    match place {
        Place::Var(x) => s.mentions(*x) || s.binds(*x),
        Place::Element(a) => s.uses(a.buffer),
    }
}

/// Whether an expression may read a place.
fn may_read(e: &Expr, place: &Place) -> bool {
    e.any(&|e| match (e, place) {
        (Expr::Var(x), Place::Var(y)) => x == y,
        (Expr::Load(a), Place::Element(b)) => a.buffer == b.buffer,
        _ => false,
    })
}
