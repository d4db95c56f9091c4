//! The tape of a choice: dear numbers of a branch that the sweep back needs are values of the choice.
//!
//! ```text
//! let q = if c then (let x = e in a) else b ; if c { let x = e in s }
//!     ⟶ let (q, X) = if c then (let x = e in (a, x)) else (b, 0) ; if c { let x = X in s }
//! ```
//!
//! A value that nothing needs is left out.

use super::folds::beside;
use super::forward::zero;
use super::statements::{Before, Block, Statement, before_needed, is_dear, pruned, used};
use super::tape::opened;
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::sorted::{Map, Set};

/// A block with the tapes of its choices, behind which these names are needed, or all.
pub(super) fn chosen(block: Block, needed: Option<&Set<VarId>>, names: &mut Names) -> Block {
    let mut block = block;
    let mut at = 0;
    while at < block.len() {
        let new = tape(&mut block, at, needed, names);
        let more = new.len();
        block.splice(at + 1..at + 1, new);
        at += 1 + more;
    }
    block
}

/// Makes the tape of a choice, and gives the names behind it.
fn tape(block: &mut Block, at: usize, behind: Option<&Set<VarId>>, names: &mut Names) -> Block {
    let Statement::Before(Before::Let(q, Expr { kind: Kind::If(c, a, b), .. })) = &block[at] else { return vec![] };
    let sides = [a, b].map(|side| dear_numbers(side));
    let needed = |x: &VarId| {
        block[at + 1..].iter().any(|s| match s {
            Statement::If(own, a, b) if own == &**c => a.iter().chain(b).any(|s| binds(s, *x)),
            _ => false,
        })
    };
    let sides = sides.map(|all| all.into_iter().filter(|(x, _)| needed(x)).collect_vec());
    if sides.iter().all(Vec::is_empty) {
        return vec![];
    }
    let (q, c, o) = (*q, (**c).clone(), c.origin);
    let keeps = behind.is_none_or(|names| names.contains(&q)) || used(&pruned(block[at + 1..].to_vec())).contains(&q);
    let value = |k: usize| {
        let own = sides.iter().enumerate().flat_map(|(side, all)| {
            all.iter().map(move |(x, e)| if side == k { build::var(*x, e.ty.clone(), o) } else { zero(e.scalar(), o) })
        });
        own.collect_vec()
    };
    let [a, b] = [(a, 0), (b, 1)].map(|(side, k)| match keeps {
        true => beside((**side).clone(), value(k)),
        false => before_needed(opened(side).0, build::tuple(value(k), o)),
    });
    let whole = build::branch(c.clone(), a, b, o);
    let (both, all) = (names.again(q), whole.ty.clone());
    let part = |k: usize| build::proj(build::var(both, all.clone(), o), k, o);
    let mut new = Block::new();
    if keeps {
        new.push(Statement::Before(Before::Let(q, part(0))));
    }
    let mut known = Map::new();
    for (k, (x, e)) in sides.iter().flatten().enumerate() {
        let name = names.again(*x);
        known.insert(*x, build::var(name, e.ty.clone(), o));
        new.push(Statement::Before(Before::Let(name, part(k + usize::from(keeps)))));
    }
    block[at] = Statement::Before(Before::Let(both, whole));
    for s in &mut block[at + 1..] {
        if let Statement::If(own, a, b) = s
            && *own == c
        {
            for s in a.iter_mut().chain(b) {
                if let Statement::Before(Before::Let(x, e)) = s
                    && let Some(known) = known.get(x)
                {
                    *e = known.clone();
                }
            }
        }
    }
    new
}

/// The names of dear numbers in front of a value.
fn dear_numbers(e: &Expr) -> Vec<(VarId, Expr)> {
    let dear = |b| match b {
        Before::Let(x, e) if e.ty.scalar().is_some_and(|s| s.is_float()) && is_dear(&e) => Some((x, e)),
        _ => None,
    };
    opened(e).0.into_iter().filter_map(dear).collect_vec()
}

/// Whether a statement computes the value of a name.
fn binds(s: &Statement, x: VarId) -> bool {
    matches!(s, Statement::Before(Before::Let(y, e)) if *y == x && is_dear(e))
}
