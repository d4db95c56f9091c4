//! Coverage: the number of consecutive elements that a nest of loops writes, whatever the order of its loops and their directions.
//!
//! ```text
//! for i₁ < n₁ { … for iₖ < nₖ { b[a ± s₁·i₁ ± … ± sₖ·iₖ] ← e } }    ⟹    n₁·…·nₖ elements
//! ```
//!
//! if each distance `s` is the product of the counts of the loops with smaller ones, as of a matrix that is written column by
//! column, or from its last row to its first.
//!
//! Needs: counts that are the same in all iterations, a write that every innermost iteration makes, and no read.

use crate::loops::visit::{Mode, Part};
use crate::loops::{Access, Block, BufferId, Place, Stmt};
use crate::name::VarId;
use crate::schedule::facts::values::{mentions, named, value};
use crate::shape::card::Card;
use crate::shape::facts::Facts;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;

/// The values of names and the facts around a nest.
pub(super) struct Around<'f> {
    /// The variables that statements assign, so that a value with one of them does not last.
    pub changing: &'f Set<VarId>,
    /// The values of names, as polynomials.
    pub values: Map<VarId, Card>,
    pub facts: Facts,
}

impl Around<'_> {
    fn lasts(&self, c: &Card) -> bool {
        !c.is_untracked() && !mentions(c, self.changing)
    }
}

/// The number of elements from `at` on that a nest writes; `None` if it might leave one out, or read one before.
pub(super) fn covered(nest: &Stmt, buffer: BufferId, at: &Card, around: Around<'_>) -> Option<Card> {
    let reads = |p: Part<'_>| match p {
        Part::Names(x) | Part::Opens(x) => *x == buffer,
        Part::Access(a, mode) => mode != Mode::Write && a.buffer == buffer,
        Part::Expr(e) => e.loads_from(buffer),
        _ => false,
    };
    if nest.any_part(&reads) || nest.any(&Stmt::may_end_loop) {
        return None;
    }
    let mut writes = Writes { buffer, around, loops: vec![], found: vec![] };
    writes.stmt(nest);
    let mut bound = Set::new();
    nest.targets(&mut bound);
    let all = writes.found.into_iter().find_map(|w| w.covers(at))?;
    (writes.around.lasts(&all) && !mentions(&all, &bound)).then_some(all)
}

/// A write of consecutive elements, and the loops around it.
#[derive(PartialEq)]
struct Write {
    offset: Card,
    len: Card,
    loops: Vec<(VarId, Card)>,
}

impl Write {
    /// The number of elements that it writes in all iterations, if they are those from `at` on.
    fn covers(mut self, at: &Card) -> Option<Card> {
        while !self.loops.is_empty() {
            let next = self.loops.iter().enumerate().find_map(|(k, (i, _))| {
                let (slope, rest) = self.offset.linear_in(*i)?;
                let falls = slope == Card::default().sub(&self.len);
                (falls || slope == self.len).then_some((k, rest, falls))
            });
            let (k, rest, falls) = next?;
            let (_, n) = self.loops.remove(k);
            let back = if falls { n.sub(&Card::lit(1)).mul(&self.len) } else { Card::default() };
            (self.offset, self.len) = (rest.sub(&back), self.len.mul(&n));
        }
        (self.offset == *at).then_some(self.len)
    }
}

/// A walk that collects the writes of a buffer that every iteration makes.
struct Writes<'f> {
    buffer: BufferId,
    around: Around<'f>,
    loops: Vec<(VarId, Card)>,
    found: Vec<Write>,
}

impl Writes<'_> {
    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Let(x, Scalar::Usize, e) => {
                let value = value(e, &self.around.values, &self.around.facts).filter(|c| self.around.lasts(c));
                self.around.values.extend(value.map(|c| (*x, c)));
            }
            Stmt::Assign(Place::Element(a), _) => self.write(a, &Card::lit(1)),
            Stmt::Copy { to, len, .. } => self.write(to, len),
            Stmt::For(l) => {
                let count = named(&l.count, &self.around.values);
                self.around.facts.enter_loop(l.index, Some(count.clone()));
                self.loops.push((l.index, count));
                self.block(&l.body);
                self.loops.pop();
                self.around.facts.leave_loop();
            }
            Stmt::Block(b) => self.block(b),
            Stmt::If(_, yes, no) => {
                let before = self.found.len();
                self.block(yes);
                let first = self.found.split_off(before);
                self.block(no);
                let second = self.found.split_off(before);
                self.found.extend(first.into_iter().filter(|w| second.contains(w)));
            }
            _ => {}
        }
    }

    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn write(&mut self, a: &Access, len: &Card) {
        if a.buffer == self.buffer {
            let (offset, len) = (named(&a.offset, &self.around.values), named(len, &self.around.values));
            self.found.push(Write { offset, len, loops: self.loops.clone() });
        }
    }
}
