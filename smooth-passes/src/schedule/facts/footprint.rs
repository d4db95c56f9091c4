//! Footprints: the range of elements that one iteration accesses, and whether the ranges of different iterations are
//! disjoint.
//!
//! ```text
//! strip b = (o, w)     ⟺  each access of b in iteration i is of k elements from o + w·i + p on, where
//!                         0 ≤ p and p + k ≤ |w| follow from the facts at its place
//! apart b modulo m     ⟺  the same of the remainders of these elements by m: o + w·i + p + k ≤ m follows
//! ```
//!
//! A strip is a row, or some rows. Columns of a matrix are apart modulo the length of a row. `o` is the least element of
//! one of the accesses in the inner loops, or of its row. Accesses before an element are disjoint from those behind it, so
//! the two may be apart in different ways:
//!
//! ```text
//! border b = c         ⟺  each write, of k elements from p on, has p + k ≤ c or c ≤ p; c the same in all iterations, and
//!                         the end of a write
//! ```
//!
//! Reads on the other side of all writes need not be apart.

use crate::loops::{Access, Arg, Block, BufferId, Expr, For, Memory, Out, Place, Reduce, Stmt, Turn, With};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::schedule::facts::decide::Decide;
use crate::shape::card::{Atom, Card};
use crate::shape::condition::Known;
use crate::shape::facts::Facts;
use crate::shape::total;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;
use std::rc::Rc;

/// The maximum number of distances that are tried as the length of a row.
const LINES: usize = 8;

/// The maximum number of elements that are tried as a border between accesses.
const BORDERS: usize = 8;

/// The maximum number of times that the accesses on one side of a border are divided again.
const DIVISIONS: usize = 2;

/// For each buffer that is written, the first element of the first iteration, and the number of elements of each
/// iteration.
pub(crate) type Strips = Map<BufferId, (Card, Card)>;

/// An access of consecutive elements.
pub(crate) struct Use {
    pub buffer: BufferId,
    /// The first element, without names of numbers that are known.
    pub offset: Card,
    pub len: Card,
    writes: bool,
    /// The loops around it, from the visited statements on.
    pub loops: Rc<[(VarId, Card)]>,
    /// The facts at its place.
    pub facts: Rc<Facts>,
}

impl Use {
    /// The least value of a part of its offset in the loops around it, if each of these moves it in one direction.
    fn least(&self, part: &Card) -> Card {
        self.loops.iter().rev().fold(part.clone(), |c, l| end(&c, l, false))
    }

    /// The least value of its offset, or the greatest, in all iterations of a loop.
    fn end(&self, outer: &(VarId, Card), greatest: bool) -> Card {
        self.loops.iter().rev().chain([outer]).fold(self.offset.clone(), |c, l| end(&c, l, greatest))
    }

    /// Whether its elements are before an element.
    fn is_before(&self, c: &Card) -> bool {
        self.facts.at_least_zero(&c.sub(&self.offset).sub(&self.len))
    }

    /// Whether its elements begin at an element, or behind it.
    fn is_behind(&self, c: &Card) -> bool {
        self.facts.at_least_zero(&self.offset.sub(c))
    }

    /// The remainder of its offset by the length of a row.
    fn remainder(&self, m: &Card) -> Option<Card> {
        self.facts.divide(&self.offset, m).map(|(_, r)| r)
    }
}

/// The least value of a number in the iterations of a loop, or the greatest, if the index moves it in one direction.
fn end(c: &Card, (x, n): &(VarId, Card), greatest: bool) -> Card {
    let falls = c.linear_in(*x).is_some_and(|(slope, _)| slope.terms().all(|(k, _)| k < 0));
    c.replace(*x, &if falls != greatest { n.sub(&Card::lit(1)) } else { Card::lit(0) })
}

/// The elements that statements access, and the variables that they bind and assign.
#[derive(Default)]
pub(crate) struct Touched {
    all: Vec<Use>,
    /// The facts outside of the loop.
    around: Facts,
    /// The number of iterations.
    count: Card,
    /// The buffers that they open or name.
    pub opened: Set<BufferId>,
    /// The numbers that they bind.
    bound: Set<VarId>,
    /// The numbers that they assign.
    assigned: Set<VarId>,
    /// The names that swaps exchange.
    swapped: Set<BufferId>,
}

impl Touched {
    /// The accesses of statements.
    pub fn of(b: &Block, cx: &mut Decide<'_>) -> Touched {
        let facts = Rc::new(cx.facts.clone());
        let mut visit = Visit { cx, t: Touched::default(), loops: Rc::from([]), facts };
        visit.under(&Known::default(), |v| v.block(b));
        visit.t
    }

    /// The accesses of an iteration of a loop.
    pub fn of_iteration(l: &For, cx: &mut Decide<'_>) -> Touched {
        let (mut touched, count, around) = (Touched::default(), cx.card(&l.count), cx.facts.clone());
        cx.each_time(l.index, &count, |cx| touched = Touched::of(&l.body, cx));
        Touched { around, count, ..touched }
    }

    /// All accesses, in the order of the text.
    pub fn all(&self) -> &[Use] {
        &self.all
    }

    /// The number of accesses of each buffer.
    pub fn uses(&self) -> Map<BufferId, usize> {
        let mut uses = Map::new();
        self.all.iter().for_each(|u| *uses.entry(u.buffer).or_insert(0) += 1);
        uses
    }

    /// Whether they assign a number or swap a buffer that is not theirs.
    pub fn assigns_outside(&self) -> bool {
        !self.assigned.is_subset(&self.bound) || !self.swapped.is_subset(&self.opened)
    }

    /// The buffers that they write and do not open.
    pub fn written(&self) -> Set<BufferId> {
        let written = self.all.iter().filter(|u| u.writes).map(|u| u.buffer);
        written.filter(|b| !self.opened.contains(b)).collect()
    }

    /// Whether no address in a buffer depends on an index.
    pub fn stays(&self, b: BufferId, i: VarId) -> bool {
        self.of_buffer(b).all(|u| !u.offset.mentions(i) && !u.offset.is_untracked())
    }

    fn of_buffer(&self, b: BufferId) -> impl Iterator<Item = &Use> {
        self.all.iter().filter(move |u| u.buffer == b)
    }

    fn places(&self, b: BufferId) -> Vec<(Card, &Use)> {
        self.of_buffer(b).map(|u| (u.offset.clone(), u)).collect()
    }

    /// Whether a size is the same at all places of all iterations.
    fn is_fixed(&self, c: &Card, i: VarId) -> bool {
        !c.is_untracked() && !c.mentions(i) && !self.bound.iter().any(|v| c.mentions(*v))
    }

    /// The strip of a buffer, if the ranges of different iterations are disjoint, and follow each other in the order of
    /// the iterations.
    pub fn strip(&self, b: BufferId, i: VarId) -> Option<(Card, Card)> {
        let (from, width) = self.range(&self.places(b), i)?;
        // An iteration need not access the first element of its range, so the accesses do not prove that it exists.
        let exists = self.around.at_least_zero(&from) && self.around.at_least_zero(&width);
        exists.then_some((from, width))
    }

    /// Whether no iteration accesses an element that another one writes.
    pub fn is_apart(&self, b: BufferId, i: VarId) -> bool {
        self.do_not_meet(&self.of_buffer(b).collect::<Vec<_>>(), i, DIVISIONS)
    }

    /// Whether no iteration accesses an element of these that another one writes, with this many borders between them.
    fn do_not_meet(&self, all: &[&Use], i: VarId, divisions: usize) -> bool {
        if !all.iter().any(|u| u.writes) || self.are_apart(all, i) {
            return true;
        }
        // What meets itself is apart from nothing.
        if divisions == 0 || !all.iter().filter(|u| u.writes).all(|u| self.are_apart(&[*u], i)) {
            return false;
        }
        self.borders(all, i).iter().take(BORDERS).any(|c| {
            let sides: Vec<(&Use, bool, bool)> = all.iter().mapped(|u| (*u, u.is_before(c), u.is_behind(c)));
            let side = |keep: &dyn Fn(bool, bool) -> bool| -> Vec<&Use> {
                sides.iter().filter(|(_, before, behind)| keep(*before, *behind)).mapped(|(u, ..)| *u)
            };
            let (before, behind) = (side(&|before, _| before), side(&|before, behind| behind && !before));
            let writes = |side: &[&Use]| side.iter().filter(|u| u.writes).count();
            let (all_writes, some) = (writes(all), |side: &[&Use]| !side.is_empty() && side.len() < all.len());
            match (writes(&before), writes(&behind)) {
                // Reads on the other side of all writes meet none of them.
                (0, n) if n == all_writes && some(&before) => {
                    self.do_not_meet(&side(&|before, _| !before), i, divisions - 1)
                }
                (n, 0) if n == all_writes && some(&behind) => {
                    self.do_not_meet(&side(&|b, behind| b || !behind), i, divisions - 1)
                }
                _ => {
                    let parts = some(&before) && before.len() + behind.len() == all.len();
                    let apart = |side: &[&Use]| self.do_not_meet(side, i, divisions - 1);
                    parts && apart(&before) && apart(&behind)
                }
            }
        })
    }

    /// Elements at which the writes of all iterations begin or end.
    fn borders(&self, all: &[&Use], i: VarId) -> Set<Card> {
        let outer = (i, self.count.clone());
        let ends = |u: &Use| [u.end(&outer, false), u.end(&outer, true).add(&u.len)];
        all.iter().filter(|u| u.writes).flat_map(|u| ends(u)).filter(|c| self.is_fixed(c, i)).collect()
    }

    /// The indices at which an access may be of an element that another iteration writes.
    pub fn meetings(&self, b: BufferId, i: VarId) -> Set<Card> {
        let all: Vec<&Use> = self.of_buffer(b).collect();
        let meets = |(w, u): (&Use, &Use)| {
            let (slope, rest) = w.offset.sub(&u.offset).linear_in(i)?;
            let negated = |c: &Card| Card::default().sub(c);
            let falls = slope.terms().all(|(k, _)| k < 0);
            let (q, left) = if falls { rest.split(&negated(&slope))? } else { negated(&rest).split(&slope)? };
            (left.constant() == Some(0)).then_some(q)
        };
        let pairs = all.iter().filter(|w| w.writes).flat_map(|w| all.iter().map(move |u| (*w, *u)));
        pairs.filter_map(meets).filter(|c| self.is_fixed(c, i)).collect()
    }

    /// Whether these elements are disjoint in different iterations.
    fn are_apart(&self, all: &[&Use], i: VarId) -> bool {
        let places: Vec<(Card, &Use)> = all.iter().map(|u| (u.offset.clone(), *u)).collect();
        if self.range(&places, i).is_some() {
            return true;
        }
        self.lines(all, i).iter().any(|m| {
            let inside = |u: &Use, r: &Card| u.facts.at_least_zero(&m.sub(r).sub(&u.len));
            let divided = |u: &&Use| u.remainder(m).filter(|r| inside(u, r));
            let all: Option<Vec<(Card, &Use)>> = all.iter().map(|u| Some((divided(u)?, *u))).collect();
            all.is_some_and(|all| self.range(&all, i).is_some())
        })
    }

    /// Distances in a buffer that may be the length of a row: those along the indices other than `i`, and between accesses.
    fn lines(&self, all: &[&Use], i: VarId) -> Vec<Card> {
        let (mut lines, add): (Vec<Card>, _) = (vec![], |lines: &mut Vec<Card>, c: Card| {
            let long = c.constant().is_none_or(|n| n > 1) && !c.terms().all(|(k, _)| k < 0);
            if long && self.is_fixed(&c, i) && lines.len() < LINES && !lines.contains(&c) {
                lines.push(c);
            }
        });
        let mut first: Option<&Card> = None;
        for u in all {
            let first = first.get_or_insert(&u.offset);
            [u.offset.sub(first), first.sub(&u.offset)].into_iter().for_each(|c| add(&mut lines, c));
            for a in u.offset.atoms() {
                let Atom::Var(v) = a else { continue };
                // A loop that runs backwards falls by a row.
                if let Some((slope, _)) = u.offset.linear_in(*v).filter(|_| *v != i) {
                    [slope.clone(), Card::default().sub(&slope)].into_iter().for_each(|c| add(&mut lines, c));
                }
            }
        }
        lines
    }

    /// The first element of the first iteration and the distance of iterations, if these offsets are within disjoint
    /// ranges.
    fn range(&self, all: &[(Card, &Use)], i: VarId) -> Option<(Card, Card)> {
        let moving: Vec<(Card, Card, &Use)> = all
            .iter()
            .map(|(offset, u)| offset.linear_in(i).map(|(width, rest)| (width, rest, *u)))
            .collect::<Option<_>>()?;
        let step = moving.first()?.0.clone();
        if step.constant() == Some(0) || !self.is_fixed(&step, i) || moving.iter().any(|(w, ..)| *w != step) {
            return None;
        }
        let width = if step.terms().all(|(k, _)| k < 0) { Card::default().sub(&step) } else { step.clone() };
        let starts: Set<Card> =
            moving.iter().map(|(_, rest, u)| u.least(rest)).filter(|c| self.is_fixed(c, i)).collect();
        let holds = |from: &Card| {
            moving.iter().all(|(_, rest, u)| {
                let at = rest.sub(from);
                u.facts.at_least_zero(&at) && u.facts.at_least_zero(&width.sub(&at).sub(&u.len))
            })
        };
        // An iteration may begin in the middle of its row.
        let row = |(_, rest, u): &(Card, Card, &Use)| Some(u.least(&u.facts.divide(rest, &width)?.0.mul(&width)));
        let rows = || moving.iter().filter_map(row).filter(|c| self.is_fixed(c, i)).collect::<Set<Card>>();
        starts.into_iter().find(&holds).or_else(|| rows().into_iter().find(holds)).map(|from| (from, step.clone()))
    }
}

/// A walk over statements that collects their accesses, with the facts at each place.
struct Visit<'c, 'f> {
    cx: &'c mut Decide<'f>,
    t: Touched,
    loops: Rc<[(VarId, Card)]>,
    facts: Rc<Facts>,
}

impl Visit<'_, '_> {
    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn touch(&mut self, access: &Access, len: &Card, writes: bool) {
        let (offset, len) = (self.cx.card(&access.offset), self.cx.card(len));
        let (loops, facts) = (self.loops.clone(), self.facts.clone());
        self.t.all.push(Use { buffer: access.buffer, offset, len, writes, loops, facts });
    }

    /// Runs `visit` where more is known.
    fn under(&mut self, known: &Known, visit: impl FnOnce(&mut Self)) {
        let (outside, facts) = (self.cx.facts.enter(known), self.facts.clone());
        self.facts = Rc::new(self.cx.facts.clone());
        visit(self);
        self.cx.facts.leave(outside);
        self.facts = facts;
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Load(a) => self.touch(a, &Card::lit(1), false),
            Expr::If(es) if es[1..].iter().any(Expr::loads) => {
                self.expr(&es[0]);
                let says = self.cx.condition(&es[0]);
                self.under(&says.holds, |v| v.expr(&es[1]));
                self.under(&says.fails, |v| v.expr(&es[2]));
            }
            e => e.operands().iter().for_each(|e| self.expr(e)),
        }
    }

    fn place(&mut self, p: &Place) {
        match p {
            Place::Var(x) => drop(self.t.assigned.insert(*x)),
            Place::Element(a) => self.touch(a, &Card::lit(1), true),
        }
    }

    /// Runs `visit` in each iteration of an inner loop.
    fn inside(&mut self, index: VarId, count: &Card, visit: impl FnOnce(&mut Self)) {
        self.t.bound.insert(index);
        let (count, loops) = (self.cx.card(count), self.loops.clone());
        self.loops = loops.iter().cloned().chain([(index, count.clone())]).collect();
        let count = Some(count).filter(|n| self.cx.is_fixed(n));
        self.cx.facts.enter_iteration(index, count);
        self.under(&Known::default(), visit);
        self.cx.facts.leave_loop();
        self.loops = loops;
    }

    fn stmt(&mut self, s: &Stmt) {
        self.cx.meet(s);
        match s {
            Stmt::Let(x, ty, e) => {
                self.expr(e);
                self.t.bound.insert(*x);
                if *ty == Scalar::Usize {
                    self.facts = Rc::new(self.cx.facts.clone());
                }
            }
            Stmt::Var(x, _) => drop(self.t.bound.insert(*x)),
            Stmt::Assign(p, e) => {
                self.expr(e);
                self.place(p);
            }
            Stmt::Open(bs) => self.t.opened.extend(bs),
            Stmt::For(For { index, count, body, .. }) => self.inside(*index, count, |v| v.block(body)),
            Stmt::Reduce(r) => self.reduce(r),
            Stmt::Copy { to, from, len, .. } => {
                self.touch(to, len, true);
                self.touch(from, len, false);
            }
            Stmt::Turn(t) => {
                self.t.opened.extend(&t.names);
                self.homes(t);
            }
            Stmt::Settle(t) => self.homes(t),
            Stmt::Swap(a, b) => self.t.swapped.extend([a, b]),
            Stmt::Call(c) => {
                for a in &c.args {
                    match a {
                        Arg::Scalar(e) => self.expr(e),
                        Arg::Array(a, shape, _) => self.touch(a, &total(shape), false),
                        Arg::There(_) => {}
                    }
                }
                for o in &c.outs {
                    match o {
                        Out::Place(p) => self.place(p),
                        Out::Array(a, shape) => self.touch(a, &total(shape), true),
                    }
                }
            }
            Stmt::If(c, a, b) => {
                self.expr(c);
                let says = self.cx.condition(c);
                self.under(&says.holds, |v| v.block(a));
                self.under(&says.fails, |v| v.block(b));
            }
            Stmt::Check { index, .. } => {
                self.expr(index);
                self.facts = Rc::new(self.cx.facts.clone());
            }
            Stmt::CheckRange { .. } | Stmt::While(_) | Stmt::Block(_) | Stmt::Spread(_) => {
                s.exprs().into_iter().for_each(|e| self.expr(e));
                self.under(&Known::default(), |v| s.blocks().into_iter().for_each(|b| v.block(b)));
            }
        }
    }

    fn reduce(&mut self, r: &Reduce) {
        self.inside(r.index, &r.count, |v| {
            v.block(&r.body);
            r.terms.iter().for_each(|e| v.expr(e));
        });
        if let With::Function { init, left, right, body, next } = &r.with {
            self.t.bound.extend(left.iter().chain(right));
            self.under(&Known::default(), |v| {
                v.block(body);
                init.iter().chain(next).for_each(|e| v.expr(e));
            });
        }
        self.t.bound.extend(&r.totals);
    }

    /// Notes accesses of all parts of buffers that the names may denote.
    fn homes(&mut self, Turn { names, homes, .. }: &Turn) {
        for (home, name) in homes.iter().zip(names) {
            // A name may denote any of the parts, which have the same length.
            let len = self.cx.f.buffer(*name).len.clone();
            self.touch(home, &len, true);
        }
    }
}

/// Whether a buffer is a temporary of the kernel.
pub(crate) fn is_temporary(m: &Memory) -> bool {
    matches!(m, Memory::Frame | Memory::Heap | Memory::Local(_) | Memory::Empty)
}
