//! Two versions of a nest: one for sizes that are known before all loops to be large or small enough, and one for the others.

use crate::loops::{Block, Expr, Stmt};
use crate::prim::Prim;
use crate::schedule::facts::decide::Decide;
use crate::shape::card::{Atom, Card};
use crate::shape::entry_atoms;
use crate::sorted::Set;
use crate::span::Origin;

/// The maximum number of statements that are written twice.
const STATEMENTS: usize = 48;

/// Whether a nest is small enough for two versions.
pub(super) fn is_small(s: &Stmt) -> bool {
    let mut statements = 0;
    s.walk(&mut |_| statements += 1);
    statements <= STATEMENTS
}

/// Whether a size is known before all loops.
pub(super) fn is_known(cx: &Decide<'_>, c: &Card) -> bool {
    let known: Set<Atom> = entry_atoms(&cx.f.interface.params).into_iter().collect();
    c.atoms().into_iter().all(|a| known.contains(a)) && cx.is_size(c)
}

/// The first version if all tests hold.
pub(super) fn version(tests: Vec<Expr>, first: Block, second: Block) -> Block {
    let both = |a, b| Expr::Prim(Prim::And, vec![a, b], Origin::default());
    match tests.into_iter().reduce(both) {
        Some(all) => vec![Stmt::If(all, first, second)],
        None => first,
    }
}
