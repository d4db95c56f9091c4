//! A walk over statements with the facts at each place: what a pass that looks for loops has around it.

use crate::loops::{Block, For, Reduce, Stmt};
use crate::name::VarId;
use crate::schedule::facts::decide::Decide;
use crate::shape::card::Card;
use crate::shape::condition::Known;

/// A walk with the facts of the surrounding loops and conditions.
pub(crate) trait WithFacts<'f>: Sized {
    /// The function, with the facts at the place.
    fn cx(&mut self) -> &mut Decide<'f>;

    /// Walks a block where its facts are known.
    fn block(&mut self, b: &mut Block);

    /// Runs `walk` where more is known.
    fn under<T>(&mut self, known: &Known, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.cx().facts.enter(known);
        let result = walk(self);
        self.cx().facts.leave(outside);
        result
    }

    /// Runs `walk` in each iteration of a loop.
    fn inside<T>(&mut self, index: VarId, count: &Card, walk: impl FnOnce(&mut Self) -> T) -> T {
        let count = self.cx().card(count);
        let count = Some(count).filter(|n| self.cx().is_fixed(n));
        self.under(&Known::default(), |w| {
            w.cx().facts.enter_iteration(index, count);
            let result = walk(w);
            w.cx().facts.leave_loop();
            result
        })
    }

    /// Walks the blocks of a statement.
    fn blocks(&mut self, s: &mut Stmt) {
        match s {
            Stmt::For(For { index, count, body, .. }) | Stmt::Reduce(Reduce { index, count, body, .. }) => {
                self.inside(*index, &count.clone(), |w| w.block(body));
            }
            Stmt::If(c, a, b) => {
                let says = self.cx().condition(c);
                self.under(&says.holds, |w| w.block(a));
                self.under(&says.fails, |w| w.block(b));
            }
            s => s.blocks_mut().into_iter().for_each(|b| self.under(&Known::default(), |w| w.block(b))),
        }
    }
}
