//! The expressions that may be computed where their value is not needed.

use crate::loops::BufferId;
use crate::loops::{Access, Expr, Memory};
use crate::schedule::facts::decide::Decide;
use crate::shape::card::{Atom, Card};
use crate::sorted::Set;
use crate::ty::Scalar;

/// Whether an operation on operands that may be computed panics never, and reads an element only if it is in range, and
/// written: of an argument, or of one of the buffers in `full`.
pub(crate) fn is_total(cx: &mut Decide<'_>, e: &Expr, full: &Set<BufferId>) -> bool {
    match e {
        Expr::Var(_) | Expr::Lit(_) | Expr::Const(_) | Expr::If(_) => true,
        Expr::Size(c, _) => {
            let c = cx.card(c);
            let plain = !c.atoms().iter().any(|a| matches!(a, Atom::Op(..) | Atom::Untracked));
            plain && cx.facts.is_exact(&c)
        }
        Expr::Load(a) => is_there(cx, a, full),
        Expr::Prim(p, ..) => {
            let s = cx.scalar(e);
            !p.may_panic(s) || (s == Scalar::Usize && cx.integer(e).is_some())
        }
        Expr::App(..) => false,
    }
}

/// The cost of an expression; `None` if an operation may panic, or calls a function.
pub(crate) fn total_cost(cx: &Decide<'_>, e: &Expr) -> Option<u32> {
    let itself = match e {
        Expr::App(..) => return None,
        Expr::Prim(p, ..) if p.may_panic(cx.scalar(e)) => return None,
        Expr::Prim(p, ..) => p.cost(),
        _ => 0,
    };
    e.operands().iter().try_fold(itself, |sum, e| Some(sum + total_cost(cx, e)?))
}

/// Whether an element is in range, and written.
fn is_there(cx: &mut Decide<'_>, a: &Access, full: &Set<BufferId>) -> bool {
    let buffer = cx.f.buffer(a.buffer);
    let written = matches!(buffer.memory, Memory::Argument | Memory::InOut) || full.contains(&a.buffer);
    let (len, offset) = (buffer.len.clone(), cx.card(&a.offset));
    written && cx.facts.in_range(&offset, &len) && has_values(cx, &offset)
}

/// Whether the operands of a number's operations are values: under a condition that does not hold, `n - 1` may be none, and
/// `min(i, n - 1)` any.
fn has_values(cx: &Decide<'_>, c: &Card) -> bool {
    let exact = |c: &Card| cx.facts.is_exact(c) && has_values(cx, c);
    c.atoms().into_iter().all(|a| !matches!(a, Atom::Op(_, a, b) if !exact(a) || !exact(b)))
}
