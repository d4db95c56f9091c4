//! The replacement of loops by something better.

use crate::loops::{Block, For, Function, Left, Order, Reduce, Remark, Stmt};
use crate::mapped::PushAll;
use crate::pass::PassId;

/// Runs a transformation on the body of a function and the rest of the function.
pub(crate) fn in_body(f: &mut Function, transform: impl FnOnce(&mut Block, &mut Function) -> bool) -> bool {
    let mut body = std::mem::take(&mut f.body);
    let changed = transform(&mut body, f);
    f.body = body;
    changed
}

/// The replacement of a loop, or the reason why it is left.
pub(crate) type Better = Result<Block, Left>;

/// Replaces independent loops and reductions, outer ones first, if `new` has a replacement. Replacements are not
/// visited.
pub(crate) fn replaced(
    b: &mut Block,
    f: &mut Function,
    pass: PassId,
    new: &impl Fn(&Stmt, &mut Function) -> Better,
) -> bool {
    each_replaced(b, &mut |s| {
        let (Stmt::For(For { index: about, order: Order::Any, .. }) | Stmt::Reduce(Reduce { index: about, .. })) = s
        else {
            return None;
        };
        let (new, left) = match new(s, f) {
            Ok(new) => (Some(new), None),
            Err(left) => (None, left),
        };
        if new.is_some() || left.is_some() {
            f.schedule.remarks.push(Remark { pass, about: *about, left });
        }
        new
    })
}

/// Replaces statements, outer ones first, if `new` has a replacement. Replacements are not visited. Returns whether
/// there was one.
pub(crate) fn each_replaced(b: &mut Block, new: &mut dyn FnMut(&Stmt) -> Option<Block>) -> bool {
    let mut changed = false;
    each_rewritten(b, &(), &mut |s, (before, _), ()| match new(s) {
        Some(new) => {
            before.push_all(new);
            changed = true;
            None
        }
        None => Some(()),
    });
    changed
}

/// Rewrites statements, outer ones first, with an inherited attribute ([`each_inherited`](crate::loops::visit::each_inherited)).
/// `f` gets a statement, those before it, to which it may add some, and those behind it. It returns the attribute in
/// the statement's blocks, or `None` to drop it.
pub(crate) fn each_rewritten<A>(
    b: &mut Block,
    inherited: &A,
    f: &mut impl FnMut(&mut Stmt, (&mut Block, &[Stmt]), &A) -> Option<A>,
) {
    let mut left = std::mem::take(b).into_iter();
    while let Some(mut s) = left.next() {
        if let Some(inside) = f(&mut s, (b, left.as_slice()), inherited) {
            s.blocks_mut().into_iter().for_each(|b| each_rewritten(b, &inside, f));
            b.push(s);
        }
    }
}

/// [`each_replaced`], inner statements first, which `new` then sees replaced.
pub(crate) fn each_replaced_inner_first(b: &mut Block, new: &mut dyn FnMut(&Stmt) -> Option<Block>) -> bool {
    let mut changed = false;
    for mut s in std::mem::take(b) {
        s.blocks_mut().into_iter().for_each(|b| changed |= each_replaced_inner_first(b, new));
        let replaced = new(&s);
        changed |= replaced.is_some();
        b.push_all(replaced.unwrap_or_else(|| vec![s]));
    }
    changed
}
