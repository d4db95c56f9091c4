//! Hoisting of reads: an innermost independent loop has numbers in place of elements that all its iterations read, of an
//! array that it writes.
//!
//! ```text
//! for j < m any { b[o + j] ← e(b[p]) }  ⟶  let x = if m > 0 { b[p] } else { 0 }; for j < m any { b[o + j] ← e(x) }
//! ```
//!
//! LLVM does not know that the element is none of those that the loop writes, and asks, or makes no vectors.
//!
//! Needs: no iteration reads the element after it writes to the array, since there might be one iteration alone; and nothing
//! before the read may stop it.

use crate::loops::visit::{Mode, Part};
use crate::loops::{Access, Block, BufferId, Expr, For, Function, Order, Place, Stmt};
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::facts::access::reads;
use crate::schedule::rewrite::remainder::compared;
use crate::schedule::rewrite::replaced::each_replaced_inner_first;
use crate::sorted::Set;
use crate::value::Lit;

/// Hoists reads in all loops of a block.
pub(super) fn read_once(b: &mut Block, f: &mut Function) -> bool {
    each_replaced_inner_first(b, &mut |s| match s {
        Stmt::For(l) if l.order == Order::Any && l.body.iter().all(|s| !s.any(&stops)) => hoisted(l, f),
        _ => None,
    })
}

/// Whether a statement is a loop, or may keep those after it from running, as a check of their indices does.
fn stops(s: &Stmt) -> bool {
    !matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(..) | Stmt::If(..))
}

fn hoisted(l: &For, f: &mut Function) -> Option<Block> {
    let mut bound = Set::from([l.index]);
    l.body.iter().for_each(|s| s.targets(&mut bound));
    let (mut found, mut written): (Vec<Access>, Set<BufferId>) = (vec![], Set::new());
    for s in &l.body {
        for a in s.exprs().into_iter().flat_map(reads) {
            let fixed = !bound.iter().any(|x| a.offset.mentions(*x)) && !a.offset.is_untracked();
            let before = !written.contains(&a.buffer) && l.body.iter().any(|s| s.writes(a.buffer));
            found.push_all((fixed && before && !found.contains(&a)).then_some(a));
        }
        s.each_part_inside(&mut |p| {
            if let Part::Access(a, Mode::Write | Mode::ReadWrite) = p {
                written.insert(a.buffer);
            }
        });
    }
    found.retain(|place| {
        let mut again = false;
        let first = l.body.iter().position(|s| s.writes(place.buffer)).unwrap_or(0);
        let inside = l.body[first].blocks().into_iter().flatten();
        inside.chain(&l.body[first + 1..]).for_each(|s| s.each_access(&mut |a| again |= a == place));
        !again
    });
    let (mut new, mut out) = (l.clone(), vec![]);
    for place in found {
        let (x, elem) = (f.names.fresh("element"), f.buffer(place.buffer).elem);
        new.body.iter_mut().for_each(|s| replace(s, &place, x));
        let once = [compared(Prim::Gt, &l.count, 0), Expr::Load(place), Expr::Lit(Lit::zero(elem))];
        out.push(Stmt::Let(x, elem, Expr::If(Box::new(once))));
    }
    out.push(Stmt::For(new));
    (out.len() > 1).then_some(out)
}

/// Puts a number in place of an element.
pub(super) fn replace(s: &mut Stmt, place: &Access, x: VarId) {
    s.walk_mut(&mut |s| {
        for e in s.exprs_mut() {
            e.each_mut(&mut |e| {
                if matches!(e, Expr::Load(a) if a == place) {
                    *e = Expr::Var(x);
                }
            });
        }
        if let Stmt::Assign(p, _) = s
            && matches!(p, Place::Element(a) if a == place)
        {
            *p = Place::Var(x);
        }
    });
}
