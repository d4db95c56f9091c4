//! Dead-code elimination: names that are never read are dropped.
//!
//! ```text
//! let x = e; s̄   ⟶   s̄       where x does not occur in s̄
//! ```
//!
//! A quotient stays unless its divisor is a factor of the count of a loop around it: there it is not 0.
//!
//! A size that may be negative is computed anyway, since it panics then: unchecked accesses in `s̄` may rely on it,
//! though they mention its polynomial instead of its name.

use crate::loops::visit::{Part, each_block};
use crate::loops::{Block, BufferId, Expr, For, Function, Memory, Output, Reduce, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::rewrite::replaced::{each_rewritten, in_body};
use crate::shape::card::{Atom, Card};
use crate::sorted::Set;
use crate::value::Lit;

/// Drops the names of a block that are not read in it: it is their scope.
pub(crate) fn drop_unused(f: &Function, b: &mut Block) {
    loop {
        let mut used = Set::new();
        reads(f, b, &mut used);
        if !dropped(b, &used) {
            return;
        }
    }
}

/// Drops the quotients and remainders that are not read, if they cannot panic.
pub(crate) fn drop_quotients(f: &mut Function) {
    in_body(f, |b, f| {
        let mut used = results(f);
        reads(f, b, &mut used);
        each_rewritten(b, &vec![], &mut |s, _, counts| {
            let count = match s {
                Stmt::Let(x, _, e) if !used.contains(x) && is_quotient(e, counts) => return None,
                Stmt::For(For { count, .. }) | Stmt::Reduce(Reduce { count, .. }) => Some(count.clone()),
                _ => None,
            };
            Some(counts.iter().cloned().chain(count).collect_vec())
        });
        false
    });
}

/// Whether an expression is a quotient or a remainder that cannot panic in loops with these counts.
fn is_quotient(e: &Expr, counts: &[Card]) -> bool {
    let Expr::Prim(Prim::Div | Prim::Rem, es, _) = e else { return false };
    let is_there = matches!(&es[0], Expr::Var(_)) || matches!(&es[0], Expr::Size(c, _) if c.never_negative());
    is_there && is_positive(&es[1], counts)
}

/// The names that are results of a function.
pub(crate) fn results(f: &Function) -> Set<VarId> {
    f.results.iter().filter_map(|o| if let Output::Var(x) = o { Some(*x) } else { None }).collect()
}

/// Whether a number is not 0: a literal, or a factor of one of these counts.
fn is_positive(e: &Expr, counts: &[Card]) -> bool {
    let size = match e {
        Expr::Var(x) => Card::var(*x),
        Expr::Size(c, _) => c.clone(),
        Expr::Lit(Lit::Int(n, _)) => return *n > 0,
        _ => return false,
    };
    let Some(a) = size.as_atom() else { return false };
    counts.iter().any(|n| n.terms().all(|(_, m)| m.iter().any(|(b, _)| a == b)))
}

fn dropped(b: &mut Block, used: &Set<VarId>) -> bool {
    let mut changed = false;
    each_block(b, &mut |b| {
        let before = b.len();
        b.retain(|s| !matches!(s, Stmt::Let(x, _, e) if !used.contains(x) && !e.any(&may_be_none)));
        changed |= b.len() < before;
    });
    changed
}

/// Whether an expression is a size that may be less than 0.
fn may_be_none(e: &Expr) -> bool {
    matches!(e, Expr::Size(c, _) if !c.never_negative())
}

/// Adds the names that a block reads.
pub(crate) fn reads(f: &Function, b: &Block, used: &mut Set<VarId>) {
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
        s.each_part_inside(&mut |p| match p {
            Part::Expr(e) => expr(e, used),
            Part::Access(a, _) => size(&a.offset, used),
            Part::Size(c) => size(c, used),
            Part::Opens(b) | Part::Names(b) => buffer(b, used),
            Part::Binds(_) | Part::Assigns(_) | Part::Block(..) => {}
        });
    }
}
