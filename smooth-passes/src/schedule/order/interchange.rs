//! Loop interchange and fusion: accumulations into elements become sums of their own.
//!
//! ```text
//! for l < k { s̄; for j < m any { b[o] ← b[o] ⊕ e } }
//!   ⟶  for j < m any { var x; x ← b[o]; for l < k { s̄; x ← x ⊕ e }; b[o] ← x }
//! for j < m any { s₁ }; for j < m any { s₂ }
//!   ⟶  for j < m any { s₁; s₂ }                                                   in a loop
//! for i < n any { for j < m any { s̄ } }
//!   ⟶  for j < m any { for i < n any { s̄ } }
//! ```
//!
//! Needs: the iterations of the new outer loop touch elements of their own, whatever the iteration of the other one is
//! ([`Touched::is_apart`]). Between the two loops are names only, and the element does not depend on `l`. Each element gets
//! its terms in the same order as before, so no bit changes.
//!
//! Pays: if the new nest becomes tiles or blocks and the old one does not, or more of its loops are inside of these. That
//! is tried. The last one pays if `s̄` has no loops, and all its accesses are adjacent along `i` and not along `j`.

use crate::loops::visit::Part;
use crate::loops::{Access, Block, BufferId, Expr, For, Function, Order, Place, Remark, Stmt};
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::schedule::facts::footprint::Touched;
use crate::schedule::facts::walk::WithFacts;
use crate::schedule::order::gain::{gain, is_better};
use crate::schedule::order::read_once::{read_once, replace};
use crate::schedule::order::short_sums::versions;
use crate::schedule::order::write_out::{uses, written_out};
use crate::schedule::rewrite::copy::renamed;
use crate::schedule::rewrite::remainder::compared;
use crate::schedule::rewrite::replaced::in_body;
use crate::shape::card::Card;
use crate::shape::condition::Known;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;
use crate::value::Lit;

/// Interchanges and fuses all loops for which it pays, inner ones first.
pub(crate) fn interchange(f: &mut Function, on: &Switches) -> bool {
    let nests = in_body(f, |b, f| {
        let is_nest = |s: &Stmt| match s {
            Stmt::For(l) => l.body.iter().any(|s| matches!(s, Stmt::For(_))),
            s => matches!(s, Stmt::Reduce(_)),
        };
        if !b.iter().any(|s| s.any(&is_nest)) {
            return false;
        }
        let mut cx = Decide::new(f);
        Touched::of(b, &mut cx);
        let mut nests = Nests { cx, on, uses: uses(b), changed: false, independent: 0 };
        nests.block(b);
        nests.changed
    });
    let reads = in_body(f, read_once);
    nests || reads
}

fn is_any(s: &Stmt) -> bool {
    matches!(s, Stmt::For(For { order: Order::Any, .. }))
}

/// The maximum number of elements of a buffer that become numbers in one loop.
const PLACES: usize = 4;

/// A walk that tries other orders of loops.
struct Nests<'f> {
    /// The function, with the facts at the place.
    cx: Decide<'f>,
    on: &'f Switches,
    /// The number of uses of each buffer.
    uses: Map<BufferId, usize>,
    changed: bool,
    /// The number of independent loops around.
    independent: usize,
}

impl<'f> WithFacts<'f> for Nests<'f> {
    fn cx(&mut self) -> &mut Decide<'f> {
        &mut self.cx
    }

    fn block(&mut self, b: &mut Block) {
        for s in std::mem::take(b) {
            self.cx.meet(&s);
            let outermost = self.independent == 0 && self.on.has(PassId::Unroll);
            let new = match &s {
                Stmt::For(l) if outermost && is_any(&s) => self.in_numbers_alone(l),
                _ => None,
            };
            b.push_all(new.unwrap_or_else(|| self.nest(s)));
        }
    }
}

impl Nests<'_> {
    /// The best order of a nest.
    fn nest(&mut self, mut s: Stmt) -> Block {
        let more = usize::from(is_any(&s));
        self.independent += more;
        self.blocks(&mut s);
        self.independent -= more;
        let Stmt::For(l) = &s else { return vec![s] };
        match self.better(l) {
            None if self.independent > 0 || more == 0 => vec![s],
            new => self.versions(new.unwrap_or_else(|| vec![s])),
        }
    }

    /// A nest whose short loops and small arrays are written out, if it is better then.
    fn in_numbers_alone(&mut self, l: &For) -> Option<Block> {
        let before = (self.cx.f.names.clone(), self.cx.f.buffers.len(), self.cx.f.schedule.clone(), self.changed);
        let restore = |cx: &mut Self| {
            (cx.cx.f.names, cx.cx.f.schedule, cx.changed) = (before.0.clone(), before.2.clone(), before.3);
            cx.cx.f.buffers.truncate(before.1);
        };
        let new = written_out(l, self.cx.f, &self.uses)?;
        let new = self.nest(Stmt::For(new));
        let gains = gain(self.cx.f, self.on, &new);
        restore(self);
        let old = self.nest(Stmt::For(l.clone()));
        let better = is_better(gains, gain(self.cx.f, self.on, &old));
        restore(self);
        if !better {
            return None;
        }
        self.changed = true;
        // The names of the attempt are taken again.
        let new = written_out(l, self.cx.f, &self.uses)?;
        Some(self.nest(Stmt::For(new)))
    }

    /// A nest by the lengths of its sums, if it is an outermost one.
    fn versions(&mut self, new: Block) -> Block {
        let mut out = vec![];
        for s in new {
            let short = match &s {
                Stmt::For(l) if l.order == Order::Any && self.independent == 0 => versions(&mut self.cx, self.on, l),
                _ => None,
            };
            self.changed |= short.is_some();
            out.push_all(short.unwrap_or_else(|| vec![s]));
        }
        out
    }

    /// A better nest for a loop, with the names before it.
    fn better(&mut self, l: &For) -> Option<Block> {
        if let Some(new) = by_strides(l)
            && let count = self.cx.card(&new.count)
            && self.cx.is_size(&count)
        {
            self.changed = true;
            self.cx.f.schedule.remarks.push(Remark { pass: PassId::Interchange, about: l.index, left: None });
            return Some(vec![Stmt::For(new)]);
        }
        let (independent, inner) = (l.order == Order::Any, l.body.iter().filter(|s| is_any(s)).count());
        let (names, buffers) = (self.cx.f.names.clone(), self.cx.f.buffers.len());
        let new = match (independent, inner) {
            (true, 0 | 1) => self.deeper(l).map(|l| vec![Stmt::For(l)]),
            (true, _) => self.fused(l).or_else(|| self.deeper(l)).map(|l| vec![Stmt::For(l)]),
            (false, 0) => self.kept(l),
            (false, _) => self.outward(l),
        };
        let new = new.filter(|new| {
            let (new, old) = (gain(self.cx.f, self.on, new), gain(self.cx.f, self.on, &[Stmt::For(l.clone())]));
            is_better(new, old) || (inner == 0 && new == old)
        });
        if new.is_none() {
            self.cx.f.names = names;
            self.cx.f.buffers.truncate(buffers);
            return None;
        }
        self.changed = true;
        self.cx.f.schedule.remarks.push(Remark { pass: PassId::Interchange, about: l.index, left: None });
        new
    }

    /// `for l { s̄; for j any { … } }` as `for j any { for l { s̄; … } }`, with the names that do not depend on `l` before it.
    fn outward(&mut self, l: &For) -> Option<Block> {
        let (Stmt::For(j), names) = l.body.split_last()? else { return None };
        if j.order != Order::Any || l.order == Order::Any || !names.iter().all(is_name) {
            return None;
        }
        let mut bound = Set::from([l.index]);
        let written = Touched::of_iteration(l, &mut self.cx).written();
        let varies = |s: &Stmt, bound: &Set<VarId>| {
            bound.iter().any(|x| s.mentions(*x))
                || s.any_part(&|p| matches!(p, Part::Access(a, _) if written.contains(&a.buffer)))
                || s.exprs().iter().any(|e| e.any(&|e| matches!(e, Expr::Load(a) if written.contains(&a.buffer))))
        };
        let (mut before, mut own) = (vec![], vec![]);
        for s in names {
            match s {
                Stmt::Let(x, Scalar::Usize, e) if !varies(s, &bound) => {
                    // It may panic, but not if there are no iterations.
                    let e = if self.is_size(e) { e.clone() } else { at_least_once(&l.count, e) };
                    before.push(Stmt::Let(*x, Scalar::Usize, e));
                }
                s => {
                    s.targets(&mut bound);
                    own.push(s.clone());
                }
            }
        }
        if bound.iter().any(|x| j.count.mentions(*x)) {
            return None;
        }
        let count = self.outside(&l.count, &j.count, &mut before);
        own.push_all(j.body.iter().cloned());
        let inner = For { index: l.index, count: l.count.clone(), order: Order::Sequential, body: own };
        let mut new = For { index: j.index, count, order: Order::Any, body: vec![Stmt::For(inner)] };
        let touched = Touched::of_iteration(&new, &mut self.cx);
        let written = touched.written();
        if touched.assigns_outside() || !written.iter().all(|b| touched.is_apart(*b, j.index)) {
            return None;
        }
        let Some(Stmt::For(inner)) = new.body.pop() else { return None };
        let (index, count) = (new.index, new.count.clone());
        new.body = self.inside(index, &count, |cx| {
            let deeper = inner.body.last().is_some_and(is_any);
            if deeper { cx.outward(&inner) } else { cx.in_numbers(inner, &written) }
        })?;
        before.push(Stmt::For(new));
        Some(before)
    }

    /// A loop around others with numbers in place of the elements that it writes.
    fn kept(&mut self, l: &For) -> Option<Block> {
        if l.body.iter().any(Stmt::may_end_loop) {
            return None;
        }
        let touched = Touched::of_iteration(l, &mut self.cx);
        let written = touched.written();
        if written.is_empty() { None } else { self.in_numbers(l.clone(), &written) }
    }

    /// A count of a loop outside of the one around it, whose count is `around`: a size may be one only where that runs.
    fn outside(&mut self, around: &Card, count: &Card, before: &mut Block) -> Card {
        let value = self.cx.card(count);
        if self.cx.is_size(&value) {
            return count.clone();
        }
        let name = self.cx.f.names.fresh("count");
        before.push(Stmt::Let(name, Scalar::Usize, at_least_once(around, &Expr::size(count.clone()))));
        self.cx.define(name, value);
        Card::var(name)
    }

    /// Whether an expression is a size that does not panic.
    fn is_size(&mut self, e: &Expr) -> bool {
        let Expr::Size(c, _) = e else { return false };
        let c = self.cx.card(c);
        self.cx.is_size(&c)
    }

    /// A loop with numbers in place of the elements that it writes, which are the same in all iterations.
    fn in_numbers(&mut self, mut l: For, written: &Set<BufferId>) -> Option<Block> {
        let (mut out, mut after) = (vec![], vec![]);
        let (index, count) = (l.index, l.count.clone());
        let mut places = vec![];
        for b in written.iter() {
            places.extend(self.inside(index, &count, |cx| cx.elements(&l, *b))?);
        }
        for place in places {
            let (x, elem) = (self.cx.f.names.fresh("element"), self.cx.f.buffer(place.buffer).elem);
            l.body.iter_mut().for_each(|s| replace(s, &place, x));
            without_copy(&mut l.body, x);
            out.push(Stmt::Var(x, elem));
            let (from, to) = (Expr::Load(place.clone()), Stmt::Assign(Place::Element(place.clone()), Expr::Var(x)));
            if self.exists(&place) {
                out.push(Stmt::Assign(Place::Var(x), from));
                after.push(to);
            } else if self.inside(index, &count, |cx| cx.exists(&place)) {
                let (some, none) = (compared(Prim::Gt, &count, 0), Expr::Lit(Lit::zero(elem)));
                out.push(Stmt::Assign(Place::Var(x), Expr::If(Box::new([some.clone(), from, none]))));
                after.push(Stmt::If(some, vec![to], vec![]));
            } else {
                return None;
            }
        }
        out.push(Stmt::For(l));
        out.push_all(after);
        Some(out)
    }

    /// Whether an element is known to be in range.
    fn exists(&mut self, a: &Access) -> bool {
        let len = self.cx.f.buffer(a.buffer).len.clone();
        let [offset, len] = [&a.offset, &len].map(|c| self.cx.card(c));
        self.cx.facts.in_range(&offset, &len)
    }

    /// The elements of a buffer that a loop writes. It reads each of them first, and nothing else of the buffer might be one
    /// of them. Conditions on indices are not around them: without these the same element might be that of a different
    /// iteration.
    fn elements(&mut self, l: &For, b: BufferId) -> Option<Vec<Access>> {
        let mut all: Vec<(Access, bool)> = vec![];
        let plain = l.body.iter().all(|s| self.accesses(s, b, &mut all));
        let mut bound = Set::from([l.index]);
        l.body.iter().for_each(|s| s.targets(&mut bound));
        let mut places: Vec<Access> = vec![];
        for (a, _) in all.iter().filter(|(_, written)| *written) {
            places.push_all((!places.contains(a)).then(|| a.clone()));
        }
        let fixed = |a: &Access| !bound.iter().any(|x| a.offset.mentions(*x));
        let read_first = |place: &Access| all.iter().find(|(a, _)| a == place).is_some_and(|(_, written)| !written);
        if !plain || places.is_empty() || places.len() > PLACES || !places.iter().all(|a| fixed(a) && read_first(a)) {
            return None;
        }
        let apart = |cx: &mut Self, a: &Access| places.iter().all(|p| p == a || cx.differ(&a.offset, &p.offset));
        all.iter().all(|(a, _)| apart(self, a)).then_some(places)
    }

    /// Collects the accesses of a buffer in their order, each with whether it writes; false if one is not of a single
    /// element, or under a condition on indices, or if the name is of a different array later.
    fn accesses(&mut self, s: &Stmt, b: BufferId, found: &mut Vec<(Access, bool)>) -> bool {
        let mut plain = true;
        s.walk(&mut |s| {
            s.exprs().into_iter().for_each(|e| loads(e, b, found));
            plain &= match s {
                Stmt::Assign(Place::Element(a), _) if a.buffer == b => {
                    found.push((a.clone(), true));
                    true
                }
                Stmt::Swap(x, y) => ![*x, *y].contains(&b),
                Stmt::Turn(t) | Stmt::Settle(t) if t.names.contains(&b) => false,
                Stmt::If(c, yes, no) => {
                    let says = self.cx.condition(c);
                    let free = says.holds == Known::default() && says.fails == Known::default();
                    free || !yes.iter().chain(no).any(|s| s.uses(b))
                }
                s => s.accesses().iter().all(|a| a.buffer != b),
            };
        });
        plain
    }

    /// Whether two elements are never the same.
    fn differ(&mut self, a: &Card, b: &Card) -> bool {
        let [a, b] = [a, b].map(|c| self.cx.card(c));
        self.cx.at_most(&a, &b, 1) || self.cx.at_most(&b, &a, 1)
    }

    /// A loop with exchanges in it that pay only together with it, as those of rows in a loop over columns, and what is beside
    /// them fused.
    fn deeper(&mut self, l: &For) -> Option<For> {
        let (index, count, mut changed) = (l.index, l.count.clone(), false);
        let mut body: Block = vec![];
        self.inside(index, &count, |cx| {
            for s in &l.body {
                cx.cx.meet(s);
                let new = if let Stmt::For(inner) = s { cx.outward(inner) } else { None };
                changed |= new.is_some();
                body.push_all(new.unwrap_or_else(|| vec![s.clone()]));
            }
        });
        let new = changed.then(|| For { body, ..l.clone() })?;
        self.fused(&new).or(Some(new))
    }

    /// A loop with neighbours in it fused that have the same count.
    fn fused(&mut self, l: &For) -> Option<For> {
        let (index, count) = (l.index, l.count.clone());
        let mut body: Block = vec![];
        self.inside(index, &count, |cx| {
            for s in &l.body {
                cx.cx.meet(s);
                let both = match (body.last(), s) {
                    (Some(Stmt::For(a)), Stmt::For(b)) => cx.both(a, b),
                    _ => None,
                };
                match both {
                    Some(both) => drop(body.pop().map(|_| body.push(Stmt::For(both)))),
                    None => body.push(s.clone()),
                }
            }
        });
        (body.len() < l.body.len()).then(|| For { body, ..l.clone() })
    }

    /// Two loops as one.
    fn both(&mut self, a: &For, b: &For) -> Option<For> {
        let counts = [&a.count, &b.count].map(|c| self.cx.card(c));
        if a.order != Order::Any || b.order != Order::Any || counts[0] != counts[1] {
            return None;
        }
        let second = renamed(&b.body, Map::from([(b.index, a.index)]));
        let body = a.body.iter().cloned().chain(second).collect();
        let new = For { body, ..a.clone() };
        let touched = Touched::of_iteration(&new, &mut self.cx);
        touched.written().iter().all(|b| touched.is_apart(*b, a.index)).then_some(new)
    }
}

/// Two independent loops in the other order, if that goes along adjacent elements.
fn by_strides(outer: &For) -> Option<For> {
    let [Stmt::For(inner)] = outer.body.as_slice() else { return None };
    let independent = outer.order == Order::Any && inner.order == Order::Any && !inner.count.mentions(outer.index);
    if !independent || has_loop(&inner.body) {
        return None;
    }
    let (mut along, mut across) = (true, true);
    let adjacent =
        |a: &Access, i: VarId| a.offset.linear_in(i).is_some_and(|(slope, _)| matches!(slope.constant(), Some(0 | 1)));
    let mut look = |a: &Access| {
        along &= adjacent(a, outer.index);
        across &= adjacent(a, inner.index);
    };
    inner.body.iter().for_each(|s| s.each_access(&mut look));
    let new = For { body: inner.body.clone(), ..outer.clone() };
    (along && !across).then(|| For { body: vec![Stmt::For(new)], ..inner.clone() })
}

/// Statements that keep a number in another one use the number itself.
///
/// ```text
/// s̄; var y; y ← x; t̄[y]; x ← y   ⟶   s̄; t̄[x]
/// ```
fn without_copy(b: &mut Block, x: VarId) {
    let uses = |s: &Stmt| s.mentions(x) || s.binds(x);
    let Some(at) = b.iter().position(uses).and_then(|first| first.checked_sub(1)) else { return };
    let [Stmt::Var(y, _), Stmt::Assign(Place::Var(to), Expr::Var(from)), inside @ .., last] = &b[at..] else { return };
    let back = matches!(last, Stmt::Assign(Place::Var(to), Expr::Var(from)) if (*to, *from) == (x, *y));
    if (*to, *from) == (*y, x) && back && !inside.iter().any(uses) {
        let inside = renamed(inside, Map::from([(*y, x)]));
        b.truncate(at);
        b.push_all(inside);
    }
}

/// A number if a loop has iterations, and 0 otherwise.
fn at_least_once(count: &Card, e: &Expr) -> Expr {
    Expr::If(Box::new([compared(Prim::Gt, count, 0), e.clone(), Expr::size(Card::lit(0))]))
}

/// Whether a statement names a number that may be computed again.
pub(super) fn is_name(s: &Stmt) -> bool {
    matches!(s, Stmt::Let(_, _, e) if !e.any(&|e| matches!(e, Expr::App(..))))
}

/// Collects the reads of a buffer in an expression.
fn loads(e: &Expr, b: BufferId, found: &mut Vec<(Access, bool)>) {
    if let Expr::Load(a) = e
        && a.buffer == b
    {
        found.push((a.clone(), false));
    }
    e.operands().iter().for_each(|e| loads(e, b, found));
}
