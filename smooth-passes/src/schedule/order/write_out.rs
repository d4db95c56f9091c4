//! Unrolling in a nest: short loops of static counts are written out, and the elements of small arrays are numbers then.
//!
//! ```text
//! for c < 3 { s̄ }                ⟶  s̄[0 / c]; s̄[1 / c]; s̄[2 / c]
//! open b[3]; … b[0] … b[2] …     ⟶  var x; var y; var z; … x … z …
//! ```
//!
//! Needs, of the second rule: all uses of the array are in the nest, at constant places, and each iteration of the nest
//! writes an element before it reads it, on every path.

use crate::loops::visit::{Part, flow};
use crate::loops::{Access, Block, BufferId, Expr, For, Function, Place, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::schedule::facts::footprint::is_temporary;
use crate::schedule::rewrite::copy::iterations;
use crate::schedule::rewrite::replaced::each_replaced_inner_first;
use crate::sorted::{Map, Set};

/// The maximum number of iterations of a loop that is written out.
const MOST: i128 = 4;

/// The maximum number of statements that a nest has then.
const STATEMENTS: usize = 64;

/// The maximum number of elements of an array whose elements become numbers.
const ELEMENTS: i128 = 16;

/// The number of places that use each buffer.
pub(super) fn uses(b: &Block) -> Map<BufferId, usize> {
    let mut found = Map::new();
    let mut add = |b: &BufferId| *found.entry(*b).or_insert(0) += 1;
    b.iter().for_each(|s| {
        s.each_part_inside(&mut |p| match p {
            Part::Names(b) => add(b),
            Part::Access(a, _) => add(&a.buffer),
            Part::Expr(e) => e.each_load(&mut |a| add(&a.buffer)),
            _ => {}
        });
    });
    found
}

/// A nest without short loops and small arrays, if it has any; `everywhere` counts the uses of buffers in the whole function.
pub(super) fn written_out(l: &For, f: &mut Function, everywhere: &Map<BufferId, usize>) -> Option<For> {
    let mut new = l.clone();
    if !unroll(&mut new.body, f) || count(&new.body) > STATEMENTS {
        return None;
    }
    let before = uses(&l.body);
    for (b, n) in before.iter() {
        let buffer = f.buffer(*b);
        let small = buffer.len.constant().is_some_and(|n| n <= ELEMENTS);
        if small && is_temporary(&buffer.memory) && everywhere.get(b) == Some(n) {
            in_numbers(*b, &mut new, f);
        }
    }
    Some(new)
}

/// The number of statements, inner blocks included.
pub(super) fn count(b: &[Stmt]) -> usize {
    let mut all = 0;
    b.iter().for_each(|s| s.walk(&mut |_| all += 1));
    all
}

/// Writes short loops out, inner ones first, unless that gives too many statements; whether there were any.
fn unroll(b: &mut Block, f: &mut Function) -> bool {
    let plain = |s: &Stmt| matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(..) | Stmt::If(..));
    each_replaced_inner_first(b, &mut |s| {
        let Stmt::For(For { index, count: times, body, .. }) = s else { return None };
        let times = times.constant().filter(|n| *n <= MOST && body.iter().all(|s| !s.any(&|s| !plain(s))))?;
        let few = count(body) * usize::try_from(times).ok()? <= STATEMENTS;
        few.then(|| iterations(f, (*index, body), times))
    })
}

/// Puts numbers in place of the elements of a buffer, where that is possible.
fn in_numbers(b: BufferId, l: &mut For, f: &mut Function) {
    let mut places: Set<Option<i128>> = Set::new();
    let mut look = |a: &Access| {
        if a.buffer == b {
            places.insert(a.offset.constant());
        }
    };
    l.body.iter().for_each(|s| s.each_access(&mut look));
    let Some(places): Option<Vec<i128>> = places.iter().copied().collect() else { return };
    if !is_written_first(b, &l.body) {
        return;
    }
    let (elem, name) = (f.buffer(b).elem, f.buffer(b).name);
    let numbers: Map<i128, VarId> = places.into_iter().map(|k| (k, f.names.again(name))).collect();
    let number = |a: &Access| a.offset.constant().filter(|_| a.buffer == b).map(|k| numbers[&k]);
    for s in &mut l.body {
        s.each_expr_mut(&mut |e| {
            if let Expr::Load(a) = e
                && let Some(x) = number(a)
            {
                *e = Expr::Var(x);
            }
        });
        s.walk_mut(&mut |s| match s {
            Stmt::Assign(p, _) => {
                if let Place::Element(a) = p
                    && let Some(x) = number(a)
                {
                    *p = Place::Var(x);
                }
            }
            Stmt::Open(all) => all.retain(|x| *x != b),
            _ => {}
        });
    }
    let body = std::mem::take(&mut l.body);
    l.body = numbers.values().map(|x| Stmt::Var(*x, elem)).chain(body).collect_vec();
}

/// Whether statements write each element of a buffer before they read it, on every path.
fn is_written_first(b: BufferId, stmts: &Block) -> bool {
    // The state is the elements that were written at constant places.
    let mut transfer = |s: &Stmt, written: &mut Set<i128>| {
        let mut fine = true;
        let known = |a: &Access| a.offset.constant().is_some_and(|k| written.contains(&k));
        s.exprs().into_iter().for_each(|e| e.each_load(&mut |a| fine &= a.buffer != b || known(a)));
        match s {
            Stmt::Assign(Place::Element(a), _) if a.buffer == b => written.extend(a.offset.constant()),
            Stmt::Open(all) if all.contains(&b) => written.clear(),
            Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(..) | Stmt::Check { .. } | Stmt::If(..) | Stmt::For(_) => {}
            s => fine &= !s.uses(b),
        }
        fine.then_some(())
    };
    flow(stmts, Set::new(), &mut transfer, |yes, no| yes.iter().filter(|k| no.contains(k)).copied().collect()).is_some()
}
