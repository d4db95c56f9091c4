//! The value that a loop of the reverse mode can compute beside what it adds.

use super::forward::{is_name, leaves};
use super::lengths::body_of;
use super::statements::{Before, Block, Statement, used};
use super::tape::opened;
use crate::fsmooth::{Expr, Kind, Reduce};
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::sorted::Set;

/// The value beside a loop: the statement that computes it, and those between that need it.
pub(super) struct Beside {
    first: usize,
    /// The places of the statements between that need it.
    later: Set<usize>,
    /// The names of the terms, and their value.
    pub(super) lets: Vec<Before>,
    pub(super) value: Expr,
}

impl Beside {
    /// The reduction.
    pub(super) fn reduction<'b>(&self, block: &'b [Statement]) -> Option<&'b Reduce> {
        match &block[self.first] {
            Statement::Before(Before::Let(_, Expr { kind: Kind::Reduce(r), .. })) => Some(r),
            _ => None,
        }
    }

    /// The names that the value needs alone, and not the body of the loop.
    pub(super) fn own(&self, body: &[Statement]) -> Vec<Before> {
        let is_new = |x: VarId| !body.iter().any(|s| matches!(s, Statement::Before(Before::Let(y, _)) if *y == x));
        self.lets.iter().filter(|b| matches!(b, Before::Let(x, _) if is_new(*x))).cloned().collect()
    }

    /// The statements before the loop at a place, without the value and what needs it. These come behind the loop, with another
    /// term for the value.
    pub(super) fn around(&self, block: &[Statement], at: usize, value: Expr, out: &mut Block) -> Block {
        let (later, mut before): (Vec<_>, Vec<_>) =
            block[..at].iter().enumerate().partition(|(k, _)| self.later.contains(k));
        before.retain(|(k, _)| *k != self.first);
        if let Statement::Before(Before::Let(y, _)) = &block[self.first] {
            out.push(Statement::Before(Before::Let(*y, value)));
        }
        out.push_all(later.into_iter().map(|(_, s)| s.clone()));
        before.into_iter().map(|(_, s)| s.clone()).collect()
    }
}

/// The value that the loop at a place can compute beside, if it is needed and the loop does not need it.
pub(super) fn beside(block: &Block, at: usize, live: &[Expr]) -> Option<Beside> {
    let Statement::For(_, i, body) = &block[at] else { return None };
    let is_value = |s: &Statement| matches!(s, Statement::Before(Before::Let(_, e)) if body_of(e, *i).is_some());
    let first = block[..at].iter().position(is_value)?;
    let Statement::Before(Before::Let(y, e)) = &block[first] else { return None };
    let Kind::Reduce(r) = &e.kind else { return None };
    let (lets, value) = opened(&r.body);
    let floats =
        value.ty.leaves().iter().all(|t| t.rank() == 0) && value.ty.leaf_scalars().iter().all(|s| s.is_float());
    let is_named = |b: &Before| matches!(b, Before::Let(..));
    if !floats || !leaves(value).iter().all(is_name) || !lets.iter().all(is_named) {
        return None;
    }
    let needs = |s: &Statement, of: &Set<VarId>| used(std::slice::from_ref(s)).iter().any(|x| of.contains(x));
    let mut own: Set<VarId> = [*y].into_iter().collect();
    let mut later = Set::new();
    for (k, s) in block.iter().enumerate().take(at).skip(first + 1) {
        if needs(s, &own) {
            match s {
                Statement::Before(Before::Let(x, _)) => drop(own.insert(*x)),
                Statement::Before(Before::Check(..)) => {}
                _ => return None,
            }
            later.insert(k);
        }
    }
    let is_needed =
        !later.is_empty() || live.iter().any(|e| e.mentions(*y)) || block[at + 1..].iter().any(|s| needs(s, &own));
    let is_apart = !body.iter().any(|s| needs(s, &own));
    let value = value.clone();
    (is_needed && is_apart).then_some(Beside { first, later, lets, value })
}
