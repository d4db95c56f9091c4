//! Drops names that nothing reads.
//!
//! ```text
//! let x = e; s̄   ⟶   s̄       where x does not occur in s̄
//! ```
//!
//! A size that may be none is computed all the same: what is read in `s̄` without a check may rely on it, under the
//! polynomial that it is.

use crate::loops::{Block, BufferId, Expr, Function, Memory, Stmt};
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::sorted::Set;

/// Drops the names of a block that are not read in it: it is their scope.
pub(super) fn drop_unused(f: &Function, b: &mut Block) {
    loop {
        let mut used = Set::new();
        reads(f, b, &mut used);
        if !dropped(b, &used) {
            return;
        }
    }
}

fn dropped(b: &mut Block, used: &Set<VarId>) -> bool {
    let before = b.len();
    b.retain(|s| !matches!(s, Stmt::Let(x, _, e) if !used.contains(x) && !e.any(&may_be_none)));
    let here = b.len() < before;
    b.iter_mut().flat_map(Stmt::blocks_mut).fold(here, |changed, b| dropped(b, used) || changed)
}

/// Whether an expression is a size that may be less than 0.
fn may_be_none(e: &Expr) -> bool {
    matches!(e, Expr::Size(c, _) if !c.never_negative())
}

fn reads(f: &Function, b: &Block, used: &mut Set<VarId>) {
    fn size(c: &Card, used: &mut Set<VarId>) {
        used.extend(c.atoms().into_iter().filter_map(|a| if let Atom::Var(x) = a { Some(*x) } else { None }));
    }
    fn expr(e: &Expr, used: &mut Set<VarId>) {
        match e {
            Expr::Var(x) => drop(used.insert(*x)),
            Expr::App(g, ..) => drop(used.insert(*g)),
            Expr::Size(c, _) => size(c, used),
            Expr::Load(a) => size(&a.offset, used),
            _ => {}
        }
        e.operands().iter().for_each(|e| expr(e, used));
    }
    let buffer = |b: &BufferId, used: &mut Set<VarId>| {
        let b = f.buffer(*b);
        size(&b.len, used);
        if let Memory::Local(most) = &b.memory {
            size(most, used);
        }
    };
    for s in b {
        s.exprs().into_iter().for_each(|e| expr(e, used));
        s.accesses().into_iter().for_each(|a| size(&a.offset, used));
        s.cards().into_iter().for_each(|c| size(c, used));
        match s {
            Stmt::Open(bs) => bs.iter().for_each(|b| buffer(b, used)),
            Stmt::Turn(t) | Stmt::Settle(t) => t.names.iter().for_each(|b| buffer(b, used)),
            _ => {}
        }
        s.blocks().into_iter().for_each(|b| reads(f, b, used));
    }
}
