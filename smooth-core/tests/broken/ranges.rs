//! Mistakes after which an access may be out of range, each at one place of a function.

use super::broken_loops::each;
use smooth_core::loops::{Access, Block, Expr, For, Function, Place, Stmt};
use smooth_core::shape::card::Card;

/// Changes the statement number `place` among those that `change` applies to. Returns whether it exists.
fn at(f: &mut Function, place: usize, change: &mut impl FnMut(&mut Stmt) -> bool) -> bool {
    let (mut left, mut done) = (place, false);
    each(&mut f.body, &mut |s| {
        let before = s.clone();
        if done || !change(s) {
            return;
        }
        if left == 0 {
            done = true;
        } else {
            *s = before;
            left -= 1;
        }
    });
    done
}

/// Runs one iteration more than there are in a range.
pub fn one_iteration_more(f: &mut Function, place: usize) -> bool {
    at(f, place, &mut |s| {
        if let Stmt::For(For { count, .. }) = s {
            *count = count.add(&Card::lit(1));
        }
        matches!(s, Stmt::For(_))
    })
}

/// Writes the next element.
pub fn next_element(f: &mut Function, place: usize) -> bool {
    at(f, place, &mut |s| {
        let Stmt::Assign(Place::Element(a), _) = s else { return false };
        a.offset = a.offset.add(&Card::lit(1));
        true
    })
}

/// Continues after the end of the buffer.
pub fn behind_the_end(f: &mut Function, place: usize) -> bool {
    fn first(e: &mut Expr) -> Option<&mut Access> {
        if let Expr::Load(a) = e { Some(a) } else { e.operands_mut().iter_mut().find_map(first) }
    }
    let buffers = f.buffers.clone();
    let mut further = |a: &mut Access| a.offset = a.offset.add(&buffers[a.buffer.0 as usize].len);
    at(f, place, &mut |s| {
        if let Stmt::Assign(Place::Element(a), _) = s {
            further(a);
            return true;
        }
        s.exprs_mut().into_iter().find_map(first).map(&mut further).is_some()
    })
}

/// Drops a check.
pub fn no_check(f: &mut Function, place: usize) -> bool {
    at(f, place, &mut |s| {
        let is_check = matches!(s, Stmt::Check { .. } | Stmt::CheckRange { .. });
        if is_check {
            *s = Stmt::Block(Block::new());
        }
        is_check
    })
}

/// Forgets the condition of a branch, or that of an element that is chosen.
pub fn no_condition(f: &mut Function, place: usize) -> bool {
    fn first(e: &mut Expr) -> bool {
        if let Expr::If(es) = e {
            *e = es[1].clone();
            return true;
        }
        e.operands_mut().iter_mut().any(first)
    }
    at(f, place, &mut |s| match s {
        Stmt::If(_, arm, _) => {
            *s = Stmt::Block(std::mem::take(arm));
            true
        }
        s => s.exprs_mut().into_iter().any(first),
    })
}
