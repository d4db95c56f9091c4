//! Parallel loops: threads share the iterations of the outermost independent loops, in contiguous parts.
//!
//! ```text
//! open t; for i < n any { s̄ }
//!   ⟶  spread f, m of n over d = b[o] by w { open t; for j < m any { s̄[f + j / i, d[w·j + p] / b[o + w·i + p]] } }
//! ```
//!
//! Iteration `i` writes only the elements from `o + w·i` to `o + w·(i + 1)` of a buffer
//! (`schedule/facts/footprint.rs`), so that contiguous iterations have contiguous elements, and parts have disjoint
//! slices. A temporary that no other statement uses is privatised for each part: no iteration reads an element that a
//! different one wrote. Everything else is only read.
//!
//! The bits do not depend on the parts: each iteration computes the same values. At run time there is one part
//! unless there is enough work for two ([`Threads`](crate::loops::target::Threads)). The frame has room for as many parts as the user allows.
//!
//! Tiles and blocks are made later, inside a part, since their addresses would hide which elements an iteration writes.
//! So the memory of a part is counted at the end: [`count_frames`].
//!
//! The checker of L̃ makes sure that a part writes nothing but its strips and what it opens, and the interpreter runs
//! parts of different lengths in a mixed order.

use crate::fsmooth::Via;
use crate::loops::visit::{each_block, each_outermost};
use crate::loops::{
    Access, Block, Buffer, BufferId, Call, Expr, For, Function, Memory, Order, Reason, Remark, Spread, Stmt, Strip,
};
use crate::mapped::Mapped;
use crate::pass::{PassId, Switches};
use crate::schedule::facts::decide::Decide;
use crate::schedule::facts::footprint::{Strips, Touched, is_temporary};
use crate::schedule::facts::walk::WithFacts;
use crate::schedule::facts::work::block_work;
use crate::schedule::rewrite::replaced::in_body;
use crate::schedule::rewrite::terms::at_index;
use crate::shape::bytes::Bytes;
use crate::shape::card::{Atom, Card};
use crate::shape::entry_atoms;
use crate::sorted::{Map, Set};

/// Splits the loops of a function that threads may share.
pub(crate) fn threads(f: &mut Function, _: &Switches) -> bool {
    if f.parallel.is_none() {
        return false;
    }
    in_body(f, |b, f| {
        let known = entry_atoms(&f.interface.params).into_iter().collect();
        let mut cx = Decide::new(f);
        let total = Touched::of(b, &mut cx).uses();
        let mut all = Threads { cx, known, total, moved: Set::new(), changed: false };
        all.block(b);
        close(b, &all.moved);
        all.changed
    })
}

/// Counts the bytes of the frame that parts need. If these are not known at entry, there is one part.
pub(crate) fn count_frames(f: &mut Function) {
    let Some(parts) = f.parallel else { return };
    let known: Set<Atom> = entry_atoms(&f.interface.params).into_iter().collect();
    in_body(f, |b, f| {
        let mut own = Bytes::zero();
        each_outermost(b, &mut |s| {
            let Stmt::Spread(s) = s else { return true };
            counted(s, f, &|c: &Card| is_known(c, &known), parts, &mut own);
            false
        });
        f.schedule.block = f.schedule.block.and(&own);
        false
    });
}

/// Counts the parts of a loop that threads share. `own` is the maximum of the bytes that parts besides the first one need.
fn counted(s: &mut Spread, f: &mut Function, is_known: &dyn Fn(&Card) -> bool, parts: u32, own: &mut Bytes) {
    let frame = frame(&s.body, f);
    if frame.known() == Some(0) {
        return;
    }
    if !frame.sums().iter().flat_map(|s| s.arrays.keys()).all(|(_, len)| is_known(len)) {
        f.schedule.remarks.push(Remark { pass: PassId::Threads, about: s.about, left: Some(Reason::Memory) });
        s.parts = Some(1);
        return;
    }
    let most = s.count.constant().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
    let parts = parts.min(most).max(1);
    *own = own.or(&frame.times(u64::from(parts) - 1));
    (s.parts, s.frame) = (Some(parts), frame);
}

fn is_known(c: &Card, known: &Set<Atom>) -> bool {
    !c.is_untracked() && c.atoms().into_iter().all(|a| matches!(a, Atom::Op(..)) || known.contains(a))
}

struct Threads<'f> {
    /// The function, with the facts of the surrounding loops and conditions.
    cx: Decide<'f>,
    /// The sizes that are known to the caller.
    known: Set<Atom>,
    /// The number of uses of each buffer.
    total: Map<BufferId, usize>,
    /// Temporaries that each part opens.
    moved: Set<BufferId>,
    changed: bool,
}

impl<'f> WithFacts<'f> for Threads<'f> {
    fn cx(&mut self) -> &mut Decide<'f> {
        &mut self.cx
    }

    fn block(&mut self, b: &mut Block) {
        for s in b {
            self.cx.meet(s);
            let Stmt::For(l @ For { order: Order::Any, .. }) = s else {
                if !matches!(s, Stmt::Reduce(_)) {
                    self.blocks(s);
                }
                continue;
            };
            let (about, new) = (l.index, self.spread(l));
            let left = new.as_ref().err().copied();
            self.cx.f.schedule.remarks.push(Remark { pass: PassId::Threads, about, left });
            if let Ok(new) = new {
                *s = Stmt::Spread(new);
                self.changed = true;
            }
        }
    }
}

impl Threads<'_> {
    /// A loop in parts.
    fn spread(&mut self, l: &For) -> Result<Spread, Reason> {
        let target = self.cx.f.schedule.target;
        let work = block_work(&target.instances, &l.body, &|c: &Card| is_known(c, &self.known));
        let work = if work.is_untracked() { Card::lit(target.threads.grain) } else { work };
        let all = l.count.constant().zip(work.constant()).map(|(n, each)| n.saturating_mul(each));
        if all.is_some_and(|n| n < 2 * target.threads.grain) || l.count.constant().is_some_and(|n| n < 2) {
            return Err(Reason::Few);
        }
        if l.body.iter().any(Stmt::may_end_loop) {
            return Err(Reason::Ends);
        }
        if applies(&l.body, self.cx.f) {
            return Err(Reason::Calls);
        }
        let touched = Touched::of_iteration(l, &mut self.cx);
        if touched.assigns_outside() {
            return Err(Reason::Writes);
        }
        let (strips, own) = self.apart(l, &touched)?;
        let inside: Block = if own.is_empty() { vec![] } else { vec![Stmt::Open(own.clone())] };
        let body: Block = inside.into_iter().chain([Stmt::For(l.clone())]).collect_vec();
        self.moved.extend(own);
        let opened = touched.opened;
        Ok(self.in_parts(l, (body, opened), strips, Spread { work, ..nothing(l) }))
    }

    /// The strips that a loop writes, and the temporaries that are privatised.
    fn apart(&self, l: &For, touched: &Touched) -> Result<(Strips, Vec<BufferId>), Reason> {
        let (mut strips, mut own) = (Strips::default(), vec![]);
        for b in touched.written() {
            if let Some((from, width)) = touched.strip(b, l.index) {
                strips.insert(b, (from, width));
                continue;
            }
            let only_here = touched.uses().get(&b) == self.total.get(&b);
            let anew = self.cx.facts.loops().is_empty() || touched.stays(b, l.index);
            if !(is_temporary(&self.cx.f.buffer(b).memory) && only_here && anew) {
                return Err(Reason::Writes);
            }
            own.push(b);
        }
        Ok((strips, own))
    }

    /// The statement, with the names that strips have in a part.
    fn in_parts(
        &mut self,
        l: &For,
        (mut body, opened): (Block, Set<BufferId>),
        strips: Strips,
        mut new: Spread,
    ) -> Spread {
        let names = &mut self.cx.f.names;
        (new.first, new.len) = (names.fresh("first"), names.fresh("some"));
        let j = names.again(l.index);
        let mut renamed = Map::new();
        for (b, (from, width)) in strips {
            let Buffer { name, elem, .. } = *self.cx.f.buffer(b);
            let (name, len) = (self.cx.f.names.again(name), width.mul(&Card::var(new.len)));
            self.cx.f.buffers.push(Buffer { name, elem, len, memory: Memory::Part });
            let name = BufferId(self.cx.f.buffers.len() as u32 - 1);
            renamed.insert(b, (name, from.clone()));
            new.strips.push(Strip { name, home: Access { buffer: b, offset: from }, width });
        }
        let cx = &mut self.cx;
        let mut at = |a: &mut Access| {
            if let Some((name, from)) = renamed.get(&a.buffer) {
                // A name may hide the index.
                let offset = cx.card(&a.offset).replace(l.index, &Card::var(j)).sub(from);
                *a = Access { buffer: *name, offset };
            }
        };
        body.iter_mut().for_each(|s| s.each_access_mut(&mut |a| at(a)));
        if let Some(Stmt::For(l)) = body.last_mut() {
            let i = Card::var(new.first).add(&Card::var(j));
            (l.body, _) = at_index(&l.body, &[], l.index, &i);
            for b in opened {
                let buffer = &mut self.cx.f.buffers[b.0 as usize];
                buffer.len = buffer.len.replace(l.index, &i);
            }
            (l.index, l.count) = (j, Card::var(new.len));
        }
        Spread { body, ..new }
    }
}

/// The statement for a loop that is not split into parts yet.
fn nothing(l: &For) -> Spread {
    Spread {
        first: l.index,
        len: l.index,
        count: l.count.clone(),
        work: Card::lit(0),
        strips: vec![],
        frame: Bytes::zero(),
        parts: None,
        about: l.index,
        body: vec![],
    }
}

/// Whether a user's function is called, which may not be safe to call from several threads.
fn applies(b: &Block, f: &Function) -> bool {
    let app = |e: &Expr| matches!(e, Expr::App(..));
    let calls = |s: &Stmt| matches!(s, Stmt::Call(c) if matches!(f.interface.callees[c.callee].via, Via::Argument(_)));
    let applied = |s: &Stmt| calls(s) || s.exprs().iter().any(|e| e.any(&app));
    b.iter().any(|s| s.any(&applied))
}

/// The bytes of the frame that statements need. A block is open until the end of its scope.
fn frame(b: &Block, f: &Function) -> Bytes {
    let (mut open, mut most) = (Bytes::zero(), Bytes::zero());
    for s in b {
        match s {
            Stmt::Open(bs) => {
                let blocks = bs.iter().map(|b| f.buffer(*b)).filter(|b| b.memory == Memory::Frame);
                open = blocks.fold(open, |open, b| open.and(&Bytes::array(b.elem, b.len.clone())));
                most = most.or(&open);
            }
            Stmt::Call(c) => most = most.or(&open.and(&callee_frame(c, f))),
            s => {
                let inside = s.blocks().into_iter().map(|b| frame(b, f));
                most = inside.fold(most, |most, inside| most.or(&open.and(&inside)));
            }
        }
    }
    most
}

/// The bytes of a callee's frame, in the sizes of the call.
pub fn callee_frame(c: &Call, f: &Function) -> Bytes {
    let callee = &f.interface.callees[c.callee];
    let atoms = entry_atoms(&callee.params);
    callee.companion.frame.subst(&|a| {
        let k = atoms.iter().position(|b| a == b);
        k.and_then(|k| c.sizes.get(k)).cloned().unwrap_or_else(|| Card::atom(Atom::Untracked))
    })
}

/// Removes the allocations of temporaries that parts open.
fn close(b: &mut Block, moved: &Set<BufferId>) {
    each_outermost(b, &mut |s| {
        if let Stmt::Open(bs) = s {
            bs.retain(|b| !moved.contains(b));
        }
        !matches!(s, Stmt::Spread(_))
    });
    each_block(b, &mut |b| b.retain(|s| !matches!(s, Stmt::Open(bs) if bs.is_empty())));
}
