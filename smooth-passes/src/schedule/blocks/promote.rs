//! Accumulator promotion: the elements that iterations of a block add to are in registers during the loop that adds to
//! them.
//!
//! ```text
//! for l < w any { x[o + l] ← a }; …; for j < m { t̄; for l < w any { s̄; x[o + l] ← e[x[o + l]] } }
//!   ⟶  … let c = if m ≥ 4 { w / S } else { 0 }
//!      for q < c any {                                                                           l = S·q + k
//!        open r[S]; for k < S any { r[k] ← x[o + l] }
//!        for j < m { t̄; for k < S any { s̄; r[k] ← e[r[k]] } }
//!        for k < S any { x[o + l] ← r[k] }
//!      }
//!      if S·c < w { for j < m { t̄; for k < w - S·c any { s̄; x[o + l] ← e[x[o + l]] } } }         l = S·c + k
//! ```
//!
//! The loop over `j` may have several such inner loops, and sequential loops around them. Then the outermost one is
//! taken, for any `m`. If each `j` writes `x` before it reads it, and nothing else uses `x`, it is neither loaded
//! before nor stored after.
//!
//! LLVM does not know the value of `w`, so it loads and stores `x` in every iteration of `j`; `r` has a constant
//! length. Each `l` has a separate element, and its steps keep their order.
//!
//! Needs: `x` in a local variable, with a value before the loop, and no other access to it inside; steps that cannot
//! panic, except for checks in `t̄`. Pays: if a step does little else, and its reads along `l` are the same for all
//! `j`, or near in memory. Costs: the code of the steps twice.

use crate::loops::{Access, Block, Buffer, BufferId, Expr, For, Function, Memory, Order, Place, Remark, Stmt};
use crate::mapped::{Both, Mapped, PushAll};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::schedule::facts::decide::Decide;
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::remainder::compared;
use crate::schedule::rewrite::replaced::{each_replaced, in_body};
use crate::schedule::rewrite::side::count_uses;
use crate::schedule::rewrite::terms::at_index;
use crate::shape::card::{Card, Op};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;

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

/// `for j < m { t̄; for l < w any { s̄ }; … }`.
struct Steps<'s> {
    outer: &'s For,
    /// `w`.
    width: &'s Card,
    /// The statements that do not depend on `l`.
    plain: Vec<&'s Stmt>,
    /// The loops over `l`, each with the indices of the sequential loops around it.
    lanes: Vec<(&'s For, Vec<VarId>)>,
    /// The elements that they change, from `l = 0` on, and whether they have a value before the loop.
    own: Vec<(Access, bool)>,
}

impl<'s> Steps<'s> {
    /// The parts of a sequential loop; `None` if it has other statements.
    fn of(outer: &'s For) -> Option<Steps<'s>> {
        let (mut plain, mut lanes) = (vec![], vec![]);
        let sequential = outer.order == Order::Sequential;
        parts(outer, &[], &mut plain, &mut lanes).filter(|()| sequential)?;
        let width = &lanes.first()?.0.count;
        lanes.iter().all(|(l, _)| l.count == *width).then_some(Steps { outer, width, plain, lanes, own: vec![] })
    }

    /// Whether it has sequential loops inside.
    fn is_nested(&self) -> bool {
        self.lanes.iter().any(|(_, around)| around.len() > 1)
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

    /// The loop, with `lanes` instead of each loop over `l`.
    fn around(&self, lanes: &mut impl FnMut(&For) -> Stmt) -> Stmt {
        rebuilt(self.outer, lanes)
    }
}

/// The parts of a sequential loop; `around`: the indices of the loops around it.
fn parts<'s>(
    outer: &'s For,
    around: &[VarId],
    plain: &mut Vec<&'s Stmt>,
    lanes: &mut Vec<(&'s For, Vec<VarId>)>,
) -> Option<()> {
    let around = [around, &[outer.index]].concat();
    for s in &outer.body {
        match s {
            Stmt::For(l) if l.order == Order::Any => lanes.push((l, around.clone())),
            Stmt::For(l) => parts(l, &around, plain, lanes)?,
            s => plain.push(Some(s).filter(|s| is_plain(s))?),
        }
    }
    Some(())
}

/// A sequential loop, with `lanes` instead of each independent loop inside.
fn rebuilt(outer: &For, lanes: &mut impl FnMut(&For) -> Stmt) -> Stmt {
    let each = |s: &Stmt| match s {
        Stmt::For(l) if l.order == Order::Any => lanes(l),
        Stmt::For(l) => rebuilt(l, lanes),
        s => s.clone(),
    };
    let body = outer.body.iter().mapped(each);
    Stmt::For(For { index: outer.index, count: outer.count.clone(), order: Order::Sequential, body })
}

/// An access from the first iteration on, if each iteration has the next element.
fn from_start(a: &Access, index: VarId) -> Option<Access> {
    let start = a.offset.sub(&Card::var(index));
    (!start.mentions(index)).then_some(Access { buffer: a.buffer, offset: start })
}

impl Walk<'_> {
    fn block(&mut self, b: &mut Block) {
        self.changed |= each_replaced(b, &mut |s, done| {
            let Stmt::For(l) = s else { return None };
            let steps = self.steps(l, done)?;
            let new = self.promoted(&steps);
            self.cx.f.schedule.remarks.push(Remark { pass: PassId::Promote, about: l.index, left: None });
            Some(new)
        });
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
                cost += self.cost(e)?;
            }
            let mut reads = l.body.iter().flat_map(Stmt::exprs).flat_map(loads);
            let fits = |a: Access| {
                alone(&a, l.index) && self.is_apart(&a) && is_near(&a, (l.index, target.near), around, &fixed)
            };
            if cost > target.cost || !reads.all(fits) {
                return None;
            }
        }
        for o in own {
            let local = matches!(self.cx.f.buffer(o.buffer).memory, Memory::Local(_));
            let starts = done.iter().any(|s| is_start(s, steps.width, o.buffer, &o.offset));
            if !local || !fixed(&o.offset) || !(starts || self.is_private(outer, o.buffer)) {
                return None;
            }
            steps.own.push((o, starts));
        }
        (!steps.own.is_empty() && steps.own.len() <= target.most).then_some(steps)
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

    /// The cost of a value; `None` if it may panic, or calls.
    fn cost(&self, e: &Expr) -> Option<u32> {
        let itself = match e {
            Expr::App(..) => return None,
            Expr::Prim(p, ..) if p.may_panic(self.cx.scalar(e)) => return None,
            Expr::Prim(p, ..) => p.cost(),
            _ => 0,
        };
        let operands = e.operands().iter().map(|e| self.cost(e)).sum::<Option<u32>>();
        operands.map(|o| o + itself)
    }

    fn promoted(&mut self, s: &Steps<'_>) -> Block {
        // Checks run even if there are no iterations.
        let checked = s.plain.iter().any(|b| !matches!(b, Stmt::Let(_, _, e) if self.cost(e).is_some()));
        let f = &mut *self.cx.f;
        let (strip, w) = (Card::lit(f.schedule.target.promote.strip), s.width);
        let registers: Vec<BufferId> = s.own.iter().mapped(|(o, _)| register(f, o.buffer, &strip));
        let q = f.names.fresh("strip");
        let first = strip.mul(&Card::var(q));
        let started = || s.own.iter().zip(&registers).filter(|((_, starts), _)| *starts).map(|((o, _), r)| (o, r));
        let here = |o: &Access, k: &Card| Access { buffer: o.buffer, offset: o.offset.add(&first).add(k) };
        let there = |r: &BufferId, k: &Card| Access { buffer: *r, offset: k.clone() };
        let mut inside = vec![Stmt::Open(registers.clone())];
        let moves = started().next().is_some();
        inside.push_all(moves.then(|| {
            every(f.names.fresh("lane"), &strip, |k| started().mapped(|(o, r)| moved(there(r, k), here(o, k))))
        }));
        inside.push(s.around(&mut |l| {
            every(f.names.fresh("lane"), &strip, |k| {
                let mut body = at_index(&l.body, &[], l.index, &first.add(k)).0;
                for ((o, _), r) in s.own.iter().zip(&registers) {
                    body.iter_mut().for_each(|s| replace(s, &here(o, k), &there(r, k)));
                }
                body
            })
        }));
        inside.push_all(moves.then(|| {
            every(f.names.fresh("lane"), &strip, |k| started().mapped(|(o, r)| moved(here(o, k), there(r, k))))
        }));
        let (m, whole) = (&s.outer.count, Card::op(Op::Div, w, &strip));
        let mut all = vec![];
        let strips = if m.constant().is_some() || s.is_nested() {
            whole
        } else {
            let strips = f.names.fresh("strips");
            let [whole, none] = [whole, Card::lit(0)].both(|n| Expr::Size(n, Origin::default()));
            all.push(Stmt::Let(
                strips,
                Scalar::Usize,
                Expr::If(Box::new([compared(Prim::Ge, m, f.schedule.target.promote.steps), whole, none])),
            ));
            Card::var(strips)
        };
        all.push_all(copied(f, &[every(q, &strips, |_| inside)]));
        let begin = strips.mul(&strip);
        let left = w.sub(&begin);
        if left.constant() != Some(0) {
            let rest = s.around(&mut |l| every(l.index, &left, |k| at_index(&l.body, &[], l.index, &begin.add(k)).0));
            let some = compared(Prim::Ne, &left, 0);
            let none = compared(Prim::Eq, &strips, 0);
            let some = if checked { Expr::Prim(Prim::Or, vec![some, none], Origin::default()) } else { some };
            all.push(Stmt::If(some, vec![rest], vec![]));
        }
        all
    }
}

/// Whether the reads of a step along `index` do not move in the loops around it, or by at most `near`.
fn is_near(a: &Access, (index, near): (VarId, i128), around: &[VarId], fixed: &impl Fn(&Card) -> bool) -> bool {
    if !a.offset.mentions(index) {
        return true;
    }
    let mut rest = a.offset.replace(index, &Card::lit(0));
    for j in around {
        match rest.linear_in(*j) {
            Some((step, more)) if step.constant().is_some_and(|n| n <= near) => rest = more,
            _ => return false,
        }
    }
    fixed(&rest)
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
