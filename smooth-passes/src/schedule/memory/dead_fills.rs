//! Dead-store elimination: a loop that fills an array is removed if all elements are overwritten before they are read.
//!
//! ```text
//! for i < n { b[i] ← e } ; s̄   ⟶   s̄        s̄ writes b[0], …, b[n - 1] in this order, and reads b[k] only after it
//! ```
//!
//! A walk over `s̄` follows the written prefix of the array (`facts/written_prefix.rs`): every read has to be in it,
//! and in the end it has to be the whole array.
//!
//! An example is `[0.0; n]` before a loop that writes every element. In L̃ all names of the array are one buffer, and
//! an index of any rank is one number.

use crate::loops::{BufferId, Expr, For, Function, Memory, Place, Remark, Stmt};
use crate::mapped::PushAll;
use crate::pass::{PassId, Switches};
use crate::schedule::facts::values::{mentions, number};
use crate::schedule::facts::written_prefix::{Front, assigned};
use crate::schedule::rewrite::replaced::{each_rewritten, in_body};
use crate::shape::card::Card;
use crate::shape::facts::Facts;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;

/// Removes overwritten statements, in inner blocks too.
pub(crate) fn dead_fills(f: &mut Function, _: &Switches) -> bool {
    let mut changing = Set::new();
    f.body.iter().for_each(|s| assigned(s, &mut changing));
    // A name has one value, so that the values of names in other blocks do no harm.
    let (mut changed, mut values) = (false, Map::new());
    in_body(f, |b, f| {
        each_rewritten(b, &Facts::default(), &mut |s, (_, behind), facts| {
            if let Some(buffer) = filled(s, f)
                && is_overwritten(s, behind, buffer, |begin| Front::new(buffer, begin, &changing, facts, &values))
            {
                if let Stmt::For(For { index: about, .. }) = s {
                    f.schedule.remarks.push(Remark { pass: PassId::DeadFills, about: *about, left: None });
                }
                changed = true;
                return None;
            }
            let mut inside = facts.clone();
            match s {
                Stmt::For(For { index, count, .. }) => inside.enter_loop(*index, Some(count.clone())),
                Stmt::Let(x, Scalar::Usize, e) => {
                    let value = number(e, &values).filter(|c| !mentions(c, &changing));
                    values.extend(value.map(|c| (*x, c)));
                }
                _ => {}
            }
            Some(inside)
        });
        changed
    })
}

/// The buffer that a statement fills, if it does nothing else and cannot panic.
fn filled(s: &Stmt, f: &Function) -> Option<BufferId> {
    let fills = |b: &BufferId| !matches!(f.buffer(*b).memory, Memory::Argument | Memory::Turn | Memory::Empty);
    let mut inner = s;
    while let Stmt::For(For { body, .. }) | Stmt::Block(body) = inner {
        let [only] = body.as_slice() else { return None };
        inner = only;
    }
    match inner {
        Stmt::Assign(Place::Element(a), e) => is_plain(e, f.buffer(a.buffer).elem).then_some(a.buffer).filter(fills),
        Stmt::Copy { to, .. } => Some(to.buffer).filter(fills),
        _ => None,
    }
}

/// Whether an expression of this type cannot panic.
fn is_plain(e: &Expr, elem: Scalar) -> bool {
    match e {
        Expr::Lit(_) | Expr::Var(_) | Expr::Const(_) | Expr::Load(_) => true,
        Expr::Prim(p, es, _) => {
            elem.is_float() && !p.may_panic(elem) && p.always().is_none() && es.iter().all(|e| is_plain(e, elem))
        }
        Expr::If(es) => matches!(es[0], Expr::Var(_)) && es[1..].iter().all(|e| is_plain(e, elem)),
        Expr::Size(..) | Expr::App(..) => false,
    }
}

/// Whether the elements of a buffer that a statement fills are overwritten by those behind it, before these read them.
fn is_overwritten<'c>(fill: &Stmt, behind: &[Stmt], buffer: BufferId, front: impl FnOnce(Card) -> Front<'c>) -> bool {
    // Most arrays are read next.
    if !behind.iter().any(|s| s.writes(buffer)) {
        return false;
    }
    let Some(begin) = first(fill) else { return false };
    let mut front = front(begin.clone());
    if !front.lasts(&begin) || front.stmt(fill).is_err() || front.scattered {
        return false;
    }
    front.again_from(begin);
    for s in behind {
        if front.stmt(s).is_err() {
            return false;
        }
        if front.is_at_the_end() {
            return true;
        }
    }
    false
}

/// The first element that a statement fills.
fn first(s: &Stmt) -> Option<Card> {
    let (mut inner, mut indices) = (s, vec![]);
    while let Stmt::For(For { body, .. }) | Stmt::Block(body) = inner {
        indices.push_all(if let Stmt::For(l) = inner { Some(l.index) } else { None });
        inner = body.first()?;
    }
    match inner {
        Stmt::Assign(Place::Element(a), _) | Stmt::Copy { to: a, .. } => {
            Some(indices.iter().fold(a.offset.clone(), |at, i| at.replace(*i, &Card::lit(0))))
        }
        _ => None,
    }
}
