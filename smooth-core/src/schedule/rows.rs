//! Short sums of several rows side by side.
//!
//! ```text
//! for i < n any { s̄₁; x ← sum (l < k) { s̄₂; e }; s̄₃ }
//!   ⟶  if k < 32 {
//!        if k ≥ 8 {
//!          for I < n / 4 any { s̄₁⁰; …; s̄₁³; x⁰, …, x³ ← sum (l < k) { s̄₂⁰; …; s̄₂³; (e⁰, …, e³) }; s̄₃⁰; …; s̄₃³ }
//!          … and the rows that remain                                          sʳ: s at i = 4·I + r, with names of its own
//!        } else { as it was }
//!      } else { as it was }
//! ```
//!
//! Fewer than 32 terms are added in source order, and each addition waits for the one before it. Those of another row do not
//! wait. The CPU finds some of them itself, but not all: before it gets to the next row it has to hold all of this one. No sum is
//! reordered.
//!
//! Needs: iterations that may be interleaved, each with one reduction, and as many terms in all of them. Pays: if terms are a
//! few instructions on what lies side by side along the reduction's index. Costs: the body five times in the code.

use super::copy::copied;
use super::ladder::{compared, ladder};
use super::parts::{Part, binders, parts, write_apart};
use super::terms::{at_index, is_tracked};
use super::tile::{operations, slope};
use super::{in_body, replaced};
use crate::loops::{Access, Block, Expr, For, Function, Place, Reduce, Stmt, With};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::reduction::LANES;
use crate::shape::card::Card;
use crate::sorted::Map;

/// Rows side by side: more of them would be gathered from memory by LLVM.
const ROWS: i128 = 4;

/// Terms from which on it pays.
const SOME: i128 = 8;

/// Terms from which on they are added in lanes.
const MANY: i128 = 2 * LANES as i128;

/// Statements of a body.
const STATEMENTS: usize = 8;

/// Puts rows side by side wherever it pays.
pub(super) fn rows(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        replaced(b, f, PassId::Rows, &|s, f| match s {
            Stmt::For(l) => {
                let names = f.names.clone();
                jammed(l, f).ok_or(None).inspect_err(|_| f.names = names)
            }
            _ => Err(None),
        })
    })
}

/// `None` where it is left as it is: no reader expects otherwise.
fn jammed(l: &For, f: &mut Function) -> Option<Block> {
    let For { index: i, count: n, body, .. } = l;
    let at = body.iter().position(|s| matches!(s, Stmt::Reduce(_)))?;
    let Stmt::Reduce(r @ Reduce { count: k, .. }) = &body[at] else { return None };
    let fits = k.constant().is_none_or(|k| (SOME..MANY).contains(&k)) && n.constant().is_none_or(|n| n >= ROWS);
    if !fits || !pays(body, *i, r) {
        return None;
    }
    let inside = side_by_side(l, at, f)?;
    if k.constant().is_some() {
        return Some(inside);
    }
    let [few, enough] = [compared(Prim::Lt, k, MANY), compared(Prim::Ge, k, SOME)];
    let fewer = copied(f, &[Stmt::For(l.clone())]);
    Some(vec![Stmt::If(few, vec![Stmt::If(enough, inside, fewer)], vec![Stmt::For(l.clone())])])
}

/// Whether the bodies may be interleaved, and whether it pays.
fn pays(body: &Block, i: VarId, r: &Reduce) -> bool {
    let straight = |s: &Stmt| matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(Place::Var(_), _));
    let is_sum = matches!(r.with, With::Monoid(_)) && matches!(r.elems.as_slice(), [s] if s.is_float());
    if !is_sum || !r.body.iter().all(straight) || body.len() + r.body.len() > STATEMENTS {
        return false;
    }
    let mut bound = Map::new();
    body.iter().for_each(|s| binders(s, &mut bound));
    let apart = parts(body).is_ok_and(|parts| {
        let sums = parts.iter().filter(|p| !matches!(p, Part::Lanes(_))).count();
        sums == 1 && write_apart(&parts, &[i])
    });
    let as_many = !r.count.mentions(i) && !bound.keys().any(|v| r.count.mentions(*v));
    let mut loads = vec![];
    let exprs = r.body.iter().flat_map(|s| s.exprs()).chain(&r.terms);
    let simple = exprs.into_iter().all(|e| {
        let costs = |e: &Expr| matches!(e, Expr::Prim(p, ..) if p.is_elementary());
        !e.any(&costs) && operations(e, &[i, r.index], &mut loads).is_ok()
    });
    let lies = |a: &&Access| matches!(slope(a, r.index, &bound).and_then(|c| c.constant()), Some(0 | 1));
    apart && as_many && simple && loads.iter().all(lies)
}

/// Four rows at a time, and those that remain. `None` if a size becomes too large to track.
fn side_by_side(For { index: i, count: n, body, .. }: &For, at: usize, f: &mut Function) -> Option<Block> {
    let mut out = vec![];
    for rung in ladder(f, n, &[ROWS, 1], &Card::lit(0), &mut out) {
        out.push(rung.each(f, |f, begin| {
            let row = |f: &mut Function, row| iteration(f, body, *i, &begin.add(&Card::lit(row)));
            let rows: Vec<Block> = (0..rung.width).map(|r| row(f, r)).collect::<Option<_>>()?;
            together(f, rows, at)
        })?);
    }
    Some(out)
}

/// A copy of the body at another index.
fn iteration(f: &mut Function, body: &Block, i: VarId, at: &Card) -> Option<Block> {
    let (body, _) = at_index(body, &[], i, at);
    body.iter().all(is_tracked).then(|| copied(f, &body))
}

/// The reductions at `at` of some bodies as one.
fn together(f: &mut Function, rows: Vec<Block>, at: usize) -> Option<Block> {
    let index = f.names.fresh("term");
    let (mut before, mut sum, mut after): (Block, Option<Reduce>, Block) = (vec![], None, vec![]);
    for mut row in rows {
        after.extend(row.drain(at + 1..));
        let Some(Stmt::Reduce(r)) = row.pop() else { return None };
        before.extend(row);
        let (body, terms) = at_index(&r.body, &r.terms, r.index, &Card::var(index));
        let Some(all) = &mut sum else {
            sum = Some(Reduce { index, body, terms, ..r });
            continue;
        };
        all.body.extend(body);
        all.terms.extend(terms);
        all.elems.extend(r.elems);
        all.totals.extend(r.totals);
    }
    before.extend(sum.map(Stmt::Reduce));
    before.extend(after);
    Some(before)
}
