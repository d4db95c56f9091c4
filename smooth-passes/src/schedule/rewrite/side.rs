//! Privatised memory of a block: temporaries with a copy for each iteration, and packed columns of operands.
//!
//! ```text
//! t[o]            ⟶  t̄[B·o + l]                     each iteration overwrites t
//! x[s·i + o]      ⟶  x̄[B·o + l]                     after for r < s any { for l < w any { x̄[B·r + l] ← x[s·i + r] } }
//! ```
//!
//! So the accesses of the iterations of a block are adjacent. An operand is copied if the inner loops read it several
//! times, or once among many operations. Buffers whose length is known only at run time are in the frame, with as many elements
//! as the target allows (`private`): for larger ones, the original loop runs.
//!
//! Memory in the frame is for at most 64 iterations and 128 elements of each. Where a row or a temporary is longer,
//! or where there are fewer than 32 iterations, the original loop runs, so that the loop is in the code twice.
//! Columns are worth their copies only around a fold of more than 16 steps, or of an unknown number: LLVM unrolls
//! shorter ones.

use crate::loops::visit::each_inherited;
use crate::loops::{Access, Block, Buffer, BufferId, Expr, For, Function, Memory, Order, Place, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::schedule::facts::uniform::Varying;
use crate::schedule::facts::work::cost;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::condition::Known;
use crate::shape::facts::Facts;
use crate::sorted::{Map, Set};

/// The buffers of a body that a block privatises or packs.
#[derive(Default)]
pub(crate) struct Side {
    /// Temporaries.
    temporaries: Set<BufferId>,
    /// Operands whose rows become columns, with the length of a row.
    columns: Set<(BufferId, Card)>,
    /// The accesses that read these.
    reads: Vec<Access>,
}

/// An access of a body.
struct Use<'s> {
    access: &'s Access,
    written: bool,
    /// The loops around it in the body.
    around: Vec<(VarId, &'s Card)>,
    /// The statements of its block.
    beside: &'s [Stmt],
}

impl Use<'_> {
    /// Whether a loop around it reads the same elements again.
    fn is_again(&self, index: VarId) -> bool {
        self.rest(index).is_some_and(|(_, rest)| self.around.iter().any(|(v, _)| !rest.mentions(*v)))
    }

    /// The cost of the statements of its block.
    fn work(&self) -> i128 {
        self.beside.iter().flat_map(|s| s.exprs()).map(cost).sum()
    }

    /// The distance of iterations, and the place in one.
    fn rest(&self, index: VarId) -> Option<(Card, Card)> {
        self.access.offset.linear_in(index)
    }
}

fn uses(b: &[Stmt]) -> Vec<Use<'_>> {
    let mut found = vec![];
    each_inherited(b, &vec![], &mut |s, beside, around| {
        let mut note = |access, written| found.push(Use { access, written, around: around.clone(), beside });
        s.exprs().into_iter().for_each(|e| e.each_load(&mut |a| note(a, false)));
        if let Stmt::Assign(Place::Element(a), _) = s {
            note(a, true);
        }
        let own = if let Stmt::For(l) = s { Some((l.index, &l.count)) } else { None };
        Some(around.iter().copied().chain(own).collect_vec())
    });
    found
}

/// Counts the uses of each buffer.
pub(crate) fn count_uses(b: &[Stmt], counts: &mut Map<BufferId, usize>) {
    uses(b).into_iter().for_each(|u| *counts.entry(u.access.buffer).or_insert(0) += 1);
    others(b, counts);
}

/// Counts uses by statements that are not assignments.
fn others(b: &[Stmt], counts: &mut Map<BufferId, usize>) {
    let mut note = |s: &Stmt| {
        let accesses = if matches!(s, Stmt::Assign(..)) { vec![] } else { s.accesses() };
        let named: &[BufferId] = match s {
            Stmt::Swap(a, b) => &[*a, *b],
            Stmt::Turn(t) | Stmt::Settle(t) => &t.names,
            _ => &[],
        };
        for b in accesses.into_iter().map(|a| &a.buffer).chain(named) {
            *counts.entry(*b).or_insert(0) += 1;
        }
    };
    b.iter().for_each(|s| s.walk(&mut note));
}

/// The body of a loop over `index`.
pub(crate) struct Body<'s> {
    pub index: VarId,
    pub count: &'s Card,
    /// The original loop.
    pub around: &'s Stmt,
    pub statements: &'s Block,
    /// Buffers that are opened in the body.
    pub opened: &'s [BufferId],
    /// The numbers that are bound in it, its loops' indices among them.
    pub bound: &'s Set<VarId>,
    pub varying: &'s Varying,
    /// A fresh number.
    pub row: VarId,
    /// The number of uses of each buffer in the function.
    pub everywhere: &'s Map<BufferId, usize>,
}

impl Side {
    /// The buffers that a body needs; `None` if iterations write the same elements of a buffer that cannot be
    /// privatised.
    pub fn of(f: &Function, body: &Body<'_>) -> Option<Side> {
        let found = uses(body.statements);
        let mut here = Map::new();
        count_uses(std::slice::from_ref(body.around), &mut here);
        let mut side = Side::default();
        for b in body.varying.written.iter().chain(body.opened) {
            let mut all = found.iter().filter(|u| u.access.buffer == *b);
            if all.clone().all(|u| !u.written || moves(&u.access.offset, body.index)) && !body.opened.contains(b) {
                continue;
            }
            let buffer = f.buffer(*b);
            let inside = body.opened.contains(b) || body.everywhere.get(b) == here.get(b);
            let fits = match &buffer.memory {
                Memory::Local(most) => most.constant().is_some(),
                Memory::Frame | Memory::Heap => {
                    buffer.len.constant().is_none_or(|n| n <= f.schedule.target.blocks.private)
                }
                _ => false,
            };
            let known = match &buffer.memory {
                Memory::Local(_) => !body.bound.iter().chain([&body.index]).any(|v| buffer.len.mentions(*v)),
                _ => is_known(f, &buffer.len),
            };
            let apart = all.all(|u| !u.access.offset.mentions(body.index));
            if !(inside && fits && known && apart) {
                return None;
            }
            side.temporaries.insert(*b);
        }
        found.iter().for_each(|u| side.column(f, body, (u, &found)));
        Some(side)
    }

    /// Packs a row as a column if it is read several times, or once among many operations.
    fn column(&mut self, f: &Function, body: &Body<'_>, (u, all): (&Use<'_>, &[Use<'_>])) {
        let buffer = f.buffer(u.access.buffer);
        let Some((slope, rest)) = u.rest(body.index) else { return };
        let full = matches!(buffer.memory, Memory::Argument | Memory::InOut);
        let is_beside = |c: &Card| matches!(c.constant(), Some(0 | 1));
        let side_by_side = is_beside(&slope);
        let once = |v: &Use<'_>| {
            !v.written && !v.is_again(body.index) && v.rest(body.index).is_some_and(|(c, _)| !is_beside(&c))
        };
        let here = |v: &Use<'_>| v.around.last().map(|l| l.0) == u.around.last().map(|l| l.0);
        let places: Set<&Card> = all.iter().filter(|v| here(v) && once(v)).map(|v| &v.access.offset).collect();
        let enough = f.schedule.target.blocks.gathered * places.len() as i128;
        let again = || u.is_again(body.index) || (!u.around.is_empty() && u.work() >= enough);
        let fixed = is_known(f, &slope);
        let long = slope.constant().is_some_and(|n| n > f.schedule.target.blocks.private);
        if side_by_side || long || !full || !fixed || body.varying.written.contains(&u.access.buffer) || !again() {
            return;
        }
        let mut facts = Facts::default();
        facts.enter_loop(body.index, Some(body.count.clone()));
        for (v, n) in &u.around {
            facts.enter_loop(*v, Some((*n).clone()));
            facts.assume(&of_rounds(n));
        }
        facts.enter_loop(body.row, Some(slope.clone()));
        let all = Card::var(body.index).mul(&slope).add(&Card::var(body.row));
        if facts.in_range(&rest, &slope) && facts.in_range(&all, &buffer.len) {
            self.columns.insert((u.access.buffer, slope));
            self.reads.push(u.access.clone());
        }
    }

    /// Whether an access becomes adjacent to that of the next iteration.
    pub fn moves(&self, a: &Access) -> bool {
        self.temporaries.contains(&a.buffer) || self.reads.contains(a)
    }

    /// The number of elements of each iteration in buffers of known length.
    pub fn elements(&self, f: &Function) -> i128 {
        let temporaries = self.temporaries.iter().filter_map(|b| match &f.buffer(*b).memory {
            Memory::Local(most) => most.constant(),
            _ => None,
        });
        temporaries.chain(self.columns.iter().filter_map(|(_, s)| s.constant())).sum()
    }

    /// The lengths that are known only at run time.
    pub fn lengths(&self, f: &Function) -> Vec<Card> {
        let temporaries = self.temporaries.iter().map(|b| f.buffer(*b)).filter(|b| !is_local(b)).map(|b| b.len.clone());
        let rows = self.columns.iter().map(|(_, s)| s.clone());
        let mut all: Vec<Card> = vec![];
        for c in temporaries.chain(rows).filter(|c| c.constant().is_none()) {
            if !all.contains(&c) {
                all.push(c);
            }
        }
        all
    }

    /// The buffers, for blocks of `length` iterations.
    pub fn placed(self, f: &mut Function, length: i128) -> Placed {
        let times = |c: &Card| c.mul(&Card::lit(length));
        let temporaries = self.temporaries.iter().map(|b| {
            let Buffer { name, elem, len, memory } = f.buffer(*b).clone();
            let (len, memory) = match memory {
                Memory::Local(most) => (times(&len), Memory::Local(times(&most))),
                memory => (times(&bounded(&len, f.schedule.target.blocks.private)), memory),
            };
            (*b, opened(f, Buffer { name, elem, len, memory }))
        });
        let temporaries = temporaries.collect();
        let columns = self.columns.into_iter().map(|(b, slope)| {
            let Buffer { name, elem, .. } = f.buffer(b).clone();
            let len = times(&bounded(&slope, f.schedule.target.blocks.private));
            let memory = if slope.constant().is_some() { Memory::Local(len.clone()) } else { Memory::Frame };
            ((b, slope), opened(f, Buffer { name, elem, len, memory }))
        });
        Placed { temporaries, columns: columns.collect(), reads: self.reads, length }
    }
}

/// The facts of a count of rounds `n / by`, or of a remainder `n % by`.
fn of_rounds(count: &Card) -> Known {
    let whole = |n: &Card, by: &Card| Card::op(Op::Div, n, by).mul(by);
    match count.as_atom() {
        Some(Atom::Op(Op::Div, n, by)) => Known::at_least_zero(n.sub(&whole(n, by))),
        Some(Atom::Op(Op::Rem, n, by)) => Known::at_least_zero(n.sub(&whole(n, by)).sub(count)),
        _ => Known::default(),
    }
}

fn is_local(b: &Buffer) -> bool {
    matches!(b.memory, Memory::Local(_))
}

/// Whether an address differs between iterations.
fn moves(offset: &Card, index: VarId) -> bool {
    offset.linear_in(index).is_some_and(|(slope, _)| slope.constant() != Some(0))
}

fn bounded(c: &Card, most: i128) -> Card {
    Card::op(Op::Min, c, &Card::lit(most))
}

pub(crate) fn opened(f: &mut Function, b: Buffer) -> BufferId {
    let name = f.names.again(b.name);
    f.buffers.push(Buffer { name, ..b });
    BufferId(f.buffers.len() as u32 - 1)
}

/// The memory of a block, with buffers.
pub(crate) struct Placed {
    temporaries: Map<BufferId, BufferId>,
    columns: Map<(BufferId, Card), BufferId>,
    reads: Vec<Access>,
    length: i128,
}

impl Placed {
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + '_ {
        self.temporaries.values().chain(self.columns.values()).copied()
    }

    /// Statements with the privatised accesses of one lane.
    pub fn moved(&self, lanes: &[Stmt], index: VarId, lane: &Card) -> Vec<Stmt> {
        let mut lanes = lanes.to_vec();
        let mut stmt = |s: &mut Stmt| {
            for e in s.exprs_mut() {
                e.each_mut(&mut |e| {
                    if let Expr::Load(a) = e {
                        self.access(a, index, lane, true);
                    }
                });
            }
            s.accesses_mut().into_iter().for_each(|a| self.access(a, index, lane, false));
        };
        lanes.iter_mut().for_each(|s| s.walk_mut(&mut stmt));
        lanes
    }

    fn access(&self, a: &mut Access, index: VarId, lane: &Card, read: bool) {
        let inside = |o: &Card| o.mul(&Card::lit(self.length)).add(lane);
        if let Some(b) = self.temporaries.get(&a.buffer) {
            *a = Access { buffer: *b, offset: inside(&a.offset) };
        } else if read && self.reads.contains(a) {
            let (slope, rest) = a.offset.linear_in(index).expect("it was linear before");
            *a = Access { buffer: self.columns[&(a.buffer, slope)], offset: inside(&rest) };
        }
    }

    /// Packs rows as columns, for iterations from `begin` on.
    pub fn copies(&self, f: &mut Function, begin: &Card, width: &Card) -> Block {
        let copy = |((from, slope), to): (&(BufferId, Card), &BufferId)| {
            let (lane, row) = (f.names.fresh("lane"), f.names.fresh("row"));
            let (l, r) = (Card::var(lane), Card::var(row));
            let source = Access { buffer: *from, offset: begin.add(&l).mul(slope).add(&r) };
            let target = Access { buffer: *to, offset: r.mul(&Card::lit(self.length)).add(&l) };
            let body = vec![Stmt::Assign(Place::Element(target), Expr::Load(source))];
            let each = |(index, count): (VarId, &Card), body| {
                vec![Stmt::For(For { index, count: count.clone(), order: Order::Any, body })]
            };
            let (lanes, rows) = ((lane, width), (row, slope));
            // Along rows of unknown length LLVM would scatter, which is slower than one element at a time. Short rows
            // are unrolled.
            let (outer, inner) = if slope.constant().is_some() { (lanes, rows) } else { (rows, lanes) };
            each(outer, each(inner, body))
        };
        self.columns.iter().flat_map(copy).collect_vec()
    }
}

/// Whether a size is a polynomial in the sizes that are known at entry.
pub(crate) fn is_known(f: &Function, c: &Card) -> bool {
    let entry = crate::shape::entry_atoms(&f.interface.params);
    !c.is_untracked() && c.atoms().into_iter().all(|a| matches!(a, Atom::Op(..)) || entry.contains(a))
}
