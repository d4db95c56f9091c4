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
    let mut changed = false;
    for mut s in std::mem::take(b) {
        let about = match &s {
            Stmt::For(For { index, order: Order::Any, .. }) | Stmt::Reduce(Reduce { index, .. }) => Some(*index),
            _ => None,
        };
        if let Some(about) = about {
            match new(&s, f) {
                Ok(new) => {
                    f.schedule.remarks.push(Remark { pass, about, left: None });
                    b.push_all(new);
                    changed = true;
                    continue;
                }
                Err(None) => {}
                Err(left) => f.schedule.remarks.push(Remark { pass, about, left }),
            }
        }
        s.blocks_mut().into_iter().for_each(|b| changed |= replaced(b, f, pass, new));
        b.push(s);
    }
    changed
}
