//! Footprints: the range of elements that one iteration accesses, and whether the ranges of different iterations are
//! disjoint.
//!
//! ```text
//! strip b = (o, w)  ⟺  each access of b in iteration i is of m elements from o + w·i + p on, where
//!                      0 ≤ p and p + m ≤ w follow from the counts of the loops around it
//! ```
//!
//! `o` is the first element of one of the accesses when all inner loops are in their first iteration.

use crate::loops::{Access, Arg, Block, BufferId, Expr, For, Function, Memory, Out, Place, Reduce, Stmt, Turn, With};
use crate::name::VarId;
use crate::shape::card::Card;
use crate::shape::facts::Facts;
use crate::shape::total;
use crate::sorted::{Map, Set};
use std::rc::Rc;

/// For each buffer that is written, the first element of the first iteration, and the number of elements of each
/// iteration.
pub(crate) type Strips = Map<BufferId, (Card, Card)>;

/// An access of consecutive elements.
struct Use {
    access: Access,
    len: Card,
    writes: bool,
    /// The loops around it.
    loops: Rc<[(VarId, Card)]>,
}

/// The elements that statements access, and the variables that they bind and assign.
pub(crate) struct Touched<'f> {
    f: &'f Function,
    all: Vec<Use>,
    /// The buffers that they open or name.
    pub opened: Set<BufferId>,
    /// The numbers that they bind.
    bound: Set<VarId>,
    /// The numbers that they assign.
    assigned: Set<VarId>,
    /// The names that swaps exchange.
    swapped: Set<BufferId>,
    loops: Rc<[(VarId, Card)]>,
}

impl<'f> Touched<'f> {
    pub fn of(b: &Block, f: &'f Function) -> Touched<'f> {
        let mut t = Touched {
            f,
            all: vec![],
            opened: Set::new(),
            bound: Set::new(),
            assigned: Set::new(),
            swapped: Set::new(),
            loops: Rc::from([]),
        };
        b.iter().for_each(|s| t.stmt(s));
        t
    }

    /// The number of accesses of each buffer.
    pub fn uses(&self) -> Map<BufferId, usize> {
        let mut uses = Map::new();
        self.all.iter().for_each(|u| *uses.entry(u.access.buffer).or_insert(0) += 1);
        uses
    }

    /// Whether they assign a number or swap a buffer that is not theirs.
    pub fn assigns_outside(&self) -> bool {
        !self.assigned.is_subset(&self.bound) || !self.swapped.is_subset(&self.opened)
    }

    /// The buffers that they write and do not open.
    pub fn written(&self) -> Set<BufferId> {
        let written = self.all.iter().filter(|u| u.writes).map(|u| u.access.buffer);
        written.filter(|b| !self.opened.contains(b)).collect()
    }

    /// Whether no address in a buffer depends on an index.
    pub fn stays(&self, b: BufferId, i: VarId) -> bool {
        self.of_buffer(b).all(|u| !u.access.offset.mentions(i))
    }

    fn of_buffer(&self, b: BufferId) -> impl Iterator<Item = &Use> {
        self.all.iter().filter(move |u| u.access.buffer == b)
    }

    /// The strip of a buffer, if the ranges of different iterations are disjoint.
    pub fn strip(&self, b: BufferId, l: &For, around: &Facts) -> Option<(Card, Card)> {
        let moving: Vec<(Card, Card, &Use)> = self
            .of_buffer(b)
            .map(|u| u.access.offset.linear_in(l.index).map(|(width, rest)| (width, rest, u)))
            .collect::<Option<_>>()?;
        let width = moving.first()?.0.clone();
        let fixed = |c: &Card| !self.bound.iter().any(|v| c.mentions(*v)) && !c.mentions(l.index);
        if width.constant() == Some(0)
            || !fixed(&width)
            || !around.at_least_zero(&width)
            || moving.iter().any(|(w, ..)| *w != width)
        {
            return None;
        }
        let first = |rest: &Card, u: &Use| u.loops.iter().fold(rest.clone(), |c, (x, _)| c.replace(*x, &Card::lit(0)));
        let starts: Set<Card> = moving.iter().map(|(_, rest, u)| first(rest, u)).filter(fixed).collect();
        let holds = |from: &Card| {
            // An iteration need not access the first element of its range, so the accesses do not prove that it exists.
            around.at_least_zero(from)
                && moving.iter().all(|(_, rest, u)| {
                    let (mut facts, index) = (around.clone(), [(l.index, l.count.clone())]);
                    for (x, n) in index.iter().chain(u.loops.iter()) {
                        facts.enter_loop(*x, Some(n.clone()));
                    }
                    let at = rest.sub(from);
                    facts.at_least_zero(&at) && facts.at_least_zero(&width.sub(&at).sub(&u.len))
                })
        };
        starts.into_iter().find(holds).map(|from| (from, width))
    }

    fn touch(&mut self, access: &Access, len: Card, writes: bool) {
        self.all.push(Use { access: access.clone(), len, writes, loops: self.loops.clone() });
    }

    fn expr(&mut self, e: &Expr) {
        if let Expr::Load(a) = e {
            self.touch(a, Card::lit(1), false);
        }
        e.operands().iter().for_each(|e| self.expr(e));
    }

    fn place(&mut self, p: &Place) {
        match p {
            Place::Var(x) => drop(self.assigned.insert(*x)),
            Place::Element(a) => self.touch(a, Card::lit(1), true),
        }
    }

    fn inside(&mut self, index: VarId, count: &Card, f: impl FnOnce(&mut Self)) {
        self.bound.insert(index);
        let around = self.loops.clone();
        self.loops = around.iter().cloned().chain([(index, count.clone())]).collect();
        f(self);
        self.loops = around;
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Let(x, _, e) => {
                self.expr(e);
                self.bound.insert(*x);
            }
            Stmt::Var(x, _) => drop(self.bound.insert(*x)),
            Stmt::Assign(p, e) => {
                self.expr(e);
                self.place(p);
            }
            Stmt::Open(bs) => self.opened.extend(bs),
            Stmt::For(For { index, count, body, .. }) => {
                self.inside(*index, count, |t| body.iter().for_each(|s| t.stmt(s)));
            }
            Stmt::Reduce(r) => self.reduce(r),
            Stmt::Copy { to, from, len, .. } => {
                self.touch(to, len.clone(), true);
                self.touch(from, len.clone(), false);
            }
            Stmt::Turn(t) => {
                self.opened.extend(&t.names);
                self.homes(t);
            }
            Stmt::Settle(t) => self.homes(t),
            Stmt::Swap(a, b) => self.swapped.extend([a, b]),
            Stmt::Call(c) => {
                for a in &c.args {
                    match a {
                        Arg::Scalar(e) => self.expr(e),
                        Arg::Array(a, shape, _) => self.touch(a, total(shape), false),
                        Arg::There(_) => {}
                    }
                }
                for o in &c.outs {
                    match o {
                        Out::Place(p) => self.place(p),
                        Out::Array(a, shape) => self.touch(a, total(shape), true),
                    }
                }
            }
            Stmt::Check { .. }
            | Stmt::CheckRange { .. }
            | Stmt::While(_)
            | Stmt::If(..)
            | Stmt::Block(_)
            | Stmt::Spread(_) => {
                s.exprs().into_iter().for_each(|e| self.expr(e));
                s.blocks().into_iter().flatten().for_each(|s| self.stmt(s));
            }
        }
    }

    fn reduce(&mut self, r: &Reduce) {
        self.inside(r.index, &r.count, |t| {
            r.body.iter().for_each(|s| t.stmt(s));
            r.terms.iter().for_each(|e| t.expr(e));
        });
        if let With::Function { init, left, right, body, next } = &r.with {
            self.bound.extend(left.iter().chain(right));
            body.iter().for_each(|s| self.stmt(s));
            init.iter().chain(next).for_each(|e| self.expr(e));
        }
        self.bound.extend(&r.totals);
    }

    /// Notes accesses of all parts of buffers that the names may denote.
    fn homes(&mut self, Turn { names, homes, .. }: &Turn) {
        for (home, name) in homes.iter().zip(names) {
            // A name may denote any of the parts, which have the same length.
            self.touch(home, self.f.buffer(*name).len.clone(), true);
        }
    }
}

/// Whether a buffer is a temporary of the kernel.
pub(crate) fn is_temporary(m: &Memory) -> bool {
    matches!(m, Memory::Frame | Memory::Heap | Memory::Local(_) | Memory::Empty)
}
