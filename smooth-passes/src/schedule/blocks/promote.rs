//! Accumulator promotion: the elements that iterations of a block add to are in registers during the loop that adds to
//! them.
//!
//! ```text
//! for l < w any { x[o + l] ← a }; …; for j < m { t̄; for l < w any { s̄; x[o + l] ← e[x[o + l]] } }
//!   ⟶  if m ≥ 4 && w ≥ S {
//!        for q < w / S any {                                                                     l = S·q + k
//!          open r[S]; for k < S any { r[k] ← a }; …
//!          for j < m { t̄; for k < S any { s̄; r[k] ← e[r[k]] } }
//!          for k < S any { x[o + l] ← r[k] }
//!        }
//!        … and a strip of the last S, of which those that are left are stored                    l = w - S + k
//!      } else { as it was }
//! ```
//!
//! Reads of one `j` that are far from those of the next want at most 16 of them: a strip of each of so many rows stays in the
//! nearest cache, and more of them are read best as long rows.
//!
//! The loop over `j` may have several such inner loops, and sequential loops around them. Then the outermost one is
//! taken, for any `m`. If each `j` writes `x` before it reads it, and nothing else uses `x`, it is neither loaded
//! before nor stored after.
//!
//! LLVM does not know the value of `w`, so it loads and stores `x` in every iteration of `j`; `r` has a constant
//! length. Each `l` has a separate element, and its steps keep their order.
//!
//! The last strip computes lanes again that have ended. Their numbers mean nothing then, and are not stored. Loops over `l` right
//! before the steps and behind them are part of the strips if each `l` touches nothing there that another one writes. So `x` is
//! in registers alone if nothing else uses it.
//!
//! Needs: `x` in a local variable, with a value before the loop, and no other access to it inside; steps that cannot
//! panic, except for checks in `t̄`, at addresses that do not depend on data. Pays: if a step does little else, and its reads
//! along `l` are the same for all `j`, or near in memory. Costs: the code of the steps three times.

use crate::loops::target::Promote;
use crate::loops::visit::{each_inherited, each_outermost};
use crate::loops::{Access, Block, Buffer, BufferId, Expr, For, Function, Memory, Order, Place, Remark, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::schedule::facts::decide::Decide;
use crate::schedule::facts::total::total_cost;
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::remainder::compared;
use crate::schedule::rewrite::replaced::in_body;
use crate::schedule::rewrite::side::count_uses;
use crate::schedule::rewrite::terms::at_index;
use crate::shape::card::{Card, Op};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;
use std::collections::VecDeque;

/// Promotes all accumulators for which it pays.
pub(crate) fn promote(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        let mut everywhere = Map::new();
        count_uses(b, &mut everywhere);
        let mut walk = Walk { cx: Decide::new(f), everywhere, changed: false };
        walk.cx.note_all(b);
        walk.block(b);
        walk.changed
    })
}

struct Walk<'f> {
    cx: Decide<'f>,
    /// The number of uses of each buffer in the function.
    everywhere: Map<BufferId, usize>,
    changed: bool,
}

/// `for j < m { t̄; for l < w any { s̄ }; … }`, and what is beside it.
struct Steps<'s> {
    outer: &'s For,
    /// Loops over `l` right before it and right behind it, in whose iterations nothing else is touched.
    before: &'s [Stmt],
    after: &'s [Stmt],
    /// `w`.
    width: &'s Card,
    /// The statements that do not depend on `l`.
    plain: Vec<&'s Stmt>,
    /// The loops over `l`, each with the indices and counts of the sequential loops around it.
    lanes: Vec<(&'s For, Vec<(VarId, Card)>)>,
    /// The elements that they change.
    own: Vec<Own>,
    /// The counts of the loops in whose iterations the reads along `l` are far apart.
    far: Vec<Card>,
}

/// An element that a step changes.
struct Own {
    /// The access from `l = 0` on.
    at: Access,
    /// Whether it has a value before all steps.
    starts: bool,
    /// Whether its value is used behind them.
    ends: bool,
}

impl<'s> Steps<'s> {
    /// The parts of a sequential loop; `None` if it has other statements.
    fn of(outer: &'s For) -> Option<Steps<'s>> {
        let (mut plain, mut lanes) = (vec![], vec![]);
        let mut fits = outer.order == Order::Sequential;
        let own = vec![(outer.index, outer.count.clone())];
        each_inherited(&outer.body, &own, &mut |s, _, around| match s {
            Stmt::For(l) if l.order == Order::Any => {
                lanes.push((l, around.clone()));
                None
            }
            Stmt::For(l) => Some([around.as_slice(), &[(l.index, l.count.clone())]].concat()),
            s => {
                fits &= is_plain(s);
                plain.push(s);
                None
            }
        });
        Some(()).filter(|()| fits)?;
        let width = &lanes.first()?.0.count;
        let even = lanes.iter().all(|(l, _)| l.count == *width);
        even.then_some(Steps { outer, before: &[], after: &[], width, plain, lanes, own: vec![], far: vec![] })
    }

    /// Whether it has sequential loops inside.
    fn is_nested(&self) -> bool {
        self.lanes.iter().any(|(_, around)| around.len() > 1)
    }

    /// The condition under which strips pay; `None` if they always do.
    fn pays(&self, target: &Promote) -> Option<Expr> {
        let unknown = |c: &&Card| c.constant().is_none();
        let moves = self.own.iter().any(|o| o.starts || o.ends);
        let many = Some(&self.outer.count).filter(unknown).filter(|_| moves && !self.is_nested());
        let mut few: Vec<&Card> = self.far.iter().filter(unknown).collect_vec();
        few.dedup();
        let wide = Some(self.width).filter(unknown).map(|w| compared(Prim::Ge, w, target.strip));
        let tests = many.map(|m| compared(Prim::Ge, m, target.steps)).into_iter();
        let tests = tests.chain(few.into_iter().map(|c| compared(Prim::Le, c, target.far))).chain(wide);
        tests.reduce(|a, b| Expr::Prim(Prim::And, vec![a, b], Origin::default()))
    }

    /// The elements that a loop over `l` assigns, from `l = 0` on; `None` if an element is not one for each `l`.
    fn assigned(l: &For) -> Option<Vec<Access>> {
        let mut own = vec![];
        for s in &l.body {
            match s {
                Stmt::Let(..) | Stmt::Var(..) => {}
                Stmt::Assign(Place::Var(x), _) if l.body.iter().any(|s| matches!(s, Stmt::Var(y, _) if x == y)) => {}
                Stmt::Assign(Place::Element(a), _) => own.push(from_start(a, l.index)?),
                _ => return None,
            }
        }
        Some(own)
    }

    /// The steps and the loops beside them, with `lanes` instead of each loop over `l`.
    fn around(&self, lanes: &mut impl FnMut(&For) -> Stmt) -> Block {
        let mut all = vec![];
        all.extend(self.before.iter().filter_map(lane_loop).map(&mut *lanes));
        all.push(rebuilt(self.outer, lanes));
        all.extend(self.after.iter().filter_map(lane_loop).map(lanes));
        all
    }
}

/// A sequential loop, with `lanes` instead of each independent loop inside.
fn rebuilt(outer: &For, lanes: &mut impl FnMut(&For) -> Stmt) -> Stmt {
    let mut body = outer.body.clone();
    each_outermost(&mut body, &mut |s| match s {
        Stmt::For(l) if l.order == Order::Any => {
            *s = lanes(l);
            false
        }
        s => matches!(s, Stmt::For(_)),
    });
    Stmt::For(For { index: outer.index, count: outer.count.clone(), order: Order::Sequential, body })
}

/// An access from the first iteration on, if each iteration has the next element.
fn from_start(a: &Access, index: VarId) -> Option<Access> {
    let start = a.offset.sub(&Card::var(index));
    (!start.mentions(index)).then_some(Access { buffer: a.buffer, offset: start })
}

impl Walk<'_> {
    fn block(&mut self, b: &mut Block) {
        let mut left: VecDeque<Stmt> = std::mem::take(b).into();
        // The statements before, as they were, and how many of the last ones are still.
        let (mut done, mut same): (Block, usize) = (vec![], 0);
        while let Some(mut s) = left.pop_front() {
            let new = match &s {
                Stmt::For(l) => self.replacement(l, (&done, same), left.make_contiguous()),
                _ => None,
            };
            done.push(s.clone());
            let Some((new, before, after)) = new else {
                s.blocks_mut().into_iter().for_each(|b| self.block(b));
                b.push(s);
                same += 1;
                continue;
            };
            b.truncate(b.len() - before);
            done.extend(left.drain(..after));
            b.push_all(new);
            (same, self.changed) = (0, true);
        }
    }

    /// The strips of a loop, and the numbers of statements before it and behind it that they replace as well.
    fn replacement(&mut self, l: &For, (done, same): (&[Stmt], usize), left: &[Stmt]) -> Option<(Block, usize, usize)> {
        let mut steps = self.steps(l, done)?;
        let beside = |s: &&Stmt| lane_loop(s).is_some_and(|l| l.count == *steps.width);
        let before = done.iter().rev().take(same).take_while(beside).count();
        let after = left.iter().take_while(beside).count();
        self.join(&mut steps, &done[done.len() - before..], &left[..after]);
        let (before, after) = (steps.before.len(), steps.after.len());
        let new = self.promoted(&steps);
        self.cx.f.schedule.remarks.push(Remark { pass: PassId::Promote, about: l.index, left: None });
        Some((new, before, after))
    }

    /// Adds loops before the steps and behind them, if an iteration touches nothing that other ones write.
    fn join<'s>(&self, steps: &mut Steps<'s>, before: &'s [Stmt], after: &'s [Stmt]) {
        let beside: Vec<&For> = before.iter().chain(after).filter_map(lane_loop).collect_vec();
        let lanes = || beside.iter().copied().chain(steps.lanes.iter().map(|(l, _)| *l));
        let mut written: Vec<Access> = vec![];
        for l in lanes() {
            let Some(own) = Steps::assigned(l) else { return };
            written.push_all(own);
        }
        let alone = |a: &Access, l: VarId| {
            let mut same = written.iter().filter(|o| o.buffer == a.buffer);
            self.is_apart(a) && same.all(|o| from_start(a, l).as_ref() == Some(o))
        };
        let touches_its_own = |l: &For| {
            let accesses = l.body.iter().flat_map(|s| s.exprs().into_iter().flat_map(loads).chain(stored(s)));
            accesses.into_iter().all(|a| alone(&a, l.index) && is_static(&a, l))
                && !l.body.iter().any(|s| self.calls(s))
        };
        let shared = steps.plain.iter().flat_map(|s| s.exprs()).flat_map(loads);
        let apart = shared.into_iter().all(|a| written.iter().all(|o| o.buffer != a.buffer));
        if beside.is_empty() || !apart || !lanes().all(touches_its_own) {
            return;
        }
        let mut here = Map::new();
        [before, &steps.outer.body, after].into_iter().for_each(|b| count_uses(b, &mut here));
        for o in &mut steps.own {
            let inside = here.get(&o.at.buffer) == self.everywhere.get(&o.at.buffer);
            let first = before.iter().any(|s| is_start(s, steps.width, o.at.buffer, &o.at.offset));
            (o.starts, o.ends) = (o.starts && !first, o.ends && !inside);
        }
        (steps.before, steps.after) = (before, after);
    }

    /// Whether a statement calls a function, or may panic.
    fn calls(&self, s: &Stmt) -> bool {
        s.exprs().into_iter().any(|e| total_cost(&self.cx, e).is_none())
    }

    /// The loop as steps of a block, if it is such a loop and may be promoted; `done`: the statements before it.
    fn steps<'s>(&self, outer: &'s For, done: &[Stmt]) -> Option<Steps<'s>> {
        let target = &self.cx.f.schedule.target.promote;
        let mut steps = Steps::of(outer)?;
        let mut bound = Set::from([outer.index]);
        outer.body.iter().for_each(|s| s.targets(&mut bound));
        let fixed = |c: &Card| bound.iter().all(|x| !c.mentions(*x));
        let few = !steps.is_nested() && outer.count.constant().is_some_and(|n| n < target.steps);
        if few || steps.width.constant().is_some_and(|n| n < target.strip) || !fixed(steps.width) {
            return None;
        }
        let mut own: Vec<Access> = vec![];
        for (l, _) in &steps.lanes {
            for a in Steps::assigned(l)? {
                match own.iter().find(|o| o.buffer == a.buffer) {
                    Some(o) if *o != a => return None,
                    Some(_) => {}
                    None => own.push(a),
                }
            }
        }
        let alone =
            |a: &Access, l: VarId| own.iter().all(|o| o.buffer != a.buffer || from_start(a, l).as_ref() == Some(o));
        let mut shared = steps.plain.iter().flat_map(|s| s.exprs()).flat_map(loads);
        if shared.any(|a| !self.is_apart(&a) || own.iter().any(|o| o.buffer == a.buffer)) {
            return None;
        }
        for (l, around) in &steps.lanes {
            let mut cost = 0;
            for e in l.body.iter().flat_map(Stmt::exprs) {
                cost += total_cost(&self.cx, e)?;
            }
            let mut reads = l.body.iter().flat_map(Stmt::exprs).flat_map(loads);
            let far = &mut steps.far;
            let mut fits = |a: Access| {
                let apart = far_apart(&a, (l.index, target.near), around, &fixed);
                far.extend(apart.iter().flatten().cloned());
                alone(&a, l.index) && self.is_apart(&a) && apart.is_some() && is_static(&a, l)
            };
            if cost > target.cost || !reads.all(&mut fits) {
                return None;
            }
        }
        for o in own {
            let local = matches!(self.cx.f.buffer(o.buffer).memory, Memory::Local(_));
            let starts = done.iter().any(|s| is_start(s, steps.width, o.buffer, &o.offset));
            if !local || !fixed(&o.offset) || !(starts || self.is_private(outer, o.buffer)) {
                return None;
            }
            steps.own.push(Own { at: o, starts, ends: starts });
        }
        let few = |c: &Card| c.constant().is_none_or(|n| n <= target.far);
        let fits = !steps.own.is_empty() && steps.own.len() <= target.most && steps.far.iter().all(few);
        fits.then_some(steps)
    }

    /// Whether each iteration of a loop writes a buffer before it reads it, and nothing else uses it.
    fn is_private(&self, outer: &For, b: BufferId) -> bool {
        let mut here = Map::new();
        count_uses(&outer.body, &mut here);
        let writes = |s: &Stmt| matches!(s, Stmt::Assign(Place::Element(a), _) if a.buffer == b);
        let reads = |s: &Stmt| s.exprs().into_iter().flat_map(loads).any(|a| a.buffer == b);
        let first = outer.body.iter().find_map(|s| match s {
            Stmt::For(l) if l.order == Order::Any => {
                l.body.iter().find(|s| writes(s) || reads(s)).map(|s| writes(s) && !reads(s))
            }
            s => s.uses(b).then_some(false),
        });
        first == Some(true) && here.get(&b) == self.everywhere.get(&b)
    }

    /// Whether a buffer cannot alias a local variable.
    fn is_apart(&self, a: &Access) -> bool {
        !matches!(self.cx.f.buffer(a.buffer).memory, Memory::Turn)
    }

    fn promoted(&mut self, s: &Steps<'_>) -> Block {
        let f = &mut *self.cx.f;
        let target = &f.schedule.target.promote;
        let strip = Card::lit(target.strip);
        let q = f.names.fresh("strip");
        let inside = s.strip(f, &Strip { width: &strip, first: &strip.mul(&Card::var(q)), new: None });
        let strips = Card::op(Op::Div, s.width, &strip);
        let mut all = copied(f, &[every(q, &strips, |_| inside)]);
        let rest = Card::op(Op::Rem, s.width, &strip);
        if rest.constant() != Some(0) {
            let names = ["left", "begin", "old"].map(|name| f.names.fresh(name));
            let [left, begin, old] = names.map(Card::var);
            let values = [rest, strips.mul(&strip), strip.sub(&left)];
            let first = s.width.sub(&strip);
            let last = s.strip(f, &Strip { width: &strip, first: &first, new: Some([&left, &begin, &old]) });
            let mut last = copied(f, &[Stmt::Block(last)]);
            let mut lets = names.iter().zip(values).map(|(x, e)| Stmt::Let(*x, Scalar::Usize, Expr::size(e)));
            all.extend(lets.next());
            last.splice(0..0, lets);
            all.push(Stmt::If(compared(Prim::Ne, &left, 0), last, vec![]));
        }
        match s.pays(target) {
            None => all,
            Some(pays) => vec![Stmt::If(pays, all, s.around(&mut |l| Stmt::For(l.clone())))],
        }
    }
}

/// Lanes whose elements are in registers.
struct Strip<'s> {
    width: &'s Card,
    /// The first lane.
    first: &'s Card,
    /// The number of lanes at its end that strips before it have not computed, the first of them, and the number of lanes before.
    /// Only new ones are stored.
    new: Option<[&'s Card; 3]>,
}

impl Steps<'_> {
    /// The steps of a strip.
    fn strip(&self, f: &mut Function, at: &Strip<'_>) -> Block {
        let registers: Vec<BufferId> = self.own.iter().mapped(|o| register(f, o.at.buffer, at.width));
        let there = |r: &BufferId, k: &Card| Access { buffer: *r, offset: k.clone() };
        let here = |o: &Own, l: &Card| Access { buffer: o.at.buffer, offset: o.at.offset.add(l) };
        let all = || self.own.iter().zip(&registers);
        let mut inside = vec![Stmt::Open(registers.clone())];
        inside.push_all(all().any(|(o, _)| o.starts).then(|| {
            let started = || all().filter(|(o, _)| o.starts);
            at.lanes(f, false, |l, k| started().mapped(|(o, r)| moved(there(r, k), here(o, l))))
        }));
        inside.push_all(self.around(&mut |lanes| {
            let stores = |s: &Stmt| stored(s).is_some_and(|a| self.own.iter().all(|o| o.at.buffer != a.buffer));
            at.lanes(f, lanes.body.iter().any(stores), |l, k| {
                let mut body = at_index(&lanes.body, &[], lanes.index, l).0;
                for (o, r) in all() {
                    body.iter_mut().for_each(|s| replace(s, &here(o, l), &there(r, k)));
                }
                body
            })
        }));
        inside.push_all(all().any(|(o, _)| o.ends).then(|| {
            let ended = || all().filter(|(o, _)| o.ends);
            at.lanes(f, true, |l, k| ended().mapped(|(o, r)| moved(here(o, l), there(r, k))))
        }));
        inside
    }
}

impl Strip<'_> {
    /// A loop over its lanes, or over those that are stored. `body` gets a lane, and its number in the strip.
    fn lanes(&self, f: &mut Function, stores: bool, body: impl FnOnce(&Card, &Card) -> Block) -> Stmt {
        let index = f.names.fresh("lane");
        match self.new {
            Some([left, begin, old]) if stores => every(index, left, |k| body(&begin.add(k), &old.add(k))),
            _ => every(index, self.width, |k| body(&self.first.add(k), k)),
        }
    }
}

/// Whether an address depends on no number of its iteration. The last strip steps on with some lanes that have ended, whose
/// numbers mean nothing.
fn is_static(a: &Access, l: &For) -> bool {
    let mut bound = Set::new();
    l.body.iter().for_each(|s| s.targets(&mut bound));
    !bound.iter().any(|x| a.offset.mentions(*x))
}

/// A loop over independent iterations.
fn lane_loop(s: &Stmt) -> Option<&For> {
    if let Stmt::For(l) = s { Some(l).filter(|l| l.order == Order::Any) } else { None }
}

/// The element that a statement stores.
fn stored(s: &Stmt) -> Option<Access> {
    if let Stmt::Assign(Place::Element(a), _) = s { Some(a.clone()) } else { None }
}

/// The counts of the loops `around` in which the reads of a step along `index` move by more than `near`; `None` if they do
/// not move evenly.
fn far_apart(
    a: &Access,
    (index, near): (VarId, i128),
    around: &[(VarId, Card)],
    fixed: &impl Fn(&Card) -> bool,
) -> Option<Vec<Card>> {
    let mut far = vec![];
    if !a.offset.mentions(index) {
        return Some(far);
    }
    let mut rest = a.offset.replace(index, &Card::lit(0));
    for (j, count) in around {
        let (step, more) = rest.linear_in(*j)?;
        if step.constant().is_none_or(|n| n > near) {
            (fixed(&step) && fixed(count)).then(|| far.push(count.clone()))?;
        }
        rest = more;
    }
    fixed(&rest).then_some(far)
}

/// Whether a statement may be repeated for each strip: of equal checks the first one panics.
fn is_plain(s: &Stmt) -> bool {
    let calls = |e: &Expr| matches!(e, Expr::App(..));
    matches!(s, Stmt::Let(..) | Stmt::Check { .. } | Stmt::CheckRange { .. })
        && !s.exprs().iter().any(|e| e.any(&calls))
}

fn every(index: VarId, count: &Card, body: impl FnOnce(&Card) -> Block) -> Stmt {
    Stmt::For(For { index, count: count.clone(), order: Order::Any, body: body(&Card::var(index)) })
}

fn moved(to: Access, from: Access) -> Stmt {
    Stmt::Assign(Place::Element(to), Expr::Load(from))
}

/// A new local variable for a strip of a buffer.
fn register(f: &mut Function, of: BufferId, strip: &Card) -> BufferId {
    let (name, elem) = (f.names.again(f.buffer(of).name), f.buffer(of).elem);
    f.buffers.push(Buffer { name, elem, len: strip.clone(), memory: Memory::Local(strip.clone()) });
    BufferId(f.buffers.len() as u32 - 1)
}

/// Whether a statement assigns the first `count` elements from `start` on.
fn is_start(s: &Stmt, count: &Card, buffer: BufferId, start: &Card) -> bool {
    let Stmt::For(l) = s else { return false };
    let writes = |s: &Stmt| matches!(s, Stmt::Assign(Place::Element(a), _) if a.buffer == buffer && a.offset == start.add(&Card::var(l.index)));
    l.count == *count && l.body.iter().any(writes) && !l.body.iter().any(Stmt::may_end_loop)
}

/// The elements that an expression reads.
fn loads(e: &Expr) -> Vec<Access> {
    let mut found: Vec<Access> = e.operands().iter().flat_map(loads).collect_vec();
    if let Expr::Load(a) = e {
        found.push(a.clone());
    }
    found
}

fn replace(s: &mut Stmt, from: &Access, to: &Access) {
    for a in s.accesses_mut() {
        if a == from {
            *a = to.clone();
        }
    }
    for e in s.exprs_mut() {
        e.each_mut(&mut |e| {
            if let Expr::Load(a) = e
                && a == from
            {
                *a = to.clone();
            }
        });
    }
}
