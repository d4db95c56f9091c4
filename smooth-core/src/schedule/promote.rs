//! What the iterations of a block add to stays in registers while a loop adds to it.
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
//! LLVM does not know how long `w` is, so it loads and stores `x` in every iteration of `j`; `r` has a constant length.
//! Each `l` has an element of its own, and its steps keep their order.
//!
//! Needs: `x` in a local variable, with a value before the loop, and no other access to it inside; steps that cannot panic, but
//! for checks in `t̄`.
//! Pays: if a step does little else, and what it reads along `l` is the same for all `j`, or lies near in memory. Costs: the code of the steps twice.

use super::copy::copied;
use super::decide::Decide;
use super::in_body;
use super::ladder::compared;
use super::terms::at_index;
use crate::loops::{Access, Block, Buffer, BufferId, Expr, For, Function, Memory, Order, Place, Remark, Stmt};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::shape::card::{Card, Op};
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::Scalar;

/// Iterations whose elements are in registers together: four registers of the widest, and all of a short block.
const STRIP: i128 = 32;

/// Elements of an iteration: two of the narrowest instance's strips would not fit.
const MOST: usize = 2;

/// Steps below which it does not pay to load and store what they add to.
const FEW: i128 = 4;

/// The distance in elements from one step to the next up to which a strip is read as fast as a longer row.
const NEAR: i128 = 512;

/// The cost of a step beyond which loads and stores do not matter.
const CHEAP: u32 = 8;

/// Promotes wherever it pays.
pub(super) fn promote(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        let mut walk = Walk { cx: Decide::new(f), changed: false };
        walk.cx.note_all(b);
        walk.block(b);
        walk.changed
    })
}

struct Walk<'f> {
    cx: Decide<'f>,
    changed: bool,
}

/// `for j < m { t̄; for l < w any { s̄ } }`.
struct Steps<'s> {
    outer: &'s For,
    before: &'s [Stmt],
    inner: &'s For,
    /// The elements that it changes.
    own: Vec<Access>,
}

impl Walk<'_> {
    fn block(&mut self, b: &mut Block) {
        let mut done: Block = vec![];
        for mut s in std::mem::take(b) {
            if let Stmt::For(l) = &s
                && let Some(steps) = self.steps(l, &done)
            {
                let new = self.promoted(&steps);
                self.cx.f.remarks.push(Remark { pass: PassId::Promote, about: l.index, left: None });
                self.changed = true;
                done.extend(new);
                continue;
            }
            s.blocks_mut().into_iter().for_each(|b| self.block(b));
            done.push(s);
        }
        *b = done;
    }

    /// The loop as steps of a block, if it is such a loop and may be promoted; `done`: the statements before it.
    fn steps<'s>(&self, outer: &'s For, done: &[Stmt]) -> Option<Steps<'s>> {
        let (Stmt::For(inner), before) = outer.body.split_last()? else { return None };
        let sequential = outer.order == Order::Sequential && outer.count.constant().is_none_or(|n| n >= FEW);
        let independent = inner.order == Order::Any && inner.count.constant().is_none_or(|n| n >= STRIP);
        let mut bound = Set::from([outer.index]);
        before.iter().chain(&inner.body).for_each(|s| s.targets(&mut bound));
        let fixed = |c: &Card| bound.iter().all(|x| !c.mentions(*x));
        if !sequential || !independent || !fixed(&inner.count) || !before.iter().all(is_plain) {
            return None;
        }
        let mut own: Vec<Access> = vec![];
        for s in &inner.body {
            match s {
                Stmt::Let(..) | Stmt::Var(..) => {}
                Stmt::Assign(Place::Var(x), _) if inner.body.iter().any(|s| matches!(s, Stmt::Var(y, _) if x == y)) => {
                }
                Stmt::Assign(Place::Element(a), _) if own.contains(a) => {}
                Stmt::Assign(Place::Element(a), _) if own.iter().all(|o| o.buffer != a.buffer) => own.push(a.clone()),
                _ => return None,
            }
        }
        let all = || before.iter().chain(&inner.body);
        let mut cost = 0;
        for e in inner.body.iter().flat_map(Stmt::exprs) {
            cost += self.cost(e)?;
        }
        let alone = |a: &Access| own.iter().all(|o| o.buffer != a.buffer || o == a);
        let mut reads = all().flat_map(Stmt::exprs).flat_map(loads);
        let near = |a: &Access| match a.offset.linear_in(outer.index) {
            _ if !a.offset.mentions(inner.index) => true,
            Some((step, rest)) => {
                fixed(&rest.replace(inner.index, &Card::lit(0))) && step.constant().is_some_and(|n| n <= NEAR)
            }
            None => false,
        };
        let starts = |o: &Access| {
            let start = &o.offset.sub(&Card::var(inner.index));
            let at = !start.mentions(inner.index) && fixed(start);
            let local = matches!(self.cx.f.buffer(o.buffer).memory, Memory::Local(_));
            at && local && done.iter().any(|s| is_start(s, &inner.count, o.buffer, start))
        };
        let promotes = !own.is_empty() && own.len() <= MOST && cost <= CHEAP;
        (promotes && own.iter().all(starts) && reads.all(|a| alone(&a) && near(&a) && self.is_apart(&a)))
            .then_some(Steps { outer, before, inner, own })
    }

    /// Whether a buffer is never another name of a local variable.
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
        // Checks are made even if there are no iterations.
        let checked = s.before.iter().any(|b| !matches!(b, Stmt::Let(_, _, e) if self.cost(e).is_some()));
        let f = &mut *self.cx.f;
        let (strip, w) = (Card::lit(STRIP), &s.inner.count);
        let registers: Vec<BufferId> = s.own.iter().map(|o| register(f, o.buffer, &strip)).collect();
        let q = f.names.fresh("strip");
        let first = strip.mul(&Card::var(q));
        let each = |f: &mut Function, body: &dyn Fn(&Card) -> Block| every(f.names.fresh("lane"), &strip, body);
        let pairs = || s.own.iter().zip(&registers);
        let here = |o: &Access, k: &Card| at(o, s.inner.index, &first.add(k));
        let there = |r: &BufferId, k: &Card| Access { buffer: *r, offset: k.clone() };
        let load = each(f, &|k| pairs().map(|(o, r)| moved(there(r, k), here(o, k))).collect());
        let steps = each(f, &|k| {
            let mut body = s.body(&first.add(k));
            pairs().for_each(|(o, r)| body.iter_mut().for_each(|s| replace(s, &here(o, k), &there(r, k))));
            body
        });
        let store = each(f, &|k| pairs().map(|(o, r)| moved(here(o, k), there(r, k))).collect());
        let inside = vec![Stmt::Open(registers.clone()), load, s.around(steps), store];
        let (m, whole) = (&s.outer.count, Card::op(Op::Div, w, &strip));
        let mut all = vec![];
        let strips = if m.constant().is_some() {
            whole
        } else {
            let strips = f.names.fresh("strips");
            let [whole, none] = [whole, Card::lit(0)].map(|n| Expr::Size(n, Origin::default()));
            all.push(Stmt::Let(strips, Scalar::Usize, Expr::If(Box::new([compared(Prim::Ge, m, FEW), whole, none]))));
            Card::var(strips)
        };
        all.extend(copied(f, &[every(q, &strips, |_| inside)]));
        let begin = strips.mul(&strip);
        let left = w.sub(&begin);
        if left.constant() != Some(0) {
            let rest = s.around(every(s.inner.index, &left, |k| s.body(&begin.add(k))));
            all.push(if checked { rest } else { Stmt::If(compared(Prim::Ne, &left, 0), vec![rest], vec![]) });
        }
        all
    }
}

impl Steps<'_> {
    /// A step of the iteration at a place.
    fn body(&self, at: &Card) -> Block {
        at_index(&self.inner.body, &[], self.inner.index, at).0
    }

    /// The sequential loop around another inner one.
    fn around(&self, inner: Stmt) -> Stmt {
        let body = self.before.iter().cloned().chain([inner]).collect();
        Stmt::For(For { index: self.outer.index, count: self.outer.count.clone(), order: Order::Sequential, body })
    }
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

fn at(a: &Access, index: VarId, value: &Card) -> Access {
    Access { buffer: a.buffer, offset: a.offset.replace(index, value) }
}

/// Whether a statement gives the first `count` elements from `start` on a value.
fn is_start(s: &Stmt, count: &Card, buffer: BufferId, start: &Card) -> bool {
    let Stmt::For(l) = s else { return false };
    let writes = |s: &Stmt| matches!(s, Stmt::Assign(Place::Element(a), _) if a.buffer == buffer && a.offset == start.add(&Card::var(l.index)));
    l.count == *count && l.body.iter().any(writes) && !l.body.iter().any(Stmt::may_end_loop)
}

/// The elements that an expression reads.
fn loads(e: &Expr) -> Vec<Access> {
    let mut found: Vec<Access> = e.operands().iter().flat_map(loads).collect();
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
