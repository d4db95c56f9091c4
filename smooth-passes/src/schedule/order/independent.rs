//! Dependence analysis: a loop whose iterations touch elements of their own may run them in any order.
//!
//! ```text
//! for i < n { s̄ }  ⟶  for i < n any { s̄ }
//! ```
//!
//! Needs: no iteration ends the loop, assigns a number from outside or calls a function of the user's; and for each
//! buffer that is written, one of
//!
//! - the elements of different iterations are disjoint ([`Touched::is_apart`]);
//! - it is a temporary that is used nowhere else, and each iteration writes it before reading it.
//!
//! A loop that runs backwards runs forwards then (`schedule/order/forwards.rs`).
//!
//! A loop whose iterations meet at one index only, such as the row that the other rows of a matrix are combined with, is
//! split there.
//!
//! So every iteration computes the same as before, and no bit changes. From here on a loop that writes elements is like a
//! `build`, for tiles, blocks, exits, threads and instances.

use crate::fsmooth::Via;
use crate::loops::{Block, BufferId, Expr, For, Function, Memory, Order, Reason, Remark, Stmt};
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::schedule::facts::footprint::{Touched, is_temporary};
use crate::schedule::facts::walk::WithFacts;
use crate::schedule::facts::written_prefix::{Front, assigned};
use crate::schedule::order::copies::forwarded;
use crate::schedule::order::forwards::forwards;
use crate::schedule::order::substitute::Names;
use crate::schedule::order::write_out::count;
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::replaced::in_body;
use crate::shape::card::Card;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;

/// The maximum number of statements of a loop that is split.
const STATEMENTS: usize = 12;

/// Marks all independent loops of a function.
pub(crate) fn independent(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        if !b.iter().any(|s| s.any(&is_sequential)) {
            return false;
        }
        let mut changing = Set::new();
        b.iter().for_each(|s| assigned(s, &mut changing));
        let mut cx = Decide::new(f);
        let total = Touched::of(b, &mut cx).uses();
        let has_turns = b.iter().any(|s| s.any(&|s| matches!(s, Stmt::Turn(_))));
        let mut walk =
            Independent { cx, has_turns, total, changing: &changing, names: Names::default(), changed: false };
        walk.block(b);
        let Independent { names, changed, .. } = walk;
        names.replace(f, b) || changed
    })
}

fn is_sequential(s: &Stmt) -> bool {
    matches!(s, Stmt::For(For { order: Order::Sequential, .. }))
}

fn is_any(s: &Stmt) -> bool {
    matches!(s, Stmt::For(For { order: Order::Any, .. }))
}

struct Independent<'f> {
    /// The function, with the facts at the place.
    cx: Decide<'f>,
    /// Whether a name may be that of any of several buffers.
    has_turns: bool,
    /// The number of uses of each buffer.
    total: Map<BufferId, usize>,
    /// The variables that are assigned.
    changing: &'f Set<VarId>,
    /// The names that addresses do without.
    names: Names,
    changed: bool,
}

impl<'f> WithFacts<'f> for Independent<'f> {
    fn cx(&mut self) -> &mut Decide<'f> {
        &mut self.cx
    }

    fn block(&mut self, b: &mut Block) {
        let mut left: Block = std::mem::take(b);
        left.reverse();
        while let Some(mut s) = left.pop() {
            self.cx.meet(&s);
            self.names.meet(&s, &mut self.cx);
            match &mut s {
                Stmt::For(l) if l.order == Order::Sequential => {
                    if let Some(parts) = self.mark(l) {
                        left.extend(parts.into_iter().rev());
                        continue;
                    }
                }
                _ => {}
            }
            if let Stmt::For(l) = &mut s
                && l.order == Order::Any
                && !has_loop(&l.body)
            {
                self.forward(l, b);
            }
            self.blocks(&mut s);
            if let Stmt::For(l) = &mut s
                && (l.order == Order::Any || l.body.iter().any(is_any))
            {
                b.push_all(self.counts(l));
            }
            b.push(s);
        }
    }
}

impl Independent<'_> {
    /// Marks a loop if it is independent, or returns its parts if these are, and remarks why if it is not.
    fn mark(&mut self, l: &mut For) -> Option<Block> {
        let (left, parts) = match self.independent(l) {
            Ok(touched) => {
                l.order = Order::Any;
                forwards(l, &touched, &mut self.cx);
                (None, None)
            }
            Err(Reason::Writes) if let Some(parts) = self.split(l) => {
                self.cx.f.schedule.remarks.push(Remark { pass: PassId::SplitRanges, about: l.index, left: None });
                (None, Some(parts))
            }
            Err(reason) => (Some(reason), None),
        };
        self.changed |= left.is_none();
        self.cx.f.schedule.remarks.push(Remark { pass: PassId::Independent, about: l.index, left });
        parts
    }

    /// A loop in parts that are independent, with the index alone at which its iterations meet.
    ///
    /// ```text
    /// for i < n { s̄ }  ⟶  for i < c { s̄ }; s̄[c / i]; for i < n - c - 1 { s̄[c + 1 + i / i] }       0 ≤ c < n
    /// ```
    fn split(&mut self, l: &For) -> Option<Block> {
        if count(&l.body) > STATEMENTS {
            return None;
        }
        let touched = Touched::of_iteration(l, &mut self.cx);
        let meetings = touched.written().iter().map(|b| touched.meetings(*b, l.index)).find(|m| !m.is_empty())?;
        let count = self.cx.card(&l.count);
        let one = Card::lit(1);
        let after = |c: &Card| count.sub(c).sub(&one);
        meetings.iter().filter(|c| c.constant().is_none()).find_map(|c| {
            if !self.cx.is_size(c) || !self.cx.is_size(&after(c)) {
                return None;
            }
            let (names, buffers) = (self.cx.f.names.clone(), self.cx.f.buffers.len());
            let first = For { count: c.clone(), ..self.copy(l) };
            let last = self.part(l, c.add(&one), after(c));
            let independent = |cx: &mut Self, l: &For| l.count.constant() == Some(0) || cx.independent(l).is_ok();
            if !independent(self, &first) || !independent(self, &last) {
                self.cx.f.names = names;
                self.cx.f.buffers.truncate(buffers);
                return None;
            }
            let mut alone = self.copy(l);
            alone.body.insert(0, Stmt::Let(alone.index, Scalar::Usize, Expr::size(c.clone())));
            let mut all = vec![Stmt::For(first), Stmt::Block(alone.body)];
            all.push_all((last.count.constant() != Some(0)).then_some(Stmt::For(last)));
            Some(all)
        })
    }

    /// Removes the copies before a loop that it does without.
    fn forward(&mut self, l: &mut For, before: &mut Block) {
        if self.has_turns {
            return;
        }
        for k in (0..before.len()).rev() {
            let Stmt::Copy { to, from, .. } = &before[k] else { continue };
            if matches!(self.cx.f.buffer(from.buffer).memory, Memory::Strided(_) | Memory::Turn | Memory::Part) {
                continue;
            }
            let mut uses = 1;
            l.body.iter().for_each(|s| s.each_access(&mut |a| uses += usize::from(a.buffer == to.buffer)));
            let only_here =
                self.total.get(&to.buffer) == Some(&uses) && is_temporary(&self.cx.f.buffer(to.buffer).memory);
            if let Some(new) = forwarded(&before[k], &before[k + 1..], l).filter(|_| only_here)
                && self.independent(&new).is_ok()
            {
                before.remove(k);
                *l = new;
                self.changed = true;
            }
        }
    }

    /// A copy of a loop.
    fn copy(&mut self, l: &For) -> For {
        let copy = copied(self.cx.f, &[Stmt::For(l.clone())]).pop();
        let Some(Stmt::For(l)) = copy else { unreachable!("the copy of a loop is a loop") };
        l
    }

    /// A number of iterations of a loop from an index on.
    fn part(&mut self, l: &For, from: Card, count: Card) -> For {
        let mut part = self.copy(l);
        let step = self.cx.f.names.again(part.index);
        let at = Expr::size(from.add(&Card::var(step)));
        part.body.insert(0, Stmt::Let(part.index, Scalar::Usize, at));
        For { index: step, count, ..part }
    }

    /// Takes the sizes out of a loop of a nest that are the same in all iterations, and exist without any: counts of loops in it.
    fn counts(&mut self, l: &mut For) -> Block {
        let mut bound = Set::from([l.index]);
        l.body.iter().for_each(|s| s.targets(&mut bound));
        let (mut leaving, body) = (vec![], std::mem::take(&mut l.body));
        for s in body {
            let leaves = match &s {
                Stmt::Let(x, Scalar::Usize, Expr::Size(c, _)) => {
                    let value = self.cx.card(c);
                    let leaves = !bound.iter().any(|x| c.mentions(*x)) && self.cx.is_size(&value);
                    if leaves {
                        bound.remove(x);
                    }
                    leaves
                }
                _ => false,
            };
            if leaves { leaving.push(s) } else { l.body.push(s) }
        }
        leaving
    }

    /// The accesses of a loop whose iterations may run in any order, or the reason why they run in order.
    fn independent(&mut self, l: &For) -> Result<Touched, Reason> {
        if l.body.iter().any(Stmt::may_end_loop) {
            return Err(Reason::Ends);
        }
        if observes(&l.body, self.cx.f) {
            return Err(Reason::Calls);
        }
        let touched = Touched::of_iteration(l, &mut self.cx);
        if touched.assigns_outside() {
            return Err(Reason::Assigns);
        }
        let written = touched.written();
        let apart = |b: &BufferId| touched.is_apart(*b, l.index) || self.is_private(*b, l, &touched);
        if written.iter().all(apart) { Ok(touched) } else { Err(Reason::Writes) }
    }

    /// Whether a buffer is a temporary of one iteration, which each writes before it reads.
    fn is_private(&self, b: BufferId, l: &For, touched: &Touched) -> bool {
        let buffer = self.cx.f.buffer(b);
        let only_here = touched.uses().get(&b) == self.total.get(&b);
        if !is_temporary(&buffer.memory) || !only_here || !touched.stays(b, l.index) {
            return false;
        }
        let mut facts = self.cx.facts.clone();
        facts.enter_loop(l.index, Some(l.count.clone()));
        let mut front = Front::new(b, buffer.len.clone(), self.changing, &facts, &self.cx.env.values);
        front.again_from(Card::lit(0));
        l.body.iter().all(|s| front.stmt(s).is_ok())
    }
}

/// Whether a function of the user's is called, or a value is printed, so that the order of iterations can be observed.
fn observes(b: &Block, f: &Function) -> bool {
    let app = |e: &Expr| matches!(e, Expr::App(..));
    let via = |s: &Stmt| match s {
        Stmt::Call(c) if c.fails.is_none() => {
            matches!(f.interface.callees[c.callee].via, Via::Argument(_) | Via::Probe(_))
        }
        _ => false,
    };
    b.iter().any(|s| s.any(&|s| via(s) || s.exprs().iter().any(|e| e.any(&app))))
}
