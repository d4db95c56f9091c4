//! Unswitching: a condition that is the same in all iterations of a loop leaves it, where it chooses between loops.
//!
//! ```text
//! for i < n any { s̄; if c { ā } else { b̄ }; t̄ }  ⟶  if c { for i < n any { s̄; ā; t̄ } } else { for i < n any { s̄; b̄; t̄ } }
//! ```
//!
//! Inner loops first: what leaves one of them may leave the next. With the condition inside, each iteration might go its own way,
//! and the nest is no tile and no block. LLVM knows this transformation, but comes after that decision.
//!
//! Needs: `c` cannot panic, reads no element, and nothing that the loop computes; `ā` or `b̄` has a loop. Costs: the rest of the
//! body once more, so it is short. Loops whose iterations are in order would gain nothing.

use crate::loops::{Block, Expr, For, Function, Order, Remark, Stmt};
use crate::pass::{PassId, Switches};
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::schedule::facts::total::is_total;
use crate::schedule::facts::walk::WithFacts;
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::replaced::in_body;
use crate::sorted::Set;

/// The maximum number of statements that are there twice then.
const STATEMENTS: usize = 16;

/// The maximum number of conditions that leave a loop, each for the ways of those before it.
const WAYS: usize = 3;

/// Moves all such conditions out of loops.
pub(crate) fn unswitch(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        if !b.iter().any(|s| s.any(&|s| matches!(s, Stmt::For(l) if l.order == Order::Any && chosen(l).is_some()))) {
            return false;
        }
        let mut walk = Unswitch { cx: Decide::new(f), changed: false };
        walk.block(b);
        walk.changed
    })
}

/// The place of the first statement in a loop that chooses between loops by numbers from outside.
fn chosen(l: &For) -> Option<usize> {
    let mut bound = Set::from([l.index]);
    l.body.iter().for_each(|s| s.targets(&mut bound));
    l.body.iter().position(|s| {
        matches!(s, Stmt::If(c, yes, no) if (has_loop(yes) || has_loop(no))
            && !c.loads()
            && !bound.iter().any(|x| c.mentions(*x)))
    })
}

struct Unswitch<'f> {
    /// The function, with the facts at the place.
    cx: Decide<'f>,
    changed: bool,
}

impl<'f> WithFacts<'f> for Unswitch<'f> {
    fn cx(&mut self) -> &mut Decide<'f> {
        &mut self.cx
    }

    fn block(&mut self, b: &mut Block) {
        for mut s in std::mem::take(b) {
            self.cx.meet(&s);
            self.blocks(&mut s);
            b.push(match s {
                Stmt::For(l) if l.order == Order::Any => self.ways(l, WAYS),
                s => s,
            });
        }
    }
}

impl Unswitch<'_> {
    /// A loop as choices between loops, one in another up to this depth.
    fn ways(&mut self, l: For, depth: usize) -> Stmt {
        let Some((c, yes, no)) = Some(()).filter(|()| depth > 0).and_then(|()| self.unswitched(&l)) else {
            return Stmt::For(l);
        };
        self.changed = true;
        let [yes, no] = [yes, no].map(|l| vec![self.ways(l, depth - 1)]);
        Stmt::If(c, yes, no)
    }

    /// A condition, and the loops for its two ways, in place of a loop with a choice.
    fn unswitched(&mut self, l: &For) -> Option<(Expr, For, For)> {
        let at = chosen(l)?;
        let Stmt::If(c, yes, no) = &l.body[at] else { return None };
        let mut beside = 0;
        l.body.iter().enumerate().filter(|(k, _)| *k != at).for_each(|(_, s)| s.walk(&mut |_| beside += 1));
        if beside > STATEMENTS || !self.is_free(c) {
            return None;
        }
        let with = |arm: &Block| {
            let body = [&l.body[..at], arm, &l.body[at + 1..]].concat();
            For { body, ..l.clone() }
        };
        let Some(Stmt::For(no)) = copied(self.cx.f, &[Stmt::For(with(no))]).pop() else { return None };
        self.cx.f.schedule.remarks.push(Remark { pass: PassId::Unswitch, about: l.index, left: None });
        Some((c.clone(), with(yes), no))
    }

    /// Whether a condition cannot panic.
    fn is_free(&mut self, c: &Expr) -> bool {
        let mut total = true;
        c.clone().each_mut(&mut |e| total = total && is_total(&mut self.cx, e, &Set::new()));
        total
    }
}
