//! Data layout: a temporary matrix is stored by columns where the loops that use it run along its columns, and takes the
//! place of the array that it is copied to.
//!
//! ```text
//! open b[n·m]; … b[n·q + r] …                         ⟶  open b[n·m]; … b[m·r + q] …       0 ≤ r < n
//! open b[k]; s̄; for i < k any { a[i] ← e(b[i]) }      ⟶  s̄[a / b]; for i < k any { a[i] ← e(a[i]) }
//! open b[k]; for i < k any { b[i] ← a[i] }; s̄         ⟶  s̄[a / b]                          a an argument
//! ```
//!
//! A loop of independent iterations is a vector if all that it reads and writes is adjacent. So the first rule holds if
//! more accesses then are in such loops, and no nest of loops has fewer of them. Columns that a kernel computes one by
//! one and then transposes are an example: by columns, all iterations over them run side by side.
//!
//! Needs, of the first rule: each access is of one element, in a row and a column that the facts at its place prove. Of
//! the second one: `s̄` does not use `a`, no statement after the loop uses `b`, and the loop goes through all elements. Of the
//! third one: nothing else writes `b`.

use crate::loops::visit::Part;
use crate::loops::{Access, Block, BufferId, Expr, For, Function, Memory, Order, Place, Reduce, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::pass::Switches;
use crate::reduction::FEW;
use crate::schedule::facts::decide::Decide;
use crate::schedule::facts::footprint::{Touched, Use, is_temporary};
use crate::schedule::facts::walk::WithFacts;
use crate::schedule::rewrite::replaced::in_body;
use crate::shape::card::{Atom, Card};
use crate::sorted::{Map, Set};
use crate::ty::Scalar;

/// Stores temporary matrices by columns, and in the place of their copies.
pub(crate) fn data_layout(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        // A name might be that of any of several buffers.
        if b.iter().any(|s| s.any(&|s| matches!(s, Stmt::Turn(_)))) {
            return false;
        }
        let mut walk = Layout { cx: Decide::new(f), changed: false };
        walk.block(b);
        walk.changed
    })
}

struct Layout<'f> {
    /// The function, with the facts at the place.
    cx: Decide<'f>,
    changed: bool,
}

impl<'f> WithFacts<'f> for Layout<'f> {
    fn cx(&mut self) -> &mut Decide<'f> {
        &mut self.cx
    }

    fn block(&mut self, b: &mut Block) {
        let mut rest = std::mem::take(b);
        while !rest.is_empty() {
            let mut s = rest.remove(0);
            if let Stmt::Open(buffers) = &mut s {
                buffers.retain(|t| {
                    let moved = self.by_columns(*t, &mut rest).is_some();
                    self.changed |= moved;
                    !moved || (self.in_place(*t, &mut rest).is_none() && self.copy(*t, &mut rest).is_none())
                });
            }
            self.cx.meet(&s);
            self.blocks(&mut s);
            if !matches!(&s, Stmt::Open(buffers) if buffers.is_empty()) {
                b.push(s);
            }
        }
    }
}

impl Layout<'_> {
    /// Stores a buffer that was just opened by columns, if more accesses are in loops along adjacent elements then.
    fn by_columns(&mut self, b: BufferId, rest: &mut Block) -> Option<()> {
        let buffer = self.cx.f.buffer(b);
        let len = buffer.len.clone();
        let loops = Loops::of(rest);
        if !matches!(buffer.memory, Memory::Frame | Memory::Heap) || !jumps(b, rest, &loops.all) || decides(b, rest) {
            return None;
        }
        let touched = Touched::of(rest, &mut self.cx);
        let all = touched.all();
        let own: Vec<&Use> = all.iter().filter(|u| u.buffer == b).collect();
        if own.iter().any(|u| u.len.constant() != Some(1)) {
            return None;
        }
        let lines: Set<Card> = own.iter().flat_map(|u| distances(u, &loops.all)).collect();
        let moved = lines.iter().find_map(|n| {
            let (m, _) = len.split(n).filter(|(_, left)| left.constant() == Some(0))?;
            let mut moved: Map<Card, Card> = Map::new();
            for u in &own {
                let (q, r) = u.facts.divide(&u.offset, n)?;
                let at = m.mul(&r).add(&q);
                // In a vector that is read as a matrix, an element might be in two rows by what is known at two places.
                if moved.get(&u.offset).is_some_and(|other| *other != at) {
                    return None;
                }
                moved.insert(u.offset.clone(), at);
            }
            gains(all, &loops, |u| if u.buffer == b { &moved[&u.offset] } else { &u.offset }).then_some(moved)
        })?;
        for s in rest {
            s.each_access_mut(&mut |a| {
                if a.buffer == b {
                    a.offset = moved[&self.cx.card(&a.offset)].clone();
                }
            });
        }
        Some(())
    }

    /// Gives a buffer that was just opened the place of the array that it is copied to.
    fn in_place(&mut self, b: BufferId, rest: &mut Block) -> Option<()> {
        let last = rest.iter().rposition(|s| s.uses(b))?;
        let (to, e) = self.whole(&rest[last])?;
        let [own, there] = [b, to.buffer].map(|b| self.cx.f.buffer(b));
        let free = there.memory == Memory::Result || is_temporary(&there.memory);
        let alike = own.len == there.len && own.elem == there.elem;
        let opens = |p: Part<'_>| matches!(p, Part::Opens(x) if *x == to.buffer);
        let apart = |s: &Stmt| !s.uses(to.buffer) && !s.any_part(&opens) && !s.may_end_loop();
        let mut own_element = true;
        e.each_load(&mut |a| own_element &= a.buffer != to.buffer && (a.buffer != b || a.offset == to.offset));
        if !free || !alike || !own_element || !rest[..last].iter().all(apart) {
            return None;
        }
        if matches!(e, Expr::Load(a) if a.buffer == b) {
            rest.remove(last);
        }
        renamed(rest, b, to.buffer);
        Some(())
    }

    /// Reads an argument in place of a buffer that was just opened, if that is filled with a copy of it.
    fn copy(&mut self, b: BufferId, rest: &mut Block) -> Option<()> {
        let first = rest.iter().position(|s| s.uses(b))?;
        let (to, e) = self.whole(&rest[first])?;
        let Expr::Load(from) = e else { return None };
        let [own, there] = [b, from.buffer].map(|b| self.cx.f.buffer(b));
        let alike = there.memory == Memory::Argument && own.len == there.len && to.offset == from.offset;
        let written = rest.iter().enumerate().any(|(k, s)| k != first && s.writes(b));
        if !alike || to.buffer != b || written {
            return None;
        }
        rest.remove(first);
        renamed(rest, b, from.buffer);
        Some(())
    }

    /// The element and the value of an assignment, if that is all that a statement does, and it goes through all elements.
    fn whole(&mut self, s: &Stmt) -> Option<(Access, Expr)> {
        let (mut inner, mut loops, mut value) = (s, vec![], None);
        while let Stmt::For(For { index, count, order: Order::Any, body }) = inner {
            loops.push((*index, self.cx.card(count)));
            let (last, mut names) = body.split_last()?;
            if let ([sizes @ .., Stmt::Let(x, _, e)], Stmt::Assign(_, Expr::Var(y))) = (names, last)
                && x == y
            {
                (names, value) = (sizes, Some(e));
            }
            let is_size = |s: &Stmt| matches!(s, Stmt::Let(_, Scalar::Usize, Expr::Size(..)));
            names.iter().all(is_size).then_some(())?;
            inner = last;
        }
        let Stmt::Assign(Place::Element(a), e) = inner else { return None };
        let [mut at, mut len] = [Card::default(), Card::lit(1)];
        for (index, count) in loops.iter().rev() {
            at = at.add(&len.mul(&Card::var(*index)));
            len = len.mul(count);
        }
        let all = self.cx.card(&a.offset) == at && self.cx.f.buffer(a.buffer).len == len;
        let mut e = value.unwrap_or(e).clone();
        e.each_mut(&mut |e| {
            if let Expr::Load(a) = e {
                a.offset = self.cx.card(&a.offset);
            }
        });
        all.then_some((Access { buffer: a.buffer, offset: at }, e))
    }
}

/// Puts another buffer in place of one.
fn renamed(stmts: &mut Block, from: BufferId, to: BufferId) {
    let mut rename = |a: &mut Access| {
        if a.buffer == from {
            a.buffer = to;
        }
    };
    stmts.iter_mut().for_each(|s| s.each_access_mut(&mut rename));
}

/// The indices of loops that may be vectors.
struct Loops {
    /// Those of independent loops, and of reductions.
    all: Set<VarId>,
    /// Those of reductions, whose lanes read along them.
    sums: Set<VarId>,
}

impl Loops {
    fn of(b: &Block) -> Loops {
        let (mut all, mut sums) = (Set::new(), Set::new());
        b.iter().for_each(|s| {
            s.walk(&mut |s| match s {
                Stmt::For(For { index, order: Order::Any, .. }) => drop(all.insert(*index)),
                Stmt::Reduce(Reduce { index, .. }) => {
                    all.insert(*index);
                    sums.insert(*index);
                }
                _ => {}
            });
        });
        Loops { all, sums }
    }
}

/// Whether an element of a buffer and the next one in an independent loop are apart.
fn jumps(b: BufferId, stmts: &Block, loops: &Set<VarId>) -> bool {
    let mut found = false;
    let far = |c: &Card, v: &VarId| c.linear_in(*v).is_some_and(|(slope, _)| !matches!(slope.constant(), Some(0 | 1)));
    let mut look = |a: &Access| found = found || (a.buffer == b && loops.iter().any(|v| far(&a.offset, v)));
    stmts.iter().for_each(|s| s.each_access(&mut look));
    found
}

/// Whether an address in a buffer has an operation, which is decided by what is known at its place.
fn decides(b: BufferId, stmts: &Block) -> bool {
    let mut found = false;
    let has_operation = |c: &Card| c.atoms().into_iter().any(|a| matches!(a, Atom::Op(..) | Atom::Untracked));
    let mut look = |a: &Access| found = found || (a.buffer == b && has_operation(&a.offset));
    stmts.iter().for_each(|s| s.each_access(&mut look));
    found
}

/// The distances of an access from one iteration of an independent loop to the next.
fn distances<'u>(u: &'u Use, loops: &'u Set<VarId>) -> impl Iterator<Item = Card> + 'u {
    let indices = || u.loops.iter().map(|(v, _)| *v);
    let fixed = move |c: &Card| !indices().any(|v| c.mentions(v)) && !matches!(c.constant(), Some(..=1));
    let slope = |v: VarId| u.offset.linear_in(v).map(|(slope, _)| slope);
    indices().filter(|v| loops.contains(v)).filter_map(slope).filter(fixed)
}

/// Whether more accesses are in loops along adjacent elements with other offsets, and no nest has fewer of them.
fn gains<'u>(all: &'u [Use], loops: &Loops, moved: impl Fn(&'u Use) -> &'u Card) -> bool {
    let mut nests: Map<VarId, Vec<&Use>> = Map::new();
    for u in all {
        if let Some((outermost, _)) = u.loops.first() {
            nests.entry(*outermost).or_default().push(u);
        }
    }
    let each = |of: &Set<VarId>| -> Vec<(usize, usize)> {
        nests.values().mapped(|n| (adjacent(n, of, |u| &u.offset), adjacent(n, of, &moved)))
    };
    // A sum that is known to be short is added in order where that makes blocks.
    let is_short = |v: &VarId| {
        let last = Card::lit(FEW - 1).sub(&Card::var(*v));
        all.iter().any(|u| u.loops.iter().any(|(x, _)| x == v) && u.facts.at_least_zero(&last))
    };
    let long: Set<VarId> = loops.sums.iter().filter(|v| !is_short(v)).copied().collect();
    let (both, sums) = (each(&loops.all), each(&long));
    both.iter().chain(&sums).all(|(before, after)| before <= after) && both.iter().any(|(before, after)| before < after)
}

/// The number of accesses of a nest that are in an independent loop all of whose accesses are along adjacent elements.
fn adjacent<'u>(nest: &[&'u Use], loops: &Set<VarId>, offset: impl Fn(&'u Use) -> &'u Card) -> usize {
    let inside = |u: &Use, v: VarId| u.loops.iter().any(|(x, _)| *x == v);
    let slope = |u: &'u Use, v: VarId| offset(u).linear_in(v).and_then(|(slope, _)| slope.constant());
    let straight = |v: &&VarId| {
        let mut slopes = nest.iter().filter(|u| inside(u, **v)).map(|u| slope(u, **v)).peekable();
        slopes.peek().is_some() && slopes.all(|c| matches!(c, Some(0 | 1)))
    };
    let straight: Vec<&VarId> = loops.iter().filter(straight).collect();
    nest.iter().filter(|u| straight.iter().any(|v| inside(u, **v))).count()
}
