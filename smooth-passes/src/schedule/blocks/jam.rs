//! Unroll-and-jam of reductions: short sums of several rows are interleaved.
//!
//! ```text
//! for i < n any { x ← sum (l < k) { s̄; e }; s̄' }
//!   ⟶  for i < n any, four at a time { x ← sum (l < k) { s̄; e }; s̄' }       a mark on the loop, which is unchanged
//! ```
//!
//! Fewer than 32 terms are added in source order, and each addition waits for the one before it. Additions of different
//! rows are independent. The CPU overlaps some of them, but not all: before it gets to the next row, all of this one
//! has to fit in its window. So the run-time library interleaves four rows if they have 8 to 31 terms
//! (`smooth-runtime/src/rows.rs`). No sum is reordered.
//!
//! Needs: iterations that may be interleaved, each with one reduction of equally many terms, and statements after it
//! that write nothing that the terms read. Pays: if terms are a few instructions on elements that are adjacent along
//! the reduction's index. Costs: the body up to seven times in the machine code.
//!
//! Measured: a product of a matrix of 31 columns and a vector took twice as long as one of 32. Interleaved, 8, 16 and
//! 31 terms take 0.74, 0.60 and 0.55 of the time. Eight rows were faster still with SSE2 (0.9 of four), but with
//! AVX-512 LLVM gathers eight rows from memory, and four in what remains after groups of four terms: twice as slow.
//! Whether there are 8 to 31 terms is asked once before the loop, and whether there are fewer a second time, so that
//! each copy of the loop knows its range; without that LLVM asked again in each row, and two terms took twice as
//! long. Written out by the macro, the three loops were 17 % of what `cargo check` does for a kernel of 30 lines; as
//! a function of the library they are 0.6 %.
//!
//! Not done: sums of products in fast kernels, which the library adds in another way, and terms with elementary
//! functions: their instructions overlap, and four copies of them are large.

use crate::loops::target::Jam;
use crate::loops::visit::each_inherited;
use crate::loops::{Access, BufferId, Expr, For, Function, Order, Place, Reduce, Remark, Stmt, With};
use crate::pass::{PassId, Switches};
use crate::reduction::FEW;
use crate::schedule::blocks::folds::jam_folds;
use crate::schedule::facts::access::{operations, slope};
use crate::schedule::facts::parts::{Part, binders, parts, write_apart};
use crate::schedule::rewrite::replaced::in_body;
use crate::shape::card::Card;
use crate::sorted::{Map, Set};

/// The maximum number of statements of a body.
const STATEMENTS: usize = 8;

/// Marks all loops for which it pays.
pub(crate) fn unroll_and_jam(f: &mut Function, _: &Switches) -> bool {
    let mut found = vec![];
    each_inherited(&f.body, &(), &mut |s, _, ()| match s {
        Stmt::For(l) if l.order == Order::Any && pays(&f.schedule.target.jam, l) => {
            found.push(l.index);
            None
        }
        _ => Some(()),
    });
    for about in &found {
        f.schedule.rows.insert(*about);
        f.schedule.remarks.push(Remark { pass: PassId::UnrollAndJam, about: *about, left: None });
    }
    in_body(f, jam_folds) || !found.is_empty()
}

/// Whether the bodies may be interleaved, and whether it pays.
fn pays(target: &Jam, For { index: i, count: n, body, .. }: &For) -> bool {
    let [Stmt::Reduce(r @ Reduce { count: k, .. }), after @ ..] = body.as_slice() else { return false };
    let constant = |c: &Card, fits: &dyn Fn(i128) -> bool| c.constant().is_none_or(fits);
    let straight = |s: &Stmt| matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(Place::Var(_), _));
    let is_sum = matches!(r.with, With::Monoid(_)) && matches!(r.elems.as_slice(), [s] if s.is_float());
    let few = body.len() + r.body.len() <= STATEMENTS;
    if !is_sum || !few || !constant(k, &|k| (target.terms..FEW).contains(&k)) || !constant(n, &|n| n >= target.rows) {
        return false;
    }
    let mut bound = Map::new();
    body.iter().for_each(|s| binders(s, &mut bound));
    let apart = parts(body).is_ok_and(|parts| {
        let sums = parts.iter().filter(|p| !matches!(p, Part::Lanes(_))).count();
        sums == 1 && write_apart(&parts, &[*i])
    });
    let as_many = !k.mentions(*i) && !bound.keys().any(|v| k.mentions(*v));
    let mut loads = vec![];
    let exprs = r.body.iter().flat_map(|s| s.exprs()).chain(&r.terms);
    let simple = exprs.into_iter().all(|e| {
        let costs = |e: &Expr| matches!(e, Expr::Prim(p, ..) if p.is_elementary());
        !e.any(&costs) && operations(e, &[*i, r.index], &mut loads).is_ok()
    });
    let lies = |a: &&Access| matches!(slope(a, r.index, &bound).and_then(|c| c.constant()), Some(0 | 1));
    let mut written = Set::new();
    after.iter().for_each(|s| writes(s, &mut written));
    r.body.iter().all(straight)
        && apart
        && as_many
        && simple
        && loads.iter().all(lies)
        && !loads.iter().any(|a| written.contains(&a.buffer))
}

/// The buffers that a statement stores to.
fn writes(s: &Stmt, found: &mut Set<BufferId>) {
    s.walk(&mut |s| {
        if let Stmt::Assign(Place::Element(a), _) = s {
            found.insert(a.buffer);
        }
    });
}
